// Package slicer selects the candidates that fit a target number of tokens. It
// can also compute the selection at every target at once, and replay how a
// selection comes about.
//
// A custom slicer implements Slicer and Prepared, of which Slice is enough: see
// Defaults. Its profile is then tabulated (see ProfileOf).
//
// A slicer of this package has up to three parts, each in files that begin with
// its name:
//
//   - NAME.go selects at one target (Slicer, Prepared.Slice). This is what Cupel
//     specifies.
//   - NAMEprofile.go has the answer for every target at once (Prepared.Profile).
//   - NAMEsteps.go replays, decision by decision, how the selection comes about
//     (Prepared.Steps).
//
// The other files are:
//
//   - Greedy: greedy.go decides ties of equal densities; greedyfront.go sorts
//     only the items that can fit; odometer.go is the algorithm behind the
//     profiles of greedy, rank, prefix and stream, odometerprofile.go its answers,
//     minima.go its search for the next item that fits.
//   - Knapsack: knapsacktable.go is the dynamic programme, knapsackcore.go leaves out
//     what no best set has, also of candidates that are not on a list (knapsacklist.go),
//     knapsackprofile.go walks back over it for all capacities at once,
//     knapsackview.go shows it.
//   - Quota: quotawalk.go finds every target at which a kind's share changes.
//   - Count quotas: counts.go, countquota.go and countknapsack.go commit what is
//     required and drop what is above a cap; cappedodometer.go and cappedsweep.go
//     are their profiles.
//   - Candidates in several sizes: sized.go fills with them, sizedodometer.go and
//     sizedknapsack.go say what their profiles have besides.
//   - Any slicer: tabulated.go has the profile by position, and makes one of the selection
//     at every target.
//   - Shared: part.go is one kind's candidates, freeitems.go the items without tokens,
//     outputorder.go the order of the answer, policy.go the slicer that a policy asks for.
package slicer

import (
	"context"
	"math"
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
	// Cuts are the shorter sizes of the candidates, grouped by candidate in sorted order,
	// in falling tokens, a note last. Cut k is position Len()+k; CutFrom says by candidate
	// where its cuts begin, and has one more element. Both are nil if no candidate has a
	// size beside the whole.
	Cuts    []Cut
	CutFrom []int32
}

// Cut is a shorter size of a candidate. It is not Cupel's. A selection has at most
// one position of a candidate: the whole or one of its cuts.
type Cut struct {
	Of     int32        // position of the candidate
	Size   uint8        // 1 is the largest after the whole
	Note   bool         // stands in place of a candidate that is out
	Tokens model.Tokens // above 0
	Score  float64      // what the size is worth
}

// Len returns the number of candidates.
func (in *Input) Len() int { return len(in.Items) }

// Positions returns the number of candidates and of their cuts.
func (in *Input) Positions() int { return len(in.Items) + len(in.Cuts) }

// Whole returns the position of the candidate whose cut stands at position i, or i if a
// candidate stands there.
func (in *Input) Whole(i int) int {
	if i < len(in.Items) {
		return i
	}
	return int(in.Cuts[i-len(in.Items)].Of)
}

// TokensAt returns the tokens of a candidate or of a cut.
func (in *Input) TokensAt(i int) model.Tokens {
	if i < len(in.Items) {
		return in.Tokens[i]
	}
	return in.Cuts[i-len(in.Items)].Tokens
}

// ScoreAt returns what a candidate or a cut is worth.
func (in *Input) ScoreAt(i int) float64 {
	if i < len(in.Items) {
		return in.Scores[i]
	}
	return in.Cuts[i-len(in.Items)].Score
}

// IsNote reports whether a note stands at position i.
func (in *Input) IsNote(i int) bool { return i >= len(in.Items) && in.Cuts[i-len(in.Items)].Note }

