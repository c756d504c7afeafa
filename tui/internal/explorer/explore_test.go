package explorer

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// islands is the set of the specification's false assumption: B is in at 50,
// out from 100, in again from 150.
func islands(t testing.TB, budget model.Tokens) *Workspace {
	t.Helper()
	items := musttest.Of(model.NewSet([]model.Item{
		{Content: "A, dense", Tokens: 100, FutureRelevanceHint: model.Some(1.0)},
		{Content: "B, thin", Tokens: 50, FutureRelevanceHint: model.Some(0.1)},
	}))(t)
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	p.Name = "islands"
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: budget}))(t)
	return made(Workspace{Name: "islands", Format: "scenario", Items: items, Policy: p, Budget: b, Ceiling: 200})
}

// What count quotas commit may exceed the room, and is cut off at the target.
func TestItemsCutOffAndCrowdedOutSayWhy(t *testing.T) {
	session := islands(t, 130)
	require := func(kind model.Kind) model.CountQuota { return model.CountQuota{Kind: kind, Require: 1, Cap: 1} }
	session.Policy.CountQuotas = []model.CountQuota{require("Document"), require("Memory")}
	session.Policy.Overflow = model.Truncate
	var err error
	session.Items, err = model.NewSet([]model.Item{
		{Content: "A", Tokens: 100, Kind: "Document", FutureRelevanceHint: model.Some(1.0)},
		{Content: "B", Tokens: 50, Kind: "Memory", FutureRelevanceHint: model.Some(0.5)},
		{Content: "C", Tokens: 10, FutureRelevanceHint: model.Some(0.1)},
	})
	musttest.Do(t, err)
	s := begin(t, session, 180, 36)
	s.sees("free 30")
	s.press("j", "out, selected, then dropped by overflow truncate: needs 50, 30 left of the target; next in with 20 more")
	s.press("j", "out, nothing is left at its turn: needs 10")
}

// The strip of an item has a budget a cell at least, where there are as many budgets: one that comes in next
// to the current budget and stays had five cells.
func TestTheStripOfAnItemIsWide(t *testing.T) {
	s := begin(t, islands(t, 99), 120, 36)
	widest := 0
	for _, line := range s.screen()[5:] {
		widest = max(widest, strings.Count(line, "▅")+strings.Count(line, "·"))
	}
	if widest < 80 {
		t.Errorf("the strip has %d cells:\n%s", widest, s.text())
	}
}

func TestALargerBudgetDropsAnItem(t *testing.T) {
	s := begin(t, islands(t, 50), 180, 36)
	s.sees("● 1 of 2 in", "] } 100 + #0 − #1")
	s.press("j]", maxTokens+" 50 → 100: + #0  − #1  +50 tok", "out, "+short(50, 0)+"; in with 1 less or with 50 more")
	s.do("budget.next", maxTokens+" 100 → 150: + #1", "] no change above", "[ { 149 − #1")
	s.press("]", "]: nothing changes above, up to the ceiling of 200")
	s.do("budget.back", maxTokens+" 150 → 149: − #1")
	s.do("item.back", maxTokens+" 149 → 99: + #1  − #0")
	s.do("item.stays", maxTokens+" 99 → 150")
	s.do("item.stays", maxTokens+" 150 → 50")
	s.do("item.next", maxTokens+" 50 → 100")
	s.press("uuuuu", "undo "+maxTokens+" 149 → 150", maxTokens, "‹ 150 ›")
	s.do("redo", "redo "+maxTokens+" 150 → 149", "‹ 149 ›")
}

