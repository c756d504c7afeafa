package explorer

import (
	"path/filepath"
	"strconv"
	"testing"

	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// The picture of an item's budgets is of its ranges. A budget that lies far from them is told
// beside it, with the side on which it lies.
func TestThePictureOfAnItemLeavesOutAFarBudget(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for item, budget := range map[int]string{15: "┊ budget", 21: "budget 32,000 is below", 51: "budget 32,000 is above"} {
		s.press(":#" + strconv.Itoa(item) + "<enter>")
		is := s.m.exp.Profile(experiment.A).Summary(item)
		s.sees(is.FirstIn.Value.String()+" first in", is.StaysFrom.Value.String()+" stays", budget)
	}
}

// Where everything fits, the header says how many items are out all the same.
func TestTheHeaderSaysWhatIsOutThoughAllFits(t *testing.T) {
	for items, header := range map[string]string{
		`{"content":"a","tokens":1},{"content":"b","tokens":1}`:                             "2 of 2 in   everything fits: 2 of",
		`{"content":"a","tokens":1},{"content":"a","tokens":1}`:                             "1 of 2 in   all fits but 1 duplicate: 1 of",
		`{"content":"a","tokens":1},{"content":"a","tokens":1},{"content":"c","tokens":-1}`: "1 of 3 in   all fits, 2 left out: 1 of",
	} {
		path := filepath.Join(t.TempDir(), "s.json")
		write(t, path, "["+items+"]")
		begin(t, reopened(t, path), 120, 36).sees(header)
	}
}

// An item that is out at the end is said to be, and what falls has the sign that it has elsewhere.
func TestWhatIsOutAtTheEndSaysSo(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press(":at most 30% tool<enter>")
	if _, stays := s.m.exp.Profile(experiment.A).StaysFrom(15); stays {
		t.Fatal("#15 stays in")
	}
	s.line("ranges: in at", "out at the last of them")
	s.press("u7N")
	p, b := s.m.exp.Profile(experiment.A), s.m.budget()
	s.sees("−2 out (#7 #10), +1 in (#29), " + widget.SignedValue(p.PointAt(b).Value-p.PointAt(b-1).Value) + " value")
	s.seesNot("-2 out")
}
