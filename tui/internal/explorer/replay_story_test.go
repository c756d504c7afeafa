package explorer

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/view/replay"
	"cupelscope/tui/internal/widget"
)

// steps is the main area of the Replay view at a compact size: the bar and the
// steps, without what is above and below.
func (s *story) steps() []string {
	s.t.Helper()
	screen := s.screen()
	r := s.m.drawn.layout.Main
	return slices.DeleteFunc(screen[r.Y:r.Y+r.H], func(l string) bool { return l == "" })
}

func (s *story) shows(want ...string) {
	s.t.Helper()
	if got := s.steps(); !slices.Equal(got, want) {
		s.t.Fatalf("the screen shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReplayOfGreedyStepByStep(t *testing.T) {
	s := begin(t, islands(t, 120), 80, 24)
	lesson := []string{
		" Greedy goes through the items by score per token, the densest first, and takes",
		" each one that still fits. It never goes back.",
	}
	head := "    # kind item                              tok score   /1k   left why"
	opens := "─ by score per token: a room of 120 for 2 items ───────────────────────────────"
	s.press("5g")
	s.shows(append(lesson,
		" ······················    0 of 120 tokens  0 selected  value 0.00  step 0 of 2",
		head,
		"▌"+opens,
		"    0 msg  A, dense                          100  1.00 10.00",
		"    1 msg  B, thin                            50  0.10  2.00")...)
	s.press("j")
	s.shows(
		" #0 is next by score per token, with 10.00 per 1,000. It takes 100 of the",
		" 120 tokens left: it fits, so it is in, and 20 are left.",
		" ██████████████████····  100 of 120 tokens  1 selected  value 1.00  step 1 of 2",
		head,
		" "+opens,
		"▌●  0 msg  A, dense                          100  1.00 10.00     20 fits",
		"    1 msg  B, thin                            50  0.10  2.00")
	s.press("j")
	s.shows(
		" #1 does not fit: it needs 50, and 20 are left. After the last step 1 item",
		" fills 100 of 120 tokens, worth 1.00. No room for 1 item: #1 lacks 30.",
		" ██████████████████····  100 of 120 tokens  1 selected  value 1.00  step 2 of 2",
		head,
		" "+opens,
		" ●  0 msg  A, dense                          100  1.00 10.00     20 fits",
		"▌○  1 msg  B, thin                            50  0.10  2.00     20 lacks 30")
	s.do("budget.next") // B keeps the cursor, and is in at 150
	s.sees("▌●  1 msg  B, thin                            50  0.10  2.00      0 fits", "150 of 150 tokens")
	s.press("[[", "▌●  1 msg  B, thin                            50  0.10  2.00", "99 tokens")
}

func TestReplayKeepsTheItemAsTheBudgetMoves(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("51gjjjjjjjj5")
	item, ok := s.m.selected()
	if !ok || item != 8 {
		t.Fatalf("Replay opens at item %d, the table was at #8", item)
	}
	for _, keys := range []string{"]", "[[", "cb", "c", "B", "A", "<tab>L<tab>", "u"} { // b: the first table is told from its beginning
		s.press(keys)
		s.selects(item)
	}
	s.press("jj")
	item, _ = s.m.selected()
	s.do("view.Items")
	s.selects(item)
}

// What the steps say of an item must be what the table says.
func TestReplayEndsWithTheResult(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.do("view.Replay")
	for _, keys := range []string{"", "cb", "c", "c", "]]]", "[[[[", "B", "Ap<esc>"} {
		s.press(keys)
		s.press("G")
		report := s.m.exp.Outcome(s.m.side).Report
		s.sees(
			report.SlicedTokens.String()+" of "+report.Effective.Target.String(),
			model.Tokens(len(report.Included)-1).String()+" selected")
	}
}

func TestReplayPlays(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("5g<space>", "playing 4 a second")
	musttest.Is(t, s.wait, time.Second/4, "a step is due after")
	s.sees("step 0 of")
	s.tick()
	s.tick()
	s.sees("step 2 of")
	old := s.due
	s.press("<gt><gt>", "playing 16 a second", "replay plays 16 a second")
	s.send(old) // a tick of before the change
	s.sees("step 2 of")
	s.tick()
	s.sees("step 3 of")
	s.do("budget.next") // the budget may change meanwhile
	s.tick()
	s.sees("step 4 of", "playing")
	s.do("replay.play")
	s.seesNot("playing")
	s.tick()
	s.sees("step 4 of")
	s.press("<space>j")
	s.seesNot("playing")
	s.sees("step 5 of")
	s.press("<space><esc>")
	s.seesNot("playing")
	s.do("replay.play")
	for n := 0; s.tick(); n++ {
		if n > 200 {
			t.Fatal("it never ends")
		}
	}
	s.seesNot("playing")
	musttest.Is(t, s.m.view().(*replay.View).AtEnd(), true, "it stops at the end")
	s.do("replay.play") // from the start again
	s.sees("step 0 of", "playing")
	s.do("view.Items")
	s.tick()
	s.do("view.Replay")
	s.seesNot("playing")
	s.press("<gt><gt><gt><gt><gt><gt><gt><gt><gt><gt><gt><gt><space>", "playing 10,000 a second")
	if s.tick(); s.wait != time.Second/32 || !s.m.view().(*replay.View).AtEnd() {
		t.Errorf("at full speed a frame comes after %v, and 60 steps take more than one", s.wait)
	}
}

func TestReplayFindsSteps(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("5g")
	for k := range 3 { // out, in, out
		s.do("replay.next other")
		i, _ := s.m.selected()
		musttest.Is(t, s.m.exp.Outcome(experiment.A).Report.In(i), k%2 == 1, "n goes to #", i, "in", k+1)
	}
	s.press("gN", "N: no step that leaves an item out comes before this one")
	s.press("Gn", "n: no step that lets an item in comes after this one")
	s.press(`/"item 40 "<enter>`)
	s.selects(40)
	s.sees("n finds")
	s.do("replay.next other", "n: no step that the filter matches comes after this one")
	s.press("<esc>")
	s.seesNot("n finds")
}

func TestReplaySaysThatNoStepDecidesOnAnItem(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("51g5", "No step decides on #0, the slicer does not get it: "+plain.Pinned+".")
	s.press("j")
	s.seesNot("No step decides")
	s.sees("is next by score per token")
}

func TestReplayOfAKnapsackShowsItsTable(t *testing.T) {
	for _, size := range []struct{ w, h int }{{140, 36}, {120, 36}, {80, 24}} {
		s := begin(t, islands(t, 120), size.w, size.h, func(o *Options) { o.ASCII = true }).after("c<esc>5bg", "2 items compete for 1 bucket of 100", "item 0 of 2", "Which items are worth the most together")
		s.press("jj") // B, the thin one
		musttest.Says(t, s.words(), "#1 takes 1 of 1 bucket left: with it the best total is 0.10, without it 1.00, so it stays out.")
		s.press("j")
		musttest.Says(t, s.line(" 0 msg ", "1.00     0.00"), "  ##", "the row of A")
		musttest.Says(t, s.line(" 1 msg ", "0.10     1.00"), "  ..", "the row of B")
	}
}

// A table that is filled already when Replay is entered with it for the first time keeps the order of
// its steps.
func TestReplayKeepsAFillingThatIsShown(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("5cgll", "fill the table, item 1 of 58")
	first := s.line("#59 takes")
	s.press("15gll", "fill the table, item 1 of 58")
	musttest.Is(t, s.line("#59 takes"), first, "entered again, the first step")
}

func TestReplayOfAKnapsackIsToldFromItsBeginning(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("51gjjjjjjjjc5", "fill the table of 58 items; space plays", "Which items are worth the most together, in 211 buckets of 100 tokens?")
	s.do("view.Items")
	s.selects(8)
	s = begin(t, sampleSession(t, 60), 120, 36).after("51gjjjjjjjj5c", "fill the table of 58 items; space plays") // also where the slicer changes in Replay
	s.do("view.Items")
	s.selects(8)
	s.press("5b", "read the table back") // seen once, it keeps the item
	s.selects(8)
	s.press("g", "item 0 of", "Which items are worth the most together", "b shows how it is filled.")
	s.do("replay.next", "buckets it takes")
	s.press("G", "all 211 buckets are full; free 2,083 = 1,998 by rounding + 85 too few for a bucket")
	s.press("gn")
	item, ok := s.m.selected()
	if !ok {
		t.Fatal("n finds no step")
	}
	s.sees("stays out.")
	s.press("15") // seen once, it keeps the item
	s.selects(item)
}

func TestReplayOfAKnapsackInASmallTerminal(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 60, 16).after("c<esc>5bg", " Which items are worth the most together?", "b shows how it is filled.")
	s.do("replay.next other")
	item, _ := s.m.selected()
	s.sees("#"+strconv.Itoa(item)+" takes ", "it stays out.", "    with  without")
	s.seesNot("buckets it takes", "best total with and without the item") // the rows need the room
	s.press("bg")
	s.line("▌─ 58 items") // the first row is its heading
	rows := 0
	for _, line := range s.screen() {
		if regexp.MustCompile(`^ +\d+ .* [\d,]+ +\d+ +\d\.\d\d +\d\.\d\d$`).MatchString(strings.TrimRight(line, " ")) {
			rows++
		}
	}
	if rows < 2 {
		t.Errorf("the table has %d rows:\n%s", rows, s.text())
	}
	s.press("b")
	s.do("replay.zoom in", "+: there is no room for the columns of the table")
}

// Where no item is selected, and while a table is filled, the pane of the item has a small example of a knapsack, says what the
// columns of another slicer mean, or at least which key goes on.
func TestReplayFillsThePaneOfTheItemFromTheBeginning(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		want := []string{"How to read it", "l does the next step, space plays them.", "score per 1,000 tokens, the highest first: #64 has 0.80 for 28"}
		if size[1] < 20 {
			want = want[1:2]
		}
		s.press("5g", want...)
		want = []string{"A small example, 4 buckets: #63 and #40 together are worth more than #56", "1.29", "in: 1.29, not 0.80", "0.50 + 0.79 = 1.29."}
		switch {
		case size[1] < 20:
			want = []string{"l does the next step"}
		case size[1] < 30:
			want = want[:3]
		}
		for _, keys := range []string{"c", "bg", "b", "ll"} {
			s.press(keys, want...)
			if keys == "c" && size[0] >= 120 {
				s.sees("Which items are worth the most together", "best total, by buckets", "b read it back", " below ─┘")
			}
		}
		s.press("glll") // the table is filled like the example, which stays at every item
		if s.selects(62); size[1] > 20 {
			s.sees(want...)
		} else {
			s.sees("#62 ")
		}
	}
}

