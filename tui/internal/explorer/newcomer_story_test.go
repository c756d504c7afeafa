package explorer

import (
	"fmt"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// No key pins or excludes an item that is not named on the screen.
func TestNoKeyActsOnWhatIsNotSeen(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	before := s.m.exp.Setup()
	for _, c := range []struct{ open, key, says string }{
		{"7", "<space>", "space: Curve shows no item; 1 shows them"},
		{"", "x", "x: Curve shows no item; 1 shows them"},
		{"1v7", "<space>", "space: Curve shows no item"}, // nor on those chosen before
		{"1<esc>p", "<space>", "space: no item is shown here; esc closes the editor"},
	} {
		s.press(c.open+c.key, c.says)
	}
	musttest.Is(t, s.m.exp.Setup().Equal(before), true, "the setup is as before")
}

// The labels at the ends of an axis stay where they are while the budget moves,
// and the budget stands at its mark.
func TestAxisLabelsDoNotMove(t *testing.T) {
	for _, view := range []string{"1", "3", "7"} {
		s := agentAt(t, 180, 36, view)
		at := func() (least, end int) {
			x, _ := s.find("11.3k·")
			y, _ := s.find("·96.7k")
			return x, y
		}
		least, end := at()
		for range 4 {
			s.do("budget.next")
			if x, y := at(); x != least || y != end {
				t.Errorf("view %s: the ends moved from %d and %d to %d and %d", view, least, end, x, y)
			}
			if b := s.m.budget(); !strings.Contains(s.text(), "┊"+b.String()) && !strings.Contains(s.text(), "┊"+b.Short()) {
				t.Errorf("view %s: %v does not stand at its mark:\n%s", view, b, s.text())
			}
		}
	}
}

// Only the pane that keys go to has a solid cursor, in every view and size.
func TestOneCursorIsSolid(t *testing.T) {
	for _, size := range sizes {
		for k := range ViewNames() {
			s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.Theme = theme.NoColor }).after(string(rune('1' + k)))
			s.press("<tab>")
			pane := s.m.drawn.layout.Main
			for y, l := range s.screen()[pane.Y : pane.Y+pane.H] {
				if main := []rune(l + strings.Repeat(" ", 200))[pane.X : pane.X+pane.W]; strings.ContainsAny(string(main), "▌") {
					t.Errorf("%v, view %d: the pane without focus has a solid cursor in row %d: %s", size, k+1, y, string(main))
				}
			}
			s.press("<tab>")
		}
	}
	s := begin(t, agentSession(t), 120, 36)
	for _, want := range []string{"▌~ 15", "▌budget", "▌~ 15"} {
		s.line(want)
		if text := s.text(); strings.Count(text, "▌") != 1 || strings.Count(text, "▏") != 1 {
			t.Errorf("the screen does not have one solid cursor and one hollow:\n%s", text)
		}
		s.press("<tab>")
	}
}

// Where all fits, the screen says so, and which key shows what falls out first.
func TestEverythingFits(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		s := begin(t, sampleSession(t, 6), size[0], size[1])
		s.sees("Everything fits", "{")
		s.do("view.Map")
		s.seesNot("Everything fits") // the tip is about the table
		s.press("1j{")
		s.seesNot("Everything fits")
		s.fated(func(rep *model.Report, i int) bool { return !rep.In(i) }) // fails where none is out
	}
}

// On a screen of few rows an overlay has no frame, whose rows show more lines.
func TestNoFramesWhereRowsAreFew(t *testing.T) {
	for _, keys := range []string{":", "?<tab>", "p", "i", "f"} {
		for _, c := range []struct {
			w, h  int
			frame bool
		}{{60, 16, false}, {120, 36, true}} {
			s := agentAt(t, c.w, c.h, keys)
			lines, main := s.screen(), s.m.drawn.layout.Main
			corner := string([]rune(lines[main.Y])[main.X])
			musttest.Is(t, corner == "┌", c.frame, keys, "at", c.w, "x", c.h, "framed", s.text())
		}
	}
}

// A key that changes nothing says so.
func TestShowingAllTwiceSaysSo(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for _, keys := range []string{"3zz", "300", "7z", "70"} {
		s.press(keys, "all budgets are shown already")
	}
}

