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

	// What the target can do once sharing is settled; see calm.
	slope, rise float64
	drop        Target
	calm        Target // before this target of the whole it stays in its segment
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
	settled  Target      // from here on the same kinds share
	mass     uint64      // of those that then share
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

// settle finds from where on the same kinds share, and how fast and by how much
// a kind's target can then rise and fall: over d targets of the whole, with q
// quotas that require something and a kind's part r of the mass,
//
//	what is unassigned grows by (1 - sum of requires) * d, q more or less
//	the kind's target grows by at most (require + r * (1 - sum)) * d + r*q + 2
//	and falls by at most r*q, rounded up
//
// as a difference of floors is that of the numbers, one more or less. A cap
// slows the rise and does not add to the fall. The small change is for what
// float64 rounds before the floors: targets are below 2^41.
func (w *quotaWalk) settle() {
	const more = 1.001
	sum := 0.0
	for _, share := range w.requires {
		sum += share
	}
	for i := range w.shares {
		if s := &w.shares[i]; s.most > s.require {
			w.mass += s.mass
			w.settled = max(w.settled, Target(min(2/(s.most-s.require), math.MaxInt64/2))+1)
		}
	}
	if sum > 1 { // by rounding: what is unassigned may fall
		w.settled = math.MaxInt64
	}
	for i := range w.shares {
		s := &w.shares[i]
		part := 0.0
		if s.most > s.require && w.mass > 0 {
			part = float64(s.mass) / float64(w.mass)
		}
		noise := part * float64(len(w.requires)) * more
		s.slope = (s.require+part*(1-sum))*(1+1e-9) + 1e-12
		s.rise = noise + 2*more
		s.drop = Target(noise) + 1
	}
}

// visitSettled is visit for targets from settled on. Kinds that are calm are
// left alone; next is the least target at which one is not.
func (w *quotaWalk) visitSettled(t Target) (changed bool, next Target) {
	unassigned := max(0, t-w.required(t))
	next = math.MaxInt64
	for i := range w.shares {
		s := &w.shares[i]
		if t >= s.calm {
			target, most := portion(s.require, t), portion(s.most, t)
			if most > target && w.mass > 0 {
				target += s.part(unassigned, w.mass)
			}
			if target = min(target, most); target < s.from || target >= s.to {
				changed = s.move(t, target) || changed
			}
			s.calm = t + 1
			if s.now == 0 || target-s.drop >= s.from {
				if d := (float64(s.to-1-target) - s.rise) / s.slope; d > 0 {
					s.calm += Target(min(d, 1<<42))
				}
			}
		}
		next = min(next, s.calm)
	}
	return changed, next
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

// How many targets are visited between two tries to pass over some: ever more,
// as long as the tries fail.
const nearest, farthest = 16, 512

// run walks to upTo and returns the targets at which the selection changes, at
// most limit of them; reached is upTo, or where the limit was. The error is
// ctx's, polled at least every 131,072 targets.
func (w *quotaWalk) run(ctx context.Context, upTo Target, limit int) (changes []Target, reached Target, err error) {
	for i := range w.shares {
		w.shares[i].enter(0)
		w.shares[i].steps = append(w.shares[i].steps, step{})
	}
	closely := Target(nearest) // targets that are visited before another try to pass over some
	stays := func(i int, least, most Target) bool { return least >= w.shares[i].from && most < w.shares[i].to }
	w.settle()
	polled := 0
	for t, stretch := Target(1), closely; t <= upTo; {
		if polled++; polled&255 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, t - 1, err
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
		for t <= end {
			at, changed := t, false
			if t < w.settled {
				changed = w.visit(t)
				t++
			} else {
				changed, t = w.visitSettled(t)
			}
			if !changed {
				continue
			}
			if len(changes) == limit {
				return nil, at - 1, nil
			}
			changes = append(changes, at)
		}
	}
	return changes, upTo, nil
}
