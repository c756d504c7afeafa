package explorer

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
)

// The plan of an agent is typed, drawn, undone, and found in a map of two of its keys.
func TestTheStoryOfAPlan(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns", "anthropic-clear")
	s.do("turns.agent", "type the agent's plan: anthropic-clear", "enter takes it", "esc cancels")
	s.press("claer<enter>", `plan "claer" is not known; did you mean clear?`)
	s.press(strings.Repeat("<backspace>", 5))
	s.press("clear:trigger=5k,keep=1,each=once<enter>", "Turns  clear:trigger=5k,keep=1,each=once", "agent's plan anthropic-clear", "clear")
	s.do("undo", "Turns  anthropic-clear", "anthropic-clear")
	s.do("redo", "Turns  clear:trigger=5k,keep=1,each=once")
	s.do("turns.map")
	s.seesNot("has no map")
	s.sees("cost against that of A", "across: at-least", "The cheapest: trigger 10k, at-least 0:", "Cursor: trigger 10k, at-least 0:", "h/l cell", "j/k row")
	s.press("klj", "Cursor: trigger 20k, at-least 2k:")
	s.clickOn("% *") // the cheapest
	s.sees("Cursor: trigger 10k, at-least 0:")
	s.clickOn("does not fit") // below the map
	s.sees("Cursor: trigger 10k, at-least 0:")
	s.press("klj")
	s.do("turns.map top", "across: keep,", "Cursor: trigger 10k, keep 0:")
	s.do("turns.map top", "across: keep-tokens,")
	s.press("jl<enter>", "Turns  clear:trigger=20000,keep=1,keep-tokens=5000,at-least=0,note=10,each=once")
	s.press("d<esc>", "12 requests, 11 sent", "clear")
	s.seesNot("Cursor: trigger")
}

// The second line says what an agent's plan does, from its settings.
func TestAPlanSaysWhatItDoes(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	for plan, does := range map[string]string{
		"clear:trigger=5k,keep=1":                    "Clear: above 5,000 tokens all results of tools but the newest 1 become notes",
		"clear:trigger=0,keep=0":                     "Clear: all results of tools become notes",
		"opencode-prune":                             "Opencode-prune: all results of tools but the newest 40,000 tokens",
		"vercel-prune":                               "Vercel-prune: all calls and results before the newest 2 messages go",
		"pi-compaction":                              "Pi-compaction: with less than 16,384 tokens of the budget left all items but the newest",
		"summarise:trigger=9k,keep=2,keep-tokens=3k": "Summarise: above 9,000 tokens all items but the newest 2 or 3,000 tokens",
	} {
		s.press("a"+strings.Repeat("<backspace>", 60)+plan+"<enter>8jjjjjD", does)
		s.press("<esc>")
	}
}

// What breaks a prompt may be a summary in place of items, which is no item.
func TestASummaryThatBreaksThePrompt(t *testing.T) {
	s := agentAt(t, 120, 36, "8a"+strings.Repeat("<backspace>", 60)+"summarise:trigger=9k,keep=2,keep-tokens=3k<enter>")
	c, _, _ := s.m.turns.Course(plans.Rule)
	at := slices.IndexFunc(c.Changes, func(c turns.Change) bool { return c.Cause == turns.Left && c.Item < 0 })
	if at < 0 {
		t.Fatal("no summary leaves")
	}
	s.line("broken by", "−sum")
	s.sees("Summarise costs 104 % more than A; its summaries cost " + model.Tokens(c.Totals.SummaryCost+.5).String() + ".")
	s.seesNot("#-1")
	s.press("g"+strings.Repeat("l", at), fmt.Sprintf("at request %d of 12", at+1), "Broken: summary left; ")
	s.do("turns.details", "−summary")
	s.press("<esc><enter>", s.tab(1))
}

// What the screen says of an agent's plan is what the library computes, with the fixed
// part in every window.
func TestThePlanOfTheScreenIsThatOfTheLibrary(t *testing.T) {
	opened := agentSession(t)
	s := begin(t, opened, 120, 36).after("8b3000<enter>a" + strings.Repeat("<backspace>", 15))
	s.press("clear:trigger=9k,keep=1,at-least=500,each=once<enter>")
	m := s.m
	got, old, err := m.turns.Course(plans.Rule)
	if err != nil || old || got == nil {
		t.Fatal(got, old, err)
	}
	plan := musttest.Of(turns.ParsePlan("clear:trigger=9k,keep=1,at-least=500,each=once"))(t)
	session, _ := m.turns.History()
	want, _, err := turns.Run(context.Background(), session.History, []turns.Plan{plan}, opened.Budget, m.turns.Billing(), turns.Options{})
	musttest.Do(t, err)
	musttest.Is(t, got.Totals, want[1].Totals, "the screen has")
	musttest.Is(t, m.turns.Billing().Fixed.Tokens, 3000, "the screen has")
	cleared := 0
	for _, w := range got.Windows {
		items, _ := w.Cleared()
		cleared = max(cleared, len(items))
	}
	if cleared == 0 {
		t.Error("nothing was cleared: the test proves nothing")
	}
}

// The command line opens the screen again with the same plan.
func TestThePlanOfTheCommandLine(t *testing.T) {
	const plan = "clear:trigger=5k,keep=1"
	s := begin(t, agentSession(t), 200, 36, func(o *Options) { o.Start = Start{View: "turns", Plan: plan} }).after("jjjjj", "Turns  "+plan)
	s.do("copy.line", "--plan "+plan)
	if err := (Start{Plan: "claer"}).Check(); err == nil || err.Error() != `--plan: plan "claer" is not known; did you mean clear?` {
		t.Error(err)
	}
}

