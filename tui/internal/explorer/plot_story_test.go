package explorer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// curveRow returns the row of a side in the table of the curve, one blank between its words.
func (s *story) curveRow(side experiment.Side) string {
	for _, line := range slices.Backward(s.screen()) {
		if words := strings.Fields(strings.Trim(line, "│")); len(words) > 1 && words[0] == side.String() {
			return strings.Join(words, " ")
		}
	}
	s.t.Errorf("the curve has no row of %v", side)
	return ""
}

// hasRow checks the row of a side in the table of the curve.
func (s *story) hasRow(side experiment.Side, want string) {
	s.t.Helper()
	if row := s.curveRow(side); !strings.HasSuffix(row, want) {
		s.t.Errorf("%v has the row %q, want %q", side, row, want)
	}
}

// The curve of two items: greedy's value rises at 50, 100 and 150, and at 100
// it holds fewer items only if more than one went.
func TestCurveStory(t *testing.T) {
	s := begin(t, islands(t, 120), 120, 36)
	s.do("view.Curve", s.tab(7), "Curve  value at every budget",
		"At 120 A holds 91 % of the value that 200 gives; 10 % more budget gives A no more.", "A and B give the same value here; A is ahead at 50 % of the budgets up to 200, never behind.",
		"90 % from", "A B 91 %│", "j/k "+plain.BelowBest)
	s.hasRow(experiment.A, "A greedy · islands 1.00 best 100")
	s.hasRow(experiment.B, "1.00 best 100")
	s.do("curve.measure", "Curve  how far the value is "+plain.BelowBest, "At 120 A is 0 % "+plain.BelowBest+", B 0 %.", "A B best│", "j/k items")
	s.do("curve.measure", "Curve  items at every budget")
	s.hasRow(experiment.A, "A greedy · islands 1 1.00 best 100")
	s.do("curve.measure", "Curve  share of the room filled at every budget", "100 %│")
	s.hasRow(experiment.A, "A greedy · islands 83 % 1.00 best 100")
	s.do("curve.measure back", "Curve  items at every budget")
	s.press("+++", "+: each column is one budget already")
	s.do("curve.column up", "At 121 A has 1 item; 200 tokens would have 2.")
	s.press("hhh", maxTokens+" 119 → 118", "At 118 A has 1 item")
	s.press("za", "even 50···")
	s.press("kk:155<enter>") // the value again
	s.sees("At 155 A holds 100 % of the value that 200 gives, B 91 %; 10 % more budget gives A no more.", "A gives 10 % more value than B here; A is ahead at ")
	s.do("budget.back", "At 149 A holds")
	s.do("curve.open", s.tab(1), maxTokens+" 155 → 149: − #1")
	s.do("undo", "undo "+maxTokens+" 149 → 155: + #1")
}

// The first line says what a tenth more budget gives, less too under a stream, and nothing of what is
// beyond the end of the axis.
func TestTheCurveSaysWhatMoreBudgetGives(t *testing.T) {
	session, told := sampleSession(t, 60), map[string]bool{}
	session.Policy.Slicer = model.Stream
	s := begin(t, session, 120, 36)
	s.do("view.Curve")
	profile := s.m.exp.Outcome(experiment.A).Profile
	axis := profile.Axis()
	for now := axis.End() / 10; now+now/10 <= axis.End(); now += axis.End() / 40 {
		a, b := profile.PointAt(now).Value, profile.PointAt(now+now/10).Value
		end := " no more"
		switch {
		case b > a*(1+1e-9):
			end = " " + plain.Percent(b/a-1) + " more"
		case b < a*(1-1e-9):
			end = " " + plain.Percent(1-b/a) + " less"
		}
		told[end[len(end)-4:]] = true
		s.press(fmt.Sprintf(":%d<enter>", now), "; 10 % more budget gives A"+end+".")
	}
	musttest.Is(t, len(told), 2, told)
	s.press(fmt.Sprintf(":%d<enter>", axis.End()), fmt.Sprintf("At %v A holds ", axis.End()), " of the value that any budget gives")
	s.seesNot("10 % more budget")
}

// Where there is no result there is nothing to compare.
func TestTheCurveWithoutAResultComparesNothing(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 60)
	s.do("view.Curve", "more value than B here; A is ahead at ")
	s.press("<tab><enter>3k<enter>", "A has no result at 3,000.", "A is ahead at ")
	s.hasRow(experiment.B, "no result at 3,000")
	s.seesNot("more value than B here")
}

