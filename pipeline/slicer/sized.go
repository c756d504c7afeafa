package slicer

import (
	"context"
	"slices"
	"sync"

	"cupelscope/model"
)

// Candidates in several sizes, for Greedy, Rank and Prefix. This is not Cupel's.
//
// The order is by the whole candidates, as without sizes. At its turn a candidate is
// taken in the largest size that fits the room left. Prefix stops at the first candidate
// of which no size fits. The notes come after all candidates, in the same order: if a
// candidate is out and its note fits, the note is taken. So only notes depend on notes.
//
//	whole and sizes    a 9 4 note 1    b 5 2    c 3 note 1
//	T = 8              a in 4, b in 2 (5 does not fit), c's note
//
// A size is a rank of a front: the sizes of a candidate stand together from the smallest to
// the whole, and the notes of all candidates after them. sizedodometer.go has the profile.

// sized is an Input, with cuts or without, and the order in which its candidates are considered.
type sized struct {
	Defaults
	in    *Input
	phase Phase
	stops bool    // at the first candidate of which no size fits
	free  []int32 // positions without tokens
	least func() least
	order func() []int32 // all candidates, as they are considered
	keys  []uint64       // what they are ordered by: order.Key of the density, nil: by position
}

// byScore is the candidates of in by score, the best first.
func byScore(in *Input, stops bool) *sized {
	all := positions(in.Len())
	s := &sized{in: in, phase: ByScore, stops: stops, least: sync.OnceValue(in.least), order: func() []int32 { return all }}
	for i, tokens := range in.Tokens {
		if tokens == 0 {
			s.free = append(s.free, int32(i))
		}
	}
	return s
}

// Order implements Prepared: the whole candidates in their order, each followed by its cuts.
func (s *sized) Order() []int32 {
	if s.in.Cuts == nil {
		return s.order()
	}
	all := make([]int32, 0, s.in.Positions())
	for _, i := range s.order() {
		all = append(all, i)
		for k := s.in.CutFrom[i]; k < s.in.CutFrom[i+1]; k++ {
			all = append(all, int32(s.in.Len())+k)
		}
	}
	return all
}

// Slice implements Prepared: one pass over the sizes until nothing fits what is left.
func (s *sized) Slice(ctx context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, s.in.Positions())
	if t <= 0 || ctx.Err() != nil { // a sort of all candidates may follow
		return dst, ctx.Err()
	}
	for _, p := range s.free {
		dst.Add(int(p))
	}
	least := s.least()
	enough := Target(min(least.whole, least.size, least.note))
	s.fill(t, func(taken sizedStep) bool {
		if taken.at >= 0 && s.in.TokensAt(taken.at) > 0 {
			dst.Add(taken.at)
			t -= Target(s.in.TokensAt(taken.at))
		}
		return t >= enough
	})
	return dst, nil
}

// sizedStep is the decision about a candidate, or about its note.
type sizedStep struct {
	candidate int
	at        int // the position taken, -1: none
	note      bool
	stopped   bool   // a candidate before it did not fit
	left      Target // before the decision
}

// fill decides on the candidates in order, then on the notes of what is out, and tells
// each decision, while tell returns true.
func (s *sized) fill(left Target, tell func(sizedStep) bool) {
	var noted []int32
	stopped := false
	for _, i := range s.order() {
		step := sizedStep{candidate: int(i), at: -1, left: left, stopped: stopped}
		from, to, note := s.in.CutsOf(int(i))
		switch {
		case stopped && s.in.Tokens[i] > 0:
		case Target(s.in.Tokens[i]) <= left:
			step.at = int(i)
		default:
			for c := from; c < to && step.at < 0; c++ {
				if Target(s.in.TokensAt(c)) <= left {
					step.at = c
				}
			}
			stopped = s.stops && step.at < 0
		}
		switch {
		case step.at >= 0:
			left -= Target(s.in.TokensAt(step.at))
		case note >= 0:
			noted = append(noted, i)
		}
		if !tell(step) {
			return
		}
	}
	for _, i := range noted {
		_, _, note := s.in.CutsOf(int(i))
		step := sizedStep{candidate: int(i), at: -1, note: true, left: left}
		if tokens := Target(s.in.TokensAt(note)); tokens <= left {
			step.at = note
			left -= tokens
		}
		if !tell(step) {
			return
		}
	}
}

