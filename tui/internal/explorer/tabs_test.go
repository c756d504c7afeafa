package explorer

import (
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"

	tea "charm.land/bubbletea/v2"
)

func TestTabNames(t *testing.T) {
	seven := []string{"Items", "Compare", "Map", "Window", "Replay", "Trace", "Curve"}
	for _, c := range []struct {
		name  string
		names []string
		shown int
		room  int
		want  string
	}{
		{"seven fit in 80 columns", seven, 0, 79, "[1 Items]  2 Compare  3 Map  4 Window  5 Replay  6 Trace  7 Curve"},
		{"eight are closer together in 80 columns", append(slices.Clone(seven), "Turns"), 2, 79, "1 Items 2 Compare [3 Map] 4 Window 5 Replay 6 Trace 7 Curve 8 Turns"},
		{"of nine the one that is shown has its name", append(slices.Clone(seven), "Turns", "Sources"), 2, 79, "1  2  [3 Map]  4  5  6  7  8  9"},
		{"eight fit in 120 columns", append(slices.Clone(seven), "Sources"), 7, 119, "1 Items  2 Compare  3 Map  4 Window  5 Replay  6 Trace  7 Curve  [8 Sources]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimRight(strings.Join(tabNames(c.names, c.shown, c.room), ""), " "); got != c.want || len(got)+1+besideTabs > c.room {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The strip as a whole, and how many views and knobs there are: no golden screen has
// them, so that one more view or knob changes this test alone.
func TestTheStripAndTheCounts(t *testing.T) {
	s := begin(t, sampleSession(t, 6), 120, 36).after("3")
	want := " 1 Items  2 Compare  [3 Map]  4 Window  5 Replay  6 Trace  7 Curve  8 Turns"
	musttest.Is(t, s.screen()[s.m.drawn.layout.Tabs.Y], want)
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.press("/kind:tool<enter>")
	want = " 1 Items 2 Compare [3 Map] 4 Window 5 Replay 6 Trace 7 Curve 8 Turns   filtered"
	musttest.Is(t, s.screen()[s.m.drawn.layout.Tabs.Y], want)
	s.send(tea.WindowSizeMsg{Width: 60, Height: 16})
	for v, name := range ViewNames() { // at the end of the line of knobs or, where a view has none, of line 1
		s.press(string(rune('1' + v)))
		s.line(" 1-8 " + strings.ToUpper(name[:1]) + name[1:])
	}
	s.press("3")
	s = begin(t, agentSession(t), 120, 36)
	s.sees(" 11 more at default  enter")
	s.send(tea.WindowSizeMsg{Width: 200, Height: 60}) // there is room for all
	s.line("│ dedup ", "on│")
	s.seesNot("at default")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.seesNot("1-8")
	s.press("<tab>", " 1 of 19")
}
