package curve

import (
	"math"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

const (
	plotGutter = 8 // width of the labels of the vertical axis
	plotEnds   = 2 // cells that stay free on the right
)

// inner returns the main area without its frame.
func (p *View) inner() draw.Rect { return p.rect.Inner(p.boxed) }

// tableRows is the height of the table: its head and a row for each side.
const tableRows = 3

// saidRows returns how many lines of text stand above the plot and below the axis.
func (p *View) saidRows() (above, below int) {
	if p.measuresRecall() {
		return 0, min(7, max(2, (p.inner().H-4)/3))
	}
	if p.inner().H < 8 || p.measure != byValue {
		return 1, tableRows
	}
	return 2, tableRows
}

// plotRect returns the rectangle of the curves.
func (p *View) plotRect() draw.Rect {
	in := p.inner()
	above, below := p.saidRows()
	return draw.Rect{X: in.X + plotGutter, Y: in.Y + above, W: in.W - plotGutter - plotEnds, H: in.H - 1 - p.aheadRows() - p.under - p.fallRows() - above - below}
}

// Draw draws the plot.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.Fit(r, boxed, f.Theme())
	p.under = p.belowRows(f)
	p.at, p.apart = draw.Rect{}, false
	p.drawPlot(f, r)
	legend := p.legend(f)
	w := draw.SpansWidth(legend)
	title := p.title(r.W - w - 6)
	if f.Old && f.Out != nil {
		title += "  (" + f.OldText() + ")"
	}
	f.DrawTitle(r, title, boxed, focused)
	if draw.Width(title)+w+6 <= r.W {
		f.Spans(r.X+r.W-w-2, r.Y, w, legend...)
	}
}

// drawPlot draws what is inside the frame.
func (p *View) drawPlot(f *widget.Frame, r draw.Rect) {
	plot := p.plotRect()
	o := p.outs[p.side]
	switch {
	case o == nil:
		text := "No result at any budget."
		if state, _ := f.Exp.State(p.side); state == experiment.Pending {
			text = f.ComputingText(p.side)
		}
		f.Text(r.X+2, r.Y+1, r.W-4, text, theme.Dim)
		return
	case plot.H < 2 || plot.W < 10:
		return
	}
	p.at, p.cells = plot, p.span.Scale(plot.W)
	lines := p.lines(plot.W)
	low, high := p.heights(lines)
	p.axis(f, plot, low, high)
	here := -1
	if now := f.Exp.Setup().Budget.MaxTokens; now >= p.span.Lo && now <= p.span.Hi {
		here = p.cells.Column(now)
	}
	p.curves(f, plot, lines, low, high, here)
	if len(lines) == 0 {
		f.Text(plot.X+1, plot.Y, plot.W, p.waiting(f), theme.Warn)
	}
	y := plot.Y + plot.H
	p.span.Ruler(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: 1}, p.cells, here, nil)
	f.Right(plot.X-plotGutter, y, plotGutter-1, p.axisName(), theme.Dim)
	y++
	if p.aheadRows() > 0 {
		p.drawAhead(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: 1}, lines)
		y++
	}
	if p.under > 0 {
		p.drawBelow(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: p.under}, here)
		y += p.under
	}
	if p.fallRows() > 0 {
		y = p.drawFalls(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: p.fallRows()})
	}
	if f.Old {
		f.Mark(draw.Rect{X: plot.X, Y: plot.Y, W: plot.W, H: y - plot.Y}, theme.Old)
	}
	in := p.inner()
	below := draw.Rect{X: in.X + 1, Y: y, W: in.W - 2, H: in.Y + in.H - y}
	if p.measuresRecall() {
		p.recallReadOut(f, below, f.Exp.Setup().Budget.MaxTokens)
		return
	}
	f.Text(in.X+1, in.Y, in.W-2, p.sentence(f, in.W-2), theme.Strong)
	if above, _ := p.saidRows(); above > 1 {
		f.Spans(in.X+1, in.Y+1, in.W-2, p.aheadSpans(f.Exp.Setup(), in.W-2)...)
	}
	if f.AnyOld() {
		f.Mark(draw.Rect{X: in.X, Y: in.Y, W: in.W, H: plot.Y - in.Y}, theme.Old)
	}
	p.table(f, below)
}

// title returns what is drawn, in the longest form that fits.
func (p *View) title(width int) string {
	name := [...]string{"Value over budget", "Items over budget", "Share of the room filled over budget", "Recall over budget"}[p.measure]
	long := name
	if !p.span.ShowsAll() {
		long += "  " + p.span.Lo.String() + " to " + p.span.Hi.String()
	}
	if p.span.Exact(p.width()) {
		return widget.Fitting(width, long+"  a column is one budget", name+"  a column is one budget", long, name)
	}
	return widget.Fitting(width, long+"  a column shows the highest of its budgets", long, name)
}

