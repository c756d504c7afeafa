package trace

import (
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/screen"
)

// New returns the view. It calls app for what the program does.
func New(app screen.App) *View { return &View{app: app} }

// Reset forgets everything that belongs to the previous session.
func (p *View) Reset() { *p = *New(p.app) }

// Spec returns the name of the view and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: "Trace", Text: "where the tokens go and where the items go: the room, the steps, the kinds",
		Words: "pipeline stages room arithmetic why", Whole: true, Bare: true, Dense: true,
		Actions: p.actions(), Hinted: []string{"trace.open", "move.down", "budget.next", "budget.back", "knob.up", "policy.slicer", "policy.edit"},
	}
}

// actions returns the keys of the view.
func (p *View) actions() []screen.Action {
	return []screen.Action{
		{Name: "trace.open", Keys: []string{"enter"}, Text: "in Trace: to the items behind a number, or the knob that changes it",
			HintNow: p.hint, Why: p.opensNothing, Run: screen.Do(p.follow)},
	}
}

// follow goes where the row leads: to the items behind a number, or to the knob
// that changes it.
func (p *View) follow() {
	lead := p.Lead()
	if lead.Filter == "" {
		p.app.ToKnob(lead.Knob)
		return
	}
	q, err := query.Parse(lead.Filter)
	if err != nil {
		p.app.Refuse(err.Error())
		return
	}
	p.app.SetList(q)
	p.app.Show(screen.Items)
	p.app.Say("the items behind it; esc shows all, 6 goes back")
}

// opensNothing returns why the row opens nothing.
func (p *View) opensNothing() string {
	switch lead := p.Lead(); {
	case lead.Filter == "" && lead.Knob == "":
		return "nothing to open here"
	case lead.Knob != "" && !p.app.HasKnob(lead.Knob):
		return "no knob changes that"
	}
	return ""
}
