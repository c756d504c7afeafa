package explorer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

// D lists what the last step brought in and took out, and leads back to the filter that was
// set; what fell out is found by these words.
func TestWhatTheLastStepMovedIsListed(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("items.moved", "D: nothing was changed yet")
	for _, step := range []string{"]", "="} { // of two items and of many
		s.press(step)
		content := s.m.View().Content
		musttest.Is(t, strings.Contains(content, s.m.theme.SGR(theme.Gain, 0)+"+ came in"), true, step, "colours the row")
		s.do("undo")
	}
	s.press(":set slack 1300<enter>D") // which moves no item
	s.sees("D: the last step brought nothing in and took nothing out")
	s.press(":8000<enter>:20000<enter>D") // from a budget that holds nothing
	first, _ := s.m.exp.Impact()
	musttest.Is(t, s.rows(), first.In, "D lists", "all that is in, because nothing was")
	s.press("Duu/kind:tool<enter><tab><enter>20000<enter><tab>")
	im, _ := s.m.exp.Impact()
	moved := slices.Sorted(slices.Values(slices.Concat(im.In, im.Out)))
	if len(im.Out) < 5 {
		t.Fatalf("only %v left", im.Out)
	}
	s.press("<esc>") // the filter has hints of its own
	s.sees(fmt.Sprintf("D list the %d", len(moved)))
	s.press("/kind:tool<enter>D")
	musttest.Is(t, s.rows(), moved, "D lists", "the last step moved")
	musttest.Is(t, strings.Count(s.text(), "− went out"), len(im.Out), "rows say that they left, of")
	s.sees("D: all again")
	s.press("]D") // back, whatever step was listed
	musttest.Is(t, s.m.filter.String(), "kind:tool", "D leads back to the filter")
	s.seesNot("D: all again")
	s.do("items.moved") // the list of another step
	s.seesNot("an earlier step")
	im, _ = s.m.exp.Impact()
	musttest.Is(t, s.rows(), slices.Sorted(slices.Values(slices.Concat(im.In, im.Out))), "D lists", "the next step moved", im.In, im.Out)
	s.do("undo", ", of an earlier step, D: all items again")
	s.do("items.moved")
	musttest.Is(t, s.m.filter.String(), "kind:tool", "D leads back to the filter")
	s.press(":what fell out<enter>")
	if rows := s.rows(); len(rows) != len(im.In)+len(im.Out) {
		t.Errorf("what fell out is found as %v", rows)
	}
}

// Of items that are others since the last step nothing is known, where D said that nothing had moved.
func TestOfOtherItemsNoMoveIsKnown(t *testing.T) {
	const unknown = "D: what the last step moved of these items is not known"
	s, path := file(t, "items.jsonl", reloadFirst)
	s.press("]:200<enter>")
	write(t, path, `{"content": "new", "tokens": 70, "futureRelevanceHint": 1}`+"\n")
	s.press("rD", unknown)
	s.press(":30<enter>D") // a step of these items
	s.lists(0)
	s, path = followed(t, reloadFirst)
	s.do("budget.next")
	write(t, path, `{"content": "new", "tokens": 70}`+"\n")
	s.look()
	s.do("items.moved", unknown)
	agentAt(t, 120, 36, "]8<home>1D", unknown) // of an earlier request
}

// A filter shows no other rows: of what a step moved it pulls only what matches into sight, and counts the rest.
func TestAFilterHidesWhatMovedToo(t *testing.T) {
	for size, s := range agentAtSizes(t, ":pin 19<enter>/kind:doc<enter>") {
		im, _ := s.m.exp.Impact()
		s.sees(fmt.Sprintf("%d more changed that the filter hides: D lists them", len(im.In)+len(im.Out)))
		s.seesNot("+ came in", "− went out", "out of sight")
		s.press("<esc>/kind:tool<enter>G", "changed out of sight", "− went out")
		for _, line := range s.screen() {
			if strings.Contains(line, "− went out") && !strings.Contains(line, " tool ") {
				t.Errorf("%v: the filter hides this row:\n%s", size, line)
			}
		}
	}
}

// A step that moves too many items for a filter says so.
func TestTooManyMovedItemsAreNotListed(t *testing.T) {
	s := begin(t, sampleSession(t, 2000), 120, 36).after("<tab><enter>9000<enter><tab><tab><enter>90000<enter><tab>")
	before := len(s.rows())
	s.seesNot("D list the")
	s.do("items.moved", "too many for a filter; is:out shows all that are out")
	musttest.Is(t, len(s.rows()), before, "the table is filtered all the same")
}

// What the newest change did stays below another view, and whatever stands there below the view whose own
// key is pressed; what an earlier change did is not told in another view.
func TestTheLineBelowTheViewIsOfTheNewestChange(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		for _, keys := range []string{"D", "]", "x"} {
			s.press(keys)
			line := s.screen()[size[1]-2]
			s.do("view.Items")
			musttest.Is(t, s.screen()[size[1]-2], line, "after", keys, "and 1 the line")
		}
		s = agentAt(t, size[0], size[1], "]:set slicer stream<enter>") // of A alone
		newest := s.screen()[size[1]-2]
		s.do("policy.B", "32,000 → 32,048: ")
		s.do("view.Trace")
		s.seesNot("32,000 → 32,048")
		s.press("A6")
		musttest.Is(t, s.screen()[size[1]-2], newest, "in another view the line")
	}
}

// An item that leaves because it is excluded says that, and not only that it went out.
func TestAnItemThatIsExcludedSaysSo(t *testing.T) {
	s := agentAt(t, 120, 36, "/#7<enter>x<esc>")
	s.line("×  7 msg ", "− excluded ")
	s.press("u")
	s.seesNot("− excluded")
}

// Compare's column why says of an item that just went out why it is out.
func TestCompareSaysWhyWhatWentOutIsOut(t *testing.T) {
	s := agentAt(t, 120, 36, ":30361<enter>[2")
	s.line("32 tool ", " 0.51  1,014 left    at risk ")
	s.seesNot("− went out")
}

// The axis of the strips names the budget in as many digits as have room, and the frame says of the strips what has
// room beside what a change moved.
func TestTheAxisOfTheStripsNamesTheBudgetAndItsMarks(t *testing.T) {
	s := agentAt(t, 120, 36, ":33248<enter>")
	s.line("# kind ", "│ 11.3k·····┊33k··96.7k │")
	s.press(":32000<enter>c")
	s.line("─ Items ─", " over budgets: ▅ in  ▁ in at some ── last step ")
}
