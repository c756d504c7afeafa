package explorer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
)

// What the fixture costs is on the first screen; the cursor leads through the
// requests, and what it stands on is the moment of all views.
func TestTurnsStory(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns", s.tab(8), "Cheapest of these plans: sliding cut 30 %, 57 % less than A (= takes it); 60 %, as set: 45 % less.",
		"It leaves out 76 % of all tokens, and sends 1 of 11 requests with pinned items alone: j/k for another plan.", "   trigger 100,000 not reached ", "A greedy · chat  12 requests, 11 sent ─",
		"─ costs estimated in input tokens, cache anthropic-5m ─", "tokens sent  cost, tok   against A", "▁ limit: budget less output", "tokens sent: of all that there are", "cost: of all requests, in input tokens", "kept: of the previous prompt, from the cache", "broken by                            −#12", "broken by: − left, + came in, ~ moved, ! changed", "A (= takes it); 60 %", "A: choose anew before every request.", "Now, not sent yet", "Broken: #15 came in")
	s.line("A greedy · chat", "42 %", "140,754")
	s.line("B knapsack 100", "41 %", "135,972", "3.4 % less")
	s.line("send everything", "8 of 11 requests do not fit") // what cannot be sent has no cost
	s.seesNot("134,464")
	s.do("turns.details", "What A does and costs", "A: choose anew before every request.", "tok at 1.25", "tok at 0.1", "A, whole session, 11 requests sent", "Whichever cache $ sets, even none, sliding cut 60 % costs 39 % to 45 % less", "A prompt is cached from 1,024 tokens on; how long the cache lives is not modelled", "Now: +3 in (#15 #63 #64)  −1 out (#32)")
	s.press("<esc>jjD", "Now: +2 in (#63 #64)")
	s.seesNot("−0 out")
	s.press("<esc>kk")
	s.seesNot("esc: back to the end")
	s.do("turns.break back", "at request 11 of 12; esc: back to the end", "Request 11, before #63", "What had come before request 11: 63 of 65 items.", "#31 left")
	s.press("NNNN", "Request 7, before #29", "21,338 tok = 6,192 read + 15,146 written, costs 19,552",
		"Broken: #12 left, doc store/store.go, lines 1-206; 34 % of the previous prompt is kept (6,192 of 18,314 tok)")
	s.do("turns.details", "This request: +4 in (#25 #26 #27 #28)  −1 out (#12)", "n: request 8, #8 left, 11 %")
	s.press("<esc>N", "N: no break before this request")
	s.do("turns.back", "at request 6 of 12", "Nothing broke: 100 % of the previous prompt is kept.")
	s.press("g", "at request 1 of 12", "The first request: nothing is in the cache yet.")
	s.do("turns.back", "h: this is the first request")
	s.do("view.Trace", s.tab(6), "at request 1 of 12")
	s.do("view.Window", "at request 1 of 12")
	s.do("view.Turns")
	s.press("nn<enter>") // to Items, at the item that breaks the prefix
	s.sees(s.tab(1), "at request 8 of 12", "─ #8 ")
	s.press("<esc>") // back to where it came from
	s.sees(s.tab(8), "at request 8 of 12")
	s.press("<esc>")
	s.seesNot("at request")
	s.sees("Now, not sent yet")
	s.do("turns.next", "l: this is the last")
}

// An edit at a request is one of the whole conversation: it stays at the end, and
// undo removes it wherever one looks.
func TestEditsAtARequest(t *testing.T) {
	s := agentAt(t, 120, 36, "8g1", "at request 1 of 12", "of 10 in")
	s.press("f#8<enter>x", "exclude #8")
	if !s.m.exp.Items().Excluded(8) || s.m.exp.Items().Len() != 10 {
		t.Errorf("excluded %v of %d items", s.m.exp.Items().Excluded(8), s.m.exp.Items().Len())
	}
	s.press("<esc>")
	s.seesNot("at request")
	if s.m.exp.Items().Len() != 65 || !s.m.exp.Items().Excluded(8) {
		t.Error("the edit is lost at the end")
	}
	s.press("8glu")
	musttest.Is(t, s.m.exp.Whole().Excluded(8), false, "after undo, #8 is excluded")
	if at, ok := s.m.exp.Moment(); !ok || at.Number != 2 {
		t.Errorf("undo moved to %+v", at)
	}
	musttest.Is(t, musttest.Of(s.m.workspace.scenario(s.m.exp))(t).Items.Len(), 65, "a scenario saved at a request")
	s.press("1vvv<esc>") // first the moment: that is what the header says
	s.sees("+")
	s.seesNot("at request")
}

// Names of rows and what stands beside them are apart at every width.
func TestTheRowsOfTurnsAreApart(t *testing.T) {
	s := agentAt(t, 120, 24, "<esc>8")
	for width := 40; width <= 120; width++ {
		s.send(tea.WindowSizeMsg{Width: width, Height: 24})
		for _, line := range s.screen() {
			name := strings.TrimLeft(line, "│ ")
			for _, row := range []string{"request", "req", "kept %", "kept % of last", "broken", "broken by"} {
				rest, is := strings.CutPrefix(name, row)
				if is && rest != "" && '0' <= rest[0] && rest[0] <= '9' {
					t.Errorf("width %d: %q", width, line)
				}
			}
		}
	}
}

// A break is a loss, whichever way its item went: it is in the colour of one, and the sign says in or out.
func TestABreakHasTheColourOfALoss(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Theme = theme.Dark })
	s.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	s.do("view.Turns")
	look := theme.NewFor(theme.Dark, false, theme.Colours16)
	for text, attr := range map[string]theme.Attr{"−#31": 0, "+#15": theme.Selected, "Broken: #15 came in": 0} {
		musttest.Says(t, s.m.View().Content, look.SGR(theme.Loss, attr)+text, text)
	}
}

// The number of an item is whole, or a mark stands for it: −#312 is not −#31.
func TestABreakNamesAWholeNumber(t *testing.T) {
	var chat strings.Builder
	for k := range 360 {
		fmt.Fprintf(&chat, `{"role": %q, "content": "%s"},`, []string{"user", "assistant"}[k%2], strings.Repeat(strconv.Itoa(k)+" word ", 60+k*7%50))
	}
	s := opening(t, "chat.json", `{"messages": [`+strings.TrimSuffix(chat.String(), ",")+`]}`, 120, 36).after(":10000<enter>8", "requests")
	s.press("jjj+++++")
	if row := s.line("broken ", "  −  "); strings.Contains(row, "#") {
		t.Errorf("columns of 5 cells have %q", row)
	}
	s.do("turns.zoom in")
	s.line("broken ", "−#2", " −#3")
}