// B replays B alone, and the footer says so where both are not beside each other already.
func TestReplayOfOneSideAlone(t *testing.T) {
	s := agentAt(t, 80, 24, "5", "B alone")
	s.press("B", "fill the table of 59 items; space plays")
	s.seesNot("B alone")
	musttest.Is(t, s.m.exp.Setup().Policy[experiment.B].Slicer, model.Knapsack, "the slicer of B")
	s = agentAt(t, 120, 36, "5B", "Replay (B)", "A alone")
	s.press("A", "Replay (A)", "B alone")
	s.press("d")
	s.seesNot("B alone")
}

// In Replay h and l go through the steps; the budget has [ and ] as everywhere, and
// the knobs have h and l where they have the keys.
func TestStepsOfAReplayByHAndL(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("5gll", "step 2 of", "h/l step")
	s.do("replay.far on", "step 12 of")
	s.press("hH", "step 1 of")
	budget := s.m.budget()
	s.do("budget.next")
	if s.m.budget() == budget {
		t.Error("] leaves the budget as it is")
	}
	budget = s.m.budget()
	s.press("<tab>l")
	if s.m.budget() == budget {
		t.Error("l leaves the knob as it is")
	}
}

// f finds an item here as everywhere, and goes to the step that decides on it, under
// every slicer and while the table is filled.
func TestReplayGoesToTheStepOfAnItem(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for n, keys := range []string{"5", "cb", "b", "b", "c"} {
		s.press(keys)
		for _, item := range []int{15, 54, 7} {
			s.press("f" + strconv.Itoa(item) + "<enter>")
			if got, ok := s.m.selected(); !ok || got != item || s.showing() != "Replay" {
				t.Fatalf("f leads to #%d in %s, want #%d in Replay", got, s.showing(), item)
			}
			state := "○"
			switch {
			case n == 2: // while the table is filled nothing is decided
				state = " "
			case s.m.exp.Outcome(experiment.A).Report.In(item):
				state = "●"
			}
			s.line("▌"+state+" ", " "+strconv.Itoa(item)+" ")
		}
	}
}

