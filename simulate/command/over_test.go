package command

import (
	"cmp"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// FuzzOver: values that --over, --from and --to name are on the grid, and the policy and the
// budget take the first and the last of them.
func FuzzOver(f *testing.F) {
	policy, _ := model.Preset("rag")
	policy.Slicer = model.Knapsack
	policy.Quotas = []model.Quota{{Kind: model.Document, MaxPercent: model.Some(70.0)}}
	budget := musttest.Of(model.BudgetOf(32_000))(f)
	all := model.Numbers(policy, budget, []model.Kind{model.Memory})
	for k, n := range all {
		f.Add(n.Name, []string{"", "0", "2", "0.5", "1k"}[k%5], []string{"1.5k", "99.9%", "3", "1e3", "=max"}[k%5])
	}
	f.Fuzz(func(t *testing.T, over, from, to string) {
		n, err := model.FindNumber(all, over)
		if err != nil {
			return
		}
		w := &overStudy{study: &study{Opened: &session.Opened{Opening: simulate.Opening{Budget: budget}}}, number: n}
		if w.narrow(policy, from, to) != nil {
			return
		}
		first, last := w.number.First, w.number.Last
		if err := cmp.Or(n.Fits(policy, budget.Fields(), first), n.Fits(policy, budget.Fields(), last)); err != nil || first > last {
			t.Errorf("%s from %q to %q is %d to %d: %v", over, from, to, first, last, err)
		}
		for text, point := range map[string]int64{from: first, to: last} {
			if v, err := parseValue(n, text); text != "" && from != to && (err != nil || v != n.At(point)) {
				t.Errorf("%s %q is %v, %v", over, text, n.At(point), err)
			}
		}
	})
}