// The plans, the cache model, the sweep and the zoom.
func TestTurnsKeys(t *testing.T) {
	s := agentAt(t, 120, 36, "8j", "Turns  B knapsack 100", "B costs 3.4 % less than A: it leaves out 59 % of all tokens and reads 41 % of the rest from the cache.")
	s.do("turns.next plan", "Sending everything would cost 4.5 % less than A, but 8 of 11 requests do not fit.")
	s.do("turns.next plan", "Sliding window costs 25 % less than A: it sends 1 of 11 requests with pinned items alone.", "Sliding window: send the newest items, up to one", "that does not fit.")
	s.do("turns.next plan", "Sliding cut 60 % costs 45 % less than A: it sends 1 of 11 requests with pinned items alone.", "Sliding cut 60 %: send all")
	s.do("turns.map", "sliding cut 60 % has no map: this is the map of anthropic-clear")
	s.press("dkkjj", "Anthropic-clear sends everything: its trigger of 100,000 tokens is not reached; 8 of 11 requests do not fit.")
	s.do("turns.plan back", "Watermark 60 % costs 42 % less than A: it leaves out 65 %", "Watermark 60 %: send all until it no longer")
	request11 := s.courseOf(plans.Watermark).Windows[10]
	s.press("h<enter>", fmt.Sprintf("this is what A selects; watermark 60 %% would send %d items, %v tok", len(request11.Items), request11.Tokens))
	s.press("<esc><esc>kkkkk$$", "cache openai ", "written at 1 ", "█ not cached at 1")
	s.do("turns.details", "A prompt is cached from 1,024 tokens on, in steps of 128; how long")
	s.press("$", "$: esc first: the view is covered")
	s.press("<esc>$D", "unverified)")
	s.press("<esc>$", "no cache", "█ not cached at 1  ▁ limit 24,000: budget less "+reserve, "181,074", "kept: of the previous prompt, there is no cache", "is kept (2,706 of 21,555 tok), but there is no cache")
	s.press("$")
	s.do("turns.sweep", "A has no cut to sweep: this is the sweep of the sliding cut", "the sliding cut, by how far it cuts", "Cheapest of these 15 cuts: to 30 %, the deepest tried: 57 % less than A")
	s.press("sjjjjjs")
	s.seesNot("has no cut")
	s.sees("the watermark, by how far it cuts", "cost %", "−51▲", "Cheapest of these 15 cuts: to 30 %, the deepest tried: 51 % less than A, 11,833 tok/req, 63 % read", "Now: a cut to 60 %, h/l changes it: 42 % less than A, 13,596 tok per request, 61 % read")
	_, y := s.find("0 % │")
	cuts, _, _, _ := s.m.turns.Sweep(plans.Watermark)
	cuts = slices.DeleteFunc(slices.Clone(cuts), func(c turns.Totals) bool { return c.Cost >= s.courseOf(plans.A).Totals.Cost })
	musttest.Is(t, len(strings.Fields(strings.Trim(s.screen()[y+1], "│ "))), len(cuts), "bars, one for each mark that costs less than A")
	bars, line := []rune(s.screen()[y+1]), slices.Index([]rune(s.screen()[y+1]), '┊')
	musttest.Is(t, string(bars[line-1:line+2]), "█┊█", "the line of the cut in force")
	values := s.line("cost %")
	for _, c := range cuts {
		musttest.Says(t, values, theme.Minus+strings.Fields(plain.Compared(c.Cost/s.courseOf(plans.A).Totals.Cost, ""))[0], "the cost of a mark")
	}
	s.do("turns.back", "Now: a cut to 55 %")
	s.press("j", "j: the sweep shows one plan; s leads back to the requests")
	s.press("HH", "H: the sweep goes from 30 to 100 %")
	s.press("<esc>", "watermark 30 %", "68,628", "51 % less")
	s.do("turns.zoom out", "-: all requests are shown")
	s.press("++++++", "+: columns are as wide as they can be")
	s.press("<<<<", "<: there are no earlier requests")
	s.press("z>", ">: all requests are shown; + zooms in")
	s.press("BD", "What watermark 30 % does and costs", "Watermark 30 %: send all until it no longer fits; then let B cut it to 30 % of the room:", "what B drops stays out (not Cupel's)")
	s.press("<esc>[", "estimated") // the budget moves as everywhere
	if s.m.budget() == 32000 {
		t.Error("[ does not move the budget")
	}
}

// costLine is how the line below the view says what A costs after a change.
func costLine(before, now *turns.Course) string {
	if a, b := model.Tokens(before.Totals.Cost+.5), model.Tokens(now.Totals.Cost+.5); a != b {
		return fmt.Sprintf("A costs %v → %v, %s", a, b, plain.Compared(now.Totals.Cost/before.Totals.Cost, ""))
	}
	return fmt.Sprintf("A costs %v input tok, as before", model.Tokens(now.Totals.Cost+.5))
}

// The details say what a plan costs against the policy over all caches to choose from, whichever is in force.
func TestTheCostUnderAnyCache(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	session, _ := s.m.turns.History()
	by, caches := s.m.turns.Billing(), s.m.turns.Caches()
	for row, keys := range map[plans.Row]string{plans.Watermark: "jjjjj", plans.Sliding: "jjj"} {
		low, high := math.Inf(1), 0.0
		for _, by.Cache = range caches {
			of := func(row plans.Row) float64 {
				c := s.courseOf(row)
				return session.Bill(c.Plan, c.Windows, c.Changes, 0, by, s.courseOf(plans.All)).Totals.Cost
			}
			low, high = min(low, of(row)/of(plans.A)), max(high, of(row)/of(plans.A))
		}
		s.press(keys)
		for range caches {
			s.press("D", "costs "+plain.Percent(1-high)+" to "+plain.Percent(1-low)+" less than A")
			s.press("<esc>$")
		}
		s.press(strings.ReplaceAll(keys, "j", "k"))
	}
}

// What the newest change did to a plan stays as it was said where another plan is drawn; a first price has no cost
// before it, and what does not fit has none.
func TestWhatAChangeDidToAPlanStays(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	s.press("P3<enter>")
	said := s.line("price none → $3 per 1M tokens: A costs $0.4223 ")
	s.seesNot("as before")
	s.press("jjjjjj", said)
	s.press("P6<enter>", "price $3 → $6 per 1M tokens: plan: 8 of 11 requests do not fit")
}

// courseOf returns what a plan does at the setup now.
func (s *story) courseOf(row plans.Row) *turns.Course {
	c, _, _ := s.m.turns.Course(row)
	return c
}