// b shows how the table is filled, row by row, and esc or b the walk back through it.
func TestReplayShowsHowTheTableIsFilled(t *testing.T) {
	s := begin(t, islands(t, 120), 80, 24, func(o *Options) { o.ASCII = true }).after("c<esc>5")
	s.shows(
		" Which items are worth the most together? A row of the table adds an item and",
		" keeps the better total, with or without it; b reads back which are in.",
		" fill the table of 2 items; space plays",
		" # more with the item",
		"    # kind item              tok takes     with  without    1   buckets",
		">- 2 items compete for 1 bucket of 100 -----------------------------------------",
		" - a row for each item, the highest score first --------------------------------",
		"    0 msg  A, dense          100     1     1.00     0.00  ..##", // what the filling comes to
		"    1 msg  B, thin            50     1     0.10     1.00  ....")
	s.press("jj")
	s.shows(
		" #0 takes 1 of 1 bucket: with it the best total is 1.00, without it 0.00, so it",
		" is in the best set so far.",
		" fill the table, item 1 of 2",
		" # more with the item",
		"    # kind item              tok takes     with  without    1   buckets",
		" - 2 items compete for 1 bucket of 100 -----------------------------------------",
		" - a row for each item, the highest score first --------------------------------",
		">   0 msg  A, dense          100     1     1.00     0.00  ..##",
		"    1 msg  B, thin            50     1")
	s.press("gN", "N: no step that leaves an item out comes before this one")
	s.press("Gn", "n: no step that lets an item in comes after this one", "fill the table, item 2 of 2; it is full, b reads it back")
	s.press("<esc>", "item 1 of 2", "it stays out")
	s.do("replay.fill", "fill the table of 2 items; space plays") // the filling begins at its first step
	s.do("replay.fill", "item 1 of 2", "it stays out")            // and the walk back where it was left
	s.press("c<esc>b", "b: only a knapsack has a table")
}

