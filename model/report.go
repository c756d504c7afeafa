package model

import (
	"fmt"
	"slices"
	"time"

	"cupelscope/model/plain"
)

// Code says why an item is in the result or not.
type Code uint8

const (
	CodeNone Code = iota // never in a report

	// Included.
	Pinned    // always kept, with score 1.0
	ZeroToken // costs nothing
	Scored    // selected by the slicer

	// Excluded. Those marked * are reserved: the pipeline does not emit them.
	NegativeTokens                  // its token count is negative
	Deduplicated                    // it repeats another item
	BudgetExceeded                  // it was not selected, or did not fit
	PinnedOverride                  // larger than the room, but not than the target less the output reserve
	CountCapExceeded                // its kind has reached the cap of its count quota
	CountRequireCandidatesExhausted // *
	ScoredTooLow                    // *
	QuotaCapExceeded                // *
	QuotaRequireDisplaced           // *
	Filtered                        // excluded by the user

	codeCount
)

var codeNames = [codeCount]string{
	"None", "Pinned", "ZeroToken", "Scored", "NegativeTokens", "Deduplicated", "BudgetExceeded", "PinnedOverride",
	"CountCapExceeded", "CountRequireCandidatesExhausted", "ScoredTooLow", "QuotaCapExceeded", "QuotaRequireDisplaced", "Filtered",
}

// String returns the name of the reason in the Cupel specification, such as
// "BudgetExceeded".
func (c Code) String() string {
	if c >= codeCount {
		return fmt.Sprintf("Code(%d)", uint8(c))
	}
	return codeNames[c]
}

// Codes returns all codes but CodeNone, in the order of their values.
func Codes() []Code {
	all := make([]Code, 0, codeCount-1)
	for c := CodeNone + 1; c < codeCount; c++ {
		all = append(all, c)
	}
	return all
}

// Included reports whether an item with this code is in the result.
func (c Code) Included() bool { return c-Pinned <= Scored-Pinned }

// NeverIn reports whether an item with this code is in at no budget: it is no candidate.
func (c Code) NeverIn() bool { return c == NegativeTokens || c == Deduplicated || c == Filtered }

