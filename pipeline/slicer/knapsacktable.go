package slicer

import (
	"context"
	"math"
	"slices"

	"cupelscope/model"
)

// The knapsack's table has a row for each candidate and in it one bit for each
// capacity: whether the candidate improves on the best set of those before it. A
// row does not depend on the largest capacity, so one table answers every
// capacity up to its own.
//
// Most bits are 0 for certain. Candidates come in order of value, the largest
// first. If i stands before j and is no heavier, then a set with j but without i
// is no better than the set with i in place of j, and the programme takes j only
// if that is strictly better. So j improves on a capacity only if all such i are
// in as well:
//
//	L_j = w_j + the sum of w_i over i < j with w_i <= w_j
//
// The bits of row j below L_j are 0. Only the capacities from L_j on are computed
// and stored, and a row whose L_j exceeds the largest capacity is dropped. With
// 100,000 candidates of log-normal sizes and 1,280 buckets 1 % of the cells
// remains. (If values are not in falling order, as in a list that a caller made,
// L_j is w_j.)
//
// A cell that remains costs less than a nanosecond and one bit.

// programme is an Input as the dynamic programme sees it. Columns hold the
// candidates that can be selected, tokens and value above 0, in sorted order, each followed
// by its smaller sizes of a value.
type programme struct {
	tableBounds
	in     *Input
	at     []int32 // position in the Input
	tok    []model.Tokens
	value  []int64
	sorted bool    // value never rises, and no size of a candidate is worth more than its whole
	small  int64   // below so many words of bits the table is made for a single capacity
	free   []int32 // positions without tokens, ascending
	notes  []int32 // positions of candidates that have a note, ascending
}

// largestSize reports whether a candidate has no larger size than that at i.
func (k *programme) largestSize(i int) bool {
	return int(k.at[i]) < k.in.Len() || k.in.Whole(int(k.at[i])) != k.in.Whole(int(k.at[i-1]))
}

// end is where the sizes of a candidate end that begin at i.
func (k *programme) end(i int) int {
	for i++; i < len(k.at) && !k.largestSize(i); i++ {
	}
	return i
}

// candidates is how many there are, each in one size or more.
func (k *programme) candidates() (n int) {
	for i := range k.at {
		if k.largestSize(i) {
			n++
		}
	}
	return n
}

// weight is the size of a candidate in buckets, rounded up.
func weight(tok, bucket model.Tokens) int64 { return int64((tok-1)/bucket) + 1 }

// row is a candidate with at least one cell.
type row struct {
	candidate int32 // index in the columns of programme
	item      int32 // position of the candidate, where the row is of a size of it
	weight    int32
	from      int32 // L: the first capacity that can have its bit set

	bits []uint64 // for the capacities from from&^63 on
}

// count is how many words of bits a row has in a table up to capacity top.
func (r *row) count(top int32) int { return int(top>>6-r.from>>6) + 1 }

// table answers every capacity up to the one it was made for.
type table struct {
	k     *programme
	asked int64 // capacity asked for
	top   int32 // capacity computed: at most the sum of all weights
	rows  []row // in sorted order
}

// blockWords is how many words of bits are asked for at a time: 2 MB. Memory that was
// used before is cleared first, which takes a quarter of a second for a gigabyte, and
// nothing can be cancelled meanwhile.
const blockWords = 1 << 18

// room returns room for the bits of row i, and what is spare for the rows after it.
func (t *table) room(spare []uint64, i int) (bits, rest []uint64) {
	if len(spare) == 0 {
		words := 0
		for k := i; k < len(t.rows) && words < blockWords; k++ {
			words += t.rows[k].count(t.top)
		}
		spare = make([]uint64, words)
	}
	n := t.rows[i].count(t.top)
	return spare[:n:n], spare[n:]
}

// size is how many words of bits the table has.
func (t *table) size() (words int) {
	for i := range t.rows {
		words += t.rows[i].count(t.top)
	}
	return words
}

// answers reports whether the table knows the selection at capacity c.
func (t *table) answers(c int64) bool { return c <= t.asked }

// widest bounds the tree of exchanges. A heavier candidate gets a lower L than it
// could have, which is sound.
const widest = 1 << 20

// top is the capacity to compute: no more than the sum of all weights.
func (k *programme) top(capacity int64, bucket model.Tokens) (top int64) {
	for i, tok := range k.tok {
		if !k.largestSize(i) {
			continue
		}
		if top += weight(tok, bucket); top >= capacity {
			return capacity
		}
	}
	return top
}

// exchanges sums up what earlier candidates take, by the weight of their wholes: a Fenwick
// tree.
type exchanges struct {
	top      int64
	sums     []int64 // nil if the candidates are not sorted
	vanished int64   // rows of this weight or more begin above top, so that they have no cell
}

