package explorer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// At a budget without a result nothing is in: no bar, no state and no reason of
// the result before is shown, the strips are those of the setup, and the first
// result after it is told as what it is, not as a difference.
func TestAgainstNothingThereIsNoDifference(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.NoColor = true })
		before := s.m.exp.Outcome(s.m.side).Report
		told := []string{"39 of 65", plain.AtRisk, "same as #28"}
		s.sees(told...)
		s.press("<tab><enter>8000<enter><tab>", "no result")
		s.seesNot(told...)
		if size[0] >= 80 {
			bar := s.screen()[s.m.drawn.layout.Bar.Y]
			musttest.Is(t, strings.Trim(bar, " ◆/█"), "┊", size, "the bar", bar)
			s.sees("46,609 ·", "‹ 8,000") // the strip of #15: out at its beginning, which is beyond the budget, in further on
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
		s.do("undo", "undo", "no result")
		s.do("undo", "39 items in")
		s.press("l")
		s.seesNot("items in ")
	}
}

// A setup that has a result at no budget leads to none: the budgets of the setup before are not its own.
func TestWithoutAProfileNoKeyGoesAlongTheOneBefore(t *testing.T) {
	session := sampleSession(t, 5)
	var items []model.Item
	for i := range 8 {
		items = append(items, model.Item{Content: strconv.Itoa(i), Tokens: 60_000_000, FutureRelevanceHint: model.Some(float64(i) / 9)})
	}
	session.Items = musttest.Of(model.NewSet(items))(t)
	session.Budget, session.Ceiling = musttest.Of(model.BudgetOf(200_000_000))(t), 400_000_000
	s := begin(t, session, 120, 36)
	s.do("budget.next")
	s.seesNot("no result")
	s.press(":set slicer knapsack<enter>:set bucket 1<enter>", "no result")
	for _, key := range []string{"]", "[", "}", "="} {
		before := s.m.budget()
		s.press(key, "there is no result at any budget")
		s.budgetIs(before)
	}
}

// A strip begins where its axis does: no column before the budget at which an item is first in has it, and
// a budget that is less than the axis stands before that.
func TestNoStripIsSolidBelowTheFirstBudget(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}} {
		s := agentAt(t, size[0], size[1], ":4000<enter>g")
		lo, _ := widget.StripRange(s.m.exp.Outcome(s.m.side))
		first, _ := s.m.exp.Profile(s.m.side).FirstIn(6)
		if lo < first {
			t.Errorf("%v: the axis begins at %v, and #6 comes in at %v", size, lo, first)
		}
		s.line("# kind ", "‹ 4,000 ")
		s.line(" 6 mark ", " 11,284 ▅▅▅▅")
		s.do("undo")
		s.line("# kind ", " 11.3k")
	}
}