// An item with which the value is the same stays out, and the step says so.
func TestAnItemThatAddsNothingStaysOut(t *testing.T) {
	session := islands(t, 120)
	session.Items = musttest.Of(model.NewSet([]model.Item{
		{Content: "A", Tokens: 100, FutureRelevanceHint: model.Some(1.0)},
		{Content: "B, worth the same", Tokens: 100, FutureRelevanceHint: model.Some(1.0)},
	}))(t)
	s := begin(t, session, 120, 36).after("c5bgjj")
	i, _ := s.m.selected()
	if s.m.exp.Outcome(experiment.A).Report.In(i) {
		t.Fatalf("#%d is in", i)
	}
	s.sees("it stays out.")
	musttest.Says(t, s.words(), fmt.Sprintf("#%d takes 1 of 1 bucket left: with it the best total is 1.00, which is no more than without it, so it stays out.", i))
}

// While the table is filled the columns hold the best value so far, and nothing is said that the
// reading back is to find.
func TestTheFillingTellsNoOutcome(t *testing.T) {
	for _, s := range agentAtSizes(t, "5cG", "in the best set so far") {
		s.seesNot(" left:", "stay free", "After the last step")
		s.press("bG", "free 1,764 = 1,682 by rounding + 82 too few for a bucket")
	}
}

// The first step of a knapsack says how many items have no row, the axis has a name, and
// where no item is selected, it says why.
func TestReplayNamesTheAxisAndWhatHasNoRow(t *testing.T) {
	session := islands(t, 120)
	items := musttest.Of(model.NewSet([]model.Item{
		{Content: "A, dense", Tokens: 100, FutureRelevanceHint: model.Some(1.0)},
		{Content: "B, thin", Tokens: 50, FutureRelevanceHint: model.Some(0.1)},
		{Content: "C, worthless", Tokens: 50, FutureRelevanceHint: model.Some(0.00001)},
	}))(t)
	session.Items = items
	s := begin(t, session, 120, 44).after("c5bg", "3 items compete for 1 bucket of 100; 1 without a row: score below 0.0001", "buckets left",
		"next step, space plays them.")
	s.press("G", "After the last step 1 item fills", "100 of 120 tokens, worth 1.00.")
	s.press("gb")
	s.seesNot("buckets left")
	s.sees("buckets")
	agentAt(t, 120, 36, "B5b", "read the table back, item 16 of 59", "180··· buckets left ···192")
	s = begin(t, agentSession(t), 120, 36)
	s.do("view.Replay", "the selected item; space plays from the first")
	s.press("k")
	s.seesNot("the selected item")
	s = agentAt(t, 120, 36, "c5bnf7<enter>b", "fill the table of 59 items; space plays")
	s.do("replay.fill")
	s.selects(7)
}

// + and - change how many buckets a column of the table holds, z fits the rows again.
func TestTheTableOfAReplayIsZoomed(t *testing.T) {
	s := begin(t, agentSession(t), 80, 24, func(o *Options) { o.ASCII = true }).after("c5nnn")
	head := s.line("# kind")
	for range 8 {
		s.do("replay.zoom out")
	}
	s.sees("-: all numbers of buckets are shown already")
	s.press("+++++++", "+: each number of buckets is 4 columns wide already")
	s.do("replay.fit")
	musttest.Is(t, s.line("# kind"), head, "z leaves")
	s.do("replay.fit", "z: the columns fit the rows already")
	s.do("replay.fit too", "0: the columns fit the rows already")
	s.press("c5-", "-: only a knapsack has a table")
}

func TestClicksOnStepsAndRows(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("5g<space>")
	s.clickOn("─ by score per token")
	s.seesNot("playing")
	x, y := s.find("─ by score per token")
	s.click(x, y+3, "step 3 of")
	i, _ := s.m.selected()
	s.click(x, y+3)
	if s.m.targets()[0] != i || !s.m.reading() {
		t.Errorf("a second click opens #%d", i)
	}
	s.press("<esc>6")
	s.clickOn(duplicate, "enter its items")
	s.clickOn(duplicate, s.tab(1), "filter is:dup")
	s.press("<esc>6")
	s.click(s.m.drawn.layout.Main.X+s.m.drawn.layout.Main.W/2, s.m.drawn.layout.Main.Y+s.m.drawn.layout.Main.H-2)
}

