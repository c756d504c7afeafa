package simulate

import (
	"context"

	"cupelscope/model"
)

// Together appends to dst the maximal ranges of budgets at which both items of
// the pair are in, ascending. It is exact: the intersection of the Bands of
// both.
func (p *Profile) Together(dst []Band, pair model.Pair) []Band {
	var room [16]Band
	both := p.Bands(room[:0], pair.Call)
	calls := len(both)
	both = p.Bands(both, pair.Result)
	return intersect(dst, both[:calls], both[calls:])
}

// Splitting returns the maximal ranges of budgets at which at least one pair of the
// ranking's items is split, ascending. It computes the bands of all their items. The
// only error is ctx's, which is polled before each pair.
func (p *Profile) Splitting(ctx context.Context) ([]Band, error) {
	var all, both []Band
	for _, pair := range p.ranking.Items().Pairs() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		both = p.Bands(p.Bands(both[:0], pair.Call), pair.Result)
		all = exclusive(all, both)
	}
	return merged(all), nil
}
