package explorer

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/widget"
)

// The words for an item that repeats another, for one that is larger than the room, and for a count below 0.
var duplicate, tooLarge, negative, excluded = export.CodeWord(model.Deduplicated), export.CodeWord(model.PinnedOverride), export.CodeWord(model.NegativeTokens), export.CodeWord(model.Filtered)

// agent opens the fixture of that name, with policy A changed.
func agent(t testing.TB, change func(*model.Policy)) *Workspace {
	t.Helper()
	s := agentSession(t)
	s.Policy = s.Policy.Clone()
	change(&s.Policy)
	return s
}

// short has the words for an item that needs more than is left at its turn.
func short(needs, left model.Tokens) string {
	why := export.WhyOut(simulate.Reason{Obstacle: simulate.Short, Tokens: needs, Left: left, Short: needs - left}, nil, model.Policy{}, false)
	return why.Clause + why.Numbers
}

// best has the words for an item that is not in the set of a knapsack.
var best = export.WhyOut(simulate.Reason{Obstacle: simulate.OutsideBest}, nil, model.Policy{}, false)

// The reason an item is out comes first in its detail, at every size and under
// every way of selecting, and the table tells it in a few words.
func TestTheReasonComesFirst(t *testing.T) {
	greedy := func(*model.Policy) {}
	shares := func(p *model.Policy) {
		p.Quotas = []model.Quota{{Kind: model.ToolOutput, MaxPercent: model.Some(30.0)}}
	}
	for _, c := range []struct {
		name   string
		policy func(*model.Policy)
		item   int
		reason string // in full
		short  string // where there is no room for more
		why    string
	}{
		{"greedy", greedy, 31, "out, " + short(1140, 970) + "; next in with 1,248 more", "970 left", "970 left"},
		{"at risk", greedy, 15, "in, " + plain.AtRisk + ": out with 43 tokens less, and with 48 more, when #32 takes", "in, " + plain.AtRisk + ": out with 43 tokens less (31,957)", plain.AtRisk},
		{"too large", greedy, 19, "out, " + tooLarge + ": needs 20,630, the room is 19,682; next in with 58,839 more", "out, " + tooLarge + "; next in at 90,839 (+58,839)", tooLarge},
		{"larger than its share", shares, 5, "out, larger than memory's share: needs 138, the share is 50", "out, larger than memory's share", "over its share"},
		{"a share", shares, 3, "out, memory's share is full: needs 31; 26 left of its 50 (it has no quota", "out, memory's share is full", "share is full"},
		{"a knapsack", func(p *model.Policy) { p.Slicer = model.Knapsack }, 15, "out, " + best.Clause + ": takes 10 buckets of 100, the set leaves 0", "out, " + best.Clause, "not in set"},
		{"a cap", func(p *model.Policy) {
			p.CountQuotas = []model.CountQuota{{Kind: model.ToolOutput, Cap: 3}}
		}, 15, "out, the cap of 3 is full: in with a cap of", "out, the cap of 3 is full", "cap is full"},
		{"a duplicate", greedy, 12, "out, same text as #28", "out, same text as #28", "same as #28"},
	} {
		t.Run(c.name, func(t *testing.T) {
			session := agent(t, c.policy)
			for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
				s := begin(t, session, size[0], size[1], func(o *Options) { o.Start.Item = json.Number(fmt.Sprint(c.item)) })
				row := s.line("▌", fmt.Sprintf(" %d ", c.item))
				detail := s.m.drawn.layout.Detail
				first := s.screen()[detail.Y]
				if detail.H > 2 {
					first = s.screen()[detail.Y+1]
				}
				want := c.short
				if size[0] > 80 {
					want = c.reason
				}
				if want = want[:min(len(want), 56)]; !strings.Contains(first, want) && (size[0] == 60 || !strings.Contains(first, c.reason)) {
					t.Errorf("%dx%d: the detail begins with %q, want %q", size[0], size[1], first, want)
				}
				if size[0] < 120 && !strings.Contains(row, c.why) {
					t.Errorf("%dx%d: the row is %q, want %q", size[0], size[1], row, c.why)
				}
				if size[0] == 60 && detail.H == 2 && !strings.Contains(first, fmt.Sprintf(" #%d ", c.item)) {
					t.Errorf("the detail does not name the item: %q", first)
				}
			}
		})
	}
}

