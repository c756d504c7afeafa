package model

import (
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// BudgetField describes one field of a budget to all code that reads, writes, shows or changes
// it. The JSON of a budget, its bounds, its deductions, the flags, the knobs, the parts of the
// bar and the rows of Trace are made from these rows.
type BudgetField struct {
	Name  string  // the member of the JSON: "outputReserve"
	Flag  string  // the flag of the command line, without its dashes
	Usage string  // what the flag sets; its unit in backquotes
	Label string  // what the screen and the tables call it
	Short string  // its label in a word, for the bar; needed where OnlyMax
	Help  string  // what its knob sets, in a line
	Words string  // what people type to find it, beside its label
	Step  float64 // the small step of a knob for a percentage

	Deducted bool // items lose its tokens; see BudgetFields.Deductions
	OnlyMax  bool // as in Deduction, where Deducted
	NotCupel bool // other programs do not read it

	// One of these is set, and returns where the field is.
	Tokens  func(*BudgetFields) *Tokens  // 0 to maxTokens
	Percent func(*BudgetFields) *float64 // 0 to 100
	Slots   func(*BudgetFields) *[]Slot  // each of 0 to the constant MaxTokens
}

// The names of the fields that mean more than a number to somebody: the maximum, the
// target, which follows the maximum, the slots, one for each kind, and the reserve that
// pinned items must leave free.
const (
	FieldMaxTokens     = "maxTokens"
	FieldTargetTokens  = "targetTokens"
	FieldOutputReserve = "outputReserve"
	FieldReservedSlots = "reservedSlots"
	FieldSafetyMargin  = "estimationSafetyMarginPercent"
)

var budgetFields = [...]BudgetField{
	{
		Name: FieldMaxTokens, Flag: "max-tokens", Usage: "the context window in `TOKENS`, as in 32000, 32k or 32Ki",
		Label: "budget", Help: "the context window in tokens; the target follows", Words: "maxtokens max tokens maximum context window budget limit size",
		Tokens: func(f *BudgetFields) *Tokens { return &f.MaxTokens },
	},
	{
		Name: FieldTargetTokens, Flag: "target-tokens", Usage: "`TOKENS` that the selection may use (default: the budget)",
		Label: "target", Help: "tokens that the selection may use, 0 to the budget; moves with it", Words: "aim tokens",
		Tokens: func(f *BudgetFields) *Tokens { return &f.TargetTokens.Value },
	},
	{
		Name: FieldOutputReserve, Flag: "output-reserve", Usage: "`TOKENS` kept free for the model's answer",
		Label: "output reserve", Short: "output", Help: "tokens kept free for the answer, 0 to the budget", Words: "output reserve leave answer reply completion tokens",
		Deducted: true, OnlyMax: true, Tokens: func(f *BudgetFields) *Tokens { return &f.OutputReserve },
	},
	{
		Name: FieldReservedSlots, Flag: "slot", Usage: "tokens held for items of a kind, as `KIND=TOKENS`; may be repeated",
		Label: "held", Help: "kept free for what comes later, no item here gets them; 0 gives them back", Words: "slot reserve tokens kept free",
		Deducted: true, Slots: func(f *BudgetFields) *[]Slot { return &f.ReservedSlots },
	},
	{
		Name: FieldSafetyMargin, Flag: "safety-margin", Usage: "`PERCENT` of what is left of the budget, kept free in case counts are too low",
		Label: "safety margin", Words: "safety margin percent buffer", Step: 0.5,
		Help:    "kept free in case counts are too low: 0 to 100 percent of what " + plain.Pinned + " and all else that is kept back leave",
		Percent: func(f *BudgetFields) *float64 { return &f.SafetyMargin },
	},
}

// FieldsOfBudget returns the fields of a budget, in the order of its JSON.
func FieldsOfBudget() []BudgetField { return slices.Clone(budgetFields[:]) }

// FieldOfBudget returns the field with a name, which may go on behind a point as in
// the errors of slots; false: there is none.
func FieldOfBudget(name string) (BudgetField, bool) {
	name, _, _ = strings.Cut(name, ".")
	i := slices.IndexFunc(budgetFields[:], func(f BudgetField) bool { return f.Name == name })
	if i < 0 {
		return BudgetField{}, false
	}
	return budgetFields[i], true
}

// Number returns the value of a field that is not Slots.
func (f BudgetField) Number(of *BudgetFields) float64 {
	if f.Percent != nil {
		return *f.Percent(of)
	}
	return float64(*f.Tokens(of)) // exact: tokens are below 2^41
}

// SetNumber sets a field that is not Slots.
func (f BudgetField) SetNumber(of *BudgetFields, v float64) {
	if f.Percent != nil {
		*f.Percent(of) = v
		return
	}
	*f.Tokens(of) = Tokens(v)
}
