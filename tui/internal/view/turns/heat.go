package turns

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// heat is the map of the agent's plan on the screen: a cell for each pair of values of two of its
// keys, on a ground that says how much less or more it costs than the policy that is edited.
type heat struct {
	axes     [2]turns.Axis
	of       string        // the policy that all costs are compared with
	now      *turns.Course // of that
	plans    []turns.Plan
	totals   []turns.Totals
	best, at int // the cheapest that fits, -1: none; the pair under the cursor
	unbeaten []int
	pairGrid
	columns, rows  int // how many values are shown
	gutter         int // cells of the names of the values down the side
	means, spaces  int // lines with the meaning of the keys, and blank ones around the pairs
	legend, telled int // lines with the meaning of colours and marks, and about the pair under the cursor
}

// narrowPair and widePair are the least and the largest width, in cells, of a pair, with the gap to
// the next one. highPair is its largest height.
const narrowPair, widePair, highPair = 8, 32, 4

// layOut divides r among the parts: all pairs are shown first, then all is said of the pair under the
// cursor, and the pairs get what is left.
func (m *heat) layOut(r draw.Rect) {
	w, h := len(m.axes[1].Values), len(m.axes[0].Values)
	m.each = w
	m.gutter = max(len(m.axes[0].Key), 6) + 2
	m.wide = min(widePair, max(narrowPair, (r.W-m.gutter-2)/w))
	m.columns = min(w, max(1, (r.W-m.gutter-2)/m.wide))
	left := r.H - 2 // for the answer, and the values along the top
	upTo := func(n int) int {
		took := max(0, min(n, left))
		left -= took
		return took
	}
	m.telled = upTo(1)
	m.rows = max(1, upTo(h-2))
	m.legend = upTo(1)
	m.rows += upTo(h - m.rows)
	m.telled += upTo(3)
	m.means = upTo(1)
	m.spaces = upTo(1)
	m.tall = 1
	for m.tall < highPair && left >= m.rows {
		m.tall++
		left -= m.rows
	}
	m.spaces += upTo(1)
	m.left, m.top = widget.Scroll(0, m.at%w, m.columns, w), widget.Scroll(0, m.at/w, m.rows, h)
}

// pairGrid is where the pairs of the map are on the screen.
type pairGrid struct {
	on              draw.Rect
	wide, tall      int // cells of a pair
	left, top, each int // the first values that are shown, and how many values each row has in all
}

// at returns the pair at a cell of the screen; false outside the map.
func (g pairGrid) at(x, y int) (pair int, on bool) {
	if !g.on.Contains(x, y) {
		return 0, false
	}
	return (g.top+(y-g.on.Y)/g.tall)*g.each + g.left + (x-g.on.X)/g.wide, true
}

// drawMap draws what the agent's plan costs at each pair of values of two of its keys.
func (p *View) drawMap(f *widget.Frame, r draw.Rect) {
	all, totals, now, old, err := p.app.Turns().Map()
	axes := p.keys()
	w, h := len(axes[1].Values), len(axes[0].Values)
	if err != nil || len(totals) != w*h {
		p.drawMissing(f, r, err, "map", "the map")
		return
	}
	m := heat{axes: axes, of: p.comparedWith(now), now: now, plans: all, totals: totals, best: turns.CheapestThatFits(totals), at: p.cursor(), unbeaten: turns.Unbeaten(totals)}
	m.layOut(r)
	f.Text(r.X+1, r.Y, r.W-2, m.sayBest(r.W-2), theme.Strong)
	y := r.Y + 1
	if m.spaces > 1 {
		y++
	}
	x := r.X + 1 + m.gutter
	if m.means > 0 {
		f.Text(x, y, r.W-2-m.gutter, widget.Fitting(r.W-2-m.gutter, "across: "+keyMeans[axes[1].Key]+"   down: "+keyMeans[axes[0].Key], "across: "+keyMeans[axes[1].Key], ""), theme.Dim)
		y++
	}
	m.draw(f, x, y)
	m.on = draw.Rect{X: x, Y: y + 1, W: m.columns * m.wide, H: m.rows * m.tall}
	p.pairs = m.pairGrid
	y += 1 + m.rows*m.tall
	if m.spaces > 0 {
		y++
	}
	if m.legend > 0 {
		p.heatLegend(f, draw.Rect{X: r.X + 1, Y: y, W: r.W - 2, H: 1}, &m)
		y++
	}
	f.Lines(draw.Rect{X: r.X + 1, Y: y, W: r.W - 2, H: m.telled}, p.aboutPair(f, &m, r.W-2, m.telled))
	if old {
		f.Mark(r, theme.Old)
	}
}

