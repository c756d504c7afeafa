package explorer

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// With a knob in focus, the keys of the budget lead to the next value of that knob at which
// anything changes, say so before, and are taken back.
func TestKeysOfTheBudgetMoveTheKnobInFocus(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 36).after("<tab>")
	s.m.knobs.Select(experiment.SafetyMargin)
	s.press("hl", "] } 5.2 % − #15", "[ { 4.7 % + #32 − #15")
	s.press("]", "‹ 5.2 % ›", "38 of 65 in", "] 9.7 % + #32 − #57", "[ { 5.1 % + #15")
	musttest.Is(t, s.m.exp.Setup().Budget.MaxTokens, 32000, "the budget")
	s.press("u", "‹ 5 % ›", "39 of 65 in")
	s.press("<esc>]")
	if b := s.m.exp.Setup().Budget.MaxTokens; b == 32000 {
		t.Error("without a knob in focus the budget stays")
	}
}

// In the policy editor they move the weight under the cursor.
func TestKeysOfTheBudgetMoveAWeight(t *testing.T) {
	s := agentAt(t, 120, 36, "p]", "‹ 22.187 ›")
	s.press("u[", "‹ 2.88 ›")
	s.press("]", "‹ 2.881 ›")
	s.press("=", "=: no item is shown here; esc closes the editor")
}

// In the knobs the keys of the item lead to where it enters or leaves, and bring it in.
func TestKeysOfTheItemMoveTheKnobInFocus(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.m.goTo(32)
		s.press("<tab>")
		s.m.knobs.Select(experiment.SafetyMargin)
		s.press("hl=", "4.7 %")
		musttest.Is(t, s.m.exp.Outcome(s.m.side).Report.In(32), true, size, "#32 is in")
		s.press("=", "#32 is in here")
		s.press("}", "4.8 %")
	}
}

// With a number in focus the strips of Items and the map are over its values, and over budgets
// again without it.
func TestStripsAndMapAreOverTheKnobInFocus(t *testing.T) {
	for _, size := range sizes {
		s := (&story{t: t, ways: true}).begin(agentSession(t), size[0], size[1])
		s.m.goTo(32)
		s.press("<tab>")
		s.m.knobs.Select(experiment.SafetyMargin)
		s.press("hl")
		switch size[0] {
		case 120:
			s.sees("Items  over "+margin, "0┊5···············100")
			s.seesNot(widget.ByStays.String() + " │") // a budget would look like a value of the margin
		case 80:
			s.sees("why │ ┊5·············100")
		}
		s.press("<tab>3")
		s.m.knobs.Select(experiment.SafetyMargin)
		s.press("<tab>", "┊5·", "100")
		if size[1] > 16 {
			s.sees("15 of 65 items come and go over "+margin, "14×  7", "8× 32", "never  8 ranges  at 5: out", "#32 is in with "+margin+" 0 to 4.7, 9.7 to 12.5")
		}
		s.press("P", "P: the columns are values of "+margin)
		s.press("+")
		s.seesNot("values 0 to 100")
		s.press("z]", "┊5.2")
		s.press("u<esc>", "11.3k·")
		s.seesNot("values", "over "+margin)
	}
}

// Where items may be cut, the keys, the strips and the list of ways tell sizes and notes too.
func TestTheKnobInFocusTellsSizes(t *testing.T) {
	opened := sessionOf(t, session.Options{Fixture: "agent", Shrink: []string{"tool=1k,100,note"}})
	s := (&story{t: t, ways: true}).begin(opened, 120, 36).after("<tab>")
	s.m.knobs.Select(experiment.SafetyMargin)
	s.press("hl", "] 5.1 % −3 notes", "▅▁▁▁░░░░░░░·")
	s.press("]", margin+" 5 % → 5.1 %: −3 notes")
	s.press("}<tab>3<tab>", "65 items come and go over "+margin)
	s.press("u<esc>")
	s.m.goTo(54)
	s.press("<enter>")
	s.seesNot(noEffect)
}

