package explorer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

func TestCompareView(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 100)
	s.do("view.Compare", "Compare  A vs B at 32,000", "A greedy", "B knapsack 100", "in both", "only A", "in neither")
	s.seesNot(" by A, ")
	s.do("compare.differences")
	s.seesNot("in neither")
	s.do("policy.store", "A copied to B (was knapsack 100): A is as before; on B: ", "only A: nothing ─", "only B: nothing ─", "the same policy as A")
	s.press("uX", "A and B swapped", "A knapsack 100", "B greedy")
	s.do("policy.B", "─ B greedy")
	s.do("policy.slicer", "slicer greedy → knapsack")
	s.press("dpx<esc>") // other scores: what both let in has a value by each
	if line := s.line("in both: "); !strings.Contains(line, " by A, ") || !strings.HasSuffix(strings.TrimRight(line, " │─"), " by B") {
		t.Errorf("the sums of what both let in: %q", line)
	}
	s.press("1R", "R: only in Compare (2)")
}

// Each side says of an item why it is out or, of one that it selects, by what: greedy takes what fits, a
// knapsack what is in its best set, and what a pin, a risk or a lack of tokens says goes first.
func TestCompareSaysOfEveryItemWhy(t *testing.T) {
	s := begin(t, agentSession(t), 120, 100)
	s.do("view.Compare")
	selected := 0
	for i := range s.m.exp.Items().Len() {
		for side, want := range []string{"fits", "in set"} {
			o := s.m.exp.Outcome(experiment.Side(side))
			words := widget.Why(o, i, 12)
			if words == "" && o.Report.In(i) {
				words = want
				selected++
			}
			line := s.line(fmt.Sprintf("%3d %-4s ", i, widget.KindName(s.m.exp.Items().Loaded(i).Kind)))
			cells := []rune(line)
			if got := strings.TrimSpace(string(cells[len(cells)-29:][14*side:][:14])); words == "" || got != words {
				t.Errorf("#%d on side %d: %q, want %q: %s", i, side, got, words, line)
			}
		}
	}
	if selected < 50 {
		t.Errorf("only %d items are selected and not at risk", selected)
	}
}

// A slicer of A that is B's makes B the other one, so what is compared stays two policies, and
// one undo takes both back. Where A is stored as B, one key that every comparing view names
// makes B the other slicer again.
func TestTheSamePolicyTwiceLeadsOn(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		slicers := func(a, b model.SlicerType) {
			t.Helper()
			if p := s.m.exp.Setup().Policy; p[experiment.A].Slicer != a || p[experiment.B].Slicer != b {
				t.Errorf("%v: A is %v, B is %v", size, p[experiment.A].Slicer, p[experiment.B].Slicer)
			}
		}
		s.do("policy.slicer")
		slicers(model.Knapsack, model.Greedy)
		s.do("undo")
		slicers(model.Greedy, model.Knapsack)
		s.press("cm2", "A and B are the same policy: X makes B greedy", "X B greedy")
		s.do("view.Curve", "A and B are the same policy: X makes B greedy")
		s.do("policy.swap")
		slicers(model.Knapsack, model.Greedy)
		s.do("view.Compare", "B wins by 4.7 %")
		s.do("undo", "A and B are the same policy: X makes B greedy")
	}
}

// A change of the other policy alone says that the one that is shown stays as it is, and
// so does the undo of it.
func TestAChangeOfTheOtherSideIsNotToldAsOneOfThis(t *testing.T) {
	for width, on := range map[int]string{120: "A is as before; on B: +", 80: "on B: +4 in  −2 out", 60: "A is as before"} {
		s := begin(t, agentSession(t), width, 36)
		s.do("policy.store", "A copied to B (was knapsack 100): "+on)
		s.do("undo", "undo A copied to B (was knapsack 100): "+strings.FieldsFunc(on, func(r rune) bool { return r == '+' })[0])
	}
}