// Below the view the newest change says what it did to the cost of the plan that is
// drawn; undone, it says the reverse.
func TestTheCostOfAChange(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	was, moved := s.courseOf(plans.A), 0
	for _, keys := range []string{"]", "[", "c", "u"} {
		s.press(keys)
		now := s.courseOf(plans.A)
		s.sees(costLine(was, now))
		im, _ := s.m.exp.Impact()
		for sign, items := range map[string][]int32{"  +%d in ": im.In, "  −%d out ": im.Out} {
			if n := len(items); n > 0 {
				s.sees(fmt.Sprintf(sign, n))
			} else {
				s.seesNot(fmt.Sprintf(sign, n))
			}
		}
		if now.Totals.Cost != was.Totals.Cost {
			moved++
		}
		was = now
	}
	musttest.Is(t, moved, 2)
	s.press(":dedup off<enter>", "A costs 140,754 → 140,7")
	s.press("ucj") // the line is of the plan that is drawn
	s.sees("slicer greedy → knapsack, B greedy", "B costs")
	s.do("turns.plan back", costLine(was, s.courseOf(plans.A)))
	s.do("turns.cache") // another cache: both moments have its prices
	if s.courseOf(plans.A).Totals.Cost == was.Totals.Cost {
		t.Fatal("another cache has the same costs")
	}
	s.sees(costLine(s.m.turns.Before(plans.A), s.courseOf(plans.A)))
}

// What a change led away from is there at once when it is undone, and when it is done again.
func TestUndoTakesThePlansThatAreKnown(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	all := func() (courses [plans.Rows]*turns.Course) {
		for row := range plans.Rows {
			c, old, _ := s.m.turns.Course(row)
			if courses[row] = c; c == nil || old {
				t.Fatalf("plan %d is not known", row)
			}
		}
		return courses
	}
	first := all()
	s.press(":20000<enter>")
	second := all()
	s.held = true
	for _, back := range []struct {
		key  string
		want [plans.Rows]*turns.Course
	}{{"u", first}, {"<ctrl+r>", second}, {"u", first}} {
		s.press(back.key)
		for row, c := range all() {
			if &c.Windows[0] != &back.want[row].Windows[0] || c.Totals != back.want[row].Totals {
				t.Errorf("%s: plan %d is not as it was", back.key, row)
			}
		}
	}
}

// The line compares with what was there before the change that it names, whether that was
// made here or in another view.
func TestTheCostBeforeAChangeThatAnotherViewMade(t *testing.T) {
	there := begin(t, agentSession(t), 120, 36)
	there.do("view.Turns")
	at32 := there.courseOf(plans.A)
	there.press("1:20000<enter>:40000<enter>8") // the cost before is that at 20,000, not the one seen last
	s := agentAt(t, 120, 36, ":40000<enter>8")
	at40 := s.courseOf(plans.A)
	s.sees("budget 32,000 → 40,000: " + costLine(at32, at40))
	s.press("u:20000<enter>")
	at20 := s.courseOf(plans.A)
	s.do("undo", costLine(at20, at32))
	there.sees("budget 20,000 → 40,000: " + costLine(at20, at40))
	s.press("1x8") // of items that were not followed
	s.sees("A costs", " input tok")
	s.seesNot("as before")
}

// Where everything fits, the headline tells what the session costs, in dollars if the model's
// prices are known, and from which budget down plans cut. Ratios with other caches do not
// contradict those with the cache in force.
func TestWhatASessionCostsWhereEverythingFits(t *testing.T) {
	messages := []string{}
	for k := range 30 {
		role := [...]string{"user", "assistant"}[k%2]
		messages = append(messages, fmt.Sprintf(`{"role": %q, "content": %q}`, role, strings.Repeat(fmt.Sprint("step ", k*k, " of the plan; "), 20+k*7%30)))
	}
	text := `{"model": "gpt-4o", "messages": [` + strings.Join(messages, ",") + `]}`
	for _, size := range sizes {
		s := opening(t, "chat.json", text, size[0], size[1])
		s.do("view.Turns")
		if size[0] >= 120 { // clearing is a service of Anthropic, and gpt-4o is none of its models
			s.sees("langchain-clear")
			s.seesNot("anthropic-clear")
		}
		all, _, _ := s.m.turns.Course(plans.All)
		most := model.Tokens(0)
		for _, w := range all.Windows[:len(all.Windows)-1] { // the last is not sent yet
			most = max(most, w.Tokens)
		}
		if s.do("turns.price"); size[0] >= 80 { // the price of the model is in force
			s.sees("empty: the price of the model, $2.5")
		}
		s.press("<esc>")
		costs := "costs $" + strconv.FormatFloat(turns.Price(all.Totals.Cost, s.m.turns.Billing().Input), 'f', 4, 64)
		whole := ""
		if size[0] >= 80 {
			whole = " for the whole session"
		}
		s.sees("every plan "+costs+whole+".", fmt.Sprintf("Plans differ below %v: try :%d", most, 3*most/4))
		if size[0] >= 80 {
			s.sees(", a budget at which they cut.")
		}
		s.do("turns.sweep", "every mark "+costs)
		s.press(fmt.Sprintf("s:max %d<enter>", most-1))
		if cut, _, _ := s.m.turns.Course(plans.All); cut.Totals.Over != 1 {
			t.Errorf("%d requests do not fit below %v", cut.Totals.Over, most)
		}
		s.seesNot("Plans differ")
		if size[0] >= 120 {
			s.press(fmt.Sprintf(":%d<enter>", 3*most/4)) // as it says
			if cut, _, _ := s.m.turns.Course(plans.All); cut.Totals.Over < 2 {
				t.Errorf("%d requests do not fit at three quarters of %v", cut.Totals.Over, most)
			}
			s.press(":max 2000<enter>", "$", " % less")
			s.do("turns.cache", "costs estimated in dollars, cache anthropic-5m") // another cache, the same model
		}
	}
}

// The price of tokens turns costs into money, is undone as any change, and is in the
// command line.
func TestThePriceOfTokens(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns", "cost, tok   against A", "140,754")
	s.press("P-3<enter>", "must be a number above 0 and up to 1,000,000")
	s.press("<backspace><backspace>2.5<enter>")
	c, _, _ := s.m.turns.Course(plans.A)
	s.sees("price none → $2.5 per 1M tokens", "$"+strconv.FormatFloat(turns.Price(c.Totals.Cost, 2.5), 'f', 4, 64), "costs estimated in dollars, 2.5 per 1M tokens", "cost, $   against A")
	musttest.Is(t, s.m.unsaved(), false, "with a price, it is unsaved")
	s.do("turns.break back")
	at := c.Bills[len(c.Bills)-2]
	s.sees(", costs $" + strconv.FormatFloat(turns.Price(at.Cost, 2.5), 'f', 4, 64))
	s.press("uY", "cost, tok   against A")
	s.seesNot("--price")
	s = begin(t, agentSession(t), 240, 36, func(o *Options) { o.Start = Start{View: "turns", Price: "15"} })
	s.do("turns.details", "Costs are in dollars, estimated, at 15 per million input tokens")
	s.press("<esc>Y", "--view turns --price 15")
	if err := (Start{Price: "free"}).Check(); err == nil || err.Error() != `--price: "free" must be a number above 0 and up to 1,000,000` {
		t.Error(err)
	}
}

