package slicer

import (
	"errors"
	"math/bits"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// ErrNoSteps is the error for a slicer that cannot replay its selection. It may
// be wrapped: use errors.Is.
var ErrNoSteps = errors.New("the slicer has no steps to replay")

// Step is one step of a slicer. It either opens a phase or decides on a
// candidate. A step that opens a phase has Opens set, and At is -1.
type Step struct {
	Phase   Phase
	Verdict Verdict // 0 if the step opens a phase
	Why     Why     // the reason if Verdict is Skipped
	Depth   uint8   // number of phases of outer slicers that the step lies in
	At      int32   // position in the Input; -1 if the step opens a phase

	// Number counts from 1 up to Of: the required items of a kind (Committed),
	// the items that a cap allows (Kept), or the members of a batch. At Dropped,
	// Of is the cap and Number is one more. Elsewhere both are 0.
	Number, Of int32

	// Need is what the candidate takes, Left is what is left before the
	// decision, and After is what is left after it; none is negative. They count
	// units of Unit tokens: 1, or the bucket size of a knapsack. For a step that
	// opens a phase, Left and After are what the phase begins with.
	Need, Left, After Target
	Unit              model.Tokens

	// Row is the row of the candidate in the table of a knapsack, from 1, or 0
	// if it has none because its score is below 0.0001. It is set only in
	// WalkBack.
	Row int32

	Opens Opening // nil if the step decides on a candidate
}

// Phase is a phase of a slicer's work.
type Phase uint8

// These are the phases. The phases of an inner slicer follow the step that opens
// the ShareOut or FillRest of the outer one.
const (
	ByDensity   Phase = iota + 1 // Greedy: the densest first
	ByScore                      // Rank and Prefix: the best first
	InOutline                    // Knapsack: the size of the table, and the candidates without tokens
	WalkBack                     // Knapsack: from the last row of the table to the first
	ShareOut                     // Quota: filling the share of one kind
	Commit                       // count quotas: committing what one quota requires
	FillRest                     // count quotas: filling what the committed items leave
	EnforceCaps                  // count quotas: dropping what is above a cap
	Batch                        // Stream: one batch
	Truncation                   // package pipeline: dropping what exceeds the target
	Notes                        // the notes of the candidates that are out, in the order of the slicer
)

// Verdict is the decision of a step about a candidate.
type Verdict uint8

// These are the verdicts.
const (
	Taken     Verdict = iota + 1 // it is in
	Free                         // it is in and takes nothing, because it has no tokens
	Committed                    // it is in whatever it costs
	Kept                         // it was in, and stays
	Skipped                      // it is out
	Dropped                      // it was in, and is out
)

// In reports whether the candidate is in after the step.
func (v Verdict) In() bool { return v-Taken <= Kept-Taken }

// Why is the reason for which a candidate is skipped.
type Why uint8

// These are the reasons; 0 is none.
const (
	NoRoom      Why = iota + 1 // it needs more than is left
	NothingLeft                // nothing is left to fill, so it is not considered
	NoValue                    // Knapsack: its score is below 0.0001 or NaN
	Stopped                    // Prefix: a candidate before it did not fit
	Dispensable                // Knapsack: the best set for what is left does not contain it
)

// Opening describes the phase that a step opens. It is a Filling, TableOutline,
// KindShare, Requirement or BatchOf.
type Opening interface{ opens() }

// Filling opens ByDensity, ByScore, WalkBack, FillRest, EnforceCaps and
// Truncation. Candidates is the number of candidates that the phase decides on;
// for Truncation it includes the pinned items.
type Filling struct{ Candidates int }

// TableOutline opens InOutline. It describes the table of the dynamic programme.
type TableOutline struct {
	Candidates int    // candidates with tokens
	Worthless  int    // candidates among them that have no row, because their score is below 0.0001 or NaN
	Rows       int    // rows that can have a bit set
	Capacity   int64  // whole buckets in the target
	Cells      int64  // cells of those rows that can have a bit set
	AllCells   int64  // cells of a plain table: Candidates * (Capacity + 1)
	Table      *Table // the table itself
}

// KindShare opens ShareOut. It says how the share of a kind of the target T is
// computed. All targets are in tokens.
type KindShare struct {
	Kind       model.Kind  // spelled as in its quota, or as in the items if it has none
	Candidates int         // number of candidates of the kind
	Quota      model.Quota // without bounds if the kind has no quota
	Require    Target      // floor(require / 100 * T)
	Cap        Target      // floor(cap / 100 * T)
	Unassigned Target      // the part of T that no quota requires
	Mass       uint64      // sum of the tokens of the kind's candidates
	Sharing    uint64      // sum of Mass over all kinds that share Unassigned
	Shared     Target      // floor(Unassigned * Mass / Sharing); 0 if Cap is no more than Require
	Target     Target      // min(Cap, Require + Shared)
}

// Requirement opens Commit for one quota that requires at least one item.
type Requirement struct {
	Quota     model.CountQuota
	Have      int // number of candidates of the kind
	Satisfied int // number of candidates committed: Have, but at most Quota.Require
}

// BatchOf opens Batch.
type BatchOf struct {
	Number, Of int  // the batch is Number, from 1, of Of batches
	Candidates int  // number of candidates in the batch
	Begun      bool // false if nothing was left when its turn came
}

func (Filling) opens()      {}
func (TableOutline) opens() {}
func (KindShare) opens()    {}
func (Requirement) opens()  {}
func (BatchOf) opens()      {}

// follow selects what a step leaves in, and unselects what it leaves out.
func (s Selection) follow(step Step) {
	switch {
	case step.At < 0:
	case step.Verdict.In():
		s.Add(int(step.At))
	default:
		s.Remove(int(step.At))
	}
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

// within tells the steps of a slicer that fills a part of the candidates, with
// positions of the whole.
func (p *part) within(tell func(Step)) func(Step) {
	return func(s Step) {
		s.Depth++
		if s.At >= 0 {
			s.At = p.at[s.At]
		}
		tell(s)
	}
}

// passOver skips all of a part that has nothing to fill.
func (p *part) passOver(phase Phase, tell func(Step)) {
	for k, at := range p.at {
		tell(Step{Phase: phase, Verdict: Skipped, Why: NothingLeft, Depth: 1, At: at, Need: Target(p.in.Tokens[k]), Unit: 1})
	}
}

// outAfter is Prepared.Out of a slicer that decides in a fixed order and takes each candidate
// that fits: in ascending order of keys by position, ties and without keys in order of position.
func (in *Input) outAfter(phase Phase, t Target, sel Selection, keys []uint64) func(at int, left bool) Step {
	var taken []int32
	for w, word := range sel {
		for ; word != 0; word &= word - 1 {
			if at := 64*w + bits.TrailingZeros64(word); in.TokensAt(at) > 0 && !in.IsNote(at) {
				taken = append(taken, int32(in.Whole(at)))
			}
		}
	}
	slices.Sort(taken) // cuts stand behind all candidates
	if keys != nil {
		order.Sort(keys, taken)
	}
	lefts := []Target{t}
	for _, p := range taken {
		t -= Target(in.TokensAt(in.Taken(sel, int(p))))
		lefts = append(lefts, t)
	}
	return func(at int, left bool) Step {
		if !left {
			return Step{Verdict: Skipped, Why: NoRoom}
		}
		k := sort.Search(len(taken), func(k int) bool {
			p := taken[k]
			if keys != nil && keys[p] != keys[at] {
				return keys[p] > keys[at]
			}
			return int(p) >= at
		})
		return fit(phase, int32(at), in.MinTokens(at), lefts[k])
	}
}
