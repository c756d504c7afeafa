package explorer

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
)

// shrunk opens the fixture agent with a rule for tool outputs.
func shrunk(t testing.TB, flags session.Options) *Workspace {
	t.Helper()
	flags.Fixture, flags.Shrink = "agent", []string{"tool=2000,500,note"}
	return sessionOf(t, flags)
}

// With --shrink the explorer shows what the pipeline selects, and so it does once the rule
// is typed; undo takes the rule back.
func TestARuleThatIsTypedIsTheRuleOfTheFlag(t *testing.T) {
	for _, size := range sizes {
		flag := begin(t, shrunk(t, session.Options{}), size[0], size[1])
		want := flag.m.exp.Result(experiment.A).Report
		if cut, noted := want.CountShrunk(); cut == 0 || noted == 0 {
			t.Fatalf("%d cut and %d notes: nothing to show", cut, noted)
		}
		s := begin(t, agentSession(t), size[0], size[1])
		whole := s.m.exp.Result(experiment.A).Report
		s.press(":shrink tool 2000 500 note<enter>")
		got := s.m.exp.Result(experiment.A).Report
		if got.Kept != want.Kept || got.Value != want.Value || !bytes.Equal(got.Sizes, want.Sizes) {
			t.Errorf("at %v: %v tokens, want %v", size, got.Kept, want.Kept)
		}
		if k, ok := s.m.knobs.Find(experiment.ShrinkOf(model.ToolOutput)); !ok || k.Value != "2000 500 note" {
			t.Errorf("the knob says %q", k.Value)
		}
		s.do("undo")
		if now := s.m.exp.Result(experiment.A).Report; now.Kept != whole.Kept || now.Sizes != nil {
			t.Errorf("undo leaves %v tokens, want %v", now.Kept, whole.Kept)
		}
		s.press("<ctrl+r>:shrink tool off<enter>")
		musttest.Is(t, s.m.exp.Items().HasSizes(), false, "off leaves items that may be cut")
	}
}

// The knob turns the smallest size, and each step is a result of its own.
func TestTheKnobOfARuleTurnsItsSmallestSize(t *testing.T) {
	s := begin(t, shrunk(t, session.Options{}), 120, 36)
	s.m.knobs.Select(experiment.ShrinkOf(model.ToolOutput))
	s.press("<tab>")
	s.m.knobs.Select(experiment.ShrinkOf(model.ToolOutput))
	for _, c := range []struct{ keys, want string }{{"l", "2000 510 note"}, {"L", "2000 600 note"}, {"hh", "2000 580 note"}} {
		s.press(c.keys)
		if k, _ := s.m.knobs.Find(experiment.ShrinkOf(model.ToolOutput)); k.Value != c.want {
			t.Errorf("%s: %q, want %q", c.keys, k.Value, c.want)
		}
	}
	if rule := s.m.exp.Result(experiment.A).Items.Edits().Shrink.Rules[0]; rule.To[1] != 580 {
		t.Errorf("the result is of %v", rule)
	}
}

// What cannot take sizes is refused by name, and nothing changes.
func TestWhatTakesWholeItemsOnlyIsRefusedByName(t *testing.T) {
	s := begin(t, shrunk(t, session.Options{}), 120, 36)
	before := s.m.exp.Setup()
	s.press(":set slicer to stream<enter>", "slicerType: cannot be combined with items that may be cut")
	musttest.Is(t, s.m.exp.Setup().Equal(before), true, "the policy is as before")
	s = begin(t, agent(t, func(p *model.Policy) {
		p.Quotas = []model.Quota{{Kind: model.ToolOutput, MaxPercent: model.Some(50.0)}}
	}), 120, 36)
	s.press(":shrink tool 500<enter>", "quotas: cannot be combined with items that may be cut")
	musttest.Is(t, s.m.exp.Items().HasSizes(), false, "items may be cut")
}

