package slicer

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"

	"cupelscope/model"
)

// The profile of Quota has a profile for each kind, over the kind's own target.
// The walk over all whole targets (quotawalk.go) finds which segment of its
// profile each kind is in; that is a list of steps for each kind.
//
// A kind's target nearly always grows, so its segments come nearly in order. A
// band of an item is a range of segments. The steps in that range are contiguous
// except for a few at both ends, where the kind steps in and out.

// quotaProfile is the Profile of Quota.
type quotaProfile struct {
	breakpoints
	q      *quota
	upTo   Target
	shares []steppedShare
	owner  []int32 // by position in the Input: the share
	local  []int32 // by position in the Input: the position in the share's part
	moved  []int32 // by step of any kind, ascending by target: the share
	last   Selection

	curving sync.Once
	curve   Curve
}

// steppedShare is the profile of a kind with the steps over it.
type steppedShare struct {
	segments
	steps []step
	max   []int32 // by step: the largest segment up to it
	min   []int32 // by step: the least segment from it on
}

// Profile implements Prepared: the profiles of the parts, and a walk over the
// targets. Errors: ctx's, those of the inner slicer with the name of the kind,
// ErrNoProfile, and a *RecordsError for more than MaxRecords changes.
func (q *quota) Profile(ctx context.Context, upTo Target) (Profile, error) {
	return q.profile(ctx, upTo, MaxRecords)
}

func (q *quota) profile(ctx context.Context, upTo Target, limit int) (Profile, error) {
	if err := profilable(ctx, q.in, upTo); err != nil {
		return nil, err
	}
	w := newQuotaWalk(q)
	largest := w.largest(upTo)
	var total, done int64 // of the progress, if ctx asks for it
	if reportsProgress(ctx) {
		total = q.cost(largest)
	}
	for i, most := range largest {
		var err error
		if w.shares[i].segments, err = segmentsOf(shareOf(ctx, done, total), &q.shares[i].part.in, q.shares[i].slicer, most); err != nil {
			return nil, fmt.Errorf("quota for kind %q: %w", q.shares[i].quota.Kind, err)
		}
		if total > 0 {
			done += q.shares[i].slicer.Cost(most)
		}
	}
	changes, reached, err := w.run(ctx, upTo, limit)
	if err != nil {
		return nil, err
	}
	if reached < upTo {
		return nil, &RecordsError{Candidates: q.in.Len(), UpTo: upTo, Reached: reached, Limit: limit}
	}
	p := &quotaProfile{q: q, upTo: upTo, breakpoints: changes, moved: w.moved, shares: make([]steppedShare, len(w.shares))}
	p.owner, p.local = make([]int32, q.in.Len()), make([]int32, q.in.Len())
	for i := range p.shares {
		p.shares[i] = newSteppedShare(w.shares[i].segments, w.shares[i].steps)
		for k, at := range q.shares[i].part.at {
			p.owner[at], p.local[at] = int32(i), int32(k)
		}
	}
	p.last = p.At(upTo, nil)
	return p, nil
}

// Cost implements Prepared: what the kinds cost together.
func (q *quota) Cost(upTo Target) int64 {
	return q.cost(newQuotaWalk(q).largest(min(upTo, Target(model.MaxTokens))))
}

func (q *quota) cost(largest []Target) int64 {
	total := int64(0)
	for i, most := range largest {
		total += q.shares[i].slicer.Cost(most)
	}
	return total
}

func newSteppedShare(s segments, steps []step) steppedShare {
	n := len(steps)
	columns := make([]int32, 2*n)
	stepped := steppedShare{segments: s, steps: steps, max: columns[:n], min: columns[n:]}
	most := int32(0)
	for k, step := range steps {
		most = max(most, step.segment)
		stepped.max[k] = most
	}
	least := most
	for k, step := range slices.Backward(steps) {
		least = min(least, step.segment)
		stepped.min[k] = least
	}
	return stepped
}

// reach returns the first step that is at a segment or beyond it, or len(steps).
func (s *steppedShare) reach(segment int) int {
	return sort.Search(len(s.max), func(k int) bool { return int(s.max[k]) >= segment })
}

// beyond returns the first step from which on all steps are at a segment or
// beyond it, or len(steps).
func (s *steppedShare) beyond(segment int) int {
	return sort.Search(len(s.min), func(k int) bool { return int(s.min[k]) >= segment })
}

// until is the last target of step k, in a profile up to upTo.
func (s *steppedShare) until(k int, upTo Target) Target {
	if k+1 < len(s.steps) {
		return s.steps[k+1].at - 1
	}
	return upTo
}

// UpTo implements Profile.
func (p *quotaProfile) UpTo() Target { return p.upTo }

