package curve

import (
	"math"
	"slices"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

const (
	plotGutter = 10 // width of the labels of the vertical axis
	plotEnds   = 2  // cells that stay free on the right
)

// inner returns the main area without its frame.
func (p *View) inner() draw.Rect { return p.rect.Inner(p.boxed) }

// tableRows is the height of the table: its head and a row for each side.
const tableRows = 3

// saidRows returns how many lines stand above the plot, and below the rows of falls.
func (p *View) saidRows() (above, below int) {
	above, below = 2, tableRows
	h := p.inner().H
	if h < 8 || p.measure == byItems || p.measure == byFilled { // see second
		above = 1
	}
	if h >= 20 {
		below++ // a blank line
	}
	return above, below
}

// plotRect returns the rectangle of the curves.
func (p *View) plotRect() draw.Rect {
	in := p.inner()
	above, below := p.saidRows()
	return draw.Rect{X: in.X + plotGutter, Y: in.Y + above, W: in.W - plotGutter - plotEnds, H: in.H - 1 - p.fallRows() - above - below}
}

// Draw draws the plot.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.Fit(r, boxed, f.Theme())
	p.at = draw.Rect{}
	legend := p.drawPlot(f, r)
	for n := len(legend); n > 0 && draw.SpansWidth(legend) > r.W-draw.Width(p.title(0))-6; n = len(legend) {
		legend = legend[:n-2+n%2] // a mark and its text
	}
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

// drawPlot draws what is inside the frame. It returns the legend.
func (p *View) drawPlot(f *widget.Frame, r draw.Rect) (legend []draw.Span) {
	plot := p.plotRect()
	o := p.outs[p.side]
	switch {
	case o == nil:
		text := "No result at any budget."
		if state, _ := f.Exp.State(p.side); state == experiment.Pending {
			text = f.ComputingText(p.side)
		}
		f.Text(r.X+2, r.Y+1, r.W-4, text, theme.Dim)
		return nil
	case plot.H < 2 || plot.W < 10:
		return nil
	}
	p.at, p.cells = plot, p.span.Scale(plot.W)
	here := -1
	if now := f.Exp.Setup().Budget.MaxTokens; now >= p.span.Lo && now <= p.span.Hi {
		here = p.cells.Column(now)
	}
	legend = p.curves(f, plot, here)
	y := plot.Y + plot.H
	p.span.Ruler(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: 1}, p.cells, here, nil)
	f.Right(plot.X-plotGutter, y, plotGutter-1, p.axisName(), theme.Dim)
	y++
	if p.fallRows() > 0 {
		y = p.drawFalls(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: p.fallRows()})
	}
	if f.Old {
		f.Mark(draw.Rect{X: plot.X, Y: plot.Y, W: plot.W, H: y - plot.Y}, theme.Old)
	}
	in := p.inner()
	_, rows := p.saidRows()
	p.table(f, draw.Rect{X: in.X + 1, Y: in.Y + in.H - min(rows, tableRows), W: in.W - 2, H: tableRows})
	for k, line := range [][]draw.Span{p.sentence(f, in.W-2), p.second(f, in.W-2)} {
		if in.Y+k < plot.Y {
			f.Spans(in.X+1, in.Y+k, in.W-2, line...)
		}
	}
	if f.AnyOld() {
		f.Mark(draw.Rect{X: in.X, Y: in.Y, W: in.W, H: plot.Y - in.Y}, theme.Old)
	}
	return legend
}

// title returns what is drawn, in the longest form that fits.
func (p *View) title(width int) string {
	name := [...]string{"Value at every budget", "How far below the best possible value", "Items at every budget", "Share of the room filled at every budget", "Recall at every budget"}[p.measure]
	zoomed := ""
	if !p.span.ShowsAll() {
		zoomed = "  " + p.span.Lo.String() + " to " + p.span.Hi.String()
	}
	brief := [...]string{"Value", "Below best", "Items", "Room filled", "Recall"}[p.measure]
	return widget.Fitting(width, name+zoomed, name, brief+zoomed, brief)
}