// Where more is kept back than there is, the bar of the budget goes on by what is missing beside the pinned items too.
// Trace draws all of it beside the budget, in proportion, and what is beyond that in the colour of a loss; where the
// items go is not known.
func TestTraceDrawsAReserveLargerThanTheBudget(t *testing.T) {
	for size, s := range agentAtSizes(t, ":4000<enter>6") {
		if size[0] >= 80 {
			s.sees(plain.Pinned+" 2,082", "output 1,918 of 8,000", "missing 6,082", "budget 4,000")
		}
		bar := s.screen()[s.m.drawn.layout.Bar.Y]
		musttest.Is(t, strings.Count(bar, "█"), size[0]-3, size, "the bar, but for the mark of the budget", bar)
		cells, look := s.m.View().Content, s.m.theme.SGR(theme.BarBeyond, 0)
		if _, beyond, ok := strings.Cut(cells, look); !ok || math.Abs(float64(strings.Count(strings.Split(beyond, "\x1b")[0], "█")+1)-float64(size[0]-2)*6082/10_082) > 1 {
			t.Errorf("%v: 6,082 of 10,082 of the bar are not beyond the budget", size)
		}
		budget := strings.Count(s.line(" budget  ", "4,000  "), "█")
		kept := strings.Count(s.line(reserve+"  ", "8,000  "), "█")
		if budget < 6 || kept < 2*budget-1 || kept > 2*budget+1 {
			t.Errorf("%v: the bar of 4,000 has %d cells, that of 8,000 %d:\n%s", size, budget, kept, s.text())
		}
		begins := func(words ...string) int { return draw.Width(strings.Split(s.line(words...), "█")[0]) }
		musttest.Is(t, begins(reserve+"  ", "8,000  "), begins(" budget  ", "4,000  "), size)
		musttest.Is(t, begins("= missing", "6,082  "), begins(" budget  ", "4,000  ")+budget, size, "what is beyond the budget")
		if beyond := strings.Count(s.line("= missing", "6,082  "), "█"); math.Abs(float64(beyond)-float64(budget)*6082/4000) > 1.5 {
			t.Errorf("%v: the bar of 4,000 has %d cells, that of 6,082 %d", size, budget, beyond)
		}
		musttest.Says(t, s.m.View().Content, s.m.theme.SGR(theme.Error, 0)+"6,082", size, "what is missing as an error")
		s.seesNot("items go")
		for _, view := range []string{"2", "4", "5", "8"} {
			s.press(view)
			s.line("− "+reserve+" ", " 8,000  ██")
			s.line("= missing ", " 6,082  ", "██")
			if size[0] >= 80 { // else the notice alone says it
				s.sees("  ] 10,082 + #0 #1 #2")
			}
			s.seesNot("h/l request", "n/N break", "J/K item", "/ find", "d A and B", "d differences")
		}
	}
}

// What is held for a kind gives way to the output reserve and pinned items: Trace takes from the budget no more
// than there is of it, and nothing is missing.
func TestTraceTakesWhatIsLeftForWhatIsHeld(t *testing.T) {
	for _, size := range sizes {
		for _, budget := range []model.Tokens{10_082, 11_000, 11_282} {
			s := agentAt(t, size[0], size[1], fmt.Sprintf(":%d<enter>6", int(budget)))
			there := budget - 8000 - s.m.exp.Items().PinnedTokens()
			held := there.String() + " of 1,200"
			if there == 1200 {
				held = " 1,200"
			}
			s.line("− held for memory ", " "+held)
			room, err := lastNumber(strings.Fields(s.line("= room ")))
			musttest.Is(t, room == 0 && err == nil, true, size, budget, "the room")
			s.seesNot("= left", "= missing")
			content := s.m.View().Content
			for _, role := range []theme.Role{theme.Error, theme.BarBeyond} {
				musttest.Is(t, strings.Contains(content, s.m.theme.SGR(role, 0)), false, size, budget, role)
			}
		}
	}
}

// Also where a session begins without a result.
func TestASessionThatBeginsWithoutAResult(t *testing.T) {
	session := agentSession(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 9000, OutputReserve: 8000}))(t)
	session.Budget = b
	s := begin(t, session, 120, 36)
	s.sees(" no result: "+reserve+" 8,000 + "+plain.Pinned+" 2,082 need 10,082, 1,082 more than the budget ", "Press ] for 10,082"+pinsAlone, plain.Pinned+" 2,082", "output 6,918 of 8,000", "missing 1,082", "budget 9,000")
	s.line("◆  1 sys ")
	s.line("≡ 12 doc ")
	s.seesNot("●", " why ")
	s.do("budget.next", "3 items in")
}

// noBudgetWorks is a session with a result at no budget.
func noBudgetWorks(t *testing.T) *Workspace {
	session := agentSession(t)
	items := make([]model.Item, 40)
	for i := range items {
		items[i] = model.Item{Content: strconv.Itoa(i), Tokens: 1 << 30}
	}
	session.Items = musttest.Of(model.NewSet(items))(t)
	session.Policy.Slicer, session.Policy.BucketSize, session.Ceiling = model.Knapsack, 1, 1<<40
	return session
}