// The reason is that of the result on the screen, also after each change.
func TestTheReasonIsNeverStale(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Start.Item = "32" })
	s.sees("out, "+short(1015, 970)+"; with the 5 % margin the budget must grow", "by 48")
	s.do("budget.next", "in, selected by greedy")
	s.seesNot(short(1015, 970))
	s.do("budget.back", "out, "+short(1015, 1014)+"; next in with 1 more")
	s.do("policy.slicer")
	s.seesNot(short(1015, 1014))
	if o := s.m.exp.Outcome(experiment.A); !o.Report.In(32) || !slices.Contains(o.Lost, 32) {
		t.Errorf("#32 is not in, or not at risk: %v", o.Lost)
	}
}

// On the smallest screen no sentence of the detail is cut.
func TestTheSmallestDetailIsWhole(t *testing.T) {
	for name, policy := range map[string]func(*model.Policy){
		"greedy":   func(*model.Policy) {},
		"knapsack": func(p *model.Policy) { p.Slicer = model.Knapsack },
		"shares": func(p *model.Policy) {
			p.Quotas = []model.Quota{{Kind: model.ToolOutput, MaxPercent: model.Some(30.0)}}
		},
	} {
		s := begin(t, agent(t, policy), 60, 16).after("g")
		for i := range s.m.exp.Items().Len() {
			line := s.screen()[s.m.drawn.layout.Detail.Y+1]
			if s.press("j"); len([]rune(line)) >= 60 {
				t.Errorf("%s, #%d: %q", name, i, line)
			}
		}
	}
}

// An open item says why Cupel's search misses its least budget, where it does.
func TestWhyTheSearchOfCupelMissesABudget(t *testing.T) {
	s := begin(t, agentSession(t), 120, 60) // a high pane says it too, beside its mark
	s.sees("binary search 38,261", "binary search assumes that what is in stays in, and misses 20,182")
	s.send(tea.WindowSizeMsg{Width: 120, Height: 36}) // a lower one marks it on the axis, in place of its labels
	s.line("17.5k··", "┊32,000··", "··binary search 38,261··", "··49.3k")
	s.sees(" 18 ranges, in at 16 %")
	s.seesNot("39.4k")
	s.press("jk", " 18 ranges: in at 16 % of the budgets from 20,182 to 46,608")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.line("no other item moves   18 ranges, search 38,261")
	s.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	o := s.m.exp.Outcome(experiment.A)
	found := musttest.Of(o.Search(15))(t)
	if sum := o.Profile.Summary(15); found.Value != 38261 || sum.FirstIn.Value != 20182 {
		t.Errorf("the search finds %v, the item is first in at %v", found.Value, sum.FirstIn.Value)
	}
	s.press("f15<enter><enter>G", "binary search assumes that what is in stays in, and misses 20,182", "binary search says 38,261")
	s.press("<esc>f6<enter><enter>") // which it finds
	s.seesNot("Cupel, the specification")
	s.press("<esc>f0<enter><enter>G", plain.Pinned) // which does not compete
	s.seesNot("binary search")
}

// A knapsack chooses its set as a whole: no item of it has a turn at which it lacks tokens,
// and Compare and Replay tell the same free tokens as the bar.
func TestAKnapsackHasNoTurns(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		next := "next in at 32,019"
		if size[0] == 120 {
			next = "next in with 19 more" // the budget stands beside it
		}
		s.press("Bf60<enter>", "out, "+best.Clause, next)
		if size[0] == 120 {
			rep := s.m.exp.Outcome(experiment.B).Report
			whole := model.Tokens(0) // what the set takes in whole buckets
			for i, code := range rep.Codes {
				if code == model.Scored {
					whole += (rep.Items.Tokens(i) + 99) / 100 * 100
				}
			}
			s.sees("free 1,764", "takes 17 buckets of 100, the set leaves 0, as rounding up loses", (whole-rep.SlicedTokens).String()+" of the 1,764 free tokens")
		}
		s.seesNot("at its turn")
		s.do("view.Compare", "1,764 tok")
		s.seesNot("lacks", "only 0 left")
		s.press("5bG", "free 1,764 = 1,682 by rounding + 82 too few for a bucket")
	}
}

// Where the room grows by what an item lacks and it is still out, the reason says why.
func TestAnItemThatOthersComeBeforeSaysSo(t *testing.T) {
	s := agentAt(t, 120, 36, ":budget 20000<enter>f62<enter><enter>", "out, "+short(2179, 757), "next in with 17,282 more, as others", "first")
	s.press("<esc>:budget 32000<enter>f32<enter>") // it lacks 45, and 48 bring it in: 5 % are a margin
	s.sees("with the 5 % margin the budget must grow", "by 48")
	s.seesNot("next in", "others come")
}

