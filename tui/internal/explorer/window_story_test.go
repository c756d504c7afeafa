package explorer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
)

// talk is a conversation in which the budget parts a call from its result: of
// 260 tokens, the result needs 100 and is out.
func talk(t testing.TB, budget model.Tokens) *Workspace {
	t.Helper()
	hint := model.Some[float64]
	items := musttest.Of(model.NewSet([]model.Item{
		{Content: "What holds the mutex?", Tokens: 40, FutureRelevanceHint: hint(1)},
		{Content: "grep -rn Mutex store", Tokens: 20, FutureRelevanceHint: hint(.9), Metadata: map[string]any{"role": "assistant"}},
		{Content: "store.go:7: mu sync.Mutex\nstore.go:9: func lock()", Tokens: 100, Kind: model.ToolOutput, Source: model.Tool, FutureRelevanceHint: hint(.4)},
		{Content: "The watcher holds the mutex twice.", Tokens: 60, FutureRelevanceHint: hint(.8)},
		{Content: "Old chatter about nothing.", Tokens: 40, FutureRelevanceHint: hint(.2)},
	}))(t)
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: budget}))(t)
	return made(Workspace{Name: "talk", Format: "items", Items: items.WithPairs(model.Pair{Call: 1, Result: 2}), Policy: p, Budget: b, Ceiling: 400})
}

func TestWindowReadsWhatTheModelReads(t *testing.T) {
	s := begin(t, talk(t, 160), 170, 40)
	s.do("view.Window", s.tab(4), "the model reads 4 items, 160 tok", "1 split pair", "none at 260 (100 more)",
		"#0 msg Chat  40 tok  1 of 4, up to 40 of 160", "#1 msg assistant  20 tok",
		"  ○ 1 left out: #2, 100 tok", "≠ its result #2 is out. Cheapest: exclude #1 (20 tok leave).", "M: fix, D: all ways")
	s.seesNot("store.go:7", "Or both are in") // it is out; the other ways are D's
	s.do("window.ways", "Cheapest: exclude #1 (20 tok leave).", "Or both are in at 260 (100", "pin #2 (#3 #4 leave, 100 tok)")
	s.do("window.ways", "Cheapest: exclude #1 (20 tok leave).")
	s.seesNot("Or both are in")
	want := []string{"What holds the mutex?", "grep -rn Mutex store", "The watcher holds the mutex twice.", "Old chatter about nothing."}
	at := -1
	for _, w := range want {
		next := strings.LastIndex(s.text(), w) // the outline may have it too
		if next < at {
			t.Errorf("%q is not where it is placed:\n%s", w, s.text())
		}
		at = next
	}
	s.do("window.next item")
	if i, _ := s.m.selected(); i != 3 && i != 1 {
		t.Errorf("the next item is #%d", i)
	}
	s.press("gn")
	s.selects(1)
	s.do("window.next place", "n: this is the only one")
	s.do("window.fix pair", "exclude #1: ", "the model reads 3 items")
	s.seesNot("split pair")
	s.press("M", "is in no split pair")
	s.do("undo", "1 split pair")
}

// What the ways to fix a split pair take rests on the counts of items.
func TestWaysToFixAPairAreMarked(t *testing.T) {
	session := talk(t, 160)
	session.Items = musttest.Of(session.Items.Counted([]model.Recount{{Index: 2, Tokens: 100, Count: model.Estimated}}))(t)
	begin(t, session, 170, 40).after("4D", "none at ≈260 (≈100 more)", "Cheapest: exclude #1 (≈20 tok leave).", "Or both are in at ≈260")
}

func TestWindowLeadsToItemsAndBack(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("4GJJKj")
	at := s.text()
	i, _ := s.m.selected()
	s.do("window.open")
	if j, _ := s.m.selected(); s.showing() != "Items" || i != j {
		t.Fatalf("enter leads to #%d in view %s, want #%d", j, s.showing(), i)
	}
	s.press("<esc>")
	musttest.Is(t, s.showing(), "Window", "esc leads elsewhere")
	musttest.Is(t, s.text(), at, "esc leads elsewhere")
	s.press("<enter>jj4")
	if j, _ := s.m.selected(); j == i {
		t.Error("4 does not take the new item along")
	}
	s.press("4/second line<enter>", "find second line: #")
	s.press("nn", "find second line: #")
	s.press("/zebra<esc>", "find second line")
	s.press("<esc>")
	s.seesNot("find second line")
	s.press("n", "n: no pair is split here; / finds a text")
	s.press("<tab><enter>100<enter><tab>", "There is no result at 100, so there is nothing for the model to read.")
}

