package compare

import (
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
)

func New(app screen.App) *View { return &View{app: app} }

func (p *View) Reset() { *p = *New(p.app) }

func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Compare, Text: "A vs B, side by side",
		Words: "difference vs versus better which policy gap", Best: true, Both: true,
		Actions: p.actions(), Hinted: []string{"compare.differences", "compare.try", "compare.recorded", "policy.swap", "budget.next", "budget.back", "export"},
		Worker: &p.why, Filter: p.Filter, Enter: p.Enter, DropStale: p.DropStale,
	}
}

func (p *View) actions() []screen.Action {
	return []screen.Action{
		{Name: "compare.differences", Keys: []string{"d"}, Text: "in Compare: only the differences, or all", Hint: "differences only", Why: p.nothingToHide, Run: screen.Do(p.toggle),
			HintNow: func() string {
				if p.onlyDifferent {
					return "all items"
				}
				return ""
			}},
		{Name: "compare.try", Keys: []string{"M"}, Text: "in Compare: remove the cause that makes one side worth less", Hint: "try it", Words: "try fix", Plan: p.try},
		{Name: "compare.recorded", Keys: []string{"R"}, Text: "in Compare: what the source recorded instead of B, or policy B", Hint: "recorded or B", Why: p.nothingRecorded, Run: screen.Do(func() { p.recorded.off = !p.recorded.off })},
	}
}

// nothingToHide returns why there are no items to choose from.
func (p *View) nothingToHide() string {
	if p.app.Experiment().State(p.side) == experiment.Failed {
		return nothingToCompare
	}
	return ""
}

// toggle switches between all items and the different ones.
func (p *View) toggle() {
	p.onlyDifferent = !p.onlyDifferent
	if p.onlyDifferent {
		p.app.Say("only the differences are shown; d shows all")
	} else {
		p.app.Say("all items are shown; d shows only the differences")
	}
}
