package turns

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// askPlan asks for the plan of the agent.
func (p *View) askPlan() tea.Cmd {
	return p.app.Ask(screen.Question{
		Label: "the agent's plan:",
		Help:  "as clear:trigger=30k,keep=3,at-least=20k; or " + strings.Join(turns.PlanNames()[1:], ", "),
		Text:  p.rule().Name,
		Plan: func(text string) (screen.Change, error) {
			plan, err := turns.ParsePlan(text)
			return p.planned(plan.Name), err
		},
	})
}

// planned returns the change that makes a text the plan of the agent.
func (p *View) planned(text string) screen.Change {
	next := p.app.Experiment().Setup()
	label := experiment.Label{Name: "agent's plan", From: p.app.Turns().PlanName(next), To: text}
	next.Plan = text
	return screen.To(next, label)
}

// toggleMap shows the map, or the requests again.
func (p *View) toggleMap() {
	p.mapped, p.sweep = !p.mapped, false
	p.row = plans.Rule
}

// inMap returns a hint for the map, "" outside it.
func (p *View) inMap(hint string) func() string {
	return func() string {
		if p.mapped {
			return hint
		}
		return ""
	}
}

// inSweep returns the hint of the key that leaves the sweep, "" outside it.
func (p *View) inSweep() string {
	if p.sweep {
		return "requests"
	}
	return ""
}

// moves returns what h and l go along where that is no request.
func (p *View) moves() string {
	if p.sweep {
		return "cut"
	}
	return p.inMap("cell")()
}

// keys returns the axes of the map.
func (p *View) keys() [2]turns.Axis {
	strategy, fixed, at := p.rule().Strategy, p.app.Turns().Billing().Fixed.Tokens, p.axes
	all := turns.Axes(strategy)
	if at[0] == at[1] || max(at[0], at[1]) >= len(all) {
		at = [2]int{0, 1}
	}
	return [2]turns.Axis{all[at[0]].Above(strategy, fixed), all[at[1]].Above(strategy, fixed)}
}

// nextAxis tries the next key on an axis of the map. It returns why it cannot, or "".
func (p *View) nextAxis(axis int) string {
	if !p.mapped {
		return "d shows the map of the agent's plan"
	}
	if p.axes[0] == p.axes[1] {
		p.axes = [2]int{0, 1}
	}
	n := len(turns.Axes(p.rule().Strategy))
	for ok := true; ok; ok = p.axes[0] == p.axes[1] {
		p.axes[axis] = (p.axes[axis] + 1) % n
	}
	p.cell = 0
	return ""
}

// moveCell moves the cursor of the map. It returns why it cannot, or "".
func (p *View) moveCell(rows, columns int) string {
	axes := p.keys()
	w, h := len(axes[1].Values), len(axes[0].Values)
	x, y := min(max(0, p.cell%w+columns), w-1), min(max(0, p.cell/w+rows), h-1)
	if at := y*w + x; at != p.cell {
		p.cell = at
		return ""
	}
	return "the map ends here"
}

// takeCell makes the pair under the cursor the agent's plan.
func (p *View) takeCell() {
	all, _, _, _ := p.app.Turns().Map()
	if p.cell < len(all) {
		p.mapped = false
		p.app.Make(p.planned(all[p.cell].Text()), nil)
	}
}

// mapCell and wideMapCell are the least and the largest width, in cells, of a number of the map.
const mapCell, wideMapCell = 8, 12

// drawMap draws what the agent's plan costs at each pair of values of two of its keys.
func (p *View) drawMap(f *widget.Frame, r draw.Rect) {
	all, totals, old, err := p.app.Turns().Map()
	axes := p.keys()
	w, h := len(axes[1].Values), len(axes[0].Values)
	switch {
	case err != nil && !old:
		f.Text(r.X+2, r.Y+1, r.W-4, plain.Line("No map: "+err.Error(), r.W-4), theme.Error)
		return
	case len(totals) != w*h && p.app.Turns().Stopped():
		f.Text(r.X+2, r.Y+1, r.W-4, p.computing(f), theme.Warn)
		return
	case len(totals) != w*h:
		f.Text(r.X+2, r.Y+1, r.W-4, f.Spin()+"computing the map"+f.Glyphs().Ellipsis, theme.Warn)
		return
	}
	p.cell = min(p.cell, w*h-1)
	best, unbeaten := turns.CheapestThatFits(totals), turns.Unbeaten(totals)
	f.Text(r.X+1, r.Y, r.W-2, sayBest(axes, totals, best, r.W-2), theme.Strong)
	label := max(len(axes[0].Key), 7)
	x0 := r.X + 1 + label + 2 + len(axes[1].Key)
	cell := min(wideMapCell, max(mapCell, (r.X+r.W-1-x0)/w))
	columns := min(w, max(1, (r.X+r.W-1-x0)/cell))
	rows := min(h, max(1, r.H-4))
	left, top := widget.Scroll(0, p.cell%w, columns, w), widget.Scroll(0, p.cell/w, rows, h)
	y := r.Y + 1
	if r.H > rows+5 {
		y++
	}
	f.Text(r.X+1, y, label, axes[0].Key, theme.Dim)
	f.Text(r.X+1+label+2, y, len(axes[1].Key), axes[1].Key, theme.Dim)
	for c := range columns {
		f.Right(x0+c*cell, y, cell, model.Tokens(axes[1].Values[left+c]).Short(), theme.Dim)
	}
	for row := range rows {
		y++
		f.Right(r.X+1, y, label, model.Tokens(axes[0].Values[top+row]).Short(), theme.Dim)
		for c := range columns {
			k := (top+row)*w + left + c
			drawPair(f, x0+(c+1)*cell, y, totals[k], k == best, slices.Contains(unbeaten, k))
			if k == p.cell {
				f.Mark(draw.Rect{X: x0 + c*cell + 1, Y: y, W: cell - 1, H: 1}, theme.Selected)
			}
		}
	}
	part := sayPart(top, rows, h, axes[0].Key, left, columns, w, axes[1].Key)
	part = cmp.Or(part, turns.SayAbove(axes, p.app.Turns().Billing().Fixed.Tokens))
	drawMapLegend(f, draw.Rect{X: r.X + 1, Y: y + 1, W: r.W - 2, H: r.Y + r.H - y - 1}, part, len(unbeaten) > 0)
	last, cursor := r.Y+r.H-1, "cursor: "+sayPair(axes, p.cell, totals[p.cell])+sayRecall(totals[p.cell])
	f.Text(r.X+1, min(last, y+3), r.W-2, widget.Fitting(r.W-2, cursor+"   enter takes "+all[p.cell].Text(), cursor+"   enter takes it", cursor), theme.Plain)
	if old {
		f.Mark(r, theme.Old)
	}
}

