package scorer

import (
	"context"

	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
)

// Recency rates an item by how many others are older: 0 without a timestamp;
// else the number of timestamped items strictly older over the number of
// timestamped items less one; a lone timestamped item gets 1. Cupel
// specification, chapter RecencyScorer. O(n): sorted by radix.
type Recency struct{}

var _ Scorer = Recency{}

// Score implements Scorer.
func (Recency) Score(ctx context.Context, l List, dst []float64) error {
	return rank(ctx, l, dst, func(item int) (uint64, bool) {
		t := l.Set.Instant(item)
		return t, t != 0
	})
}

// places are lent to the scorers of this file, and so are keys.
var (
	places scratch.Pool[int32]
	keys   scratch.Pool[uint64]
)

// Priority is Recency with the priority in place of the timestamp: the share
// of the prioritised items that have a strictly lower priority. Cupel
// specification, chapter PriorityScorer.
type Priority struct{}

var _ Scorer = Priority{}

// Score implements Scorer.
func (Priority) Score(ctx context.Context, l List, dst []float64) error {
	return rank(ctx, l, dst, func(item int) (uint64, bool) {
		p := l.Set.Loaded(item).Priority
		return uint64(p.Value) ^ 1<<63, p.Set // unsigned order is now signed order
	})
}

// rank scores the items that have a key: the number of items with a lower key
// over the number of other items with one. An item without a key gets 0.
func rank(ctx context.Context, l List, dst []float64, keyOf func(item int) (uint64, bool)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	lentKeys, lentPlaces := keys.Lend(l.Len()), places.Lend(l.Len())
	defer lentKeys.Return()
	defer lentPlaces.Return()
	keys, have := lentKeys.Of[:0], lentPlaces.Of[:0]
	for k, item := range l.Items {
		if key, ok := keyOf(int(item)); ok {
			keys = append(keys, key)
			have = append(have, int32(k))
		}
	}
	if len(have) < len(dst) {
		clear(dst)
	}
	if len(keys) == 0 {
		return nil
	}
	lent := places.Lend(len(keys))
	defer lent.Return()
	perm := lent.Of
	order.SortInto(perm, keys)
	if len(perm) == 1 {
		dst[have[0]] = 1
		return nil
	}
	others := float64(len(perm) - 1)
	last, score := keys[perm[0]], 0.0
	for i, p := range perm {
		if key := keys[p]; key != last {
			last, score = key, float64(i)/others
		}
		dst[have[p]] = score
	}
	return nil
}