// keyMeans says what the keys of a rule are.
var keyMeans = map[string]string{
	"trigger":     "trigger, the tokens of a window above which it acts",
	"at-least":    "at-least, the tokens it must free to act",
	"keep":        "keep, how many of the newest stay",
	"keep-tokens": "keep-tokens, the newest tokens that stay",
	"note":        "note, the tokens left in place of a result",
	"summary":     "summary, the tokens of a summary",
}

// draw draws the values of both keys and the pairs. The first pair is below and to the right of x, y.
func (m *heat) draw(f *widget.Frame, x, y int) {
	w := len(m.axes[1].Values)
	f.Right(x-m.gutter, y, m.gutter-2, m.axes[0].Key, theme.Dim)
	for c := range m.columns {
		text := model.Tokens(m.axes[1].Values[m.left+c]).Short()
		named := m.axes[1].Key + " " + text
		if c == 0 {
			text = widget.Fitting(m.wide-1, named, text)
		}
		f.Text(x+c*m.wide+max(0, m.wide-1-draw.Width(text))/2, y, m.wide-1, text, theme.Dim)
	}
	y++
	for row := range m.rows {
		f.Right(x-m.gutter, y, m.gutter-2, model.Tokens(m.axes[0].Values[m.top+row]).Short(), theme.Dim)
		for c := range m.columns {
			k := (m.top+row)*w + m.left + c
			cell := draw.Rect{X: x + c*m.wide, Y: y, W: m.wide - 1, H: max(1, m.tall-1)}
			m.drawPair(f, cell, k)
			if k == m.at && f.Theme().Shades() {
				f.Fill(draw.Rect{X: cell.X - 1, Y: y, W: 1, H: cell.H}, '▐', theme.StripHere)
				f.Fill(draw.Rect{X: cell.X + cell.W, Y: y, W: 1, H: cell.H}, '▌', theme.StripHere)
			}
		}
		y += m.tall
	}
}

// drawPair draws the cost of a pair with its mark, on a ground of a colour where there are enough. Of a
// pair whose windows do not fit it draws a point, whatever it would cost. Where no pair has a ground the pair
// under the cursor has.
func (m *heat) drawPair(f *widget.Frame, r draw.Rect, k int) {
	ratio, ok := relative(m.totals[k], m.now)
	text, mark := "-", ""
	if ok {
		text = signed(ratio)
	}
	switch {
	case m.best >= 0 && unfit(m.totals[k]) == nil && m.totals[k].Cost == m.totals[m.best].Cost:
		mark = "*"
	case slices.Contains(m.unbeaten, k):
		mark = "#"
	}
	ground, role := theme.Plain, theme.Plain
	switch step := heatStep(ratio); {
	case unfit(m.totals[k]) != nil:
		text, role = string(f.Glyphs().Strip[0]), theme.Dim
	case !ok:
		role = theme.Dim
	case step == 0:
	case f.Theme().Shades():
		ground = heatRole(step)
		role = ground
	default:
		role = costRole(ratio)
	}
	if k == m.at && !f.Theme().Shades() {
		ground, role = theme.Match, theme.Match
	}
	f.Fill(r, ' ', ground)
	text = widget.Fitting(r.W-4, strings.TrimRight(text+" "+mark, " "), text+mark)
	f.Text(r.X+max(0, r.W-draw.Width(text))/2, r.Y+(r.H-1)/2, r.W, text, role)
}

