package tui

import (
	"testing"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
)

// With a knob in focus, the keys of the budget lead to the next value of that knob at which
// anything changes, say so before, and are taken back.
func TestKeysOfTheBudgetMoveTheKnobInFocus(t *testing.T) {
	s := begin(t, agent(t, func(*model.Policy) {}), 120, 36)
	s.press("<tab>")
	s.m.knobs.Select(experiment.SafetyMargin)
	s.press("hl")
	s.sees("] 5.2 % ", "[ 4.7 % ")
	s.press("]")
	s.sees("‹ 5.2 % ›", "38 of 65 in")
	if b := s.m.exp.Setup().Budget.MaxTokens; b != 32000 {
		t.Errorf("the budget is %v, want it where it was", b)
	}
	s.press("u")
	s.sees("‹ 5 % ›", "39 of 65 in")
	s.press("<esc>]")
	if b := s.m.exp.Setup().Budget.MaxTokens; b == 32000 {
		t.Error("without a knob in focus the budget stays")
	}
}

// In the policy editor they move the weight under the cursor.
func TestKeysOfTheBudgetMoveAWeight(t *testing.T) {
	s := begin(t, agent(t, func(*model.Policy) {}), 120, 36)
	s.press("p]")
	s.sees("‹ 22.187 ›")
	s.press("u[")
	s.sees("‹ 2.88 ›")
	s.press("]")
	s.sees("‹ 2.881 ›")
	s.press("=")
	s.sees("=: no item is shown here; esc closes the editor")
}

// In the knobs the keys of the item lead to where it enters or leaves, and bring it in.
func TestKeysOfTheItemMoveTheKnobInFocus(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, agent(t, func(*model.Policy) {}), size[0], size[1])
		s.m.goTo(32)
		s.press("<tab>")
		s.m.knobs.Select(experiment.SafetyMargin)
		s.press("hl=")
		s.sees("4.7 %")
		if !s.m.exp.Outcome(s.m.side).Report.In(32) {
			t.Errorf("%v: #32 is out", size)
		}
		s.press("=")
		s.sees("#32 is in here")
		s.press("}")
		s.sees("4.8 %")
	}
}