// Where the first setup has a result at no budget, because its table is too large, nothing says that it is still being
// computed. The views say so in one sentence, each with what it would show, and Trace in its words.
func TestEveryViewSaysThatThereIsNoResultAtAnyBudget(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, noBudgetWorks(t), size[0], size[1])
		for _, keys := range []string{"]", ":holds everything<enter>"} {
			s.press(keys, "there is no result at any budget")
		}
		s.press("<esc>", "Knapsack table too large")
		s.seesNot("computing")
		if size[0] >= 120 {
			s.sees("] no result", "[ no result")
		}
		for _, view := range []string{"1", "2", "3", "4", "5"} {
			s.press(view)
			musttest.Says(t, strings.Join(strings.Fields(s.text()), " "), "There is no result at any budget, so ", size, "view", view)
			s.seesNot("Press ]", "u to undo")
		}
		s.do("view.Trace", "no result at any budget")
	}
}

// Turns draws no chart of what no plan sends, and says so in the sentence of the other views, with the keys that
// help, whether it was shown before or not; u brings the chart back. Where some requests have a result, it draws these.
func TestTurnsWithoutAResultIsASentence(t *testing.T) {
	for _, size := range sizes {
		for typed, next := range map[string]string{"4000": "10,082", "8000": "10,082", "9000": "10,082", "set target 300": "33,782"} {
			for _, keys := range []string{":" + typed + "<enter>8", "8:" + typed + "<enter>"} {
				s := agentAt(t, size[0], size[1], keys)
				text := strings.Join(strings.Fields(strings.ReplaceAll(s.text(), "│", " ")), " ")
				musttest.Says(t, text, "so no request can be sent.", size, keys)
				musttest.Says(t, text, "Press ] for "+next, size, keys)
				s.seesNot("invalid budget", "maxTokens", "none", "limit", "fail", "against A", "(old")
				s.do("turns.sweep")
				s.seesNot("invalid budget")
				s.press("<esc>]")
				s.seesNot("no request can be sent")
				s.press("uu", "sliding cut 30 %, 57 % less", "140,754")
			}
		}
		s := agentAt(t, size[0], size[1], "8:4000<enter>+", "no requests are shown")
		s.do("undo", "140,754")
		musttest.Is(t, strings.Contains(s.text(), "140,754 input tok; before, nothing was sent"), size[0] > 80, size)
		s.seesNot("as before", "a column the mean of") // there was no cost, and no column to zoom
		agentAt(t, size[0], size[1], ":set tool output require 30<enter>8", "7 of 11 requests fail")
	}
}

// Where there is no result, ] leads to the budget that works, as the notice says, whatever knob is in focus.
func TestWithoutAResultTheKeysGoAlongBudgets(t *testing.T) {
	s := agentAt(t, 120, 36, ":8000<enter><tab>")
	s.m.knobs.Select(experiment.OutputReserve)
	s.press("j", "Press ] for 10,082", "] 10,082")
	s.seesNot("computing")
	s.do("budget.next")
	s.budgetIs(10_082)
}

// The first line says why there is no result, and one row the ways out; the detail shows the item all the same.
func TestTheFirstLineSaysWhyThereIsNoResult(t *testing.T) {
	for size, s := range agentAtSizes(t, "jk:9000<enter>") {
		why := reserve + " 8,000 + " + plain.Pinned + " 2,082 need 10,082, 1,082 more than the budget"
		if size[0] <= 80 {
			why = "needs 1,082 more than the budget"
		}
		musttest.Says(t, s.screen()[0], " •  no result: "+why+" ")
		musttest.Is(t, s.m.drawn.layout.Notice.H, 1, size, s.text())
		musttest.Says(t, notice(s), "Press ] for 10,082")
		musttest.Says(t, notice(s), "or lower the "+reserve+" to 6,918")
		s.line("#15 tool", "$ git log")
		s.seesNot("no result at", "….")
	}
}

