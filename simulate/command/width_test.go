package command

import (
	"strings"
	"testing"

	"cupelscope/model/plain"
)

// A table for a terminal is no wider than that, and tells what it leaves out.
func TestTablesFitTheTerminal(t *testing.T) {
	for _, verb := range []string{"report", "min-budget", "profile", "marginal", "sweep", "tokens", "compare greedy knapsack:1 --worst 5"} {
		for _, width := range []int{80, 100, 160} {
			s, out, told := streams("")
			s.Width = width
			if code := line(t.Context(), s, verb+" --fixture agent"); code != Fine {
				t.Fatalf("%s: exit %d, %s", verb, code, told)
			}
			for row := range strings.Lines(out.String()) {
				if got := plain.Width(strings.TrimSuffix(row, "\n")); got > width {
					t.Errorf("%s in %d columns: a line of %d: %q", verb, width, got, row)
					break
				}
			}
			if verb == "report" && strings.Contains(out.String(), "no room in 80 columns for: first in, stays from\n") != (width == 80) {
				t.Errorf("in %d columns: %s", width, out)
			}
		}
	}
}