// From the policy editor a number becomes the axis of strips, of the map and of the keys that
// move along it, until esc goes back to budgets.
func TestAWeightIsTheAxis(t *testing.T) {
	for _, size := range sizes {
		s := (&story{t: t, ways: true}).begin(agentSession(t), size[0], size[1]).after("a", "a: no number is in focus: tab goes to")
		s.press("pa", "] [ and strips are over recency weight now; esc goes b")
		if size[0] == 120 {
			s.sees("Items  over recency weight", "0.001···········┊3·30", "] 22.187 + #32 − #5 #15")
		} else {
			s.sees("] [ recency weight")
		}
		s.press("]", "recency weight 3 → 22.187")
		s.press("3", "0.001·")
		if size[1] > 16 {
			s.sees("come and go over recency weight", "#15 is in with recency weight 0.001 to 1.178, 2.881 to 22.186")
		}
		s.press("{", "recency weight 22.187 → 22.186")
		s.press("uu<esc>", "] [ and strips are over budgets again", "11.3k")
		s.press("]", "‹ 32,048 ›")
	}
}

// An axis that takes long to try, or too long, says so.
func TestALargeAxisIsTriedFirst(t *testing.T) {
	s := begin(t, agent(t, func(p *model.Policy) { p.Scorers[0].Weight = 10 }), 120, 36)
	s.held = true
	s.press("pa", "trying every value of recency weight, esc stops that", "Items ")
	s.release("] [ and strips are over recency weight now", "Items  over recency weight")
	s = begin(t, agent(t, func(p *model.Policy) { p.Scorers[0].Weight = 1e6 }), 120, 36).after("pa", "recency weight has 10,000,000,000 values, too many to try with 65 items")
	s.press("]", "‹ 32,015 ›")
}

// Values that are tried without a key that asked put nothing on the message line.
func TestTryingByItselfSaysNothing(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.held = true
	s.press("p")
	if !s.m.pool.Running(&s.m.tried) {
		t.Fatal("nothing is tried")
	}
	s.m.tellTrying()
	s.seesNot("% done")
	s.release()
}

// The policy editor says where the nearest changes of the number under the cursor are, and
// names no key for the knobs above, which keys do not reach from there.
func TestTheEditorSaysTheNearestChanges(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 36)
	for _, step := range []struct {
		keys       string
		sees, gone []string
	}{
		{"p", []string{"] 22.187 + #32 − #5 #15", "[ 2.88 + #32 #54 − #15 #57"}, []string{"tab", "computing"}},
		{"<enter>22.186<enter>", []string{"‹ 22.186 ›", "] 22.187 + #32 − #5 #15"}, nil},
		{"jj", []string{"system prompt", "‹ 1 ›"}, []string{"Nearest ", "] 22", "[ "}},
		{"jjjjjjj", []string{"‹·›"}, []string{"Nearest ", "] 22", "[ "}},
		{"3<enter>", []string{"‹3›", "] 3.7 + #32 − #57", "[ 1.1 + #14 − #7"}, nil},
		{"]", []string{"‹3.7›", "system prompt min % 3 → 3.7"}, nil},
		{"u", []string{"‹3›"}, nil},
		{"u", []string{"‹·›"}, nil},
		{"<ctrl+r>", []string{"‹3›", "] 3.7 + #32 − #57"}, nil},
	} {
		s.press(step.keys)
		for _, size := range sizes {
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.sees(step.sees...)
			s.seesNot(step.gone...)
		}
	}
}