// A click on a column goes to its request, one on a plan draws that.
func TestTheMouseInTurns(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		s := begin(t, agentSession(t), size[0], size[1])
		s.do("view.Turns")
		x, y := s.find("now")
		tenth := strings.Index(s.screen()[y], " 10 ") + 1 // the row of numbers is ASCII, but for the frame
		if tenth < 1 || tenth > x {
			t.Fatalf("no request 10 in %q", s.screen()[y])
		}
		s.click(x-(strings.Index(s.screen()[y], "now")-tenth), y-1, "request 10 of 12")
		if size[1] == 16 {
			continue
		}
		s.clickOn("send everything", "Sending everything would cost ")
	}
}

// A source without roles has no turns, and says so.
func TestNoTurns(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		s := begin(t, islands(t, 120), size[0], size[1])
		s.do("view.Turns", "Turns needs a conversation", "o opens a conversation")
		s.seesNot("h/l request", "n/N break", "s sweep", "$ cache", "P price", "b fixed part", "a agent")
		s.press("n", "n: there are no requests")
		s.press("lnsj$+>z<enter>81b")
		if size[0] == 120 {
			s.sees("b: there are no turns")
		}
		musttest.Is(t, frameFault(s.m), "")
	}
}

// conversation is items with roles, an answer every few items.
func conversation(t testing.TB, rng *rand.Rand, n int) *Workspace {
	t.Helper()
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: fmt.Sprint("text ", rng.IntN(n)), Tokens: model.Tokens(1 + rng.IntN(900)), Kind: model.Message, Metadata: map[string]any{"role": "user"}}
		switch {
		case i == 0:
			items[i].Pinned = true
		case rng.IntN(3) == 0:
			items[i].Metadata["role"] = "assistant"
		case rng.IntN(2) == 0:
			items[i].Kind = model.ToolOutput
			items[i].Metadata["role"] = "tool"
		}
		items[i].Pinned = items[i].Pinned || rng.IntN(12) == 0
	}
	set := musttest.Of(model.NewSet(items))(t)
	chat, _ := model.Preset("chat")
	most := model.Tokens(600 + rng.IntN(300*n))
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: most, OutputReserve: model.Tokens(rng.IntN(200))}))(t)
	return made(Workspace{Name: "talk.json", Format: "items", Items: set, Policy: chat, Budget: b, Ceiling: 2 * most})
}

// Every number of the totals and of the line of the cursor is what the library
// computes for the session.
func TestTurnsShowWhatTheLibraryComputes(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 8))
		opened := conversation(t, rng, 5+rng.IntN(40))
		cache := turns.Caches()[rng.IntN(len(turns.Caches()))]
		s := begin(t, opened, 200, 60, func(o *Options) { o.Start = Start{View: "turns", Cache: cache.Name} })
		setup := s.m.exp.Setup()
		log := musttest.Of(turns.FromItems(opened.Items, nil))(t)
		wanted := []turns.Plan{
			{Strategy: turns.Stateless, Policy: setup.Policy[experiment.A]}, {Strategy: turns.Stateless, Policy: setup.Policy[experiment.B]},
			turns.Baselines(60)[0], turns.Baselines(60)[1], {Strategy: turns.Watermark, Policy: setup.Policy[experiment.A], Low: 60},
		}
		all, _, err := turns.Run(context.Background(), log, wanted, opened.Budget, turns.Billing{Cache: cache}, turns.Options{})
		musttest.Do(t, err)
		number := func(v float64) string { return model.Tokens(v + .5).String() }
		agents, _, _ := s.m.turns.Course(6) // the plan of an agent may be the cheapest too
		var costs []float64                 // of what fits
		for _, c := range append(slices.Clone(all), agents) {
			if c.Totals.Over+c.Totals.Failed == 0 && c.Totals.Tokens() > 0 {
				costs = append(costs, c.Totals.Cost)
			}
		}
		cut := math.Inf(1) // the least of the cuts of both sweeps
		for _, of := range plans.Cutting() {
			cuts, _, _, _ := s.m.turns.Sweep(of)
			if k := turns.CheapestThatFits(cuts); k >= 0 {
				cut = min(cut, cuts[k].Cost)
			}
		}
		cheapest := func(cost float64) bool {
			return cost <= cut && len(costs) > 0 && cost == slices.Min(costs) && (len(costs) <= len(all) || slices.Max(costs) > cost) // else all cost the same
		}
		for k, c := range []*turns.Course{all[1], all[2], all[0], all[3], all[4], all[5]} {
			_, y := s.find(" cached ")
			words := strings.Fields(strings.Trim(s.screen()[y+1+2*k], "│ "))
			got := strings.Join(words, " ")
			unmarked := strings.Replace(got, "▲", "", 1)
			if no := max(c.Totals.Over, c.Totals.Failed); no > 0 {
				musttest.Says(t, got, fmt.Sprintf("%d of %d ", no, c.Totals.Requests+c.Totals.Failed), "seed", seed, "the row")
				continue
			}
			want := number(c.Totals.Cost) + " -"
			if a := all[1].Totals; c != all[1] && a.Cost > 0 && a.Failed == 0 {
				want = number(c.Totals.Cost) + " " + plain.Compared(c.Totals.Cost/a.Cost, "")
			}
			if of := c.Totals.Tokens(); of > 0 {
				want = plain.Percent(float64(c.Totals.Read)/float64(of)) + " " + want
			}
			if of := all[0].Totals.Tokens(); of > 0 {
				want = plain.Percent(float64(c.Totals.Tokens())/float64(of)) + " " + want
			}
			if !strings.HasSuffix(unmarked, want) || (unmarked != got) != cheapest(c.Totals.Cost) {
				t.Fatalf("seed %d: %s, want %s at the end, cheapest: %v", seed, got, want, cheapest(c.Totals.Cost))
			}
		}
		a := all[1]
		for at := len(log.Requests()) - 1; at >= 0; at-- {
			w, bill, change := a.Windows[at], a.Bills[at], a.Changes[at]
			name := "Request " + strconv.Itoa(at+1) + ", before #" + strconv.Itoa(log.Requests()[at].Before)
			if log.Requests()[at].IsNow() {
				name = "Now, not sent yet"
			}
			switch {
			case w.Err != nil:
				s.sees(name + " fails and sends nothing: " + w.Err.Error()[:20])
			default:
				plain := ""
				if bill.Plain > 0 || bill.Read+bill.Written == 0 {
					plain = " + " + bill.Plain.String() + " not cached"
				}
				s.sees(fmt.Sprintf("%s: %v tok = %v read + %v written%s, costs %s", name, w.Tokens, bill.Read, bill.Written, plain, number(bill.Cost)))
				if change.Cause != turns.NoBreak {
					s.sees(fmt.Sprintf("Broken: #%d %s", change.Item, change.Cause), fmt.Sprintf("(%v of %v tok)", change.Survived, change.Before))
				}
				musttest.Is(t, s.m.exp.Outcome(experiment.A).Report.Kept, w.Tokens, "seed", seed, "request", at+1, "Items has")
			}
			s.do("turns.back")
		}
		s.do("turns.details")
		if c := all[1]; c.Totals.Failed > 0 {
			s.sees(fmt.Sprintf("A: %d request", c.Totals.Failed), "cost nothing")
		}
	}
}