// exchanges returns the exchanges of the first n columns before any candidate is added.
func (k *programme) exchanges(n int, bucket model.Tokens, top int64) *exchanges {
	e := &exchanges{top: top, vanished: top + 1}
	if !k.sorted {
		return e
	}
	largest := model.Tokens(1)
	for _, tok := range k.tok[:n] {
		largest = max(largest, tok)
	}
	e.sums = make([]int64, min(weight(largest, bucket), top, widest)+1)
	return e
}

// from returns the bound of a row, or more than the largest capacity.
func (e *exchanges) from(weight int64) int64 {
	if weight >= e.vanished {
		return e.top + 1
	}
	from := weight
	for w := min(int(weight), len(e.sums)-1); w > 0; w &= w - 1 {
		from += e.sums[w]
	}
	if from > e.top { // and so is every later row that is no lighter
		e.vanished = weight
	}
	return from
}

// add adds a candidate with the weights of its whole and of its smallest size.
func (e *exchanges) add(whole, smallest int64) {
	for w := int(whole); w < len(e.sums); w += w & -w {
		e.sums[w] += smallest
	}
}

// layout finds the rows for a capacity at the given bucket size, how many
// words of bits they need, and the capacity to compute. Beyond topLimit there are no rows.
// O(n log w).
func (k *programme) layout(capacity int64, bucket model.Tokens) (rows []row, words int64, top int64) {
	top = k.top(capacity, bucket)
	if top <= k.topLimit() {
		rows, words = k.rows(top, bucket, nil)
	}
	return rows, words, top
}

// rows finds the rows for capacities up to top, of the sizes needed or, with nil, of all.
func (k *programme) rows(top int64, bucket model.Tokens, needed []bool) (rows []row, words int64) {
	n := len(k.at)
	if needed != nil {
		n = len(needed)
	}
	e := k.exchanges(n, bucket, top)
	for i, end := 0, 0; i < n && e.vanished > 1; i = end {
		end = k.end(i)
		if needed != nil && !slices.Contains(needed[i:end], true) {
			continue
		}
		first, smallest := len(rows), int64(math.MaxInt64)
		for s := i; s < end; s++ {
			w := weight(k.tok[s], bucket)
			if w == smallest && k.value[s] <= k.value[s-1] {
				continue // the larger one is as light
			}
			smallest = w
			if from := e.from(w); from <= top && (needed == nil || needed[s]) {
				rows = append(rows, row{candidate: int32(s), item: int32(k.in.Whole(int(k.at[i]))), weight: int32(w), from: int32(from)})
				words += top>>6 - from>>6 + 1
			}
		}
		if len(rows) > first {
			e.add(weight(k.tok[i], bucket), smallest)
		}
	}
	return rows, words
}

// newTable computes the table for capacity, which target t has. The
// error is ctx's, polled every million cells, or a *model.TableError.
func (k *programme) newTable(ctx context.Context, capacity int64, t Target) (*table, error) {
	rows, words, top := k.layout(capacity, k.bucket)
	if !k.fits(words, top) {
		layout := func(capacity int64, bucket model.Tokens) (words, top int64) {
			_, words, top = k.layout(capacity, bucket)
			return words, top
		}
		return nil, k.tooLarge(ctx, t, k.candidates(), layout)
	}
	made := &table{k: k, asked: capacity, top: int32(top), rows: rows}
	if top < capacity {
		made.asked = math.MaxInt64 // everything fits: more room changes nothing
	}
	_, err := made.fill(ctx, words)
	return made, err
}

// fill computes all bits, and returns the value of the best set at a capacity up to top.
// Progress is told of so many words, and with 0 not.
func (t *table) fill(ctx context.Context, words int64) (best func(int64) int64, err error) {
	var sum, most int64
	narrow := true
	for _, r := range t.rows {
		v := t.k.value[r.candidate]
		most = max(most, v)
		if sum += v; sum >= 1<<30 {
			narrow = false
		}
	}
	m := NewMeter(ctx, profileCost(int(words))) // a walk may follow
	if narrow {
		return fill[int32](&m, t, most)
	}
	return fill[int64](&m, t, most)
}

// lead is how many lanes stand before capacity 0: a row is computed in whole
// words, whose first cells may ask for a capacity below 0. A set there is worth
// so little that it never improves on anything.
const lead = 64

// fill computes all bits. The programme runs in place, capacity descending, so
// that a lower capacity still holds the row before.
func fill[V int32 | int64](m *Meter, t *table, most int64) (best func(int64) int64, err error) {
	dp := make([]V, lead+int(t.top)|63+1)
	for i := range lead {
		dp[i] = V(-most)
	}
	var spare []uint64
	for i := 0; i < len(t.rows); {
		rows := t.rows[i:t.end(i)]
		for k := range rows {
			rows[k].bits, spare = t.room(spare, i+k)
		}
		i += len(rows)
		words := int(t.top)>>6 + 1
		for w := words; w > first(rows); {
			low := max(first(rows), w-MeterStep/64)
			if err := m.Add((w - low) * len(rows) << 6); err != nil {
				return nil, err
			}
			if len(rows) > 1 {
				fillSizes(t, dp, rows, low, w)
			} else {
				fillRow(t, dp, &rows[0], low, w)
			}
			w = low
		}
		// Cells below from were computed with the word and cannot be set. Those
		// above top can, and would be taken for capacities.
		for k := range rows {
			bits := rows[k].bits
			bits[len(bits)-1] &= ^uint64(0) >> (63 - t.top&63)
		}
	}
	return func(c int64) int64 { return int64(dp[lead+c]) }, nil
}

