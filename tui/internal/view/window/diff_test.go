package window

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// A difference names every item of both windows once, those of this one in their order, and
// what is only there after the item of both that stands before it there.
func TestADifferenceHoldsBothWindows(t *testing.T) {
	items := make([]model.Item, 40)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: model.Tokens(i + 1)}
	}
	set := musttest.Of(model.NewSet(items))(t)
	random := rand.New(rand.NewPCG(1, 2))
	window := func() []int32 {
		var all []int32
		for _, i := range random.Perm(len(items))[:random.IntN(len(items)+1)] {
			all = append(all, int32(i))
		}
		return all
	}
	for range 2000 {
		here := window()
		d := difference{with: otherSide, there: window()}
		if random.IntN(4) == 0 {
			d.there = slices.Clone(here)
		}
		var got, lost []int32
		left := slices.Clone(here) // of this window, not yet named
		for _, at := range d.placesOf(here, set) {
			if at.mark == onlyThere {
				lost = append(lost, int32(at.item))
				k := slices.Index(d.there, int32(at.item))
				for k--; k >= 0 && !slices.Contains(here, d.there[k]); k-- {
				}
				if k >= 0 && !slices.Contains(got, d.there[k]) {
					t.Fatalf("#%d stands before #%d, which is before it there", at.item, d.there[k])
				}
				continue
			}
			if int(left[0]) != at.item {
				t.Fatalf("a place is of #%d, want #%d", at.item, left[0])
			}
			for _, i := range left[:at.count] {
				musttest.Is(t, slices.Contains(d.there, i), at.mark == inBoth, "#", i, "is in both", at.mark)
			}
			got, left = append(got, left[:at.count]...), left[at.count:]
		}
		if len(left) > 0 {
			t.Fatalf("%v have no place", left)
		}
		var want []int32
		var tokens model.Tokens
		for _, i := range d.there {
			if !slices.Contains(here, i) {
				want, tokens = append(want, i), tokens+set.Tokens(int(i))
			}
		}
		slices.Sort(want)
		slices.Sort(lost)
		musttest.Is(t, lost, want, "only there are", tokens)
		musttest.Is(t, d.out, sum{len(want), tokens}, "only there are", tokens)
	}
}
