package simulate

import (
	"context"

	"cupelscope/model"
)

// Pairs is the pairs of a set; an item belongs to at most one. The zero Pairs
// is empty. A Pairs is immutable and safe for concurrent use.
type Pairs struct {
	list    []model.Pair
	partner map[int]int
}

// PairsOf returns the pairs of a set (model.Set.WithPairs), in the order of their
// results.
func PairsOf(s *model.Set) Pairs {
	p := Pairs{partner: map[int]int{}}
	for i := range s.Len() {
		if call, ok := s.Partner(i); ok && call < i {
			p.add(model.Pair{Call: call, Result: i})
		}
	}
	return p
}

func (p *Pairs) add(pair model.Pair) {
	p.list = append(p.list, pair)
	p.partner[pair.Call], p.partner[pair.Result] = pair.Result, pair.Call
}

// First returns the pairs whose items are both among the first n items.
func (p Pairs) First(n int) Pairs {
	first := Pairs{partner: map[int]int{}}
	for _, pair := range p.list {
		if pair.Result < n {
			first.add(pair)
		}
	}
	return first
}

// Len returns the number of pairs.
func (p Pairs) Len() int { return len(p.list) }

// Of returns the pair that an item belongs to, or false if it belongs to none.
func (p Pairs) Of(item int) (model.Pair, bool) {
	partner, ok := p.partner[item]
	if !ok {
		return model.Pair{}, false
	}
	return model.Pair{Call: min(item, partner), Result: max(item, partner)}, true
}

// Split returns the pairs that a report splits: it includes one item and not
// the other.
func (p Pairs) Split(r *model.Report) []model.Pair {
	var split []model.Pair
	for _, pair := range p.list {
		if r.In(pair.Call) != r.In(pair.Result) {
			split = append(split, pair)
		}
	}
	return split
}

// Alone returns the partner of an item, or -1 if it has none, and reports
// whether a report splits them: it includes one and not the other.
func (p Pairs) Alone(r *model.Report, item int) (partner int, split bool) {
	partner, ok := p.partner[item]
	if !ok {
		return -1, false
	}
	return partner, r.In(item) != r.In(partner)
}

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

// Splitting returns the maximal ranges of budgets at which at least one of the
// pairs is split, ascending. It computes the bands of all their items. The
// only error is ctx's, which is polled before each pair.
func (p *Profile) Splitting(ctx context.Context, pairs Pairs) ([]Band, error) {
	var all, both []Band
	for _, pair := range pairs.list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		both = p.Bands(p.Bands(both[:0], pair.Call), pair.Result)
		all = exclusive(all, both)
	}
	return merged(all), nil
}
