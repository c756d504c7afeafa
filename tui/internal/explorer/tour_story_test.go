package explorer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// Every step is taken by doing it, at every size.
func TestTheTour(t *testing.T) {
	for _, size := range sizes {
		for _, flag := range []bool{false, true} {
			s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.Start.Tour = flag })
			if !flag {
				s.sees("t tour")
				s.press("t")
			}
			band := s.m.theme.SGR(theme.Plain, theme.Selected) + " Tour 1 of 11"
			musttest.Is(t, strings.Contains(s.m.View().Content, band), true, "the tour stands on a ground of its own, so that it is told from the introduction")
			s.sees("Tour 1 of 11", "press ]: more budget, #15 leaves")
			s.press("j", "Tour 1 of 11")
			for _, key := range []string{"<enter>", "?", "o", ":", "E", "/"} { // not the step's
				s.press(key, "Tour 1 of 11", ": esc goes back. Then press ]")
				s.press("<esc>", "Tour 1 of 11", ": press ]", "esc ends")
			}
			s.press("]", "Tour 2 of 11", "#15 fell out", "Press enter")
			s.press("<enter>", "Tour 3 of 11", "esc")
			s.seesNot("esc ends") // esc closes the item
			s.press("<esc>", "Tour 3 of 11", "press }")
			s.press("}", "Tour 4 of 11", "#15 is in again", "Press 2")
			s.press("<enter>", "esc goes back. Then press 2") // which esc does, and the tour stays
			s.press("<esc>2", "Tour 5 of 11", "ress 3: ", " wins by ")
			a, b := s.m.exp.Outcome(experiment.A).Report.Value, s.m.exp.Outcome(experiment.B).Report.Value
			if size[0] >= compactWidth && size[1] >= compactHeight { // what is to be seen stands before the next key
				s.sees("Tour 5 of 11", ": A wins by "+plain.Percent(a/b-1)+", and the line below says why")
			}
			for k, key := range []string{"3", "7", "5", "8", "1", "<space>"} {
				n := min(5+k, 9)
				s.sees(fmt.Sprintf("Tour %d of 11", n), fmt.Sprintf("ress %s", strings.Trim(key, "<>")))
				named := fmt.Sprintf("Tour %d of 11, %s: ", n, tourSteps()[n-1].name)
				musttest.Is(t, strings.Contains(s.text(), named), size[0] >= minNamedStep, named, "stands where there is room")
				s.press(key)
			}
			if s.sees("Tour 10 of 11", "ress *"); !s.m.exp.Items().Pinned(15) {
				t.Error("#15 is not pinned")
			}
			s.press("*", "Tour 11 of 11", "press w", "needed 1")
			path := filepath.Join(t.TempDir(), "tried.json")
			s.press("w<ctrl+u>")
			s.send(tea.PasteMsg{Content: path})
			s.press("<enter>", "That was the tour")
			s.seesNot("Tour 11")
		}
	}
}

// What the tour foretells comes true, under other policies too.
func TestTheTourIsTrueOfThePolicyInForce(t *testing.T) {
	for _, flags := range []session.Options{{Slicer: "knapsack"}, {Preset: "rag"}, {Slicer: "stream"}} {
		flags.Fixture = "agent"
		opened := sessionOf(t, flags)
		s := begin(t, opened, 120, 36).after(":take the tour<esc>t")
		item, n, ok := s.m.nextLoss()
		if !ok {
			s.sees("until one leaves")
			continue
		}
		for range n - 1 {
			s.press("]", "Tour 1 of 11")
		}
		s.press("]", "Tour 2 of 11", itemName(item)+" fell out")
	}
}

// What the tour says of an item stays true when the user does something else.
func TestTheTourFollowsTheItem(t *testing.T) {
	for _, size := range sizes {
		for _, c := range []struct {
			name, keys, step string
			sees, gone       []string
		}{
			{"it comes back", "]u", "2", []string{"#15 is in again", "ress enter"}, []string{"fell out"}},
			{"it comes back before its reason is read", "]}", "2", []string{"#15 is in again", "ress enter"}, []string{"fell out"}},
			{"the next press brings it back", "]]", "2", []string{"#15 is in again", "ress enter"}, nil},
			{"where it is in is read", "]]<enter>", "3", []string{"the top line says where #15 is in"}, []string{"why"}},
			{"another item is read", "]<up><enter><esc>", "2", []string{"ut the cursor on #15"}, nil},
			{"it is pinned", "]<enter><esc><space>", "4", []string{"#15 is in again"}, []string{"fell out"}},
			{"it leaves again", "]<enter><esc>}{", "4", []string{"#15 is out again. Press 2"}, []string{"in again"}},
			{"it leaves again by undo", "]<enter><esc>=u", "4", []string{"#15 is out again. Press 2"}, []string{"in again"}},
			{"a view was seen before its step", "]<enter><esc>}3=52", "6", []string{"ress 7: "}, []string{"press 2"}},
			{"steps that were done stay done", "]<enter><esc>}735382u=1", "9", []string{"press space: #15"}, nil},
			{"what is pinned and needed is not asked for", "]<enter><esc><space>*7358", "4", []string{"ress 2"}, nil},
			{"all was seen, and it is pinned and needed", "]<enter><esc><space>*73582", "11", []string{"press w"}, nil},
			{"it is excluded", "]<enter><esc>x", "3", []string{"press x: #15 is " + excluded + " by you"}, []string{"press }"}},
			{"it is pinned after that", "]<enter><esc><space>", "4", []string{"#15 is in again"}, []string{"press }"}},
		} {
			s := agentAt(t, size[0], size[1], "t"+c.keys, "Tour "+c.step+" of 11")
			s.sees(c.sees...)
			s.seesNot(c.gone...)
			if t.Failed() {
				t.Fatalf("%s at %v", c.name, size)
			}
		}
	}
}

