package slicer

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// The share of a kind as the target grows.
//
// It is a formula with many floors: it goes up by no token or by several, and
// now and then it falls by a few. So there is nothing to solve, and all targets
// are walked, but cheaply: what a division gives at one target is one step from
// what it gives at the next, and where all shares are sure to stay in the
// segments of their profiles, whole stretches are passed over.

// shareWalk is one kind on the walk.
type shareWalk struct {
	segments
	require, most float64 // shares of 0 to 1
	mass          uint64
	now           int    // the segment that it is in
	from, to      Target // targets of that segment: from <= x < to

	// The division unassigned * mass / all, as it came out last.
	unassigned Target
	all        uint64
	quotient   Target
	remainder  uint64

	steps []step
}

// step is where a kind goes to another segment.
type step struct {
	at      Target // of the whole
	segment int32
}

// quotaWalk is all kinds on the walk.
type quotaWalk struct {
	requires []float64 // of all quotas, also those of kinds without candidates
	absent   []float64 // of those alone
	shares   []shareWalk
	bounds   [][2]Target // require and most of each share at the target in hand
	settled  Target      // from here on the same kinds share; at least 1
	mass     uint64      // of those that then share
	rest     float64     // the share that no quota requires
}

func newQuotaWalk(q *quota) *quotaWalk {
	w := &quotaWalk{shares: make([]shareWalk, len(q.shares)), bounds: make([][2]Target, len(q.shares))}
	for _, quota := range q.quotas {
		if r := quota.Require(); r > 0 {
			w.requires = append(w.requires, float64(r/100))
		}
	}
	for i := range q.shares {
		s := &q.shares[i]
		w.shares[i] = shareWalk{require: float64(s.quota.Require() / 100), most: float64(s.quota.Cap() / 100), mass: s.mass}
	}
	w.settle()
	for _, quota := range q.quotas {
		has := func(s kindShare) bool { return quota.Kind.Is(s.quota.Kind) }
		if r := quota.Require(); r > 0 && !slices.ContainsFunc(q.shares, has) {
			w.absent = append(w.absent, float64(r/100))
		}
	}
	return w
}

// required is what all quotas require together at t.
func (w *quotaWalk) required(t Target) (sum Target) {
	for _, share := range w.requires {
		sum += portion(share, t)
	}
	return sum
}

// divide is floor(part * mass / all); mass <= all, all > 0.
func divide(part Target, mass, all uint64) (quotient Target, remainder uint64) {
	hi, lo := bits.Mul64(uint64(part), mass)
	q, r := bits.Div64(hi, lo, all)
	return Target(q), r
}

// part is what a kind gets of what is unassigned.
func (s *shareWalk) part(unassigned Target, all uint64) Target {
	const far = 4 // steps that cost as much as a division
	switch d := unassigned - s.unassigned; {
	case s.all != all || d > far || d < -far:
		s.quotient, s.remainder = divide(unassigned, s.mass, all)
	default:
		for ; d > 0; d-- {
			if s.remainder += s.mass; s.remainder >= all {
				s.remainder -= all
				s.quotient++
			}
		}
		for ; d < 0; d++ {
			if s.remainder < s.mass {
				s.remainder += all
				s.quotient--
			}
			s.remainder -= s.mass
		}
	}
	s.unassigned, s.all = unassigned, all
	return s.quotient
}

// visit has every kind go to the segment of its target at t, and reports
// whether the selection of any is another than before.
func (w *quotaWalk) visit(t Target) bool {
	unassigned := t
	for _, share := range w.absent {
		unassigned -= portion(share, t)
	}
	all := uint64(0)
	for i := range w.shares {
		s := &w.shares[i]
		require, most := Target(0), t
		if s.require > 0 {
			require = portion(s.require, t)
			unassigned -= require
		}
		if s.most < 1 {
			most = portion(s.most, t)
		}
		if w.bounds[i] = [2]Target{require, most}; most > require {
			all += s.mass
		}
	}
	unassigned = max(0, unassigned)
	changed := false
	for i := range w.shares {
		s, bound := &w.shares[i], w.bounds[i]
		target := bound[0]
		if bound[1] > bound[0] && all > 0 {
			target += s.part(unassigned, all)
		}
		if target = min(target, bound[1]); target < s.from || target >= s.to {
			changed = s.move(t, target) || changed
		}
	}
	return changed
}

// move goes to the segment of a target that is in another one.
func (s *shareWalk) move(at, target Target) bool {
	next := s.now + 1
	switch {
	case target < s.from:
		if next = s.now - 1; target < s.begin(next) {
			next = s.segments.at(target)
		}
	case next < len(s.changes) && target >= s.changes[next]:
		next = s.segments.at(target)
	}
	same := s.same(int(s.steps[len(s.steps)-1].segment), next)
	s.enter(next)
	if !same {
		s.steps = append(s.steps, step{at, int32(next)})
	}
	return !same
}

func (s *shareWalk) enter(segment int) {
	s.now, s.from, s.to = segment, s.begin(segment), math.MaxInt64
	if segment < len(s.changes) {
		s.to = s.changes[segment]
	}
}