// What the cost is made of adds up, and the requests that cost most stand first, each with its
// share, as the library computes them: in the details, and beside the bars where there is room.
func TestWhatTheCostIsMadeOf(t *testing.T) {
	listed, priced := 0, 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 9))
		opened := conversation(t, rng, 5+rng.IntN(40))
		cache := turns.Caches()[rng.IntN(len(turns.Caches()))]
		s := begin(t, opened, 200, 60, func(o *Options) { o.Start = Start{View: "turns", Cache: cache.Name} })
		log := musttest.Of(turns.FromItems(opened.Items, nil))(t)
		all, _, err := turns.Run(context.Background(), log, []turns.Plan{{Strategy: turns.Stateless, Policy: s.m.exp.Setup().Policy[experiment.A]}}, opened.Budget, turns.Billing{Cache: cache}, turns.Options{})
		musttest.Do(t, err)
		a := all[1]
		if a.Totals.Cost == 0 {
			continue
		}
		number := func(v float64) string { return model.Tokens(v + .5).String() }
		matches := func(row string) {
			if !regexp.MustCompile(row).MatchString(strings.Join(s.screen(), "\n")) {
				t.Errorf("seed %d: no row matches %q:\n%s", seed, row, strings.Join(s.screen(), "\n"))
			}
		}
		var sent []int
		for k, r := range log.Requests() {
			if !r.IsNow() && a.Windows[k].Err == nil {
				sent = append(sent, k)
			}
		}
		slices.SortStableFunc(sent, func(j, k int) int { return cmp.Compare(a.Bills[k].Cost, a.Bills[j].Cost) })
		for _, keys := range []string{"", "D"} {
			s.press(keys)
			end := 56
			if keys == "" { // below what stands beside the bars
				_, end = s.find("tokens sent: of all")
			}
			sum := 0.0
			for _, part := range []struct {
				name   string
				tokens model.Tokens
				price  float64
			}{{"written", a.Totals.Written, cache.Write}, {"read", a.Totals.Read, cache.Read}, {"not cached", a.Totals.Plain, 1}} {
				cost := float64(part.tokens) * part.price
				if sum += cost; part.tokens == 0 {
					continue
				}
				priced++
				matches(part.name + ` +` + part.tokens.String() + ` tok at ` + strconv.FormatFloat(part.price, 'f', -1, 64) + ` +(` + number(math.Floor(cost)) + `|` + number(math.Ceil(cost)) + `)\b`)
			}
			if math.Abs(sum-a.Totals.Cost) > 1e-6 {
				t.Fatalf("seed %d: the parts cost %v, all %v", seed, sum, a.Totals.Cost)
			}
			matches(`A, whole session, ` + plain.Count(a.Totals.Requests, "request") + ` sent +` + number(sum) + `\b`)
			if x, y := s.find("request   tokens"); y > 0 {
				for k, at := range sent[:min(20, len(sent))] {
					if y+1+k >= end-1 {
						break
					}
					words := strings.Fields(strings.Trim(string([]rune(s.screen()[y+1+k])[x:]), "│ "))
					bill := a.Bills[at]
					want := append([]string{strconv.Itoa(at + 1), bill.Tokens().String(), number(bill.Cost)}, strings.Fields(plain.Percent(bill.Cost/sum))...)
					musttest.Is(t, words[:len(want)], want, "seed", seed, "row", k, "is", words)
					listed++
				}
			}
		}
	}
	if listed < 20 || priced < 20 {
		t.Errorf("%d requests and %d prices are too few to prove anything", listed, priced)
	}
}

// While a change is computed the old columns stay, and an answer that comes too
// late is dropped.
func TestTurnsFollowTheNewestSetup(t *testing.T) {
	s := begin(t, conversation(t, rand.New(rand.NewPCG(1, 1)), 300), 120, 36)
	s.do("view.Turns")
	s.seesNot("(old: computing")
	s.held = true
	s.press("]c]", "(old: computing", "A knapsack 100")
	s.release()
	s.seesNot("(old: computing")
	c, old, err := s.m.turns.Course(plans.A)
	if err != nil || old || c.Plan.Policy.Slicer != model.Knapsack {
		t.Errorf("old %v, %v, of %v", old, err, c.Plan.Policy.Slicer)
	}
	s.held = true
	s.do("undo")
	s.do("view.Items") // the view is left: its work ends
	s.release()
	s.do("view.Turns")
	s.seesNot("(old: computing")
}

// The plan that is drawn, with the policy that it is compared with, is computed at once, also where it
// takes long; the others wait until keys rest. Until all are of one setup none is compared with
// another. Of the sweep and the map the same holds; the old one stays, against the cost that it was
// compared with.
func TestWhatIsDrawnDoesNotWait(t *testing.T) {
	s := begin(t, conversation(t, rand.New(rand.NewPCG(1, 1)), 300), 120, 36)
	waits := func() bool {
		job, _ := s.m.turns.Job()
		return job.CanWait
	}
	s.do("view.Turns", "Cheapest of these plans: ")
	for _, change := range []string{":9000<enter>", "jj["} { // at first only A is new, and costs less than all others did
		s.held = true
		s.press(change)
		s.step(s.current)
		for is := true; is; _, is, _ = s.m.turns.Course(plans.A) {
			musttest.Is(t, waits(), false)
			s.next()
		}
		musttest.Is(t, waits(), true)
		s.sees("computing which plan costs least")
		s.seesNot("(old: computing", "▲ Cheapest")
		s.line("watermark 60 %", " - ")
		musttest.Is(t, regexp.MustCompile(`\d▲`).MatchString(s.text()), false, "a plan is marked as the cheapest")
		s.release("Cheapest of these plans: ")
	}
	for keys, text := range map[string]string{"s[": "Cheapest of these 15 cuts: ", "d[": "Cursor: trigger 10k", "sB": "estimated cost against that of A,", "dB": "Cursor: trigger"} {
		key, change := keys[:1], keys[1:]
		s.press(key)
		was := s.line(text)
		s.held = true
		s.press(change)
		s.step(s.current)
		for is := true; is; is = strings.Contains(s.text(), "(old: computing") {
			musttest.Is(t, [...]bool{waits(), s.line(text) == was}, [...]bool{false, true}, keys)
			s.next()
		}
		s.release()
		s.press("<esc>A")
	}
}

