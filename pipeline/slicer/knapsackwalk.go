package slicer

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// This file walks back from the last row to the first for all final capacities
// at once. The walk of a final capacity that has come to capacity c takes a row
// that improves at c, and goes on at c - w. Final capacities that come to the
// same place take the same rows from there on, so they go on as one group. A row
// costs one step for each of its bits at which a group stands.
//
// The walk finds
//
//   - the least final capacity that takes a row: the least of the groups that
//     take it;
//   - the last final capacity that does not take it: the last of the other groups;
//   - where the selection changes. Two neighbours, c-1 and c, that have taken
//     the same rows so far stand side by side. Each such pair is a link, kept in
//     a list at the place of c. Where a row is taken at one of the two places
//     and not at the other, the link breaks, and c is a change. A list moves with
//     its group, and is appended to the list of the group that it joins;
//   - bits where no group stands. They are cleared, which changes no selection
//     and makes every later walk shorter.

// group is the final capacities that stand at one place: the least and the last
// of them, and the list of their links, which is 0 if empty (no pair ends at 0).
type group struct{ first, last, head, tail int32 }

var noGroup = group{first: math.MaxInt32, last: -1}

// groups holds the groups of the current row, by their capacity.
type groups struct {
	at     []group
	some   []uint64 // bits by capacity: a group stands there
	linked []uint64 // bits by capacity: its group has links
	// highest is, by word of 64 capacities, at least the last of all in it.
	highest []int32
	next    []int32 // by link: the next of its list
	spare   []uint64
}

// newGroups is where the walk begins: each final capacity stands at itself. The error is
// ctx's.
func newGroups(ctx context.Context, top int32) (*groups, error) {
	words := int(top)>>6 + 1
	r := &groups{
		at: make([]group, words<<6), some: make([]uint64, words), linked: make([]uint64, words),
		highest: make([]int32, words), next: make([]int32, int(top)+1),
	}
	m := NewMeter(ctx, 0)
	for c := range r.at {
		if c&63 == 0 {
			if err := m.Add(stepCells << 6); err != nil {
				return nil, err
			}
		}
		r.at[c] = noGroup
		if c <= int(top) {
			r.at[c] = group{int32(c), int32(c), int32(c), int32(c)}
			r.some[c>>6] |= 1 << (c & 63)
			r.highest[c>>6] = int32(c)
		}
	}
	copy(r.linked, r.some)
	r.linked[0] &^= 1
	return r, nil
}

// down moves the group at capacity c down by weight, and returns its least.
func (r *groups) down(c, weight int) int32 {
	here := r.at[c]
	r.at[c] = noGroup
	to := c - weight
	there := &r.at[to]
	there.first, there.last = min(there.first, here.first), max(there.last, here.last)
	r.some[to>>6] |= 1 << (to & 63)
	r.highest[to>>6] = max(r.highest[to>>6], here.last)
	if here.head != 0 {
		if there.head == 0 {
			there.head = here.head
		} else {
			r.next[there.tail] = here.head
		}
		there.tail = here.tail
		r.linked[to>>6] |= 1 << (to & 63)
	}
	return here.first
}

// separate breaks the links at capacity c and marks them as changes.
func (r *groups) separate(c int, changes []uint64) {
	here := &r.at[c]
	for link := here.head; link != 0; link = r.next[link] {
		changes[link>>6] |= 1 << (link & 63)
	}
	here.head, here.tail = 0, 0
}

// lastWithout is the last final capacity that stands where a row is not taken.
// There is one: capacity 0.
func (r *groups) lastWithout(first int, words []uint64) int32 {
	last := int32(0)
	for w := len(r.some) - 1; w >= 0; w-- {
		some := r.some[w]
		if some == 0 || r.highest[w] <= last {
			continue
		}
		if k := w - first; k >= 0 && k < len(words) {
			some &^= words[k]
		}
		for ; some != 0; some &= some - 1 {
			last = max(last, r.at[w<<6+bits.TrailingZeros64(some)].last)
		}
	}
	return last
}

