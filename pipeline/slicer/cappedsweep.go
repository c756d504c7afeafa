package slicer

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"cupelscope/model"
)

// This file enforces caps on any other profile. At each change it takes the
// selection, enforces the caps and compares the result with the one before. A
// change costs a pass over the words of a selection and the items in it.

// swept is a Profile without the items above the caps.
type swept struct {
	inner   segments
	caps    *caps
	changes []Target
	starts  []int32  // by position, one more element: where its toggles begin
	toggles []Target // by position: enters, leaves, enters, ..
	curve   Curve
}

// toggle is an item that enters or leaves.
type toggle struct {
	item int32
	at   Target
}

// sweep makes the profile. Errors: ctx's, polled at every change, and a
// *RecordsError for more than limit times that an item enters or leaves.
func sweep(ctx context.Context, inner segments, caps *caps, limit int) (*swept, error) {
	n := caps.in.Len()
	caps.order()
	p := &swept{inner: inner, caps: caps, curve: newCurve(len(inner.changes) + 1)}
	before, at := NewSelection(nil, n), Selection(nil)
	var all []toggle
	walk := newCapWalk(caps)
	for _, t := range inner.changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at = inner.At(t, at)
		walk.enforce(at)
		if slices.Equal(at, before) {
			continue
		}
		for w := range at {
			for diff := at[w] ^ before[w]; diff != 0; diff &= diff - 1 {
				all = append(all, toggle{int32(64*w + bits.TrailingZeros64(diff)), t})
			}
		}
		if len(all) > limit {
			return nil, &RecordsError{Candidates: n, UpTo: inner.UpTo(), Reached: t - 1, Limit: limit}
		}
		p.changes = append(p.changes, t)
		var used model.Tokens
		score := 0.0
		count := int32(0)
		for w, word := range at {
			for ; word != 0; word &= word - 1 {
				i := 64*w + bits.TrailingZeros64(word)
				count++
				used += caps.in.Tokens[i]
				score += caps.in.Scores[i]
			}
		}
		p.curve.add(t, count, used, score)
		before, at = at, before
	}
	p.index(all, n)
	return p, nil
}

// index sorts toggles by item, by counting.
func (p *swept) index(all []toggle, n int) {
	p.starts = make([]int32, n+1)
	for _, t := range all {
		p.starts[t.item]++
	}
	sum := int32(0)
	for i, c := range p.starts {
		sum += c
		p.starts[i] = sum
	}
	p.toggles = make([]Target, len(all))
	for _, t := range slices.Backward(all) {
		at := &p.starts[t.item]
		*at--
		p.toggles[*at] = t.at
	}
}

// of is the toggles of position i.
func (p *swept) of(i int) []Target { return p.toggles[p.starts[i]:p.starts[i+1]] }

// UpTo implements Profile.
func (p *swept) UpTo() Target { return p.inner.UpTo() }

// FirstIn implements Profile in O(1).
func (p *swept) FirstIn(i int) (Target, bool) {
	if all := p.of(i); len(all) > 0 {
		return all[0], true
	}
	return 0, false
}

// StaysFrom implements Profile in O(1).
func (p *swept) StaysFrom(i int) (Target, bool) {
	if all := p.of(i); len(all)%2 != 0 {
		return all[len(all)-1], true
	}
	return 0, false
}

// Bands implements Profile in time proportional to the bands.
func (p *swept) Bands(dst []Band, i int) []Band {
	all := p.of(i)
	for ; len(all) > 1; all = all[2:] {
		dst = append(dst, Band{all[0], all[1] - 1})
	}
	if len(all) > 0 {
		dst = append(dst, Band{all[0], p.UpTo()})
	}
	return dst
}

// At implements Profile: the inner profile's cost and a pass over the selection.
func (p *swept) At(t Target, dst Selection) Selection {
	dst = p.inner.At(t, dst)
	newCapWalk(p.caps).enforce(dst)
	return dst
}

// Next implements Profile in O(log changes).
func (p *swept) Next(t Target) (Target, bool) { return above(p.changes, t) }

// Prev implements Profile in O(log changes).
func (p *swept) Prev(t Target) (Target, bool) { return upTo(p.changes, t) }

// Curve implements Profile in O(1).
func (p *swept) Curve() Curve { return p.curve }

// capWalk enforces caps on one selection after the other.
type capWalk struct {
	*caps
	selected [][]int32 // by capped kind
}

func newCapWalk(c *caps) *capWalk {
	return &capWalk{c, make([][]int32, len(c.kinds))}
}

// enforce is counts.enforce for a selection that holds few of the candidates.
func (w *capWalk) enforce(sel Selection) {
	for k := range w.selected {
		w.selected[k] = w.selected[k][:0]
	}
	for at, word := range sel {
		for ; word != 0; word &= word - 1 {
			i := int32(64*at + bits.TrailingZeros64(word))
			if k := w.of[i]; k > 0 {
				w.selected[k-1] = append(w.selected[k-1], i)
			}
		}
	}
	for k, items := range w.selected {
		room := w.kinds[k].room
		if len(items) <= room {
			continue
		}
		slices.SortFunc(items, func(a, b int32) int { return cmp.Compare(w.place[a], w.place[b]) })
		for _, i := range items[room:] {
			sel.Remove(int(i))
		}
	}
}
