//go:build unix

package turns

import (
	"context"
	"fmt"
	"testing"

	"cupelscope/model"
	"cupelscope/simulate/growthtest"
)

// BenchmarkAnotherBudget is what another budget costs once the items are ranked.
func BenchmarkAnotherBudget(b *testing.B) {
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	knapsack := chat
	knapsack.Slicer, knapsack.BucketSize = model.Knapsack, 100
	for _, n := range []int{2000, 10_000} {
		s := longSession(b, n)
		for name, policy := range map[string]model.Policy{"greedy": chat, "knapsack100": knapsack} {
			for _, known := range []*Rankings{nil, NewRankings(s)} {
				b.Run(fmt.Sprintf("%s/%d/known=%v", name, n, known != nil), func(b *testing.B) {
					at := model.Tokens(128_000)
					run := func() {
						at++
						budget, err := model.NewBudget(model.BudgetFields{MaxTokens: at})
						if err == nil {
							_, err = Windows(context.Background(), s, Plan{Strategy: Stateless, Policy: policy}, budget, Options{Rankings: known})
						}
						if err != nil {
							b.Fatal(err)
						}
					}
					run()
					start := growthtest.ProcessorTime()
					for b.Loop() {
						run()
					}
					b.ReportMetric(float64((growthtest.ProcessorTime()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
				})
			}
		}
	}
}

// BenchmarkGrowth doubles the number of requests, of 4 items each, and reports the
// exponent of the processor time, the least of some runs: 1 is linear, 2 quadratic. On a
// quiet machine nothing is to be above 1.15, but what is quadratic in the length of a
// session by nature: to send everything, whose windows are all that had come before, and
// stateless, which ranks all that had come before each request. Watermark stops at the
// first item that does not fit: greedy would keep the shortest, and its windows alone
// grow, from 140 items at 250 requests to 300 at 2,000.
//
//	go test ./simulate/turns -run '^$' -bench Growth -benchtime 1x
func BenchmarkGrowth(b *testing.B) {
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	stops := chat
	stops.Slicer = model.Prefix
	ctx := context.Background()
	budget, err := model.NewBudget(model.BudgetFields{MaxTokens: 32_000})
	if err != nil {
		b.Fatal(err)
	}
	growth := func(name string, prepare func(s *Session) func() error) {
		growthtest.Run(b, name, 250, func(b *testing.B, n int) func() error { return prepare(sessionOf(b, 4*n, n)) })
	}
	growth("cut", func(s *Session) func() error {
		return func() error {
			for range 20 {
				if _, err := NewSession(s.log); err != nil {
					return err
				}
			}
			return nil
		}
	})
	for _, p := range []Plan{
		{Name: "all", Strategy: All}, {Name: "sliding", Strategy: Sliding}, {Name: "sliding, low", Strategy: Sliding, Low: 60},
		{Name: "watermark", Strategy: Watermark, Policy: stops, Low: 60}, {Name: "stateless", Strategy: Stateless, Policy: chat},
	} {
		growth("windows, "+p.Name, func(s *Session) func() error {
			return func() error { _, err := Windows(ctx, s, p, budget, Options{}); return err }
		})
		growth("compare, "+p.Name, func(s *Session) func() error {
			windows, err := Windows(ctx, s, p, budget, Options{})
			if err != nil {
				b.Fatal(err)
			}
			return func() error { _, err := s.Compare(ctx, windows); return err }
		})
	}
}
