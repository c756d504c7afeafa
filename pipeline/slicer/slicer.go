// Package slicer selects the candidates that fit a target number of tokens. It
// can also compute the selection at every target at once, and replay how a
// selection comes about.
//
// A custom slicer implements Slicer and Prepared. It may implement further
// interfaces: on the Slicer, Shifter; on the Prepared, Profiler (and Coster),
// Stepper, Cancellable, Ordered, Sharer and Counter.
//
// A slicer of this package has up to three parts, each in files that begin with
// its name:
//
//   - NAME.go selects at one target (Slicer, Prepared). This is what Cupel
//     specifies.
//   - NAMEprofile.go has the answer for every target at once (Profiler, Profile).
//   - NAMEsteps.go replays, decision by decision, how the selection comes about
//     (Stepper).
//
// The other files are:
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

// Target is the effective target T that a slicer fills, in tokens: what the
// pinned items leave of the budget. It has a type of its own so that it is never
// confused with a budget; simulate.Axis maps one to the other.
type Target int64

// Input is what a slicer selects from: the deduplicated candidates in sorted
// order, the best score first and ties in input order. A candidate's position in
// that order is its index in each column. Read only.
type Input struct {
	Items  []int32        // index in the loaded set
	Tokens []model.Tokens // >= 0
	Scores []float64
	Kinds  []uint32 // model.Set.KindID of the item
	// KindNames is model.Set.Kinds, the name of each number in Kinds. Only
	// slicers with quotas need it.
	KindNames []model.Kind
	// Double reports by position whether a candidate is a pair of items, and
	// Pairs is the number of pairs. Without pairs they may be nil and 0.
	Double []bool
	Pairs  int
}

// Len returns the number of candidates.
func (in *Input) Len() int { return len(in.Items) }

// Size returns the number of items of the candidate at position i: 2 for a pair,
// else 1.
func (in *Input) Size(i int) int32 {
	if in.Double != nil && in.Double[i] {
		return 2
	}
	return 1
}

// Selection is a set of positions in an Input: position i is bit i%64 of word
// i/64. A selection for n positions has (n+63)/64 words. Has, Add and Remove
// panic if i is negative or beyond the last word. A Selection is not safe for
// concurrent changes.
type Selection []uint64

// NewSelection returns an empty selection for n positions. It reuses dst's
// memory if it is large enough; dst may be nil.
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

// Count returns the number of selected positions.
func (s Selection) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Slicer is a rule for selecting candidates. Implementations hold only
// parameters, and must be safe for concurrent use.
type Slicer interface {
	// Prepare does the work that does not depend on the target. The result may
	// keep in; neither it nor the caller may change in afterwards.
	Prepare(in *Input) Prepared
}

// Prepared is a Slicer prepared for one Input. It returns the selection at any
// target. Implementations must be safe for concurrent use.
type Prepared interface {
	// Slice returns the positions selected at target t. It reuses dst's memory
	// if it is large enough; dst may be nil. The result has the length that
	// NewSelection gives. If t <= 0 nothing is selected. The tokens of the
	// selection do not exceed t, except those that a Counter commits.
	Slice(t Target, dst Selection) (Selection, error)
}

// Cancellable is a Prepared whose Slice can take long. Its SliceContext stops
// when ctx is done.
type Cancellable interface {
	Prepared
	// SliceContext does what Slice does. The error may also be ctx's, which it
	// polls at least every million cells. It reports its progress to the
	// function of WithProgress.
	SliceContext(ctx context.Context, t Target, dst Selection) (Selection, error)
}

// SliceContext calls p.SliceContext if p is Cancellable, else p.Slice. It
// returns ctx's error if ctx is done already.
func SliceContext(ctx context.Context, p Prepared, t Target, dst Selection) (Selection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c, ok := p.(Cancellable); ok {
		return c.SliceContext(ctx, t, dst)
	}
	return p.Slice(t, dst)
}

// ErrNoProfile is the error for a slicer that has no profile. Call Slice at the
// targets of interest instead. It may be wrapped: use errors.Is.
var ErrNoProfile = errors.New("the slicer has no exact profile")

// Profiler is a Prepared that can compute its selection at every target at once.
type Profiler interface {
	// Profile returns the exact selection at every target from 0 to upTo. It
	// polls ctx during long computations.
	//
	// The slicers of this package return an error if upTo is not 0 to
	// model.MaxTokens or there are more than model.MaxItems candidates; ctx's
	// error; a *RecordsError if the profile has too many changes; the errors of
	// Slice; and ErrNoProfile if the inner slicer has no profile.
	Profile(ctx context.Context, upTo Target) (Profile, error)
}

// Band is a range of targets, both ends included.
type Band struct{ From, To Target }

// Profile is the selection at every target from 0 to UpTo. It is safe for
// concurrent use. Positions are those of the Input; methods panic on a position
// outside it. A breakpoint is a target at which the selection differs from that
// at the target one token below.
type Profile interface {
	// UpTo returns the largest target of the profile.
	UpTo() Target
	// FirstIn returns the least target at which position i is selected, or
	// false if it never is.
	FirstIn(i int) (Target, bool)
	// StaysFrom returns the least target from which position i is selected at
	// every target up to UpTo, or false if it is not selected at UpTo.
	StaysFrom(i int) (Target, bool)
	// Bands appends the maximal ranges of targets at which position i is
	// selected to dst, in ascending order, and returns the extended slice.
	Bands(dst []Band, i int) []Band
	// At returns the selection at t, clamped to 0 to UpTo. It reuses dst's
	// memory if it is large enough; dst may be nil.
	At(t Target, dst Selection) Selection
	// Next returns the least breakpoint above t, or false if there is none up
	// to UpTo.
	Next(t Target) (Target, bool)
	// Prev returns the largest breakpoint that is at most t, or false if the
	// selection is the same from 0 to t.
	Prev(t Target) (Target, bool)
	// Curve returns count, tokens and score at target 0 and at every
	// breakpoint. Read only.
	Curve() Curve
}

// BandFinder is a Profile whose Bands takes a search for each position. After
// FindBands it takes time proportional to the bands.
type BandFinder interface {
	Profile
	// FindBands finds the bands of all positions. The only error is ctx's, which
	// it polls like Profile.
	FindBands(ctx context.Context) error
}

// FindBands calls p.FindBands if p is a BandFinder.
func FindBands(ctx context.Context, p Profile) error {
	if finder, ok := p.(BandFinder); ok {
		return finder.FindBands(ctx)
	}
	return nil
}

// CurveFinder is a Profile whose first Curve takes long. FindCurve makes it.
type CurveFinder interface {
	Profile
	// FindCurve makes what Curve returns. The only error is ctx's, which it polls
	// like Profile.
	FindCurve(ctx context.Context) error
}

// FindCurve calls p.FindCurve if p is a CurveFinder.
func FindCurve(ctx context.Context, p Profile) error {
	if finder, ok := p.(CurveFinder); ok {
		return finder.FindCurve(ctx)
	}
	return nil
}

// Curve describes the selection over all targets. Its columns have one element
// for target 0 and one for each breakpoint, in ascending order of target. A
// value holds from its target up to the next one in Targets.
type Curve struct {
	Targets []Target
	Counts  []int32        // number of items selected
	Used    []model.Tokens // sum of their tokens
	Scores  []float64      // sum of the scores of the candidates selected
}