// CutsOf returns the positions of the cuts of the candidate at position i, from and to,
// without its note, and the position of the note, or -1.
func (in *Input) CutsOf(i int) (from, to, note int) {
	if in.Cuts == nil {
		return 0, 0, -1
	}
	from, to, note = in.Len()+int(in.CutFrom[i]), in.Len()+int(in.CutFrom[i+1]), -1
	if from < to && in.IsNote(to-1) {
		to, note = to-1, to-1
	}
	return from, to, note
}

// Taken returns the position in which a selection has the candidate at position i: i, the
// position of a cut or of its note, or -1.
func (in *Input) Taken(sel Selection, i int) int {
	if sel.Has(i) {
		return i
	}
	if in.Cuts != nil {
		for k := in.CutFrom[i]; k < in.CutFrom[i+1]; k++ {
			if at := in.Len() + int(k); sel.Has(at) {
				return at
			}
		}
	}
	return -1
}

// MinTokens returns the tokens of the smallest size of a candidate that is no note.
func (in *Input) MinTokens(i int) model.Tokens {
	if from, to, _ := in.CutsOf(i); from < to {
		return in.TokensAt(to - 1)
	}
	return in.Tokens[i]
}

// least is the smallest tokens above 0 of what has some: of candidates, of their sizes and of notes.
type least struct{ whole, size, note model.Tokens }

// least takes a pass over the Input.
func (in *Input) least() least {
	l := least{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	for _, tokens := range in.Tokens {
		if tokens > 0 {
			l.whole = min(l.whole, tokens)
		}
	}
	for k := range in.Cuts {
		if c := &in.Cuts[k]; c.Note {
			l.note = min(l.note, c.Tokens)
		} else {
			l.size = min(l.size, c.Tokens)
		}
	}
	return l
}

// Size returns the number of items that are in with position i: 2 for a pair, none for a
// note, else 1.
func (in *Input) Size(i int) int32 {
	if i >= len(in.Items) {
		if in.IsNote(i) {
			return 0
		}
		i = in.Whole(i)
	}
	if in.Double != nil && in.Double[i] {
		return 2
	}
	return 1
}

// Selection is a set of positions in an Input, cuts included: position i is bit i%64 of word
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

func (s Selection) flip(i int) { s[i>>6] ^= 1 << (i & 63) }

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
	// Traits returns what holds of the slicer whatever the candidates are.
	Traits() Traits
}

// Traits is what holds of a slicer whatever the candidates are. A slicer with the zero
// Traits has one target for all kinds, and weighs scores and tokens.
type Traits struct {
	Shifts
	ByScore bool // it goes through the candidates in order of score, whatever their tokens
	Sizes   bool // it takes candidates in shorter sizes (Input.Cuts); any other is given none
	// Key, if not nil, gives what the slicer goes by: in ascending order of it, ties in
	// order of score, it takes each candidate that still fits, and below a target of 1 none.
	Key func(score float64, tokens model.Tokens) uint64
	// Batch, above 0, is how many candidates it goes through at a time as they arrive, the best score
	// first: it cannot fill the share of a kind. It stops before a batch if nothing of the target remains.
	Batch int
	// Stops: after the first that does not fit, it takes only candidates without tokens.
	Stops bool
	// FromList, if not nil, returns how the slicer, which has no Key, selects from a list of up to n
	// candidates at targets up to upTo. It returns nil where Slice may fail for so many.
	FromList func(n int, upTo Target) *ListSlicer
}

// Shifts describes how a slicer divides the target among kinds. If it does, a
// larger target changes the shares, and the Cupel specification (chapter Budget
// Simulation) rules out a search for budgets.
type Shifts struct {
	Percentages bool // quotas give kinds percentages of the target
	Counts      bool // quotas bound the number of items of a kind
}

