package query

import (
	"cupelscope/model"
	"cupelscope/simulate"
)

// Facts implements Items for the items of a report.
type Facts struct {
	Report *model.Report
	// NoResult says that the report is of another setup with the same items: no item
	// is known to be in or out.
	NoResult bool
	// Risk reports whether item i would leave if the budget were smaller by
	// slack. If Risk is nil, nothing is at risk.
	Risk func(i int) bool
	// Split reports whether one of item i and the item that it belongs to is
	// in and the other is not. If Split is nil, no item belongs to another.
	Split func(i int) bool
	// Needed reports whether item i is marked as needed. If Needed is nil, no
	// item is.
	Needed func(i int) bool
	// Profile answers FirstIn and StaysFrom. If it is nil, no item has either.
	Profile *simulate.Profile
}

var _ Items = (*Facts)(nil)

// Kind returns the kind of item i, in the spelling that came first in the set.
func (f *Facts) Kind(i int) model.Kind { return f.Report.Items.Kinds()[f.Report.Items.KindID(i)] }

// Tokens returns the token count of item i, with edits applied.
func (f *Facts) Tokens(i int) model.Tokens { return f.Report.Items.Tokens(i) }

// Score returns the score of item i, which is 1 for a pinned item.
func (f *Facts) Score(i int) float64 { return f.Report.Scores[i] }

// Content returns the content of item i as it was loaded.
func (f *Facts) Content(i int) string { return f.Report.Items.Loaded(i).Content }

// Origin returns the file or source of item i, or "" if that is not known.
func (f *Facts) Origin(i int) string { return f.Report.Items.Loaded(i).Origin() }

// Is reports whether item i is in state s.
func (f *Facts) Is(i int, s State) bool {
	code := f.Report.Codes[i]
	if f.NoResult {
		code = f.without(i)
	}
	switch s {
	case In:
		return code.Included() && !f.NoResult
	case Out:
		return !code.Included() && !f.NoResult
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
	case Cut:
		return f.Report.Shrunk(i) && !f.NoResult
	case Note:
		return f.Report.Noted(i) && !f.NoResult
	}
	return false
}

// without returns what is known of item i without a result; CodeNone if that is nothing.
func (f *Facts) without(i int) model.Code {
	switch items, code := f.Report.Items, f.Report.Codes[i]; {
	case items.Excluded(i):
		return model.Filtered
	case items.Tokens(i) < 0:
		return model.NegativeTokens
	case items.Pinned(i):
		return model.Pinned
	case code == model.Deduplicated:
		return code
	}
	return model.CodeNone
}

// FirstIn returns the least budget at which item i is in. It returns false if
// there is none, or no profile.
func (f *Facts) FirstIn(i int) (model.Tokens, bool) { return f.budget((*simulate.Profile).FirstIn, i) }

// StaysFrom returns the least budget from which item i stays in up to the axis
// end. It returns false if there is none, or no profile.
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
