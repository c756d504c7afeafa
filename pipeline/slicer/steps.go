package slicer

import (
	"context"
	"errors"
	"iter"

	"cupelscope/model"
)

// ErrNoSteps says that a slicer cannot replay itself.
var ErrNoSteps = errors.New("the slicer has no steps to replay")

// Stepper is a Prepared that replays how it arrives at its selection, step by
// step.
type Stepper interface {
	// Steps is what the slicer does at target t, in its order: the positions
	// that are in after their last step are those that Slice selects. Every
	// position is decided, and none without candidates or with t <= 0. What
	// the slicer of a large set skips without looking at it is replayed as well,
	// because the specification looks at it.
	//
	// An error ends the sequence: those of Slice, and ctx's, which is polled
	// where a table is made; ErrNoSteps where a slicer that this one fills
	// with has none. A sequence can be run again, and costs O(n) on top of
	// the table.
	Steps(ctx context.Context, t Target) iter.Seq2[Step, error]
}

var (
	_ Stepper = (*greedy)(nil)
	_ Stepper = (*knapsack)(nil)
	_ Stepper = (*quota)(nil)
	_ Stepper = (*counts)(nil)
	_ Stepper = (*stream)(nil)
	_ Stepper = (*rank)(nil)
	_ Stepper = (*prefix)(nil)
)

// Step is one thing that a slicer does: it opens a phase (Opens is set and At
// is -1), or decides on a candidate.
type Step struct {
	Phase   Phase
	Verdict Verdict // NoVerdict if it opens a phase
	Why     Why     // set where the verdict is Skipped
	Depth   uint8   // how many phases of a wrapping slicer it is in
	At      int32   // position in the Input, -1 for none

	// Number of Of, from 1: the required ones of a kind (Committed), those
	// that a cap lets through (Kept), the members of a batch; at Dropped, Of is
	// the cap, and Number one more. 0 elsewhere.
	Number, Of int32

	// Need is what the candidate takes of Left, and After is what is left when
	// it is decided; none is negative. They count units of Unit tokens: 1, or
	// the bucket of a knapsack. A step that opens a phase says what the phase
	// begins with.
	Need, Left, After Target
	Unit              model.Tokens

	// Row is the row of a candidate in the table of a knapsack, from 1; 0 if its
	// score has no value. Only in WalkBack.
	Row int32

	Opens Opening
}

// Phase is a part of what a slicer does.
type Phase uint8

// The phases. Those of a slicer that another fills with follow the step that
// opens the other's.
const (
	ByDensity   Phase = iota + 1 // Greedy: the densest first
	ByScore                      // Rank and Prefix: the best first
	InOutline                    // Knapsack: the table, and what needs none
	WalkBack                     // Knapsack: from the last row of the table to the first
	ShareOut                     // Quota: one kind in its share
	Commit                       // count quotas: the best of a kind, as many as it requires
	FillRest                     // count quotas: what the committed leave
	EnforceCaps                  // count quotas: dropping what is above a cap
	Batch                        // Stream: one batch
	Truncation                   // Place, where the result exceeds the target
)

// Verdict is what is decided about a candidate.
type Verdict uint8

// The verdicts.
const (
	NoVerdict Verdict = iota
	Taken             // it is in
	Free              // it is in and takes nothing: it has no tokens
	Committed         // it is in whatever it costs
	Kept              // it was in, and stays
	Skipped           // it is out
	Dropped           // it was in, and is out
)

// In reports whether the candidate is in after the step.
func (v Verdict) In() bool { return v-Taken <= Kept-Taken }

// Why is the reason why a candidate is skipped.
type Why uint8

// The reasons.
const (
	NoReason    Why = iota
	NoRoom          // it needs more than is left
	NothingLeft     // nothing is left to fill, so it is not looked at
	NoValue         // Knapsack: its score comes to no value
	Stopped         // Prefix: one before it did not fit
	Dispensable     // Knapsack: the best set for what is left does without it
)

