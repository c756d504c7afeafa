package query

import (
	"cupelscope/model"
	"cupelscope/model/plain"
)

// Facts are what a query can ask about the items of a report. They may be computed on
// demand: only a query that NeedsProfile asks for FirstIn and StaysFrom, and only for
// items that satisfy its cheaper terms.
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
	// FirstIn returns the smallest budget at which item i is in, and StaysFrom the budget
	// from which it stays in, or false if there is none. If they are nil, no item has either.
	FirstIn, StaysFrom func(i int) (model.Tokens, bool)
}

// state is a yes-or-no fact about an item, which a term such as is:in asks for.
type state struct {
	name   string
	result bool // it depends on what is in and what is out
	holds  func(f *Facts, i int) bool
}

var states = [...]state{
	{"in", true, func(f *Facts, i int) bool { return f.code(i).Included() && !f.NoResult }},
	{"out", true, func(f *Facts, i int) bool { return !f.code(i).Included() && !f.NoResult }},
	{atRisk, true, func(f *Facts, i int) bool { return f.Risk != nil && f.Risk(i) }},
	{"pinned", false, is(model.Pinned)},
	{"dup", false, is(model.Deduplicated)},
	{"excluded", false, is(model.Filtered)},
	{"negative", false, is(model.NegativeTokens)},
	{"estimated", false, func(f *Facts, i int) bool { return !f.Report.Items.Count(i).IsExact() }},
	{"split", true, func(f *Facts, i int) bool { return f.Split != nil && f.Split(i) }},
	{"unfit", false, is(model.BudgetExceeded)},
	{"overridden", false, is(model.PinnedOverride)},
	{"capped", false, is(model.CountCapExceeded)},
	{"needed", false, func(f *Facts, i int) bool { return f.Needed != nil && f.Needed(i) }},
	{"cut", false, func(f *Facts, i int) bool { return f.Report.Shrunk(i) && !f.NoResult }},
	{"note", false, func(f *Facts, i int) bool { return f.Report.Noted(i) && !f.NoResult }},
}

// atRisk is the name of the state of an item that is in, and out if the budget is smaller
// by slack.
const atRisk = "risk"

func is(code model.Code) func(*Facts, int) bool {
	return func(f *Facts, i int) bool { return f.code(i) == code }
}

// stateNames returns the names of all states, as they are written after is:.
func stateNames() []string {
	return plain.Texts(states[:], func(s state) string { return s.name })
}

// code returns what is known of item i: the code of the report or, without a result, what
// needs none, else CodeNone.
func (f *Facts) code(i int) model.Code {
	code := f.Report.Codes[i]
	if !f.NoResult {
		return code
	}
	switch items := f.Report.Items; {
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
