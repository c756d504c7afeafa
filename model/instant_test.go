package model

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// Keys compare as the timestamps do, near 1970 and over the whole range.
func TestInstantsCompareAsTimesDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	zones := []*time.Location{time.UTC, time.FixedZone("east", 5*3600+1800), time.FixedZone("west", -8*3600)}
	for round := range 500 {
		items := make([]Item, 1+rng.IntN(12))
		for i := range items {
			items[i] = Item{Content: "x"}
			second := rng.Int64N(5)
			if round%2 == 1 {
				second = []int64{math.MinInt64, math.MinInt64 + 1, -1 << 40, -9223372037, -9223372036, 0, 9223372036, 9223372037, 1 << 40, 1<<62 - 1}[rng.IntN(10)]
			}
			if rng.IntN(5) > 0 {
				items[i].Timestamp = Some(time.Unix(second, rng.Int64N(2)).In(zones[rng.IntN(3)]))
			}
		}
		set := musttest.Of(NewSet(items))(t)
		for i := range items {
			a := items[i].Timestamp
			if a.Set != (set.Instant(i) != 0) {
				t.Fatalf("%v: key %d", a, set.Instant(i))
			}
			for j := range items {
				b := items[j].Timestamp
				if !a.Set || !b.Set {
					continue
				}
				if (set.Instant(i) < set.Instant(j)) != a.Value.Before(b.Value) || (set.Instant(i) == set.Instant(j)) != a.Value.Equal(b.Value) {
					t.Fatalf("%v and %v have keys %d and %d", a.Value, b.Value, set.Instant(i), set.Instant(j))
				}
			}
		}
	}
}