// The numbers behind the order come with #, or on a screen of 140 columns; stays
// is there before.
func TestTheFirstTableHasFewColumns(t *testing.T) {
	for _, c := range []struct {
		width int
		keys  string
		all   bool
	}{{80, "", false}, {80, "#", true}, {120, "", false}, {139, "", false}, {140, "", true}, {120, "#", true}, {120, "##", false}} {
		s := agentAt(t, c.width, 36, c.keys)
		if head := s.line(" # kind "); strings.Contains(head, " why │ score │ /1k │ first in │") != c.all {
			t.Errorf("%d columns, %q: the table has %s", c.width, c.keys, head)
		}
	}
}

// A line stands between the headings of the reasons, the budgets and the strips, whose frame says in words
// what they are over and how the rows are sorted.
func TestHeadingsAreParted(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}, {200, 60}} {
		s := begin(t, agentSession(t), size[0], size[1])
		want := []string{" item ", "why │ ", " │ " + widget.ByStays.String()}
		if size[0] > 60 {
			want[2] += " │ 11.3k·"
		}
		s.line(want...)
		if size[0] >= 120 {
			s.line("─ Items ─", " over budgets: ▅ in  ▁ in at some  ≡ "+duplicate+" ──", "─ sorted by input ─┐")
		}
	}
}

// An item without a reason has its cells for its name, and the headings stay where they are while
// the table scrolls.
func TestANameHasTheRoomThatNoReasonTakes(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		longest := func(item int, row string) (shown int) { // how much of the name the row has
			name := s.m.exp.Items().Loaded(item).Headline(200)
			for shown < len(name) && strings.Contains(row, name[:shown+1]) {
				shown++
			}
			return shown
		}
		if in, out := longest(10, s.line("● 10 msg")), longest(11, s.line("○ 11 tool", " 40 left")); in < out+12 {
			t.Errorf("%v: the name without a reason has %d cells, that with one %d", size, in, out)
		}
		if size[0] >= 120 { // the item that is pointed out is in sight from the first row on
			s.line("◆  0 sys")
			s.seesNot(" above")
		}
		why, stays := [2]int{}, [2]int{}
		for k, key := range []string{"g", "G"} {
			s.press(key)
			why[k], _ = s.find("why")
			stays[k], _ = s.find(widget.ByStays.String())
		}
		musttest.Is(t, why[0], why[1], size, "headings move from")
		musttest.Is(t, stays[0], stays[1], size, "headings move from")
	}
}

// Where not all rows fit, the frame says how many there are above and below, and headings of groups have no columns.
func TestTheFrameOfTheTableSaysHowManyRowsAreBeyond(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for _, keys := range []string{"", "G", "g", "]"} {
		s.press(keys)
		var shown []int
		for _, l := range s.screen() {
			var mark string
			var i int
			if fields := strings.Fields(strings.TrimLeft(l[min(len(l), strings.LastIndex(l, "││")+len("││")):], "▌ ")); len(fields) > 2 && s.m.drawn.layout.Shape == full {
				if n, _ := fmt.Sscan(fields[0]+" "+fields[1], &mark, &i); n == 2 && strings.Contains(l, "││") {
					shown = append(shown, i)
				}
			}
		}
		if len(shown) == 0 {
			t.Fatalf("no rows are found:\n%s", s.text())
		}
		if above := fmt.Sprintf("%d above", shown[0]); strings.Contains(s.text(), above) != (shown[0] > 0) || strings.Contains(s.text(), " below ─") == (keys == "G") {
			t.Errorf("after %q the first row is #%d:\n%s", keys, shown[0], s.text())
		}
	}
	s.press("d")
	s.seesNot(widget.ByStays.String(), " below ─")
}

// What a view shows at first names Cupel nowhere: who has not asked need not know what it is.
func TestTheFirstScreensDoNotNameCupel(t *testing.T) {
	for _, size := range sizes {
		for key := 1; key <= 8; key++ {
			s := agentAt(t, size[0], size[1], fmt.Sprint(key))
			s.seesNot("Cupel")
		}
	}
}

// The line that answers a key has the colour of a warning only where it says why something was not done.
func TestOnlyRefusalsWarn(t *testing.T) {
	for keys, refused := range map[string]bool{
		":theme dark<enter>": false, ":copy window<enter>": false, "2d": false,
		"R": true, ":recency please<enter>": true, ":budget abc<enter>": true, "300": true, ":redo<enter>": true, ":32000<enter>": true,
	} {
		s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Theme = theme.Dark }).after(keys)
		if s.m.messages.line == "" || strings.Contains(s.m.View().Content, s.m.theme.SGR(theme.Warn, theme.Selected)) != refused {
			t.Errorf("%q says %q, as a refusal: %v", keys, s.m.messages.line, !refused)
		}
	}
}