// Below the value stands, where there is room, how far both sides are below the best possible; the
// measure that follows it has that alone.
func TestBelowTheValueStandsHowFarItIsBelowTheBest(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("view.Curve", "Curve  value at every budget")
		if size[1] < 20 {
			s.seesNot("cut off at")
		} else {
			s.sees("cut off at 10 %")
			foot := "best│"
			if size[0] >= 120 { // the label of A is there
				foot = "A 0.7 %│"
				s.sees("B 5.1 %│")
			}
			_, low := s.find(foot)
			if _, axis := s.find("┊32,000·"); low <= axis {
				t.Errorf("%v: the best possible is in row %d, the axis in row %d", size, low, axis)
			}
		}
		if s.press(":12000<enter>"); size[0] >= 120 { // B is further below than the top of the plot, which keeps its number
			s.sees("   10 %│", "B 33 %▲│")
		}
		s.press("u")
		s.do("curve.measure")
		s.seesNot("100 %│", "Curve  value at every budget")
	}
}

// Under a stream a larger budget can be worth less: the plot marks where.
func TestCurveMarksWhereTheValueFalls(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.do("view.Curve", "█ A  ⠒ B, else near A ", "how far the value is "+plain.BelowBest, "█ A  ⠒ B, else near A  cut off at 10 %", " 10 %│")
	s.seesNot("fewer A│", "a bigger budget gives")
	s.do("curve.measure", "Curve  how far the value is "+plain.BelowBest, "█ A  ⠒ B, else near A  cut off at 10 %", " 10 %│")
	s.press("kn", "fewer A│", "▁ a bigger budget gives fewer items")
	s.seesNot("value A│", "▼")
	session := sampleSession(t, 60)
	session.Policy.Slicer = model.Stream
	s = begin(t, session, 120, 36).after("7n", "fewer A│", "value A│", "▼", "▼ less value ")
	if line := s.curveRow(experiment.A); strings.Contains(line, "never") {
		t.Errorf("falls of A are expected: %s", line)
	}
}

// The table says how often what falls, n and N go to all of these budgets, and the recall has falls of its own.
func TestCurveGoesToWhereItFalls(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Curve")
	profile := s.m.exp.Profile(experiment.A)
	var falls []model.Tokens
	var before simulate.Point
	for a := range profile.Points() {
		if a.Fewer(before) || a.Less(before) {
			falls = append(falls, a.Budget)
		}
		before = a
	}
	if len(falls) != 3 {
		t.Fatalf("the fixture falls at %v, the story is about three budgets", falls)
	}
	s.hasRow(experiment.A, " at 3 budgets")
	s.hasRow(experiment.B, " at 69 budgets")
	s.do("curve.next fall", "n: above 32,000 A never gets fewer items or less value, though #15 leaves at 32,048; N goes back to 14,353")
	for k := len(falls) - 1; k >= 0; k-- {
		s.do("curve.fall back")
		s.budgetIs(falls[k])
	}
	s.do("curve.fall back", "N: below "+falls[0].String()+" A never gets fewer items or less value")
	s.do("curve.next fall")
	s.budgetIs(falls[1])
	s.do("curve.measure back") // recall
	s.sees("Curve  recall at every budget", "Nothing is marked as needed yet")
	s.do("curve.next fall", "n: nothing is marked as needed yet")
	s.press("f15<enter>1*7", "rec. A│", "▼ a bigger budget gives less recall")
	s.hasRow(experiment.A, " at 17 budgets")
	at := s.m.budget()
	s.do("curve.next fall")
	if p := s.m.exp.Profile(experiment.A); s.m.budget() <= at || slices.ContainsFunc(p.Bands(nil, 15), func(b simulate.Band) bool { return b.From <= s.m.budget() && s.m.budget() <= b.To }) {
		t.Errorf("n leads to %v, where the needed item is in", s.m.budget())
	}
}

// While the curves are computed the plot says so, and draws nothing old.
func TestCurveWhileItIsComputed(t *testing.T) {
	s := begin(t, sampleSession(t, 30_000), 120, 36)
	s.held = true
	s.do("view.Curve", "computing what every budget gives")
	s.release()
	s.seesNot("computing")
	s.sees("At 32,000 A holds")
	s.held = true
	s.press("x")
	for _, line := range s.screen() {
		if strings.Contains(line, "holds 100 %") {
			t.Error(line)
		}
	}
	s.release()
	s.seesNot("computing")
}

