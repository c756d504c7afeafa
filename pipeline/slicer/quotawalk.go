package slicer

import (
	"context"
	"errors"
	"math"
	"math/bits"
)

// This file finds how the target of each kind changes as the whole target grows.
//
// The target of a kind is a formula with many floors: from one whole target to
// the next it may stay, rise by several tokens, or fall by a few. The formula
// cannot be solved for the whole targets at which a kind reaches the next segment
// of its profile, but it can be bounded over a range of them, a stretch. So the
// walk halves the range again and again, and looks into a half only for the kinds
// whose bounds there lie in different segments:
//
//	targets    1 ................................... upTo
//	kind A     |-------- segment 0 --------|x|-- 1 -----|    x: looked at closely
//	kind B     |-- 0 --|x|-------- 1 --------|x|-- 2 ---|
//
// The sums in the formula are shortened in the same way. A quota that requires
// the same number of tokens at both ends of a stretch requires it throughout. A
// kind may also be known to share the unassigned tokens throughout a stretch, or
// nowhere in it. Both are added up once for the stretch and skipped in its
// halves. So a short stretch costs about as many steps as there are changes in
// it, however many kinds and quotas there are.
//
// Cost: O((changes of all kinds + tokens required by all quotas) log targets),
// where the second part counts only stretches in which some kind is looked at.

// shareWalk is one kind on the walk.
type shareWalk struct {
	segments
	require, max float64 // shares of 0 to 1
	mass         uint64
	from, to     Target // targets of the segment that it is in: from <= x < to
	steps        []step
}

// step is where a kind goes to another segment.
type step struct {
	at      Target // of the whole
	segment int32
}

// quotaWalk is all kinds on the walk.
type quotaWalk struct {
	shares  []shareWalk
	whole   stretch   // what is known of all targets: nothing
	halves  []stretch // by depth, reused
	changes []Target  // at which any kind has a step
	limit   int       // of changes
	reached Target    // the last target before the limit was reached
	meter   Meter
}

// stretch is what is known of all targets in a range, and what is not.
type stretch struct {
	required Target    // by the quotas that require the same throughout
	mass     uint64    // of the kinds that share throughout
	requires []float64 // shares of the other quotas
	sharing  []int32   // the kinds that share at some of the targets, or may
	open     []int32   // the kinds that may be in several segments
}

func newQuotaWalk(q *quota) *quotaWalk {
	w := &quotaWalk{shares: make([]shareWalk, len(q.shares))}
	for _, quota := range q.quotas {
		if r := quota.Require(); r > 0 {
			w.whole.requires = append(w.whole.requires, float64(r/100))
		}
	}
	for i := range q.shares {
		s := &q.shares[i]
		w.shares[i] = shareWalk{require: float64(s.quota.Require() / 100), max: float64(s.quota.Cap() / 100), mass: s.mass}
		w.whole.open = append(w.whole.open, int32(i))
		if s.mass > 0 {
			w.whole.sharing = append(w.whole.sharing, int32(i))
		}
	}
	return w
}

// narrow finds what is known of the targets from a to b, which lie in the
// stretch, and bounds the target of every open kind there. The next stretch has
// no open kinds yet.
func (w *quotaWalk) narrow(s, next *stretch, a, b Target, bounds func(i int32, least, most Target)) {
	next.required, next.mass = s.required, s.mass
	next.requires, next.sharing, next.open = next.requires[:0], next.sharing[:0], next.open[:0]
	low, high, share := a, b, 0.0 // of what is unassigned
	for _, require := range s.requires {
		least, most := portion(require, a), portion(require, b)
		if least == most {
			next.required += least
			continue
		}
		low, high, share = low-most, high-least, share+require
		next.requires = append(next.requires, require)
	}
	// The unassigned tokens are a target less the required tokens of each quota, rounded down.
	// Rounding takes less than one token off each, so over long stretches the unrounded share of
	// the target gives closer bounds than the sum of each quota's own bounds.
	rest := 1 - share
	noise := float64(b)*float64(len(next.requires)+4)*0x1p-52 + 1 // more than all roundings together
	low = max(low, Target(min(rest*float64(a), rest*float64(b))-noise))
	high = min(high, Target(max(rest*float64(a), rest*float64(b))+noise)+Target(len(next.requires)))
	low, high = max(0, low-next.required), max(0, high-next.required)
	maybe := uint64(0) // mass of the kinds that may share
	for _, i := range s.sharing {
		switch k := &w.shares[i]; {
		case portion(k.max, a) > portion(k.require, b):
			next.mass += k.mass
		case portion(k.max, b) > portion(k.require, a):
			maybe += k.mass
			next.sharing = append(next.sharing, i)
		}
	}
	for _, i := range s.open {
		k := &w.shares[i]
		least, most := portion(k.require, a), portion(k.require, b)
		capA, capB := portion(k.max, a), portion(k.max, b)
		if k.mass > 0 && capB > least {
			others := next.mass
			if capA > most {
				least += portionOf(low, k.mass, next.mass+maybe)
			} else {
				others += k.mass
			}
			most += portionOf(high, k.mass, others)
		}
		bounds(i, min(least, capA), min(most, capB))
	}
}