// What the screen says of an item must be what the pipeline does at that budget.
func TestTheTableSaysWhatThePipelineDoes(t *testing.T) {
	session := sampleSession(t, 60)
	s := begin(t, session, 200, 90).after("<tab>") // the knobs: h and l work from anywhere, j and k move there
	for _, keys := range []string{"", "llll", "L", "hh", "H", "j", "lll"} {
		s.press(keys)
		setup := s.m.exp.Setup()
		p := musttest.Of(pipeline.New(setup.Policy[experiment.A]))(t)
		r := musttest.Of(p.Rank(context.Background(), s.m.exp.Items()))(t)
		b := musttest.Of(model.NewBudget(setup.Budget))(t)
		report := musttest.Of(r.DryRun(b))(t)
		in := 0
		screen, main := s.screen(), s.m.drawn.layout.Main
		for _, line := range screen[main.Y+2 : main.Y+main.H-1] {
			row := string([]rune(line)[main.X+1:])
			fields := strings.Fields(strings.TrimLeft(strings.TrimSpace(row), "▌▏"))
			if len(fields) < 3 {
				continue // no item
			}
			glyph := fields[0]
			var i int
			for _, d := range fields[1] {
				i = 10*i + int(d-'0')
			}
			shown := glyph == "●" || glyph == "◆" || glyph == "~"
			musttest.Is(t, shown, report.In(i), "after", keys, "item", i, "is shown as", glyph, "the pipeline says", report.Reason(i), row)
			if shown {
				in++
			}
		}
		musttest.Is(t, in, len(report.Included), "after", keys, "items are shown in, the pipeline includes")
	}
}

func TestKnobSteps(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("l", "‹ 33,000 ›", maxTokens+" 32,000 → 33,000")
	s.press("ll", "‹ 35,000 ›")
	s.do("undo") // steps of one knob in a row are one change
	s.sees("‹ 32,000 ›", "undo "+maxTokens+" 35,000 → 32,000")
	s.press("L", "‹ 40,000 ›")
	s.press("<tab>jjH", "‹ 7,000 ›", reserve+" 8,000 → 7,000")
	s.do("knob.reset", "‹ 8,000 ›", reserve+" 7,000 → 8,000")
}

func TestTypedValues(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("<tab><enter>", maxTokens+" (32,000):", "esc cancels")
	s.press("64x", `not a number of tokens: "64x"`)
	s.press("<enter>", "not a number of tokens")
	s.press("<backspace>k<enter>", maxTokens+" 32,000 → 64,000", "‹ 64,000 ›")
	s.m.knobs.Select(experiment.TargetTokens)
	s.press("<enter>70k<enter>", "target is 70,000, must be 0 to 64,000")
	s.press("<esc>", "cancelled: target")
	s.press("<enter>60k<enter>", "target = max → max-4,000 = 60,000")
	s.press("<enter>=max<enter>", "target max-4,000 = 60,000 → = max")
}

func TestPinExcludeAndUndo(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("gjjj<space>", "pin #3:", "◆  3", "in, "+plain.Pinned, "always in, at every budget")
	s.do("item.pin", "release #3:")
	s.press("<space>:unpin 3<enter>", "release #3:")
	musttest.Is(t, s.m.exp.Items().Pinned(3), false, "after unpin, #3 is pinned")
	s.press("u:unpin<enter>", "release ")
	for i := range s.m.exp.Items().Len() {
		if s.m.exp.Items().Pinned(i) {
			t.Errorf("unpin leaves #%d pinned", i)
		}
	}
	s.press("uu")
	s.do("item.exclude", "exclude #3:", "×  3", excluded+" by", "out, "+excluded+" by you (x undoes it)")
	s.do("item.exclude", "restore #3:")
	s.press("uuuu", "○  3")
	s.press("u", "u: nothing to undo")
}

func TestFilterAndSort(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("/kind:tool", "filter: kind:tool")
	s.press("<enter>", "filter kind:tool", "shown")
	for _, row := range s.screen() {
		if strings.Contains(row, "of the sample") && strings.Contains(row, " doc ") {
			t.Errorf("a document passes the filter kind:tool: %s", row)
		}
	}
	s.do("filter", "filter: kind:tool", "typing replaces it, right edits it")
	s.press("<right> tok<lt>zz", "character 15: ")
	s.press("<esc>", "filter kind:tool")
	s.press("/is:in<enter>", "filter is:in")
	s.press("/kind:tool<enter>", "filter kind:tool")
	s.press("<esc>", "[1 Items]")
	s.press("n", "n: there is no filter; / sets one")
	s.do("items.sort", "by tokens, most first")
	s.do("items.reverse", "by tokens ")
	s.press("/nothing has this text<enter>", "No item matches the filter", "No item is selected.")
	s.press("<space>", "space: no item is selected")
}