// FirstIn implements Profile: O(log changes) where the kind's target does not
// jump over the beginning of the item's first band, else as Bands.
func (p *quotaProfile) FirstIn(i int) (Target, bool) {
	s := &p.shares[p.owner[i]]
	first, ok := s.FirstIn(int(p.local[i]))
	if !ok {
		return 0, false
	}
	segment := s.at(first)
	k := s.reach(segment)
	if k == len(s.steps) {
		return 0, false // so it is for all later bands
	}
	if int(s.steps[k].segment) == segment {
		return s.steps[k].at, true
	}
	var room [8]Band
	bands := p.Bands(room[:0], i)
	if len(bands) == 0 {
		return 0, false
	}
	return bands[0].From, true
}

// StaysFrom implements Profile; see FirstIn for its cost.
func (p *quotaProfile) StaysFrom(i int) (Target, bool) {
	if !p.last.Has(i) {
		return 0, false
	}
	s := &p.shares[p.owner[i]]
	if stays, ok := s.StaysFrom(int(p.local[i])); ok {
		segment := s.at(stays)
		k := s.beyond(segment)
		if k > 0 && k < len(s.steps) && int(s.steps[k-1].segment) == segment-1 {
			return s.steps[k].at, true // one segment below it is out
		}
	}
	var room [8]Band
	bands := p.Bands(room[:0], i)
	return bands[len(bands)-1].From, true
}

// Bands implements Profile: in time proportional to the bands of the item in
// its kind, and the steps in and out of them.
func (p *quotaProfile) Bands(dst []Band, i int) []Band {
	old := len(dst)
	s := &p.shares[p.owner[i]]
	var room [8]Band
	ascending := true
	add := func(from, to Target) {
		if k := len(dst) - 1; k >= old {
			if dst[k].To == from-1 {
				dst[k].To = to
				return
			}
			ascending = ascending && dst[k].To < from
		}
		dst = append(dst, Band{from, to})
	}
	for _, band := range s.Bands(room[:0], int(p.local[i])) {
		from, to := s.at(band.From), s.at(band.To)
		k, end := s.reach(from), s.beyond(to+1)
		// Between these two nothing steps out.
		in, out := s.beyond(from), s.reach(to+1)
		for ; k < end; k++ {
			if k == in && in < out {
				add(s.steps[k].at, s.until(out-1, p.upTo))
				k = out - 1
			} else if segment := int(s.steps[k].segment); from <= segment && segment <= to {
				add(s.steps[k].at, s.until(k, p.upTo))
			}
		}
	}
	if !ascending {
		dst = append(dst[:old], joined(dst[old:])...)
	}
	return dst
}

// joined sorts bands that do not overlap and joins those that touch, in place.
func joined(bands []Band) []Band {
	slices.SortFunc(bands, func(a, b Band) int { return int(a.From - b.From) })
	n := 0
	for _, b := range bands {
		if n > 0 && bands[n-1].To == b.From-1 {
			bands[n-1].To = b.To
		} else {
			bands[n] = b
			n++
		}
	}
	return bands[:n]
}

// At implements Profile: a search and a selection for each kind.
func (p *quotaProfile) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.q.in.Len())
	t = min(t, p.upTo)
	if t <= 0 {
		return dst
	}
	var sel Selection
	for i := range p.shares {
		s := &p.shares[i]
		k := sort.Search(len(s.steps), func(k int) bool { return s.steps[k].at > t }) - 1
		sel = s.At(s.begin(int(s.steps[k].segment)), sel)
		p.q.shares[i].part.add(dst, sel)
	}
	return dst
}

// Curve implements Profile: O(steps log kinds) on the first call. Scores are
// those of the kinds, added up.
func (p *quotaProfile) Curve() Curve {
	p.curving.Do(p.makeCurve)
	return p.curve
}

// makeCurve follows the steps of all kinds in order. The scores of the kinds are
// the leaves of a tree of sums, so that a step costs no more than the logarithm
// of their number, and no rounding is carried from one change to the next.
func (p *quotaProfile) makeCurve() {
	c := newCurve(len(p.breakpoints) + 1)
	n := len(p.shares)
	curves, next, sums := make([]Curve, n), make([]int, n), make([]float64, 2*n)
	for i := range p.shares {
		curves[i] = p.shares[i].Curve()
	}
	var count int32
	var used model.Tokens
	moved := p.moved
	for _, t := range p.breakpoints {
		for ; len(moved) > 0; moved = moved[1:] {
			i := moved[0]
			steps, curve := p.shares[i].steps, &curves[i]
			if steps[next[i]+1].at != t {
				break
			}
			was, now := steps[next[i]].segment, steps[next[i]+1].segment
			next[i]++
			count += curve.Counts[now] - curve.Counts[was]
			used += curve.Used[now] - curve.Used[was]
			at := n + int(i)
			for sums[at] = curve.Scores[now]; at > 1; at /= 2 {
				sums[at/2] = sums[at&^1] + sums[at|1]
			}
		}
		c.add(t, count, used, sums[1])
	}
	p.curve = c
}