// drawMapLegend draws, in the first two lines of r, which part of the map is shown or what else
// holds of it, and what its marks mean.
func drawMapLegend(f *widget.Frame, r draw.Rect, part string, unbeaten bool) {
	if part != "" && r.H > 1 {
		f.Text(r.X, r.Y, r.W, part, theme.Dim)
	}
	if r.H < 3 {
		return
	}
	forms := []string{"percent more (+) or less (" + theme.Minus + ") than sending everything   ! a window does not fit   * the cheapest that fits",
		"+ more, " + theme.Minus + " less than sending everything   ! does not fit   * cheapest", "! does not fit   * cheapest"}
	if unbeaten {
		forms = []string{forms[1] + "   # nothing beats it on cost and recall", forms[2] + "   # best of cost and recall", forms[2]}
	}
	f.Text(r.X, r.Y+1, r.W, widget.Fitting(r.W, forms...), theme.Dim)
}

// sayPart says which values of the two keys are on the screen; "" if all are.
func sayPart(top, rows, h int, first string, left, columns, w int, second string) string {
	var parts []string
	if rows < h {
		parts = append(parts, fmt.Sprintf("%s %d to %d of %d", first, top+1, top+rows, h))
	}
	if columns < w {
		parts = append(parts, fmt.Sprintf("%s %d to %d of %d", second, left+1, left+columns, w))
	}
	if len(parts) == 0 {
		return ""
	}
	return "values shown: " + strings.Join(parts, ", ")
}

// drawPair draws the cost of a pair, with its mark, up to column x, without a colour if its
// windows do not fit. unbeaten says that no other pair is better in both cost and recall.
func drawPair(f *widget.Frame, x, y int, t turns.Totals, best, unbeaten bool) {
	ratio, ok := t.CostRatio()
	if !ok {
		f.Right(x-mapCell, y, mapCell-1, "-", theme.Dim)
		return
	}
	role := costRole(ratio)
	if t.Over+t.Failed > 0 {
		role = theme.Dim
	}
	f.Right(x-mapCell, y, mapCell-1, signed(ratio), role)
	switch {
	case best:
		f.Text(x-1, y, 1, "*", theme.Strong)
	case unbeaten:
		f.Text(x-1, y, 1, "#", theme.Strong)
	case t.Over+t.Failed > 0:
		f.Text(x-1, y, 1, "!", theme.Warn)
	}
}

// signed writes a ratio as a difference in whole percents with its sign: "+8 %", "0 %".
func signed(ratio float64) string {
	if by := widget.SignedDecimal(100*(ratio-1), 0); by != "+0" {
		return by + " %"
	}
	return "0 %"
}

// sayPair returns the values of a pair and what it costs.
func sayPair(axes [2]turns.Axis, k int, t turns.Totals) string {
	n := len(axes[1].Values)
	s := fmt.Sprintf("%s %s, %s %s", axes[0].Key, model.Tokens(axes[0].Values[k/n]).Short(), axes[1].Key, model.Tokens(axes[1].Values[k%n]).Short())
	if ratio, ok := t.CostRatio(); ok {
		s += ": " + moreOrLess(ratio)
	}
	return s
}

// sayRecall says how much of what is needed the requests have; "" where nothing is labelled.
func sayRecall(t turns.Totals) string {
	recall, ok := t.Recall()
	if !ok {
		return ""
	}
	return ", recall " + plain.Percent(recall)
}

// sayBest returns the sentence that names the cheapest pair, in at most w columns where
// that can be.
func sayBest(axes [2]turns.Axis, totals []turns.Totals, best, w int) string {
	if best < 0 {
		return widget.Fitting(w, "No pair fits at every request.", "None always fits.")
	}
	pair, recall := sayPair(axes, best, totals[best]), sayRecall(totals[best])
	ratio, _ := totals[best].CostRatio()
	everything := than(ratio) + "sending everything"
	forms := []string{"The cheapest that always fits: " + pair + everything + recall + ".", "Cheapest that fits: " + pair + everything + recall + ".", pair + everything + ".", pair}
	if n := len(axes[1].Values); axes[1].Values[best%n] != 0 && axes[1].Values[0] == 0 {
		if without, ok := totals[best-best%n].CostRatio(); ok {
			forms = append([]string{forms[0] + " With " + axes[1].Key + " 0: " + moreOrLess(without) + "."}, forms...)
		}
	}
	return widget.Fitting(w, forms...)
}
