package simulate

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"cupelscope/model"
)

// Pair names two items that belong together, by index: the call of a tool and
// its result. One without the other misleads the model, or is an error of the
// provider.
type Pair struct{ Call, Result int }

// Pairs is the pairs of a set; an item belongs to one at most. The zero Pairs
// has none. Immutable.
type Pairs struct {
	list    []Pair
	partner map[int]int
}

// NewPairs takes the pairs of a set of n items in which the call comes before
// the result; one of which an item is in an earlier pair is left out.
func NewPairs(n int, list []Pair) Pairs {
	p := Pairs{partner: make(map[int]int, 2*len(list))}
	for _, pair := range list {
		_, call := p.partner[pair.Call]
		_, result := p.partner[pair.Result]
		if call || result || pair.Call < 0 || pair.Call >= pair.Result || pair.Result >= n {
			continue
		}
		p.partner[pair.Call], p.partner[pair.Result] = pair.Result, pair.Call
		p.list = append(p.list, pair)
	}
	return p
}

// First is the pairs of the first n items.
func (p Pairs) First(n int) Pairs { return NewPairs(n, p.list) }

// All yields the pairs in the order given, as model.Set.WithPairs takes them.
func (p Pairs) All() iter.Seq2[int, int] {
	return func(yield func(call, result int) bool) {
		for _, pair := range p.list {
			if !yield(pair.Call, pair.Result) {
				return
			}
		}
	}
}

// Len is the number of pairs.
func (p Pairs) Len() int { return len(p.list) }

// Of is the pair of an item; false: it has none.
func (p Pairs) Of(item int) (Pair, bool) {
	partner, ok := p.partner[item]
	if !ok {
		return Pair{}, false
	}
	return Pair{Call: min(item, partner), Result: max(item, partner)}, true
}

// Split is the pairs of which a report has one item and not the other.
func (p Pairs) Split(r *model.Report) []Pair {
	var split []Pair
	for _, pair := range p.list {
		if r.In(pair.Call) != r.In(pair.Result) {
			split = append(split, pair)
		}
	}
	return split
}

// Alone reports whether the partner of an item is in a report and the item is
// not, or the reverse. The partner is -1 where there is none.
func (p Pairs) Alone(r *model.Report, item int) (partner int, split bool) {
	partner, ok := p.partner[item]
	if !ok {
		return -1, false
	}
	return partner, r.In(item) != r.In(partner)
}

// Together appends to dst the maximal ranges of budgets at which both items
// are in, ascending. It is exact: what Bands gives of both, intersected.
func (p *Profile) Together(dst []Band, pair Pair) []Band {
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

// Splitting is the maximal ranges of budgets at which at least one of the pairs
// is split, ascending. It costs the bands of all their items, and polls ctx,
// whose error is the only one.
func (p *Profile) Splitting(ctx context.Context, pairs Pairs) ([]Band, error) {
	var all, both []Band
	for _, pair := range pairs.list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		both = p.Bands(both[:0], pair.Call)
		calls := len(both)
		both = p.Bands(both, pair.Result)
		all = exclusive(all, both[:calls], both[calls:])
	}
	return merged(all), nil
}

// exclusive appends the ranges that are in one of two ascending lists of bands
// and not in the other.
func exclusive(dst, a, b []Band) []Band {
	// The ends of all bands, of both lists: between two of them nothing changes.
	edges := make([]model.Tokens, 0, 2*(len(a)+len(b)))
	for i, j := 0, 0; i < len(a) || j < len(b); {
		band := Band{}
		if j == len(b) || i < len(a) && a[i].From <= b[j].From {
			band = a[i]
			i++
		} else {
			band = b[j]
			j++
		}
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

// LeastOutside is the least budget from b to end that none of the bands has,
// which are ascending and apart; false: there is none. Of what Splitting returns
// it is the least budget at which every pair is whole.
func LeastOutside(bands []Band, b, end model.Tokens) (model.Tokens, bool) {
	for _, band := range bands {
		if b < band.From {
			break
		}
		b = max(b, band.To+1)
	}
	return b, b <= end
}

// LeastWithin is the least budget from b on that one of the bands has, which
// are ascending; false: there is none.
func LeastWithin(bands []Band, b model.Tokens) (model.Tokens, bool) {
	for _, band := range bands {
		if b <= band.To {
			return max(b, band.From), true
		}
	}
	return 0, false
}
