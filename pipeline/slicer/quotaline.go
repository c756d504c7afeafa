package slicer

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// From some target on the same kinds share, and then each kind can be walked by
// itself. With q quotas that require something, a kind's part r of the mass of
// those that share, and the real numbers for which the floors stand,
//
//	line(t) = (require + r * (1 - sum of requires)) * t
//	line(t) - 2  <  target of the kind  <  line(t) + r * q
//
// as each floor takes off less than 1: the two of the kind itself, and those of
// the requires from what is unassigned. So a kind can leave its segment at its
// upper end only from where line + r*q reaches that, and at its lower end only
// up to where line - 2 does. Between the two nothing is looked at, elsewhere
// every target: a dozen a segment, where it has as many.
//
//	segment  from                              to
//	         |-2----->|                |<--r*q-|
//	         look     |  pass over     | look
//
// A cap is a bound of its own: cap * t - 1 < floor(cap * t) <= cap * t.

// line bounds the target of a kind at t by slope * t - below and slope * t +
// above, and by its cap.
type line struct {
	slope, above, below float64
	slow                float64 // 1 / slope
	cap                 float64 // 1: none
}

// noise53 is more than float64 rounds any of this by, as a share: targets are
// below 2^41, and there are few operations.
const noise53 = 1e-14

// settle finds from where on the same kinds share.
func (w *quotaWalk) settle() {
	sum := 0.0
	for _, share := range w.requires {
		sum += share
	}
	w.settled = 1
	for i := range w.shares {
		if s := &w.shares[i]; s.sharing() {
			w.mass += s.mass
			w.settled = max(w.settled, Target(min(2/(s.most-s.require), math.MaxInt64/2))+1)
		}
	}
	if sum > 1 { // by rounding: what is unassigned may fall
		w.settled = math.MaxInt64
	}
	w.rest = 1 - sum
}

// sharing reports whether a kind shares once sharing is settled.
func (s *shareWalk) sharing() bool { return s.most > s.require }

// lineOf is the line of a kind from settled on.
func (w *quotaWalk) lineOf(s *shareWalk, upTo Target) line {
	l := line{slope: s.require, cap: s.most}
	if s.require > 0 {
		l.below = 1
	}
	if s.sharing() && w.mass > 0 {
		part := float64(s.mass) / float64(w.mass)
		l.slope += part * w.rest
		l.above = part * float64(len(w.requires))
		l.below++
	}
	noise := noise53*float64(upTo) + 1e-6
	l.slow = 1 / l.slope
	l.above += noise
	l.below += noise
	return l
}

// most is a target that the kind does not exceed up to t.
func (l line) most(t Target) Target {
	return min(t, Target(min(l.slope*float64(t)+l.above, l.cap*float64(t)*(1+noise53)+1)))
}

// reaches is a target before which the kind is below x.
func (l line) reaches(x Target) Target {
	if l.slope <= 0 {
		if float64(x) <= l.above {
			return 0
		}
		return math.MaxInt64
	}
	t := (float64(x) - l.above) * l.slow
	least := Target(min(t*(1-noise53), 1<<60)) - 1
	if l.cap < 1 {
		least = max(least, reachedBy(l.cap, x))
	}
	return least
}

// reachedBy is a target before which a share of it is below x.
func reachedBy(share float64, x Target) Target {
	return Target(min(float64(x)/share*(1-noise53), 1<<60)) - 1
}

// leaves is a target from which on the kind is at x or above.
func (l line) leaves(x Target) Target {
	if x <= 0 {
		return 0
	}
	if l.slope <= 0 {
		return math.MaxInt64
	}
	t := (float64(x) + l.below) * l.slow
	if l.cap < 1 {
		t = max(t, (float64(x)+1)/l.cap)
	}
	return Target(min(t*(1+noise53), 1<<60)) + 2
}

// A kind that requires nothing gets floor(u * mass / all) of u unassigned tokens,
// which is at x exactly when u is at some threshold or above. And u is plain: it
// grows by 1 a target at most, and falls by less than q in all. So the walk
// compares u, and passes over as many targets as u lacks.

