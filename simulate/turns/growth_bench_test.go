//go:build unix

package turns

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"

	"cupelscope/model"
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
					start := processorTime()
					for b.Loop() {
						run()
					}
					b.ReportMetric(float64((processorTime()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
				})
			}
		}
	}
}

// BenchmarkGrowth doubles the number of requests, of 4 items each, and reports the
// exponent of the processor time, the least of some runs: 1 is linear, 2 quadratic. On a
// quiet machine nothing is to be above 1.15, but what is quadratic in the length of a
// session by nature: to send everything, whose windows are all that had come before, and
// stateless, which ranks all that had come before each request; and Compare of windows
// that share no prefix, as those of sliding do, with each of which a later one is compared.
//
//	go test ./simulate/turns -run '^$' -bench Growth -benchtime 1x
func BenchmarkGrowth(b *testing.B) {
	const small, doublings = 250, 3
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	ctx := context.Background()
	budget, err := model.NewBudget(model.BudgetFields{MaxTokens: 32_000})
	if err != nil {
		b.Fatal(err)
	}
	growth := func(name string, prepare func(s *Session) func() error) {
		b.Run(name, func(b *testing.B) {
			var took [doublings + 1]time.Duration
			for range b.N {
				for k := range took {
					run := prepare(sessionOf(b, 4*small<<k, small<<k))
					took[k] = math.MaxInt64
					for range 3 {
						runtime.GC() // what came before does not count
						start := processorTime()
						if err := run(); err != nil {
							b.Fatal(err)
						}
						took[k] = min(took[k], max(processorTime()-start, time.Microsecond))
					}
				}
			}
			b.ReportMetric(math.Log2(float64(took[doublings])/float64(took[0]))/doublings, "exponent")
			b.ReportMetric(took[doublings].Seconds()*1000, "ms")
			b.ReportMetric(0, "ns/op")
		})
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
		{Name: "watermark", Strategy: Watermark, Policy: chat, Low: 60}, {Name: "stateless", Strategy: Stateless, Policy: chat},
	} {
		growth("windows, "+p.Name, func(s *Session) func() error {
			return func() error { _, err := Windows(ctx, s, p, budget, Options{}); return err }
		})
		growth("compare, "+p.Name, func(s *Session) func() error {
			windows, err := Windows(ctx, s, p, budget, Options{})
			if err != nil {
				b.Fatal(err)
			}
			return func() error { s.Compare(windows); return nil }
		})
	}
}

// processorTime is what the process has taken of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
