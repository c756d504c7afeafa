package slicer

import (
	"context"
	"fmt"

	"cupelscope/model"
)

// Steps implements Prepared: the three phases of counts. Phase 3 has steps for the
// kinds that have more candidates than their cap allows; in the others nothing
// can be dropped. What it drops is left over: nothing is filled into it.
func (c *counts) Steps(ctx context.Context, t Target, tell func(Step)) error {
	if t <= 0 || c.in.Len() == 0 {
		return nil
	}
	c.stepCommitted(t, tell)
	if c.scarce != nil {
		return c.scarce
	}
	rest := max(0, t-Target(c.fixed.Tokens))
	tell(opening(FillRest, rest, Filling{c.rest.in.Len()}))
	if rest == 0 {
		c.rest.passOver(FillRest, tell)
		return nil
	}
	filled := NewSelection(nil, c.in.Len())
	err := c.inner.Steps(ctx, rest, c.rest.within(func(s Step) {
		filled.follow(s)
		tell(s)
	}))
	if err != nil {
		return fmt.Errorf("count quota: %w", err)
	}
	if len(c.capped) > 0 {
		c.stepCaps(filled, rest, tell)
	}
	return nil
}

// stepCommitted is phase 1: quota by quota, the best of its kind.
func (c *counts) stepCommitted(t Target, tell func(Step)) {
	have, committed := make([]int, len(c.fixed.quotas)), make([][]int32, len(c.fixed.quotas)) // by entry
	for id, n := range kindCounts(c.in) {
		if e := c.fixed.byKind[id]; e > 0 {
			have[e-1] = n
		}
	}
	for _, p := range c.fixed.Committed {
		e := c.fixed.byKind[c.in.Kinds[p]] - 1
		committed[e] = append(committed[e], p)
	}
	for e, quota := range c.fixed.quotas {
		if quota.Require == 0 {
			continue
		}
		tell(opening(Commit, t, Requirement{Quota: quota, Have: have[e], Satisfied: min(have[e], quota.Require)}))
		for k, p := range committed[e] {
			need := Target(c.in.Tokens[p])
			s := Step{
				Phase: Commit, Verdict: Committed, At: p, Number: int32(k) + 1, Of: int32(min(quota.Require, model.MaxItems)),
				Need: need, Left: t, After: max(0, t-need), Unit: 1,
			}
			t = s.After
			tell(s)
		}
	}
}

// stepCaps is phase 3, with what the inner slicer filled of rest.
func (c *counts) stepCaps(filled Selection, rest Target, tell func(Step)) {
	left, candidates := rest, 0
	for k, p := range c.rest.at {
		if filled.Has(int(p)) {
			left -= Target(c.rest.in.Tokens[k])
		}
	}
	taken := make(map[uint32]int, len(c.capped)) // by kind number, of the capped kinds
	output, walks := c.order()
	for k, kind := range c.capped {
		for _, p := range walks[k] {
			if filled.Has(int(c.rest.at[p])) {
				candidates++
			}
		}
		taken[kind.id] = c.fixed.quotas[c.fixed.byKind[kind.id]-1].Cap - kind.room
	}
	if candidates == 0 {
		return
	}
	tell(opening(EnforceCaps, left, Filling{candidates}))
	for _, p := range output {
		at := c.rest.at[p]
		id := c.in.Kinds[at]
		number, capped := taken[id]
		if !capped || !filled.Has(int(at)) {
			continue
		}
		number++
		limit := c.fixed.quotas[c.fixed.byKind[id]-1].Cap
		s := Step{
			Phase: EnforceCaps, Verdict: Kept, At: at, Number: int32(number), Of: int32(min(limit, model.MaxItems)),
			Need: Target(c.in.Tokens[at]), Left: left, After: left, Unit: 1,
		}
		if number > limit {
			s.Verdict, s.After = Dropped, left+s.Need
		} else {
			taken[id] = number
		}
		left = s.After
		tell(s)
	}
}