// The map has the costs of the pairs that fit, and above them that none of these beats the policy that
// is edited. What another would cost, and that it does not fit, is said under the cursor.
func TestTheMapShowsWhatCanBeHad(t *testing.T) {
	s := agentAt(t, 120, 36, "8d")
	_, totals, now, _, _ := s.m.turns.Map()
	fit, nearest := 0, math.Inf(1)
	for _, total := range totals {
		if total.Over+total.Failed == 0 {
			fit++
			nearest = min(nearest, total.Cost/now.Totals.Cost)
		}
	}
	if fit == 0 || fit == len(totals) || nearest <= 1 {
		t.Fatalf("%d of %d pairs fit, the nearest costs %v: the test proves nothing", fit, len(totals), nearest)
	}
	s.sees(fmt.Sprintf("No pair that fits beats A; the nearest, trigger 20k, at-least 0, costs %.1f %% more. %d of %d fit; a: another plan.", 100*(nearest-1), fit, len(totals)))
	_, pairs, _ := strings.Cut(s.text(), "at-least 0  ")
	pairs, _, _ = strings.Cut(pairs, "than A")
	pairs, _, _ = strings.Cut(pairs, " −30 %")
	musttest.Is(t, strings.Count(pairs, "·"), len(totals)-fit, "pairs that do not fit")
	musttest.Is(t, strings.Count(pairs, " %"), fit, "pairs that fit")
	w := len(totals) / 9
	musttest.Is(t, totals[4*w].Over > 0, true, "trigger 50k does not fit")
	s.press("jjj", fmt.Sprintf("Cursor: trigger 50k, at-least 0: would cost 112,362 input tok, %.0f %% less than A", 100*(1-totals[4*w].Cost/now.Totals.Cost)),
		fmt.Sprintf("%d of 11 requests do not fit in 24,000 tokens", totals[4*w].Over))
}

// Where pairs have no grounds their numbers have signs alone, and the pair under the cursor is reversed.
func TestTheMapWithoutShadesHasPlainNumbers(t *testing.T) {
	s := begin(t, agentSession(t), 80, 24, func(o *Options) { o.Theme = theme.NoColor }).after("8d")
	s.line("20k   +3.6 %*    +3.6 %*  ")
	s.sees("\n · does not fit   * cheapest that fits")
	musttest.Says(t, s.m.View().Content, "\x1b[7m +3.6 %*  \x1b[m", "the pair under the cursor")
}

func TestTheMapAtSmallSizes(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 16}} {
		s := agentAt(t, size[0], size[1], "8d", "Cursor: trigger 20k", "No pair that fits beats A; ", " % more")
		for range 9 {
			s.do("turns.next plan")
		}
		s.sees("Cursor: trigger 150k", " do not fit")
		if strings.Contains(s.text(), "…") && size[0] == 80 {
			t.Errorf("%v: a word is cut\n%s", size, s.text())
		}
	}
}

// With needed items the totals of the plans and the map say their recall, and follow what is
// marked. The map says which of its values are on a small screen.
func TestPlansOfWhatIsNeeded(t *testing.T) {
	s := agentAt(t, 120, 36, ":max 64k<enter>8D")
	s.seesNot("Recall of what is needed")
	s.press("<esc>:need #8 #15 #32<enter>D", "Recall of what is needed")
	s.press("<esc>")
	c, _, _ := s.m.turns.Course(plans.A)
	few, known := c.Totals.Recall()
	s.do("turns.map", "at-least 0: costs 112,362 input tok, 52 % less than A, recall ", "−52 % *", "−49 % #", "# best of cost and recall")
	s.press("d:need #9<enter>")
	c, _, _ = s.m.turns.Course(plans.A)
	if more, _ := c.Totals.Recall(); !known || more == few || more > 1 {
		t.Errorf("recall %v, and %v with one more item", few, more)
	}
	s = agentAt(t, 60, 16, "8d", "values shown: trigger 1 to 7 of 9")
	s.press("))jjjjjjj", "values shown: trigger 3 to 9 of 9", "Cursor: trigger 150k")
}

// The first request after a recorded compaction is marked, and what the compaction did is said.
func TestTurnsMarksRecordedCompactions(t *testing.T) {
	path := filepath.Join("..", "..", "..", "simulate", "turns", "testdata", "compacted.jsonl")
	for _, size := range sizes {
		opened := sessionOf(t, session.Options{Sources: []string{path}, Budget: map[string]string{model.FieldMaxTokens: "100k"}})
		s := begin(t, opened, size[0], size[1]).after("8hh", "2 C ", "3 items gone")
		if size[0] == 120 {
			s.sees("1 came again (", "A keeps 2 items in the same room, 0 of these", "C compaction")
		}
		s.do("turns.open", "What came again", "this request", "same call")
		s.press("<down><enter>")
		if i, ok := s.m.selected(); !ok || s.m.exp.Items().Loaded(i).Content != `read {"path":"a.go"}` {
			t.Errorf("%v: enter leads to item %d\n%s", size, i, s.text())
		}
		s.do("view.Turns")
		s.seesNot("items gone")
		s.press("h<enter><enter>")
		musttest.Is(t, s.showing(), "Items", size)
	}
}

// Where the fixed part is over a trigger of the map, the map says so: every window is over it.
func TestTheMapOfAPlanSaysThatATriggerIsAlwaysMet(t *testing.T) {
	s := agentAt(t, 120, 36, "8d")
	s.seesNot("every window is over")
	s.press("b12000<enter>", "every window is over trigger 10,000, and lower ones: each begins with 12,000 tokens or more")
	least := model.MaxTokens
	course, _, err := s.m.turns.Course(plans.All)
	musttest.Do(t, err)
	for _, bill := range course.Bills {
		least = min(least, bill.Tokens())
	}
	if least <= 10_000 {
		t.Errorf("a window has %d tokens", least)
	}
}
