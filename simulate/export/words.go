package export

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// Words returns a function that says why item i is in or out of a report of ranking r, with the
// numbers that decide: if it is out, what WhyOut says. For a recorded report, which has no
// ranking, it returns the code in words. Items are named by their index. Names from a file are
// cleaned, so the texts are safe to print.
func Words(ctx context.Context, r *pipeline.Ranking, report *model.Report, ascii bool) func(i int) string {
	reasons := sync.OnceValues(func() (*simulate.Reasons, error) { return simulate.NewReasons(ctx, r, report) })
	return func(i int) string {
		if report.Given == nil && !report.In(i) {
			if known, err := reasons(); err == nil { // else ctx is done, and no one reads the answer
				why := WhyOut(known.Of(i), report, r.Policy(), ascii)
				return why.Clause + why.Numbers
			}
		}
		return codeWords(report.Reason(i))
	}
}

// codeWords returns a reason in words: "duplicate of #57", or with what stays free.
func codeWords(r model.Reason) string {
	word := CodeWord(r.Code)
	if r.Bare {
		return word
	}
	switch r.Code {
	case model.ZeroToken:
		return "fits, costs nothing"
	case model.Scored:
		return "fits"
	case model.Deduplicated:
		return fmt.Sprintf("%s of #%d", word, r.By)
	case model.BudgetExceeded:
		return fmt.Sprintf("needs %v, %v free", r.Tokens, r.Available)
	case model.CountCapExceeded:
		return fmt.Sprintf("%s cap %d reached", r.Kind.Noun(), r.Cap)
	case model.Filtered:
		return word + " by " + plain.Line(r.Filter, nameCells)
	}
	return word
}

// CodeWord returns what a code is called where nothing is said of a single item: in a
// count, a legend, a state.
func CodeWord(c model.Code) string { return cmp.Or(wordsOf[c].code, c.String()) }

// nameCells is the width for a name from a file: of a kind or a filter.
const nameCells = 24

// state returns one word, the same in all versions, for the state of an item in a report:
// "pinned", "in", "dup", "excluded" or "out". It does not say which items are at risk.
func state(c model.Code) string { return cmp.Or(wordsOf[c].state, "out") }

// wordsOf holds the words of the codes that have their own, as CodeWord and state say.
var wordsOf = map[model.Code]struct{ code, state string }{
	model.Pinned:           {plain.Pinned, "pinned"},
	model.ZeroToken:        {"no tokens", "in"},
	model.Scored:           {"selected", "in"},
	model.NegativeTokens:   {code: "negative tokens"},
	model.Deduplicated:     {"duplicate", "dup"},
	model.BudgetExceeded:   {code: "over budget"},
	model.PinnedOverride:   {code: "too large"},
	model.CountCapExceeded: {code: "cap is full"},
	model.Filtered:         {"excluded", "excluded"},
}
