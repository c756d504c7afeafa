package turns

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// Of the totals that always fit, those are unbeaten that no other beats: with no more cost and
// no less recall, and less or more of one of them; of equal ones the first is.
func TestUnbeaten(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 29))
	for range 300 {
		totals := make([]Totals, rng.IntN(12))
		for k := range totals {
			totals[k] = Totals{Bill: Bill{Cost: float64(rng.IntN(5))}, Against: 10, Over: rng.IntN(4) / 3, recall: float64(rng.IntN(5)) / 4, judged: 1}
		}
		beats := func(a, b int) bool {
			x, y := totals[a], totals[b]
			return x.Over == 0 && x.Cost <= y.Cost && x.recall >= y.recall && (x.Cost < y.Cost || x.recall > y.recall || a < b)
		}
		var want []int
		for k := range totals {
			beaten := totals[k].Over > 0
			for other := range totals {
				beaten = beaten || other != k && beats(other, k)
			}
			if !beaten {
				want = append(want, k)
			}
		}
		got := slices.Sorted(slices.Values(Unbeaten(totals)))
		musttest.Is(t, got, want, totals)
	}
	musttest.Is(t, Unbeaten([]Totals{{Bill: Bill{Cost: 1}, Against: 2}}), nil)
}

// A map leaves out only triggers that do what its lowest one does: where the fixed part exceeds
// them, they cost the same on any session.
func TestTriggersBelowTheFixedPartDoTheSame(t *testing.T) {
	for _, strategy := range []Strategy{Clear, Drop, Summarise} {
		whole := Axes(strategy)[0]
		for _, fixed := range []model.Tokens{0, 9_999, 10_000, 45_999, 100_000, 1 << 20} {
			above := whole.Above(strategy, fixed)
			out := len(whole.Values) - len(above.Values)
			if out > 0 && whole.Values[out] > int(fixed) || len(above.Values) > 1 && above.Values[1] <= int(fixed) {
				t.Errorf("%s: %v above %v", strategy, above.Values, fixed)
			}
			if said := SayAbove([2]Axis{above, Axes(strategy)[1]}, fixed); (said != "") != (whole.Values[0] <= int(fixed)) {
				t.Errorf("%s: above %v it is %q", strategy, fixed, said)
			}
			by := Billing{Cache: Caches()[0], Fixed: Fixed{Tokens: fixed, From: FixedGiven}}
			s := agentLog(t, 3_000, 9_000, 2_000, 30_000, 100, 4_000)
			b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 1 << 21}))(t)
			ctx, rule := context.Background(), Plan{Strategy: strategy, Rule: defaultRule(strategy)}
			courses, _, err := Run(ctx, s, nil, b, by, Options{})
			musttest.Do(t, err)
			plans := musttest.Of(MapPlans(rule, [2]Axis{{"trigger", whole.Values[:out+1]}, {"keep", []int{0, 2}}}))(t)
			totals := musttest.Of(Sweep(ctx, s, plans, b, by, courses[0], Options{}))(t)
			for k := range totals {
				if totals[k] != totals[2*out+k%2] {
					t.Errorf("%s, fixed part %v: %s costs %v, what is shown for it %v", strategy, fixed, plans[k].Text(), totals[k].Cost, totals[2*out+k%2].Cost)
				}
			}
		}
		musttest.Is(t, len(Axis{"trigger", []int{1, 2}}.Above(strategy, 10).Values), 2, strategy, "triggers that were given are left out")
	}
}