// Prepared is a Slicer prepared for one Input. It returns the selection at any
// target. Implementations must be safe for concurrent use.
//
// Only Slice has to be written: embed Defaults for the rest. A Prepared that wraps
// another one embeds that, and so passes on what it does not change.
type Prepared interface {
	// Slice returns the positions selected at target t. It reuses dst's memory
	// if it is large enough; dst may be nil. The result has the length that
	// NewSelection gives. If t <= 0 nothing is selected. The tokens of the
	// selection do not exceed t, except those that Counts commits.
	//
	// A Slice that can take long polls ctx at least every million cells, returns
	// its error, and reports progress to the function of WithProgress.
	Slice(ctx context.Context, t Target, dst Selection) (Selection, error)
	// Profile returns the exact selection at every target from 0 to upTo. It
	// polls ctx during long computations. ErrNoProfile stands for a profile that
	// only Slice at every target can give: see ProfileOf.
	//
	// The slicers of this package return an error if upTo is not 0 to
	// model.MaxTokens or there are more than model.MaxItems candidates; ctx's
	// error; a *RecordsError if the profile has too many changes; and the errors
	// of Slice and of an inner slicer.
	Profile(ctx context.Context, upTo Target) (Profile, error)
	// Steps tells the steps of the slicer at target t, in its order. Slice
	// selects the positions that are in after their last step. Every position
	// has a step, also one that Slice passes over to save time. If t <= 0 or
	// there are no candidates, there are no steps.
	//
	// The error is one of Slice, ctx's, which is polled while a table is made, or
	// ErrNoSteps if the slicer or its inner slicer has no steps. Steps that come
	// before it are told. It costs O(n) on top of making the table.
	Steps(ctx context.Context, t Target, tell func(Step)) error
	// Out returns, for a target above 0 and the selection at it, notes or not, the step of a candidate
	// that is out, by position, or nil if only Steps shows it. Under a knapsack, which chooses
	// the set as a whole, Left and After are what the set leaves, and Row is not set. Out takes
	// O(n), and what it returns O(log of the number selected). Where left is not asked for, the
	// step need have no more than its Verdict and Why, and most slicers give them in O(1).
	Out(t Target, sel Selection) func(at int, left bool) Step
	// Order returns all positions in the order in which the slicer outputs them,
	// which is the same at every target, or nil for sorted order. If a count
	// quota drops candidates, the first ones stay. Read only.
	Order() []int32
	// Shares returns the share of each kind at target t and how it is computed,
	// in order of the kinds' first appearance in the Input. It is nil if t <= 0,
	// and for a slicer that does not divide the target by percentages.
	Shares(t Target) []KindShare
	// Counts returns what count quotas fix whatever the target, or nil without
	// any.
	Counts() *Counts
}

// Defaults is embedded by a Prepared that only selects.
type Defaults struct{}

// Profile returns ErrNoProfile.
func (Defaults) Profile(context.Context, Target) (Profile, error) { return nil, ErrNoProfile }

// Steps returns ErrNoSteps.
func (Defaults) Steps(context.Context, Target, func(Step)) error { return ErrNoSteps }

// Out returns nil.
func (Defaults) Out(Target, Selection) func(at int, left bool) Step { return nil }

// Order returns nil: sorted order.
func (Defaults) Order() []int32 { return nil }

// Shares returns nil.
func (Defaults) Shares(Target) []KindShare { return nil }

// Counts returns nil.
func (Defaults) Counts() *Counts { return nil }

// Profile is the selection at every target from 0 to UpTo. It is safe for
// concurrent use. Positions are as in the Input; methods panic on a position
// outside it. A breakpoint is a target at which the selection is another than at
// the target one token below.
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
	// Changes returns all breakpoints, ascending. Read only.
	Changes() []Target
	// Series returns count, tokens and score at target 0 and at every
	// breakpoint. Read only.
	Series() Series
}

// Series describes the selection over all targets. Its columns have one element
// for target 0 and one for each breakpoint, in ascending order of target. A
// value holds from its target up to the next one in Targets.
type Series struct {
	Targets []Target
	Counts  []int32        // number of items selected
	Used    []model.Tokens // sum of their tokens
	Scores  []float64      // sum of the scores of the candidates selected
}
