package explorer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// What the detail says of the keys that pin and exclude, release and restore an item.
const (
	pinsIt, excludesIt, releasesIt, restoresIt = "space pins it: ", "x excludes it: ", "space releases it: ", "x restores it: "
	noEffect                                   = "no other item moves"
)

// B is out because A took its space: the detail says so, and what would bring
// it back; each of these does.
func TestWhatBringsAnItemIn(t *testing.T) {
	s := begin(t, islands(t, 120), 120, 36).after("j", short(50, 20)+"; in with 21 less or with 30 more", "displaced by #0 at 100   "+pinsIt+"− #0", "in without #0")
	s.do("item.pin", "pin #1: + #1  − #0", releasesIt+"out, + #0   "+excludesIt+"+ #0")
	s.press("ukx", "exclude #0: + #1  − #0", restoresIt+"in, − #1")
	s.press("u=") // A is in from 100 on for good
	s.sees(excludesIt + "+ #1   " + pinsIt + noEffect)
	s.press("]j") // at 150 both are in
	s.sees("x excludes it, " + pinsIt + noEffect)
	s.do("item.back") // 149: B is out again
	s.sees(short(50, 49)+"; next in with 1 more", "displaced by #0 at 100")
	s.do("item.back") // 99
	s.sees("out again with 1 token more, when #0 takes its place")
}

func TestWhatIfOnASmallScreen(t *testing.T) {
	s := begin(t, islands(t, 120), 80, 24).after("j", short(50, 20)+"; in at 99 (−21) or at 150 (+30)", "displaced by #0 at 100   "+pinsIt+"− #0")
	s.press("<enter>", "displaced by #0 msg A, dense (100) at 100",
		pinsIt+"− #0 msg A, dense (100); value 1.00 → 0.00",
		"in without #0 msg A, dense (100)")
}

// An item that cannot be pinned says why.
func TestWhyAPinHasNoResult(t *testing.T) {
	s := agentAt(t, 120, 36, ":10100<enter>:21<enter>")
	set, fields := s.m.exp.Items(), s.m.exp.Setup().Budget
	s.line(pinsIt + "no result: " + plain.Pinned + " items need " + (set.PinnedTokens() + set.Tokens(21)).String() + ", the budget leaves " + (fields.MaxTokens - fields.OutputReserve).String())
}

// What a pin moves is worded alike wherever it is told: in the detail, in the palette, among the ways of the opened
// item, in the pane of budgets and once it is made; so is that nothing moves.
func TestWhatMovesIsWordedAlike(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 36).after(":#16<enter>")
	before := s.recomputed()
	s.do("item.pin")
	in, out := simulate.Diff(before, s.recomputed())
	s.do("undo")
	others := widget.Moves(slices.DeleteFunc(slices.Clone(in), func(i int32) bool { return i == 16 }), out, 40)
	if len(in) < 2 || len(out) == 0 {
		t.Fatalf("a pin of #16 brings in %v and takes out %v", in, out)
	}
	s.sees(pinsIt + others)
	s.press(":pin the item", "#16, 1,230 tok: "+others)
	all := strings.Replace(widget.Moves(in, out, 40), " "+theme.Minus, "  "+theme.Minus, 1)
	s.sees("enter: " + all)
	s.press("<esc><enter>")
	s.line(" pin  ", others)
	s.press("<esc><space>", "pin #16: "+all)
	s.press("u:wanted % 91<enter>", ": "+widget.NothingMoves)
	s.press(":wanted % 92", "enter: "+widget.NothingMoves)
}

// The detail of several items that were chosen is about all of them.
func TestWhatIfOfChosenItems(t *testing.T) {
	s := begin(t, islands(t, 160), 120, 36).after("vv", "2 items chosen (#0 #1), 2 in, 150 tok", "space pins them, x excludes them: "+noEffect)
	s.press("hhhhhhh")
	if s.m.budget() >= 150 {
		t.Fatalf("the budget is %v", s.m.budget())
	}
	s.sees("2 items chosen (#0 #1)", "space pins them: no result")
}

// A what-if of a result that is not that of the setup is not shown.
func TestWhatIfIsNeverOld(t *testing.T) {
	s := begin(t, sampleSession(t, 300), 120, 36).after("jjj", pinsIt+theme.Minus)
	s.held = true
	s.do("item.exclude", "computing")
	for _, line := range s.screen() {
		if strings.Contains(line, excludesIt) || strings.Contains(line, pinsIt) {
			t.Errorf("an old answer is shown: %s", line)
		}
	}
	s.release(restoresIt + "out, " + noEffect)
}