// Views that show nothing but a result show none where there is none, and no key acts on
// an item of the last one; it comes back, and the place in it too, when there is one again.
func TestWithoutAResultNoViewShowsTheLastOne(t *testing.T) {
	for _, size := range sizes {
		for _, c := range []struct {
			view int
			says string
			last []string // of the result at 32,000
		}{
			{2, "so there is nothing to", []string{"21,724", "18.49", best.Forms[0], "only A"}},
			{4, "so there is nothing for the", []string{"21,724", "of 39", "git log"}},
			{5, "so there are no steps", []string{"19,642", "36 selected", "fits"}},
			{6, "= missing", []string{"What to know", "no room", "21,724", "given", "− selected"}},
		} {
			s := agentAt(t, size[0], size[1], fmt.Sprintf("j%d", c.view))
			at, on := s.m.selected()
			s.press(":budget 8000<enter>", "no result", c.says)
			s.seesNot(append(c.last, "(old", "last result", "No item is selected")...)
			if i, ok := s.m.selected(); ok {
				t.Errorf("view %d: item %d is selected unseen", c.view, i)
			}
			s.press("n<space>J") // each acts on what is shown, or says why not
			s.do("undo")
			if i, ok := s.m.selected(); c.view != 2 && (ok != on || i != at) {
				t.Errorf("view %d at %v: %d %v is selected, before %d %v", c.view, size, i, ok, at, on)
			}
		}
	}
}

// A result that the user never asked for is not called the last one.
func TestNoResultIsClaimedThatWasNeverThere(t *testing.T) {
	session := agentSession(t)
	session.Budget, _ = model.NewBudget(model.BudgetFields{MaxTokens: 8000, OutputReserve: 8000})
	for _, size := range sizes {
		s := begin(t, session, size[0], size[1])
		for view := range 8 {
			s.press(strconv.Itoa(view + 1))
			s.seesNot("at 10,0", "(old", "last result", "always")
		}
	}
}

// Of what is in or out a filter finds nothing where there is no result, and says so; of
// what the user did it finds all.
func TestFiltersWithoutAResult(t *testing.T) {
	for _, s := range agentAtSizes(t, "jj<space>/is:pinned<enter>") {
		pinned := len(s.rows())
		s.press("<esc><esc>:budget 8000<enter>/is:out<enter>", "Nothing is in or out: there is no result at 8,000.")
		s.press("<esc>/is:pinned<enter>")
		musttest.Is(t, len(s.rows()), pinned)
		s.press("<esc>/is:unfit<enter>")
		musttest.Is(t, len(s.rows()), 0, "items do not fit")
		s.press("<esc>/-is:in<enter>")
		musttest.Is(t, len(s.rows()), 65, "items are not in")
	}
}

// While the result after none is being computed, a view says that, and not that there is
// none.
func TestComputingAfterNoResult(t *testing.T) {
	s := begin(t, sampleSession(t, 3000), 120, 36).after("c:max 8000<enter>4") // knapsack
	s.sees("There is no result at 8,000, so there is nothing for the model to read.")
	s.held = true
	s.press(":max 300000<enter>", "⠋ computing")
	s.seesNot("There is")
}

// Where there is no result, the list of Jump and the matrix of quotas tell of no item that
// it is in.
func TestOverlaysTellOfNothingThatIsNotThere(t *testing.T) {
	s := agentAt(t, 120, 36, "p:max 8000<enter>p")
	musttest.Says(t, s.line("tool output  ", " 36 "), "-  36      - ", "a kind")
	s.press("<esc>f", "find")
	s.seesNot("●", "○", "◆")
}

// The lines around a view say once that there is no result, and once which key mends that, also where there is no
// bar to draw.
func TestTheScreenSaysOnceThatThereIsNoResult(t *testing.T) {
	for _, size := range sizes {
		for _, keys := range []string{":budget 4000<enter>", ":budget 9000<enter>", ":budget 7000<enter>", ":target 1000<enter>"} {
			s := agentAt(t, size[0], size[1], keys)
			if s.m.exp.Result(s.m.side) != nil {
				t.Fatalf("%v: %s has a result", size, keys)
			}
			for view := range 5 {
				s.press(strconv.Itoa(view + 1))
				screen := s.screen()
				around := slices.Concat(screen[:s.m.drawn.layout.Main.Y], screen[size[1]-2:])
				musttest.Is(t, strings.Count(strings.Join(around, "\n"), "no result"), 1, size, keys, view+1, "said", s.text())
				musttest.Is(t, strings.Count(s.text(), "Press ]"), 1, size, keys, view+1, "the key", s.text())
			}
		}
	}
}

