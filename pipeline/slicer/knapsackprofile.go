package slicer

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sort"
	"sync"

	"cupelscope/model"
)

// One table answers every capacity, and a target is a capacity rounded. So a
// profile is the table and three walks over it:
//
//   - backwards, for all capacities at once, to learn the least and the last
//     capacities that reach each row (walkBack): First and Stays of all items;
//   - forwards from one row, to find all capacities that select it (capacities):
//     Bands of an item that comes and goes;
//   - forwards with a number for each distinct selection (walkForward): the
//     changes and the curve.

// knapsackProfile is the Profile of Knapsack. Columns are by position in the Input.
type knapsackProfile struct {
	*table
	upTo  Target
	first []int32 // capacity, -1: never
	stays []int32 // capacity, -1: not selected at the end
	rowOf []int32 // -1: no row

	curving sync.Once
	curve   Curve
}

// Profile implements Profiler. It makes the table (or has it from a Slice) and
// walks it back once. Errors: ctx's, *model.TableError.
func (k *knapsack) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if upTo < 0 || upTo > Target(model.MaxTokens) {
		return nil, fmt.Errorf("a profile up to target %v: must be 0 to %v", model.Tokens(upTo), model.MaxTokens)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := k.capacity(upTo)
	t := k.largest.Load()
	if t == nil || !t.answers(c) || int64(t.top) > c {
		var err error
		if t, err = k.newTable(ctx, c, upTo); err != nil {
			return nil, err
		}
		k.keep(t)
	}
	n := k.in.Len()
	columns := make([]int32, 3*n)
	for i := range columns {
		columns[i] = -1
	}
	p := &knapsackProfile{table: t, upTo: upTo, first: columns[:n], stays: columns[n : 2*n], rowOf: columns[2*n:]}
	for i := range t.rows {
		p.rowOf[k.at[t.rows[i].candidate]] = int32(i)
	}
	return p, p.walkBack(ctx)
}

// reach is which final capacities arrive at some capacity of the row in hand,
// while all of them are walked back at once: the least and the last of them.
type reach struct{ least, last int32 }

var nobody = reach{math.MaxInt32, -1}

// reached is who arrives, by capacity, and a bit for each where anybody does.
type reached struct {
	at   []reach
	some []uint64
}

// everybody is the beginning: each final capacity is at itself.
func everybody(top int32) reached {
	r := reached{make([]reach, int(top)|63+1), make([]uint64, int(top)>>6+1)}
	for c := range r.at {
		r.at[c] = nobody
		if c <= int(top) {
			r.at[c] = reach{int32(c), int32(c)}
			r.some[c>>6] |= 1 << (c & 63)
		}
	}
	return r
}

// down moves whoever is at capacity c down by weight, and returns them.
func (r *reached) down(c, weight int) reach {
	here := r.at[c]
	r.at[c] = nobody
	r.some[c>>6] &^= 1 << (c & 63)
	c -= weight
	to := &r.at[c]
	to.least, to.last = min(to.least, here.least), max(to.last, here.last)
	r.some[c>>6] |= 1 << (c & 63)
	return here
}