func (p *View) axisName() string {
	if p.span.Even {
		return "even"
	}
	return "budget"
}

// waiting says why no curve is drawn.
func (p *View) waiting(f *widget.Frame) string {
	t := &p.tracks[p.side]
	if p.measure == byRecall && t.curve != nil && t.curve.recall == nil {
		return nothingNeeded
	}
	return t.waiting(f)
}

// waiting says why the curve of a side is not known.
func (t *track) waiting(f *widget.Frame) string {
	if t.err != nil {
		return plain.Line(t.err.Error(), 300)
	}
	return "computing what every budget gives" + f.Glyphs().Ellipsis
}

// nothingNeeded is shown instead of recall if nothing is marked as needed.
const nothingNeeded = "Nothing is marked as needed yet: * marks an item in Items (1)."

// plotLine is the curve of a side.
type plotLine struct {
	side      experiment.Side
	role      theme.Role
	letter    rune
	low, high []float64
}

// scaled returns the line with low to high mapped to 0 to 1 and each column
// repeated so many times.
func (l plotLine) scaled(low, high float64, repeat int) draw.Line {
	at := func(v float64) float64 {
		if v < 0 {
			return -1
		}
		return max(0, (v-low)/(high-low))
	}
	out := draw.Line{Role: l.role, Letter: l.letter}
	for x := range l.high {
		for range repeat {
			out.Values = append(out.Values, at(l.high[x]))
			out.Low = append(out.Low, at(l.low[x]))
		}
	}
	return out
}

// repeat returns how many dots wide a column is: two where there are fewer budgets
// than dots.
func (p *View) repeat(width int) int {
	if p.dots > 1 && p.span.Exact(width*p.dots) {
		return p.dots
	}
	return 1
}

// lines returns the curves that are known. The curve of the edited side comes
// last, so it is drawn over the others.
func (p *View) lines(width int) []plotLine {
	scale := p.span.Scale(width * p.dots / p.repeat(width))
	var lines []plotLine
	for _, s := range [...]experiment.Side{p.side.Other(), p.side} {
		t := &p.tracks[s]
		if t.curve == nil {
			continue
		}
		measure, unknown := p.measure, p.measure == byRecall && t.curve.recall == nil
		if unknown { // the falls are drawn all the same
			measure = byValue
		}
		key := columnsKey{p.span.Lo, p.span.Hi, scale.Columns(), p.span.Even, measure}
		if t.key != key || t.columns.low == nil {
			t.columns, t.key = t.curve.columns(t.profile.Axis(), scale, measure), key
		}
		if unknown {
			continue
		}
		lines = append(lines, plotLine{side: s, role: widget.SideRole(s), letter: rune(s.String()[0]), low: t.columns.low, high: t.columns.high})
	}
	return lines
}

// heights returns the values at the bottom and the top of the plot. It begins at 0
// if the curves stay readable.
func (p *View) heights(lines []plotLine) (low, high float64) {
	if p.measure == byRecall {
		return 0, 1
	}
	low, high = math.Inf(1), 0
	for _, l := range lines {
		for x, v := range l.high {
			if v >= 0 && !math.IsInf(v, 0) {
				low, high = min(low, l.low[x]), max(high, v)
			}
		}
	}
	if low > high || low < high/2 {
		low = 0
	}
	if high <= low {
		high = low + 1
	}
	return max(0, low), high
}

// axis draws the vertical axis.
func (p *View) axis(f *widget.Frame, plot draw.Rect, low, high float64) {
	f.Fill(draw.Rect{X: plot.X - 1, Y: plot.Y, W: 1, H: plot.H}, f.Glyphs().Vertical, theme.Frame)
	put := func(y int, text string) { f.Right(plot.X-plotGutter, plot.Y+y, plotGutter-1, text, theme.Dim) }
	top, middle, bottom := p.height(high), p.height((low+high)/2), p.height(low)
	put(0, top)
	put(plot.H-1, bottom)
	if plot.H >= 7 && middle != top && middle != bottom { // half an item is no number of items
		put(plot.H/2, middle)
	}
}

