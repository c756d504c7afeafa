package export

import (
	"fmt"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// arithmetic returns the calculation of the room of a report, on one line:
// what the budget gives, what is taken from it, and the safety margin last. It
// shows the lower of the two bounds, target and maximum.
func arithmetic(r *model.Report) string {
	b := r.Budget
	var s strings.Builder
	left, bound := b.TargetTokens(), "target"
	if ofMax, _ := b.Deducted(); b.MaxTokens()-ofMax <= b.TargetTokens() {
		left, bound = b.MaxTokens(), "budget"
	}
	fmt.Fprintf(&s, "room %v = %s %v", r.Effective.Target, bound, left)
	for _, d := range b.Fields().Deductions(r.PinnedTokens) {
		if d.Tokens == 0 || d.OnlyMax && bound == "target" {
			continue
		}
		name := d.Label()
		if d.Kind != "" {
			name += " for " + d.Kind.Noun()
		}
		taken, of := d.From(left), ""
		if taken < d.Tokens {
			of = " of " + d.Tokens.String()
		}
		fmt.Fprintf(&s, " - %v%s %s", taken, of, name)
		left -= taken
	}
	if left < 0 {
		fmt.Fprintf(&s, ", %v missing", -left)
	} else if m := b.Fields().SafetyMargin; m > 0 {
		fmt.Fprintf(&s, " - %v safety (%s %%)", r.Effective.Margin, strconv.FormatFloat(m, 'f', -1, 64))
	}
	return s.String()
}

// totals returns one line with the number of items, the tokens, the
// utilization and the value of a report.
func totals(r *model.Report) string {
	sized := ""
	if cut, noted := r.CountShrunk(); cut+noted > 0 {
		sized = fmt.Sprintf(", %v of them cut", model.Tokens(cut))
		if noted > 0 {
			sized += ", and " + plain.Count(noted, "note")
		}
	}
	s := fmt.Sprintf("in %v of %s%s, %s, %.1f %% of the budget used, value %.3f",
		model.Tokens(len(r.Included)), plain.Count(r.Items.Len(), "item"), sized, plain.Count(int(r.Kept), "token"), 100*r.Utilization(), r.Value)
	if r.Effective.Target > 0 {
		s += "; " + plain.Percent(r.Filled()) + " of the room filled"
	}
	return s
}
