package slicer

import (
	"context"
	"math/bits"
)

// One table answers every capacity, and a target rounds down to a capacity. So a
// profile is a walk back over the table, from the last row to the first, for all final
// capacities at once. The walk of a final capacity that has come to capacity c takes a row
// that improves at c, and goes on at c - w. Final capacities that come to the same place take
// the same rows from there on, so they go on as one group. Neighbours come to the same place,
// so a group is nearly always one run of final capacities: a row costs a step for each run.

// groups holds the final capacities by the capacity to which their walks have come. Each group
// is a list of runs, which ends with 0: that final capacity selects nothing. A run is known by
// the lowest of its final capacities.
type groups struct {
	some       []uint64 // bits by capacity: a group stands there
	head, tail []int32  // by capacity: the first and the last run of its group
	next       []int32  // by run: the next of its group
	highest    []int32  // by run: its highest final capacity
}

// newGroups is where the walk begins: each final capacity stands at itself.
func newGroups(top int32) *groups {
	n := top + 1
	columns := make([]int32, 4*n)
	g := &groups{some: make([]uint64, top>>6+1), head: columns[:n], tail: columns[n : 2*n], next: columns[2*n : 3*n], highest: columns[3*n:]}
	for c := int32(1); c <= top; c++ {
		g.some[c>>6] |= 1 << (c & 63)
		g.head[c], g.tail[c], g.highest[c] = c, c, c
	}
	return g
}

// take has every group take a size of a candidate or leave it. A size has a set of turns, the final
// capacities at which it enters or leaves. words is memory for a word of each size.
func (g *groups) take(rows []row, words []uint64, turns [][]uint64) {
	size, begin, end := 0, int32(0), int32(0) // final capacities that take a size, from begin up to end
	// Lower capacities are done: what moves down now stays there.
	for w := first(rows); w < len(g.some); w++ {
		word := improves(rows, w, words) & g.some[w]
		g.some[w] &^= word
		for ; word != 0; word &= word - 1 {
			c := w<<6 + bits.TrailingZeros64(word)
			k := taken(words, c&63)
			for run := g.head[c]; run != 0; run = g.next[run] {
				if run != end || k != size {
					turn(turns[size], begin, end)
					size, begin = k, run
				}
				end = g.highest[run] + 1
			}
			g.down(c, c-int(rows[k].weight))
		}
	}
	turn(turns[size], begin, end)
}

// turn adds the final capacities from begin up to end to what takes a size. Where others have ended at
// begin nothing turns.
func turn(turns []uint64, begin, end int32) {
	turns[begin>>6] ^= 1 << (begin & 63)
	turns[end>>6] ^= 1 << (end & 63)
}

// down moves a group to a lower capacity, where it joins the one that stands there.
func (g *groups) down(from, to int) {
	first, last, before := g.head[from], g.tail[from], g.tail[to]
	switch {
	case g.head[to] == 0:
		g.head[to] = first
	case g.highest[before]+1 == first: // they are one run
		g.highest[before], g.next[before] = g.highest[first], g.next[first]
		if last == first {
			last = before
		}
	default:
		g.next[before] = first
	}
	g.tail[to], g.head[from] = last, 0
	g.some[to>>6] |= 1 << (to & 63)
}

// Profile implements Prepared: the table, which may be of an earlier call, and the walk.
// Errors: ctx's, *model.TableError, and a *RecordsError for more than MaxRecords times that
// a candidate enters or leaves.
func (k *knapsack) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, k.in, upTo); err != nil {
		return nil, err
	}
	if len(k.notes) > 0 {
		return k.profileOfNotes(ctx, upTo)
	}
	c := k.capacity(upTo)
	t, err := k.tableFor(ctx, c, upTo)
	if err != nil {
		return nil, err
	}
	words := t.size()
	m := NewMeter(ctx, profileCost(words))
	if err := m.Add(words << 6); err != nil { // the table
		return nil, err
	}
	all, err := t.walkBack(&m, upTo, MaxRecords)
	if err != nil {
		return nil, err
	}
	if upTo > 0 {
		for _, i := range k.free {
			all = append(all, toggle{i, 1})
		}
	}
	p, err := newTabulated(ctx, k.in, upTo, all)
	if err != nil {
		return nil, err
	}
	m.Finish()
	return p, nil
}

// walkBack returns what enters and leaves up to a target, position by position.
func (t *table) walkBack(m *Meter, upTo Target, limit int) (all []toggle, err error) {
	top := int32(min(t.k.capacity(upTo), int64(t.top)))
	g := newGroups(top)
	number := make([]int32, top+1) // by capacity: how many enter or leave
	var words []uint64
	var turns [][]uint64 // by size
	for end := len(t.rows); end > 0; {
		begin := t.begin(end - 1)
		rows := t.rows[begin:end]
		for len(turns) < len(rows) {
			words, turns = append(words, 0), append(turns, make([]uint64, (top+1)>>6+1))
		}
		g.take(rows, words, turns)
		for k, r := range rows {
			for w, word := range turns[k] {
				for ; word != 0; word &= word - 1 {
					c := int32(w<<6 + bits.TrailingZeros64(word))
					if c > top {
						break
					}
					if number[c]++; len(all) <= limit {
						all = append(all, toggle{t.k.at[r.candidate], t.target(c)})
					}
				}
			}
			clear(turns[k])
		}
		if err := m.Add((int(t.top)>>6 + 1 - first(rows)) * len(rows) << 5); err != nil {
			return nil, err
		}
		end = begin
	}
	sum := 0
	for c, n := range number {
		if sum += int(n); sum > limit {
			return nil, &RecordsError{Candidates: t.k.in.Positions(), UpTo: upTo, Reached: t.target(int32(c)) - 1, Limit: limit}
		}
	}
	return all, nil
}

// target is the least target of a capacity.
func (t *table) target(c int32) Target { return Target(c) * Target(t.k.bucket) }

// profileCost is the cells of a table of so many words, and for the walk half as many again, as it
// costs about half as much.
func profileCost(words int) int64 { return int64(words)<<6 + int64(words)<<5 }
