package export

import (
	"cmp"
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Words returns a reason in words, with its numbers: "needs 2,480, 512 left",
// "duplicate of #57". Items are named by their index. Names from a file are
// cleaned, so the result is safe to print.
func Words(r model.Reason) string {
	word := CodeWord(r.Code)
	if r.Bare {
		return word
	}
	switch r.Code {
	case model.ZeroToken:
		return "fits, costs nothing"
	case model.Scored:
		return "fits"
	case model.NegativeTokens:
		return fmt.Sprintf("%s (%v)", word, r.Tokens)
	case model.Deduplicated:
		return fmt.Sprintf("%s of #%d", word, r.By)
	case model.BudgetExceeded:
		if r.Tokens <= r.Available { // a knapsack rounds up to buckets, and prefers other sets
			return fmt.Sprintf("not chosen: needs %v, %v left", r.Tokens, r.Available)
		}
		return fmt.Sprintf("needs %v, %v left", r.Tokens, r.Available)
	case model.PinnedOverride:
		return "larger than what pins leave"
	case model.CountCapExceeded:
		return fmt.Sprintf("%s cap %d reached", r.Kind.Noun(), r.Cap)
	case model.Filtered:
		if r.Filter == "user" {
			return word + " by you"
		}
		return word + " by " + plain.Line(r.Filter, nameCells)
	}
	return word
}

// CodeWord returns what a code is called where nothing is said of a single item: in a
// count, a legend, a state.
func CodeWord(c model.Code) string { return cmp.Or(wordsOf[c].code, c.String()) }

// nameCells is the width for a name from a file: of a kind or a filter.
const nameCells = 24

// state returns one word for the state of an item in a report: "pinned", "in",
// "dup", "excluded" or "out". It does not say which items are at risk.
func state(c model.Code) string { return cmp.Or(wordsOf[c].state, "out") }

// wordsOf holds the words of the codes that have their own, as CodeWord and state say.
var wordsOf = map[model.Code]struct{ code, state string }{
	model.Pinned:           {"pinned", "pinned"},
	model.ZeroToken:        {"no tokens", "in"},
	model.Scored:           {"selected", "in"},
	model.NegativeTokens:   {code: "negative tokens"},
	model.Deduplicated:     {"duplicate", "dup"},
	model.BudgetExceeded:   {code: "over budget"},
	model.PinnedOverride:   {code: "too large"},
	model.CountCapExceeded: {code: "cap is full"},
	model.Filtered:         {"excluded", "excluded"},
}