// Opening describes the phase that a step opens.
type Opening interface{ opens() }

// Filling opens ByDensity, ByScore, FillRest, EnforceCaps, WalkBack and Truncation.
type Filling struct{ Candidates int }

// TableOutline opens InOutline: what the dynamic programme is about to compute.
type TableOutline struct {
	Candidates int   // with tokens
	Worthless  int   // of them, those whose score comes to no value: they have no row
	Rows       int   // rows that can have a bit set; the others vanish
	Capacity   int64 // whole buckets in the target
	Cells      int64 // cells of those rows that can have a bit set
	AllCells   int64 // candidates times capacities, from 0: what a plain table computes
	Table      *Table
}

// KindShare opens ShareOut: how the share of a kind comes about.
type KindShare struct {
	Kind       model.Kind // as the items spell it, or the quota
	Candidates int
	Quota      model.Quota // no bounds if the kind has none
	Require    Target      // floor(require / 100 * T)
	Cap        Target      // floor(cap / 100 * T)
	Unassigned Target      // of T, what no kind requires
	Mass       uint64      // tokens of its candidates
	Sharing    uint64      // tokens of the candidates of all kinds that share Unassigned
	Shared     Target      // floor(Unassigned * Mass / Sharing); 0 if Cap is no more than Require
	Target     Target      // min(Cap, Require + Shared)
}

// Requirement opens Commit for one quota.
type Requirement struct {
	Quota     model.CountQuota
	Have      int // candidates of the kind
	Satisfied int // of the required ones, those that exist
}

// BatchOf opens Batch.
type BatchOf struct {
	Number, Of int // from 1
	Candidates int
	Begun      bool // false: nothing was left
}

func (Filling) opens()      {}
func (TableOutline) opens() {}
func (KindShare) opens()    {}
func (Requirement) opens()  {}
func (BatchOf) opens()      {}

// StepsOf is the steps of any prepared slicer; only ErrNoSteps if it has none.
func StepsOf(ctx context.Context, p Prepared, t Target) iter.Seq2[Step, error] {
	if stepper, ok := p.(Stepper); ok {
		return stepper.Steps(ctx, t)
	}
	return func(yield func(Step, error) bool) { yield(Step{}, ErrNoSteps) }
}

// opening is the step that opens a phase with that much left, in tokens.
func opening(phase Phase, left Target, o Opening) Step {
	return Step{Phase: phase, At: -1, Left: left, After: left, Unit: 1, Opens: o}
}

// fit decides, in tokens, on a candidate that is taken if it fits.
func fit(phase Phase, at int32, tokens model.Tokens, left Target) Step {
	s := Step{Phase: phase, At: at, Need: Target(tokens), Left: left, After: left, Unit: 1}
	switch {
	case tokens == 0:
		s.Verdict = Free
	case s.Need > left:
		s.Verdict, s.Why = Skipped, NoRoom
	default:
		s.Verdict, s.After = Taken, left-s.Need
	}
	return s
}

// within passes on the steps of a slicer that fills a part of the candidates,
// with positions of the whole. It reports whether the consumer continues, and
// the part's error.
func (p *part) within(steps iter.Seq2[Step, error], yield func(Step, error) bool) (more bool, err error) {
	for s, err := range steps {
		if err != nil {
			return true, err
		}
		s.Depth++
		if s.At >= 0 {
			s.At = p.at[s.At]
		}
		if !yield(s, nil) {
			return false, nil
		}
	}
	return true, nil
}

// passOver skips all of a part that has nothing to fill.
func (p *part) passOver(phase Phase, yield func(Step, error) bool) bool {
	for k, at := range p.at {
		s := Step{Phase: phase, Verdict: Skipped, Why: NothingLeft, Depth: 1, At: at, Need: Target(p.in.Tokens[k]), Unit: 1}
		if !yield(s, nil) {
			return false
		}
	}
	return true
}
