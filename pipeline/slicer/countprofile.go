package slicer

import (
	"context"
	"fmt"
	"sync"
)

// The profile of count quotas is that of the inner slicer, shifted. The committed
// items are in from target 1 on and take the first tokens, so the profile of the
// rest begins after the sum of their tokens:
//
//	target      0 | 1 ..  committed | committed + 1 ..
//	committed   - | in .. in        | in ..
//	rest        - | -  .. -         | as the inner slicer at 1 ..
//
// The caps are enforced change by change: cappedodometer.go does so for an
// odometer, cappedsweep.go for any other profile.

// countProfile is the Profile of the slicers with count quotas.
type countProfile struct {
	breakpoints
	c      *counts
	upTo   Target
	inner  segments // of the rest, caps enforced
	offset Target   // tokens committed
	local  []int32  // by position in the Input: the position in the rest, -1: committed

	curving sync.Once
	curve   Curve
}

// Profile implements Prepared. Errors: ctx's, *model.ScarcityError where
// scarcity is an error at any target at all, those of the inner slicer,
// ErrNoProfile, and a *RecordsError.
func (c *counts) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, c.in, upTo); err != nil {
		return nil, err
	}
	if c.scarce != nil && upTo > 0 && c.in.Len() > 0 {
		return nil, c.scarce
	}
	p := &countProfile{c: c, upTo: upTo, offset: Target(c.fixed.Tokens)}
	var err error
	if p.inner, err = segmentsOf(ctx, &c.rest.in, c.inner, max(0, upTo-p.offset)); err == nil && len(c.capped) > 0 {
		p.inner, err = c.cap(ctx, p.inner)
	}
	if err != nil {
		return nil, fmt.Errorf("count quota: %w", err)
	}
	p.local = make([]int32, c.in.Len())
	for _, i := range c.fixed.Committed {
		p.local[i] = -1
	}
	for k, i := range c.rest.at {
		p.local[i] = int32(k)
	}
	if upTo > 0 && len(c.fixed.Committed) > 0 {
		p.breakpoints = breakpoints{1}
	}
	for _, t := range p.inner.changes {
		if t += p.offset; len(p.breakpoints) == 0 || p.breakpoints[len(p.breakpoints)-1] < t {
			p.breakpoints = append(p.breakpoints, t)
		}
	}
	return p, nil
}

// Cost implements Prepared: what the profile of the rest costs.
func (c *counts) Cost(upTo Target) int64 {
	return c.inner.Cost(max(0, upTo-Target(c.fixed.Tokens)))
}

// cap is the profile of the rest with all above the caps taken out.
func (c *counts) cap(ctx context.Context, inner segments) (segments, error) {
	caps := newCaps(c)
	if p, ok := inner.Profile.(*odometer); ok {
		if capped, ok := newCappedOdometer(p, caps); ok {
			return segments{capped, capped.breakpoints}, nil
		}
	}
	swept, err := sweep(ctx, inner, caps, MaxRecords)
	if err != nil {
		return segments{}, err
	}
	return segments{swept, swept.breakpoints}, nil
}

// UpTo implements Profile.
func (p *countProfile) UpTo() Target { return p.upTo }

// FirstIn implements Profile at the inner profile's cost.
func (p *countProfile) FirstIn(i int) (Target, bool) {
	if p.local[i] < 0 {
		return 1, p.upTo > 0
	}
	return p.shifted(p.inner.FirstIn(int(p.local[i])))
}

// StaysFrom implements Profile at the inner profile's cost.
func (p *countProfile) StaysFrom(i int) (Target, bool) {
	if p.local[i] < 0 {
		return 1, p.upTo > 0
	}
	return p.shifted(p.inner.StaysFrom(int(p.local[i])))
}

// shifted is a target of the whole for one of the rest.
func (p *countProfile) shifted(t Target, ok bool) (Target, bool) {
	if !ok {
		return 0, false
	}
	return t + p.offset, true
}

// Bands implements Profile at the inner profile's cost.
func (p *countProfile) Bands(dst []Band, i int) []Band {
	if p.local[i] < 0 {
		if p.upTo > 0 {
			dst = append(dst, Band{1, p.upTo})
		}
		return dst
	}
	old := len(dst)
	dst = p.inner.Bands(dst, int(p.local[i]))
	for k := old; k < len(dst); k++ {
		dst[k].From += p.offset
		dst[k].To += p.offset
	}
	return dst
}

// At implements Profile at the inner profile's cost.
func (p *countProfile) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.c.in.Len())
	t = min(t, p.upTo)
	if t <= 0 {
		return dst
	}
	for _, i := range p.c.fixed.Committed {
		dst.Add(int(i))
	}
	if t > p.offset {
		p.c.rest.add(dst, p.inner.At(t-p.offset, nil))
	}
	return dst
}

// Curve implements Profile.
func (p *countProfile) Curve() Curve {
	p.curving.Do(p.makeCurve)
	return p.curve
}

func (p *countProfile) makeCurve() {
	inner := p.inner.Curve()
	c := newCurve(len(inner.Targets) + 1)
	count, score := int32(len(p.c.fixed.Committed)), 0.0
	for _, i := range p.c.fixed.Committed {
		score += p.c.in.Scores[i]
	}
	for k, t := range inner.Targets {
		if t += p.offset; k == 0 { // nothing of the rest
			if count == 0 || p.upTo == 0 || len(inner.Targets) > 1 && inner.Targets[1]+p.offset == 1 {
				continue
			}
			t = 1
		}
		c.add(t, count+inner.Counts[k], p.c.fixed.Tokens+inner.Used[k], score+inner.Scores[k])
	}
	p.curve = c
}

// caps are the capped kinds by position in the rest.
type caps struct {
	c     *counts
	in    *Input // the rest
	kinds []cappedKind
	of    []int32 // by position: index in kinds + 1, 0: not capped
	place []int32 // by position: index in its kind's walk; see order
}

func newCaps(c *counts) *caps {
	all := &caps{c: c, in: &c.rest.in, kinds: c.capped, of: make([]int32, c.rest.in.Len())}
	for i, id := range c.rest.in.Kinds {
		all.of[i] = c.at[id]
	}
	return all
}

// order fills place.
func (c *caps) order() {
	c.place = make([]int32, len(c.of))
	_, walks := c.c.order()
	for _, walk := range walks {
		for place, i := range walk {
			c.place[i] = int32(place)
		}
	}
}

// freePlaces returns the places of the items without tokens, which are given in
// ascending position, and their number by kind. It returns false if other items
// of their kind come before some of them.
func (c *caps) freePlaces(free []int32) (places []int32, number []int, ok bool) {
	places, number = make([]int32, len(free)), make([]int, len(c.kinds))
	for k, i := range free {
		if kind := c.of[i]; kind > 0 {
			places[k] = int32(number[kind-1])
			number[kind-1]++
		}
	}
	if g, ok := c.c.inner.(*greedy); ok && g.freeFirst() {
		return places, number, true
	}
	c.order()
	for k, i := range free {
		places[k] = c.place[i]
		if kind := c.of[i]; kind > 0 && int(places[k]) >= number[kind-1] {
			return nil, nil, false
		}
	}
	return places, number, true
}
