package slicer

import (
	"context"
	"math/bits"
)

// One table answers every capacity, and a target rounds down to a capacity. So a
// profile is a walk back over the table, from the last row to the first, for all final
// capacities at once. The walk of a final capacity that has come to capacity c takes a row
// that improves at c, and goes on at c - w. Final capacities that come to the same place take
// the same rows from there on, so they go on as one group. In large buckets neighbours come to
// the same place, and a group is one run of final capacities; in small ones it is many runs, most of
// one capacity. A row costs a step for each run that selects it.

// groups holds the final capacities by the capacity to which their walks have come.
type groups struct {
	some []uint64 // bits by capacity: a group stands there
	at   []group  // by capacity
	more []run    // by the final capacity at which a run begins that is not the first of its group
}

// group is its first run, from begin up to end, with where its next run begins and where its
// last one does.
type group struct {
	begin, last int32
	run
}

// run is where a run of final capacities ends and where the next run of its group begins; next
// is 0 if there is none.
type run struct{ end, next int32 }

// newGroups is where the walk begins: each final capacity stands at itself. Capacity 0 has no
// group: what comes there selects nothing more.
func newGroups(top int32) *groups {
	n := top + 1
	g := &groups{some: make([]uint64, top>>6+1), at: make([]group, n), more: make([]run, n)}
	for c := int32(1); c <= top; c++ {
		g.some[c>>6] |= 1 << (c & 63)
		g.at[c] = group{c, c, run{end: c + 1}}
	}
	return g
}

// take moves each group that takes a size of a candidate down by the weight of that size, and
// adds the final capacities of the group to the set of the size. words is scratch memory, a
// word for each size.
func (g *groups) take(rows []row, words []uint64, sets [][]uint64) {
	size, begin, end := 0, int32(0), int32(0) // final capacities, from begin up to end, that take a size and are not in its set yet
	// Capacities are visited upwards, so a group that moves down is not visited again.
	for w := first(rows); w < len(g.some); w++ {
		word := improves(rows, w, words) & g.some[w]
		g.some[w] &^= word
		for ; word != 0; word &= word - 1 {
			c := w<<6 + bits.TrailingZeros64(word)
			k := taken(words, c&63)
			moved := g.at[c]
			if moved.begin != end || k != size {
				add(sets[size], begin, end)
				size, begin = k, moved.begin
			}
			end = moved.end
			for from := moved.next; from != 0; {
				r := g.more[from]
				if r.end == from+1 {
					sets[k][from>>6] |= 1 << (from & 63)
				} else {
					add(sets[k], from, r.end)
				}
				from = r.next
			}
			g.down(c, c-int(rows[k].weight))
		}
	}
	add(sets[size], begin, end)
}

// add adds the capacities from begin up to end to a set.
func add(set []uint64, begin, end int32) {
	for ; begin>>6 < end>>6; begin = (begin>>6 + 1) << 6 {
		set[begin>>6] |= ^uint64(0) << (begin & 63)
	}
	set[begin>>6] |= (1<<(end-begin) - 1) << (begin & 63)
}

// down moves a group to a lower capacity, where it joins the one that stands there.
func (g *groups) down(from, to int) {
	moved, there := g.at[from], &g.at[to]
	bit := uint64(1) << (to & 63)
	switch {
	case g.some[to>>6]&bit == 0:
		g.some[to>>6] |= bit
		*there = moved
	case there.next == 0 && there.end == moved.begin: // the first run that moves continues the only run there
		there.run = moved.run
		if moved.next != 0 {
			there.last = moved.last
		}
	default:
		last := &there.run
		if there.next != 0 {
			last = &g.more[there.last]
		}
		last.next, g.more[moved.begin], there.last = moved.begin, moved.run, moved.last
	}
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
	var sets [][]uint64 // by size
	var turns []int32
	for end := len(t.rows); end > 0; {
		begin := t.begin(end - 1)
		rows := t.rows[begin:end]
		for len(sets) < len(rows) {
			words, sets = append(words, 0), append(sets, make([]uint64, (top+1)>>6+1))
		}
		g.take(rows, words, sets)
		for k, r := range rows {
			turns = turnsOf(turns[:0], sets[k], top)
			for _, c := range turns {
				number[c]++
				if len(all) <= limit {
					all = append(all, toggle{t.k.at[r.candidate], t.target(c)})
				}
			}
			clear(sets[k])
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

// turnsOf appends the capacities up to top that are in a set where the one below is not, or the
// other way round, to dst.
func turnsOf(dst []int32, set []uint64, top int32) []int32 {
	below := uint64(0) // the highest bit of the word before
	for w, word := range set {
		for turns := word ^ (word<<1 | below); turns != 0; turns &= turns - 1 {
			if c := int32(w<<6 + bits.TrailingZeros64(turns)); c <= top {
				dst = append(dst, c)
			}
		}
		below = word >> 63
	}
	return dst
}

// target is the least target of a capacity.
func (t *table) target(c int32) Target { return Target(c) * Target(t.k.bucket) }

// profileCost is the cells of a table of so many words, and for the walk half as many again, as it
// costs about half as much.
func profileCost(words int) int64 { return int64(words)<<6 + int64(words)<<5 }