// threshold is the least number of unassigned tokens of which a kind gets x.
func threshold(x Target, mass, all uint64) Target {
	hi, lo := bits.Mul64(uint64(x), all)
	if hi >= mass {
		if x <= 0 {
			return 0
		}
		return math.MaxInt64 // more than there is
	}
	q, r := bits.Div64(hi, lo, mass)
	if r > 0 {
		q++
	}
	return Target(min(q, math.MaxInt64))
}

// unassignedBy is a target before which less than u tokens are unassigned: the
// floors of the requires leave less than one each to what the rest of t is. Where
// nearly all is required that is far away, if it comes at all.
func (w *quotaWalk) unassignedBy(u Target) Target {
	rest := max(0, w.rest) + noise53*float64(1+len(w.requires))
	return Target(min((float64(u)*(1-noise53)-float64(len(w.requires))-1)/rest, 1<<60)) - 1
}

// runFree is runAlone for a kind that requires nothing.
func (w *quotaWalk) runFree(polls *poller, s *shareWalk, settled, upTo Target, limit int) error {
	falls := Target(len(w.requires)) // more than u falls
	low, high := threshold(s.from, s.mass, w.mass), threshold(s.to, s.mass, w.mass)
	capped := s.most < 1
	for t := settled; t <= upTo; {
		if err := polls.poll(); err != nil {
			return err
		}
		unassigned := max(0, t-w.required(t))
		most := t
		if capped {
			most = portion(s.most, t)
		}
		if unassigned < low || most < s.from || unassigned >= high && most >= s.to {
			quotient, _ := divide(unassigned, s.mass, w.mass)
			if s.move(t, min(quotient, most)); len(s.steps) > limit+1 {
				return nil
			}
			low, high = threshold(s.from, s.mass, w.mass), threshold(s.to, s.mass, w.mass)
		}
		lacks := Target(1)
		if unassigned-low >= falls { // so it never goes below low again
			lacks = max(lacks, high-unassigned)
			if capped {
				lacks = max(lacks, reachedBy(s.most, s.to)-t)
			}
		} else if low == 0 { // nor can it here
			lacks = max(lacks, w.unassignedBy(high)-t)
		}
		t += min(lacks, upTo)
	}
	return nil
}

// runAlone walks one kind from settled to upTo, for one step more than limit at
// most.
func (w *quotaWalk) runAlone(polls *poller, s *shareWalk, settled, upTo Target, limit int) error {
	sharing := s.sharing() && w.mass > 0
	if sharing && s.require == 0 {
		return w.runFree(polls, s, settled, upTo, limit)
	}
	l := w.lineOf(s, upTo)
	simple := s.mass <= uint64(math.MaxInt64/2/(upTo+1)) && w.mass < 1<<61
	part := 0.0
	if w.mass > 0 {
		part = float64(s.mass) / float64(w.mass)
	}
	own := slices.Index(w.requires, s.require) // any that is the same will do
	look, skip := l.leaves(s.from), l.reaches(s.to)
	for t := settled; t <= upTo; {
		if err := polls.poll(); err != nil {
			return err
		}
		x, unassigned := Target(0), t
		for k, share := range w.requires {
			require := portion(share, t)
			unassigned -= require
			if k == own {
				x = require
			}
		}
		switch unassigned = max(0, unassigned); {
		case !sharing:
		case simple:
			x += quotientOf(unassigned, part, int64(s.mass), int64(w.mass))
		default:
			quotient, _ := divide(unassigned, s.mass, w.mass)
			x += quotient
		}
		if s.most < 1 {
			x = min(x, portion(s.most, t))
		}
		if x < s.from || x >= s.to {
			if s.move(t, x); len(s.steps) > limit+1 {
				return nil
			}
			look, skip = l.leaves(s.from), l.reaches(s.to)
		}
		if t++; t >= look {
			t = max(t, skip)
		}
	}
	return nil
}

// quotientOf is floor(a * mass / all), where no product overflows and part is
// mass / all. The division by float64 is off by one at most.
func quotientOf(a Target, part float64, mass, all int64) Target {
	q := int64(float64(a) * part)
	switch rest := int64(a)*mass - q*all; {
	case rest < 0:
		q--
	case rest >= all:
		q++
	}
	return Target(q)
}

// poller polls a context every 4,096 times that it is asked to.
type poller struct {
	ctx    context.Context
	polled int
}

func (p *poller) poll() error {
	if p.polled++; p.polled&(1<<12-1) == 0 {
		return p.ctx.Err()
	}
	return nil
}