// walkBack finds, for every item, the least capacity that selects it, and the
// last one that does not if the largest one does. Each row costs its bits, and
// a row that is selected at the largest capacity all capacities.
func (p *knapsackProfile) walkBack(ctx context.Context) error {
	all := everybody(p.top)
	left := p.top // of the largest capacity
	cells := 0
	for i := len(p.rows) - 1; i >= 0; i-- {
		r := &p.rows[i]
		item := p.k.at[r.candidate]
		if p.bit(r, left) {
			p.stays[item] = p.lastWithout(r, &all) + 1
			left -= r.weight
			cells += int(p.top)
		}
		first, words := p.words(r)
		least := nobody.least
		for w, word := range words {
			// Lower capacities are done: what moves down now stays there.
			for word &= all.some[first+w]; word != 0; word &= word - 1 {
				c := (first+w)<<6 + bits.TrailingZeros64(word)
				least = min(least, all.down(c, int(r.weight)).least)
			}
		}
		if least != nobody.least {
			p.first[item] = least
		}
		if cells += len(words) << 6; cells >= 1<<20 {
			cells = 0
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastWithout is the last final capacity that arrives where row r is not taken.
// There is one: capacity 0.
func (p *knapsackProfile) lastWithout(r *row, all *reached) int32 {
	last := int32(0)
	first, words := p.words(r)
	for w, some := range all.some {
		if w >= first {
			some &^= words[w-first]
		}
		for ; some != 0; some &= some - 1 {
			last = max(last, all.at[w<<6+bits.TrailingZeros64(some)].last)
		}
	}
	return last
}

// UpTo implements Profile.
func (p *knapsackProfile) UpTo() Target { return p.upTo }

func (p *knapsackProfile) target(c int32) Target { return Target(c) * Target(p.k.bucket) }

// First implements Profile in O(1).
func (p *knapsackProfile) First(i int) (Target, bool) {
	if p.k.in.Tokens[i] == 0 {
		return 1, p.upTo > 0
	}
	return p.target(p.first[i]), p.first[i] >= 0
}

// Stays implements Profile in O(1).
func (p *knapsackProfile) Stays(i int) (Target, bool) {
	if p.k.in.Tokens[i] == 0 {
		return 1, p.upTo > 0
	}
	return p.target(p.stays[i]), p.stays[i] >= 0
}

// Bands implements Profile: O(1) for an item with one band that lasts or with
// none, else a pass over the bits of all later rows, 64 capacities a step.
func (p *knapsackProfile) Bands(dst []Band, i int) []Band {
	first, in := p.First(i)
	if !in {
		return dst
	}
	if stays, ok := p.Stays(i); ok && stays == first {
		return append(dst, Band{first, p.upTo})
	}
	set := p.capacities(p.rowOf[i])
	for c := p.first[i]; c <= p.top; {
		end := c + 1
		for end <= p.top && set[end>>6]>>(end&63)&1 != 0 {
			end++
		}
		to := p.upTo
		if end <= p.top {
			to = p.target(end) - 1
		}
		dst = append(dst, Band{p.target(c), to})
		for c = end; c <= p.top && set[c>>6]>>(c&63)&1 == 0; {
			c++
		}
	}
	return dst
}

// capacities is the set of capacities at which the item of a row is selected.
// Beginning with those at which the row improves, each later row j keeps, of
// the capacities where it does not improve itself, those in the set, and where
// it does, those that are in the set once its weight is taken off.
func (p *knapsackProfile) capacities(from int32) []uint64 {
	set := make([]uint64, int(p.top)>>6+1)
	r := &p.rows[from]
	first, words := p.words(r)
	copy(set[first:], words)
	for i := int(from) + 1; i < len(p.rows); i++ {
		r := &p.rows[i]
		first, words := p.words(r)
		skip, shift := int(r.weight)>>6, uint(r.weight)&63
		for w := len(words) - 1; w >= 0; w-- { // from above: what is read is still of the row before
			improves := words[w]
			if improves == 0 {
				continue
			}
			at := first + w
			var less uint64
			if k := at - skip; k >= 0 {
				less = set[k] << shift
				if k > 0 && shift > 0 {
					less |= set[k-1] >> (64 - shift)
				}
			}
			set[at] = less&improves | set[at]&^improves
		}
	}
	return set
}

// At implements Profile: O(rows).
func (p *knapsackProfile) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.k.in.Len())
	t = min(t, p.upTo)
	if t <= 0 {
		return dst
	}
	for _, i := range p.k.free {
		dst.Add(int(i))
	}
	p.selection(p.k.capacity(t), dst)
	return dst
}

// Next implements Profile: O(log changes) after the first call for any of
// Next, Prev and Curve, which costs a walk over the bits.
func (p *knapsackProfile) Next(t Target) (Target, bool) {
	changes := p.Curve().Targets[1:]
	k := sort.Search(len(changes), func(i int) bool { return changes[i] > t })
	if k == len(changes) {
		return 0, false
	}
	return changes[k], true
}

// Prev implements Profile; see Next for its cost.
func (p *knapsackProfile) Prev(t Target) (Target, bool) {
	changes := p.Curve().Targets[1:]
	k := sort.Search(len(changes), func(i int) bool { return changes[i] > t })
	if k == 0 {
		return 0, false
	}
	return changes[k-1], true
}

// Curve implements Profile. The score is added up in sorted order.
func (p *knapsackProfile) Curve() Curve {
	p.curving.Do(p.walkForward)
	return p.curve
}
