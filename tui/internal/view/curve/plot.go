package curve

import (
	"math"
	"slices"

	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// line returns a measure of a side in each column, or nil and why it is not known.
func (p *View) line(f *widget.Frame, m measure, s experiment.Side, width int) (values []float64, why string) {
	t := &p.tracks[s]
	if t.curve == nil {
		return nil, t.waiting(f)
	}
	measure, unknown := m, m == byRecall && t.curve.recall == nil
	if unknown || measure == byBelow { // the falls are drawn all the same
		measure = byValue
	}
	scale := p.viewport.Scale(width)
	key := columnsKey{p.viewport, scale.Columns(), measure, nil}
	if t.key != key || t.columns.drawn == nil {
		t.columns, t.key = t.curve.columns(t.profile.Axis(), scale, measure), key
	}
	switch {
	case unknown:
		return nil, nothingNeeded
	case m == byBelow:
		return p.below(f, s, width)
	}
	return t.columns.drawn, ""
}

// heights returns the values at the bottom and the top of the plot. It begins at 0
// if the curves stay readable.
func (m measure) heights(lines [2][]float64) (low, high float64) {
	switch m {
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

// curves draws a measure of both sides over each other, the axis with what each gives at the current
// budget, and where the wanted share begins. It returns the legend, with the marks below the axis that no
// label explains.
func (p *View) curves(f *widget.Frame, m measure, plot draw.Rect, here int) []draw.Span {
	var lines, scaled [2][]float64
	var cut [2][]int // the columns with more than the top of the plot
	var why [2]string
	known := experiment.Side(-1)
	for _, s := range [...]experiment.Side{p.side.Other(), p.side} {
		if lines[s], why[s] = p.line(f, m, s, plot.W); lines[s] != nil {
			known = s
		}
	}
	low, high := m.heights(lines)
	for s, line := range lines {
		now, known := p.measured(f, m, experiment.Side(s))
		for x, v := range line {
			if x == here && known { // as the labels say
				v = now
			}
			if v > high {
				cut[s] = append(cut[s], x)
			}
			if v >= 0 {
				v = level(v, low, high)
			}
			scaled[s] = append(scaled[s], v) // what is not known is below 0
		}
	}
	p.axis(f, m, plot, low, high)
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
	area, front, name := scaled[p.side], widget.LookOf(p.side), p.side.String()
	same := slices.EqualFunc(scaled[0], scaled[1], func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	switch {
	case alone:
		area, front, name = scaled[known], widget.LookOf(known), known.String()
	case same:
		front.Area, front.Here, name = theme.Both, theme.StripHere, "A and B"
	}
	f.Area(plot, area, front.Area)
	legend := sample(string(full(f)), front.Area, name)
	switch {
	case alone || same:
	case m == byValue && !p.lower.Empty() && near(scaled, plot.H): // the chart below tells them
		legend = append(legend, sample(p.side.Other().String(), widget.SideRole(p.side.Other()), "too near "+name+" to draw")...)
	default:
		line, letter, values := widget.LookOf(p.side.Other()), f.Glyphs().Sizes[0], slices.Clone(scaled[p.side.Other()])
		name = p.side.Other().String()
		for _, x := range cut[p.side.Other()] {
			values[x] = -1
		}
		if f.Line(plot, values, area, line.Line, line.Over, letter) {
			name += ", else near " + p.side.String()
		}
		for _, x := range cut[p.side.Other()] { // arrows in place of a line that goes on above
			if x%4 == 0 {
				role := line.Line
				if area[x] >= 1 {
					role = line.Over
				}
				f.Set(plot.X+x, plot.Y, f.Glyphs().Better, role)
			}
		}
		legend = append(legend, sample(f.Dots(letter), line.Line, name)...)
	}
	f.Marker(plot, here, area, front.Here)
	switch most := max(slices.Max(lines[known]), slices.Max(append(lines[other], 0))); {
	case m == byValue:
		p.share(f, plot, here, area, front.Here)
	case m == byBelow && most <= 0:
		f.Text(plot.X+1, plot.Y, plot.W-1, "nothing: each column is the best possible", theme.Dim)
	case m == byBelow && most > high:
		legend = append(legend, draw.Span{Text: " cut off at " + p.height(byBelow, high) + " ", Role: theme.Dim})
	}
	if m != p.measure { // the chart above it has them
		return legend
	}
	return append(legend, p.fallLegend(f)...)
}

// near reports whether no two values of a column are a row of so many apart.
func near(lines [2][]float64, rows int) bool {
	for x, a := range lines[0] {
		if b := lines[1][x]; (a < 0) != (b < 0) || math.Abs(a-b)*float64(rows) >= 1 {
			return false
		}
	}
	return true
}

// full returns the glyph of a cell that an area fills.
func full(f *widget.Frame) rune {
	steps := []rune(f.Glyphs().Filled)
	return steps[len(steps)-1]
}

// level returns where a value stands between the bottom of the plot, 0, and its top, 1.
func level(v, low, high float64) float64 { return min(1, max(0, (v-low)/(high-low))) }

// minLabelsHeight is the least height, in cells, of an axis that has a label between its ends.
const minLabelsHeight = 7

// axis draws the vertical axis, and beside it what each side gives at the current budget, at its
// height.
func (p *View) axis(f *widget.Frame, m measure, plot draw.Rect, low, high float64) {
	f.Fill(draw.Rect{X: plot.X - 1, Y: plot.Y, W: 1, H: plot.H}, f.Glyphs().Vertical, theme.Frame)
	put := func(y int, text string, role theme.Role) {
		f.Fill(draw.Rect{X: plot.X - plotGutter, Y: plot.Y + y, W: plotGutter - 1, H: 1}, ' ', theme.Plain)
		f.Right(plot.X-plotGutter, plot.Y+y, plotGutter-1, text, role)
	}
	top, middle, bottom := p.height(m, high), p.height(m, (low+high)/2), p.height(m, low)
	put(0, top, theme.Dim)
	put(plot.H-1, bottom, theme.Dim)
	if plot.H >= minLabelsHeight && middle != top && middle != bottom { // half an item is no number of items
		put(plot.H/2, middle, theme.Dim)
	}
	if plot.H < minLabelsHeight { // the sentence above says it
		return
	}
	var values [2]float64
	var runs [2]bool
	var rows [2]int
	for s := range values {
		values[s], runs[s] = p.measured(f, m, experiment.Side(s))
		rows[s] = plot.H - 1 - min(plot.H-1, max(0, int(level(values[s], low, high)*float64(plot.H))))
		if m == byBelow && values[s] > high {
			rows[s] = 1 // below the number of the top
		}
	}
	if runs[0] && runs[1] && rows[0] == rows[1] {
		if alike(values[0], values[1]) {
			put(rows[0], widget.Fitting(plotGutter-1, "A B "+p.height(m, values[0]), "AB "+p.height(m, values[0])), theme.Strong)
			return
		}
		lower := 0
		if level(values[1], low, high) < level(values[0], low, high) {
			lower = 1
		}
		if rows[lower]++; rows[lower] == plot.H {
			rows[0], rows[1] = rows[0]-1, rows[1]-1
			rows[lower] = plot.H - 1
		}
	}
	for s := range values {
		side, up := experiment.Side(s), ""
		if m == byBelow && values[s] > high { // the top is another number
			up = string(f.Glyphs().Better)
		}
		if runs[s] {
			put(rows[s], widget.Fitting(plotGutter-1, side.String()+" "+p.height(m, values[s])+up, p.height(m, values[s])+up), widget.SideRole(side))
		}
	}
}

// measured returns what is drawn of a side at the current budget, and false if that is not known.
func (p *View) measured(f *widget.Frame, m measure, s experiment.Side) (v float64, known bool) {
	t, now := &p.tracks[s], f.Exp.Setup().Budget.MaxTokens
	switch optimum, _ := f.Optimum(p.outs[s]); {
	case t.curve == nil || m == byRecall && t.curve.recall == nil:
		return 0, false
	case m != byBelow:
		return t.measured(m, now)
	case optimum != nil && t.at(now).Runs:
		off := optimum.BelowBest(t.at(now).Value, t.at(now).Target)
		return off.Value, off.Set
	}
	return 0, false
}

// most returns the point with the most value that either side has at any budget: 100 % on the axis.
func (p *View) most() (most simulate.Point) {
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		if c := p.tracks[s].curve; c != nil && c.most.Value > most.Value && !alike(c.most.Value, most.Value) {
			most = c.most
		}
	}
	return most
}

// reaches reports whether a side has as much at some budget as either has.
func (p *View) reaches(s experiment.Side) bool {
	c := p.tracks[s].curve
	return c == nil || alike(c.most.Value, p.most().Value)
}

// wanted names the wanted share of the value that each side has at the end of the axis: its own, where
// these differ, else what of.
func (p *View) wanted(setup experiment.Setup, of string) string {
	if p.reaches(experiment.A) && p.reaches(experiment.B) {
		return widget.Share(setup.Wanted) + of
	}
	return widget.Share(setup.Wanted) + " of own"
}

// height writes a value of a measure on the axis: the value as a share of the most.
func (p *View) height(m measure, v float64) string {
	if m == byBelow && v == 0 {
		return "best"
	}
	if most := p.most().Value; m == byValue && most > 0 {
		return plain.Percent(v / most)
	}
	return m.text(v, 6)
}

// share marks, at the foot of the area, where the wanted share of the value begins to stay, if there
// is room beside the current budget.
func (p *View) share(f *widget.Frame, plot draw.Rect, here int, area []float64, over theme.Role) {
	c, wanted := p.tracks[p.side].curve, f.Exp.Setup().Wanted
	if c == nil {
		return
	}
	enough := p.tracks[p.side].enough(wanted / 100)
	if !enough.ok || enough.stays < p.viewport.Lo || enough.stays > p.viewport.Hi {
		return
	}
	x, share, bar := p.cells.Column(enough.stays), p.wanted(f.Exp.Setup(), ""), string(f.Glyphs().Vertical)
	for _, text := range [...]string{share + " from " + f.BudgetText(enough.stays), share} {
		w := draw.Width(text) + 1
		for _, label := range [...]struct {
			at   int
			text string
		}{{x, bar + text}, {x + 1 - w, text + bar}} {
			if label.at >= 0 && label.at+w <= plot.W && (here < label.at || here >= label.at+w) {
				role := theme.StripHere
				if area[label.at]*float64(plot.H) >= 1 {
					role = over
				}
				f.Text(plot.X+label.at, plot.Y+plot.H-1, w, label.text, role)
				return
			}
		}
	}
}
