package slicer

import "context"

// Knapsack over candidates in several sizes: each in one size or not at all. This is not
// Cupel's. The rows of a candidate's sizes stand together in the table, from the whole to the
// smallest, and at most one of their bits is set at a capacity: of the size that the best set
// of the candidates so far takes. None is preferred to a size that is no strict improvement,
// and of equal sizes the larger one.
//
// The bound L of a row is the bound in knapsacktable.go: an earlier candidate whose whole is no
// heavier than the row is not out, as its whole in place of the row would be no worse. So it
// takes at least its smallest size. sizedknapsackcore.go leaves out the sizes that are in no
// best set.
//
// The notes fill the whole buckets that are left, in sorted order.

// fillNotes adds the notes of what is out in a selection to it, as far as they fit into the
// buckets left.
func (k *programme) fillNotes(left int64, sel Selection) {
	for _, i := range k.notes {
		if left <= 0 {
			break
		}
		_, _, note := k.in.CutsOf(int(i))
		if w := weight(k.in.TokensAt(note), k.bucket); w <= left && k.in.Taken(sel, int(i)) < 0 {
			sel.Add(note)
			left -= w
		}
	}
}

// profileOfNotes is the profile where notes fill what is left: the selection at every capacity.
func (k *knapsack) profileOfNotes(ctx context.Context, upTo Target) (Profile, error) {
	last := int64(0) // beyond it nothing changes
	for i, tok := range k.tok {
		if k.largestSize(i) {
			last += weight(tok, k.bucket)
		}
	}
	for _, i := range k.notes {
		_, _, note := k.in.CutsOf(int(i))
		last += weight(k.in.TokensAt(note), k.bucket)
	}
	last = min(last, k.capacity(upTo))
	targets := func(yield func(Target) bool) {
		if upTo >= 1 && (k.bucket > 1 || last == 0) && !yield(1) { // what takes nothing is in
			return
		}
		for c := int64(1); c <= last && yield(Target(c)*Target(k.bucket)); c++ {
		}
	}
	if _, err := k.Slice(ctx, upTo, nil); err != nil { // the table of all
		return nil, err
	}
	return tabulate(ctx, k.in, upTo, targets, MaxRecords, func(t Target, dst Selection) (Selection, error) { return k.Slice(ctx, t, dst) })
}
