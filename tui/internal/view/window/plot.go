package window

import (
	"math"
	"strconv"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// plotting is what the height of a dot in the placement plot stands for.
type plotting int

const (
	plotNone  plotting = iota
	plotIndex          // place in the input: chronological placing rises
	plotScore          // score: U-shaped placing has its peaks at both ends
	plottings
)

// plot is the placement plot: the placed order from left to right, each item
// as wide as its tokens.
type plot struct {
	by   plotting
	made struct {
		report *model.Report
		by     plotting
		w, h   int
	}
	all, split []uint64 // by column of dots
}

// nextPlot switches to the next plot of the placed order, or to none, in turn. Where there is
// one row of dots, all plots look alike.
func (p *View) nextPlot() {
	p.plot.by = (p.plot.by + 1) % plottings
	if p.plot.by > plotIndex && p.plotRows(p.inner().H) < 4 {
		p.plot.by = plotNone
	}
}

// minPlotted is the least height of a window with a plot.
const minPlotted = 12

// plotRows returns how many of h rows the plot takes.
func (p *View) plotRows(h int) int {
	switch {
	case p.plot.by == plotNone, h < minPlotted, p.diff.with != nothing:
		return 0
	case h < 22:
		return 2
	}
	return 4
}

// drawPlot draws the plot and, below it, a line that says what it shows.
func (p *View) drawPlot(f *widget.Frame, r draw.Rect) {
	w, h := draw.Dots(r.W, f.Glyphs()), draw.DotRows(r.H-1, f.Glyphs())
	p.makePlot(w, h)
	current := make([]uint64, w)
	p.mark(current, p.at.place, h)
	area := draw.Rect{X: r.X, Y: r.Y, W: r.W, H: r.H - 1}
	f.Scatter(area,
		draw.Layer{Columns: p.plot.all, Role: theme.StripIn, Letter: '#'},
		draw.Layer{Columns: p.plot.split, Role: theme.Warn, Letter: f.Glyphs().Split},
		draw.Layer{Columns: current, Role: theme.Focus, Letter: '@'})
	f.Spans(r.X, r.Y+r.H-1, r.W, draw.FirstThatFits(r.W, p.legend(h)...)...)
}

// legend names the axes of the plot, the longest form first. A plot of one row of dots shows
// where the item at the top stands, not heights.
func (p *View) legend(h int) [][]draw.Span {
	across := "Across: as placed, 0 to " + p.before[p.len()].String() + " tok"
	up := "; up: #0 to #" + strconv.Itoa(p.out.Items.Len()-1) + " of the input"
	switch {
	case h < 2:
		up = "; @: #" + strconv.Itoa(p.item(p.at.place))
	case p.plot.by == plotScore:
		up = "; up: score 0 to " + widget.Score(p.topScore(), 6)
	}
	dim := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Dim}} }
	return [][]draw.Span{dim(across + up + "   s: another plot"), dim(across + up), dim(across)}
}

// makePlot makes the dots anew if what they show has changed.
func (p *View) makePlot(w, h int) {
	m := &p.plot.made
	if m.report == p.out.Report && m.by == p.plot.by && m.w == w && m.h == h {
		return
	}
	m.report, m.by, m.w, m.h = p.out.Report, p.plot.by, w, h
	p.plot.all, p.plot.split = make([]uint64, w), make([]uint64, w)
	for place := range p.len() {
		p.mark(p.plot.all, place, h)
		if _, split := p.out.Alone(p.item(place)); split {
			p.mark(p.plot.split, place, h)
		}
	}
}

// mark sets the dots of the item at a place.
func (p *View) mark(columns []uint64, place, h int) {
	total := p.before[len(p.before)-1]
	if place >= p.len() || len(columns) == 0 {
		return
	}
	share := func(t model.Tokens) int { // by tokens; by count where nothing costs any
		if total <= 0 {
			return 0
		}
		return int(float64(t) / float64(total) * float64(len(columns)))
	}
	from, to := share(p.before[place]), share(p.before[place+1])
	if total <= 0 {
		from = place * len(columns) / p.len()
		to = (place + 1) * len(columns) / p.len()
	}
	from = min(max(0, from), len(columns)-1)
	to = min(max(from+1, to), len(columns))
	row := min(int(p.level(place)*float64(h)), h-1)
	for x := from; x < to; x++ {
		columns[x] |= 1 << row
	}
}

// level returns the height of the item at a place, from 0 to 1.
func (p *View) level(place int) float64 {
	i := p.item(place)
	if p.plot.by == plotIndex {
		return float64(i) / float64(max(1, p.out.Items.Len()-1))
	}
	v := p.out.Report.Scores[i]
	if math.IsNaN(v) {
		return 0
	}
	return min(max(0, v/max(p.topScore(), 1e-9)), 1)
}

// topScore returns the score at the top of the plot: the largest one, but at
// least 1.
func (p *View) topScore() float64 {
	top := 1.0
	if p.out.Ranking.Input().Len() > 0 { // falling, but for pairs that are one item
		for _, i := range p.out.Ranking.Members(nil, 0) {
			if score := p.out.Report.Scores[i]; score > top && !math.IsInf(score, 0) {
				top = score
			}
		}
	}
	return top
}