func TestLoadingAndItsErrors(t *testing.T) {
	hold := errors.New("line 3, column 7: expected a string, as in \"content\": \"text\"")
	s := begin(t, &Workspace{Name: "bad.json"}, 80, 24, func(o *Options) {
		o.Open = func(context.Context) (*Workspace, error) { return nil, hold }
	})
	s.sees("Could not open bad.json", "line 3, column 7: expected a string", "q or esc quits")
	st := &story{t: t, m: New(context.Background(), Options{Source: "big\x1b[31m.json", Open: func(context.Context) (*Workspace, error) { return nil, hold }}), held: true}
	st.run(st.m.Init())
	st.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	st.sees("loading big.json…", "nothing has been read yet", "q or esc quits")
	st.release()
	st.sees("Could not open")
}

// From why a source could not be opened a key leads to another, and back.
func TestAnotherSourceIsOpenedWhereOneCouldNotBe(t *testing.T) {
	dir := folder(t, "bad.json", "good.json", "worse.json")
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, size := range sizes {
		s := begin(t, &Workspace{Name: path("bad.json")}, size[0], size[1], func(o *Options) {
			o.OpenOther = func(_ context.Context, name string) (*Workspace, error) {
				if name == path("good.json") {
					return sampleSession(t, 10), nil
				}
				return nil, errors.New(filepath.Base(name) + " is no better")
			}
			o.Open = func(ctx context.Context) (*Workspace, error) { return o.OpenOther(ctx, path("bad.json")) }
		})
		s.sees("bad.json is no better", "o opens another source")
		s.do("source.open", "Open in place of ", "▌bad.json", "worse.json")
		s.seesNot("reading…") // what the marked file holds is read, though nothing is open
		s.press("<esc>", "bad.json is no better")
		s.press("o<end><enter>", "worse.json is no better", "o opens another source")
		s.press("o"+path("none.json")+"<enter>", "not opened: ")
		s.press("<esc>o<ctrl+u><home><down><enter>")
		s.seesNot("is no better")
		s.line("sample.json", "in")
		musttest.Is(t, s.m.load.failed, nil, "the program would end with the error of the first source")
	}
}

// Nothing of an old setup may be shown as if it were the answer.
func TestWorkInFlightIsMarked(t *testing.T) {
	session := sampleSession(t, 1000)
	session.Policy.Slicer, session.Policy.BucketSize = model.Knapsack, 50
	s := begin(t, session, 120, 36)
	before := s.line("selected ", "free ")
	s.held = true
	s.press("j<space>", "computing…", "pin #1: computing…", "(last result, before the change)")
	s.press("k<space>") // supersedes the first
	s.release()
	s.seesNot("computing…", "(last result")
	if after := s.line("selected ", "free "); after == before {
		t.Errorf("the room did not change: %s", after)
	}
}

func TestSizes(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.sees("─ A greedy", "Next changes")
	for _, c := range []struct {
		w, h  int
		sees  []string
		lacks []string
	}{
		{80, 24, []string{"[1 Items]", maxTokens + " ‹ 32,000 ›", plain.StaysFrom, "··"}, []string{"Next changes"}},
		{60, 16, []string{maxTokens + " ‹ 32,000 ›", plain.StaysFrom, "? all keys"}, []string{"[1 Items]"}},
		{59, 16, []string{"cupelscope needs 60x16, this is 59x16"}, []string{maxTokens}},
		{20, 4, []string{"needs 60x16"}, nil},
		{5, 1, []string{"60x16"}, nil},
		{1, 1, nil, nil},
		{300, 100, []string{"Next changes", "item 59 of the sample"}, nil},
	} {
		s.send(tea.WindowSizeMsg{Width: c.w, Height: c.h})
		for _, l := range s.screen() {
			if n := len([]rune(l)); n > c.w {
				t.Errorf("%dx%d: a line of %d cells: %s", c.w, c.h, n, l)
			}
		}
		s.sees(c.sees...)
		if len(c.lacks) > 0 {
			s.seesNot(c.lacks...)
		}
	}
}