// Esc leads back to the end first, and then stops the requests that are still being
// computed; they stay stopped until something changes.
func TestEscStopsTheRequests(t *testing.T) {
	s := begin(t, conversation(t, rand.New(rand.NewPCG(1, 1)), 300), 120, 36).after("8h")
	s.held = true
	s.do("budget.next")
	s.step(s.current)
	s.sees("(old: computing", "at request")
	s.press("<esc>")
	s.seesNot("at request")
	s.step(s.current)
	for range 4 { // a notice closes before
		if s.press("<esc>"); strings.Contains(s.text(), "stopped: requests") {
			break
		}
	}
	s.sees("stopped: requests that are not computed")
	s.release("(old: stopped)", "stopped")
	s.press("18", "(old: stopped")
	s.do("budget.next")
	s.seesNot("(old:")
}

// Numbers of millions do not run into each other.
func TestLargeTotalsHaveRoom(t *testing.T) {
	s := begin(t, conversation(t, rand.New(rand.NewPCG(1, 1)), 1500), 120, 36)
	s.do("view.Turns")
	c, _, _ := s.m.turns.Course(plans.All)
	if c.Totals.Cost < 10_000_000 {
		t.Fatalf("the cost is %v", c.Totals.Cost)
	}
	s.press("jj", "Sending everything would cost ")
	s.do("turns.details", "send everything, ", model.Tokens(c.Totals.Cost).Short())
}

// The view survives every size, without colours and in ASCII.
func TestTurnsAtEverySize(t *testing.T) {
	messages, step := randomtest.Rounds(200, 400), randomtest.Rounds(3, 1) // more requests than columns
	opened := conversation(t, rand.New(rand.NewPCG(3, 3)), messages)
	s := begin(t, opened, 120, 36, func(o *Options) { o.Theme, o.NoColor, o.ASCII = theme.NoColor, true, true })
	for w := minWidth; w <= 200; w += 23 * step {
		for h := minHeight; h <= 60; h += 7 * step {
			s.send(tea.WindowSizeMsg{Width: w, Height: h})
			for _, keys := range []string{"8", "h", "--", "<", "++++++", ">", "N", "s", "s", "G"} {
				s.press(keys)
				musttest.Is(t, frameFault(s.m), "", w, "x", h, "after", keys)
			}
		}
	}
	for _, line := range s.screen() {
		for _, r := range line {
			if r > '~' {
				t.Fatalf("%q is not ASCII", line)
			}
		}
	}
}

// Items can show in which requests an item was.
func TestItemsOverRequests(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("items.strips", "in at request 1 to 12")
	shown, _, _ := s.m.turns.Course(plans.A)
	for k, w := range shown.Windows {
		in := false
		for _, i := range w.Items {
			in = in || i == 12
		}
		if want := k >= 1 && k <= 5; in != want { // there at request 2, gone from request 7 on
			t.Errorf("request %d: in is %v", k+1, in)
		}
	}
	x, y := s.find("in at request 1")
	for row := range s.screen() {
		if text := string([]rune(s.screen()[row])); strings.Contains(text, " 12 doc") {
			y = row
		}
	}
	musttest.Is(t, string([]rune(s.screen()[y])[x:x+20]), "  ▅▅▅▅▅▅▅▅▅·········", "the strip of #12")
	s.do("items.strips")
	s.seesNot("in at request")
}

func TestStartAtARequest(t *testing.T) {
	for _, c := range []struct {
		start Start
		says  string
	}{
		{Start{Cache: "big"}, `--cache: "big" is not known; known are anthropic-5m, `},
		{Start{Request: "0"}, `--request: "0" is not the number of a request`},
		{Start{Request: "x"}, `--request: "x" is not the number of a request`},
	} {
		musttest.Says(t, c.start.Check(), c.says, c.start)
	}
	s := begin(t, agentSession(t), 240, 36, func(o *Options) { o.Start = Start{View: "turns", Request: "9", Cache: "openai"} })
	s.sees("at request 9 of 12")
	s.do("copy.line", "--view turns --cache openai --request 9")
	s = begin(t, agentSession(t), 120, 36, func(o *Options) { o.Start = Start{Request: "12"} })
	s.seesNot("at request")
	s = begin(t, agentSession(t), 120, 36, func(o *Options) { o.Start = Start{Request: "13"} })
	s.sees("--request 13: there are 12 requests, numbered from 1")
	s = begin(t, islands(t, 120), 120, 36, func(o *Options) { o.Start = Start{Request: "1"} })
	s.sees("--request 1: there are no turns")
}

