package tui

import (
	"strings"
	"testing"
)

func TestCompareView(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 100)
	s.press("2")
	s.sees("Compare  A and B at 32,000", "A greedy", "B knapsack 100", "in both", "only A", "in neither")
	s.seesNot(" by A, ")
	s.press("d")
	s.seesNot("in neither")
	s.press("m")
	s.sees("A stored as B", "only A: 0 items", "only B: 0 items", "the same policy as A")
	s.press("uX")
	s.sees("A and B swapped", "A knapsack 100", "B greedy")
	s.press("B")
	s.sees("knobs edit B")
	s.press("c")
	s.sees("slicer greedy → knapsack")
	s.press("px<esc>") // other scores: what both let in has a value by each
	if line := s.line("in both   "); !strings.Contains(line, " by A, ") || !strings.HasSuffix(strings.TrimRight(line, " │"), " by B") {
		t.Errorf("the sums of what both let in: %q", line)
	}
	s.press("1d")
	s.sees("d: only in Compare (2)")
}
