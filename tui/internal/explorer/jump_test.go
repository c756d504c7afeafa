package explorer

import (
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/overlay"

	tea "charm.land/bubbletea/v2"
)

func TestJumping(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.do("jump", "Jump  type some letters", "60 found", "enter go there")
	s.press("toitm4", "find toitm4", "tool output item 4")
	s.press("<down><up><enter>")
	i, _ := s.m.selected()
	musttest.Is(t, s.m.exp.Items().Loaded(i).Kind, "ToolOutput", "jumped to #", i, "which is a")
	s.press("f#17<enter>", "─ #17 ")
	s.press("fzzzz", "No item has these letters in this order.", "0 found")
	s.press("<enter>", "Jump") // nothing to go to
	s.press("<esc>", "─ #17 ")
	s.press("/tok>2900<enter>f4<enter>", "─ #4 ", "#4 was hidden by the filter, which is cleared", "[1 Items]")
	s.press("2f5<enter>", s.tab(2), "─ #5 ")
	s.do("jump")
	s.send(tea.PasteMsg{Content: "item\x1b[2J 9"})
	s.sees("find item 9")
	s = (&story{t: t, held: true}).begin(agentSession(t), 120, 36)
	s.step(func() bool { return s.m.exp != nil })
	s.press("f<down><enter>") // before the first result no row hides it
	s.seesNot("hidden by the filter")
}

// A set too large to be read between two frames is read in the background, and what
// answers an older search is never shown as the answer.
func TestJumpingInALargeSet(t *testing.T) {
	s := begin(t, sampleSession(t, 12_000), 120, 36)
	s.held = true
	s.press("fitem 59", "searching…")
	if _, ok := s.m.top().(*overlay.Jump).Selected(); ok {
		t.Error("an item is selected before the search is done")
	}
	s.release()
	s.seesNot("searching…")
	s.press("88<enter>", "─ #5988 ")
}
