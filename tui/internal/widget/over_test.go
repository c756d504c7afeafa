package widget

import (
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// The places of each item are those of the values at which a run has it in, on random sets
// and any number, also where the value now is between two of the grid.
func TestPlacesOfAnItemAreItsValues(t *testing.T) {
	between := 0
	for seed := range uint64(60) {
		c := randomtest.Seeded(seed, 30)
		set, p, b := musttest.Of(randomtest.Set(c))(t), randomtest.Policy(c), musttest.Of(randomtest.Budget(c))(t)
		p.Scorers[0].Weight = randomtest.Pick(c.Of("weight"), p.Scorers[0].Weight, 1./3)
		all := model.Numbers(p, b, set.Kinds())
		n := all[c.IntN(len(all))]
		if at, on := n.Point(n.Value); on || at < n.First || at > n.Last {
			n.Last = min(n.Last, n.First+300)
		} else {
			n.First, n.Last = max(n.First, at-150), min(n.Last, at+150)
			between++
		}
		pipe, err := pipeline.New(p)
		if err != nil {
			continue
		}
		ranking, err := pipe.Rank(t.Context(), set)
		if err != nil {
			continue
		}
		o := Over{Number: n, Now: n.Value, Values: musttest.Of(simulate.NewProfileOver(t.Context(), ranking, b, n))(t)}
		lo, hi := o.Limits()
		if got := n.At(n.First + int64(o.Here()-lo)); o.Here() > lo && o.Here() < hi && (got > n.Value || n.Value-got >= 1/float64(n.PerUnit)) {
			t.Fatalf("case %d: the place now is that of %v, the value %v", seed, got, n.Value)
		}
		for item := range set.Len() {
			bands := o.Bands(item)
			for place := lo; place <= hi; place++ {
				v := n.At(n.First + int64(place-lo))
				if o.Text(place) != n.Text(v) {
					t.Fatalf("case %d: place %v is %s, want %s", seed, place, o.Text(place), n.Text(v))
				}
				want := o.Values.Has(item)[o.Values.At(v)]
				if got := slices.ContainsFunc(bands, func(b simulate.Band) bool { return b.From <= place && place <= b.To }); got != want {
					t.Fatalf("case %d: item %d at %s %v: %v, want %v", seed, item, n.Name, v, got, want)
				}
			}
			for k := 1; k < len(bands); k++ {
				if bands[k-1].To+1 >= bands[k].From {
					t.Fatalf("case %d: the bands %v touch", seed, bands)
				}
			}
		}
	}
	if between == 0 {
		t.Error("no case has a value between two of the grid")
	}
}