func (p *View) axisName() string {
	if p.span.Even {
		return "even"
	}
	return "budget"
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

// line returns the measure of a side in each column, or nil and why it is not known.
func (p *View) line(f *widget.Frame, s experiment.Side, width int) (values []float64, why string) {
	t := &p.tracks[s]
	if t.curve == nil {
		return nil, t.waiting(f)
	}
	measure, unknown := p.measure, p.measure == byRecall && t.curve.recall == nil
	if unknown || measure == byBelow { // the falls are drawn all the same
		measure = byValue
	}
	scale := p.span.Scale(width)
	key := columnsKey{p.span.Lo, p.span.Hi, scale.Columns(), p.span.Even, measure}
	if t.key != key || t.columns.high == nil {
		t.columns, t.key = t.curve.columns(t.profile.Axis(), scale, measure), key
	}
	switch {
	case unknown:
		return nil, nothingNeeded
	case p.measure == byBelow:
		return p.below(f, s, width)
	}
	return t.columns.high, ""
}

// heights returns the values at the bottom and the top of the plot. It begins at 0
// if the curves stay readable.
func (p *View) heights(lines [2][]float64) (low, high float64) {
	switch p.measure {
	case byRecall:
		return 0, 1
	case byBelow:
		return 0, fullRows(lines)
	}
	low, high = math.Inf(1), 0
	for _, line := range lines {
		for _, v := range line {
			if v >= 0 && !math.IsInf(v, 0) {
				low, high = min(low, v), max(high, v)
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

// curves draws both sides over each other, the axis with what each gives at the current budget,
// and where the wanted share begins. It returns the legend.
func (p *View) curves(f *widget.Frame, plot draw.Rect, here int) []draw.Span {
	var lines, scaled [2][]float64
	var why [2]string
	known := experiment.Side(-1)
	for _, s := range [...]experiment.Side{p.side.Other(), p.side} {
		if lines[s], why[s] = p.line(f, s, plot.W); lines[s] != nil {
			known = s
		}
	}
	low, high := p.heights(lines)
	for s, line := range lines {
		now, known := p.measured(f, experiment.Side(s))
		for x, v := range line {
			if x == here && known { // as the labels say
				v = now
			}
			if v >= 0 {
				v = p.level(v, low, high)
			}
			scaled[s] = append(scaled[s], v) // what is not known is below 0
		}
	}
	p.axis(f, plot, low, high)
	if known < 0 {
		f.Text(plot.X+1, plot.Y, plot.W-1, why[p.side], theme.Warn)
		return nil
	}
	other := known.Other()
	alone := lines[other] == nil
	if alone {
		scaled[other] = scaled[known]
		f.Text(plot.X+1, plot.Y, plot.W-1, other.String()+": "+why[other], theme.Warn)
	}
	same := theme.LineBoth
	if alone {
		same = widget.SideAhead(known).Line
	}
	ahead := [2]draw.Ahead{widget.SideAhead(experiment.A), widget.SideAhead(experiment.B)}
	seen, even := f.Rivals(plot, scaled, same, ahead, here)
	p.share(f, plot, here)
	legend := p.legend(f, known, alone, seen, even)
	if p.measure == byBelow && max(slices.Max(lines[known]), slices.Max(append(lines[other], 0))) > high {
		legend = append(legend, draw.Span{Text: " drawn down to " + p.height(high) + " ", Role: theme.Dim})
	}
	return legend
}

// level returns where a value stands between the bottom of the plot, 0, and its top, 1. The best
// possible is at the top.
func (p *View) level(v, low, high float64) float64 {
	if v = (v - low) / (high - low); p.measure == byBelow {
		v = 1 - v
	}
	return min(1, max(0, v))
}

// tallAxis is the least height, in cells, of an axis that has more labels than those at its ends.
const tallAxis = 7

// axis draws the vertical axis, and beside it what each side gives at the current budget, at its
// height.
func (p *View) axis(f *widget.Frame, plot draw.Rect, low, high float64) {
	f.Fill(draw.Rect{X: plot.X - 1, Y: plot.Y, W: 1, H: plot.H}, f.Glyphs().Vertical, theme.Frame)
	put := func(y int, text string, role theme.Role) {
		f.Fill(draw.Rect{X: plot.X - plotGutter, Y: plot.Y + y, W: plotGutter - 1, H: 1}, ' ', theme.Plain)
		f.Right(plot.X-plotGutter, plot.Y+y, plotGutter-1, text, role)
	}
	top, middle, bottom := p.height(high), p.height((low+high)/2), p.height(low)
	if p.measure == byBelow {
		top, bottom = bottom, top
	}
	put(0, top, theme.Dim)
	put(plot.H-1, bottom, theme.Dim)
	if plot.H >= tallAxis && middle != top && middle != bottom { // half an item is no number of items
		put(plot.H/2, middle, theme.Dim)
	}
	if plot.H < tallAxis { // the sentence above says it
		return
	}
	var values [2]float64
	var runs [2]bool
	var rows [2]int
	for s := range values {
		values[s], runs[s] = p.measured(f, experiment.Side(s))
		rows[s] = plot.H - 1 - min(plot.H-1, max(0, int(p.level(values[s], low, high)*float64(plot.H))))
	}
	if runs[0] && runs[1] && rows[0] == rows[1] {
		if alike(values[0], values[1]) {
			put(rows[0], widget.Fitting(plotGutter-1, "A B "+p.height(values[0]), "AB "+p.height(values[0])), theme.Strong)
			return
		}
		lower := 0
		if p.level(values[1], low, high) < p.level(values[0], low, high) {
			lower = 1
		}
		if rows[lower]++; rows[lower] == plot.H {
			rows[0], rows[1] = rows[0]-1, rows[1]-1
			rows[lower] = plot.H - 1
		}
	}
	for s := range values {
		if side := experiment.Side(s); runs[s] {
			put(rows[s], widget.Fitting(plotGutter-1, side.String()+" "+p.height(values[s]), p.height(values[s])), widget.SideRole(side))
		}
	}
}

// measured returns what is drawn of a side at the current budget, and false if that is not known.
func (p *View) measured(f *widget.Frame, s experiment.Side) (v float64, known bool) {
	t, now := &p.tracks[s], f.Exp.Setup().Budget.MaxTokens
	switch optimum, _ := f.Optimum(p.outs[s]); {
	case t.curve == nil || p.measure == byRecall && t.curve.recall == nil:
		return 0, false
	case p.measure != byBelow:
		return t.measured(p.measure, now)
	case optimum != nil && t.at(now).Runs:
		off := optimum.BelowBest(t.at(now).Value, t.at(now).Target)
		return off.Value, off.Set
	}
	return 0, false
}

// height writes a value of the measure on the axis: the value as a share of what the edited side
// has at the end of the axis, and how far below the best possible it is with its minus.
func (p *View) height(v float64) string {
	switch {
	case p.measure == byBelow && v == 0:
		return "best"
	case p.measure == byBelow:
		return theme.Minus + plain.Percent(v)
	}
	if c := p.tracks[p.side].curve; p.measure == byValue && c != nil && c.all.Value > 0 {
		return plain.Percent(v / c.all.Value)
	}
	return p.measure.text(v, 6)
}

// share marks, at the foot of the area, where the wanted share of the value begins to stay, if there
// is room beside the current budget.
func (p *View) share(f *widget.Frame, plot draw.Rect, here int) {
	c, wanted := p.tracks[p.side].curve, f.Exp.Setup().Wanted
	if p.measure != byValue || c == nil {
		return
	}
	enough := p.tracks[p.side].enough(wanted / 100)
	if !enough.ok || enough.stays < p.span.Lo || enough.stays > p.span.Hi {
		return
	}
	x, share, bar := p.cells.Column(enough.stays), widget.Share(wanted), string(f.Glyphs().Vertical)
	for _, text := range [...]string{share + " from " + f.BudgetText(enough.stays), share} {
		w := draw.Width(text) + 1
		for _, label := range [...]struct {
			at   int
			text string
		}{{x, bar + text}, {x + 1 - w, text + bar}} {
			if label.at >= 0 && label.at+w <= plot.W && (here < label.at || here >= label.at+w) {
				f.Text(plot.X+label.at, plot.Y+plot.H-1, w, label.text, theme.StripHere)
				return
			}
		}
	}
}