// How far a side is off the best is said in a form that fits, and never cut.
func TestCompareCutsNoSentenceUnderQuotas(t *testing.T) {
	for width, want := range map[int]string{114: " % " + plain.BelowBest + " (no quotas)", 120: " % " + plain.BelowBest + " without quotas"} {
		s := begin(t, agentSession(t), width, 36)
		s.do("policy.edit")
		s.toRow("tool output max %")
		s.press("<enter>10<enter><esc>2")
		if line := strings.TrimRight(s.line("│", "A greedy ", plain.BelowBest), " │"); !strings.HasSuffix(line, want) {
			t.Errorf("%d columns: %q, want it to end in %q", width, line, want)
		}
	}
}

// sizes are those at which what matters must be seen.
var sizes = [][2]int{{120, 36}, {80, 24}, {60, 16}}

func TestCompareNamesTheWinnerAndWhyAtEverySize(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("view.Compare", "A wins by 4.7 %", "buckets of 100", "1,764 tok", "18.49▲", "M try it")
		if size[0] >= 80 {
			s.sees("With buckets of 1 (M), B would win by 0.7 %: 18.61")
		}
		s.do("compare.try") // does it, and the figure is what was told
		s.sees("bucket of B 100 → 1", "B wins by 0.7 %", "18.61▲")
		s.do("undo", "undo bucket of B", "A wins by 4.7 %")
	}
}

// Where buckets alone keep one item out, Compare says how many it takes and how many are left, as
// more tokens than it has may be free.
func TestCompareSaysWhyBucketsHaveNoRoomForAnItem(t *testing.T) {
	for _, size := range sizes[:2] {
		s := agentAt(t, size[0], size[1], ":90839<enter>2", "A wins by ")
		b, largest, left := s.m.exp.Outcome(experiment.B), 0, model.Tokens(0)
		left = b.Report.Effective.Target / 100
		for i := range b.Items.Len() {
			if b.Items.Tokens(i) > b.Items.Tokens(largest) {
				largest = i
			}
			if b.Report.Codes[i] == model.Scored {
				left -= (b.Items.Tokens(i) + 99) / 100
			}
		}
		musttest.Says(t, s.words(), fmt.Sprintf("B rounds sizes up, so #%d takes %v buckets of 100, the set leaves %v, although %v tokens are free.",
			largest, (b.Items.Tokens(largest)+99)/100, left, b.Report.Effective.Target-b.Report.SlicedTokens))
	}
}

func TestCompareOpensOnTheFirstDifference(t *testing.T) {
	for size, s := range agentAtSizes(t, "G2") {
		s.selects(7)
		s.press("1f57<enter>2") // a difference itself: it keeps the cursor
		s.selects(57)
		if s.press("G"); size[0] >= 120 { // the columns have their names wherever the rows are
			s.line("A B  # kind item ", "tok score", "why A", "why B")
		}
	}
}

func TestCompareSaysWhereNothingExplainsIt(t *testing.T) {
	for _, c := range []struct{ name, keys, sees, try string }{
		{"the same policy", "m", "A and B are the same policy: X makes B knapsack 100.", "neither side is worth more"},
		{"another scorer", "px<esc>", "their values cannot be compared", "score the items differently"},
		{"nothing single", "M", "B takes #32 #54 instead of #15 #57 (+21 tok, +0.12 value).", "no bucket size, quota or large item"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agentAt(t, 120, 36, "2"+c.keys, c.sees)
			s.seesNot("M try it")
			s.press("M", "M: ", c.try)
		})
	}
}

// The tokens of a swap are those of the table below it, also where notes stand in the place of items.
func TestCompareCountsTheNotesOfASwap(t *testing.T) {
	s := begin(t, sessionOf(t, session.Options{Fixture: "agent", Shrink: []string{"tool=note"}}), 120, 36).after("2M", "B takes #32 #54 instead of #15 #57")
	a, b := s.m.exp.Outcome(experiment.A).Report, s.m.exp.Outcome(experiment.B).Report
	if _, notes := a.CountShrunk(); notes == 0 {
		t.Error("there is no note")
	}
	s.sees(fmt.Sprintf("(%v tok", strings.Replace((b.Kept-a.Kept).String(), "-", theme.Minus, 1)))
}