// A long text scrolls by lines, pages and items; the item that keys act on is named
// though its heading has scrolled away, at every size, and what is exported is whole.
func TestWindowScrollsThroughALongText(t *testing.T) {
	var long strings.Builder
	for k := range 30_000 {
		fmt.Fprintf(&long, "line %05d of the log\n", k)
	}
	for _, size := range sizes {
		session := talk(t, 160)
		items := make([]model.Item, session.Items.Len())
		for i := range items {
			items[i] = session.Items.Item(i)
		}
		items[3].Content = long.String()
		session.Items = musttest.Of(model.NewSet(items))(t)
		written := ""
		session.SaveFile = func(_ string, data []byte) error { written = string(data); return nil }
		s := begin(t, session, size[0], size[1]).after("4GK")
		s.selects(3)
		s.sees("line 00000 of the log")
		s.press("jjjj<pgdown>")
		s.seesNot("line 00001 of the log")
		s.sees("#3, ") // keys act on it
		s.press("/29999<enter>", "line 29999 of the log")
		s.do("window.item back", "line 00000 of the log")
		s.press("<esc>Ew<enter>")
		want := "What holds the mutex?"
		if !strings.HasPrefix(written, want) || !strings.Contains(written, long.String()) {
			t.Errorf("the file has %d bytes and begins with %.40q", len(written), written)
		}
	}
}

// A time that is made up from the order of messages is shown nowhere.
func TestNoTimeIsMadeUp(t *testing.T) {
	s := opening(t, "chat.json", `[{"role":"user","content":"What is it?"},{"role":"assistant","content":"A test."}]`, 120, 36)
	if at := s.m.exp.Items().Loaded(0).Timestamp; !at.Set || !itemset.IsSynthetic(at.Value) {
		t.Fatalf("the time of #0 is %v", at)
	}
	s.do("view.Window", "#0 msg user ", "without a time", "#1 msg assistant ") // who speaks goes before how it is placed
	s.seesNot("2000-01-01")
	s.press("1<enter>", "source Chat, ")
	s.seesNot("2000-01-01")
}

// What is left out after the last item stands below it, and a click on what is left out goes to the item after it.
func TestWhatIsLeftOutStandsInTheWindow(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, talk(t, 120), size[0], size[1]).after("4G", "○ 1 left out: #2, 100 tok", "○ 1 left out: #4, 40 tok")
		s.press("gd")
		s.seesNot("left out")
		s.press("<esc>n")
		s.selects(1)
		x, y := s.find("1 left out: #2")
		s.click(x+2, y)
		s.selects(3)
	}
}

func TestWindowOfNothing(t *testing.T) {
	s := begin(t, talk(t, 10), 80, 24).after("4jJKG/x<enter>nM<enter>", "Nothing is in at this budget")
	musttest.Is(t, s.m.exp.Outcome(experiment.A).Report.Kept, 0, "something is in")
}

// The bars of the list are tokens or, where the best stand at both ends, the scores that they are placed by.
func TestTheBarsTellPlacersApart(t *testing.T) {
	session := talk(t, 400)
	for _, placer := range model.PlacerTypes() {
		session.Policy.Placer = placer
		s := begin(t, session, 120, 36)
		s.do("view.Window", "(placer "+string(placer)+")")
		report := s.m.exp.Outcome(experiment.A).Report
		weigh := func(i int) float64 { return float64(report.Taken(i)) }
		if placer == model.UShaped {
			s.line("item", "tok score")
			weigh = func(i int) float64 { return report.Scores[i] }
		}
		most := 0.0
		for _, i := range report.Placed() {
			most = max(most, weigh(int(i)))
		}
		for k, i := range report.Placed() {
			row := strings.Split(s.line(fmt.Sprintf("%d ● %d ", k+1, i)), "│")[1]
			bar := strings.Count(row, "█") * 8
			if rest := strings.LastIndexAny(row, "▏▎▍▌▋▊▉"); rest > 4 { // before it stands the mark of the row
				bar += strings.Index("▏▎▍▌▋▊▉", string([]rune(row[rest:])[0]))/3 + 1
			}
			musttest.Is(t, bar, int(weigh(int(i))/most*float64(8*8)+.5), placer, "the bar of", i, row)
		}
	}
}

// A text that is searched for where nothing is in is found once something is.
func TestASearchThatBeginsInAnEmptyWindow(t *testing.T) {
	s := begin(t, talk(t, 10), 100, 40).after("4/watcher<enter>", "the model reads nothing")
	s.press(":max 260<enter>n", "find watcher: #")
}

// n goes on from the first place, which the title tells by item, line and column, so that it is seen
// to go on where the next place is on the screen already.
func TestTheTitleTellsWhereATextIsFound(t *testing.T) {
	for _, s := range agentAtSizes(t, "4/test<enter>") {
		i, _ := s.m.selected()
		text := strings.ToLower(s.m.exp.Items().Loaded(i).Content)
		from := 0
		for n := range 3 {
			at := from + strings.Index(text[from:], "test")
			line, column := 1+strings.Count(text[:at], "\n"), at-strings.LastIndex(text[:at], "\n")
			s.line(fmt.Sprintf("Window  find test: #%d, line %d, column %d", i, line, column))
			from = at + 1
			if n < 2 {
				s.do("window.next place")
			}
		}
	}
}

