package scorer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
	"cupelscope/model/randomtest"
)

func intersect(a, b []int32) bool {
	return slices.ContainsFunc(a, func(tag int32) bool { return slices.Contains(b, tag) })
}

// Sets of few and of many tags, rare ones and ones that many sets or all have, with small and
// large weights, and with none.
func TestOverlapsAgainstAllPairs(t *testing.T) {
	rounds, everywhere := randomtest.Rounds(60, 400), 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 81))
		s, weights := tagSets{known: 2 + r.IntN([]int{6, 40, 400}[seed%3])}, []int(nil)
		few := r.IntN(5) // of the sets have more than four tags: none, some, all
		all := seed%5 == 0
		seen := map[string]bool{}
		for range r.IntN(400) {
			n := 1 + r.IntN(4)
			if r.IntN(4) < few {
				n = 1 + r.IntN(30)
			}
			var tags []int32
			if all {
				tags = append(tags, 0)
			}
			for range n {
				tag := int32(r.IntN(s.known))
				if r.IntN(3) == 0 {
					tag = int32(r.IntN(2)) // a tag that many have
				}
				tags = append(tags, tag)
			}
			slices.Sort(tags)
			tags = slices.Compact(tags)
			if key := fmt.Sprint(tags); !seen[key] {
				seen[key] = true
				s.sets, weights = append(s.sets, tags), append(weights, r.IntN(2+r.IntN(9)))
			}
		}
		got := musttest.Of(s.overlaps(context.Background(), weights))(t)
		for i, a := range s.sets {
			want := 0
			for k, b := range s.sets {
				if weights[i] > 0 && intersect(a, b) {
					want += weights[k]
				}
			}
			musttest.Is(t, got[i], want, "seed", seed, "set", a, "overlaps with")
		}
		if all && len(s.sets) > 1 {
			everywhere++
		}
	}
	if everywhere == 0 {
		t.Error("no tag was in all sets")
	}
}

// tagSetOf is n items with a common tag and others of theirs.
func tagSetOf(tb testing.TB, n, tags int) List {
	tb.Helper()
	r := rand.New(rand.NewPCG(82, 83))
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: 1, Tags: []string{"common"}}
		for range tags - 1 {
			items[i].Tags = append(items[i].Tags, fmt.Sprint("t", r.IntN(n/8+1)))
		}
	}
	return listOf(tb, items...)
}

// The groups of tags are made once for a set: every list of its items, and of a set
// made from it, is rated by these alone.
func TestFrequencyOfListsOfOneSet(t *testing.T) {
	r := rand.New(rand.NewPCG(86, 87))
	items := make([]model.Item, 120)
	for i := range items {
		for range r.IntN(4) {
			items[i].Tags = append(items[i].Tags, fmt.Sprint("t", r.IntN(30)))
		}
	}
	all := listOf(t, items...)
	edited := musttest.Of(all.Set.With(model.Edits{Excluded: map[int]bool{3: true}}))(t)
	for round := range 40 {
		l := List{Set: []*model.Set{all.Set, edited}[round%2]}
		for i := range items {
			if r.IntN(1+round/4) == 0 {
				l.Items = append(l.Items, int32(i))
			}
		}
		got := make([]float64, l.Len())
		musttest.Do(t, (Frequency{}).Score(context.Background(), l, got))
		for k, item := range l.Items {
			others := 0
			for _, other := range l.Items {
				common := slices.ContainsFunc(items[item].Tags, func(tag string) bool { return slices.Contains(items[other].Tags, tag) })
				if common && other != item {
					others++
				}
			}
			if want := float64(others) / float64(max(1, l.Len()-1)); got[k] != want {
				t.Fatalf("round %d: item %d of %d gets %v, want %v", round, item, l.Len(), got[k], want)
			}
		}
	}
}

func TestFrequencyIsCancelled(t *testing.T) {
	musttest.Is(t, Frequency{}.Score(polltest.After(t.Context(), 1), tagSetOf(t, 6000, 6), make([]float64, 6000)), context.Canceled)
}
