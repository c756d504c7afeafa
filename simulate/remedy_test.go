package simulate

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// Every remedy does what it says when it is carried out, and none is missing
// that would do.
func TestRemediesAgainstTheRuns(t *testing.T) {
	seen := map[Way]int{}
	for seed := range randomtest.Rounds(400, 1500) {
		rng := rand.New(rand.NewPCG(uint64(seed), 41))
		r := rank(t, randomtest.Pick(rng, randomPolicy, committingPolicy)(rng), randomPaired(t, rng))
		template, end := randomTemplate(t, rng), model.Tokens(20+rng.IntN(60))
		p, s := profiled(t, r, template, end)
		if p == nil {
			continue
		}
		for b, report := range s.reports {
			if report == nil || rng.IntN(4) > 0 {
				continue
			}
			for _, pair := range report.Split() {
				ways := musttest.Of(p.Remedies(context.Background(), report, pair))(t)
				if !slices.IsSortedFunc(ways, func(a, b Remedy) int { return int(a.Cost - b.Cost) }) {
					t.Fatalf("seed %d: %+v do not begin with the cheapest", seed, ways)
				}
				raised := model.Tokens(-1)
				for _, w := range ways {
					seen[w.Way]++
					var after *model.Report
					switch w.Way {
					case ByRaise:
						raised, after = w.Budget, s.reports[w.Budget]
						if w.Cost != w.Budget-model.Tokens(b) {
							t.Fatalf("seed %d: %+v from budget %d", seed, w, b)
						}
					case ByPin, ByDrop:
						edits := Pinning(r.Items(), w.Item)
						if w.Way == ByDrop {
							edits = Dropping(r.Items(), w.Item)
						}
						effect := musttest.Of(WhatIf(context.Background(), r, report, edits))(t)
						after = effect.Report
						var cost model.Tokens
						for i := range r.Items().Len() {
							if report.In(i) && !after.In(i) {
								cost += r.Items().Tokens(i)
							}
						}
						if cost != w.Cost || !slices.Equal(effect.Out, w.Out) {
							t.Fatalf("seed %d: %+v costs %d", seed, w, cost)
						}
					}
					both := after.In(pair.Call) && after.In(pair.Result)
					if w.Way == ByDrop && after.In(pair.Call) != after.In(pair.Result) || w.Way != ByDrop && !both {
						t.Fatalf("seed %d, budget %d: %+v leaves %v split", seed, b, w, pair)
					}
					if n := len(after.Split()); n != w.Split {
						t.Fatalf("seed %d: %+v, but %d pairs are split", seed, w, n)
					}
				}
				for at := model.Tokens(b); at <= end; at++ {
					if o := s.reports[at]; o != nil && o.In(pair.Call) && o.In(pair.Result) {
						if raised != at {
							t.Fatalf("seed %d: both of %v are in at %d, the remedy says %d", seed, pair, at, raised)
						}
						break
					}
				}
			}
		}
	}
	for _, way := range []Way{ByRaise, ByPin, ByDrop} {
		if seen[way] < 100 {
			t.Errorf("way %d was seen %d times only", way, seen[way])
		}
	}
}