// between bounds the target of every kind over the targets from a to b of the
// whole, from below and from above, and calls f with them until it says no.
func (w *quotaWalk) between(a, b Target, f func(i int, least, most Target) bool) bool {
	low, high := max(0, a-w.required(b)), max(0, b-w.required(a))
	var surely, maybe uint64 // mass of the kinds that share
	for i := range w.shares {
		s := &w.shares[i]
		if portion(s.most, a) > portion(s.require, b) {
			surely += s.mass
		}
		if s.most > s.require && portion(s.most, b) > portion(s.require, a) {
			maybe += s.mass
		}
	}
	for i := range w.shares {
		s := &w.shares[i]
		least, most := portion(s.require, a), portion(s.require, b)
		if s.mass > 0 && s.most > s.require && portion(s.most, b) > portion(s.require, a) {
			others := surely
			if portion(s.most, a) > portion(s.require, b) {
				part, _ := divide(low, s.mass, maybe)
				least += part
			} else {
				others += s.mass
			}
			part, _ := divide(high, s.mass, others)
			most += part
		}
		if !f(i, min(least, portion(s.most, a)), min(most, portion(s.most, b))) {
			return false
		}
	}
	return true
}

// largest is, for each kind, a target that it does not exceed up to upTo, and
// not much more.
func (w *quotaWalk) largest(upTo Target) []Target {
	all := make([]Target, len(w.shares))
	if upTo >= w.settled {
		for i := range w.shares {
			all[i] = w.lineOf(&w.shares[i], upTo).most(upTo)
		}
		upTo = w.settled - 1
	}
	for a := Target(1); a <= upTo; {
		b := min(a+a/64, upTo)
		w.between(a, b, func(i int, _, most Target) bool {
			all[i] = max(all[i], most)
			return true
		})
		a = b + 1
	}
	return all
}

// run walks to upTo and returns the targets at which the selection changes, at
// most limit of them; reached is upTo, or where the limit was. The error is
// ctx's.
func (w *quotaWalk) run(ctx context.Context, upTo Target, limit int) (changes []Target, reached Target, err error) {
	for i := range w.shares {
		s := &w.shares[i]
		s.enter(0)
		s.steps = append(make([]step, 0, min(len(s.changes)+1, limit+1)), step{})
	}
	settled := min(w.settled, upTo+1)
	if reached, err = w.runTogether(ctx, settled-1, limit); err != nil || reached < settled-1 {
		return nil, reached, err
	}
	polls := poller{ctx: ctx}
	for i := range w.shares {
		if err := w.runAlone(&polls, &w.shares[i], settled, upTo, limit); err != nil {
			return nil, 0, err
		}
	}
	if changes = w.changes(); len(changes) > limit {
		return nil, changes[limit] - 1, nil
	}
	return changes, upTo, nil
}

// changes is all targets at which any kind has a step.
func (w *quotaWalk) changes() []Target {
	lists := make([][]Target, len(w.shares)+1)
	for i := range w.shares {
		steps := w.shares[i].steps[1:]
		lists[i] = make([]Target, len(steps))
		for k := range steps {
			lists[i][k] = steps[k].at
		}
	}
	return union(lists)
}

// union merges ascending lists, each target once.
func union(lists [][]Target) []Target {
	for len(lists) > 1 {
		half := (len(lists) + 1) / 2
		for i := half; i < len(lists); i++ {
			lists[i-half] = unionOf(lists[i-half], lists[i])
		}
		lists = lists[:half]
	}
	return lists[0]
}

func unionOf(a, b []Target) []Target {
	if len(a) == 0 {
		return b
	}
	all := make([]Target, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		least := min(a[0], b[0])
		all = append(all, least)
		if a[0] == least {
			a = a[1:]
		}
		if b[0] == least {
			b = b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// How many targets are visited between two tries to pass over some: ever more,
// as long as the tries fail.
const nearest, farthest = 16, 512

// runTogether is run up to a target before sharing is settled.
func (w *quotaWalk) runTogether(ctx context.Context, upTo Target, limit int) (reached Target, err error) {
	changes := 0
	closely := Target(nearest) // targets that are visited before another try to pass over some
	stays := func(i int, least, most Target) bool { return least >= w.shares[i].from && most < w.shares[i].to }
	polled := 0
	for t, stretch := Target(1), closely; t <= upTo; {
		if polled++; polled&255 == 0 {
			if err := ctx.Err(); err != nil {
				return t - 1, err
			}
		}
		end := min(t+closely-1, upTo)
		if w.between(t, min(t+stretch-1, upTo), stays) {
			t += stretch
			stretch *= 2
			closely = nearest
			continue
		}
		if stretch /= 2; stretch >= nearest {
			continue
		}
		stretch = nearest
		closely = min(2*closely, farthest) // a try costs as much as some visits
		for ; t <= end; t++ {
			if !w.visit(t) {
				continue
			}
			if changes++; changes > limit {
				return t - 1, nil
			}
		}
	}
	return upTo, nil
}
