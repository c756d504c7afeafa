package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/tokens"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
	"cupelscope/tui/experiment"
)

// BenchmarkMemory tells the bytes on the heap that each state of a session adds, for each
// item, beside the texts: what is loaded, its counts, the profiles of A (greedy) and of B
// (knapsack), and the best possible value. The figures are in the documentation of the
// package.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "chat.jsonl")
			var chat strings.Builder
			for i := range n {
				fmt.Fprintf(&chat, `{"role":%q,"content":%q}`+"\n", []string{"user", "assistant"}[i%2], strings.Repeat(fmt.Sprintf("message %d and what it says. ", i), 4+i*i%37))
			}
			if err := os.WriteFile(path, []byte(chat.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			small := filepath.Join(b.TempDir(), "small.jsonl")
			if err := os.WriteFile(small, []byte(chat.String()[:strings.IndexByte(chat.String(), '\n')+1]), 0o600); err != nil {
				b.Fatal(err)
			}
			s, err := Open(context.Background(), session.Options{Sources: []string{small}}, session.Input{})
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Count(context.Background(), func(tokens.Progress) {}); err != nil { // the counter's own 10 MB
				b.Fatal(err)
			}
			var states []string
			added := map[string]float64{}
			for b.Loop() {
				states = states[:0]
				last := heap()
				add := func(state string) {
					now := heap()
					states, added[state] = append(states, state), float64(now-last)/float64(n)
					last = now
				}
				s, err := Open(context.Background(), session.Options{Sources: []string{path}}, session.Input{})
				if err != nil {
					b.Fatal(err)
				}
				texts := 0
				for i := range s.Items.Len() {
					texts += len(s.Items.Loaded(i).Content)
				}
				last += int64(texts)
				add("loaded")
				setup := experiment.Setup{Policy: [2]model.Policy{s.Policy, s.other(s.Policy)}, Slack: s.Slack, AxisEnd: s.AxisEnd}.WithBudget(s.Budget)
				exp, err := experiment.New(s.Items, setup)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Count(context.Background(), func(p tokens.Progress) {
					if err := exp.Recount(p.Recounts); err != nil {
						b.Fatal(err)
					}
				}); err != nil {
					b.Fatal(err)
				}
				add("counted")
				for _, side := range []experiment.Side{experiment.A, experiment.B} {
					q, _ := exp.Request(side)
					o, err := q.Run(context.Background())
					if err != nil || o.Report == nil {
						b.Fatal(err, o.Err)
					}
					exp.Accept(side, o, 0)
					add("profile" + side.String())
				}
				o := exp.Outcome(experiment.A)
				upTo, _ := o.Profile.Axis().Target(o.Profile.Axis().End())
				best, err := simulate.NewOptimum(context.Background(), o.Ranking, upTo)
				if err != nil {
					b.Fatal(err)
				}
				add("best")
				runtime.KeepAlive(best)
				runtime.KeepAlive(exp)
				runtime.KeepAlive(s)
			}
			for _, state := range states {
				b.ReportMetric(added[state], state+"B/item")
			}
		})
	}
}

// heap returns the bytes that are held.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
