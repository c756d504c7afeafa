package slicer

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"cupelscope/model"
)

// Knapsack over candidates in several sizes: each in one size or not at all. This is ours,
// not Cupel's. The rows of a candidate's sizes stand together in the table, from the whole to the
// smallest, and at most one of their bits is set at a capacity: of the size that the best set
// of the candidates so far takes. None is preferred to a size that is no strict improvement,
// and of equal sizes the larger one.
//
// The bound L of a row is that of knapsacktable.go with sizes. Let a size of j with weight w
// and value v improve on a capacity, and let an earlier candidate i be in a size (or out) from
// which another size of i is at most w heavier and at least v better. Then taking that one in
// place of j is no worse and no heavier, against the strict improvement. So i is in none of
// these sizes, and takes at least the least weight of those that remain:
//
//	L of (w, v) = w + the sum over i < j of the least weight of a size that no step of
//	at most w and at least v leaves
//
// Out is left by the step to the whole if that is no heavier than w, as wholes come in order
// of value and no size is worth more than its whole. So without cuts the bound is that of
// knapsacktable.go.
//
// The notes fill the whole buckets that are left, in sorted order.

// exchanges sums up, for earlier candidates, what they take when a later one is in with a
// weight and a value: a Fenwick tree over weights and classes of value. Values are classed by
// eighths of an octave, from the largest down. Class 1 has the steps from out to the whole.
type exchanges struct {
	sorted           bool // else nothing is known
	top              int64
	weights, classes int
	largest          int // the eighth of the largest value
	sums             []int64
	vanished         []int64 // by class: a row of this weight or more has no cell
}

// valueClasses is how many classes of value there are where candidates have cuts.
const valueClasses = 63

func (k *programme) exchanges(bucket model.Tokens, top int64) *exchanges {
	e := &exchanges{sorted: k.sorted, top: top, classes: 1}
	if k.in.Cuts != nil {
		e.classes = valueClasses
	}
	for i, tok := range k.tok {
		if w := weight(tok, bucket); w <= top {
			e.weights = max(e.weights, int(min(w, widest/int64(e.classes))))
		}
		e.largest = max(e.largest, eighth(k.value[i]))
	}
	e.sums = make([]int64, (e.weights+1)*(e.classes+1))
	e.vanished = slices.Repeat([]int64{top + 1}, e.classes+1)
	return e
}

// eighth is the eighth of an octave that a value above 0 is in.
func eighth(value int64) int {
	octave := bits.Len64(uint64(value))
	return octave<<3 | int(uint64(value)<<(64-octave)>>60&7)
}

// from returns the bound of a row, or more than the largest capacity.
func (e *exchanges) from(weight, value int64) int64 {
	class := min(e.largest-eighth(value)+1, e.classes) // of steps that gain more than value
	switch {
	case weight >= e.vanished[class]:
		return e.top + 1
	case !e.sorted:
		return weight
	}
	from := weight
	for w := int(min(weight, int64(e.weights))); w > 0; w &= w - 1 {
		for c := class; c > 0; c &= c - 1 {
			from += e.sums[w*(e.classes+1)+c]
		}
	}
	if from > e.top { // and so is every later row that is no lighter and worth no more
		for c := class; c <= e.classes; c++ {
			e.vanished[c] = min(e.vanished[c], weight)
		}
	}
	return from
}

// corner stands for all weights of at least its own and all values of at least its class.
type corner struct {
	weight int64
	class  int
}

func (e *exchanges) addAt(at corner, tokens int64) {
	for w := max(1, int(at.weight)); w <= e.weights; w += w & -w {
		for c := at.class; c <= e.classes; c += c & -c {
			e.sums[w*(e.classes+1)+c] += tokens
		}
	}
}

// choice is a size of a candidate in the programme.
type choice struct{ weight, value int64 }

// add adds a candidate in the sizes given, from the whole to the smallest.
func (e *exchanges) add(sizes []choice) {
	if !e.sorted {
		return
	}
	if len(sizes) == 1 {
		e.addAt(corner{sizes[0].weight, 1}, sizes[0].weight)
		return
	}
	sizes = append(sizes, choice{}) // out
	slices.Reverse(sizes)
	left := []corner{{0, 1}} // where every smaller size is left by a step
	for k := 1; k < len(sizes) && len(left) > 0; k++ {
		left = both(left, e.steps(sizes, k-1))
		more := sizes[k].weight - sizes[k-1].weight
		for i, at := range left { // together: each, without what it shares with the next
			e.addAt(at, more)
			if i+1 < len(left) {
				e.addAt(corner{left[i+1].weight, at.class}, -more)
			}
		}
	}
}

// steps are the steps that leave a size.
func (e *exchanges) steps(sizes []choice, at int) (all []corner) {
	for k := at + 1; k < len(sizes); k++ {
		gain := sizes[k].value - sizes[at].value
		if gain <= 0 {
			continue
		}
		class := e.largest - eighth(gain) + 2
		if at == 0 && k == len(sizes)-1 {
			class = 1
		}
		if class <= e.classes {
			all = append(all, corner{sizes[k].weight - sizes[at].weight, class})
		}
	}
	return all
}

// both is what two unions of corners have in common, without corners within others, by weight.
func both(a, b []corner) (common []corner) {
	var all []corner
	for _, x := range a {
		for _, y := range b {
			all = append(all, corner{max(x.weight, y.weight), max(x.class, y.class)})
		}
	}
	slices.SortFunc(all, func(x, y corner) int { return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(x.class, y.class)) })
	for _, c := range all {
		if len(common) == 0 || c.class < common[len(common)-1].class {
			common = append(common, c)
		}
	}
	return common
}

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