func TestThemes(t *testing.T) {
	for _, c := range []struct {
		name         string
		change       func(*Options)
		colour, high bool
	}{
		{"dark", func(o *Options) { o.Theme = theme.Dark }, true, true},
		{"light", func(o *Options) { o.Theme = theme.Light }, true, true},
		{"NO_COLOR", func(o *Options) { o.NoColor = true }, false, true},
		{"ascii", func(o *Options) { o.ASCII = true }, true, false},
	} {
		s := begin(t, sampleSession(t, 60), 120, 36, c.change)
		for _, keys := range []string{"", "2", "?", "<tab>", "<esc><esc>:max 9", "<esc>1<enter>", "<esc>i", "<esc>/x"} {
			s.press(keys)
			text := s.m.View().Content
			musttest.Is(t, strings.Contains(text, "38;2;") || strings.Contains(text, "48;2;"), c.colour, c.name, "after", keys, "colours")
			if !c.high {
				for _, r := range text {
					if r > 0x7e {
						t.Fatalf("ascii after %q: %q on the screen:\n%s", keys, r, s.text())
					}
				}
			}
		}
	}
	// The terminal's answer decides where nothing was asked for.
	s := begin(t, sampleSession(t, 60), 120, 36, func(o *Options) { o.Theme = theme.Auto })
	dark := s.m.View().Content
	s.send(tea.BackgroundColorMsg{Color: ansiWhite{}})
	if s.m.View().Content == dark {
		t.Error("a light background changes nothing")
	}
}

type ansiWhite struct{}

func (ansiWhite) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }

// The help says what space does to the selected item, a duplicate why the other is kept, and no legend is cut.
func TestHelpSaysWhatAKeyDoesNow(t *testing.T) {
	s := agentAt(t, 120, 36, "?")
	s.line("pin the item: keep it in", "#15, 930 tok")
	s.press("<esc>:0<enter>?")
	s.line("release the pinned item: it competes again", "#0, 616 tok")
	s.press("<esc>:12<enter><enter>", "same text as #28, which ")
	o := s.m.exp.Outcome(s.m.side)
	why := "which came first"
	if o.Report.Scores[28] > o.Report.Scores[12] {
		why = "which scores higher"
	}
	s.sees("same text as #28, " + why)
	s.press("<esc><esc>:cheaper")
	s.line("the sweep of cuts")
	s.press("<esc>8")
	for width := 60; width <= 130; width++ {
		s.send(tea.WindowSizeMsg{Width: width, Height: 36})
		if strings.Count(s.text(), "not c") != strings.Count(s.text(), "not cached") {
			t.Fatalf("%d columns cut the legend:\n%s", width, s.text())
		}
	}
}

func TestHelpRunsWhatItFinds(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.do("help", "Help", "pin the item: keep it in")
	s.press("only the differences", "only the differences, or all (only in Compare (2))")
	s.press("<enter>", "d: only in Compare (2)")
	s.press("?compare view<enter>", s.tab(2))
	s.press("?no such key at all", "Not understood; try", "12000")
	s.press("<enter><esc>", s.tab(2))
}

func TestKeysThatDoNothingSayWhy(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	free := "~"
	for s.m.keys.of(everywhere, free) != nil || s.m.keys.of(0, free) != nil { // a key is added now and then
		free = string(free[0] - 1)
	}
	s.press(free, free+" does nothing; ? lists what every key does")
	s.press("r", "r: nothing to read again: this did not come from a file")
	s.press("2R", "R: no result is recorded: only a selection report of Cupel's has one")
	s.send(tea.KeyPressMsg{Code: 'é', Text: "é\x1b[31m"})
	s.sees("that key does nothing")
	s.send(tea.PasteMsg{Content: "pasted"})
	s.sees("nothing is being typed here")
}