// heatStep returns how far a ratio of two costs is from 1: 0 if it is 1, 1 if the difference is below 10 %, 2
// if it is below 30 %, else 3. The step is negative if the ratio is below 1.
func heatStep(ratio float64) int {
	step := 3
	switch by := math.Round(1000*math.Abs(ratio-1)) / 10; { // as it is written
	case ratio == 1:
		step = 0
	case by < 10:
		step = 1
	case by < 30:
		step = 2
	}
	if ratio < 1 {
		return -step
	}
	return step
}

// heatRole returns the role of a step that is not 0.
func heatRole(step int) theme.Role {
	if step < 0 {
		return theme.HeatLess1 + theme.Role(-step-1)
	}
	return theme.HeatMore1 + theme.Role(step-1)
}

// heatLegend says what the grounds and the marks of the pairs mean, or which part of the map is shown.
func (p *View) heatLegend(f *widget.Frame, r draw.Rect, m *heat) {
	if part := m.sayPart(); part != "" {
		f.Text(r.X, r.Y, r.W, part, theme.Dim)
		return
	}
	var scale []draw.Span
	for _, step := range [...]struct {
		of   int
		text string
	}{{-3, theme.Minus + "30 %"}, {-2, theme.Minus + "10 %"}, {-1, "less"}, {1, "more"}, {2, "+10 %"}, {3, "+30 %"}} {
		scale = append(scale, draw.Span{Text: " " + step.text + " ", Role: heatRole(step.of)})
	}
	say := func(text string) draw.Span { return draw.Span{Text: text, Role: theme.Dim} }
	none := string(f.Glyphs().Strip[0]) + " does not fit"
	marks, brief := "   "+none+"   * cheapest that fits", "  "+none+"  * cheapest"
	if len(m.unbeaten) > 0 {
		marks, brief = marks+"   # nothing beats it on cost and recall", brief+"  # best of cost and recall"
	}
	forms := [][]draw.Span{slices.Concat(scale, []draw.Span{say(" than " + m.of + marks)}), append(slices.Clone(scale), say(marks)), append(slices.Clone(scale), say(brief)),
		{say(strings.TrimSpace(marks))}, {say(strings.TrimSpace(brief))}}
	if !f.Theme().Shades() { // the pairs have no grounds
		forms = forms[3:]
	}
	f.Spans(r.X, r.Y, r.W, draw.FirstThatFits(r.W, forms...)...)
}

