package slicer

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"cupelscope/model"
)

// Knapsack over candidates in several sizes: each in one size or not at all. This is ours,
// not Cupel's.
//
// A row of the table holds by capacity which size the best set of the candidates so far
// takes: 0 for none, 1 for the whole, 2 for the largest cut and so on. None is preferred
// to a size that is no strict improvement, and of equal sizes the larger one, so that
// without cuts the table is that of knapsacktable.go. The lower bound of a row holds here
// too: if an earlier candidate i whose whole is no heavier than a size of j were out while
// j is in, i would be better, as no size is worth more than its whole and wholes come in
// order of value. So each such i is in, in some size.
//
// The notes fill the whole buckets that are left, in sorted order.

// sizedKnapsack is the programme of candidates in sizes.
type sizedKnapsack struct {
	Defaults
	tableBounds
	in     *Input
	free   []int32 // positions without tokens
	rows   []sizedRow
	notes  []int32 // positions of candidates that have one
	sorted bool    // no size is worth more than its whole, and wholes do not rise in value
	// largest is the table of the largest capacity asked for so far.
	largest atomic.Pointer[sizedTable]
}

// sizedRow is a candidate of which a size has a value.
type sizedRow struct {
	sizes []sizedChoice // by number less one; those without a value have weight 0
	whole int64         // weight of the whole, in buckets
	least int64         // the least weight of a size with a value
}

type sizedChoice struct {
	at     int32 // position
	weight int64
	value  int64
}

func (k Knapsack) prepareSized(in *Input) *sizedKnapsack {
	p := &sizedKnapsack{tableBounds: tableBounds{k.Bucket, k.Limit}, in: in, sorted: true}
	last := int64(maxValue)
	for i, tok := range in.Tokens {
		if tok == 0 {
			p.free = append(p.free, int32(i))
			continue
		}
		row := sizedRow{whole: weight(tok, k.Bucket), least: math.MaxInt64}
		whole := value(in.Scores[i])
		add := func(at int) {
			c := sizedChoice{at: int32(at), value: value(in.ScoreAt(at))}
			if c.value > 0 {
				c.weight = weight(in.TokensAt(at), k.Bucket)
				row.least = min(row.least, c.weight)
				p.sorted = p.sorted && c.value <= whole
			}
			row.sizes = append(row.sizes, c)
		}
		add(i)
		from, to, note := in.CutsOf(i)
		for c := from; c < to; c++ {
			add(c)
		}
		if note >= 0 {
			p.notes = append(p.notes, int32(i))
		}
		if row.least < math.MaxInt64 {
			p.sorted = p.sorted && whole <= last
			last = whole
			p.rows = append(p.rows, row)
		}
	}
	return p
}

// sizedTable answers every capacity up to the one it was made for.
type sizedTable struct {
	asked int64
	top   int64
	rows  []int32    // those with cells
	from  []int64    // by row: the first capacity that can have a choice
	cells [][]uint64 // by row: a number of four bits for each capacity from from on
}

// choices is how many cells a word has.
const choices = 16

// layout returns the first capacity of each row, -1 for one that has no cell, the words of
// all cells, and the capacity to compute: no more than all wholes take.
func (k *sizedKnapsack) layout(capacity int64, bucket model.Tokens) (from []int64, words, top int64) {
	scaled := func(at int32) int64 { return weight(k.in.TokensAt(int(at)), bucket) }
	for _, r := range k.rows {
		if top += scaled(r.sizes[0].at); top >= capacity {
			top = capacity
			break
		}
	}
	if top > k.topLimit() {
		return nil, 0, top
	}
	before := make(prefixSums, min(top, widest)+1)
	from = make([]int64, len(k.rows))
	for i, r := range k.rows {
		from[i] = -1
		least := int64(math.MaxInt64)
		for _, c := range r.sizes {
			if c.value == 0 {
				continue
			}
			w := scaled(c.at)
			least = min(least, w)
			need := w
			if k.sorted {
				need += before.upTo(min(w, int64(len(before))-1))
			}
			if need <= top && (from[i] < 0 || need < from[i]) {
				from[i] = need
			}
		}
		if w := scaled(r.sizes[0].at); w < int64(len(before)) {
			before.add(w, least)
		}
		if from[i] >= 0 {
			words += (top-from[i])/choices + 1
		}
	}
	return from, words, top
}