// The detail says what the items now are, whatever the last result was of.
func TestWithoutAResultTheDetailTellsTheItemsNow(t *testing.T) {
	s := agentAt(t, 120, 36, "x:pin all tool over 300<enter>", "always in, at every budget that holds the "+plain.Pinned+" items and the reserve: from 73,897")
	s.seesNot("never in")
}

// Scores, and what goes by them, are of the policy and the items now, not of the last result.
func TestWithoutAResultScoresAreOfTheSetupNow(t *testing.T) {
	s := agentAt(t, 200, 60, ":4000<enter>:set recency 9<enter>")
	s.line("  3 mem ", " 0.08  2.58 ")
	s.press("/score>0.5<enter>")
	passing := slices.Clone(s.rows())
	s.press("<esc>ss")
	sorted := slices.Clone(s.rows())
	musttest.Is(t, s.m.list().SortedBy(), widget.ByScore)
	s.do("undo")
	s.press(":32000<enter>:set recency 9<enter>")
	musttest.Is(t, slices.Equal(s.rows(), sorted), true, "the order by score")
	s.press("/score>0.5<enter>")
	slices.Sort(passing)
	musttest.Is(t, slices.Equal(slices.Sorted(slices.Values(s.rows())), passing), true, "what passes a filter")
	s = agentAt(t, 200, 60, ":4000<enter>x")
	s.line(" 15 tool ", "   -     - ")
	s.press(":pin all tool over 300<enter>")
	s.line("  8 tool ", " pin     - ")
	s = agentAt(t, 200, 60, ":shrink tool output 400<enter>:4000<enter>")
	listed, _ := s.m.exp.Listable(s.m.side)
	for i := range s.m.exp.Items().Len() {
		musttest.Is(t, listed.Report.Shrunk(i) || listed.Report.Noted(i), false, i, "no item is cut")
	}
}

// The policy editor lists no budget as the nearest weight that moves items.
func TestWithoutAResultNoWeightMovesItems(t *testing.T) {
	for size, s := range agentAtSizes(t, "p") {
		if size[0] >= 120 {
			s.sees("The nearest recency weight that moves items")
		}
		s = agentAt(t, size[0], size[1], ":4000<enter>p")
		s.seesNot("The nearest", "+ #0", "no change below")
	}
}

// Curve names the policy whose curve it draws.
func TestWithoutAResultCurveNamesThePolicyNow(t *testing.T) {
	agentAt(t, 120, 36, "7:pin all tool over 300<enter>c", "A knapsack 100   no result at 32,000")
}

// Where the setup has no curve either, Curve draws the one before, and names its policy.
func TestWithoutACurveTheOneBeforeKeepsItsPolicy(t *testing.T) {
	session := sampleSession(t, 5)
	items := make([]model.Item, 8)
	for i := range items {
		items[i] = model.Item{Content: strconv.Itoa(i), Tokens: 60_000_000}
	}
	session.Items = musttest.Of(model.NewSet(items))(t)
	session.Budget, session.Ceiling = musttest.Of(model.BudgetOf(200_000_000))(t), 400_000_000
	s := begin(t, session, 120, 36)
	s.press("7:set slicer knapsack<enter>", "A knapsack 100 ")
	s.press(":set bucket 1<enter>", "(before the last change)", " A knapsack 100    0.15 ")
}

// An item that was excluded since the last result is in at no budget, and one that was pinned has one budget.
func TestWithoutAResultBudgetsAreOfTheItemsNow(t *testing.T) {
	s := agentAt(t, 120, 36, ":3000<enter>x")
	s.line(" 15 tool", "never")
	s = agentAt(t, 120, 36, ":3000<enter>:pin all tool over 300<enter>", "always in, at every budget that holds the "+plain.Pinned+" items and the reserve: from 73,897")
	s.seesNot("first in and stays")
}
