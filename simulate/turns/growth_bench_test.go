//go:build unix

package turns

import (
	"context"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/growthtest"
)

// BenchmarkGrowth reports how turns grow with the number of requests, of 4 items each.
// Stateless ranks all that had come before each request, so it is quadratic by nature.
// Policies stop at the first item that does not fit: greedy would keep the shortest, and
// its windows alone grow, from 140 items at 250 requests to 300 at 2,000. The strategies of a
// rule are run as the program runs them, and over a map of 48 or 54 pairs.
func BenchmarkGrowth(b *testing.B) {
	policy, _ := model.Preset("chat")
	policy.Overflow, policy.Slicer = model.Truncate, model.Prefix
	ctx := context.Background()
	budget := musttest.Of(model.BudgetOf(32_000))(b)
	growth := func(a growthtest.Action, prepare func(s *History) func() error) {
		a.Name = "turns, " + a.Name
		growthtest.Run(b, a, func(b *testing.B, n int) func() error { return prepare(historyOf(b, 4*n, n)) })
	}
	growth(growthtest.Action{Name: "cut", From: 4000}, func(s *History) func() error {
		return func() error { _, err := newHistory(s.log); return err }
	})
	for _, p := range []Plan{
		{Name: "all", Strategy: All}, {Name: "sliding", Strategy: Sliding}, {Name: "sliding, low", Strategy: Sliding, Low: 60},
		{Name: "watermark", Strategy: Watermark, Policy: policy, Low: 60}, {Name: "stateless", Strategy: Stateless, Policy: policy},
	} {
		a := growthtest.Action{Name: "windows, " + p.Name, From: 1000}
		if p.Strategy == Stateless {
			a.From, a.Theory = 125, 2
		}
		growth(a, func(s *History) func() error {
			return func() error { _, err := Windows(ctx, s, p, budget, Options{}); return err }
		})
		a.Name, a.Theory = "compare, "+p.Name, 0
		growth(a, func(s *History) func() error {
			windows := musttest.Of(Windows(ctx, s, p, budget, Options{}))(b)
			return func() error { _, err := s.Compare(ctx, windows); return err }
		})
	}
	for _, text := range []string{"clear:trigger=30k", "drop", "summarise:keep-tokens=10k"} {
		p := musttest.Of(ParsePlan(text))(b)
		growth(growthtest.Action{Name: text, From: 1000}, func(s *History) func() error {
			return func() error { _, _, err := s.windows(ctx, p, budget, Options{}, false); return err }
		})
		growth(growthtest.Action{Name: "map, " + text, From: 100}, func(s *History) func() error {
			plans := musttest.Of(MapPlans(p, musttest.Of(ParseAxes(p.Strategy, ""))(b)))(b)
			all, by, err := Run(ctx, s, nil, budget, Billing{Cache: Caches()[0]}, Options{})
			musttest.Do(b, err)
			return func() error { _, err := Sweep(ctx, s, plans, budget, by, all[0], Options{}); return err }
		})
	}
}
