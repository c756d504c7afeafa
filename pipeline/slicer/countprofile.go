package slicer

import (
	"context"
	"fmt"
)

// The profile of count quotas is the inner slicer's, shifted. The committed
// items are in from target 1 on and take the first tokens, so the profile of the
// other candidates, the rest, begins after the sum of their tokens:
//
//	target      0 | 1 ..  committed | committed + 1 ..
//	committed   - | in .. in        | in ..
//	rest        - | -  .. -         | as the inner slicer at 1 ..
//
// The caps are enforced change by change: cappedodometer.go does so for an
// odometer, cappedsweep.go for any other profile.

// Profile implements Prepared. Errors: ctx's, *model.ScarcityError where
// scarcity is an error at any target at all, an error of the inner slicer,
// ErrNoProfile, and a *RecordsError.
func (c *counts) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, c.in, upTo); err != nil {
		return nil, err
	}
	if c.scarce != nil && upTo > 0 && c.in.Len() > 0 {
		return nil, c.scarce
	}
	offset := Target(c.fixed.Tokens)
	inner, err := ProfileOf(ctx, &c.rest.in, c.inner, max(0, upTo-offset))
	if err == nil && len(c.capped) > 0 {
		inner, err = c.cap(ctx, inner)
	}
	if err != nil {
		return nil, fmt.Errorf("count quota: %w", err)
	}
	var all []toggle
	if upTo > 0 {
		for _, i := range c.fixed.Committed {
			all = append(all, toggle{i, 1})
		}
	}
	var bands []Band
	for k, i := range c.rest.at {
		bands = inner.Bands(bands[:0], k)
		all = addBands(all, i, bands, offset, upTo)
	}
	return newTabulated(ctx, c.in, upTo, all)
}

// cap returns the inner slicer's profile of the rest without the candidates above the caps.
func (c *counts) cap(ctx context.Context, inner Profile) (Profile, error) {
	caps := newCaps(c)
	if p, ok := inner.(*odometer); ok {
		if capped, err := cappedOdometer(ctx, p, caps); capped != nil || err != nil {
			return capped, err
		}
	}
	return sweep(ctx, inner, caps, MaxRecords)
}

// caps are the capped kinds, and which of the candidates that are not committed have one. A
// position is an index in the input of these candidates.
type caps struct {
	c     *counts
	in    *Input // of the candidates that are not committed
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