func TestReplayWithoutSteps(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("5<tab><enter>9k<enter><tab>", "No room: the budget leaves nothing for items that compete")
	s.press("<space>", "space: there are no steps")
	s.press("jkgGnN")
	one := sampleSession(t, 1)
	s = begin(t, one, 80, 24)
	s.do("view.Replay", "No candidates: every item is "+plain.Pinned)
}

func TestReplayOfQuotasShowsTheirArithmetic(t *testing.T) {
	session := sampleSession(t, 60)
	session.Policy.Quotas = []model.Quota{{Kind: model.Document, MinPercent: model.Some(20.0), MaxPercent: model.Some(30.0)}}
	begin(t, session, 120, 36).after("5g", "")
	session = sampleSession(t, 60)
	session.Policy.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: 2, Cap: 3}}
	s := begin(t, session, 120, 44).after("5gj", "document requires 2: the best 2 of", "required, 1 of 2", "At most 3 may be in.")
	s.press("G", "caps: ", "dropped, cap 3 reached", "What a cap drops stays out")
}

// Replay begins with the step of the selected item, or of the first item that is left out where no
// step decides on that one, and says there what the slicer does. From there it plays all steps.
func TestReplayBeginsWhereSomethingIsSeen(t *testing.T) {
	for _, size := range sizes {
		for keys, want := range map[string]string{"f7<enter>": "#7 ", "f0<enter>": "#32 "} { // #0 is pinned
			s := agentAt(t, size[0], size[1], keys+"5", want)
			if size[0] >= 80 {
				s.sees(" Greedy goes through the items by score per token, the densest first")
			}
			s.do("replay.next")
			s.seesNot("Greedy goes")
			s.do("replay.back")
			s.seesNot("Greedy goes", "No step decides")
			s = agentAt(t, size[0], size[1], keys+"5<space>")
			s.tick()
			s.sees(map[bool]string{true: "1/59", false: "step 1 of 59"}[size[0] < 120])
		}
		agentAt(t, size[0], size[1], "f7<enter>B5", "Which items are worth the most together")
		s := agentAt(t, size[0], size[1], "f0<enter>B5", "Which items are worth the most together")
		s.seesNot("Knapsack finds", "No step decides")
		s = agentAt(t, size[0], size[1], "f7<enter>5")
		for _, view := range []string{"1", "5"} {
			s.press(view)
			s.selects(7)
		}
	}
}

// What stands below the steps of each side are whole sentences.
func TestNoSentenceOfAReplayIsCut(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		for _, keys := range []string{"5gd", "n", "n", "G"} {
			s.press(keys)
			for _, line := range s.screen() {
				line = strings.TrimSpace(line)
				if size[0] == 80 && (strings.HasPrefix(line, "Greedy ") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "Which ")) && !strings.HasSuffix(line, ".") && !strings.HasSuffix(line, "?") && !strings.HasPrefix(line, "# ") {
					t.Errorf("%v: %q", size, line)
				}
			}
		}
		if size[0] == 80 {
			s.press("g", "Greedy goes through the items by score per token, the densest first.")
		}
	}
}

// The rows of a knapsack name their items at every size.
func TestTheTableOfAReplayNamesItsItems(t *testing.T) {
	for _, s := range agentAtSizes(t, "B5bjjj") {
		i, ok := s.m.selected()
		if !ok {
			t.Fatal("the step decides on no item")
		}
		s.line("▌○ ", " "+strconv.Itoa(i)+" ", s.m.exp.Items().Loaded(i).Headline(8))
	}
}

// words is the main area in one line: a sentence that is broken over several is whole.
func (s *story) words() string {
	s.t.Helper()
	r, text := s.m.drawn.layout.Main, ""
	for _, line := range s.screen()[r.Y : r.Y+r.H] {
		cells := []rune(line)
		text += " " + strings.Trim(string(cells[min(r.X, len(cells)):min(r.X+r.W, len(cells))]), "│| ")
	}
	return strings.Join(strings.Fields(text), " ")
}

// The last step of greedy says which items find no room, those that miss by least first.
func TestTheLastStepSaysWhatFindsNoRoom(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	o := s.m.exp.Outcome(experiment.A)
	short := map[int]model.Tokens{}
	for i := range o.Items.Len() {
		if r := o.Reasons.Of(i); !o.Report.In(i) && r.Short > 0 {
			short[i] = r.Short
		}
	}
	order := slices.SortedFunc(maps.Keys(short), func(a, b int) int { return cmp.Compare(short[a], short[b]) })
	want := "No room for " + strconv.Itoa(len(short)) + " items, the nearest first:"
	for _, i := range order[:5] {
		want += fmt.Sprintf(" #%d lacks %v,", i, short[i])
	}
	s.do("view.Replay")
	s.seesNot("No room for")
	s.press("G")
	musttest.Says(t, s.words(), strings.TrimSuffix(want, ",")+".", "it does not say", want, s.text())
	for _, keys := range []string{"cbG", ":tooloutput max 30" + alone + "5G"} { // a share of a quota may have no table
		s.press(keys, "After the last step")
		s.seesNot("No room for")
	}
}