// The headline is computed here from the totals of all plans, at budgets where few, some and all
// requests fit, and for every plan that is drawn.
func TestTheHeadlineOfTurns(t *testing.T) {
	compared := map[string]int{}
	for _, budget := range []string{"20000", "33000", "60000", "200000"} {
		s := agentAt(t, 200, 40, ":"+budget+"<enter>8")
		all, _, _ := s.m.turns.Course(plans.All)
		best, fits := plans.A, map[plans.Row]bool{}
		cost := func(row plans.Row) float64 { return s.courseOf(row).Totals.Cost }
		for row := range plans.Rows {
			of := s.courseOf(row).Totals
			if fits[row] = of.Failed+of.Over == 0; fits[row] && (cost(row) < cost(best) || !fits[best]) {
				best = row
			}
		}
		names := [plans.Rows]string{"A", "B", "send everything", "sliding window", "sliding cut 60 %", "watermark 60 %", "anthropic-clear"}
		how := [plans.Rows]string{"", "", "", "send the newest items, up to one that does not fit", "send all until it no longer fits; then the newest items that fill 60 % of the room: what goes stays out",
			"send all until it no longer fits; then let A cut it to 60 % of the room: what A drops stays out (not Cupel's)", "above 100,000 tokens all results of tools but the newest 3 become notes"}
		out := func(of turns.Totals) string {
			if of.Bare > 0 {
				return fmt.Sprintf("sends %d of %d requests with pinned items alone", of.Bare, of.Requests)
			}
			return "leaves out " + plain.Percent(1-float64(of.Tokens())/float64(all.Totals.Tokens())) + " of all tokens and reads " + plain.Percent(float64(of.Read)/float64(of.Tokens())) + " of the rest"
		}
		for row := range plans.Rows {
			if row > 0 {
				s.do("turns.next plan")
			}
			least := s.courseOf(best).Totals
			if best == plans.A {
				s.sees("None of these plans that fit costs less than A.")
				compared["none"]++
			} else {
				said := names[best] + ", " + plain.Compared(cost(best)/cost(plans.A), "A")
				for _, of := range plans.Cutting() {
					cuts, _, _, _ := s.m.turns.Sweep(of)
					if k := turns.CheapestThatFits(cuts); k >= 0 && cuts[k].Cost < least.Cost {
						set := "60 %, as set: "
						if of != best {
							set = names[best] + ": "
						}
						least = cuts[k]
						said = strings.Replace(names[of], "60", "30", 1) + ", " + plain.Compared(least.Cost/cost(plans.A), "A") + " (= takes it); " + set + plain.Compared(cost(best)/cost(plans.A), "") + "."
						compared["another cut"]++
					}
				}
				s.sees("Cheapest of these plans: " + said)
				compared["best"]++
			}
			name, against := strings.ToUpper(names[row][:1])+names[row][1:], plain.Compared(cost(row)/cost(plans.A), "A")
			switch {
			case row == plans.A:
				s.sees(" " + out(least))
			case row == plans.All && !fits[row]:
				s.sees("Sending everything would cost " + against + ", but ")
				compared["unfit"]++
			case cost(row) == least.Cost && row != plans.Rule && row != plans.All:
				s.sees(" " + out(least))
			case fits[row] && row != plans.Rule && row != plans.All:
				s.sees(name+" costs "+against+": it ", " "+out(s.courseOf(row).Totals))
			}
			if row > plans.All && fits[row] {
				s.sees(name + ": " + how[row][:30])
				compared["other"]++
			}
		}
	}
	if compared["unfit"] < 3 || compared["other"] < 2 || compared["best"] == 0 {
		t.Errorf("%v are too few to prove anything", compared)
	}
}

// The axis of the bars has its middle, and below them stand the tokens of each request.
func TestTheAxisAndTheTokensOfRequests(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}} {
		s := begin(t, agentSession(t), size[0], size[1])
		s.do("view.Turns")
		rows := map[string]int{}
		for y, line := range s.screen() {
			if cells := strings.Fields(strings.Trim(line, "│ ")); len(cells) > 0 && rows[cells[0]] == 0 {
				rows[cells[0]] = y
			}
		}
		high := float64(rows["0"] - rows["24k"])
		if at := float64(rows["0"]-rows["12k"]) + .5; high < 10 || math.Abs(at-high/2) > .5 {
			t.Errorf("%v: 12k is %v rows above 0, 24k %v", size, at, high)
		}
		c, _, _ := s.m.turns.Course(plans.A)
		cells := strings.Fields(strings.Trim(s.screen()[rows["tokens"]], "│ "))
		for k, w := range c.Windows {
			about, err := model.ParseTokens(cells[k+1])
			if err != nil || about != w.Tokens && (size[0] == 200 || w.Tokens-about > 500 || about-w.Tokens > 500) {
				t.Errorf("%v: request %d has %v tokens, %s are shown", size, k+1, w.Tokens, cells[k+1])
			}
		}
	}
}

// Without colours a cell of a bar cannot show two parts: it is written or read, whole.
func TestBarsWithoutColoursHaveWholeCells(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.Theme = theme.NoColor })
		s.do("view.Turns")
		musttest.Is(t, strings.Contains(s.m.View().Content, "\x1b[7m"), false, size, "a cell is reversed")
		bottom := "" // of the bars: read where anything is
		for _, line := range s.screen() {
			if strings.Contains(line, " ▒▒▒") {
				bottom = line
			}
		}
		musttest.Is(t, strings.Count(bottom, " ▒▒▒"), 11, size, "of 11 requests show what they read", bottom)
	}
}

// At 80x24 a notice leaves the legend of the bars its row.
func TestTheLegendOfTurnsStaysBesideANotice(t *testing.T) {
	s := begin(t, agentSession(t), 80, 24)
	for n, kind := range []string{"document", "memory", "message"} {
		s.press(":" + kind + " require 99<enter>8")
		if _, notice, _, _ := s.m.layOut(); len(notice) != n+1 {
			t.Fatalf("the notice has %d lines:\n%s", len(notice), s.text())
		}
		s.sees("written 1.25", "read 0.1", "est. cost, tok", "watermark 60 %")
	}
	s = agentAt(t, 80, 24, "8$", "written 2  ", "read 0.1  ▁ limit ")
	s.do("turns.cache", "written 1 ", "read 0.1 ", " not cached  ")
}

// Where there is room, the line of a change also says what a request sends and what of it the cache has, before and after.
func TestAChangeSaysWhatTheCacheHas(t *testing.T) {
	s := begin(t, agentSession(t), 160, 40)
	s.do("view.Turns")
	s.press(":20000<enter>", "tok/req 16,461 → 9,495", "cached 41 % → 47 %")
}

// The list has the cheapest plan in any case. A plan that does not fit has neither cost nor bar, and
// what costs more than what is edited has a bar that goes on beyond that.
func TestTheCheapestPlanIsListed(t *testing.T) {
	s := begin(t, agentSession(t), 60, 16)
	s.do("view.Turns", "A greedy", "sliding cut 60 %", "45 % less", "Cheapest of these: sliding cut 30 %, 57 % less than A.")
	s.seesNot("B knapsack")
	s.press("jj", "send everything", "sliding cut 60 %", "do not fit")
	s.press("jjjj", "Anthropic-clear: old results become notes, but not yet.")
	s.seesNot("watermark")
	s = begin(t, agentSession(t), 80, 24)
	s.do("view.Turns", "Cheapest: sliding cut 30 %, 57 % less; 1 request holds pinned items alone.")
	s.press("jjjjjj", "Anthropic-clear: old results become notes, but only above 100,000 tokens.")
	s.press("kkkkkk")
	bar := func(of string) int {
		return strings.Count(s.line(of), string(s.m.theme.Glyphs.Strip[4]))
	}
	if a, b, all, best := bar("140,754"), bar("135,972"), bar("send everything"), bar("77,863"); a < b || best >= b || b < 10 || all > 0 {
		t.Errorf("bars of %d, %d, %d and %d cells", a, b, all, best)
	}
	s.line("send everything", "8 of 11 requests do not fit")
	s.line("sliding cut 60 %", "26 %", "77,863 ", "45 % less")
	s.seesNot("▲") // the headline names another cut
	s.do("turns.cheapest", "sliding cut and watermark now cut to 30 %, not 60 %")
	s.line("sliding cut 30 %", "61,207▲", "57 % less")
	s.do("policy.B")
	s.line("A greedy", "3.5 % more")
}