// The best possible is computed in the background: until it is there, at most is
// told, with how far it is; esc stops it.
func TestTheBestPossibleIsComputedBeside(t *testing.T) {
	s := begin(t, sampleSession(t, 3000), 120, 36)
	s.do("view.Compare", "<0.1 % "+plain.BelowBest, "29 % "+plain.BelowBest)
	s.seesNot("≤")
	s.press("f0<enter>")
	s.held = true
	s.do("item.exclude")
	s.step(func() bool { return strings.Contains(s.text(), "≤29.0 %, ⠋ computing 0 %") })
	s.press("<esc>", "stopped: "+plain.BelowBest+" is known only as an upper bound", "≤29.0 % "+plain.BelowBest)
	s.release("≤29.0 % " + plain.BelowBest) // and stays so
	s.do("undo", "<0.1 % "+plain.BelowBest)
}

// With nothing to draw the curve says so, and keys that need an item say why
// they do nothing.
func TestCurveOfNothing(t *testing.T) {
	items := musttest.Of(model.NewSet(nil))(t)
	session := islands(t, 100)
	session.Items = items
	s := begin(t, session, 80, 24).after("7hl+-<lt>>zaj <space>", "space: Curve shows no item; 1 shows them")
	s.press("xv}=1", s.tab(1))
}

func TestTheCurveLeadsToWhereNearlyAllOfTheValueIs(t *testing.T) {
	s := begin(t, islands(t, 50), 120, 36).after("7:set wanted % 95<enter>=", maxTokens+" 50 → 150", "A holds 100 % of the value that 200 gives")
	s.do("curve.enough", "=: from here on A keeps 95 % or more of the value that it has at 200")
	s.do("undo", "undo "+maxTokens+" 150 → 50")
}

// 100 % is the most value that either side has at any budget, so under quotas the axis ends there too, and
// the wanted share is said to be of what each side has.
func TestNothingOnTheAxisOfValuesIsAbove100(t *testing.T) {
	s := agentAt(t, 120, 36, ":tool max 30"+alone+"7", "    100 %│", "A holds 38 % of the value that B has at 96,651, B 60 %; 10 % more budget gives A ", "90 % of own from 82,055", "90 % of own from ", "= 90 % of own")
	s.do("policy.B", "    100 %│", "B holds 60 % of the value that 96,651 gives, A 38 %; 10 % more budget gives B ")
	s.press("Buu", "90 % from ")
	s.seesNot("of own")
	s.sees("= 90 % value")
}

// The share of the value that = goes to is a knob; with recall drawn it goes to all that is needed.
func TestTheHintOfTheCurveNamesTheShareThatIsDrawn(t *testing.T) {
	s := begin(t, islands(t, 50), 120, 36)
	s.do("view.Curve", "= 90 % value")
	s.press(":set wanted % 40<enter>", "wanted % 90 → 40", "= 40 % value", "40 % from")
	s.press("1j*7", "The needed item stays in with A from 150", "= all needed", "all from")
	s.do("curve.enough")
	s.budgetIs(150)
}

// The areas are named at every size, however the plot is zoomed.
func TestTheCurvesAreExplainedWhereverTheyPass(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("view.Curve")
		for _, keys := range []string{"", "+", "+", "<gt><gt>", "j", "z"} {
			s.press(keys)
			if text := s.text(); !strings.Contains(text, "█ A and B") && (!strings.Contains(text, "█ A") || !strings.Contains(text, "⠒ B")) {
				t.Errorf("%v: after %s the areas have no names:\n%s", size, keys, text)
			}
		}
		if row := s.curveRow(experiment.B); !strings.HasPrefix(row, "B knapsack 100 ") {
			t.Errorf("%v: the policy of B is not named: %s", size, row)
		}
	}
}

// Sides that give the same are not compared by signs of nothing.
func TestEqualSidesAreSaidToBeEqual(t *testing.T) {
	s := opening(t, "items.json", `[{"content": "one", "tokens": 100}, {"content": "two", "tokens": 200}]`, 80, 24)
	s.press("<esc><esc>7", "A and B give the same value at every budget.", "█ A and B", "100 %│")
	s.seesNot("+0 tok", "-0.0")
}

