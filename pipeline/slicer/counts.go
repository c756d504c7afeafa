package slicer

import (
	"context"
	"fmt"
	"sync"

	"cupelscope/model"
)

// Counts is what count quotas fix whatever the target. Read only.
type Counts struct {
	// Shortfalls has the quotas that require more items than there are
	// candidates of the kind, in the order of the quotas. At a target of 0 or
	// less, and without candidates, nothing falls short.
	Shortfalls []model.Shortfall
	// Committed has the positions that are in at every target above 0 whatever
	// they cost, ascending, and Tokens is the sum of their tokens. Other
	// candidates are in only if these leave room.
	Committed []int32
	Tokens    model.Tokens

	quotas []model.CountQuota // by entry
	byKind []int32            // by kind number: the entry + 1, 0 for none
}

// Quota returns the quota of a kind, which is given by its number in Input.Kinds,
// or false if it has none.
func (c *Counts) Quota(kind uint32) (model.CountQuota, bool) {
	if int(kind) >= len(c.byKind) || c.byKind[kind] == 0 {
		return model.CountQuota{}, false
	}
	return c.quotas[c.byKind[kind]-1], true
}

// counts is the Prepared of both slicers with count quotas. They work in three
// phases:
//
//  1. The best candidates of each kind, as many as its quota requires, are
//     committed.
//  2. The inner slicer fills the rest of the target with the other candidates.
//  3. The output of the inner slicer is walked in order, and each candidate above
//     the cap of its kind is dropped. Committed candidates count towards the cap,
//     but are never dropped.
type counts struct {
	Defaults
	in     *Input
	fixed  Counts
	scarce error // what Slice returns if scarcity is an error

	rest   part
	inner  Prepared
	capped []cappedKind
	at     []int32 // by kind number: index in capped + 1, 0: it cannot exceed a cap

	// Many profiles can do without these, and they cost a sort.
	ordering sync.Once
	put      func(p Prepared, rest *Input) []int32
	output   []int32   // positions in the rest as phase 3 meets them
	walks    [][]int32 // by capped kind: its candidates
}

// cappedKind is a kind that may have more candidates selected than its cap.
type cappedKind struct {
	id   uint32
	room int // what the cap leaves after the committed ones
	rest int // how many are not committed
}

// prepareCounts does all that does not depend on the target. output is the
// order in which phase 3 takes the rest. O(n) on top of the inner slicer's own.
func prepareCounts(in *Input, quotas []model.CountQuota, scarcity model.Scarcity, inner Slicer, output func(p Prepared, rest *Input) []int32) *counts {
	c := &counts{in: in, fixed: Counts{quotas: quotas}, put: output}
	have := kindCounts(in)
	c.fixed.byKind = make([]int32, len(have))
	missing := make([]int, len(have)) // still to be committed by kind
	kindOf := make(map[model.Kind]int, len(have))
	for id := range have {
		kindOf[nameOf(in, id).Fold()] = id
	}
	for e, quota := range quotas {
		satisfied := 0
		if id, ok := kindOf[quota.Kind.Fold()]; ok {
			c.fixed.byKind[id] = int32(e) + 1
			satisfied = min(quota.Require, have[id])
			missing[id] = satisfied
		}
		if satisfied < quota.Require {
			c.fixed.Shortfalls = append(c.fixed.Shortfalls, model.Shortfall{Kind: quota.Kind, Required: quota.Require, Satisfied: satisfied})
		}
	}
	if len(c.fixed.Shortfalls) > 0 && scarcity == model.ScarcityFail {
		s := c.fixed.Shortfalls[0]
		c.scarce = &model.ScarcityError{Kind: s.Kind, Satisfied: s.Satisfied, Required: s.Required}
	}
	rest := make([]int32, 0, in.Len())
	for i, id := range in.Kinds {
		if missing[id] > 0 {
			missing[id]--
			c.fixed.Committed = append(c.fixed.Committed, int32(i))
			c.fixed.Tokens += in.Tokens[i]
			continue
		}
		rest = append(rest, int32(i))
	}
	c.rest = partOf(in, rest)
	c.inner = inner.Prepare(&c.rest.in)
	c.findCapped(have)
	return c
}

// findCapped finds the kinds that can exceed their cap.
func (c *counts) findCapped(have []int) {
	c.at = make([]int32, len(have))
	for id, e := range c.fixed.byKind {
		if e == 0 {
			continue
		}
		quota := c.fixed.quotas[e-1]
		if have[id] <= quota.Cap {
			continue
		}
		committed := min(quota.Require, have[id])
		c.capped = append(c.capped, cappedKind{uint32(id), quota.Cap - committed, have[id] - committed})
		c.at[id] = int32(len(c.capped))
	}
}

// order is the rest as phase 3 meets it, whole and by capped kind.
func (c *counts) order() (output []int32, walks [][]int32) {
	c.ordering.Do(func() {
		c.output = c.put(c.inner, &c.rest.in)
		c.walks = make([][]int32, len(c.capped))
		for k, kind := range c.capped {
			c.walks[k] = make([]int32, 0, kind.rest)
		}
		for _, p := range c.output {
			if k := c.at[c.rest.in.Kinds[p]]; k > 0 {
				c.walks[k-1] = append(c.walks[k-1], p)
			}
		}
	})
	return c.output, c.walks
}

// Slice implements Prepared: the inner slicer's time and one pass over the
// candidates of the capped kinds. Errors: *model.ScarcityError where scarcity
// is one, or an error of the inner slicer. What is committed may exceed t.
func (c *counts) Slice(ctx context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, c.in.Len())
	if t <= 0 || c.in.Len() == 0 {
		return dst, nil
	}
	if c.scarce != nil {
		return nil, c.scarce
	}
	for _, p := range c.fixed.Committed {
		dst.Add(int(p))
	}
	if Target(c.fixed.Tokens) >= t {
		return dst, nil
	}
	sel, err := c.inner.Slice(ctx, t-Target(c.fixed.Tokens), nil)
	if err != nil {
		return nil, fmt.Errorf("count quota: %w", err)
	}
	c.enforce(sel)
	c.rest.add(dst, sel)
	return dst, nil
}

// enforce drops from a selection of the rest what exceeds a cap.
func (c *counts) enforce(sel Selection) {
	if len(c.capped) == 0 {
		return
	}
	_, walks := c.order()
	for k, walk := range walks {
		taken := 0
		for _, p := range walk {
			if !sel.Has(int(p)) {
				continue
			}
			if taken < c.capped[k].room {
				taken++
			} else {
				sel.Remove(int(p))
			}
		}
	}
}

// Counts implements Prepared.
func (c *counts) Counts() *Counts { return &c.fixed }
