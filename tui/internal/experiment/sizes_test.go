package experiment

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
)

// A change is refused exactly where ranking all items anew says that a policy takes whole items only, and did
// not say so before; then nothing changes.
func TestAPolicyIsRefusedWhereItemsGetSizes(t *testing.T) {
	refused, made := 0, map[string]int{}
	for seed := range uint64(randomtest.Rounds(60, 2000)) {
		rng := rand.New(rand.NewPCG(seed, 93))
		items := sample(t, rng, 1+rng.IntN(6))
		if rng.IntN(3) == 0 {
			items = musttest.Of(items.WithSizes(map[int][]model.Size{rng.IntN(items.Len()): {{Tokens: 1 + model.Tokens(rng.IntN(90))}}}))(t)
		}
		e, _ := start(t, items)
		fails := func(s Setup, side Side) bool {
			set := musttest.Of(e.loaded.With(s.Edits))(t)
			_, err := musttest.Of(pipeline.New(s.Policy[side]))(t).Rank(t.Context(), set)
			return err != nil && strings.Contains(err.Error(), "items that may be cut")
		}
		for range 25 {
			now, item := e.Setup(), []int{rng.IntN(items.Len())}
			next, what := now, ""
			switch rng.IntN(5) {
			case 0:
				next, what = now.WithPinned(e.loaded, item, !e.Items().Pinned(item[0])), "pin"
			case 1:
				next, what = now.WithTokens(e.loaded, item, model.Some(model.Tokens(rng.IntN(300)))), "tokens"
			case 2:
				rule := randomtest.Pick(rng, model.ShrinkRule{}, model.ShrinkRule{To: []model.Tokens{100}}, model.ShrinkRule{To: []model.Tokens{60, 9}, Note: true})
				rule.Kind = randomtest.Pick(rng, model.AnyKind, model.Document)
				next, what = now.Shrunk(rule), "rule"
				next.Edits.Shrink.Pinned = rng.IntN(4) == 0
			default:
				policy, _ := model.Preset("rag")
				policy.Overflow, policy.Slicer = model.Truncate, randomtest.Pick(rng, model.SlicerTypes()...)
				if rng.IntN(4) == 0 && policy.Slicer.Order() != model.OrderByArrival {
					policy.Quotas = []model.Quota{{Kind: model.Document, MaxPercent: model.Some(40.0)}}
				}
				next, what = now.WithPolicy(Side(rng.IntN(2)), policy), "policy"
			}
			want := fails(next, A) && !fails(now, A) || fails(next, B) && !fails(now, B)
			before := e.Items()
			err := e.Apply(next, Label{Name: what}, "")
			if (err != nil) != want {
				t.Fatalf("seed %d: %s of %v, rules %v, from %s, %s to %s, %s: %v, want an error: %v",
					seed, what, item, next.Edits.Shrink, now.Policy[A].Slicer, now.Policy[B].Slicer, next.Policy[A].Slicer, next.Policy[B].Slicer, err, want)
			}
			if made[what]++; err != nil {
				refused++
				if !e.Setup().Equal(now) || e.Items() != before {
					t.Fatalf("seed %d: a %s that is refused changes the setup", seed, what)
				}
			}
		}
	}
	if refused < 100 || len(made) != 4 {
		t.Errorf("%d refused of %v", refused, made)
	}
}