// What takes long to try is tried when a key asks for it, and the key is done then; esc or
// another knob ends that.
func TestValuesAreTriedWhenAKeyAsks(t *testing.T) {
	s := begin(t, agent(t, func(p *model.Policy) { p.Scorers[0].Weight = 10 }), 80, 24).after("p", "] [", "tries every value")
	if s.m.tried.of != nil || s.m.pool.Running(&s.m.tried) {
		t.Error("values are tried that no one asked for")
	}
	s.held = true
	s.press("]", "trying every value of recency weight, esc stops that")
	s.press("]", "]: the values of recency weight are still being tried")
	s.press("<esc>", "stopped: the values were not all tried", "‹ 10 ›")
	s.release("‹ 10 ›")
	s.held = true
	s.press("]j")
	s.release()
	s.press("k", "‹ 10 ›")
	s.held = true
	s.press("]")
	s.release("‹ 22.187 ›")
	s.seesNot("trying")
}

// A knob with more values than are tried says so.
func TestTooManyValuesAreNotTried(t *testing.T) {
	begin(t, agent(t, func(p *model.Policy) { p.Scorers[0].Weight = 1e6 }), 120, 36).after("p]", "]: recency weight has 10,000,000,000 values, too many to try with 65 items")
}

// An open item that is out lists the value of each knob that brings it in; + takes the one
// that is marked, u takes it back. Then it says how far each knob can move. Enter, with which it
// was opened, changes nothing.
func TestAnOpenItemSaysHowFarEachKnobCanMove(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		s := (&story{t: t, ways: true}).begin(agentSession(t), size[0], size[1])
		s.m.goTo(32)
		s.press("<enter>", "▌ budget 32,000 → 32,048", "− #15")
		if size[0] == 80 { // the others stand below the text
			s.press("G")
		}
		s.sees("recency weight 3 → 2.88", "+ #54 − #15 #57")
		s.press("gJJJ", "▌ "+margin+" 5 % → 4.7 %", "+ bring it in")
		before := s.m.exp.Setup()
		s.press("<enter>", "enter: the item is open already; + brings it in, esc closes it")
		if !before.Equal(s.m.exp.Setup()) {
			t.Fatalf("%v: enter changed the setup", size)
		}
		s.press("+")
		if size[0] == 80 { // there that stands below the text
			s.press("G")
		}
		s.sees("‹ 32,000 ›", "now  4.7 %  up to 4.7 %")
		s.press("g")
		if r := s.m.exp.Outcome(s.m.side).Report; !r.In(32) || r.In(15) {
			t.Errorf("%v: #32 in %v, #15 in %v, want the first alone", size, r.In(32), r.In(15))
		}
		s.press("<enter>", "enter: the item is open already; esc closes it")
		s.press("u", "▌ "+margin+" 5 % → 4.7 %")
		musttest.Is(t, s.m.exp.Outcome(s.m.side).Report.In(32), false, size, "after undo, #32 is in")
		s.press("KKK+")
		musttest.Is(t, s.m.exp.Setup().Budget.MaxTokens, 32048, size, "the budget")
	}
}

// A way that changes more than it can name says how many items these are.
func TestAWayCountsItemsInWords(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	o := s.m.exp.Outcome(s.m.side)
	at := o.Profile.Summary(19).FirstIn.Value
	then := musttest.Of(o.Profile.Report(musttest.Of(o.Report.Budget.At(at))(t)))(t)
	in, out := simulate.Diff(o.Report, then)
	s.m.goTo(19)
	s.ways = true
	s.press("<enter>")
	s.line("budget 32,000 → "+at.String(), fmt.Sprintf("+%d in ", len(in)-1))
	if len(out) > 0 {
		t.Errorf("%v leave too", out)
	}
}

