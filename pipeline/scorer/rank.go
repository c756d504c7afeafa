package scorer

import (
	"context"

	"cupelscope/pipeline/order"
)

// Recency rates an item by how many others are older: 0 without a timestamp;
// else the number of timestamped items strictly older over the number of
// timestamped items less one; a lone timestamped item gets 1. Cupel
// specification, chapter RecencyScorer. O(n): sorted by radix.
type Recency struct{}

var _ Scorer = Recency{}

// Score implements Scorer.
func (Recency) Score(ctx context.Context, l List, dst []float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(dst)
	var times order.Instants
	times.Grow(l.Len())
	have := make([]int32, 0, l.Len())
	for k, item := range l.Items {
		if t := &l.Set.Loaded(int(item)).Timestamp; t.Set {
			times.Add(t.Value)
			have = append(have, int32(k))
		}
	}
	ranks(times.Ascending(), times.Same, func(p int32, score float64) { dst[have[p]] = score })
	return nil
}

// Priority is Recency with the priority in place of the timestamp: the share
// of the prioritised items that have a strictly lower priority. Cupel
// specification, chapter PriorityScorer.
type Priority struct{}

var _ Scorer = Priority{}

// Score implements Scorer.
func (Priority) Score(ctx context.Context, l List, dst []float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(dst)
	keys := make([]uint64, 0, l.Len())
	have := make([]int32, 0, l.Len())
	for k, item := range l.Items {
		if p := &l.Set.Loaded(int(item)).Priority; p.Set {
			keys = append(keys, uint64(p.Value)^1<<63) // unsigned order is now signed order
			have = append(have, int32(k))
		}
	}
	same := func(i, j int32) bool { return keys[i] == keys[j] }
	ranks(order.Sorted(keys), same, func(p int32, score float64) { dst[have[p]] = score })
	return nil
}

// ranks rates the positions of perm, which is sorted, lowest first: each by
// the number of those strictly lower over the number of others. Positions that
// are the same share a rank.
func ranks(perm []int32, same func(i, j int32) bool, set func(p int32, score float64)) {
	if len(perm) == 1 {
		set(perm[0], 1)
		return
	}
	others := float64(len(perm) - 1)
	lower := 0
	for i, p := range perm {
		if i > 0 && !same(perm[i-1], p) {
			lower = i
		}
		set(p, float64(lower)/others)
	}
}