// M answers at the budget, with what the profile gives there, before that is known.
func TestCompareAnswersBeforeTheProfile(t *testing.T) {
	s := begin(t, sampleSession(t, 600), 120, 36)
	s.do("view.Compare", "buckets of 100", "M try it")
	s.held = true
	s.do("compare.try")
	s.step(func() bool { _, state := s.m.exp.Answer(experiment.B); return state == experiment.Current })
	if state := s.m.exp.State(experiment.B); state != experiment.Pending {
		t.Fatalf("the profile of B is known, state %v", state)
	}
	s.seesNot("computing")
	early, _ := s.m.exp.Answer(experiment.B)
	s.sees(widget.Value(early.Report.Value))
	s.release()
	if o := s.m.exp.Outcome(experiment.B); o.Report != early.Report || o.Profile == nil {
		t.Errorf("the outcome of B has the report %p, not %p, and the profile %v", o.Report, early.Report, o.Profile)
	}
	want := musttest.Of(s.m.exp.Outcome(experiment.B).Ranking.DryRun(early.Report.Budget))(t)
	musttest.Is(t, want.Value, early.Report.Value, "B is worth", "the pipeline")
}

// While a side is computed anew nothing is said of it, and an answer to an
// older question is dropped.
func TestCompareNeverExplainsAnOldResult(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Compare")
	s.held = true
	s.press("<tab><enter>20k<enter><tab>")
	s.m.Update(nil)
	if o := s.m.exp; o != nil {
		if o.State(experiment.A) == experiment.Current && o.State(experiment.B) == experiment.Current {
			s.seesNot("1,764 tok")
		}
	}
	s.release()
	s.seesNot("1,764 tok")
	s.sees(" wins by ")
}

// Quotas that cost value are named as the cause, and M takes them away: what B is
// worth then is what was told.
func TestCompareTakesQuotasAway(t *testing.T) {
	for _, c := range []struct{ name, row, value, sees, label string }{
		{"shares", "tool output max %", "30", "B's shares by kind leave", "no shares by kind of B"},
		{"counts", "tool output cap", "2", "B's counts by kind decide what is in", "no counts by kind of B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := agentAt(t, 160, 40, "mBp")
			s.toRow(c.row)
			s.press(c.value+"<enter><esc>2", c.sees, "M try it")
			lead := "A wins by "
			if ratio := s.m.exp.Outcome(experiment.A).Report.Value / s.m.exp.Outcome(experiment.B).Report.Value; ratio >= 2 {
				lead = fmt.Sprintf("A is worth %.1f times B: ", ratio)
			}
			s.sees(lead)
			told := regexp.MustCompile(`B is worth ([0-9.]+)\.`).FindStringSubmatch(strings.Join(strings.Fields(strings.NewReplacer("│", " ").Replace(s.text())), " "))
			if told == nil {
				t.Fatalf("what B is worth without them is not told:\n%s", s.text())
			}
			s.do("compare.try", c.label)
			musttest.Is(t, widget.Value(s.m.exp.Outcome(experiment.B).Report.Value), told[1], "B was to be worth", "and is worth")
			s.seesNot("M try it")
			s.do("undo", lead, c.sees)
		})
	}
}

// The first difference is shown with its heading.
func TestCompareShowsTheHeadingOfTheFirstDifference(t *testing.T) {
	for range agentAtSizes(t, "2M", "only A: 2 items") {
	}
}

// A side that is shown says its own last change, or nothing before it had one.
func TestASideSaysItsOwnLastChange(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("policy.slicer")
	s.line("slicer greedy → knapsack, B greedy: +")
	s.do("policy.B") // which gave way
	s.line("slicer greedy → knapsack, B greedy: +")
	s.press("Ac")
	s.line("slicer knapsack → ")
	s.do("policy.B")
	s.line("slicer greedy → knapsack, B greedy: +")
	s.press(":40000<enter>Ac")
	s.line("slicer stream → rank: +")
	s.do("policy.B")
	s.line("budget 32,000 → 40,000: +")
}