// The detail of an item that is out says how many ways have it in: as many as the opened item says and
// lists, each of which has it in by a run.
func TestTheDetailCountsTheWaysThatHaveAnItemIn(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 50)
	counted := regexp.MustCompile(`(\d+) ways to have it in, enter lists them`)
	for _, item := range []int{32, 8, 19} {
		s.press(":#" + strconv.Itoa(item) + "<enter>")
		found := counted.FindStringSubmatch(s.text())
		if found == nil {
			t.Fatalf("#%d: no number of ways:\n%s", item, s.text())
		}
		s.press("<enter>", found[1]+" ways to have #"+strconv.Itoa(item)+" in, the least other change first")
		n, rows := musttest.Of(strconv.Atoi(found[1]))(t), map[string]bool{}
		for k := range n + 1 { // one too many stays at the last
			s.press(strings.Repeat("K", n) + strings.Repeat("J", k))
			row := s.line("▌ ")
			rows[row] = true
			to := musttest.Of(s.m.keys.find(&s.m.screens, "+").Plan())(t).To()
			rep := s.computed(to)
			if !to.SameEdits(s.m.exp.Setup()) { // the others are not done, since after undo all ways are tried anew
				s.ways = false // the ways of the setup that undo leaves are not looked at
				s.press("+")
				rep = s.recomputed()
				s.ways = true
				s.press("u")
			}
			if !rep.In(item) {
				t.Errorf("#%d: %s leaves it out", item, row)
			}
		}
		musttest.Is(t, len(rows), n, "rows of ways for", item)
		s.press("<esc>")
	}
	s.press(":#32<enter>:" + reserve + " 7952<enter>")
	musttest.Is(t, s.m.exp.Outcome(s.m.side).Report.In(32), true, "with an output reserve of 7,952, #32 is in")
	s.seesNot("to have it in")
}

// Pinning and cutting are among the ways of an item that is out.
func TestAnItemIsPinnedOrCutToBringItIn(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 36)
	s.m.goTo(32)
	s.press("<enter>", "pin  ", "shrink tool output off → 500", "shrink, which is not Cupel's, tries 8,000 4,000 2,000 1,000 500 250 100")
	for _, way := range []struct {
		keys string
		does func() bool
	}{
		{"JJJJ", func() bool { return s.m.exp.Items().Pinned(32) }},
		{"JJJJJ", func() bool {
			r := s.m.exp.Outcome(s.m.side).Report
			return r.Size(32) > 0 && r.Taken(32) <= 500 && !r.In(15)
		}},
	} {
		s.press(way.keys + "+")
		if !way.does() || !s.m.exp.Outcome(s.m.side).Report.In(32) {
			t.Errorf("%s: #32 did not come in that way", way.keys)
		}
		s.press("u<esc><enter>")
		if s.m.exp.Outcome(s.m.side).Report.In(32) || s.m.exp.Items().Pinned(32) || s.m.exp.Whole().HasSizes() {
			t.Errorf("%s: undo leaves the edit", way.keys)
		}
	}
	s.m.goTo(32)
	s.press("<esc>:tool min 10<enter>") // items are not cut beside quotas
	s.press("<enter>")
	if !s.m.exp.Outcome(s.m.side).Report.In(32) {
		s.sees("pin  ")
	}
	s.seesNot("shrink tool output")
}

// What keeps an item in stands in columns, also where names of kinds are wide.
func TestWhatKeepsAnItemInStandsInColumns(t *testing.T) {
	o := sampleSession(t, 60)
	items := make([]model.Item, o.Items.Len())
	for i := range items {
		if items[i] = o.Items.Item(i); items[i].Kind == model.Document {
			items[i].Kind = "資料集合"
		}
	}
	o.Items = musttest.Of(model.NewSet(items))(t)
	s := (&story{t: t, ways: true}).begin(o, 140, 60).after("p")
	s.toRow("資料集合 max %")
	s.press("<enter>40<enter><esc>f2<enter><enter>")
	s.line("stays in while one knob moves, the others as they are:   ▅ in  ▂ in at some")
	column, n := 0, 0
	for _, row := range s.screen() {
		if before, _, ok := strings.Cut(row, "  now "); ok {
			if column = cmp.Or(column, draw.Width(before)); draw.Width(before) != column {
				t.Errorf("not in column %d: %s", column, row)
			}
			n++
		}
	}
	if n < 5 {
		t.Errorf("%d knobs keep it in:\n%s", n, s.text())
	}
}