// table returns a table for target t. The error is ctx's, polled every million cells, or a
// *model.TableError.
func (k *sizedKnapsack) table(ctx context.Context, t Target) (*sizedTable, error) {
	capacity := k.capacity(t)
	if known := k.largest.Load(); known != nil && capacity <= known.asked {
		return known, nil
	}
	from, words, top := k.layout(capacity, k.bucket)
	if !k.fits(words, top) {
		layout := func(capacity int64, bucket model.Tokens) (words, top int64) {
			_, words, top = k.layout(capacity, bucket)
			return words, top
		}
		return nil, k.tooLarge(ctx, t, len(k.rows), layout)
	}
	made := &sizedTable{asked: capacity, top: top, from: from, cells: make([][]uint64, len(k.rows))}
	if top < capacity {
		made.asked = math.MaxInt64 // every whole fits: more room changes nothing but notes
	}
	best := make([]int64, top+1)
	m := NewMeter(ctx, k.Cost(t))
	for i := range k.rows {
		if from[i] < 0 {
			continue
		}
		sizes, cells := k.rows[i].sizes, make([]uint64, (top-from[i])/choices+1)
		made.cells[i], made.rows = cells, append(made.rows, int32(i))
		for c := top; c >= from[i]; c-- {
			here, choice := best[c], uint64(0)
			for number, size := range sizes {
				if size.value > 0 && size.weight <= c {
					if with := best[c-size.weight] + size.value; with > here {
						here, choice = with, uint64(number)+1
					}
				}
			}
			best[c] = here
			cells[(c-from[i])/choices] |= choice << ((c - from[i]) % choices * 4)
			if c&(1<<12-1) == 0 {
				if err := m.Add(len(sizes) << 12); err != nil {
					return nil, err
				}
			}
		}
	}
	for old := k.largest.Load(); old == nil || old.asked < made.asked; old = k.largest.Load() {
		if k.largest.CompareAndSwap(old, made) {
			break
		}
	}
	return made, nil
}

// selection adds what is selected at a capacity to dst: the walk back from the last row,
// then the notes of what is out.
func (k *sizedKnapsack) selection(t *sizedTable, capacity int64, dst Selection) {
	left := min(capacity, t.top)
	spare := capacity - left
	for _, i := range slices.Backward(t.rows) {
		from := t.from[i]
		if left < from {
			continue
		}
		if choice := t.cells[i][(left-from)/choices] >> ((left - from) % choices * 4) & (1<<4 - 1); choice > 0 {
			size := &k.rows[i].sizes[choice-1]
			dst.Add(int(size.at))
			left -= size.weight
		}
	}
	left += spare
	for _, i := range k.notes {
		if left == 0 {
			break
		}
		_, _, note := k.in.CutsOf(int(i))
		if w := weight(k.in.TokensAt(note), k.bucket); w <= left && k.in.Taken(dst, int(i)) < 0 {
			dst.Add(note)
			left -= w
		}
	}
}

// Slice implements Prepared, as knapsack does.
func (k *sizedKnapsack) Slice(ctx context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, k.in.Positions())
	if t <= 0 {
		return dst, nil
	}
	for _, i := range k.free {
		dst.Add(int(i))
	}
	table, err := k.table(ctx, t)
	if err != nil {
		return nil, err
	}
	k.selection(table, int64(t)/int64(k.bucket), dst)
	return dst, nil
}

// Profile implements Prepared: the walk back from every capacity, which costs about as much
// as the table. Errors: ctx's, a *model.TableError, and a *RecordsError.
func (k *sizedKnapsack) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, k.in, upTo); err != nil {
		return nil, err
	}
	table, err := k.table(ctx, upTo)
	if err != nil {
		return nil, err
	}
	last := table.top // beyond it only notes enter
	for _, i := range k.notes {
		_, _, note := k.in.CutsOf(int(i))
		last += weight(k.in.TokensAt(note), k.bucket)
	}
	last = min(last, int64(upTo)/int64(k.bucket))
	targets := func(yield func(Target) bool) {
		if upTo >= 1 && (k.bucket > 1 || last == 0) && !yield(1) { // what takes nothing is in
			return
		}
		for c := int64(1); c <= last && yield(Target(c)*Target(k.bucket)); c++ {
		}
	}
	return tabulate(ctx, k.in, upTo, targets, MaxRecords, func(t Target, dst Selection) (Selection, error) { return k.Slice(ctx, t, dst) })
}

// Cost implements Prepared: the cells of the table, a step for each size, and the walks.
func (k *sizedKnapsack) Cost(upTo Target) int64 {
	from, _, top := k.layout(int64(max(0, upTo))/int64(k.bucket), k.bucket)
	var cells int64
	for i, f := range from {
		if f >= 0 {
			cells += (top - f + 1) * int64(1+len(k.rows[i].sizes))
		}
	}
	return cells
}

// Steps yields ErrNoSteps, with the reason.
func (k *sizedKnapsack) Steps(context.Context, Target) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		yield(Step{}, fmt.Errorf("%w under a knapsack of items that may be cut", ErrNoSteps))
	}
}
