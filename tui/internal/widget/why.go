package widget

import (
	"context"
	"errors"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/experiment"
)

// Why returns why item i is in or out, in the longest form that fits into width cells. It
// is empty for an item that is simply in, so that a text in the column calls for attention,
// and while the reasons are not known.
func Why(o *experiment.Outcome, i, width int) string {
	return Fitting(width, append(slices.Clip(whyForms(o, i)), "")...)
}

// Unfit returns a function that names what keeps item i out, which does not fit or is not
// preferred, in the words of Why where they hold for many items, and otherwise ""; share is the
// kind whose share of the room keeps it out, if one does. While the reasons are not known, both are
// "". Each obstacle of a kind is worded once. The function is not safe for concurrent use.
func Unfit(o *experiment.Outcome) func(i int) (name, share string) {
	var worded [][simulate.Unknown + 1]*export.Why // the first row is of a room that is not divided
	return func(i int) (name, share string) {
		if o.Reasons == nil || o.Report.Given != nil {
			return "", ""
		}
		obstacle, of := o.Reasons.Obstacle(i)
		for of+1 >= len(worded) {
			worded = append(worded, [simulate.Unknown + 1]*export.Why{})
		}
		why := worded[of+1][obstacle]
		if why == nil {
			words := export.WhyOut(o.Reasons.Of(i), o.Report, o.Policy, false)
			why = &words
			worded[of+1][obstacle] = why
		}
		return why.Group, why.Share
	}
}

// WhyOut returns why item i is out, which it must be. The reasons must be known.
func WhyOut(o *experiment.Outcome, i int) export.Why {
	reason := o.Reasons.Of(i)
	why := export.WhyOut(reason, o.Report, o.Policy, false)
	if reason.Obstacle == simulate.IsDuplicate && o.Report.Given == nil {
		why.More = ", which came first"
		if o.Report.Scores[reason.By] > o.Report.Scores[i] {
			why.More = ", which scores higher"
		}
	}
	return why
}

// NeverIn returns why item i is in at no budget, however large; "" if its budget decides.
func NeverIn(items *model.Set, i int) string {
	reason := simulate.Reason{Tokens: items.Tokens(i)}
	switch {
	case items.Excluded(i):
		reason.Obstacle = simulate.IsExcluded
	case items.Tokens(i) < 0:
		reason.Obstacle = simulate.IsNegative
	default:
		return ""
	}
	return export.WhyOut(reason, nil, model.Policy{}, false).Clause
}

// BinarySearch is what Cupel's search for the least budget of an item is called: the words explain it.
const BinarySearch = "binary search"

// Searched is what that search, FindMinBudgetFor, answers of an item.
type Searched struct {
	Text    string
	Refused bool                       // it has no answer
	Errs    bool                       // its answer is not Least
	Least   model.Option[model.Tokens] // the least budget at which the item is in whole, as the search asks
}

// Search returns what Cupel's search answers of an item, which must be no duplicate.
func (f *Frame) Search(i int) Searched {
	least := f.Out.Profile.Summary(i).FirstWhole
	switch got, err := f.Out.Search(i); {
	case errors.Is(err, simulate.ErrSearchNotMonotonic):
		return Searched{Text: BinarySearch + " has no answer under quotas; this is exact", Refused: true}
	case err != nil:
		return Searched{Text: BinarySearch + " is refused: " + plain.Line(err.Error(), 80), Refused: true}
	case !got.Set && least.Set:
		return Searched{Text: BinarySearch + " finds none", Errs: true, Least: least}
	case !got.Set:
		return Searched{Text: BinarySearch + " finds none either"}
	case got == least:
		return Searched{Text: BinarySearch + " says the same", Least: least}
	default:
		return Searched{Text: BinarySearch + " says " + f.BudgetText(got.Value), Errs: true, Least: least}
	}
}

func whyForms(o *experiment.Outcome, i int) []string {
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned, code == model.ZeroToken:
		return []string{export.CodeWord(code)}
	case o.AtRisk(i):
		return []string{plain.AtRisk}
	case o.Report.Given != nil && !code.Included(): // as recorded
		words := export.Words(context.Background(), nil, o.Report, false)(i)
		needs, _, _ := strings.Cut(words, ",")
		return []string{words, needs, export.CodeWord(code), "out"}
	case o.Report.Shrunk(i), o.Report.Noted(i):
		return []string{SizeText(o.Report, i, model.Tokens.String), SizeText(o.Report, i, model.Tokens.Short)}
	case code.Included() || o.Reasons == nil:
		return nil
	}
	return WhyOut(o, i).Forms
}
