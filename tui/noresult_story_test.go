package tui

import (
	"strings"
	"testing"

	"cupelscope/model"
)

// At a budget without a result nothing is in: no bar, no state and no reason of
// the result before is shown, the strips are those of the setup, and the first
// result after it is told as what it is, not as a difference.
func TestAgainstNothingThereIsNoDifference(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		s := begin(t, agent(t, func(*model.Policy) {}), size[0], size[1])
		before := s.m.exp.Outcome(s.m.side).Report
		s.press("<tab><enter>8000<enter><tab>")
		s.sees("no result at 8,000")
		s.seesNot("█", "39 of 65", "at risk", " short", "room 19")
		if size[0] >= 80 {
			bar := s.screen()[s.m.drawn.layout.Bar.Y]
			if strings.TrimSpace(bar) != "no result at 8,000" {
				t.Errorf("%v: the bar is %q", size, bar)
			}
			s.sees("46,609 ┊") // the strip of #15: out here, in further on
		}
		s.press("<tab><enter>20000<enter>")
		after := s.m.exp.Outcome(s.m.side).Report
		line := s.line("20,000:")
		if want := " items in"; !strings.Contains(line, want) || strings.Contains(line, " out") || strings.Contains(line, ": +") {
			t.Errorf("%v: the impact is %q", size, line)
		}
		if size[0] >= 80 && !strings.Contains(line, after.Kept.String()+" tok") {
			t.Errorf("%v: the impact is %q, of %v tokens", size, line, after.Kept)
		}
		if after.Kept == before.Kept {
			t.Fatal("both results are alike")
		}
		s.press("u")
		s.sees("undo", "no result at 8,000")
		s.press("u")
		s.sees("39 items in")
		s.press("l")
		s.seesNot("items in ")
	}
}

// Also where a session begins without a result.
func TestASessionThatBeginsWithoutAResult(t *testing.T) {
	session := agent(t, func(*model.Policy) {})
	b, err := model.NewBudget(model.BudgetFields{MaxTokens: 9000, OutputReserve: 8000})
	if err != nil {
		t.Fatal(err)
	}
	session.Budget = b
	s := begin(t, session, 120, 36)
	s.sees("no result at 9,000")
	s.seesNot("█", "◆  0")
	s.press("]")
	s.sees("3 items in")
}
