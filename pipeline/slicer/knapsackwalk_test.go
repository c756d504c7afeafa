package slicer

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// TestProfileLeavesTheTableOfASliceAlone: a Slice may be reading it. The
// profile's own has fewer bits and gives the same answers.
func TestProfileLeavesTheTableOfASliceAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	cleared := 0
	for round := range 200 {
		in := randomInput(r, 1+r.IntN(40), 30, false, round%3 != 0)
		bucket := model.Tokens(1 + r.IntN(3))
		upTo := Target(50 + r.IntN(200))
		k := Knapsack{Bucket: bucket}.Prepare(in).(*knapsack)
		musttest.Of(k.Slice(context.Background(), upTo, nil))(t)
		sliced := k.maxItem.Load()
		before := musttest.Of(sliced.clone(t.Context()))(t)
		profile := profileOf(t, k, upTo).(*knapsackProfile)
		if !slices.EqualFunc(sliced.rows, before.rows, func(a, b row) bool {
			return a.candidate == b.candidate && a.from == b.from && slices.Equal(a.bits, b.bits)
		}) {
			t.Fatalf("round %d: the profile changed a table that it shares", round)
		}
		if profile.table == sliced {
			t.Fatalf("round %d: the profile has the table of the slice", round)
		}
		cleared += len(before.rows) - len(profile.rows)
		for _, r := range profile.rows {
			i := slices.IndexFunc(before.rows, func(b row) bool { return b.candidate == r.candidate })
			for k, word := range r.bits {
				if word&^before.rows[i].bits[k] != 0 {
					t.Fatalf("round %d: word %d of row %d of the profile has bits of its own", round, k, i)
				}
				if word != before.rows[i].bits[k] {
					cleared++
				}
			}
		}
		for target := range upTo + 1 {
			if got, want := profile.At(target, nil), knapsackBySpecification(in, bucket, target); !slices.Equal(got, want) {
				t.Fatalf("round %d: At(%d) is %b, want %b", round, target, got, want)
			}
		}
	}
	if cleared == 0 {
		t.Error("no bit was ever cleared: the sets show nothing")
	}
}