// Where prompts are too short for the cache nothing is said to be read, and a plan that sends nothing is
// not the cheapest.
func TestPromptsThatAreTooShortForTheCache(t *testing.T) {
	text := `{"model": "gpt-4o", "messages": [{"role": "user", "content": "Say hi to Ann."}, {"role": "assistant", "content": "Hi Ann!"},
		{"role": "user", "content": "And to Bob and Carla, please, in French."}, {"role": "assistant", "content": "Salut Bob et Carla!"}, {"role": "user", "content": "Thanks, now German."}]}`
	s := opening(t, "chat.json", text, 120, 36).after("8:max 20<enter>", "kept: of the previous prompt, too short to read", "not cached below 1,024 tok at 1", "is kept (", " tok), but nothing is read below 1,024 tokens")
	s.seesNot("read from the cache")
	if b := s.courseOf(plans.B).Totals; b.Tokens() > 0 {
		t.Fatalf("B sends %v tokens", b.Tokens())
	}
	s.sees("None of these plans that fit costs less than A.") // B sends nothing
}

// Where a request reads more than it keeps of the previous prompt, the rest is of an older one, and said to be.
func TestWhatIsReadOfAnOlderPromptIsSaid(t *testing.T) {
	for size, s := range agentAtSizes(t, ":16000<enter>8") {
		course := s.courseOf(plans.A)
		for k := len(course.Bills) - 1; k > 0; k-- {
			read, change := course.Bills[k].Read, course.Changes[k]
			says := ", " + read.String() + " of an older prompt"
			musttest.Is(t, read > change.Survived, strings.Contains(s.text(), says), size, "request", k+1, "reads", read, "and keeps", change.Survived, s.text())
			s.do("turns.back")
		}
	}
}

// Where nothing is sent yet there is no cost, so no plan is said to cost as much or less.
func TestNoPlanIsNamedBeforeAnythingIsSent(t *testing.T) {
	asked := strings.Repeat(`{"role": "user", "content": "a question without an answer"},`, 13)
	s := opening(t, "chat.json", `{"messages": [`+strings.TrimSuffix(asked, ",")+`]}`, 120, 36)
	s.do("view.Turns")
	if course, _, _ := s.m.turns.Course(plans.All); course.Totals.Cost != 0 {
		t.Fatalf("what is not sent costs %v", course.Totals.Cost)
	}
	s.sees("Nothing is sent yet, so there is no cost.")
	s.seesNot("costs less", "heapest of", "Plans differ")
}

// A change of the other policy alone: what it does to the costs of that policy, and that the policy shown is as before.
func TestTurnsTellsWhatTheOtherPolicyCosts(t *testing.T) {
	s := agentAt(t, 120, 36, "8m")
	costs := func(line string) (from, to string) {
		_, said, _ := strings.Cut(line, ": A is as before; B costs ")
		words := strings.FieldsFunc(said, func(r rune) bool { return r == ' ' || r == '→' })
		return words[0], strings.TrimSuffix(words[1], ",")
	}
	from, to := costs(s.line("A copied to B (was knapsack 100): A is as before; B costs ", " in  ", " out "))
	s.press("u")
	back, again := costs(s.line("undo A copied to B", ": A is as before; B costs "))
	musttest.Is(t, [2]string{back, again}, [2]string{to, from})
	if from == to {
		t.Error("B costs as before")
	}
}

// What costs least may send requests that hold pinned items alone: Turns says how many, by a plain reference. Where
// no request can be sent it does not count those that were.
func TestTurnsSaysWhichPlanLeavesOutAllThatIsAsked(t *testing.T) {
	for _, budget := range []string{"32000", "12000"} {
		s := agentAt(t, 120, 36, "8jjj:"+budget+"<enter>")
		all, c, alone := s.courseOf(plans.All), s.courseOf(plans.Sliding), 0
		for k, w := range c.Windows[:c.Totals.Requests] {
			pinned := slices.DeleteFunc(slices.Clone(all.Windows[k].Items), func(i int32) bool { return !s.m.exp.Items().Pinned(int(i)) })
			if len(pinned) == len(w.Items) && len(w.Items) < len(all.Windows[k].Items) {
				alone++
			}
		}
		if alone == 0 {
			t.Fatal("each request holds what is not pinned")
		}
		s.sees(fmt.Sprintf("sends %d of 11 requests with pinned items alone", alone))
	}
	s := agentAt(t, 120, 36, "8:9000<enter>", "Turns  A greedy · chat  12 requests ─", "so no request can be sent")
	s.seesNot("11 sent")
}

// Where the headline has what the plan that is drawn costs, the line below it says why instead.
func TestTheCheapestPlanSaysItsCostOnce(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	s.do("turns.cheapest", "▲ Cheapest of these plans: sliding cut 30 %, 57 % less than A.", "It leaves out 76 % of all tokens, and sends 1 of 11 requests with pinned items alone: j/k for another plan.")
	s.seesNot("costs 57 % less")
}

// The text about a request that a sliding window breaks names the newest item that has no room, by a plain reference:
// the newest items before the request are added up.
func TestASlidingWindowSaysWhatDoesNotFit(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	s.press("jjj")
	items, room, named := s.m.exp.Items(), s.m.exp.Result(experiment.A).Report.Effective.Target, 0 // what is pinned comes first
	history, _ := s.m.turns.History()
	for k, r := range history.Requests() {
		change := s.courseOf(plans.Sliding).Changes[k]
		if change.Cause != turns.Left {
			continue
		}
		left := room
		at := r.Before - 1
		for ; at >= 0; at-- {
			if items.Pinned(at) {
				continue
			}
			if left -= items.Tokens(at); left < 0 {
				break
			}
		}
		s.press(fmt.Sprintf("g%s", strings.Repeat("l", k)))
		want := fmt.Sprintf("Broken: #%d left, as #%d (%v tok) does not fit", change.Item, at, items.Tokens(at))
		if int(change.Item) == at {
			want = fmt.Sprintf("Broken: #%d left", at)
		} else {
			named++
		}
		s.sees(want)
	}
	if named < 2 {
		t.Errorf("%d items are too few to prove anything", named)
	}
}

// The parts of a cost are rounded so that they add up to the sum below them.
func TestThePartsOfACostAddUp(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Turns")
	for row := range plans.Rows {
		s.do("turns.details")
		var got []int
		for _, name := range []string{" tok at 1.25", " tok at 0.1", ", whole session"} {
			words := strings.Fields(strings.Trim(s.line(name), "│ "))
			n, err := strconv.Atoi(strings.ReplaceAll(words[len(words)-1], ",", ""))
			musttest.Do(t, err)
			got = append(got, n)
		}
		musttest.Is(t, got[0]+got[1], got[2], "the sum of plan", row)
		s.press("<esc>j")
	}
}