// While the curve is still being computed, no key says what its budgets give.
func TestTheKeysOfACurveThatIsNotKnownYet(t *testing.T) {
	s := begin(t, sampleSession(t, 200), 120, 36).after("c:bucket 1<enter>")
	s.held = true
	s.press("7=", "=: the budgets are still being computed")
	s.do("curve.next fall", "n: the budgets are still being computed")
}

// A share that is held from the first budgets on has no room for its mark left of them.
func TestAWantedShareOfTheFirstBudgets(t *testing.T) {
	for _, s := range agentAtSizes(t, ":wanted 1<enter>7", "1 % from") {
		s.seesNot(" 1 %│")
	}
}

// Where both sides reach the top, their labels stand below each other; a low plot has none.
func TestLabelsOfTheCurveStandApart(t *testing.T) {
	for size, s := range agentAtSizes(t, "gjjj*jjjjj*j*jjj*Gk*7=", "At 67,622 A has 5 of 5 needed items, B has 4.") {
		if size[1] < 20 {
			s.seesNot("A 100 %│", "B 80 %│")
			continue
		}
		if a, b := s.line("A 100 %"), s.line("B 80 %"); a == b {
			t.Errorf("%v: both stand in %q", size, a)
		}
	}
}

// A jump to a fall says what leaves at that budget, not only what the way there changed.
func TestAJumpToAFallSaysWhatLeavesThere(t *testing.T) {
	for _, s := range agentAtSizes(t, "7N") {
		b := s.m.budget()
		c, ok := s.m.exp.Profile(s.m.side).Next(b - 1)
		if !ok || c.At != b || len(c.Out) <= len(c.In) {
			t.Fatalf("nothing falls at %v: %+v", b, c)
		}
		s.sees(fmt.Sprintf("from %v to %v: ", b-1, b)+widget.Moves(c.In, c.Out, 18), itemName(int(c.Out[0])))
		s.do("undo")
		s.seesNot("from 14,352")
	}
}

// Where no larger budget is worse, n in the curve names the one below that is, and N goes there.
func TestTheCurveNamesTheFallOnTheOtherSide(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	p := s.m.exp.Profile(experiment.A)
	b := s.m.budget() - 1
	for ; !p.PointAt(b).Fewer(p.PointAt(b-1)) && !p.PointAt(b).Less(p.PointAt(b-1)); b-- {
	}
	s.press("7n", fmt.Sprintf("above %v A never gets fewer items or less value", s.m.budget()), fmt.Sprintf("; N goes back to %v", b))
	s.do("curve.fall back")
	s.budgetIs(b)
}

// { and } go to where the selected item comes in or leaves, in the curve too, whose hint names it.
func TestTheCurveGoesToTheChangesOfTheSelectedItem(t *testing.T) {
	for size, s := range agentAtSizes(t, "f15<enter>7", "{ } #15") {
		s.do("item.next", "budget 32,000 → 32,048: ")
		p, b := s.m.exp.Profile(experiment.A), s.m.budget()
		_, before := p.SizeAt(15, b-1)
		if _, in := p.SizeAt(15, b); s.showing() != "Curve" || b != 32_048 || in || !before {
			t.Errorf("%v: } leads to %v in %s, where #15 is in: %v, a token before: %v", size, b, s.showing(), in, before)
		}
		s.do("item.back")
		s.budgetIs(32_047)
		s.do("view.Items")
		s.selects(15)
		s.press("f60<enter>8g}", "}: Turns shows no item") // before #60 comes
	}
}

// The measure that is drawn decides what = does: the footer says it at every size.
func TestTheFooterOfCurveNamesWhatItsKeyDoes(t *testing.T) {
	for _, s := range agentAtSizes(t, ":needed 13 28<enter>7", "= all needed") {
		for range 4 {
			s.do("curve.measure", "= 90 % value")
		}
		s.do("curve.measure", "= all needed")
		s.do("curve.enough", "= slack to spare")
	}
}

// Where the axis has no numbers between its ends it says that its steps differ, unless they do not.
func TestTheAxisOfTheCurveSaysThatItsStepsDiffer(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("view.Curve")
		musttest.Is(t, strings.Contains(s.text(), " log scale "), size[0] < 80, size)
		musttest.Is(t, strings.Contains(s.words(), "is ahead at 77 % of the budgets up to 94,125"), size[0] >= 80, size)
		s.seesNot("77 % up to")
		s.do("curve.axis")
		s.seesNot(" log scale ")
	}
}