// sayPart returns which values of the two keys are on the screen; "" if all are.
func (m *heat) sayPart() string {
	var parts []string
	for k, shown := range [...][2]int{{m.top, m.rows}, {m.left, m.columns}} {
		if n := len(m.axes[k].Values); shown[1] < n {
			parts = append(parts, fmt.Sprintf("%s %d to %d of %d", m.axes[k].Key, shown[0]+1, shown[0]+shown[1], n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "values shown: " + strings.Join(parts, ", ")
}

// aboutPair returns what the pair under the cursor costs, why, and what enter does, in so many
// lines.
func (p *View) aboutPair(f *widget.Frame, m *heat, width, lines int) (about [][]draw.Span) {
	t, plan := m.totals[m.at], m.plans[m.at]
	head := draw.Span{Text: "Cursor: " + sayPair(m.axes, m.at), Role: theme.Strong}
	recall := widget.Plain(sayRecall(t))
	ratio, ok := relative(t, m.now)
	no := unfit(t)
	switch {
	case no != nil && lines == 1:
		about = append(about, []draw.Span{head, {Text: ": " + no[1], Role: theme.Warn}})
	case !ok:
		about = append(about, []draw.Span{head, {Text: ": no cost", Role: theme.Dim}})
	default:
		costs, tone := ": costs ", costRole(ratio)
		if no != nil {
			costs, tone = ": would cost ", theme.Plain
		}
		against := draw.Span{Text: plain.Compared(ratio, m.of), Role: tone}
		about = append(about, draw.FirstThatFits(width,
			[]draw.Span{head, widget.Plain(costs + p.withUnit(t.Cost) + ", "), against, recall},
			[]draw.Span{head, widget.Plain(": "), against, recall}, []draw.Span{head, widget.Plain(": "), {Text: plain.Compared(ratio, ""), Role: tone}, recall}))
	}
	if no != nil {
		about = append(about, []draw.Span{{Text: widget.Fitting(width, no[0]+" in "+plain.Thousands(int(windowLimit(p.app.Experiment().Setup().Budget)))+" tokens: it cannot be used at this budget.", no[0]+"."), Role: theme.Warn}})
	} else {
		about = append(about, []draw.Span{widget.Plain(sentence(widget.Fitting(width-1, p.because(t)...)))})
	}
	does, role := sentence(howRule(plan)), theme.Plain
	if above := turns.SayAbove(m.axes, p.app.Turns().Billing().Fixed.Tokens); above != "" {
		does, role = above, theme.Warn
	}
	const takes = "enter makes it the agent's plan"
	about = append(about, []draw.Span{{Text: draw.FitWords(does, width, f.Glyphs()), Role: role}}, []draw.Span{{Text: widget.Fitting(width, takes+": "+plan.Text(), takes+"."), Role: theme.Dim}})
	if lines < len(about) && lines > 1 { // what enter does is said before what the plan does
		about[2], about[3] = about[3], about[2]
	}
	return about[:min(lines, len(about))]
}

// signed writes a ratio as a difference with its sign, as plain.Compared rounds it: "+8.5 %", "0 %".
func signed(ratio float64) string {
	text := strings.Fields(plain.Compared(ratio, ""))
	switch {
	case ratio > 1:
		return "+" + text[0] + " %"
	case ratio < 1:
		return theme.Minus + text[0] + " %"
	}
	return "0 %"
}

// sayPair returns the values of a pair.
func sayPair(axes [2]turns.Axis, k int) string {
	n := len(axes[1].Values)
	return fmt.Sprintf("%s %s, %s %s", axes[0].Key, model.Tokens(axes[0].Values[k/n]).Short(), axes[1].Key, model.Tokens(axes[1].Values[k%n]).Short())
}

// sayRecall returns how much of what is needed the requests have; "" where nothing is labelled.
func sayRecall(t turns.Totals) string {
	recall, ok := t.Recall()
	if !ok {
		return ""
	}
	return ", recall " + plain.Percent(recall)
}

// sayBest returns the sentence that names the cheapest pair that fits, and first of all that it is no
// cheaper than the policy that is edited where it is not, in at most w columns where that can be.
func (m *heat) sayBest(w int) string {
	if m.best < 0 {
		return widget.Fitting(w, "No pair fits at every request.", "None always fits.")
	}
	fit := 0
	for _, t := range m.totals {
		if t.Over+t.Failed == 0 {
			fit++
		}
	}
	of := plain.Thousands(fit) + " of " + plain.Thousands(len(m.totals)) + " pairs"
	recall := sayRecall(m.totals[m.best]) + "."
	ratio, ok := relative(m.totals[m.best], m.now)
	pair := sayPair(m.axes, m.best)
	if ok && ratio >= 1 {
		none, more := "No pair that fits beats "+m.of, plain.Compared(ratio, "")
		nearest := none + "; the nearest, " + pair + ", costs " + more + recall
		return widget.Fitting(w, nearest+" "+strings.TrimSuffix(of, " pairs")+" fit; a: another plan.", nearest+" a: another plan.", nearest, none+"; nearest: "+pair+", "+more+recall, none+"; the nearest costs "+more+".", "None that fits beats "+m.of+"; nearest: "+more+".")
	}
	against := pair
	if ok {
		against, pair = pair+": "+plain.Compared(ratio, m.of), pair+": "+plain.Compared(ratio, "")
	}
	return widget.Fitting(w, of+" always fit. The cheapest: "+against+recall, of+" fit. Cheapest: "+pair+recall, "Cheapest that fits: "+pair+recall, "Cheapest: "+pair+".")
}
