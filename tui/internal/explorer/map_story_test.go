package explorer

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

func TestMapShowsIslands(t *testing.T) {
	s := begin(t, islands(t, 60), 100, 30, func(o *Options) { o.NoColor, o.ASCII = true, true })
	s.press("3a", s.tab(3), "1 of 2 items comes and goes", "budgets 50 to 200", "2x: comes in twice", "by number of ranges", "now")
	// Zoomed in, each column is one budget, and the islands are seen exactly:
	// B is in at 50 to 99 and from 150.
	s.press("+++", "+: each column is one budget already")
	row := s.line("B, thin", "2x")
	cells := row[len(row)-1-strings.IndexFunc(reversed(row), func(r rune) bool { return !strings.ContainsRune(".:iI#|@", r) }):]
	p := s.m.exp.Profile(experiment.A)
	want := ""
	lo := model.Tokens(60) - model.Tokens(strings.IndexByte(cells[1:], '@'))
	for b := lo; len(want) < len(cells)-1; b++ {
		switch in := p.Bands(nil, 1); {
		case b == 60:
			want += "@"
		case in[0].From <= b && b <= in[0].To || b >= in[1].From:
			want += "#"
		default:
			want += "."
		}
	}
	musttest.Is(t, cells[1:], want, "the cells of B are")
	musttest.Says(t, want, "##.", "the cells of B are")
	// A column is a budget; a run of steps is one change.
	s.press("ll")
	s.budgetIs(62)
	s.do("map.far up", maxTokens+" 62 > 72")
	s.do("undo")
	s.budgetIs(60)
	// Far away: the map follows.
	s.press("]]]")
	s.budgetIs(150)
	s.press("<lt><lt>", "150 >")
	s.do("map.all too", "budgets 50 to 200")
	s.do("map.all too", "0: all budgets are shown already, an item a row")
	s.do("map.pan up", ">: there are no budgets above")
}

func reversed(s string) string {
	r := []rune(strings.TrimRight(s, " |"))
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func TestMapLeadsToItems(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("3ssssjjj", "by input")
	i, _ := s.m.selected()
	s.do("map.open")
	if j, ok := s.m.selected(); s.showing() != "Items" || !ok || i != j {
		t.Errorf("enter leads to view %s, item %d; want Items with %d", s.showing(), j, i)
	}
	s.press("<enter>")
	musttest.Is(t, s.m.reading(), true, "after a second enter, the item is read")
	s.press("<esc>3/kind:tool<enter>", " of 60 items", "by input")
	s.press("<esc>/kind:nothing<enter>", "No item matches the filter kind:nothing")
	s.press("<esc>", "60 items come and go", "by input")
	s.press("))", ", 2 a half row", "⁺: comes in more than once", " of 2 items in; #")
	s.line("#16 ▀") // the first of eight
	s.press("))))", "): all items are shown already")
	s.press("z(", "60 items come and go", "budgets")
	s.do("map.spread", "(: each item has a row of its own already")
}

// Without colours each state has a mark of its own, beside the cells and in them,
// and the legend says those that are on the screen.
func TestMapTellsStatesWithoutColours(t *testing.T) {
	for _, ascii := range []bool{true, false} {
		s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.NoColor, o.ASCII = true, ascii })
		mark := func(unicode, plain string) string {
			if ascii {
				return plain
			}
			return unicode
		}
		s.do("view.Map", mark("●▅ in  ▁▂▃ in at some  ○· out  ~ ", "+# in  :iI in at some  -. out  ~ ")+plain.AtRisk+mark("  ◆ ", "  P ")+plain.Pinned)
		s.seesNot("needed", excluded, duplicate)
		s.press("sg", "by first in")
		musttest.Says(t, s.line("1 sys", "Tools: ["), strings.Repeat(mark("◆", "P"), 30), "a pinned row")
		s.do("item.needed", mark("★ needed", "N needed"))
		s.press("/is:risk<enter>")
		// At risk at the current budget alone: beside the cells, and in the column of now.
		if row := s.line("57 tool"); !strings.Contains(row, mark("▁", ":")) || strings.Count(row, "~") != 2 {
			t.Errorf("a row at risk: %s", row)
		}
		s.press("x<esc>/is:out<enter>G", mark("≡ ", "d ")+duplicate, mark("× ", "x ")+excluded)
	}
}

// Lines that are not computed say so, and are never drawn as if out.
func TestMapSaysWhatIsComputing(t *testing.T) {
	items := model.Tokens(3000)
	if testing.Short() {
		items = 600
	}
	session := sampleSession(t, int(items))
	session.Policy.Slicer, session.Policy.BucketSize = model.Knapsack, 1
	s := begin(t, session, 100, 30, func(o *Options) { o.NoColor = true })
	s.held = true
	s.press("3", "computing…", items.String()+" items, ") // all of them
	s.release()
	s.seesNot("computing")
}

func TestTheMouseTakesBudgetsInTheMap(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("3(")
	before := s.m.budget()
	lo, _ := widget.StripRange(s.m.exp.Outcome(experiment.A))
	x, y := s.find(" " + lo.Short() + "·")
	x += 10
	s.click(x, y+3)
	if s.m.budget() == before || s.m.budget() > 25_000 {
		t.Errorf("a click near the left end leads to maxTokens %v", s.m.budget())
	}
	hit := s.m.view().Hit(x, y+3)
	if i, _ := s.m.selected(); !hit.Item.Set || i != hit.Item.Value {
		t.Errorf("a click on #%d selects #%d", hit.Item.Value, i)
	}
	s.do("undo")
	s.budgetIs(before)
	s.send(tea.MouseWheelMsg{X: x, Y: y + 3, Button: tea.MouseWheelUp, Mod: tea.ModCtrl})
	s.seesNot("budgets " + lo.String() + " to 128,000")
	s.send(tea.MouseWheelMsg{X: x, Y: y + 3, Button: tea.MouseWheelDown, Mod: tea.ModCtrl})
	s.send(tea.MouseWheelMsg{X: x, Y: y + 3, Button: tea.MouseWheelDown, Mod: tea.ModCtrl})
	s.sees("budgets "+lo.String()+" to 128,000", "all budgets are shown already")
}

