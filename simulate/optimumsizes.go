package simulate

import (
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// The optimum of candidates that may be cut: each in one of its sizes or not at all. It
// begins with the best values of the candidates that are whole or out, from
// optimumrows.go, and adds the candidates that may be cut one by one, over all targets:
// how much of a candidate is best depends on the target, so there is no narrow band.
//
// The first target of a row is bounded all the same. Candidates come best first. If i
// stands before j and is whole no heavier than a size of j, then i in place of j is no
// worse. So that size of j is needed only where each such i is in as well, in some size:
//
//	L(j, s) = w(j, s) + the sum of the least w(i) over i < j with w(i) <= w(j, s)

// class is a candidate that may be cut.
type class struct {
	sizes []sizedValue // in falling tokens, and of falling worth
	from  []int        // by size: the first target that may need it
	to    int          // the last target at which the row is computed: all so far fit
}

// classes returns the candidates that may be cut and can be in, best first, and the number of cells
// of their rows; only the first ones if they have more cells than most, which is above 0. used is the tokens of
// the others, and top the largest target.
func (s *scale) classes(in *slicer.Input, used int64, top int, most int64) (all []class, cells int64) {
	if in.Cuts == nil {
		return nil, 0
	}
	before := make(tokenSums, min(top, maxSum)+1)
	last := int64(math.MaxInt64) // the least worth of the candidates whose tokens are in before
	for i := range in.Items {
		sizes := s.choices(nil, in, i)
		if len(sizes) == 0 {
			continue
		}
		c := class{}
		for _, a := range sizes {
			from := int64(a.tokens)
			if a.units <= last {
				from += before.upTo(from)
			}
			if from <= int64(top) {
				c.sizes, c.from = append(c.sizes, a), append(c.from, int(from))
			}
		}
		if sizes[0].tokens == in.Tokens[i] {
			before.add(int64(sizes[0].tokens), int64(sizes[len(sizes)-1].tokens))
			last = min(last, sizes[0].units)
		}
		if isCut(in, i) && len(c.sizes) > 0 {
			used += int64(c.sizes[0].tokens)
			c.to = int(min(used, int64(top)))
			all = append(all, c)
			if cells += c.cells(); most > 0 && cells > most {
				break
			}
		}
	}
	return all, cells
}

// isCut reports whether the candidate at a position has shorter sizes; a note is none, as
// it is worth nothing.
func isCut(in *slicer.Input, i int) bool {
	from, to, _ := in.CutsOf(i)
	return from < to
}

// choices appends the sizes of the candidate at a position that fit the largest target and
// are worth at least one unit, and more than each smaller one; in falling tokens.
func (s *scale) choices(sizes []sizedValue, in *slicer.Input, i int) []sizedValue {
	n := len(sizes)
	from, to, _ := in.CutsOf(i)
	most := int64(0)
	add := func(at int) {
		tokens, score := in.TokensAt(at), in.ScoreAt(at)
		if tokens == 0 || tokens > model.Tokens(s.upTo) || !(score > 0) || math.IsInf(score, 1) {
			return
		}
		if units := s.units(score); units > most {
			sizes, most = append(sizes, sizedValue{tokens, units}), units
		}
	}
	for at := to - 1; at >= from; at-- {
		add(at)
	}
	add(i)
	slices.Reverse(sizes[n:])
	return sizes
}

// cells returns the number of cells of a row.
func (c *class) cells() (n int64) {
	for _, from := range c.from {
		n += int64(max(0, c.to-from+1))
	}
	return n
}

// addTo improves the best values by a candidate in its best size, and returns them, up to
// the last target of the row. old is memory for as many values.
func (c *class) addTo(m *slicer.Meter, best, old []int64) ([]int64, error) {
	for len(best) <= c.to { // all so far fit
		best = append(best, best[len(best)-1])
	}
	copy(old, best[:c.to+1])
	for k, a := range c.sizes {
		if err := row(m, best, old, c.from[k], c.to, a); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// tokenSums is a Fenwick tree. add adds tokens at a place, from 1 on, and upTo returns the sum at
// the places up to one. What is added at len(t) or beyond is left out.
type tokenSums []int64

// maxSum bounds the places of a tree over many targets. The sum for a heavier candidate lacks the
// others above maxSum tokens, so its row begins at a lower target than it could, which costs time
// and changes no result.
const maxSum = 1 << 16

func (t tokenSums) add(at, tokens int64) {
	for ; at < int64(len(t)); at += at & -at {
		t[at] += tokens
	}
}

func (t tokenSums) upTo(at int64) (sum int64) {
	for at = min(at, int64(len(t))-1); at > 0; at &= at - 1 {
		sum += t[at]
	}
	return sum
}
