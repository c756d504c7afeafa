package scorer

import (
	"context"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
)

// Recency rates an item by the share of the other timestamped items that are
// strictly older: 0 for the oldest, 1 for the newest if no other item has its
// timestamp. The only timestamped item gets 1, and items without a timestamp get
// 0. O(n), with a radix sort. See the Cupel specification, chapter RecencyScorer.
type Recency struct{}

var _ Scorer = Recency{}

// Score implements Scorer.
func (r Recency) Score(ctx context.Context, l List, dst []float64) error {
	return rank(ctx, l, dst, r.keys(l.Set))
}

// keys returns what the items of a set are ranked by.
func (Recency) keys(set *model.Set) func(item int) (uint64, bool) {
	return func(item int) (uint64, bool) {
		t := set.Instant(item)
		return t, t != 0
	}
}

// places and keys are lent to the scorers of this file.
var (
	places scratch.Pool[int32]
	keys   scratch.Pool[uint64]
)

// Priority rates an item by the share of the other items with a priority that
// have a strictly lower one. The only item with a priority gets 1, and items
// without a priority get 0. O(n), with a radix sort. See the Cupel
// specification, chapter PriorityScorer.
type Priority struct{}

var _ Scorer = Priority{}

// Score implements Scorer.
func (p Priority) Score(ctx context.Context, l List, dst []float64) error {
	return rank(ctx, l, dst, p.keys(l.Set))
}

// keys returns what the items of a set are ranked by.
func (Priority) keys(set *model.Set) func(item int) (uint64, bool) {
	return func(item int) (uint64, bool) {
		p := set.Loaded(item).Priority
		return uint64(p.Value) ^ 1<<63, p.Set // unsigned order is now signed order
	}
}

// rank scores an item by the number of items with a lower key, divided by the
// number of other items with a key. The only item with a key gets 1. An item
// without a key gets 0.
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