// Steps implements Prepared: all candidates in order, then the notes of what is out.
func (s *sized) Steps(ctx context.Context, t Target, tell func(Step)) error {
	if t <= 0 || s.in.Len() == 0 {
		return nil
	}
	tell(opening(s.phase, t, Filling{s.in.Len()}))
	notes, told := false, 0
	s.fill(t, func(d sizedStep) bool {
		if told++; told%stepsPolled == 0 && ctx.Err() != nil {
			return false
		}
		if d.note && !notes {
			notes = true
			tell(opening(Notes, d.left, Filling{}))
		}
		tell(s.step(d))
		return true
	})
	return ctx.Err()
}

// stepsPolled is after how many steps ctx is polled.
const stepsPolled = 1 << 12

// Out implements Prepared.
func (s *sized) Out(t Target, sel Selection) func(at int, left bool) Step {
	out, stop := s.in.outAfter(s.phase, t, sel, s.keys), s.in.Len()
	if s.stops {
		for stop = 0; stop < s.in.Len(); stop++ {
			if at := s.in.Taken(sel, stop); at < 0 || s.in.IsNote(at) {
				break
			}
		}
	}
	return func(at int, left bool) Step {
		step := out(at, left)
		if at > stop {
			step.Verdict, step.Why, step.After = Skipped, Stopped, step.Left
		}
		return step
	}
}

// step returns a decision as a Step. Where nothing is taken, the Step is at the whole
// candidate, and Need is the least that would have been taken.
func (s *sized) step(d sizedStep) Step {
	at := d.at
	if at < 0 {
		at = d.candidate
		if _, to, note := s.in.CutsOf(at); d.note {
			at = note
		} else if to > s.in.Len() && to > 0 && s.in.Whole(to-1) == at {
			at = to - 1
		}
	}
	phase := s.phase
	if d.note {
		phase = Notes
	}
	step := fit(phase, int32(at), s.in.TokensAt(at), d.left)
	if d.stopped && d.at < 0 {
		step.Verdict, step.Why, step.After = Skipped, Stopped, d.left
	}
	if d.at < 0 && !d.note {
		step.At = int32(d.candidate)
	}
	return step
}

// wheels is what a front has besides. Its ranks are of the sizes of each candidate, from the
// smallest to the whole, and minima and min are of candidates, by number, in their smallest
// size. A note is a candidate of its own, after all others, and in neither.
type wheels struct {
	stops bool
	of    []wheel // by rank
	begin []int32 // by number: the rank of the smallest size
	notes int32   // the number of the first note
	note  []int32 // by number: the number of its note, -1: none
	open  openNotes
}

// wheel is what the odometer asks of a rank.
type wheel struct {
	larger Target // the tokens of the next larger size, never: none
	number int32
}

// front returns the sizes that can be in at a target up to upTo, and some that cannot.
func (s *sized) front(upTo Target) *front {
	f := &front{upTo: upTo, wheels: wheels{stops: s.stops}}
	earlier := newReach(model.Tokens(upTo))
	var smallest []model.Tokens
	numbers := make([]int32, s.in.Len()) // by candidate: 1 + its number, 0: cannot be in
	least := s.least()
	for _, i := range s.order() {
		tokens := s.in.Tokens[i]
		if tokens == 0 {
			continue
		}
		if earlier.leaves(min(tokens, least.size)) { // most of a large set need no look at their sizes
			s.add(f, i, &earlier)
		}
		if len(f.begin) > len(smallest) {
			smallest = append(smallest, f.tok[f.begin[len(smallest)]])
			numbers[i] = int32(len(smallest))
		} else if s.stops {
			break
		}
	}
	f.notes = int32(len(f.begin))
	f.minima = newMinima(smallest)
	f.findMin(smallest)
	f.note = slices.Repeat([]int32{-1}, len(smallest))
	earlier = newReach(model.Tokens(upTo))
	for _, i := range s.order() {
		if !earlier.leaves(least.note) {
			break
		}
		_, _, note := s.in.CutsOf(int(i))
		if note < 0 || !earlier.leaves(s.in.TokensAt(note)) {
			continue
		}
		earlier.add(s.in.TokensAt(note), s.in.TokensAt(note))
		if number := numbers[i]; number > 0 {
			f.note[number-1] = int32(len(f.begin))
		}
		f.begin = append(f.begin, int32(len(f.at)))
		f.add(note, s.in.TokensAt(note))
	}
	f.findOpen()
	return f
}