// The picture of an item's budgets is of its ranges. A budget that lies far from them is told
// beside it, with the side on which it lies.
func TestThePictureOfAnItemLeavesOutAFarBudget(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for item, budget := range map[int]string{15: "┊ budget", 21: "budget 32,000 is below", 51: "budget 32,000 is above"} {
		s.press(":#" + strconv.Itoa(item) + "<enter>")
		is := s.m.exp.Profile(experiment.A).Summary(item)
		s.sees("first in "+is.FirstIn.Value.String(), " "+is.StaysFrom.Value.String(), budget)
	}
}

// Where everything fits, the header says how many items are out all the same.
func TestTheHeaderSaysWhatIsOutThoughAllFits(t *testing.T) {
	for items, header := range map[string]string{
		`{"content":"a","tokens":1},{"content":"b","tokens":1}`:                             "2 of 2 in   everything fits: 2 of",
		`{"content":"a","tokens":1},{"content":"a","tokens":1}`:                             "1 of 2 in   all fits but 1 " + duplicate + ": 1 of",
		`{"content":"a","tokens":1},{"content":"a","tokens":1},{"content":"c","tokens":-1}`: "1 of 3 in   all fits but 1 " + duplicate + ", 1 with " + negative + ": 1 of",
	} {
		path := filepath.Join(t.TempDir(), "s.json")
		write(t, path, "["+items+"]")
		begin(t, reopened(t, path), 120, 36).sees(header)
	}
}

// Where the item that a duplicate repeats is in, the strips of the duplicate have its mark: it is never in itself.
func TestTheStripOfADuplicateIsNoneOfAnItemThatIsIn(t *testing.T) {
	s := agentAt(t, 120, 36, ":90000<enter>:#28<enter>")
	survivor := strings.Count(s.line("▌● 28 doc"), "▅") + 1 // and at the budget
	s.press(":#12<enter>")
	for _, row := range []string{s.line("▌≡ 12 doc", "as #28"), s.line("│ ·", "·≡≡≡")} {
		if strings.ContainsAny(row[strings.LastIndex(row, "·"):], "▁▂▃▅") {
			t.Errorf("it looks as if the duplicate were in: %s", row)
		}
	}
	musttest.Is(t, strings.Count(s.line("▌≡ 12 doc", "as #28"), "≡"), survivor, "one mark for the item, and its strip but for the budget")
	s.do("view.Map")
	s.line("▌≡     12 doc", "·≡≡≡")
}

// The strips and the value of a short chat show the budgets at which anything happens: all larger ones
// share a column, and from where nothing changes is said.
func TestAShortChatIsShownWhereThingsHappen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	write(t, path, `[{"content":"a","tokens":30},{"content":"b","tokens":40},{"content":"c","tokens":50},{"content":"d","tokens":60},{"content":"e","tokens":32}]`)
	s := begin(t, reopened(t, path), 120, 36).after(":8000<enter>")
	o := s.m.exp.Outcome(experiment.A)
	settled := o.Profile.Axis().End()
	for settled > 1 && o.Profile.PointAt(settled-1).Items == 5 {
		settled--
	}
	s.sees("all in from "+settled.String(), "budget 8,000 is above")
	last := 0
	for i := range 5 {
		if from, ok := o.Profile.StaysFrom(i); ok && from == settled {
			last = i
		}
	}
	end := (settled + settled/8).String() // of the axis: all larger budgets have the column after it
	for _, at := range [][2]string{{"200", ""}, {"8000", " 8,000 "}, {"1000000", " 1,000,000 "}} {
		s.press(":" + at[0] + "<enter>")
		if row := s.line(" "+strconv.Itoa(last)+" msg ", settled.String()); strings.Count(row, "·") < 8 {
			t.Errorf("at %s #%d stays in from %v: %s", at[0], last, settled, row)
		}
		s.line("# kind ", "·"+end+at[1]+"› │")
	}
	s.press(":"+(settled-1).String()+"<enter>", "4 of 5 in")
	musttest.Is(t, s.m.exp.Outcome(experiment.A).Settled, settled, "settled from")
	write(t, path, `[{"content":"a","tokens":3123},{"content":"b","tokens":40321}]`)
	s = begin(t, reopened(t, path), 120, 36).after(":1000000<enter>")
	s.line(" all in from ") // no budget meets it
}

// An item that is out at the end is said to be, and what falls has the sign that it has elsewhere.
func TestWhatIsOutAtTheEndSaysSo(t *testing.T) {
	s := agentAt(t, 120, 60, ":at most 30% tool<enter>")
	if _, stays := s.m.exp.Profile(experiment.A).StaysFrom(15); stays {
		t.Fatal("#15 stays in")
	}
	s.line("ranges: in at", "out at the last of them")
	s.press("u7N")
	p, b := s.m.exp.Profile(experiment.A), s.m.budget()
	s.sees("+ #29 − #7 #10, 1 item fewer, " + widget.SignedValue(p.PointAt(b).Value-p.PointAt(b-1).Value) + " value")
}