// A and B stand beside each other: whichever side is edited, B has never placed more tokens than A, and
// n finds what only one of them takes.
func TestTheStepsOfBothSidesStandBesideEachOther(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		sums := regexp.MustCompile(`([\d,]+) of 19,682`)
		placed := func(side experiment.Side) model.Tokens {
			t.Helper()
			both := sums.FindAllStringSubmatch(s.text(), -1)
			if len(both) < 2 {
				t.Fatalf("%v: %d sides say what is placed:\n%s", size, len(both), s.text())
			}
			return musttest.Of(model.ParseTokens(both[side][1]))(t)
		}
		s.press("5d", "difference")
		s.seesNot("─ Item ─")
		s.press("f15<enter>")
		if at := regexp.MustCompile(`[▌▏]A +15 `); len(at.FindAllString(s.text(), -1)) != 2 {
			t.Errorf("%v: the sides are not at the same item:\n%s", size, s.text())
		}
		if size[0] >= 80 {
			s.sees("b fill the table")
		}
		if size[0] >= 120 {
			s.sees("● both  A only A  B only B  ○ neither")
			s.line("B 32 applied", "lacks 45")
			all := s.m.exp.Outcome(experiment.B).Report.Effective.Target
			bar := strings.Split(s.line("19,642 of 19,682"), "│")[3]
			read := musttest.Of(model.ParseTokens(regexp.MustCompile(`([0-9,]+) of `).FindStringSubmatch(bar)[1]))(t)
			is := strings.Count(bar, "█")
			musttest.Is(t, is, int(float64(read)/float64(all)*float64(is+strings.Count(bar, "·"))+.5), "cells of the bar of B")
			s.sees("A and B, at the same item")
			s.do("replay.next", "Replay  A and B, in step by tokens placed", "A takes the highest score per token first.", "B has filled its table and reads it back, the lowest score first.")
		}
		s.press("G", "A wins by 4.7 %")
		s.press("g")
		for _, leader := range [...]experiment.Side{experiment.A, experiment.B} {
			s.press(leader.String() + "g")
			for range 20 {
				s.press("lll")
				if a, b := placed(experiment.A), placed(experiment.B); b > a {
					t.Fatalf("%v: %v is edited, A has placed %v tokens and B %v", size, leader, a, b)
				}
			}
			s.sees("finished")
			s.press("gf40<enter>")
			if at := regexp.MustCompile(`[▌▏]● +40 `); len(at.FindAllString(s.text(), -1)) != 2 {
				t.Errorf("%v: f does not go to #40 on both sides:\n%s", size, s.text())
			}
			s.press("gn")
			i, _ := s.m.selected()
			a, b := s.m.exp.Outcome(experiment.A).Report, s.m.exp.Outcome(experiment.B).Report
			if a.In(i) == b.In(i) {
				t.Errorf("%v: n leads to #%d, which is no difference", size, i)
			}
			both := regexp.MustCompile(fmt.Sprintf(`[▌▏]%v +%d `, map[bool]string{true: "A", false: "B"}[a.In(i)], i))
			if text := s.text(); len(both.FindAllString(text, -1)) != 2 {
				t.Errorf("%v: n does not go to #%d on both sides:\n%s", size, i, text)
			}
			s.sees("#7 #15 #57 #60", "#32 #54") // what only A takes, and only B
			s.sees(fmt.Sprintf("Only %s takes #%d (", map[bool]string{true: "A", false: "B"}[a.In(i)], i))
			s.do("replay.previous other", "round again, to the last difference")
			s.do("replay.next other", "round again, to the first difference")
			s.selects(i)
			s.press("G")
			for side, report := range map[experiment.Side]*model.Report{experiment.A: a, experiment.B: b} {
				musttest.Is(t, placed(side), report.SlicedTokens, size, side, "ends with")
				s.sees("finished", "value "+widget.Value(report.Value))
			}
		}
		s.press("+", "A and B stand beside each other")
		s.press("g<space>")
		s.tick()
		s.sees(map[bool]string{true: "step 1 of 59", false: "1/59"}[size[0] == 120])
		s.press("<esc><esc>A")
		s.seesNot("B knapsack 100", "difference")
		s.press("db", "fill the table of 59 items; space plays") // of B: A has no table
		musttest.Is(t, s.m.side, experiment.B, "the side whose table is filled")
	}
}

