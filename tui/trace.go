package tui

import (
	"cupelscope/simulate/query"
	"cupelscope/tui/screen"
	"cupelscope/tui/view/trace"
)

type traceView struct {
	*trace.View
	app screen.App
}

func newTrace(app screen.App) screen.View { return traceView{new(trace.View), app} }

func (v traceView) Spec() screen.Spec {
	return screen.Spec{Name: "Trace", Text: "the room as a calculation, stages, reasons, quotas", Bare: true}
}

func (v traceView) Reset() { *v.View = trace.View{} }

func (v traceView) Actions() []screen.Action {
	return []screen.Action{
		{Binding: screen.Bind("", "in Trace: to the items behind a number, or the knob that changes it", "enter"), Hint: "look into",
			Why: v.leadsNowhere, Run: screen.Do(v.follow)},
	}
}

// follow goes where the row leads: to the items behind a number, or to the knob
// that changes it.
func (v traceView) follow() {
	lead := v.Lead()
	if lead.Filter == "" {
		v.app.ToKnob(lead.Knob)
		return
	}
	q, err := query.Parse(lead.Filter)
	if err != nil {
		v.app.Say(err.Error())
		return
	}
	v.app.SetFilter(q)
	v.app.Show(screen.Items)
	v.app.Say("the items behind it; esc clears the filter, 6 goes back")
}

// leadsNowhere says why there is nothing to follow.
func (v traceView) leadsNowhere() string {
	switch lead := v.Lead(); {
	case lead.Filter == "" && lead.Knob == "":
		return "this row leads nowhere"
	case lead.Knob != "" && !v.app.HasKnob(lead.Knob):
		return "no knob changes that"
	}
	return ""
}
