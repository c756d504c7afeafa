// Package slicer selects items that fit a token budget, and says exactly what is
// selected at every budget.
//
// A slicer has up to three parts, each in files that begin with its name:
//
//   - NAME.go selects at one target (Slicer, Prepared). This is what Cupel
//     specifies.
//   - NAMEprofile.go has the answer for every target at once (Profiler, Profile).
//   - NAMEsteps.go replays, decision by decision, how the selection comes about
//     (Stepper).
//
// Where the rest is:
//
//   - Greedy: greedy.go decides ties of equal densities; greedyfront.go sorts
//     only the items that can fit; odometer.go is the algorithm behind the
//     profiles of greedy, rank, prefix and stream, odometerprofile.go its answers,
//     minima.go its search for the next item that fits.
//   - Knapsack: knapsacktable.go is the dynamic programme, knapsackcut.go leaves
//     out cells that no answer needs, knapsackwalk.go walks back for all capacities
//     at once, knapsackbands.go and knapsackcurve.go read the profile off that walk,
//     knapsackview.go shows the table.
//   - Quota: quotawalk.go finds every target at which a kind's share changes.
//   - Count quotas: counts.go, countquota.go and countknapsack.go commit what is
//     required and drop what is above a cap; cappedodometer.go and cappedsweep.go
//     are their profiles.
//   - Shared: part.go is one kind's candidates, segments.go a profile in stretches
//     of targets, freeitems.go the items without tokens, output.go the order of
//     the answer, policy.go the slicer that a policy asks for.
package slicer

import (
	"context"
	"errors"
	"math/bits"

	"cupelscope/model"
)

// Target is the effective target T that a slicer fills, in tokens. It is a
// type of its own so that it is never mixed with a budget: simulate.Axis alone
// maps one to the other.
type Target int64

// Input is what a slicer selects from: the deduplicated candidates in sorted
// order (score descending, stable). Columns are by position in that order.
// Read only.
type Input struct {
	Items  []int32        // index in the loaded set
	Tokens []model.Tokens // >= 0
	Scores []float64
	Kinds  []uint32 // model.Set.KindID of the item
	// KindNames is model.Set.Kinds: what the numbers in Kinds stand for. Only
	// slicers that divide the target by kind need it.
	KindNames []model.Kind
	// Double says which candidates are two items, and Pairs how many are; nil and
	// 0: none.
	Double []bool
	Pairs  int
}

// Len is the number of candidates.
func (in *Input) Len() int { return len(in.Items) }

// Size is how many items the candidate at position i is.
func (in *Input) Size(i int) int32 {
	if in.Double != nil && in.Double[i] {
		return 2
	}
	return 1
}

// Selection is a set of positions in an Input, one bit each.
type Selection []uint64

// NewSelection returns an empty selection for n positions. It reuses dst's
// memory where that is large enough; dst may be nil.
func NewSelection(dst Selection, n int) Selection {
	words := (n + 63) / 64
	if cap(dst) < words {
		return make(Selection, words)
	}
	dst = dst[:words]
	clear(dst)
	return dst
}

// Has reports whether position i is selected.
func (s Selection) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// Add selects position i.
func (s Selection) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove unselects position i.
func (s Selection) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// Count is the number of selected positions.
func (s Selection) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Slicer is a way of selecting. Implementations hold parameters only.
type Slicer interface {
	// Prepare does all work that does not depend on the target. The result
	// refers to in.
	Prepare(in *Input) Prepared
}

// Prepared answers for any target. It is immutable and safe for concurrent use.
type Prepared interface {
	// Slice returns the positions selected at target t, in dst's memory where
	// that is large enough. With t <= 0 or no candidates nothing is selected.
	// The tokens selected never exceed t, but for what a Counter commits.
	Slice(t Target, dst Selection) (Selection, error)
}

// Cancellable is a Prepared that can take long, and stops when ctx is done.
type Cancellable interface {
	Prepared
	// SliceContext is Slice; the error may also be ctx's, polled at least every
	// million cells. It reports its progress; see WithProgress.
	SliceContext(ctx context.Context, t Target, dst Selection) (Selection, error)
}

// SliceContext is p.Slice, under ctx where p is Cancellable.
func SliceContext(ctx context.Context, p Prepared, t Target, dst Selection) (Selection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c, ok := p.(Cancellable); ok {
		return c.SliceContext(ctx, t, dst)
	}
	return p.Slice(t, dst)
}

// ErrNoProfile says that a slicer cannot profile itself: ask it at the targets
// of interest instead.
var ErrNoProfile = errors.New("the slicer has no exact profile")

// Profiler is a Prepared that knows its answer at every target at once.
type Profiler interface {
	// Profile returns the exact answer for every target from 0 to upTo. It
	// polls ctx at least every 1,024 items or a million cells. The error is
	// ErrNoProfile where a slicer that this one fills with has none.
	Profile(ctx context.Context, upTo Target) (Profile, error)
}

// Band is a range of targets, both ends included.
type Band struct{ From, To Target }

// Profile is the selection at every target from 0 to UpTo. It is immutable and
// safe for concurrent use. Positions are those of the Input.
type Profile interface {
	UpTo() Target
	// FirstIn is the least target at which position i is selected; false: never.
	FirstIn(i int) (Target, bool)
	// StaysFrom is the least target from which position i is selected at every
	// target up to UpTo; false: it is not selected at UpTo.
	StaysFrom(i int) (Target, bool)
	// Bands appends the maximal ranges of targets at which position i is
	// selected, ascending, to dst.
	Bands(dst []Band, i int) []Band
	// At is the selection at t (clamped to 0..UpTo), in dst's memory where that is large enough.
	At(t Target, dst Selection) Selection
	// Next is the least target above t at which the selection differs from
	// the one just below it; false: none up to UpTo.
	Next(t Target) (Target, bool)
	// Prev is the largest target <= t at which the selection differs from the
	// one just below it; false: the selection is the same from 0 to t.
	Prev(t Target) (Target, bool)
	// Curve gives count, tokens and score at every breakpoint.
	Curve() Curve
}

// Curve describes the selection over all targets: columns by breakpoint,
// ascending by target, beginning with target 0. A value holds up to the next breakpoint.
type Curve struct {
	Targets []Target
	Counts  []int32
	Used    []model.Tokens
	Scores  []float64
}