// Two replays say below each other how each goes through its items, and at length where there is room, also under
// quotas; nothing else is told before the end.
func TestTwoReplaysSayHowTheyGoThroughTheirItems(t *testing.T) {
	quotas := func(p *model.Policy) {
		p.Quotas = []model.Quota{{Kind: model.ToolOutput, MaxPercent: model.Some(30.0)}}
	}
	for size, says := range map[[2]int][]string{
		{120, 36}: {"A follows its quotas.", "B has filled its table and reads it back, the lowest score first."},
		{100, 20}: {"A follows its quotas; B has filled its table and reads it back, the lowest score first."},
		{80, 24}:  {"A follows its quotas; B reads its table back."},
	} {
		begin(t, agent(t, quotas), size[0], size[1]).after("5dl", says...)
	}
}

// Beside each other no side stands for long while the other goes on, and both end together.
func TestNoSideOfAReplayHangs(t *testing.T) {
	s := agentAt(t, 120, 36, "5d", "step 0 of 59", "read back 0 of 59")
	musttest.Says(t, s.m.View().Content, ";48;2;43;50;69m▏", "the row of the other side is marked as a whole")
	at := regexp.MustCompile(`(?:step|read back) (\d+) of`)
	var was [2]string
	var stands [2]int
	for k := range 58 {
		s.do("replay.next")
		for side, found := range at.FindAllStringSubmatch(s.text(), -1) {
			if stands[side]++; found[1] != was[side] {
				was[side], stands[side] = found[1], 0
			}
			if stands[side] > 5 || stands[side] > 2 && k > 10 {
				t.Fatalf("after %d keys a side stands at step %s for %d:\n%s", k+1, was[side], stands[side], s.text())
			}
		}
		s.seesNot("finished", "Only A:", "Only B:", "ends at") // nothing is told before it happens
		if k == 48 {
			s.sees("step 49 of 59  final value 18.49", "read back 53 of 59  value 15.14")
		}
	}
	s.do("replay.next", "finished: 36 items, value 18.49", "finished: 34 items, value 17.66", "Only A: 4 items", "Only B: 2 items")
}

// A side without a result says so, and the other one still plays.
func TestASideWithoutAResultStandsBesideTheOther(t *testing.T) {
	s := begin(t, agent(t, func(p *model.Policy) {}), 120, 36).after("Bp")
	s.toRow("tool output require")
	s.press("30<enter><esc>A5gdll", "A greedy", "No result yet, so there is nothing to replay.", "step 2 of")
}

// The last step says how the replay ends, beside each other which side is worth more.
func TestTheReplaySaysHowItEnds(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	ends := func(side experiment.Side) string {
		rep := s.m.exp.Outcome(side).Report
		return fmt.Sprintf("%d items fill %v of %v tokens, worth %s", len(rep.Included)-3, rep.SlicedTokens, rep.Effective.Target, widget.Value(rep.Value))
	}
	frame := func(side experiment.Side) string { // what stands between the edges of a side
		text := ""
		for _, line := range s.screen()[7:27] {
			text += " " + strings.Split(line, "│")[1+2*int(side)]
		}
		return strings.Join(strings.Fields(text), " ")
	}
	s.press("5g")
	s.seesNot("After the last step")
	s.press("G")
	rep, pinned := s.m.exp.Outcome(experiment.A).Report, 0
	for _, i := range rep.Included {
		if rep.Codes[i] == model.Pinned {
			pinned++
		}
	}
	want := fmt.Sprintf("After the last step %s; with the %d "+plain.Pinned+" %d are in.", ends(experiment.A), pinned, len(rep.Included))
	musttest.Says(t, s.words(), want, "it does not say", s.text())
	s.press("dg", "n goes to the first item that only one side takes.")
	s.press("G")
	a, b := s.m.exp.Outcome(experiment.A).Report, s.m.exp.Outcome(experiment.B).Report
	won := fmt.Sprintf("A wins by %s, %s in value: ", plain.Percent(a.Value/b.Value-1), widget.Value(a.Value-b.Value))
	musttest.Says(t, frame(experiment.A), "No room for 23 items, the nearest first: #32 lacks 45, #31 lacks 170, ", s.text())
	musttest.Says(t, frame(experiment.B), "All 196 buckets are full; free 1,764 = 1,682 by rounding + 82 too few for a bucket.", s.text())
	s.sees("value 2.06  #7 #15 #57 #60", "value 1.23  #32 #54") // apart by what the sides are: 18.49 and 17.66
	musttest.Says(t, s.words(), won+"B rounds sizes up to buckets of 100", s.text())
	musttest.Is(t, strings.Count(s.text(), "A wins"), 1, "times the verdict is told", s.text())
	musttest.Is(t, strings.Count(s.words(), "1,764 tokens"), 1, "times it is told what stays free", s.text())
	s.do("replay.back")
	s.seesNot("A wins", "No room for")
	s.press("pg<enter>7<enter><esc>X") // the sides score differently: no one is worth more
	s.press("G", "score the items differently, so their values cannot be compared")
	s.seesNot("wins")
}