// Where there is no room for what the knobs do above the text, the rule above it says where that is, and the
// strip of the item has its axis.
func TestWhatTheKnobsDoIsAnnouncedAboveTheText(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 80, 24).after("<enter>", "── below the text, with G: what a knob does ──")
	s.line("17.5k··", "┊32,000··", "49.3k")
	s.seesNot("stays in while")
	s.press("G", "stays in while one knob moves")
	s = (&story{t: t, ways: true}).begin(agentSession(t), 120, 36).after("<enter>", "stays in while one knob moves")
	s.seesNot("below the text")
	s.press("<esc>:quota tool 0-30<enter>", "displaced by #36")
	s.line("25.1k··", "┊32,000··", "96.7k")
}

// Nothing is offered where no knob helps, or before all were tried; a mark that is below the
// screen is scrolled to.
func TestWaysToBringAnItemIn(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 60, 16)
	s.m.goTo(32)
	s.held = true
	s.press("<enter>+", "+: the knobs are still being tried")
	s.release()
	s.press("JJJJJJJJJ", "▌ kind weight 1 → 1.042")
	s.press("<esc>")
	s.m.goTo(12) // repeats #28
	s.press("x<enter>")
	s.seesNot("to bring it in", "stays in while")
	s.press("J", "no knob to choose from")
}

// A knapsack charges whole buckets, so all items are in at a larger budget than
// under greedy: the axis goes on to there, and back with the change.
func TestTheAxisFollowsThePolicy(t *testing.T) {
	session := sampleSession(t, 60)
	greedy := simulate.Ceiling(session.Items, session.Policy, session.Budget)
	session.Ceiling = greedy
	s := begin(t, session, 120, 36).after("c")
	if s.m.exp.Setup().Policy[experiment.A].Slicer != "knapsack" {
		t.Fatal("c is the next slicer")
	}
	end := s.m.exp.Setup().Ceiling
	p := s.m.exp.Profile(experiment.A)
	for i := range s.m.exp.Items().Len() {
		if _, first := p.FirstIn(i); first {
			if _, stays := p.StaysFrom(i); !stays {
				t.Errorf("#%d is in, but not at the ceiling %v", i, end)
			}
		}
	}
	if end <= greedy {
		t.Errorf("the axis ends at %v", end)
	}
	s.seesNot("ceiling") // it is no knob that was turned
	s.press("u")
	musttest.Is(t, s.m.exp.Setup().Ceiling, greedy, "undone, the axis ends at")
	session.CeilingAsked = true
	s = begin(t, session, 120, 36).after("c")
	musttest.Is(t, s.m.exp.Setup().Ceiling, greedy, "an end that was asked for moves to")
	s.sees("ceiling")
	session.CeilingAsked = false
	s = begin(t, session, 120, 36).after(":ceiling 300k<enter>", "ceiling           300,000")
	s.press("c")
	musttest.Is(t, s.m.exp.Setup().Ceiling, 300_000, "an end that was typed moves to")
}

// The opened item that is in says over which values of a knob it stays: at both ends it is in,
// and past them it is not.
func TestAnOpenedItemSaysWhereItStays(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 36)
	s.m.goTo(15)
	s.press("<enter>")
	rows := regexp.MustCompile(`(`+reserve+`|held for memory) +0 \S{24} 32,000 +now +[\d,]+  ([\d,]+) to ([\d,]+)`).FindAllStringSubmatch(s.text(), -1)
	if len(rows) != 2 {
		t.Fatalf("%d of 2 rows:\n%s", len(rows), s.text())
	}
	s.press("<esc>")
	for _, row := range rows {
		for end, past := range map[string]int{row[2]: -1, row[3]: 1} {
			last := musttest.Of(strconv.Atoi(strings.ReplaceAll(end, ",", "")))(t)
			for value, in := range map[int]bool{last: true, last + past: false} {
				s.press(":set " + row[1] + " " + strconv.Itoa(value) + "<enter>")
				musttest.Is(t, s.m.exp.Outcome(experiment.A).Report.In(15), in, row[1], value, "#15 is in")
				s.press("u")
			}
		}
	}
}
