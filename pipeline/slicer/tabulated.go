package slicer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/order"
)

// This file has the profile that knows by position where each enters and leaves: knapsacks find
// this in knapsackprofile.go, quotas in quotaprofile.go. It also makes the profile of the selections
// at one target after another: for a slicer which has no profile, and for count quotas whose caps no
// odometer can enforce.

// Band is a range of targets, both ends included.
type Band struct{ From, To Target }

// MaxTabulated is the largest target of a profile that is tabulated.
const MaxTabulated Target = 1 << 17

// ErrNoProfile is the error for a slicer that has no profile, where one cannot be
// tabulated. Call Slice at the targets of interest instead. It may be wrapped: use
// errors.Is.
var ErrNoProfile = errors.New("the slicer has no exact profile")

// ProfileOf returns p.Profile(ctx, upTo), where p was prepared for in. If that is
// ErrNoProfile, it calls Slice at every target from 1 to upTo and tabulates the
// selections. The error wraps ErrNoProfile if upTo is above MaxTabulated; it is a
// *RecordsError for more than MaxRecords times that a candidate enters or leaves,
// and else ctx's or an error of Slice.
func ProfileOf(ctx context.Context, in *Input, p Prepared, upTo Target) (Profile, error) {
	profile, err := p.Profile(ctx, upTo)
	if !errors.Is(err, ErrNoProfile) {
		return profile, err
	}
	if err := profilable(ctx, in, upTo); err != nil {
		return nil, err
	}
	if upTo > MaxTabulated {
		return nil, fmt.Errorf("%w, and its selections can be tabulated up to a target of %v, not %v",
			ErrNoProfile, plain.Thousands(MaxTabulated), plain.Thousands(upTo))
	}
	every := func(yield func(Target) bool) {
		for t := Target(1); t <= upTo && yield(t); t++ {
		}
	}
	return tabulate(ctx, in, upTo, every, MaxRecords, func(t Target, dst Selection) (Selection, error) {
		sel, err := p.Slice(ctx, t, dst)
		if rest := in.Positions() % 64; err == nil && rest > 0 {
			sel[len(sel)-1] &= 1<<rest - 1 // beyond the last position there is nothing
		}
		return sel, err
	})
}

// tabulated is a Profile of the targets at which each position enters and leaves.
type tabulated struct {
	breakpoints
	upTo    Target
	starts  []int32  // by position, one more element: where its toggles begin
	toggles []Target // by position: enters, leaves, enters, ..
	ever    []int32  // positions that are in at any target
	series  Series
}

// toggle is a candidate that enters or leaves.
type toggle struct {
	position int32
	at       Target
}

// tabulate makes the profile of what at selects; it changes at some of the targets
// given, which ascend from 1, and at no other. A target costs a pass over the words
// of a selection, and a change one over the candidates in it. Errors: at's, ctx's,
// polled at every target, and a *RecordsError for more than limit times that a
// candidate enters or leaves.
func tabulate(ctx context.Context, in *Input, upTo Target, targets iter.Seq[Target], limit int, at func(t Target, dst Selection) (Selection, error)) (*tabulated, error) {
	n := in.Positions()
	before, sel := NewSelection(nil, n), Selection(nil)
	var all []toggle
	for t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if sel, err = at(t, sel); err != nil {
			return nil, err
		}
		if slices.Equal(sel, before) {
			continue
		}
		for w := range sel {
			for diff := sel[w] ^ before[w]; diff != 0; diff &= diff - 1 {
				all = append(all, toggle{int32(64*w + bits.TrailingZeros64(diff)), t})
			}
		}
		if len(all) > limit {
			return nil, &RecordsError{Candidates: n, UpTo: upTo, Reached: t - 1, Limit: limit}
		}
		before, sel = sel, before
	}
	return newTabulated(ctx, in, upTo, all)
}

// newTabulated is the profile of toggles, which ascend for each position: O(toggles log
// positions). The error is ctx's.
//
// The scores of what is in are the leaves of a tree of sums, so that no rounding is carried
// from one change to the next.
func newTabulated(ctx context.Context, in *Input, upTo Target, all []toggle) (*tabulated, error) {
	p := &tabulated{upTo: upTo, series: newSeries(64)}
	p.index(all, in.Positions())
	leaf := make([]int32, in.Positions())
	for k, i := range p.ever {
		leaf[i] = int32(len(p.ever) + k)
	}
	keys := make([]uint64, len(all))
	for k, t := range all {
		keys[k] = uint64(t.at)
	}
	sums, c := make([]float64, 2*len(p.ever)), &p.series
	is := NewSelection(nil, in.Positions())
	var count int32
	var used model.Tokens
	m := NewMeter(ctx, 0)
	for _, k := range order.Sorted(keys) {
		t, i := all[k].at, int(all[k].position)
		at, size, tokens, score := leaf[i], in.Size(i), in.TokensAt(i), in.ScoreAt(i)
		if is.Has(i) {
			is.Remove(i)
			size, tokens, score = -size, -tokens, 0
		} else {
			is.Add(i)
		}
		count, used = count+size, used+tokens
		for sums[at] = score; at > 1; at /= 2 {
			sums[at/2] = sums[at&^1] + sums[at|1]
		}
		if c.Targets[len(c.Targets)-1] < t {
			c.add(t, 0, 0, 0)
		}
		last := len(c.Targets) - 1
		c.Counts[last], c.Used[last], c.Scores[last] = count, used, sums[1]
		if err := m.Add(16); err != nil {
			return nil, err
		}
	}
	p.breakpoints = c.Targets[1:]
	return p, nil
}