// Before a knapsack is read back it says what that leads to: the value of the result.
func TestReplayOfAKnapsackSaysFirstWhatTheBestSetIsWorth(t *testing.T) {
	for _, s := range agentAtSizes(t, "c5bgjj") {
		s.sees("The best set is worth " + widget.Value(s.m.exp.Outcome(experiment.A).Report.Value))
	}
}

// Each side says its own step and what it does there, also one above the other.
func TestReplayBesideSaysTheStepOfEachSide(t *testing.T) {
	for size, s := range agentAtSizes(t, "5gdllllllllllll") {
		step, back := "step ", "read back "
		if size[0] < 80 {
			step, back = "", ""
		}
		s.sees("1,034 of 19,682", "682 of 19,682")
		for _, line := range s.screen() {
			if size[0] < 120 && len([]rune(line)) == size[0] {
				t.Errorf("%v: it stands outside of the columns: %s", size, line)
			}
		}
		if size[0] >= 120 { // each side has a frame of its own
			s.sees("┌─ A greedy · chat ──", " step 12 of 59  value 6.08 ─┐┌─ B knapsack 100 ──", " read back 12 of 59  value 1.46 ─┐", "──┘└──", "┌─ Replay  A and B, in step by tokens placed ──")
		}
		for _, at := range []string{step + "12", back + "12"} {
			if !strings.Contains(s.words(), at+" of 59") && !strings.Contains(s.words(), at+"/59") {
				t.Errorf("%v: no side says %q:\n%s", size, at, s.text())
			}
		}
		if size[0] >= 80 {
			s.sees("388 of the 19,036", "17.55")
		}
	}
}

// Both sides begin before their first decision, and at the last step the reason stands there
// that Compare gives. The same policy twice is in step at every step, and X leads on.
func TestReplayBesideBeginsAndEndsAlike(t *testing.T) {
	for _, size := range sizes[:2] {
		s := agentAt(t, size[0], size[1], "5gd")
		musttest.Is(t, strings.Count(s.text(), "0 of 19,682  0 selected"), 2, size, "sides begin with nothing", s.text())
		s.press("G")
		reason := "rounds sizes up to buckets of 100, and 1,764 tokens"
		if text := strings.Join(strings.Fields(s.text()), " "); !strings.Contains(text, " in value: B") || !strings.Contains(text, reason) {
			t.Errorf("%v: no reason at the last step:\n%s", size, s.text())
		}
		s.press("gcm")
		for range 8 {
			s.do("replay.next")
			if size[0] < 120 {
				continue
			}
			row := []rune(s.line("▌"))
			cut := slices.Index(row, '▏')
			if cut < 0 || strings.Fields(string(row[cut+1:]))[1] != strings.Fields(string(row[2:cut]))[1] {
				t.Errorf("the sides are out of step: %s", string(row))
			}
		}
		musttest.Says(t, strings.Join(strings.Fields(s.text()), " "), "same policy: X makes B greedy", size, "the way on")
	}
}

// A number of buckets that needs five cells is whole, alone and beside greedy.
func TestAColumnOfBucketsHoldsLargeItems(t *testing.T) {
	s := begin(t, agent(t, func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, 1 }), 120, 36)
	whole := " 20,630 " + model.Tokens(20_630).Short() + " "
	s.press("5b" + strings.Repeat("l", 21))
	s.line(" 19 tool", whole)
	s.do("replay.beside")
	s.line(" 19 ", whole)
}

// A count of one has its own verb and word.
func TestOneTokenIsLeft(t *testing.T) {
	const text = `{"items": [{"content": "a", "tokens": 10, "futureRelevanceHint": 0.9}, {"content": "b", "tokens": 11, "futureRelevanceHint": 0.1}],
		"budget": {"maxTokens": 11}, "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}}`
	s := opening(t, "one.json", text, 80, 24).after("5g")
	for _, says := range []string{"It takes 10 of the 11 tokens left: it fits, so it is in, and 1 is left.", "#1 does not fit: it needs 11, and 1 is left."} {
		s.press("j")
		musttest.Says(t, strings.Join(strings.Fields(s.text()), " "), says)
	}
	s = opening(t, "one.json", `[{"content": "a", "tokens": 1}]`, 120, 36)
	s.do("report", "1 item, 1 token, 0 of them")
	s.press("<esc>:#4<enter>", "there is 1 item, numbered from 0")
}