// What takes too long is not computed before it is asked for: an item is opened, a command
// runs, a knob is turned.
func TestWhatTakesTooLongIsSaid(t *testing.T) {
	s := begin(t, sampleSession(t, 300), 120, 36)
	s.m.pool.Limit = func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, 0)
	}
	s.press("jjj", pinsIt+"enter computes")
	s.press("<enter>", pinsIt+"− #")
	s.press("<esc>:set maxtokens 40000", "what it changes takes long to compute: enter shows it")
	s.press("<esc>p")
	s.until("takes long to compute", "j") // the least share of a kind
	s.sees("l 3.5  takes long to compute")
}

// Single items without which an item comes in are sought once the cases are known, and what
// is found stays when the item is opened and closed.
func TestSingleItemsAreSought(t *testing.T) {
	s := begin(t, sampleSession(t, 3000), 120, 36)
	out := s.m.exp.Outcome(s.m.side)
	nearest, density := -1, 0.0
	for _, i := range out.Report.Excluded { // the densest of those that are out
		if d := out.Report.Scores[i] / float64(out.Items.Tokens(int(i))); out.Report.Codes[i] == model.BudgetExceeded && d > density {
			nearest, density = int(i), d
		}
	}
	s.held = true
	s.m.items().Select(nearest)
	s.do("items.numbers") // anything: the question is asked
	s.sees(pinsIt + "…")
	s.step(func() bool { return !strings.Contains(s.text(), pinsIt+"…") })
	s.release()
	s.seesNot("tried ")
	item, _ := s.m.selected()
	all := simulate.Droppable(out.Ranking, out.Report, item)
	want, err := simulate.NewTrials(out.Ranking).DropsFor(context.Background(), out.Report, item, all)
	if err != nil || len(want) == 0 {
		t.Fatalf("%d drops, %v", len(want), err)
	}
	for _, key := range []string{"<enter>", "<esc>"} { // open, it is sought without haste
		s.press(key, fmt.Sprintf("in without one of #%d", want[0]))
	}
}

// What would let an item in is sought only where it is shown: at 60x16 in the open item alone.
func TestDropsAreSoughtWhereTheyAreShown(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.press("gjjjjjjjj") // #8 is out
		_, open := s.m.whatIf.Search().Job()
		if small := size[0] < 80; open != small {
			t.Errorf("%dx%d: the search is open: %v, want %v", size[0], size[1], open, small)
		}
		s.press("<enter>")
		if _, open = s.m.whatIf.Search().Job(); open {
			t.Errorf("%dx%d: the search for the open item is not done", size[0], size[1])
		}
	}
}

// The item that is open is asked about, whatever is chosen.
func TestWhatIfOfTheOpenItemAmongChosen(t *testing.T) {
	s := begin(t, islands(t, 120), 120, 36).after("vv", "2 items chosen")
	s.press("<enter>", "in with 21 less or with 30 more")
	s.seesNot("chosen (#0")
	s.press("<esc>", "2 items chosen")
}

// What the keys do to chosen items is told of the view that is shown, and an excluded item
// is never said not to fit.
func TestKeysAreToldAsTheyWorkHere(t *testing.T) {
	s := begin(t, agentSession(t), 160, 36)
	s.do("item.choose", "1 item chosen", "space pins, x excludes, = fits all")
	s.press("<esc>5jv", "1 item chosen", "tok: x excludes, = fits all")
	s.press("<esc>1x")
	i, _ := s.m.selected()
	s.press("=", "=: "+itemName(i)+" is "+excluded+": x restores it")
}

// A pin is no duplicate: what has the same text is then in beside it, which is said before and after.
func TestAPinSaysThatItsTextIsInTwice(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, fixture(t, "memory"), size[0], size[1]).after("gj")
		if size[1] > 16 {
			s.line(pinsIt, "#38 has the same text")
		}
		s.press("<enter>", "same text: a pin is no "+duplicate)
		s.press("<esc><space>")
		s.line("pin #1: ", "#38 has the same text")
		if items, report := s.m.exp.Items(), s.m.exp.Outcome(s.m.side).Report; items.Loaded(1).Content != items.Loaded(38).Content || !report.In(1) || !report.In(38) {
			t.Errorf("#1 and #38 are not one text that is in twice")
		}
		s.do("item.pin")
		s.seesNot("release #1: + #5  − #38  #38")
	}
}

// A pin has its item in: it ends an exclusion.
func TestAPinEndsAnExclusion(t *testing.T) {
	s := agentAt(t, 120, 36, "x<space>", "◆ 15 tool")
	s.line("pin #15: ", "+ #15")
	s.do("undo")
	if !s.m.exp.Items().Excluded(15) {
		t.Error("undo does not exclude it again")
	}
}