// Reason is a code with its data. A field other than Code and Bare is set only
// for the code that its comment names.
type Reason struct {
	Code      Code
	Tokens    Tokens // NegativeTokens: the count of the item; BudgetExceeded: its cost, see Report.Cost
	Available Tokens // BudgetExceeded: the tokens that were free
	By        int    // Deduplicated: the item that it repeats; PinnedOverride: the first pinned item
	Kind      Kind   // CountCapExceeded: the kind of the quota
	Cap       int    // CountCapExceeded: the cap of the quota
	Taken     int    // CountCapExceeded: the number of items of the kind in the result
	Filter    string // Filtered: the name of the filter
	// Bare reports that only the code is known, as it can be in a recorded report.
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

// StageEvent says how long a stage took, and how many items went in and came
// out.
type StageEvent struct {
	Stage    Stage
	Duration time.Duration
	In, Out  int
}

// Shortfall says that the result has fewer items of a kind than a count quota
// requires.
type Shortfall struct {
	Kind                Kind
	Required, Satisfied int
}

// Overflow says by how many tokens a result exceeds the target of the budget
// under the strategy Proceed.
type Overflow struct {
	TokensOver Tokens
	Items      []int32 // the merged list: pinned in input order, then by score
}

// Report is the result of one dry run. Items are identified by their index in
// Items. A Report must not be changed, and is safe for concurrent use. Methods
// that take the index of an item panic if Items has no such item. Where no item may
// be cut, Size, Shrunk and Noted answer for any index as for a whole item; so does
// Survivor where nothing repeats, and Alone where nothing has a partner.
type Report struct {
	Items     *Set
	Budget    Budget
	Effective Effective

	Included []int32 // in placed order
	Excluded []int32 // by score descending, then in order of exclusion

	Codes     []Code    // by item
	Scores    []float64 // by item; pinned 1.0, negative and filtered 0.0
	Survivors []int32   // by item: the item that a duplicate repeats, else -1; nil without duplicates
	Pairs     []int32   // by item: its partner where the two count as one item (Policy.KeepPairs), else -1; nil without pairs

	Sizes []uint8 // by item: the size in which it is in, 0 the whole, or the size of its note; nil if no item may be cut
	Sent  []int32 // what is in and the items whose notes are, in placed order; nil without notes, where it is Included

	PinnedTokens Tokens // tokens of the pinned items
	FirstPinned  int    // index of the first pinned item, -1 if none
	SlicedTokens Tokens // tokens of the items that the slicer selected
	// Truncated holds the items that the slicer selected and the strategy Truncate
	// dropped, ascending.
	Truncated  []int32
	Kept       Tokens  // tokens of the result
	Value      float64 // sum of the scores of the included items that are not pinned
	Considered Tokens  // tokens of all items, negative counts too
	Stages     []StageEvent
	Shortfalls []Shortfall
	Overflow   *Overflow
	// Given holds, by item, the reasons that a recorded report states. It is nil in
	// the report of a dry run, where Reason derives them.
	Given []Reason
	// CountCaps returns the data of CountCapExceeded; it is nil without count
	// quotas.
	CountCaps func(item int) (kind Kind, limit, taken int)
}

// In reports whether item i is in the result. It panics if the set has no such item,
// or if r is nil.
func (r *Report) In(i int) bool { return r.Codes[i].Included() }

// Size returns the size in which item i is in, see Set.Sizes: 0 is the whole.
func (r *Report) Size(i int) int {
	if r.Sizes == nil {
		return 0
	}
	return int(r.Sizes[i])
}

// Shrunk reports whether item i is in, in a size that is not the whole.
func (r *Report) Shrunk(i int) bool { return r.Size(i) > 0 && r.In(i) }

// Noted reports whether item i is out and its note is in the result.
func (r *Report) Noted(i int) bool { return r.Size(i) > 0 && !r.In(i) }

// Share returns what share of its score item i is worth in the size in which it is in: 1 for
// the whole, 0 if it is out.
func (r *Report) Share(i int) float64 {
	switch {
	case !r.In(i):
		return 0
	case r.Size(i) == 0:
		return 1
	}
	return r.Items.Sizes(i)[r.Size(i)-1].Share(r.Items.Tokens(i))
}

// Taken returns the tokens of the result that are item i, in the size in which it is in,
// or its note.
func (r *Report) Taken(i int) Tokens {
	if r.In(i) || r.Noted(i) {
		return r.Items.SizeTokens(i, r.Size(i))
	}
	return 0
}

// Worth returns what item i adds to the Value: its score, of which a size is worth its share;
// 0 for one that is pinned or out.
func (r *Report) Worth(i int) float64 {
	if !r.In(i) || r.Codes[i] == Pinned {
		return 0
	}
	return r.Scores[i] * r.Share(i)
}

// Split returns the pairs of Items that the report splits: it includes one item and not the
// other. O(n).
func (r *Report) Split() []Pair {
	return slices.DeleteFunc(r.Items.Pairs(), func(p Pair) bool { return r.In(p.Call) == r.In(p.Result) })
}

// Alone returns the partner of item i, or -1 if it has none, and reports whether the report
// splits them.
func (r *Report) Alone(i int) (partner int, split bool) {
	partner, ok := r.Items.Partner(i)
	if !ok {
		return -1, false
	}
	return partner, r.In(i) != r.In(partner)
}

// CountShrunk returns how many items are in cut, and how many are out and have their note
// in the result.
func (r *Report) CountShrunk() (cut, noted int) {
	for i, size := range r.Sizes {
		switch {
		case size == 0:
		case r.In(i):
			cut++
		default:
			noted++
		}
	}
	return cut, noted
}

// AsSent returns the report with what the model reads: the items that are in cut, and those
// whose notes are in, have that text and its tokens and no other size, and Included has both.
// text returns the text of an item of the report as it is sent.
func (r *Report) AsSent(text func(i int) string) *Report {
	if r.Sizes == nil {
		return r
	}
	sent := *r
	sent.Items = r.Items.withTexts(func(i int) (string, Tokens, bool) {
		if r.Size(i) == 0 {
			return "", 0, false
		}
		return text(i), r.Taken(i), true
	})
	sent.Included, sent.Sizes, sent.Sent = r.Placed(), nil, nil
	return &sent
}

// Placed returns the items whose texts, or notes, make the result, in placed order. Read
// only.
func (r *Report) Placed() []int32 {
	if r.Sent != nil {
		return r.Sent
	}
	return r.Included
}

// Utilization returns the tokens of the result divided by maxTokens, as Cupel
// defines it, or 0 for a budget of 0 tokens.
func (r *Report) Utilization() float64 {
	if r.Budget.MaxTokens() == 0 {
		return 0
	}
	return float64(r.Kept) / float64(r.Budget.MaxTokens())
}

// Filled returns the share of the room, Effective.Target, that the items of the
// result other than pinned ones use, or 0 if there is no room. Count quotas can
// make it more than 1. Items that Truncate dropped use nothing.
func (r *Report) Filled() float64 {
	if r.Effective.Target <= 0 {
		return 0
	}
	return float64(r.Kept-r.PinnedTokens) / float64(r.Effective.Target)
}

// Reason returns why item i is in the result or not, with the data of its code.
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
		reason.Tokens, reason.Available = r.Cost(i), r.available(i)
	case PinnedOverride:
		reason.By = r.FirstPinned
	case CountCapExceeded:
		reason.Kind, reason.Cap, reason.Taken = r.CountCaps(i)
	case Filtered:
		reason.Filter = "user"
	}
	return reason
}