// An opened item has its text on the screen at every size, on a wide one beside the facts.
func TestAnOpenedItemShowsItsText(t *testing.T) {
	wide := agentAt(t, 200, 60, "<enter>")
	// The text begins below the facts and goes on beside them: all but its last lines.
	lines := strings.Split(wide.m.exp.Items().Loaded(15).Content, "\n")
	wide.line("││ $ git log --stat --oneline -n 36 -- store")
	wide.sees("score 0.300", "source Tool, 3,245 bytes", "── │ ", "below ─┘")
	var below, beside []string // the rows of the text
	for _, row := range regexp.MustCompile("[│┘┐]│ ([^│]*) │ ([^│]*) │").FindAllStringSubmatch(wide.text(), -1) {
		if beside = append(beside, strings.TrimRight(row[2], " ")); below != nil || strings.HasPrefix(row[1], "──") {
			below = append(below, strings.TrimRight(row[1], " "))
		}
	}
	for k, row := range append(below[1:], beside...) { // after the rule
		musttest.Is(t, row, lines[k], "row", k)
	}
	wide.press("jj")
	wide.line("x excludes it: ", "│") // only the text scrolls
	wide.line("││  wire/frame.go          |  43 ")
	wide.press("G")
	wide.seesNot("below ─┘")
	wide.press("<esc>:#38<enter><enter>") // a text that is short has its own column
	wide.seesNot("── │ ")
	for size, s := range agentAtSizes(t, "") {
		for _, item := range []int{15, 32, 12, 0} {
			s.press(fmt.Sprintf(":#%d<enter><enter>", item))
			text, lines := s.text(), 0
			for _, line := range strings.Split(s.m.exp.Items().Loaded(item).Content, "\n")[:4] {
				if line = strings.TrimSpace(line); len(line) > 0 && strings.Contains(text, line[:min(len(line), 40)]) {
					lines++
				}
			}
			if lines < 2 {
				t.Errorf("%v: of #%d only %d lines of text are shown:\n%s", size, item, lines, text)
			}
			s.press("<esc>")
		}
	}
}

// A row says once that its item is pinned: its other cells are blank then.
func TestAPinnedRowSaysSoOnce(t *testing.T) {
	s := begin(t, agentSession(t), 200, 60)
	if !regexp.MustCompile(`# AGENTS\.md of harborlog +` + plain.Pinned + ` +▅`).MatchString(s.text()) {
		t.Errorf("a pinned row has more:\n%s", s.text())
	}
}

// The table says why an item is out, whatever its strips are over, in words that nobody takes for how much
// the budget must grow: its detail says that.
func TestTheTableSaysWhatWasLeftForAnItem(t *testing.T) {
	for _, size := range sizes {
		s := (&story{t: t, ways: true}).begin(agentSession(t), size[0], size[1])
		_, above, _ := s.m.exp.Profile(s.m.side).Nearest(8, s.m.budget())
		left := s.m.exp.Outcome(s.m.side).Reasons.Of(8).Left.String()
		s.press(":#13<enter>")
		if at, _ := s.m.exp.Profile(s.m.side).StaysFrom(13); strings.Count(s.line("○ 13 doc", " 40 left", at.String()), at.String()) != 1 {
			t.Errorf("%v: where #13 stays is told twice", size)
		}
		s.press(":#8<enter>")
		stays, _ := s.m.exp.Profile(s.m.side).StaysFrom(8)
		s.line("○  8 tool", " "+left+" left", stays.String())
		if size[0] == 120 {
			s.sees("needs 1,301; next in with " + (above.Value - s.m.budget()).String() + " more")
			s.press("<tab>jj", "8,000····32,000")
			s.line("○  8 tool", " "+left+" left")
		}
	}
}

// The search looks as far as the budget that is set needs, and answers as min-budget does with that reserve.
func TestTheSearchOfCupelFollowsTheBudget(t *testing.T) {
	s := agentAt(t, 120, 36, ":set output reserve 300<enter>")
	o := s.m.exp.Outcome(experiment.A)
	fresh := musttest.Of(experiment.New(o.Items, o.Setup))(t)
	experimenttest.Compute(t, fresh)
	for i := range o.Items.Len() {
		got, _ := o.Search(i)
		want, _ := fresh.Outcome(experiment.A).Search(i)
		musttest.Is(t, got, want, "the answer for item", i)
	}
	musttest.Is(t, musttest.Of(o.Search(15))(t).Value, 38909, "the answer for item 15")
}
