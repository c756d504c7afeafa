package explorer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
)

// The palette leads to the budget at which a larger one holds less, by whatever words
// it is asked for, and says what is less there.
func TestThePaletteLeadsToWhereMoreIsWorse(t *testing.T) {
	beside(t)
	for _, typed := range []string{"worse", "fall", "falls", "more is worse", "fewer items", "budget where more is worse"} {
		for _, size := range sizes {
			s := begin(t, agentSession(t), size[0], size[1])
			s.press(":max 11500<enter>")
			was := s.m.budget()
			s.press(":" + typed)
			s.clickOn("to where more is worse: fewer")
			at := s.m.budget()
			p := s.m.exp.Profile(experiment.A)
			here, below := p.PointAt(at), p.PointAt(at-1)
			if at <= was || !here.Fewer(below) {
				t.Fatalf("%q leads to %v with %d items, %d below it", typed, at, here.Items, below.Items)
			}
			for b := was + 1; b < at; b++ {
				if p.PointAt(b).Fewer(p.PointAt(b - 1)) {
					t.Fatalf("%v has fewer items than the budget below it, but %v is what it led to", b, at)
				}
			}
			s.sees(fmt.Sprintf("%v has %d items", at, here.Items))
		}
	}
}

// What the way there changes is shown before it is taken.
func TestTheWayToWhereMoreIsWorseHasAPreview(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press(":max 11500<enter>:fewer items", "enter: ")
	before := s.m.exp.Outcome(experiment.A).Report
	said := s.line("enter: ")
	s.press("<enter>")
	after := s.m.exp.Outcome(experiment.A).Report
	for i := range before.Items.Len() {
		if before.In(i) != after.In(i) {
			if !strings.Contains(said, itemName(i)) {
				t.Errorf("#%d changes: %s", i, said)
			}
			return
		}
	}
	t.Error("nothing changes")
}

// After the last budget where more is worse comes the first, and where there is none
// the message says so.
func TestWhereMoreIsWorseComesRound(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	seek := func() model.Tokens {
		s.press(":worse fewer")
		s.clickOn("to where more is worse: fewer")
		return s.m.budget()
	}
	seen := map[model.Tokens]bool{}
	for b := seek(); !seen[b]; b = seek() {
		seen[b] = true
	}
	s.sees("none above ", "; below, ")
	s.press(":less value")
	b, p := s.m.budget(), s.m.exp.Profile(experiment.A)
	s.clickOn("to where more is worse: less value")
	f, ok, err := p.NextFall(t.Context(), b, simulate.Point.Fewer)
	if err == nil && !ok {
		f, _, err = p.NextFall(t.Context(), -1, simulate.Point.Fewer)
	}
	s.sees(fmt.Sprintf("no budget has less value; by items: %v has %d items, %v has %d", f.At.Budget, f.At.Items, f.Below.Budget, f.Below.Items))
	if err != nil || s.m.budget() != b {
		t.Errorf("%v, and the budget is %v", err, s.m.budget())
	}

	s.press(":max 1000<enter>") // no result, but every budget is known
	s.press(":fall")
	s.clickOn("to where more is worse: fewer")
	if !seen[s.m.budget()] {
		t.Errorf("from a budget without result it leads to %v:\n%s", s.m.budget(), s.text())
	}
}

// What is needed can become less too.
func TestWhereLessOfTheNeededIsIn(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press(":less needed")
	s.seesNot("more is worse: less of what is needed")
	s.press("<esc>*") // the item under the cursor, which leaves and comes back
	s.press(":recall falls")
	s.clickOn("to where more is worse: less of what is needed")
	s.sees("more is worse: 32,048 has recall 0 %, 32,047 has 100 %: + #32 − #15")
}

// esc stops a search that runs, and an answer to another setup is not followed.
func TestASearchThatIsOvertaken(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	b := s.m.budget()
	s.held = true
	s.press(":worse")
	s.clickOn("to where more is worse: fewer")
	s.press("<esc>", "stopped: where more is worse was not found yet")
	s.release()
	s.budgetIs(b)
	s.held = true
	s.press(":worse")
	s.clickOn("to where more is worse: fewer")
	s.press(":slicer knapsack<enter>")
	s.release()
	s.budgetIs(b)
}

// A jump to a fall says what leaves at that budget, not only what the way there changed.
func TestAJumpToAFallSaysWhatLeavesThere(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, agentSession(t), size[0], size[1])
		s.press("7N")
		b := s.m.budget()
		c, ok := s.m.exp.Profile(s.m.side).Next(b - 1)
		if !ok || c.At != b || len(c.Out) <= len(c.In) {
			t.Fatalf("nothing falls at %v: %+v", b, c)
		}
		s.sees(fmt.Sprintf("from %v to %v: −%d out", b-1, b, len(c.Out)), itemName(int(c.Out[0])))
		s.press("u")
		s.seesNot("from 14,352")
	}
}

// A search that is under way when another source is opened says nothing there.
func TestASearchForAFallEndsWithItsSession(t *testing.T) {
	s := begin(t, sampleSession(t, 30), 120, 36)
	search := s.m.seekFall(fewerItems)
	s.run(s.m.startLoad("next", func(context.Context) (*Session, error) { return sampleSession(t, 40), nil }, s.m.loaded))
	s.run(search)
	s.seesNot("more is worse", "more is never worse")
}

// Where no larger budget is worse, n in the curve names the one below that is, and N goes there.
func TestTheCurveNamesTheFallOnTheOtherSide(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	p := s.m.exp.Profile(experiment.A)
	b := s.m.budget() - 1
	for ; !p.PointAt(b).Fewer(p.PointAt(b-1)) && !p.PointAt(b).Less(p.PointAt(b-1)); b-- {
	}
	s.press("7n", fmt.Sprintf("A has no fall in items or value above %v; N goes to the one at %v", s.m.budget(), b))
	if s.press("N"); s.m.budget() != b {
		t.Errorf("N goes to %v", s.m.budget())
	}
}