func TestReader(t *testing.T) {
	session := sampleSession(t, 3)
	long := strings.Repeat("a line of a long text\n", 5000)
	items := musttest.Of(model.NewSet([]model.Item{{Content: long, Tokens: 100}, {Content: "\x1b]0;title\a evil \x1b[2Jtext\r\nnext", Tokens: 5}}))(t)
	session.Items = items
	s := begin(t, session, 120, 36).after("<enter>", "#0 msg", "a line of a long text")
	s.line("└", " below ─┘")
	s.press("G", " above ─┘", "110,000 bytes")
	s.press("g<esc>j<enter>", "evil text", "next")
	s.seesNot("title")
	if strings.Contains(s.m.View().Content, "\x1b]") || strings.Contains(s.m.View().Content, "\x1b[2J") {
		t.Error("an item's escape sequence reached the terminal")
	}
}

func TestQuitAsksOnlyWhenThereIsSomethingToLose(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	q := tea.KeyPressMsg{Code: 'q', Text: "q"}
	s.press("l")
	if s.quits(q) {
		t.Fatal("q quit although there are unsaved changes")
	}
	s.sees("unsaved changes: q quits without them")
	s.press("j")
	if s.quits(q) {
		t.Fatal("another key in between did not take the question back")
	}
	s.press("<esc>/kind:tool<enter>")
	before := s.m.exp.Setup()
	for _, key := range []string{"x", "]", "<esc>", "u", ":"} {
		s.press("q"+key, "not quitting: the changes are all here", "filter kind:tool")
		if !s.m.exp.Setup().Equal(before) {
			t.Errorf("%s answered the question and changed something too", key)
		}
	}
	s.do("quit")
	musttest.Is(t, strings.TrimSpace(s.screen()[35]), "q quit without them  w save  esc stay", "under the question the footer")
	s.click(60, 10, "not quitting: the changes are all here")
	s.do("quit", "w save")
	s.click(s.m.drawn.hintAt[1].X, 35, "write scenario to")
	s.press("<esc>u")
	if !s.quits(q) {
		t.Fatal("q does not quit after undoing everything")
	}
}

// On a screen that is too small to show anything, keys change nothing; the question whether to quit
// is asked there too, and esc takes it back.
func TestATooSmallScreenChangesNothing(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("l")
	before, view := s.m.exp.Setup(), s.m.view()
	for _, size := range [][2]int{{59, 36}, {120, 15}, {20, 5}} {
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, r := range "l] x*2/uc:w" {
			if s.quits(tea.KeyPressMsg{Code: r, Text: string(r)}) || !s.m.exp.Setup().Equal(before) || s.m.view() != view || s.m.typing() {
				t.Fatalf("%v: the key %q did something", size, r)
			}
		}
		ctrlC, esc := tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}, tea.KeyPressMsg{Code: tea.KeyEscape}
		if s.quits(ctrlC) {
			t.Fatalf("%v: ctrl+c quits without a question", size)
		}
		s.sees("unsaved")
		s.quits(esc)
		s.seesNot("unsaved")
		if s.quits(ctrlC) {
			t.Fatalf("%v: esc does not take the question back", size)
		}
		if !s.quits(ctrlC) {
			t.Fatalf("%v: the second ctrl+c does not quit", size)
		}
		s.quits(esc)
	}
}

// quits presses a key and reports whether the program ends.
func (s *story) quits(key tea.KeyPressMsg) bool {
	_, cmd := s.m.Update(key)
	return slices.ContainsFunc(flatten(cmd), func(msg tea.Msg) bool { _, ok := msg.(tea.QuitMsg); return ok })
}

func flatten(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range msg {
			all = append(all, flatten(c)...)
		}
		return all
	default:
		return []tea.Msg{msg}
	}
}

// The filter is one for all views.
func TestTheFilterHoldsInCompareToo(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("/kind:tool<enter>2", "filter kind:tool", "shown")
	s.seesNot(" msg  item")
	s.press("<esc>/-is:in<enter>", "filter -is:in")
	s.press("<esc>")
	s.seesNot("filter -is:in", " shown")
	s.press("/kind:nothing<enter>", "only A: ", "; 0 shown")
	s.press("n<space>", "no item is selected")
}