// d shows the window of A as a difference to that of B, then to that of the request before.
func TestTheWindowIsShownAsADifference(t *testing.T) {
	for size, s := range agentAtSizes(t, "4jjj") {
		before := s.text()
		top, _ := s.m.selected()
		s.do("window.difference")
		a, b := s.m.exp.Outcome(experiment.A).Report, s.m.exp.Outcome(experiment.B).Report
		first, _ := s.m.selected() // it begins at the next difference
		for _, i := range a.Placed()[slices.Index(a.Placed(), int32(top)):] {
			if int(i) == first {
				break
			}
			if !b.In(int(i)) {
				t.Errorf("%v: the difference begins at #%d, after #%d", size, first, i)
			}
		}
		if a.In(first) == b.In(first) {
			t.Errorf("%v: the difference begins at #%d, which is none", size, first)
		}
		s.press("<esc>")
		musttest.Is(t, s.text(), before, size, "esc does not lead back to")
		s.do("window.difference")
		onlyA, onlyB := 0, 0
		s.press("g")
		for i := range a.Items.Len() {
			sign := "A"
			switch {
			case a.In(i) == b.In(i):
				continue
			case b.In(i):
				sign = "B"
				onlyB++
			default:
				onlyA++
			}
			s.until(fmt.Sprintf("%s #%d ", sign, i), "J")
		}
		s.press("gn", "A against B")
		for k := range 2 * (onlyA + onlyB) { // n goes round
			i, _ := s.m.selected()
			if a.In(i) == b.In(i) {
				t.Errorf("%v: n leads to #%d, which is no difference", size, i)
			}
			if size[0] == 120 {
				s.sees("│    7 items in both", "│   12 items in both", fmt.Sprintf("#%d, %d of %d differences", i, k%(onlyA+onlyB)+1, onlyA+onlyB))
			}
			s.do("window.next place")
		}
		if row := s.line("A against B"); !strings.Contains(row, fmt.Sprintf("only A: %d", onlyA)) || !strings.Contains(row, fmt.Sprintf("only B: %d", onlyB)) {
			t.Errorf("%v: the title is %q, want %d and %d items", size, row, onlyA, onlyB)
		}
		s.press("/", "a difference is shown; esc shows the whole text")
		s.do("policy.B", "B against A")
		s.press("A<esc>")
		s.seesNot("A against B")
		s.press("8hhh4dd", "against the request before", "− #")
		s.do("window.difference")
		s.seesNot("against the request before")
		s.press("8L4d") // B as A
		s.press("mddd", "Both windows hold the same items.")
		s.press("n", "n: nothing differs")
	}
}

// A window without another one to compare with says why.
func TestADifferenceSaysWhyThereIsNone(t *testing.T) {
	s := agentAt(t, 120, 36, "Bp")
	s.toRow("tool output require")
	s.press("30<enter><esc>A4d", "There is nothing to compare with: B has no result. d goes on.")
	s.press("<esc>8HH4dd", "this is the first request")
}

// Beside the text stand all items in the order in which the model reads them, and a click on one
// leads there, with a bar for its tokens; of a difference stands what differs.
func TestTheWindowIsOutlined(t *testing.T) {
	s := begin(t, talk(t, 160), 120, 36)
	s.do("view.Window", "d what differs from B")
	outline := func() (lines []string) {
		for _, line := range s.screen() {
			if strings.HasPrefix(line, "│") && strings.Count(line, "│") >= 3 {
				cells, _, _ := strings.Cut(strings.TrimPrefix(line, "│"), "│")
				if cells = strings.Join(strings.Fields(cells), " "); cells != "" {
					lines = append(lines, cells)
				}
			}
		}
		return lines
	}
	want := []string{"at # kind item tok", "▏ 1 ● 0 msg What holds the mutex? 40 █████▍", "2 ● 1 msg grep -rn Mutex store 20 ██▋", "○ 2 1 left out 100", "3 ● 3 msg The watcher holds th… 60 ████████", "4 ● 4 msg Old chatter about no… 40 █████▍"}
	musttest.Is(t, outline(), want, "the outline")
	x, y := s.find("3 msg")
	s.click(x, y)
	s.selects(3)
	s = begin(t, agentSession(t), 120, 36)
	s.do("view.Window")
	s.line(" 1 ◆  0 sys ")                                                                                             // the list begins with its first row, though #15 is selected
	s.do("window.difference", "A against B", "d against the request before", "▌ A #15 tool ", "│ │ $ git log --stat ") // the letter once, before the item
	signs := map[string]int{}
	for _, line := range outline() {
		signs[strings.TrimPrefix(strings.Fields(line)[0], "▏")]++
	}
	s.held = true
	s.do("window.difference", "the requests are being computed")
	s.release()
	s.tick()
	s.selects(15)
	musttest.Is(t, signs["A"], 4, "the outline has", signs, "the difference 4 and 2 items", s.text())
	musttest.Is(t, signs["B"], 2, "the outline has", signs, "the difference 4 and 2 items", s.text())
}
