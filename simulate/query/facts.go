package query

import (
	"cupelscope/model"
	"cupelscope/simulate"
)

// Facts answers for the items of a report.
type Facts struct {
	Report *model.Report
	// Risk reports whether item i would leave if the budget were slack
	// smaller; nil: nothing is at risk.
	Risk func(i int) bool
	// Split reports whether item i is in and what it belongs to is not, or the
	// reverse; nil: no item belongs to another.
	Split func(i int) bool
	// Needed reports whether item i is marked as needed; nil: none is.
	Needed func(i int) bool
	// Profile knows first and stays; nil: no item has either.
	Profile *simulate.Profile
}

var _ Items = (*Facts)(nil)

// Kind is the kind of item i, as first spelled in the set.
func (f *Facts) Kind(i int) model.Kind { return f.Report.Items.Kinds()[f.Report.Items.KindID(i)] }

// Tokens is the token count of item i, edits applied.
func (f *Facts) Tokens(i int) model.Tokens { return f.Report.Items.Tokens(i) }

// Score is the score of item i; 1 for a pinned one.
func (f *Facts) Score(i int) float64 { return f.Report.Scores[i] }

// Content is the text of item i, byte-exact.
func (f *Facts) Content(i int) string { return f.Report.Items.Loaded(i).Content }

// Origin is where item i was found; "" if that is not known.
func (f *Facts) Origin(i int) string { return f.Report.Items.Loaded(i).Origin() }

// Is reports whether item i is in state s.
func (f *Facts) Is(i int, s State) bool {
	code := f.Report.Codes[i]
	switch s {
	case In:
		return code.Included()
	case Out:
		return !code.Included()
	case Risk:
		return f.Risk != nil && f.Risk(i)
	case Pinned:
		return code == model.Pinned
	case Duplicate:
		return code == model.Deduplicated
	case Excluded:
		return code == model.Filtered
	case Negative:
		return code == model.NegativeTokens
	case Estimated:
		return !f.Report.Items.Count(i).IsExact()
	case Unfit:
		return code == model.BudgetExceeded
	case Overridden:
		return code == model.PinnedOverride
	case Capped:
		return code == model.CountCapExceeded
	case Split:
		return f.Split != nil && f.Split(i)
	case Needed:
		return f.Needed != nil && f.Needed(i)
	}
	return false
}

// FirstIn is the least budget at which item i is in.
func (f *Facts) FirstIn(i int) (model.Tokens, bool) { return f.budget((*simulate.Profile).FirstIn, i) }

// StaysFrom is the least budget from which item i is never lost.
func (f *Facts) StaysFrom(i int) (model.Tokens, bool) {
	return f.budget((*simulate.Profile).StaysFrom, i)
}

// budget asks the profile about item i, if there is one.
func (f *Facts) budget(of func(*simulate.Profile, int) (model.Tokens, bool), i int) (model.Tokens, bool) {
	if f.Profile == nil {
		return 0, false
	}
	return of(f.Profile, i)
}
