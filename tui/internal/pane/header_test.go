package pane

import (
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget/widgettest"
)

func TestPartsAreTheWholeBudget(t *testing.T) {
	f := widgettest.Frame(t, 60, false)
	rng := rand.New(rand.NewPCG(67, 68))
	ran, over := 0, 0
	for range 300 {
		maximum := model.Tokens(rng.IntN(8000))
		s := f.Exp.Setup().WithBudget(model.Budget{}).WithMax(maximum)
		s = s.WithTarget(maximum - model.Tokens(rng.Int64N(int64(maximum)+1))/3)
		s.Budget.OutputReserve = model.Tokens(rng.Int64N(int64(maximum)+1)) / 2
		s.Budget.SafetyMargin = float64(rng.IntN(5)) * 10
		s = s.WithSlot(model.Memory, model.Tokens(rng.IntN(2000)))
		s.Slack = 0
		p := s.Policy[experiment.A].Clone()
		p.CountQuotas = nil
		if rng.IntN(2) == 0 { // what they require is in, whatever the room is
			p.CountQuotas = []model.CountQuota{{Kind: model.Message, Require: 1 + rng.IntN(3), Cap: 9}}
		}
		s = s.WithPolicy(experiment.A, p)
		musttest.Do(t, f.Exp.Apply(s, experiment.Label{Name: "edit"}, ""))
		widgettest.Compute(t, f)
		if state, _ := f.Exp.State(experiment.A); state != experiment.Current {
			continue
		}
		ran++
		rep := f.Out.Report
		if rep.SlicedTokens > rep.Effective.Target {
			over++
		}
		var sum model.Tokens
		byShort := map[string]model.Tokens{}
		for _, p := range Parts(f.Glyphs(), rep) {
			if p.Tokens < 0 {
				t.Fatalf("part %s is %v", p.Label, p.Tokens)
			}
			sum += p.Tokens
			byShort[p.Short] = p.Tokens
		}
		if sum != rep.Budget.MaxTokens() {
			t.Fatalf("the parts add up to %v of %v: %v", sum, rep.Budget.MaxTokens(), byShort)
		}
		above := rep.Budget.MaxTokens() - rep.Effective.Margin - rep.Effective.Target
		for _, d := range rep.Budget.Fields().Deductions(rep.PinnedTokens) { // a field without a part of its own would look like this one
			above -= d.Tokens
		}
		if rep.Kept <= rep.Budget.TargetTokens() && byShort["above"] != max(0, above) {
			t.Fatalf("above the target is %v, not %v: %+v", byShort["above"], above, rep.Effective)
		}
		if byShort["pin"] != rep.PinnedTokens || byShort["pin"]+byShort["selected"] != rep.Kept || byShort["selected"]+byShort["free"] != max(rep.Effective.Target, byShort["selected"]) {
			t.Fatalf("the parts are %v; %v pinned, %v kept, room %v\n%+v", byShort, rep.PinnedTokens, rep.Kept, rep.Effective, s.Budget)
		}
	}
	if ran < 100 || over < 10 {
		t.Errorf("only %d budgets ran, of %d the room was exceeded", ran, over)
	}
}