// walkBack fills first, stays and changes, and drops the bits and rows that no
// capacity goes through. A row costs its words and the bits where a group stands;
// a row that the largest capacity takes costs up to all capacities.
func (p *knapsackProfile) walkBack(m *Meter) error {
	all, err := newGroups(m.ctx, p.top)
	if err != nil {
		return err
	}
	p.changes = make([]uint64, len(all.some))
	p.first, p.stays = make([]int32, len(p.rows)), make([]int32, len(p.rows))
	left := p.top       // of the largest capacity
	kept := len(p.rows) // rows from here on are those kept
	var least []int32
	for i := len(p.rows); i > 0; {
		begin := p.begin(i - 1)
		rows, stays := p.rows[begin:i], int32(-1)
		chosen := slices.IndexFunc(rows, func(r row) bool { return p.bit(&r, left) })
		if chosen >= 0 {
			stays = all.lastWithout(p.words(&rows[chosen])) + 1
			left -= rows[chosen].weight
		}
		least = all.take(rows, least[:0], p.changes)
		for k := len(rows) - 1; k >= 0; k-- {
			if least[k] == noGroup.first {
				continue
			}
			kept--
			p.rows[kept], p.first[kept], p.stays[kept] = rows[k], least[k], -1
			if k == chosen {
				p.stays[kept] = stays
			}
		}
		if err := m.Add((int(p.top)>>6 + 1 - first(rows)) * len(rows) << 5); err != nil {
			return err
		}
		i = begin
	}
	clear(p.rows[:kept]) // their bits are free now
	p.rows, p.first, p.stays = p.rows[kept:], p.first[kept:], p.stays[kept:]
	return nil
}

// take has every group take a size of a candidate or leave it, clears the bits of its rows
// where no group stands, and appends the least final capacity that takes each row.
func (r *groups) take(rows []row, least []int32, changes []uint64) []int32 {
	if len(rows) == 1 {
		return append(least, r.takeRow(int(rows[0].from)>>6, rows[0].bits, int(rows[0].weight), changes))
	}
	for range rows {
		least = append(least, noGroup.first)
	}
	words := r.room(2 * len(rows))
	words, beside := words[:len(rows)], words[len(rows):] // beside: the highest bits of the words before
	// Lower capacities are done: what moves down now stays there.
	for w := first(rows); w < len(r.some); w++ {
		union := improves(rows, w, words)
		broken := uint64(0)
		for k, word := range words {
			broken |= word ^ (word<<1 | beside[k])
			beside[k] = word >> 63
		}
		if broken &= r.linked[w]; broken != 0 {
			r.linked[w] &^= broken
			for ; broken != 0; broken &= broken - 1 {
				r.separate(w<<6+bits.TrailingZeros64(broken), changes)
			}
		}
		for k, word := range words {
			if word&^r.some[w] != 0 {
				rows[k].bits[w-int(rows[k].from)>>6] = word & r.some[w]
			}
		}
		union &= r.some[w]
		r.some[w] &^= union
		r.linked[w] &^= union
		for ; union != 0; union &= union - 1 {
			bit := bits.TrailingZeros64(union)
			k := taken(words, bit)
			least[k] = min(least[k], r.down(w<<6+bit, int(rows[k].weight)))
		}
	}
	return least
}

// takeRow is the function take for a candidate of one size, without what tells sizes apart.
func (r *groups) takeRow(first int, words []uint64, weight int, changes []uint64) int32 {
	least := noGroup.first
	beside := uint64(0) // the highest bit of the word before
	// Lower capacities are done: what moves down now stays there.
	for k, word := range words {
		w := first + k
		if broken := (word ^ (word<<1 | beside)) & r.linked[w]; broken != 0 {
			r.linked[w] &^= broken
			for ; broken != 0; broken &= broken - 1 {
				r.separate(w<<6+bits.TrailingZeros64(broken), changes)
			}
		}
		beside = word >> 63
		word &= r.some[w]
		words[k] = word
		r.some[w] &^= word
		r.linked[w] &^= word
		for ; word != 0; word &= word - 1 {
			least = min(least, r.down(w<<6+bits.TrailingZeros64(word), weight))
		}
	}
	return least
}

// room returns n words of 0 for what a function of groups needs.
func (r *groups) room(n int) []uint64 {
	r.spare = append(r.spare[:0], make([]uint64, n)...)
	return r.spare
}
