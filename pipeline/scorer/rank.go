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
	if err := ctx.Err(); err != nil {
		return err
	}
	lent := keys.Lend(l.Len())
	defer lent.Return()
	have := places.Lend(l.Len())
	defer have.Return()
	times, dated := lent.Of[:0], have.Of[:0]
	for k, item := range l.Items {
		if t := l.Set.Instant(int(item)); t != 0 {
			times = append(times, t)
			dated = append(dated, int32(k))
		}
	}
	rank(times, dated, dst)
	return nil
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
	if err := ctx.Err(); err != nil {
		return err
	}
	lent := keys.Lend(l.Len())
	defer lent.Return()
	have := places.Lend(l.Len())
	defer have.Return()
	priorities, prioritised := lent.Of[:0], have.Of[:0]
	for k, item := range l.Items {
		if p := &l.Set.Loaded(int(item)).Priority; p.Set {
			priorities = append(priorities, uint64(p.Value)^1<<63) // unsigned order is now signed order
			prioritised = append(prioritised, int32(k))
		}
	}
	rank(priorities, prioritised, dst)
	return nil
}

// rank scores the items that have a key: the number of items with a lower key
// over the number of other items with one. It sets dst[have[i]] for keys[i], and
// the rest of dst to 0.
func rank(keys []uint64, have []int32, dst []float64) {
	if len(have) < len(dst) {
		clear(dst)
	}
	if len(keys) == 0 {
		return
	}
	lent := places.Lend(len(keys))
	defer lent.Return()
	perm := lent.Of
	order.SortInto(perm, keys)
	if len(perm) == 1 {
		dst[have[0]] = 1
		return
	}
	others := float64(len(perm) - 1)
	last, score := keys[perm[0]], 0.0
	for i, p := range perm {
		if key := keys[p]; key != last {
			last, score = key, float64(i)/others
		}
		dst[have[p]] = score
	}
}