// largest is, for each kind, a target that it does not exceed up to upTo, and
// not much more. O(kinds + quotas), times the logarithm of upTo.
func (w *quotaWalk) largest(upTo Target) []Target {
	all := make([]Target, len(w.shares))
	var next stretch
	for b := upTo; b > 0; b /= 2 {
		w.narrow(&w.whole, &next, b/2+1, b, func(i int32, _, most Target) { all[i] = max(all[i], most) })
	}
	return all
}

// errChanges ends a walk that has more changes than it may.
var errChanges = errors.New("more changes than allowed")

// run walks to upTo and returns the targets at which the selection changes, at
// most limit of them; reached is upTo, or where the limit was. The error is
// ctx's.
func (w *quotaWalk) run(ctx context.Context, upTo Target, limit int) (changes []Target, reached Target, err error) {
	for i := range w.shares {
		s := &w.shares[i]
		s.enter(0)
		s.steps = append(make([]step, 0, min(len(s.changes)+1, limit+1)), step{})
	}
	w.limit, w.meter = limit, NewMeter(ctx, 0)
	w.halves = make([]stretch, bits.Len64(uint64(upTo))+1)
	switch err := w.explore(&w.whole, 0, 1, upTo); {
	case errors.Is(err, errChanges):
		return nil, w.reached, nil
	case err != nil:
		return nil, 0, err
	}
	return w.changes, upTo, nil
}

// closely is the number of targets that are looked at one by one, not in halves.
const closely = 64

// explore walks the targets from a to b, which lie in the stretch, of which
// depth is the number of halvings.
func (w *quotaWalk) explore(s *stretch, depth int, a, b Target) error {
	if err := w.meter.Add(16 * (len(s.requires) + len(s.sharing) + len(s.open))); err != nil {
		return err
	}
	if b-a < closely {
		return w.visit(s, a, b)
	}
	next := &w.halves[depth]
	var err error
	w.narrow(s, next, a, b, func(i int32, least, most Target) {
		k := &w.shares[i]
		if least >= k.from && most < k.to {
			return
		}
		if at := k.segments.at(least); at < len(k.changes) && most >= k.changes[at] {
			next.open = append(next.open, i)
		} else if err == nil {
			err = w.move(i, a, at)
		}
	})
	if err != nil || len(next.open) == 0 {
		return err
	}
	middle := a + (b-a)/2
	if err := w.explore(next, depth+1, a, middle); err != nil {
		return err
	}
	return w.explore(next, depth+1, middle+1, b)
}

// visit has the open kinds go to the segments of their targets at each of the
// targets from a to b.
func (w *quotaWalk) visit(s *stretch, a, b Target) error {
	if err := w.meter.Add(16 * int(b-a) * (len(s.requires) + len(s.sharing) + len(s.open))); err != nil {
		return err
	}
	for t := a; t <= b; t++ {
		unassigned, all := t-s.required, s.mass
		for _, share := range s.requires {
			unassigned -= portion(share, t)
		}
		unassigned = max(0, unassigned)
		for _, i := range s.sharing {
			if k := &w.shares[i]; portion(k.max, t) > portion(k.require, t) {
				all += k.mass
			}
		}
		for _, i := range s.open {
			k := &w.shares[i]
			target, most := Target(0), t
			if k.require > 0 {
				target = portion(k.require, t)
			}
			if k.max < 1 {
				most = portion(k.max, t)
			}
			if most > target && all > 0 {
				target = min(target+portionOf(unassigned, k.mass, all), most)
			}
			if target >= k.from && target < k.to {
				continue
			}
			if err := w.move(i, t, k.segments.at(target)); err != nil {
				return err
			}
		}
	}
	return nil
}

// move has a kind go to another segment at a target of the whole.
func (w *quotaWalk) move(i int32, at Target, segment int) error {
	k := &w.shares[i]
	same := k.same(int(k.steps[len(k.steps)-1].segment), segment)
	k.enter(segment)
	if same {
		return nil
	}
	if n := len(w.changes); n == 0 || w.changes[n-1] < at {
		if n == w.limit {
			w.reached = at - 1
			return errChanges
		}
		w.changes = append(w.changes, at)
	}
	k.steps = append(k.steps, step{at, int32(segment)})
	return nil
}

func (s *shareWalk) enter(segment int) {
	s.from, s.to = s.begin(segment), math.MaxInt64
	if segment < len(s.changes) {
		s.to = s.changes[segment]
	}
}