// curves draws the edited side as an area, with its labels; the other side is a line
// where it differs by half a row or more and shares no cell with the upper edge of the area.
func (p *View) curves(f *widget.Frame, plot draw.Rect, lines []plotLine, low, high float64, here int) {
	var edited draw.Line
	area := make([]float64, plot.W) // the highest of each cell
	for _, l := range lines {
		if l.side == p.side {
			edited = l.scaled(low, high, p.repeat(plot.W))
			for x := range area {
				area[x] = -1
				for k := x * p.dots; k < min(len(edited.Values), (x+1)*p.dots); k++ {
					area[x] = max(area[x], edited.Values[k])
				}
			}
			f.Area(plot, area, theme.StripIn)
		}
	}
	for _, l := range lines {
		if l.side == p.side {
			continue
		}
		line := l.scaled(low, high, p.repeat(plot.W))
		for k := range line.Values {
			if edited.Values != nil && math.Abs(line.Values[k]-edited.Values[k])*float64(plot.H) < 0.5 {
				line.Values[k] = -1
			}
		}
		line.Area, line.Over = area, widget.SideOver(l.side)
		p.apart = f.Curves(plot, []draw.Line{line}, -1)
	}
	f.Marker(plot, here, area, theme.HereIn)
	if edited.Values == nil {
		return
	}
	free := func(x, w int) int { // the row above the area in so many columns
		y := plot.H
		for k := x; k < min(plot.W, x+w); k++ {
			y = min(y, plot.H-1-int(max(0, area[k])*float64(plot.H)))
		}
		return y - 1
	}
	from, to, row := p.labels(f, plot, area, here, free)
	p.share(f, plot, func(x, w int) int {
		if y := free(x, w); x >= to || x+w <= from {
			return y
		}
		return min(free(x, w), row-1)
	})
}

// height writes a value of the measure on the axis: the value as a share of what the edited side
// has at the end of the axis.
func (p *View) height(v float64) string {
	if c := p.tracks[p.side].curve; p.measure == byValue && c != nil && c.all.Value > 0 {
		return plain.Percent(v / c.all.Value)
	}
	return p.measure.text(v, 6)
}

// labels writes what each side gives at the current budget beside its mark: the edited side above
// the area, the other one within it, or further above where it gives more. It returns the columns
// and the upper row that they take.
func (p *View) labels(f *widget.Frame, plot draw.Rect, area []float64, here int, free func(x, w int) int) (from, to, row int) {
	now := f.Exp.Setup().Budget.MaxTokens
	a, runs := p.tracks[p.side].measured(p.measure, now)
	if here < 0 || !runs {
		return here, here, plot.H
	}
	text, role := p.side.String()+" "+p.measure.text(a, 6), theme.StripHere
	w := draw.Width(text)
	x := here + 1
	if x+w > plot.W {
		x = max(0, here-w)
	}
	if row = free(x, w); row < 0 {
		row = 0
		if int(area[here]*float64(plot.H)) >= plot.H-1 { // no cell is free above the area
			role = theme.HereIn
		}
	}
	f.Text(plot.X+x, plot.Y+row, w, text, role)
	other := p.side.Other()
	if p.tracks[other].curve == nil || p.measure == byRecall && p.tracks[other].curve.recall == nil {
		return min(x, here), x + w, row
	}
	b, runs := p.tracks[other].measured(p.measure, now)
	text = other.String() + " " + p.measure.text(b, 6)
	within := row + 1 // the first row below its label that the area fills
	for k := x; k < min(plot.W, x+draw.Width(text)); k++ {
		within = max(within, plot.H-int(max(0, area[k])*float64(plot.H)))
	}
	switch {
	case !runs:
	case b > a && row > 0:
		row--
		f.Text(plot.X+x, plot.Y+row, plot.W-x, text, widget.SideRole(other))
	case within < plot.H:
		f.Text(plot.X+x, plot.Y+within, plot.W-x, text, widget.SideOver(other))
	}
	return min(x, here), x + max(w, draw.Width(text)), row
}

// share marks where the wanted share of the value begins to stay, in the row that free returns for
// so many columns, if there is room.
func (p *View) share(f *widget.Frame, plot draw.Rect, free func(x, w int) int) {
	wanted := f.Exp.Setup().Wanted
	enough := p.tracks[p.side].enough(wanted / 100)
	if p.measure != byValue || !enough.ok || enough.stays < p.span.Lo || enough.stays > p.span.Hi {
		return
	}
	end := p.cells.Column(enough.stays) + 1 // the text ends where the share begins
	share, bar := widget.Share(wanted), string(f.Glyphs().Vertical)
	for _, text := range [...]string{share + " from " + f.BudgetText(enough.stays) + bar, share + bar} {
		w := draw.Width(text)
		if end < w {
			continue
		}
		if y := free(end-w, w); y >= 0 {
			f.Text(plot.X+end-w, plot.Y+y, w, text, theme.Strong)
			return
		}
	}
}
