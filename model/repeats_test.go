package model_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// Repeats are what comparing all contents finds, in a set, its first items, and items picked.
func TestRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	for range 200 {
		n := r.IntN(60)
		items := make([]model.Item, n)
		for i := range items {
			items[i].Content = strconv.Itoa(r.IntN(1 + 2*n))
		}
		set := musttest.Of(model.NewSet(items))(t)
		checkRepeats(t, set, set)
		checkRepeats(t, set.First(r.IntN(n+1)), set)
		var picked []int32
		for _, i := range r.Perm(n)[:r.IntN(n+1)] {
			picked = append(picked, int32(i))
		}
		pick := set.Subset(picked)
		checkRepeats(t, pick, pick)
	}
}

// checkRepeats compares the repeats of a set, whose items are the first of another, with the
// contents of that.
func checkRepeats(t *testing.T, set, whole *model.Set) {
	t.Helper()
	var items, firsts []int32
	for i := range set.Len() {
		first, count := -1, 0
		for j := range whole.Len() {
			if whole.Loaded(j).Content == set.Loaded(i).Content {
				count++
				if first < 0 {
					first = j
				}
			}
		}
		if count > 1 {
			items, firsts = append(items, int32(i)), append(firsts, int32(first))
		}
	}
	if gotItems, gotFirsts := set.Repeats(); !slices.Equal(gotItems, items) || !slices.Equal(gotFirsts, firsts) {
		t.Fatalf("%d repeat %d, want %d and %d", gotItems, gotFirsts, items, firsts)
	}
}
