package slicer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

// costly are slicers whose profiles tell how far they are.
func costly() map[string]Slicer {
	knapsack := Knapsack{Bucket: 5}
	counts := model.CountQuota{Kind: "a", Require: 2, Cap: 3}
	return map[string]Slicer{
		"knapsack":       knapsack,
		"quota":          must(NewQuota(knapsack, atLeast("a", 20), atMost("b", 70))),
		"count knapsack": must(NewCountConstrainedKnapsack(knapsack, model.Degrade, counts)),
		"quota of quota": must(NewQuota(must(NewQuota(knapsack, atMost("b", 70))), atMost("a", 70))),
	}
}

// ofThreeKinds is n realistic candidates of three kinds.
func ofThreeKinds(n int) *Input {
	in := realistic(n)
	in.KindNames = []model.Kind{"a", "b", "c"}
	for i := range in.Kinds {
		in.Kinds[i] = uint32(i % 3)
	}
	return in
}

func TestProgressOfProfiles(t *testing.T) {
	in := ofThreeKinds(4000)
	for name, s := range costly() {
		t.Run(name, func(t *testing.T) {
			p := s.Prepare(in)
			var calls int
			var last, all int64
			ctx := WithProgress(context.Background(), func(done, total int64) {
				if done < last || done > total || all > 0 && total != all {
					t.Errorf("%d of %d after %d of %d", done, total, last, all)
				}
				last, all = done, total
				calls++
			})
			musttest.Of(p.Profile(ctx, 40_000))(t)
			if last != all || calls < 4 {
				t.Errorf("%d of %d told in %d calls", last, all, calls)
			}
		})
	}
}

func TestCancelledAtAnyPoll(t *testing.T) {
	in := ofThreeKinds(3000)
	slices.SortFunc(in.Tokens, func(a, b model.Tokens) int { return cmp.Compare(b, a) })
	for i, t := range in.Tokens {
		in.Scores[i] = float64(t) / 1000 // all as dense: a knapsack needs its whole table
	}
	for name, s := range costly() {
		for what, run := range map[string]func(context.Context, Prepared) error{
			"profile": func(ctx context.Context, p Prepared) error {
				_, err := p.Profile(ctx, 30_000)
				return err
			},
			"slice": func(ctx context.Context, p Prepared) error {
				_, err := p.Slice(ctx, 30_000, nil)
				return err
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				for polls := 0; ; polls++ {
					err := run(polltest.After(t.Context(), polls), s.Prepare(in))
					if err == nil {
						if polls < 3 {
							t.Errorf("only %d polls", polls)
						}
						return
					}
					if !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
					polls += polls + 1
				}
			})
		}
	}
}