// index sorts toggles by position, by counting.
func (p *tabulated) index(all []toggle, n int) {
	p.starts = make([]int32, n+1)
	for _, t := range all {
		p.starts[t.position]++
	}
	sum := int32(0)
	for i, c := range p.starts {
		sum += c
		p.starts[i] = sum
	}
	p.toggles = make([]Target, len(all))
	for i := range n {
		if p.starts[i] > 0 && (i == 0 || p.starts[i] > p.starts[i-1]) {
			p.ever = append(p.ever, int32(i))
		}
	}
	for _, t := range slices.Backward(all) {
		at := &p.starts[t.position]
		*at--
		p.toggles[*at] = t.at
	}
}

// addBands adds the bands of a position, moved up by an offset, in a profile up to upTo.
func addBands(all []toggle, position int32, bands []Band, offset, upTo Target) []toggle {
	for _, band := range bands {
		all = append(all, toggle{position, band.From + offset})
		if leaves := band.To + offset + 1; leaves <= upTo {
			all = append(all, toggle{position, leaves})
		}
	}
	return all
}

// of is the toggles of position i.
func (p *tabulated) of(i int) []Target { return p.toggles[p.starts[i]:p.starts[i+1]] }

// UpTo implements Profile.
func (p *tabulated) UpTo() Target { return p.upTo }

// FirstIn implements Profile in O(1).
func (p *tabulated) FirstIn(i int) (Target, bool) {
	if all := p.of(i); len(all) > 0 {
		return all[0], true
	}
	return 0, false
}

// StaysFrom implements Profile in O(1).
func (p *tabulated) StaysFrom(i int) (Target, bool) {
	if all := p.of(i); len(all)%2 != 0 {
		return all[len(all)-1], true
	}
	return 0, false
}

// Bands implements Profile in time proportional to the bands.
func (p *tabulated) Bands(dst []Band, i int) []Band {
	all := p.of(i)
	for ; len(all) > 1; all = all[2:] {
		dst = append(dst, Band{all[0], all[1] - 1})
	}
	if len(all) > 0 {
		dst = append(dst, Band{all[0], p.upTo})
	}
	return dst
}

// At implements Profile: a search for each candidate that is ever in.
func (p *tabulated) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, len(p.starts)-1)
	for _, i := range p.ever {
		all := p.of(int(i))
		if sort.Search(len(all), func(k int) bool { return all[k] > t })%2 != 0 {
			dst.Add(int(i))
		}
	}
	return dst
}

// ascending returns At for targets that ascend: a step costs what changes since the one before, and
// a copy of the selection.
func (p *tabulated) ascending() func(t Target, dst Selection) Selection {
	positions, keys := make([]int32, 0, len(p.toggles)), make([]uint64, 0, len(p.toggles))
	for _, i := range p.ever {
		for _, t := range p.of(int(i)) {
			positions, keys = append(positions, i), append(keys, uint64(t))
		}
	}
	next, in := order.Sorted(keys), NewSelection(nil, len(p.starts)-1)
	return func(t Target, dst Selection) Selection {
		for ; len(next) > 0 && Target(keys[next[0]]) <= t; next = next[1:] {
			in.flip(int(positions[next[0]]))
		}
		return append(dst[:0], in...)
	}
}

// Series implements Profile in O(1).
func (p *tabulated) Series() Series { return p.series }

// breakpoints are the changes of a profile, ascending.
type breakpoints []Target

// Changes implements Profile in O(1).
func (b breakpoints) Changes() []Target { return b }

// Next implements Profile in O(log changes).
func (b breakpoints) Next(t Target) (Target, bool) {
	if k := b.after(t); k < len(b) {
		return b[k], true
	}
	return 0, false
}

// Prev implements Profile in O(log changes).
func (b breakpoints) Prev(t Target) (Target, bool) {
	if k := b.after(t); k > 0 {
		return b[k-1], true
	}
	return 0, false
}

// after is the number of changes up to t.
func (b breakpoints) after(t Target) int {
	return sort.Search(len(b), func(i int) bool { return b[i] > t })
}