// Survivor returns the item that stands for item i: the item that i repeats if i is a
// duplicate, else i itself.
func (r *Report) Survivor(i int) int {
	if r.Survivors != nil && r.Survivors[i] >= 0 {
		return int(r.Survivors[i])
	}
	return i
}

// Cost returns the tokens that item i costs at least: its own in its smallest size that is
// no note, and the tokens of its partner if the two are selected as one item
// (Policy.KeepPairs).
func (r *Report) Cost(i int) Tokens {
	if r.Pairs != nil && r.Pairs[i] >= 0 {
		call, result := min(i, int(r.Pairs[i])), max(i, int(r.Pairs[i]))
		return r.Items.Tokens(call) + r.Items.minTokens(result)
	}
	return r.Items.minTokens(i)
}

// available returns the number of tokens that were free for item i when it was
// left out: Effective.Target - SlicedTokens, or, if Truncate dropped the item,
// the target of the budget less Kept. It does not panic for an index outside
// Items.
func (r *Report) available(i int) Tokens {
	if _, cut := slices.BinarySearch(r.Truncated, int32(i)); cut {
		return r.Budget.TargetTokens() - r.Kept
	}
	return r.Effective.Target - r.SlicedTokens
}

// Errors of a dry run that a caller can act on.

// PinnedError says that the pinned items alone do not fit the budget. Both
// numbers are in tokens.
type PinnedError struct {
	Pinned, Available Tokens // Available is what Budget.CheckPinned leaves
	less              string // what takes its part of the budget first: " less output reserve"
}

func (e *PinnedError) Error() string {
	return fmt.Sprintf(plain.Pinned+" items need %s, the budget%s leaves %v", plain.Count(e.Pinned, "token"), e.less, e.Available)
}

// OverflowError says that the result, of Merged tokens, exceeds the Target
// under the strategy Throw.
type OverflowError struct{ Merged, Target Tokens }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("selected items require %s, exceeding target budget of %v", plain.Count(e.Merged, "token"), e.Target)
}

// TableError says that the table of the knapsack slicer would need more memory
// than is allowed.
type TableError struct {
	Candidates, Capacity int64  // items, and the capacity in buckets
	Needed, Limit        int64  // bytes
	Bucket               Tokens // the least bucket size whose table would fit
}

func (e *TableError) Error() string {
	return fmt.Sprintf("knapsack table too large: %v candidates with a room of %v buckets need %d MiB, at most %d MiB are allowed; a bucket size of %v would fit",
		plain.Thousands(e.Candidates), plain.Thousands(e.Capacity), e.Needed>>20, e.Limit>>20, e.Bucket)
}

// ScarcityError says that there are fewer items of a kind than a count quota
// requires, under the scarcity ScarcityFail.
type ScarcityError struct {
	Kind                Kind // as the quota spells it
	Satisfied, Required int
}

func (e *ScarcityError) Error() string {
	return fmt.Sprintf("count quota for kind %q requires at least %s, but the set has %d", e.Kind, plain.Count(e.Required, "item"), e.Satisfied)
}