// From every view and whatever is being tried, the tour begins with what the sample has, and one undo
// gives back the rest.
func TestTheTourBeginsWithTheSample(t *testing.T) {
	for _, size := range sizes {
		for _, keys := range []string{"", "2<space><tab>", "6hh", ":budget 12000<enter>B", "5<tab>cc", "3jj", "7x", ":budget 120000<enter>", ":budget 900<enter>"} {
			s := agentAt(t, size[0], size[1], keys)
			before := s.m.exp.Setup()
			s.press("t", "Tour 1 of 11", "press ]: more budget, #15 leaves")
			if i, ok := s.m.selected(); !ok || i != 15 {
				t.Errorf("%q at %v: #%d is selected", keys, size, i)
			}
			if s.showing() != "Items" || s.m.side != experiment.A || !s.m.exp.Setup().Equal(s.m.original) {
				t.Fatalf("%q at %v: the tour begins elsewhere:\n%s", keys, size, s.text())
			}
			if keys != "" {
				s.press("<esc>u")
				if !s.m.exp.Setup().Equal(before) {
					t.Errorf("%q at %v: undo does not give back what was tried", keys, size)
				}
				s.press("t")
			}
			s.press("]", "Tour 2 of 11")
			s.press("<esc>", "the tour is over")
			s.seesNot("Tour")
		}
	}
}

func TestTheTourIsLeftByEscAndOfferedOnTheDemoAlone(t *testing.T) {
	s := agentAt(t, 120, 36, "t<esc>")
	s.seesNot("Tour 1")
	s.sees("the tour is over")
	s = begin(t, sampleSession(t, 60), 120, 36)
	s.seesNot("tour")
	s.press("t", "t: the tour needs the fixture agent")
}

// The lesson is shown until the first key, and computed where flags change what the
// fixture opens with.
func TestTheLessonIsTrue(t *testing.T) {
	for _, c := range []struct {
		width int
		sees  string
	}{{200, "fit into 32,000 tokens? Press ]: #15 leaves though the budget grows, is back at the next press and leaves at the third"}, {120, "fit into 32,000 tokens? Press ]: #15 leaves though the budget grows"}, {80, "A built-in sample: press ]: #15 leaves though the budget grows"}, {60, "Press ]: #15 leaves though the budget grows"}} {
		s := begin(t, agentSession(t), c.width, 36)
		s.sees(c.sees, "t tour")
		if _, y := s.find("t tour"); c.width >= compactWidth && y != s.m.drawn.layout.Notice.Y {
			t.Errorf("at %d what was opened stands in row %d", c.width, y)
		}
		s.press("1") // is shown already, and hides nothing
		s.sees(c.sees, "t tour")
		s.press("j")
		s.seesNot("built-in sample", "t tour")
	}
	for _, flags := range []session.Options{{Slicer: "knapsack"}, {Preset: "rag"}} {
		flags.Fixture = "agent"
		opened := sessionOf(t, flags)
		s := begin(t, opened, 120, 36)
		item, n, ok := s.m.nextLoss()
		if !ok {
			s.seesNot("and watch")
			continue
		}
		s.sees("ress ]" + times(n) + " and watch " + itemName(item) + " leave although the budget grows")
		for range n {
			s.press("]")
		}
		s.sees("− went out")
	}
}

// Esc closes the newest first, and the line that says esc before the filter.
func TestEscClosesWhatSaysSoBeforeTheFilter(t *testing.T) {
	s := agentAt(t, 120, 36, "/kind:tool<enter>v<esc>", "filter kind:tool", "selection cleared")
	s.seesNot("Try: ")
	s.press("<esc>", "[1 Items]")
}