// add appends a size of the last candidate that began as a rank.
func (f *front) add(at int, tokens model.Tokens) {
	f.at, f.tok = append(f.at, int32(at)), append(f.tok, tokens)
	f.of = append(f.of, wheel{never, int32(len(f.begin)) - 1})
}

// add appends a candidate to f in the sizes that earlier candidates leave room for, if any, and
// adds it to earlier. If a later candidate is in with s tokens, this one is in no size whose
// next larger size has at most s tokens more: that size would have fitted, as those s tokens
// were left. So it takes at least the least size that is more than s below its next.
func (s *sized) add(f *front, i int32, earlier *reach) {
	if !earlier.leaves(s.in.MinTokens(int(i))) {
		return
	}
	from, to, _ := s.in.CutsOf(int(i))
	size := func(c int) int {
		if c < from {
			return int(i)
		}
		return c
	}
	f.begin = append(f.begin, int32(len(f.at)))
	for c := to - 1; c >= from-1; c-- {
		tokens := s.in.TokensAt(size(c))
		if !earlier.leaves(tokens) {
			break
		}
		if c < to-1 {
			f.of[len(f.of)-1].larger = Target(tokens)
		}
		f.add(size(c), tokens)
	}
	var smaller, step model.Tokens
	for c := to - 1; c >= from-1; c-- {
		tokens := s.in.TokensAt(size(c))
		if !s.stops || smaller > 0 {
			step = max(step, tokens-smaller)
		}
		earlier.add(step, tokens-smaller)
		smaller = tokens
	}
}

// openNotes is the notes that may enter: of candidates that are out. It finds the smallest
// of a range of them in O(log n).
type openNotes struct {
	from  int32    // the number of the first note
	size  int      // a power of two, at least the number of notes
	nodes []uint64 // a heap: node k is the lesser of nodes 2k and 2k+1
}

// findOpen makes all notes available, if there are any.
func (f *front) findOpen() {
	n := len(f.begin) - int(f.notes)
	if n == 0 {
		return
	}
	o := openNotes{from: f.notes, size: 1}
	for o.size < n {
		o.size *= 2
	}
	o.nodes = slices.Repeat([]uint64{noNode}, 2*o.size)
	for k := range n {
		o.nodes[o.size+k] = f.nodeOf(f.notes + int32(k))
	}
	for k := o.size - 1; k > 0; k-- {
		o.nodes[k] = min(o.nodes[2*k], o.nodes[2*k+1])
	}
	f.open = o
}

// nodeOf is the node of the smallest size of a candidate.
func (f *front) nodeOf(number int32) uint64 {
	return node(f.tok[f.begin[number]], int(number))
}

// set makes a note available with its node, or not, with noNode.
func (o *openNotes) set(number int32, to uint64) {
	k := o.size + int(number-o.from)
	for o.nodes[k] = to; k > 1; {
		k /= 2
		o.nodes[k] = min(o.nodes[2*k], o.nodes[2*k+1])
	}
}

// first is the node of the smallest note of numbers from to to-1 that may enter, the first
// of equal ones; noNode if there is none.
func (o *openNotes) first(from, to int32) uint64 {
	least := uint64(noNode)
	a, b := o.size+int(max(from, o.from)-o.from), o.size+int(max(to, o.from)-o.from)
	for ; a < b; a, b = a/2, b/2 {
		if a&1 == 1 {
			least = min(least, o.nodes[a])
			a++
		}
		if b&1 == 1 {
			b--
			least = min(least, o.nodes[b])
		}
	}
	return least
}