// What takes a cause away at a moment changes that alone: the time from which ages are measured
// there is the moment's, and never becomes the policy's.
func TestARemedyAtAMomentKeepsTheTimeOfThePolicy(t *testing.T) {
	now := time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC)
	s := begin(t, agent(t, func(p *model.Policy) {
		p.Scorers = []model.Scorer{{Type: model.ScoreDecay, Weight: 1, ReferenceTime: model.Some(now), Curve: &model.DecayCurve{Type: model.Exponential, HalfLifeSeconds: 7200}}, p.Scorers[1]}
	}), 120, 36)
	s.press("mX8hh<enter>")
	at, ok := s.m.exp.Moment()
	out := s.m.exp.Outcome(experiment.B)
	if !ok || out.Ranking.Policy().Scorers[0].ReferenceTime == model.Some(now) {
		t.Fatalf("the moment %v does not have a time of its own", at)
	}
	s.press("2M", "bucket of B 100 → 1")
	b := s.m.exp.Setup().Policy[experiment.B]
	musttest.Is(t, b.BucketSize, 1, "B has buckets of", b.Scorers[0].ReferenceTime.Value)
	musttest.Is(t, b.Scorers[0].ReferenceTime, model.Some(now), "B has buckets of", b.Scorers[0].ReferenceTime.Value)
}

// The cursor stays on its item when a change ends a difference: the item then has a heading of its own below
// the differences, until a change finds the cursor elsewhere.
func TestCompareKeepsTheItemUnderTheCursor(t *testing.T) {
	for _, c := range []struct{ keys, now, moved string }{
		{"2j<space>", "─ in both now ─", "pinned"},
		{"2jx", "─ in neither now ─", "− " + excluded},
		{"2djx", "─ in neither now ─", "− " + excluded},
		{"2jX", "only B: ", ""},
		{"2j]", "only A: ", ""}, // it stays where it was
	} {
		for size, s := range agentAtSizes(t, c.keys) {
			s.selects(57)
			below := strings.HasPrefix(c.now, "─")
			musttest.Is(t, strings.Count(s.text(), " now ─"), map[bool]int{true: 1}[below], c.keys, size, s.text())
			if size[1] < 20 { // the headings of the last groups are below
				continue
			}
			row := s.line(" 57 tool ")
			if musttest.Says(t, s.text(), c.now, c.keys, size); size[0] >= 80 {
				musttest.Says(t, row, c.moved, c.keys, size)
			}
			if s.press("]"); below {
				s.selects(57)
				s.line(" now ─")
			}
			s.press("df0<enter>]d]") // both have #0
			s.seesNot(" now ─")
		}
	}
}

// What only a side has and what both have add up to the value of the side, in what is shown.
func TestTheValuesOfCompareAddUp(t *testing.T) {
	s := begin(t, agentSession(t), 120, 100)
	number := func(line, before string) int {
		t.Helper()
		m := regexp.MustCompile(before + `\s*(\d+)\.(\d\d)`).FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no value in %q", line)
		}
		return musttest.Of(strconv.Atoi(m[1] + m[2]))(t)
	}
	s.do("view.Compare")
	for _, keys := range []string{"", "]", "]", "]", "]", "M"} {
		s.press(keys)
		both := number(s.line("in both: "), "value")
		for side, name := range []string{"A greedy · chat ", "B knapsack"} {
			only := 0
			if line := s.line("only " + name[:1] + ": "); !strings.Contains(line, "nothing") {
				only = number(line, "value")
			}
			musttest.Is(t, only+both, number(s.line("│ "+name), `\d+ +[\d,]+ `), "the hundredths of side", side, "after", keys, s.text())
		}
	}
}
