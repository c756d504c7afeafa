package explorer

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/experiment"
)

// find is the cell where a text begins on the screen.
func (s *story) find(text string) (x, y int) {
	s.t.Helper()
	for y, line := range s.screen() {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)), y
		}
	}
	s.t.Fatalf("%q is not on the screen:\n%s", text, s.text())
	return 0, 0
}

// click clicks on a cell. After it the screen shows all words.
func (s *story) click(x, y int, words ...string) {
	s.t.Helper()
	s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.sees(words...)
}

// clickOn clicks on the first cell of a text. After it the screen shows all words.
func (s *story) clickOn(text string, words ...string) {
	s.t.Helper()
	x, y := s.find(text)
	s.click(x, y, words...)
}

func TestClicksSelectSortAndOpen(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.clickOn("item 7 of the sample", "─ #7 ")
	s.press("#")
	s.clickOn("tok item", "by tokens, most first")
	s.clickOn("score │ /1k", "by score, most first")
	s.clickOn("score │ /1k")
	s.seesNot("by score, most first")
	s.sees("by score")
	s.press("g")
	i, _ := s.m.selected()
	x, y := s.find("▌")
	s.click(x+14, y)
	if s.m.targets()[0] != i || !s.m.reading() {
		t.Error("a click on the selected item opens it")
	}
	s.send(tea.MouseWheelMsg{X: 60, Y: 15, Button: tea.MouseWheelDown})
	s.press("<esc>")
	s.clickOn("2 Compare", s.tab(2))
	x, y = s.find("of the sample")
	s.click(x, y)
	if got, ok := s.m.selected(); !ok {
		t.Errorf("a click on a row of Compare selects it, not %d", got)
	}
	s.clickOn("? help", "Keys of what is open")
	s.press("items view")
	s.clickOn("the Items view", s.tab(1))
}

func TestTheMouseTurnsKnobs(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	x, y := s.find("‹ 32,000 ›")
	s.click(x+9, y, maxTokens+" 32,000 → 33,000")
	x, y = s.find("‹ 33,000 ›")
	s.click(x, y, "‹ 32,000 ›")
	s.clickOn("slack  ", "‹ 1,000 ›")
	if k, _ := s.m.knobs.Current(); k.ID != experiment.Slack || s.m.focus != onKnobs {
		t.Errorf("a click on a knob goes to it, not to %s", k.ID)
	}
	s.send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	if k, _ := s.m.knobs.Current(); k.ID == experiment.Slack {
		t.Error("the wheel moves among the knobs")
	}
}

// A budget that was dragged is one change, whatever was passed on the way.
func TestDraggingIsOneChange(t *testing.T) {
	for _, c := range []struct {
		name string
		from func(s *story) (x, y int)
	}{
		{"curve", func(s *story) (int, int) { c := s.m.drawn.layout.Next; return c.X + 14, c.Y + c.H - 3 }},
		{"strip", func(s *story) (int, int) { x, y := s.find("▅▅▅"); return x, y }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, sampleSession(t, 60), 120, 36)
			s.text() // one clicks on what one sees
			x, y := c.from(s)
			s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			first := s.m.budget()
			for k := range 4 {
				s.send(tea.MouseMotionMsg{X: x + k, Y: y, Button: tea.MouseLeft})
			}
			s.send(tea.MouseReleaseMsg{X: x + 4, Y: y, Button: tea.MouseLeft})
			if s.m.budget() <= first || first == 32_000 {
				t.Errorf("dragged from %v to %v", first, s.m.budget())
			}
			s.send(tea.MouseMotionMsg{X: x, Y: y})
			s.press("u")
			s.budgetIs(32_000)
		})
	}
}

func TestTheOutputReserveIsDraggedInTheBar(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.text() // one clicks on what one sees
	x, y := s.m.drawn.layout.Bar.W-28, s.m.drawn.layout.Bar.Y
	s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.sees("drag to change the " + reserve)
	s.send(tea.MouseMotionMsg{X: x + 10, Y: y, Button: tea.MouseLeft})
	s.send(tea.MouseReleaseMsg{X: x + 15, Y: y, Button: tea.MouseLeft})
	if got := s.m.exp.Setup().Budget.OutputReserve; got >= 8000 || got < 2000 || got%10 != 0 {
		t.Errorf("the reserve is %v", got)
	}
	s.send(tea.MouseClickMsg{X: 119, Y: y, Button: tea.MouseLeft})
	s.send(tea.MouseReleaseMsg{X: 500, Y: 0, Button: tea.MouseLeft})
	musttest.Is(t, s.m.exp.Setup().Budget.OutputReserve, 0, "dragged out of the bar the reserve")
	s.click(3, 1, "tokens of 32,000")
}

func TestMovementsAreThinnedOut(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	look := filter(func() time.Time { return now })
	var seen []int // milliseconds at which a movement was looked at
	for ms := range 50 {
		if look(nil, tea.MouseMotionMsg{}) != nil {
			seen = append(seen, ms)
		}
		for _, msg := range []tea.Msg{tea.MouseReleaseMsg{}, tea.MouseClickMsg{}, tea.KeyPressMsg{}} {
			if look(nil, msg) == nil {
				t.Fatalf("%T was passed over after %d ms", msg, ms)
			}
		}
		now = now.Add(time.Millisecond)
	}
	musttest.Is(t, seen, []int{0, 16, 32, 48}, "movements were looked at after")
}

// Wherever one clicks, the frame stays good.
func TestClicksEverywhere(t *testing.T) {
	musttest.Alone(t)
	step := randomtest.Rounds(10, 5)
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}, {40, 10}} {
		s := begin(t, sampleSession(t, 60), size[0], size[1])
		for _, keys := range []string{"5", "6", "1", "2", "<enter>", "<esc>?", "<esc>p", "<esc>i", "<esc>/"} {
			s.press(keys)
			for y := 0; y < size[1]; y += 3 {
				for x := 0; x < size[0]; x += step {
					s.click(x, y)
					s.send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown})
					if fault := frameFault(s.m); fault != "" && s.m.drawn.layout.Shape != tooSmall {
						t.Fatalf("after a click at %d,%d of %v: %s", x, y, size, fault)
					}
					if s.m.messages.quitting || s.m.ctx.Err() != nil {
						s.m.messages.quitting = false
					}
				}
			}
		}
	}
}

// A click on a hint that names one key presses it, also where a line is typed.
func TestAClickOnAHintPressesItsKey(t *testing.T) {
	s := begin(t, sampleSession(t, 20), 120, 36).after(":set max")
	s.clickOn("tab complete", "search set system prompt min %")
	s.seesNot("are keys")
}

// The small curve is clicked only where one is drawn.
func TestAClickWhereNoCurveIsDrawn(t *testing.T) {
	s := begin(t, sampleSession(t, 12), 120, 36)
	s.sees("128k") // the curve
	s.press("Vx")
	b := s.m.budget()
	s.clickOn("no value yet")
	s.budgetIs(b)
}
