package simulate

import (
	"cmp"
	"context"
	"slices"

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

// intersect appends what two ascending lists of bands share.
func intersect(dst, a, b []Band) []Band {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if from, to := max(a[i].From, b[j].From), min(a[i].To, b[j].To); from <= to {
			dst = append(dst, Band{from, to})
		}
		if a[i].To < b[j].To {
			i++
		} else {
			j++
		}
	}
	return dst
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

// exclusive appends the ranges that are in one of two lists of bands and not in the
// other. The bands of each list must not overlap.
func exclusive(dst, both []Band) []Band {
	edges := make([]model.Tokens, 0, 2*len(both)) // between two of them nothing changes
	for _, band := range both {
		edges = append(edges, band.From, band.To+1)
	}
	slices.Sort(edges)
	// An odd number of edges up to a budget: it is in one list alone.
	for k := 0; k+1 < len(edges); k += 2 {
		if edges[k] < edges[k+1] {
			dst = append(dst, Band{edges[k], edges[k+1] - 1})
		}
	}
	return dst
}

// merged is the union of bands, as maximal ones in ascending order, in place.
func merged(bands []Band) []Band {
	slices.SortFunc(bands, func(a, b Band) int { return cmp.Compare(a.From, b.From) })
	out := bands[:0]
	for _, b := range bands {
		if n := len(out); n > 0 && b.From <= out[n-1].To+1 {
			out[n-1].To = max(out[n-1].To, b.To)
			continue
		}
		out = append(out, b)
	}
	return out
}

// MinOutside returns the least budget from b to end that lies in none of the
// bands, or false if there is none. The bands must be ascending and must not
// overlap. For the bands that Splitting returns it is the least budget that
// splits no pair.
func MinOutside(bands []Band, b, end model.Tokens) (model.Tokens, bool) {
	for _, band := range bands {
		if b < band.From {
			break
		}
		b = max(b, band.To+1)
	}
	return b, b <= end
}

// minWithin returns the least budget from b on that lies in one of the
// bands, which must be ascending, or false if there is none.
func minWithin(bands []Band, b model.Tokens) (model.Tokens, bool) {
	for _, band := range bands {
		if b <= band.To {
			return max(b, band.From), true
		}
	}
	return 0, false
}
