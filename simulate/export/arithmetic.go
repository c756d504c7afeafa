package export

import (
	"fmt"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Arithmetic writes out how the room of a report comes about, as a calculation
// on one line: what the budget gives, what is taken from it, and the safety
// margin last. Of the two bounds, target and maximum, it shows the lower.
func Arithmetic(r *model.Report) string {
	b := r.Budget
	var s strings.Builder
	left := b.TargetTokens()
	what := "target"
	if b.MaxTokens()-b.OutputReserve() <= b.TargetTokens() {
		left, what = b.MaxTokens(), "maxTokens"
	}
	fmt.Fprintf(&s, "room %v = %s %v", r.Effective.Target, what, left)
	take := func(t model.Tokens, name string) {
		if t > 0 {
			fmt.Fprintf(&s, " - %v %s", t, name)
			left -= t
		}
	}
	if what == "maxTokens" {
		take(b.OutputReserve(), "output reserve")
	}
	take(r.PinnedTokens, "pinned")
	for _, slot := range b.ReservedSlots() {
		take(slot.Tokens, "held back ("+plain.Line(string(slot.Kind), nameCells)+")")
	}
	if left < 0 {
		s.WriteString(", which is less than nothing")
	} else if m := b.SafetyMargin(); m > 0 {
		fmt.Fprintf(&s, " - %v safety (%s %%)", left-r.Effective.Target, strconv.FormatFloat(m, 'f', -1, 64))
	}
	return s.String()
}

// Totals says in one line what a report holds.
func Totals(r *model.Report) string {
	s := fmt.Sprintf("in %v of %s, %v tokens, utilization %.1f %%, value %.3f",
		model.Tokens(len(r.Included)), plain.Count(r.Items.Len(), "item"), r.Kept, 100*r.Utilization(), r.Value)
	if r.Effective.Target > 0 {
		s += "; filled " + Percent(r.Filled()) + " of " + r.Effective.Target.String()
	}
	return s
}
