package model

import (
	"fmt"
	"slices"
	"time"

	"cupelscope/model/plain"
)

// Code says why an item is in or out of a result.
type Code uint8

const (
	CodeNone Code = iota // never in a report

	// Included.
	Pinned    // always kept, with score 1.0
	ZeroToken // costs nothing
	Scored    // selected by the slicer

	// Excluded. Those marked * are reserved: the pipeline does not emit them.
	NegativeTokens
	Deduplicated
	BudgetExceeded
	PinnedOverride
	CountCapExceeded
	CountRequireCandidatesExhausted // *
	ScoredTooLow                    // *
	QuotaCapExceeded                // *
	QuotaRequireDisplaced           // *
	Filtered                        // taken out by the user

	codeCount
)

var codeNames = [codeCount]string{
	"None", "Pinned", "ZeroToken", "Scored", "NegativeTokens", "Deduplicated", "BudgetExceeded", "PinnedOverride",
	"CountCapExceeded", "CountRequireCandidatesExhausted", "ScoredTooLow", "QuotaCapExceeded", "QuotaRequireDisplaced", "Filtered",
}

// String is the reason's name in the Cupel specification.
func (c Code) String() string {
	if c >= codeCount {
		return fmt.Sprintf("Code(%d)", uint8(c))
	}
	return codeNames[c]
}

// Codes lists all codes that say something.
func Codes() []Code {
	all := make([]Code, 0, codeCount-1)
	for c := CodeNone + 1; c < codeCount; c++ {
		all = append(all, c)
	}
	return all
}

// Included reports whether an item with this code is in the result.
func (c Code) Included() bool { return c-Pinned <= Scored-Pinned }

// Reason is a code with its data. Only the fields that the code names are set.
type Reason struct {
	Code      Code
	Tokens    Tokens // NegativeTokens: the item's own; BudgetExceeded: what it costs, see Report.Cost
	Available Tokens // BudgetExceeded: what was free
	By        int    // Deduplicated: the survivor; PinnedOverride: the first pinned item
	Kind      Kind   // CountCapExceeded
	Cap       int    // CountCapExceeded
	Taken     int    // CountCapExceeded: how many of the kind are in
	Filter    string // Filtered
	// Bare: the code alone is known, as a recorded report may have it.
	Bare bool
}

// Stage names a stage of the pipeline that reports an event.
type Stage string

// The stages, in order. Sort has no event.
const (
	Classify    Stage = "Classify"
	Score       Stage = "Score"
	Deduplicate Stage = "Deduplicate"
	Slice       Stage = "Slice"
	Place       Stage = "Place"
)

// StageEvent says how long a stage took and how many items went in and out.
type StageEvent struct {
	Stage    Stage
	Duration time.Duration
	In, Out  int
}

// Shortfall says that a count quota could not be met.
type Shortfall struct {
	Kind                Kind
	Required, Satisfied int
}

// Overflow says by how much a result that was let through exceeds its target.
type Overflow struct {
	TokensOver Tokens
	Items      []int32 // the merged list: pinned in input order, then by score
}

// Report is the result of one dry run. It is immutable: read only, and safe to
// share. Items are named by their index in Items.
type Report struct {
	Items     *Set
	Budget    Budget
	Effective Effective

	Included []int32 // in placed order
	Excluded []int32 // by score descending, then in order of exclusion

	Codes     []Code    // by item
	Scores    []float64 // by item; pinned 1.0, negative and filtered 0.0
	Survivors []int32   // by item: the item that a duplicate repeats, -1 for others; nil without duplicates
	Pairs     []int32   // by item: the one that it is one item with (Policy.KeepPairs), -1 for others; nil without any

	PinnedTokens Tokens // committed before slicing
	FirstPinned  int    // index of the first pinned item, -1 if none
	SlicedTokens Tokens // tokens that the slicer selected
	// Truncated holds the items that the slicer selected and Truncate dropped,
	// ascending.
	Truncated  []int32
	Kept       Tokens  // tokens of the result
	Value      float64 // sum of the scores of the included items that are not pinned
	Considered Tokens  // tokens of all candidates, negative ones too
	Stages     []StageEvent
	Shortfalls []Shortfall
	Overflow   *Overflow
	// Given is by item what a recorded report says of it; nil: the report is of a
	// dry run, and Reason works it out.
	Given []Reason
	// CountCaps gives the data of CountCapExceeded; nil without count quotas.
	CountCaps func(item int) (kind Kind, limit, taken int)
}