// Turns follows items that may be cut: it counts those of the request, and names what shrank.
func TestTurnsOfItemsThatMayBeCut(t *testing.T) {
	s := begin(t, shrunk(t, session.Options{}), 120, 36)
	s.do("view.Turns", " in cut items", " notes", "A greedy · chat + cuts (not Cupel's)")
	var causes []string
	course, _, _ := s.m.turns.Course(plans.A)
	for _, c := range course.Changes {
		causes = append(causes, string(c.Cause))
	}
	if !slices.Contains(causes, string(turns.Shrank)) {
		t.Errorf("breaks: %q, want one because an item shrank", causes)
	}
}

// ] stops where an item changes its size, } at each change of the selected one, and what
// they foretell comes true.
func TestKeysAlongTheBudgetStopAtChangesOfSize(t *testing.T) {
	s := begin(t, shrunk(t, session.Options{}), 120, 36)
	const item = 41
	s.m.items().Select(item)
	taken := func() model.Tokens { return s.m.exp.Result(experiment.A).Report.Taken(item) }
	seen := map[model.Tokens]bool{taken(): true}
	for range 400 {
		before := taken()
		change, err := s.m.nextOfItem(1)
		if err != nil {
			break
		}
		s.do("item.next")
		if s.m.budget() != change.Budget.Value || taken() == before {
			t.Fatalf("} goes to %v with %v tokens of the item, foretold %v", s.m.budget(), taken(), change.Budget.Value)
		}
		seen[taken()] = true
	}
	if !seen[500] || !seen[1806] || !seen[10] {
		t.Errorf("} passed the sizes %v, want 10, 500 and 1,806 among them", seen)
	}
	grew := false
	s = begin(t, shrunk(t, session.Options{}), 120, 36)
	for range 200 {
		s.do("budget.next")
		im, _ := s.m.exp.Impact()
		for _, r := range im.Resized {
			grew = grew || !r.Note() && r.To > r.From
		}
		if grew {
			s.sees("grew")
			return
		}
	}
	t.Error("] never stops where an item grows")
}

// Window, copies and exports have the text as it is sent.
func TestTheWindowAndExportsHaveTheTextAsItIsSent(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, shrunk(t, session.Options{Budget: map[string]string{model.FieldMaxTokens: "43884"}}), size[0], size[1])
		rep := s.m.exp.Result(experiment.A).Report
		var b bytes.Buffer
		musttest.Do(t, contents(rep, s.m.exp.Sizer()).write(t.Context(), &b))
		cut, noted := rep.CountShrunk()
		musttest.Is(t, strings.Count(b.String(), " tokens left out …"), cut)
		musttest.Is(t, strings.Count(b.String(), " tokens left out]"), noted)
		s.do("view.Window")
		s.until("tokens left out …", "j")
		s.press("G")
		for k := range rep.Placed() {
			if i := int(rep.Placed()[k]); rep.Shrunk(i) && strings.Contains(b.String(), rep.Items.Loaded(i).Content) {
				t.Errorf("#%d is there as a whole", i)
			}
		}
	}
}

// Cuts of texts that are counted here are estimates until they are counted in the
// background, and exact then: what a line says and what is sent agree.
func TestCutsAreCountedInTheBackground(t *testing.T) {
	path := filepath.Join(t.TempDir(), "items.json")
	text := strings.Repeat("one line of a long output\\n", 200)
	musttest.Do(t, os.WriteFile(path, []byte(`[{"content":"`+text+`","kind":"ToolOutput"},{"content":"short","kind":"Message"}]`), 0o600))
	opened := sessionOf(t, session.Options{Sources: []string{path}, Shrink: []string{"tool=100"}, Budget: map[string]string{model.FieldMaxTokens: "500"}})
	s := begin(t, opened, 120, 36)
	if s.m.exp.EstimatesSizes() {
		t.Fatal("cuts are not counted")
	}
	rep := s.m.exp.Result(experiment.A).Report
	if size := rep.Items.Sizes(0)[0]; !rep.Shrunk(0) || size.Count != model.Exact || size.Tokens > 100 {
		t.Errorf("the cut has %v tokens, %v", size.Tokens, size.Count)
	}
	s.press(":shrink tool 50<enter>")
	if size := s.m.exp.Items().Sizes(0)[0]; s.m.exp.EstimatesSizes() || size.Count != model.Exact || size.Tokens > 50 {
		t.Errorf("after a change the cut has %v tokens, %v", size.Tokens, size.Count)
	}
}

