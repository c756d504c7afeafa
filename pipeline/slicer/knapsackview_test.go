package slicer

import (
	"context"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// TestTableAgainstPlainProgramme holds every bit and every best value to those
// of the textbook's programme, whether a profile was made before or not.
func TestTableAgainstPlainProgramme(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	bitsSet := 0
	for round := range randomtest.Rounds(40, 200, 400) {
		in := randomInput(r, 1+r.IntN(14), 1+r.Int64N(12), false, round%4 != 0)
		bucket := model.Tokens(1 + r.IntN(3))
		k := Knapsack{Bucket: bucket}.Prepare(in).(*knapsack)
		target := 1 + Target(r.IntN(60))
		if round%3 == 0 {
			profileOf(t, k, target+10)
		}
		var table *Table
		for s, err := range k.Steps(context.Background(), target) {
			musttest.Do(t, err)
			if o, ok := s.Opens.(TableOutline); ok {
				table = o.Table
			}
		}
		if table == nil {
			t.Fatalf("round %d: no table", round)
		}
		top := int(k.capacity(target))
		best := make([]int64, top+1)
		for j := range k.at {
			row, w := int32(j)+1, int(weight(k.tok[j], bucket))
			before := append([]int64(nil), best...)
			takes := make([]bool, top+1)
			for c := top; c >= w; c-- {
				if with := best[c-w] + k.value[j]; with > best[c] {
					best[c], takes[c] = with, true
					bitsSet++
				}
			}
			if got := table.Value(row); got != float64(k.value[j])/valueUnit {
				t.Fatalf("round %d: row %d is worth %v", round, row, got)
			}
			for c := range top + 1 {
				if got := table.Takes(row, Target(c), Target(c)); got != takes[c] {
					t.Fatalf("round %d: row %d at %d of %d: %v, want %v (weight %d)", round, row, c, top, got, takes[c], w)
				}
				if got := table.Best(row, Target(c)); got != float64(best[c])/valueUnit {
					t.Fatalf("round %d: rows to %d are worth %v at %d, want %v", round, row, got, c, best[c])
				}
				if got := table.Best(row-1, Target(c)); got != float64(before[c])/valueUnit {
					t.Fatalf("round %d: rows before %d are worth %v at %d, want %v", round, row, got, c, before[c])
				}
			}
			low := r.IntN(top + 1)
			high := low + r.IntN(top+1-low)
			want := false
			for c := low; c <= high; c++ {
				want = want || takes[c]
			}
			if got := table.Takes(row, Target(low), Target(high)); got != want {
				t.Fatalf("round %d: row %d from %d to %d: %v, want %v", round, row, low, high, got, want)
			}
		}
	}
	if bitsSet < randomtest.Rounds(40, 200, 400) {
		t.Errorf("only %d bits are set: the sets test nothing", bitsSet)
	}
}
