package slicer

import (
	"context"
	"math"
	"sync/atomic"

	"cupelscope/model"
)

// Knapsack selects the set with the highest sum of scores, by dynamic
// programming over capacities of whole buckets. Tokens of a candidate are
// rounded up to buckets, the target is rounded down, and scores are rounded down
// to 0.0001. So a candidate whose score is below 0.0001 or NaN is in only if it
// has no tokens. All candidates without tokens are in. Of several best sets,
// Knapsack takes the one that the reconstruction of the Cupel specification
// yields, which avoids later candidates. See its chapter KnapsackSlice.
//
// Slice and Profile return a *model.TableError if the table would exceed Limit.
type Knapsack struct {
	Bucket model.Tokens // size of a bucket in tokens; if not above 0, model.DefaultBucketSize
	Limit  int64        // memory of the table in bytes; if not above 0, defaultTableLimit
}

// Traits implements Slicer.
func (k Knapsack) Traits() Traits { return Traits{Sizes: true, FromList: k.fromList} }

// defaultTableLimit is the default bound on the memory of a knapsack's table:
// 1 GiB, which holds about 8.6 billion cells.
const defaultTableLimit = 1 << 30

// valueUnit is the value of a score of 1.
const valueUnit = 10000

// maxValue bounds the value of an item, so that sums stay in an int64.
const maxValue = 1 << 40

// value is the integer that the knapsack maximises: floor(score * 10,000),
// 0 to 2^40, 0 for NaN.
func value(score float64) int64 {
	v := math.Floor(float64(score * valueUnit))
	switch {
	case !(v > 0):
		return 0
	case v >= maxValue:
		return maxValue
	}
	return int64(v)
}

// bounds are the bucket and the limit, also where they are not set.
func (k Knapsack) bounds() tableBounds {
	if k.Bucket <= 0 {
		k.Bucket = model.DefaultBucketSize
	}
	if k.Limit <= 0 {
		k.Limit = defaultTableLimit
	}
	return tableBounds{k.Bucket, k.Limit}
}

// Prepare rounds tokens and scores in O(n). The first Slice or Profile makes the
// table.
func (k Knapsack) Prepare(in *Input) Prepared {
	p := &programme{tableBounds: k.bounds(), in: in, sorted: true, small: smallTable}
	last := int64(maxValue)
	n := in.Positions()
	p.at, p.tok, p.value = make([]int32, n), make([]model.Tokens, n), make([]int64, n)
	n = 0
	add := func(at int, value int64) {
		if value > 0 { // else it is never strictly better
			p.at[n], p.tok[n], p.value[n] = int32(at), in.TokensAt(at), value
			n++
		}
	}
	for i, tok := range in.Tokens {
		if tok == 0 {
			p.free = append(p.free, int32(i))
			continue
		}
		v, before := value(in.Scores[i]), n
		add(i, v)
		from, to, note := in.CutsOf(i)
		for c := from; c < to; c++ {
			cut := value(in.ScoreAt(c))
			add(c, cut)
			p.sorted = p.sorted && cut <= v
		}
		if note >= 0 {
			p.notes = append(p.notes, int32(i))
		}
		if n > before {
			p.sorted = p.sorted && v <= last
			last = v
		}
	}
	p.at, p.tok, p.value = p.at[:n], p.tok[:n], p.value[:n]
	return &knapsack{programme: p}
}

// knapsack remembers the table of a dynamic programme.
type knapsack struct {
	Defaults
	*programme
	// maxItem is the table of the largest capacity that Slice was asked for: it
	// answers all smaller ones too.
	maxItem atomic.Pointer[table]
	cores   atomic.Int64 // words of bits that the cores took so far
}

// Slice implements Prepared. The first calls make a table of few candidates each (see
// knapsackcore.go). Once these cost as much as a table that answers all capacities up to
// this one (see knapsacktable.go), that table is made and read. Where it is small, it is made
// at once. The error is a *model.TableError.
func (k *knapsack) Slice(ctx context.Context, t Target, dst Selection) (Selection, error) {
	if t <= 0 {
		return NewSelection(dst, k.in.Positions()), nil
	}
	c := k.capacity(t)
	dst = NewSelection(dst, k.in.Positions())
	for _, i := range k.free {
		dst.Add(int(i))
	}
	if known := k.maxItem.Load(); k.in.Cuts == nil && (known == nil || !known.answers(c)) {
		if done, err := k.selectCore(ctx, c, t, dst); err != nil || done {
			return dst, err
		}
	}
	table, err := k.tableFor(ctx, c, t)
	if err != nil {
		return nil, err
	}
	k.fillNotes(c-table.selection(c, dst), dst)
	return dst, nil
}

// tableFor returns a table that answers capacity c, which target t has.
func (k *knapsack) tableFor(ctx context.Context, c int64, t Target) (*table, error) {
	if known := k.maxItem.Load(); known != nil && known.answers(c) {
		return known, nil
	}
	made, err := k.tableUpTo(ctx, c, t)
	if err == nil {
		k.keep(made)
	}
	return made, err
}

// keep remembers t if it answers more than what is remembered.
func (k *knapsack) keep(t *table) {
	for old := k.maxItem.Load(); old == nil || old.asked < t.asked; old = k.maxItem.Load() {
		if k.maxItem.CompareAndSwap(old, t) {
			return
		}
	}
}
