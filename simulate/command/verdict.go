package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
)

// The possible verdicts on a check.
const (
	holding     = "ok"
	failing     = "FAIL"
	undecidable = "?"
)

// verdict is the outcome of a check.
type verdict struct {
	check    model.Check
	verdict  string
	says     string                // the explanation, with the numbers
	limit    model.Option[float64] // for a recorded figure, the worst value allowed
	measured model.Option[float64] // the value compared with the bound of the check: tokens, a ratio or a share from 0 to 1
	named    int                   // number of items that match the selector
	items    []int32               // the items that violate the check, ascending
}

// cell returns the verdict in its colour.
func (v verdict) cell() export.Cell {
	switch v.verdict {
	case failing:
		return export.Word("failed").But(failing).Judged(model.Some(false))
	case undecidable:
		return export.Word("undecided").But(undecidable).Judged(model.Option[bool]{})
	}
	return export.Word(holding).Judged(model.Some(true))
}

// limitCell returns what the check allows: tokens, a ratio, or a share from 0 to 1.
func (v verdict) limitCell() export.Cell {
	if v.limit.Set {
		return export.Number(v.limit.Value, 3)
	}
	switch rowOf(v.check.Kind).takes {
	case tokenCount:
		return export.Tokens(v.check.Tokens)
	case percentage:
		return export.Number(v.check.Share, 3)
	case ratio:
		return export.Number(v.check.Ratio, 2)
	}
	return export.None
}

// tokens returns a budget as text, with a mark if it rests on estimates.
func (j *judge) tokens(t model.Tokens) string {
	if mark := j.mark(); mark != "" {
		return mark + t.Short()
	}
	return t.String()
}

// failItems makes the verdict failing if any item violates the check, and names the first few.
func (v *verdict) failItems(say func(int32) string) {
	if len(v.items) > 0 {
		v.verdict = failing
		v.says += ": " + list(v.items, say)
	}
}

func number(i int32) string { return "#" + strconv.Itoa(int(i)) }

// list returns a text of the first few items.
func list(items []int32, say func(int32) string) string {
	const maxListed = 3
	text := strings.Join(plain.Texts(items[:min(maxListed, len(items))], say), "; ")
	if more := len(items) - maxListed; more > 0 {
		text += fmt.Sprintf("; and %v more", plain.Thousands(more))
	}
	return text
}

// inPercent returns a share in percent, without the digits that only the
// multiplication adds: 0.29 becomes 29.
func inPercent(share float64) float64 { return math.Round(share*1e14) / 1e12 }

// atLeast returns a share in percent, rounded down to two decimals, so that a share
// below a bound of one decimal is never shown as reaching it.
func atLeast(share float64) string {
	return strconv.FormatFloat(math.Floor(share*1e4+1e-9)/100, 'f', -1, 64) + " %"
}

// belowBest returns a share in percent. Only a share of 0 is shown as 0.
func belowBest(share float64) string {
	switch {
	case !(share > 0):
		return "0 %"
	case share < 0.0001:
		return "<0.01 %"
	}
	return strconv.FormatFloat(math.Ceil(share*1e4-1e-9)/100, 'f', 2, 64) + " %"
}
