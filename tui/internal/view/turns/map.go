package turns

import (
	"strings"

	tea "charm.land/bubbletea/v2"

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
		Label: "type the agent's plan:",
		Help:  "as clear:trigger=30k,keep=3,at-least=20k; or " + strings.Join(turns.PlanNames()[1:], ", "),
		Text:  p.rule().Name, Offered: true, Suggest: widget.SuggestWords(turns.PlanNames()...),
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

// drawMissing says why there is no map or no sweep to draw yet, and what is computed for it.
func (p *View) drawMissing(f *widget.Frame, r draw.Rect, err error, name, computed string) {
	text, role := f.Spin()+"computing "+computed+f.Glyphs().Ellipsis, theme.Warn
	switch {
	case err != nil:
		text, role = plain.Line("No "+name+": "+err.Error(), r.W-4), theme.Error
	case p.app.Turns().Stopped():
		text = p.computing(f)
	}
	f.Text(r.X+2, r.Y+1, r.W-4, text, role)
}

// toggleMap shows the map, or the requests again.
func (p *View) toggleMap() {
	if p.mapped, p.sweep = !p.mapped, false; p.mapped && p.row != plans.Rule {
		p.app.Say(p.called(p.row) + " has no map: this is the map of " + p.name(plans.Rule))
	}
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
	p.cell = -1
	return ""
}

// moveCell moves the cursor of the map. It returns why it cannot, or "".
func (p *View) moveCell(rows, columns int) string {
	axes, now := p.keys(), p.cursor()
	w, h := len(axes[1].Values), len(axes[0].Values)
	x, y := min(max(0, now%w+columns), w-1), min(max(0, now/w+rows), h-1)
	if p.cell = y*w + x; p.cell != now {
		return ""
	}
	return "the map ends here"
}

// cursor returns the pair under the cursor of the map: the cheapest that fits until the cursor is
// moved.
func (p *View) cursor() int {
	axes := p.keys()
	if p.cell >= 0 {
		return min(p.cell, len(axes[0].Values)*len(axes[1].Values)-1)
	}
	_, totals, _, _, _ := p.app.Turns().Map()
	return max(0, turns.CheapestThatFits(totals))
}

// takeCell makes the pair under the cursor the agent's plan.
func (p *View) takeCell() {
	all, _, _, _, _ := p.app.Turns().Map()
	if at := p.cursor(); at < len(all) {
		p.mapped = false
		p.app.Make(p.planned(all[at].Text()), nil)
	}
}