// In reports whether item i is in the result. It panics if Items has no item i.
func (r *Report) In(i int) bool { return r.Codes[i].Included() }

// Utilization is tokens of the result over maxTokens, as Cupel defines it; 0
// for a budget of 0.
func (r *Report) Utilization() float64 {
	if r.Budget.MaxTokens() == 0 {
		return 0
	}
	return float64(r.Kept) / float64(r.Budget.MaxTokens())
}

// Filled is the share of the room, the effective target, that the result uses,
// pinned items apart; 0 where there is no room. Count quotas can make it more
// than 1. What Truncate dropped uses nothing.
func (r *Report) Filled() float64 {
	if r.Effective.Target <= 0 {
		return 0
	}
	return float64(r.Kept-r.PinnedTokens) / float64(r.Effective.Target)
}

// Reason returns why item i is in or out, with the data of its code.
func (r *Report) Reason(i int) Reason {
	if r.Given != nil {
		return r.Given[i]
	}
	reason := Reason{Code: r.Codes[i]}
	switch reason.Code {
	case NegativeTokens:
		reason.Tokens = r.Items.Tokens(i)
	case Deduplicated:
		reason.By = int(r.Survivors[i])
	case BudgetExceeded:
		reason.Tokens, reason.Available = r.Cost(i), r.Available(i)
	case PinnedOverride:
		reason.By = r.FirstPinned
	case CountCapExceeded:
		reason.Kind, reason.Cap, reason.Taken = r.CountCaps(i)
	case Filtered:
		reason.Filter = "user"
	}
	return reason
}

// Cost is the tokens that item i costs: its own, and those of the item that it is
// one with.
func (r *Report) Cost(i int) Tokens {
	if r.Pairs != nil && r.Pairs[i] >= 0 {
		return r.Items.Tokens(i) + r.Items.Tokens(int(r.Pairs[i]))
	}
	return r.Items.Tokens(i)
}

// Available is what was free for item i when it was left out: the effective
// target less what was sliced, or, for an item dropped by Truncate, the target
// less what was finally kept.
func (r *Report) Available(i int) Tokens {
	if r.Cut(i) {
		return r.Budget.TargetTokens() - r.Kept
	}
	return r.Effective.Target - r.SlicedTokens
}

// Cut reports whether the slicer selected item i and Truncate dropped it.
func (r *Report) Cut(i int) bool {
	_, cut := slices.BinarySearch(r.Truncated, int32(i))
	return cut
}

// Errors of a dry run that a caller can act on.

// PinnedError: the pinned items alone do not fit.
type PinnedError struct{ Pinned, Available Tokens } // Available: maxTokens - outputReserve

func (e *PinnedError) Error() string {
	return fmt.Sprintf("pinned items need %v tokens, but only %v are available (maxTokens - outputReserve)", e.Pinned, e.Available)
}

// OverflowError: the result exceeds the target, and the strategy is Throw.
type OverflowError struct{ Merged, Target Tokens }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("selected items require %v tokens, exceeding target budget of %v", e.Merged, e.Target)
}

// TableError: a knapsack's table would need more memory than is allowed.
type TableError struct {
	Candidates, Capacity int64
	Needed, Limit        int64  // bytes
	Bucket               Tokens // the least bucket size that would fit
}

func (e *TableError) Error() string {
	return fmt.Sprintf("knapsack table too large: %v candidates with a capacity of %v buckets need %d MiB, at most %d MiB are allowed; a bucket size of %v would fit",
		plain.Thousands(e.Candidates), plain.Thousands(e.Capacity), e.Needed>>20, e.Limit>>20, e.Bucket)
}

// ScarcityError: there are fewer items of a kind than a count quota requires,
// and its behaviour is to fail.
type ScarcityError struct {
	Kind                Kind // as the quota spells it
	Satisfied, Required int
}

func (e *ScarcityError) Error() string {
	return fmt.Sprintf("count quota for kind %q: there are %d items, but at least %d are required", e.Kind, e.Satisfied, e.Required)
}