// A filter hides items: it is told on every width that has a line for it.
func TestAFilterIsToldOnNarrowScreens(t *testing.T) {
	for _, width := range []int{80, 90, 100, 120} {
		s := begin(t, sampleSession(t, 60), width, 24).after("3/kind:tool<enter>")
		tabs := s.line(s.tab(3))
		musttest.Says(t, tabs, "filter", width, "columns")
		s.press("<esc>")
		if tabs := s.line(s.tab(3)); strings.Contains(tabs, "filter") {
			t.Errorf("%d columns: %s", width, tabs)
		}
	}
}

// P lets the budget run from the first column to the last. What moves is marked for three
// frames, any key stops the run and does nothing else, and one undo goes back.
func TestTheMapRunsThroughTheBudgets(t *testing.T) {
	for size, s := range agentAtSizes(t, "3P") {
		first, _ := s.m.exp.Profile(s.m.side).Axis().Start()
		if b := s.m.budget(); b > first*5/4 {
			t.Errorf("%v: the run begins at %v, the axis at %v", size, b, first)
		}
		for last := s.m.budget(); s.tick(); last = s.m.budget() {
			if s.m.budget() < last {
				t.Fatalf("%v: the budget falls from %v to %v", size, last, s.m.budget())
			}
		}
		if end := s.m.exp.Setup().End(); s.m.budget() < end*9/10 {
			t.Errorf("%v: the run ends at %v, the axis at %v", size, s.m.budget(), end)
		}
		s.do("map.run")
		s.tick()
		s.tick()
		at := s.m.budget()
		s.press("j", "stopped at "+at.String())
		if s.tick() && s.m.budget() != at {
			t.Errorf("%v: the run goes on", size)
		}
		s.press("uu")
		s.budgetIs(32_000)
	}
}

// What a step of the run moves is marked for three frames.
func TestTheRunOfTheMapMarksWhatMoves(t *testing.T) {
	s := begin(t, islands(t, 60), 100, 30).after("3aP")
	since, marks := 9, 0 // frames since something moved
	for change := s.m.exp.Changes(); s.tick(); {
		since++
		im, _ := s.m.exp.Impact()
		if im.Change != change && len(im.In)+len(im.Out) > 0 {
			since = 0
			marks++
		}
		change = im.Change
		content := s.m.View().Content
		marked := strings.Contains(content, s.m.theme.SGR(theme.CameIn, 0)) || strings.Contains(content, s.m.theme.SGR(theme.WentOut, 0))
		if want := since < 3; marked != want {
			t.Fatalf("at %v, %d frames after a change, marked: %v", s.m.budget(), since, marked)
		}
	}
	if marks < 2 {
		t.Errorf("%d steps moved anything", marks)
	}
}

// The legend shows cells as the map draws them, where 16 colours give their marks another colour.
func TestTheLegendOfTheMapHasTheColoursOfItsCells(t *testing.T) {
	for _, name := range []theme.Name{theme.Dark, theme.Light} {
		s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Theme = name })
		s.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
		s.do("view.Map")
		look := theme.NewFor(name, false, theme.Colours16)
		want := look.SGR(theme.StripIn, 0) + string(look.Glyphs.Strip[4]) + "\x1b[m"
		if frame := s.m.View().Content; !strings.Contains(frame, want+look.SGR(theme.Dim, 0)+" in") && !strings.Contains(frame, want+" "+look.SGR(theme.Dim, 0)+"in") {
			t.Errorf("%s: the legend has no %q", name, want)
		}
	}
}

// Of 16 colours, where strips keep their ground, the row under the cursor has none beside its strip.
func TestTheRowUnderTheCursorEndsWithItsStrip(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Theme = theme.Light })
	s.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	s.do("budget.next")
	look := theme.NewFor(theme.Light, false, theme.Colours16)
	stub := look.SGR(theme.Plain, theme.Selected) + " \x1b[m" + look.SGR(theme.Focus, 0) + string(look.Glyphs.Vertical)
	if strings.Contains(s.m.View().Content, stub) {
		t.Errorf("%q is on the screen", stub)
	}
}

// A duplicate comes and goes with the item that it repeats, whose row alone has the number of
// ranges: as many rows have one as the title counts.
func TestADuplicateIsNotCountedTwiceInTheMap(t *testing.T) {
	s := begin(t, fixture(t, "nonmonotone"), 120, 60)
	s.do("view.Map", "Map  1 of 5 items comes and goes")
	rows := regexp.MustCompile(`(?m)^│.{3} *\d+× `).FindAllString(s.text(), -1)
	musttest.Is(t, len(rows), 1, "rows with several ranges")
}

// A duplicate of an item that is in at no budget up to the ceiling is above it too, in Map as in Items.
func TestADuplicateIsAboveTheCeilingInTheMap(t *testing.T) {
	s := agentAt(t, 120, 36, ":set ceiling 50000<enter>f12<enter>#", "same as #28")
	s.press("3", "#12 doc store/store.go, lines 1-206", "same as #28:   first in above 50k   stays from above 50k  at 32,000: duplicate")
}