// fillRow does the words of capacities from low to high-1 of a row.
func fillRow[V int32 | int64](t *table, dp []V, r *row, low, high int) {
	v, first := V(t.k.value[r.candidate]), int(r.from)>>6
	for w := high - 1; w >= low; w-- {
		at := lead + w<<6
		r.bits[w-first] = fillWord((*[64]V)(dp[at:]), (*[64]V)(dp[at-int(r.weight):]), v)
	}
}

// fillSizes does the same for the sizes of a candidate. The bit of a size that a smaller
// one improves on is cleared.
func fillSizes[V int32 | int64](t *table, dp []V, rows []row, low, high int) {
	for w := high - 1; w >= low; w-- {
		at := lead + w<<6
		best := [64]V(dp[at:])
		for k := range rows {
			r := &rows[k]
			first := int(r.from) >> 6
			if w < first {
				continue
			}
			word := fillWord(&best, (*[64]V)(dp[at-int(r.weight):]), V(t.k.value[r.candidate]))
			r.bits[w-first] = word
			for i := range rows[:k] {
				if first := int(rows[i].from) >> 6; w >= first {
					rows[i].bits[w-first] &^= word
				}
			}
		}
		copy(dp[at:], best[:])
	}
}

// fillWord does 64 cells, from the highest down, eight a step and without a
// branch. best and less overlap when the weight is below 64, but what a cell
// reads lies below it and so is still of the row before. On its own, not
// inlined, everything stays in registers.
//
//go:noinline
func fillWord[V int32 | int64](best, less *[64]V, v V) (word uint64) {
	for k := 56; k >= 0; k -= 8 {
		b, l := (*[8]V)(best[k:k+8]), (*[8]V)(less[k:k+8])
		var improves uint64
		b[7], improves = cell(b[7], l[7]+v, improves)
		b[6], improves = cell(b[6], l[6]+v, improves)
		b[5], improves = cell(b[5], l[5]+v, improves)
		b[4], improves = cell(b[4], l[4]+v, improves)
		b[3], improves = cell(b[3], l[3]+v, improves)
		b[2], improves = cell(b[2], l[2]+v, improves)
		b[1], improves = cell(b[1], l[1]+v, improves)
		b[0], improves = cell(b[0], l[0]+v, improves)
		word = word<<8 | improves
	}
	return word
}

// cell returns the better of two values, and the bits so far with one more: whether the second
// is strictly better.
func cell[V int32 | int64](old, with V, improves uint64) (V, uint64) {
	var better uint64 // the flags of one comparison give both results
	if with > old {
		better = 1
	}
	return max(old, with), improves + improves + better
}

// bit reports whether row r improves at capacity c.
func (t *table) bit(r *row, c int32) bool {
	return c >= r.from && r.bits[c>>6-r.from>>6]>>(c&63)&1 != 0
}

// selection adds what is selected at capacity c to dst, and returns the capacity taken: the
// walk back from the last row. O(rows).
func (t *table) selection(c int64, dst Selection) int64 {
	most := int32(min(c, int64(t.top)))
	left := most
	for i := len(t.rows) - 1; i >= 0; i-- {
		if r := &t.rows[i]; t.bit(r, left) {
			dst.Add(int(t.k.at[r.candidate]))
			left -= r.weight
			i = t.begin(i)
		}
	}
	return int64(most - left)
}

// begin and end are the range of the rows of the candidate of row i.
func (t *table) begin(i int) int {
	for i > 0 && t.rows[i-1].item == t.rows[i].item {
		i--
	}
	return i
}

func (t *table) end(i int) int {
	item := t.rows[i].item
	for i++; i < len(t.rows) && t.rows[i].item == item; i++ {
	}
	return i
}

// first is the first word of capacities of rows.
func first(rows []row) int {
	least := rows[0].from
	for _, r := range rows[1:] {
		least = min(least, r.from)
	}
	return int(least) >> 6
}

// improves sets words to the bits of rows for one word of capacities, and returns their union.
func improves(rows []row, w int, words []uint64) (union uint64) {
	for k := range rows {
		words[k] = 0
		if at := w - int(rows[k].from)>>6; at >= 0 {
			words[k] = rows[k].bits[at]
			union |= words[k]
		}
	}
	return union
}

// taken returns which of words has a bit set; one of them has it.
func taken(words []uint64, bit int) (k int) {
	for words[k]>>bit&1 == 0 {
		k++
	}
	return k
}
