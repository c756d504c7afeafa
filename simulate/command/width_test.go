package command

import (
	"context"
	"strings"
	"testing"

	"cupelscope/model/plain"
	"cupelscope/simulate/session"
)

// A table for a terminal is no wider than that, and tells what it leaves out.
func TestTablesFitTheTerminal(t *testing.T) {
	ctx, o := context.Background(), session.Options{Fixture: "agent"}
	for _, c := range []struct {
		name string
		run  func(Streams) error
	}{
		{"report", func(s Streams) error { return writeReport(ctx, o, reportOptions{}, s) }},
		{"min-budget", func(s Streams) error { return writeMinBudgets(ctx, o, minBudgetOptions{}, s) }},
		{"profile", func(s Streams) error { return writeProfile(ctx, o, profileOptions{studyOptions: studyOptions{}}, s) }},
		{"marginal", func(s Streams) error { return marginal(ctx, o, studyOptions{}, s) }},
		{"sweep", func(s Streams) error { return writeSweep(ctx, o, sweepOptions{}, s) }},
		{"tokens", func(s Streams) error { return writeTokens(ctx, o, tokensOptions{}, s) }},
		{"compare", func(s Streams) error {
			return compare(ctx, o, compareOptions{A: "greedy", B: "knapsack:1", Worst: 5}, s)
		}},
	} {
		for _, width := range []int{80, 100, 160} {
			s, out, _ := streams("")
			s.Width = width
			if err := c.run(s); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for line := range strings.Lines(out.String()) {
				if got := plain.Width(strings.TrimSuffix(line, "\n")); got > width {
					t.Errorf("%s in %d columns: a line of %d: %q", c.name, width, got, line)
					break
				}
			}
			if c.name == "report" && strings.Contains(out.String(), "no room in 80 columns for: first in, stays from\n") != (width == 80) {
				t.Errorf("in %d columns: %s", width, out)
			}
		}
	}
}
