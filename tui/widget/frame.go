package widget

import (
	"cupelscope/model"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
)

// CompactTable is the least width of a table with strips and scores.
const CompactTable = 78

// AnyOld reports whether a side's numbers are not those of the setup.
func (f *Frame) AnyOld() bool {
	a, _ := f.Exp.State(experiment.A)
	b, _ := f.Exp.State(experiment.B)
	return a != experiment.Current || b != experiment.Current
}

// Frame is what every pane draws from.
type Frame struct {
	*draw.Canvas
	Exp   *experiment.Experiment
	Side  experiment.Side // the one that is shown and edited
	Out   *experiment.Outcome
	Other *experiment.Outcome
	// Old says that Out is not of the current setup: that is being computed, or
	// failed.
	Old bool
	// NoResult says that the current setup has none: Out is of an earlier one,
	// but for its Profile, which is of the current setup where Profiled is set.
	NoResult, Profiled bool
	// Source is the name of what was loaded, cleaned.
	Source, Format string
	// View is the name of the view where no tab tells it.
	View string
	// Chosen are the items that keys act on together.
	Chosen map[int]bool
	// Following says that the source is read on as it grows, and what arrived; "":
	// it is not.
	Following string
	// Counting says that tokens are being counted; Counted is how many percent are.
	Counting bool
	Counted  int
	// Computing is how far the work in the background has come.
	Computing Computing
	// Waiting shows that it goes on; nil shows nothing.
	Waiting *Waiting
	// Best is what is known of the best possible value; nil: nothing.
	Best *Best
}

// Needed reports whether an item is marked as needed.
func (f *Frame) Needed(item int) bool { return f.Exp.Setup().Labels.Needs(item) }

// approx reports whether budgets rest on estimated token counts.
func (f *Frame) approx() bool { return f.Exp.Items().Estimates() > 0 }

// BudgetText writes a budget as it may be believed: exactly, or as "≈17.9k" while
// any token count is an estimate.
func (f *Frame) BudgetText(t model.Tokens) string {
	if f.approx() {
		return f.Glyphs().About + t.Short()
	}
	return t.String()
}

// NoResultText says at which budget there is none.
func (f *Frame) NoResultText() string {
	return "no result at " + f.Exp.Setup().Budget.MaxTokens.String()
}

// OldText says which setup an old result belongs to.
func (f *Frame) OldText() string {
	now, was := f.Exp.Setup(), f.Out.Setup
	switch {
	case was.Budget.MaxTokens != now.Budget.MaxTokens:
		return "old: of " + string(experiment.MaxTokens) + " " + was.Budget.MaxTokens.String()
	case SlicerName(f.Out.Policy) != SlicerName(now.Policy[f.Side]):
		return "old: by " + SlicerName(f.Out.Policy)
	}
	return "old: before the last change"
}