// An item that is cut here may be whole at a smaller budget, at which another is out.
func TestAnItemThatIsWholeWithLess(t *testing.T) {
	s := opening(t, "cut.json", `{"items": [{"content": "z", "tokens": 5, "futureRelevanceHint": 0.3}, {"content": "y", "tokens": 15, "futureRelevanceHint": 0.75}, {"content": "x", "tokens": 10, "futureRelevanceHint": 0.5, "sizes": [{"tokens": 1, "worth": 0.4}]}],`+
		` "budget": {"maxTokens": 16}, "slackTokens": 5, "policy": {"scorers": [{"type": "reflexive", "weight": 1}], "slicerType": "knapsack", "knapsackBucketSize": 1}}`, 120, 36)
	s.press("G")
	s.line("in, cut to 1 of 10", ": whole")
	s.line("with 1 token less, and with 4 more, when #0 takes its place")
}

// A least budget that is of the whole item is called so where the item is in before, cut.
func TestTheLeastBudgetOfTheWholeIsNamed(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press(":shrink tool output 400<enter>3")
	sum := s.m.exp.Outcome(experiment.A).Profile.Summary(15)
	if !(sum.FirstIn.Value < sum.FirstWhole.Value) {
		t.Fatalf("#15 is first in at %v and whole at %v", sum.FirstIn, sum.FirstWhole)
	}
	s.line("#15 tool ", "first in "+sum.FirstIn.Value.String())
	s.line("binary search says 46,609, but the whole needs " + sum.FirstWhole.Value.String())
	s.press("5")
	s.line("ranges: in at 41 %", "whole by binary search 46,609")
	s.press("2") // #62, which the search finds where it is
	s.line("6 ranges: in at 37 % of the budgets from 29,252 to 35,409")
	s.seesNot("binary search")
}

// Tokens of items that are in cut do not read as tokens that are taken away.
func TestTheBarSaysWhatIsInCutItems(t *testing.T) {
	for _, c := range []struct {
		size [2]int
		says string
	}{{[2]int{120, 36}, "selected 19,512, 800 in cut items"}, {[2]int{80, 24}, "selected 19.5k, 800 in cut items"}} {
		s := begin(t, agentSession(t), c.size[0], c.size[1])
		s.press(":shrink tool output 400<enter>")
		s.line(c.says, "budget 32,000")
	}
}

// What lacks tokens to its smallest size says the size, as its row has the tokens of the whole.
func TestWhatLacksTokensSaysToWhichSize(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press(":shrink tool output 400<enter>5")
	s.line("○ 15 tool ", " 930 ", " 170 lacks 230 of 400 ")
	s.line("○ 31 msg ", " 1,140 ", " 170 lacks 970 ")
}

// Compare's heading of items that both sides have in other sizes keeps whole clauses at every width.
func TestCompareHeadsCutItemsAtEveryWidth(t *testing.T) {
	const head = " in both, sizes differ: 1 item; A 1,602 tok, B 400"
	for size, says := range map[[2]int]string{{120, 36}: head + "; value A 0.81, B 0.20 ──", {80, 24}: head + "; value A 0.81, B 0.20 ──", {60, 16}: head + " ──"} {
		s := begin(t, agentSession(t), size[0], size[1])
		s.press(":shrink tool output 400<enter>]]2")
		s.line(says)
	}
}

// The row of an item that one side has, cut, shows what that side has in, as the heading above it does.
func TestCompareShowsWhatASideHasOfACutItem(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press(":shrink tool output 400<enter>2")
	s.line("only A: 1 item, 400 tok, value 0.16")
	s.line("○ 62 tool ", " ◐400  0.16 ")
}
