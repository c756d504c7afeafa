package explorer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/widget"
)

// However a wish is typed, it is the same wish; a line that has anything else is none.
func TestWishesAreReadInAnyWords(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for typed, want := range map[string]string{
		"at most 30 % tool, at least one memory":                 "at most 30 % tool output and at least 1 memory item",
		"at most 30 % tool outputs and at least one memory item": "at most 30 % tool output and at least 1 memory item",
		"30 % tool but one memory":                               "at most 30 % tool output and at least 1 memory item",
		"tools max 30%; a memory":                                "at most 30 % tool output and at least 1 memory item",
		"memory require 1 & tool output max 30 percent":          "at least 1 memory item and at most 30 % tool output",
		"no more than 20 % documents":                            "at most 20 % document",
		"up to 3 tool outputs":                                   "at most 3 tool output items",
		"fewer than 3 tools, more than 2 memories":               "at most 2 tool output items and at least 3 memory items",
		"at least 2 memories":                                    "at least 2 memory items",
		"keep 2 memories":                                        "at least 2 memory items",
		"at least 1,000 memories":                                "at least 1,000 memory items",
		"keep all memories":                                      "at least 3 memory items",
		"never drop memory":                                      "at least 3 memory items",
		"don't keep #15, never lose #16":                         "#15 out and #16 in",
		"not memory":                                             "",
		"no documents":                                           "no document",
		"keep #15 and 30 % tool":                                 "#15 in and at most 30 % tool output",
		"keep #15 and #16, drop #20":                             "#15 #16 in and #20 out",
		"not less than 5 % of memory":                            "at least 5 % memory",
		"reserve 2k and margin 10":                               "",
		"max 20k and at most 30 % tool":                          "",
		"at most 30 %":                                           "",
		"at most 130 % tool":                                     "",
		"at most 1.5 memories":                                   "",
		"tool memory 3":                                          "",
		"get #15 back":                                           "#15 in",
		"put #15 back in":                                        "#15 in",
		"quota tool 10-30":                                       "at most 30 % tool output and at least 10 % tool output",
		"10%-30% tool":                                           "at most 30 % tool output and at least 10 % tool output",
		"tool 30-10":                                             "",
		"keep the system prompt":                                 "at least 3 system prompt items",
		"#15":                                                    "",
		"keep #999":                                              "",
		"more is worse":                                          "",
	} {
		musttest.Is(t, wishText(wishesOf(strings.Fields(typed), s.m.exp.Items())), want, typed, "is read as")
	}
}

// spelled returns the commands that a line spells out, once all are known.
func (s *story) spelled(line string) (all []palette.Command) {
	for _, c := range s.m.typedCommands(line) {
		if c.Later == nil {
			all = append(all, c)
		} else {
			all = append(all, c.Later(context.Background())()...)
		}
	}
	return all
}

// What joins two wishes joins two knobs, and a bound is one in the words of either.
func TestEveryReaderKnowsTheSameWords(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	made := func(typed string) experiment.Setup {
		t.Helper()
		listed := s.spelled(typed)
		if len(listed) == 0 || listed[0].Plan == nil {
			t.Fatalf("%q is not read", typed)
		}
		change, err := listed[0].Plan()
		if err != nil || change.To().Equal(s.m.exp.Setup()) {
			t.Fatalf("%q changes nothing: %v", typed, err)
		}
		return change.To()
	}
	alike := func(first string, others ...string) {
		t.Helper()
		for _, typed := range others {
			if !made(typed).Equal(made(first)) {
				t.Errorf("%q is not read as %q", typed, first)
			}
		}
	}
	for _, join := range joinWords {
		alike("reserve 2k and margin 10", "reserve 2k "+join+" margin 10", "reserve 2k, "+join+" margin 10")
		alike("at most 30 % tool and at least one memory", "at most 30 % tool "+join+" at least one memory")
	}
	alike("reserve 2k and margin 10", "reserve 2k, margin 10", "reserve 2k; margin 10", "reserve 2k margin 10 %")
	alike(reserve+" 2000", "reserve 2000 for output")
	alike("recency weight double", "double recency")
	alike("budget 20k", "goto 20k")
	alike("knapsack 1", "bucket 1")
	alike("memory require 1", "at least one memory item", "at least 1 memory item", "minimum 1 memory")
	alike("tool max 30 %", "maximum 30 % tool")
	alike("at most 3 tools", "maximum three tools", "up to 3 tools", "no more than three tools", "tools <= 3", "fewer than 4 tools", "tool cap 3")
	alike("at most 3 tools", "up to 3 tooloutp", "maximum three tooloutp") // a name that is cut is a knob's
	alike("document max 20 %", "no more than 20 % documents")
	alike("document cap 0", "no documents")
	alike("memory require 2", "at least 2 memories")
	alike("shrink tool 2000 500 note", "shrink tool 2000, 500, note", "shrink tool 2000; 500; note")
	room := s.m.exp.Outcome(experiment.A).Report.Effective.Target
	share := func(n model.Tokens, up float64) string {
		return strconv.FormatFloat(math.Floor(1000*float64(n)/float64(room)+up)/10, 'f', -1, 64) + " %"
	}
	alike("at most "+share(5000, 0)+" tool", "at most 5000 tokens of tool output", "cap tool 5,000 tok", "tool output up to 5k tokens")
	alike("at least "+share(2000, 1)+" memory", "at least 2000 tokens of memory")
	for _, typed := range []string{"at most " + (room + 1).String() + " tokens of tool output", "shrink tool 500, bogus"} {
		c := s.spelled(typed)[0]
		if c.Why == "" || strings.Contains(c.Text+c.Why, "ToolOutput") || strings.Contains(c.Text, " and ") {
			t.Errorf("%q: %s (%s)", typed, c.Text, c.Why)
		}
	}
	alike("at least 5 % memory", "memory minimum 5%", "not less than 5 percent memory", "memory >= 5 %", "memory min 5%")
}

// Nothing that is typed breaks a reader, and a bound is read in the words that it is told in.
func FuzzTyped(f *testing.F) {
	for _, line := range []string{"at most 30 % tool, at least one memory", "reserve 2k but margin 10", "greedy vs knapsack", "shrink tool 2000 500 note", "shrink all to", "double recency", "pin 8, 31", "no documents",
		"at least 1,000 memories", "more than 2.5 % tool", "knapsack 1", ",", "and", "set", "% %", "≤ 3 tool"} {
		f.Add(line)
	}
	s := begin(f, agentSession(f), 120, 36)
	f.Fuzz(func(t *testing.T, line string) {
		s.spelled(line)
		for _, w := range wishesOf(strings.Fields(line), s.m.exp.Items()) {
			if w.items != nil {
				continue
			}
			if again := wishesOf(strings.Fields(w.spoken()), s.m.exp.Items()); len(again) != 1 || again[0].spoken() != w.spoken() {
				t.Errorf("%q is told as %q, which is read as %v", line, w.spoken(), again)
			}
		}
	})
}

// recomputed runs the setup that is shown from its beginning, without anything that the explorer
// has computed.
func (s *story) recomputed() *model.Report {
	s.t.Helper()
	return s.computed(s.m.exp.Setup())
}

// computed runs a setup over the items that are shown, in the same way.
func (s *story) computed(setup experiment.Setup) *model.Report {
	s.t.Helper()
	p := musttest.Of(pipeline.New(setup.Policy[experiment.A], pipeline.WithClock(func() time.Time { return time.Time{} })))(s.t)
	r := musttest.Of(p.Rank(context.Background(), s.m.exp.Items()))(s.t)
	return musttest.Of(r.DryRun(musttest.Of(model.NewBudget(setup.Budget))(s.t)))(s.t)
}

// of returns how many items of a kind are in a report, and their share of its room in percent.
func inOf(rep *model.Report, kind model.Kind) (n int, percent float64) {
	for i := range rep.Items.Len() {
		if rep.In(i) && rep.Items.Loaded(i).Kind.Is(kind) {
			n++
			if !rep.Items.Pinned(i) {
				percent += 100 * float64(rep.Taken(i)) / float64(rep.Effective.Target)
			}
		}
	}
	return n, percent
}

// comes says what a report comes to, as a row of the palette does.
func comes(rep *model.Report) string {
	value, room := 0., rep.Effective.Target
	for _, i := range rep.Included {
		if rep.Codes[i] != model.Pinned {
			value, room = value+rep.Scores[i], room-rep.Taken(int(i))
		}
	}
	return fmt.Sprintf("%d in, value %s, %s free", len(rep.Included), widget.Value(value), room)
}

// Two wishes in one line are one change: the row says before enter what they come to, a run from
// the beginning has it, no item leaves of a kind that is not limited, and one undo takes it back.
func TestWishesHoldTogether(t *testing.T) {
	for k, c := range []struct {
		before, typed string
		down          int // to the row below the first
		least         int // memories
		most          float64
		kept          []int
	}{
		{typed: "at most 30 % tool, at least one memory", least: 3, most: 30}, // 3 were in
		{typed: "at most 30 % tool outputs and at least one memory item", down: 1, least: 1, most: 30},
		{typed: "at most 12 % tool, at least three memories", least: 3, most: 12},
		{typed: "keep #15 and 30 % tool", least: 3, most: 30, kept: []int{15}},
		{before: ":tool max 30" + alone, typed: "at least two memories", least: 2, most: 30},
		{before: ":tool max 30" + alone, typed: "at least 3 memories", down: 1, least: 3, most: 30},
		{before: ":slicer knapsack<enter>", typed: "at most 40 % tool, at least 2 memories", least: 2, most: 40},
		{before: ":at least 2 memories<enter>", typed: "no more than 30 % tools", least: 2, most: 30},
	} {
		for n, size := range sizes {
			if (k+n)%randomtest.Rounds(3, 1) != 0 { // each at one size
				continue
			}
			s := agentAt(t, size[0], size[1], c.before)
			before, setup := s.recomputed(), s.m.exp.Setup()
			s.types(c.typed)
			s.press(strings.Repeat("<down>", c.down))
			told := s.line("▌", " ")
			s.press("<enter>")
			rep := s.recomputed()
			n, _ := inOf(rep, model.Memory)
			_, share := inOf(rep, model.ToolOutput)
			if n < c.least || share > c.most || share == 0 {
				t.Errorf("%v: %q: %d memories are in, tool outputs have %.2f %%:\n%s", size, c.typed, n, share, s.text())
			}
			musttest.Says(t, told, comes(rep), size, c.typed, "told")
			for i := range rep.Items.Len() {
				if before.In(i) && !rep.In(i) && rep.Items.Loaded(i).Kind != model.ToolOutput && c.down == 0 {
					t.Errorf("%v: %q: #%d leaves", size, c.typed, i)
				}
				musttest.Is(t, rep.In(i), s.m.exp.Result(experiment.A).Report.In(i), size, c.typed, "#", i, "is not as the run has it")
			}
			for _, i := range c.kept {
				if !rep.In(i) {
					t.Errorf("%v: %q: #%d is out", size, c.typed, i)
				}
			}
			if s.do("undo"); !s.m.exp.Setup().Equal(setup) {
				t.Errorf("%v: %q: one undo does not take it back", size, c.typed)
			}
		}
	}
}

// What holds already says so, and what cannot be had says what comes nearest.
func TestWishesThatNeedNothingOrCannotBe(t *testing.T) {
	for typed, want := range map[string]string{
		"at least one memory, at most 90 % tool":   "holds already, other kinds keep theirs: memory 3 in, tool output 86 %",
		"at least nine memories, at most 30% tool": "there are only 3 memory items",
		"at least 95 % tool, at most 2 tools":      "not possible at this budget; nearest: ",
	} {
		s := begin(t, agentSession(t), 120, 36)
		s.types(typed)
		s.sees(want)
	}
	s := agentAt(t, 120, 36, "cc:at least one memory, at most 30 % tool", "quotas are not possible with the slicer stream")
	s.press("<esc>c:max 500<enter>:at least one memory, at most 30 % tool", "there is no result at this budget")
}

// No letter waits for what is found by trying: it is found in the background for the line as it is
// in the end, and enter takes it before that too.
func TestWishesAreGrantedInTheBackground(t *testing.T) {
	s := agentAt(t, 120, 36, ":at most 30 % tool, at least one memor")
	s.held = true
	s.press("y")
	s.line("▌", "at most 30 % tool output and at least 1 memory item", "computing")
	s.seesNot("other kinds keep theirs", plain.Pinned+", ")
	s.release("other kinds get the rest", "other kinds keep theirs", "pin #4")
	s.line("enter: ")
	s.held = true
	s.press("<backspace>y")
	s.seesNot("other kinds keep theirs")
	s.press("<enter>")
	s.release()
	if quotas := s.m.exp.Setup().Policy[experiment.A].Quotas; len(quotas) < 2 {
		t.Errorf("enter makes the quotas %+v", quotas)
	}
}

// A command that was listed before another change keeps that change.
func TestWishesThatWereListedBeforeAChange(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	listed := s.spelled("at most 30 % tool, at least one memory")[0]
	s.press("]p")
	change, err := listed.Plan()
	if err != nil || change.To().Budget.MaxTokens != s.m.budget() {
		t.Errorf("the budget of %v goes back: %v", s.m.budget(), err)
	}
}

// carried carries out and returns what the wish that is marked in the palette comes to, and its report by a run
// from the beginning; nothing is in that the wish does not allow, and nothing leaves of other kinds.
func (s *story) carried(most map[model.Kind]float64, before *model.Report) (said string, rep *model.Report) {
	s.t.Helper()
	said = s.line("▌", " free")
	s.press("<enter>")
	rep = s.recomputed()
	musttest.Says(s.t, said, comes(rep))
	for kind, limit := range most {
		if _, share := inOf(rep, kind); share > limit {
			s.t.Errorf("%s has %.2f %% of the room:\n%s", kind, share, s.text())
		}
	}
	for _, i := range before.Included {
		if _, limited := most[before.Items.Loaded(int(i)).Kind]; !limited && !rep.In(int(i)) {
			s.t.Errorf("#%d leaves:\n%s", i, s.text())
		}
	}
	return said, rep
}

// The room that a largest share leaves free can go to the kinds that it does not name: that way
// stands first, holds as much, is worth more than the one below it, and is named after it is taken.
func TestAWishThatFillsTheRoom(t *testing.T) {
	for _, c := range []struct {
		before, typed string
		most          map[model.Kind]float64
	}{
		{"", "at most 30 % tool outputs and at least one memory item", map[model.Kind]float64{model.ToolOutput: 30}},
		{"", "at most 60 % tool outputs", map[model.Kind]float64{model.ToolOutput: 60}}, // which need a least share too
		{"", "at most 20 % message and at most 30 % tool", map[model.Kind]float64{model.ToolOutput: 30, model.Message: 20}},
		{":slicer knapsack<enter>", "no more than 30 % tool outputs", map[model.Kind]float64{model.ToolOutput: 30}},
	} {
		for size, s := range agentAtSizes(t, c.before) {
			before := s.recomputed()
			s.types(c.typed)
			s.line("▌", "other kinds get the rest")
			_, filled := s.carried(c.most, before)
			if size[0] > 80 {
				s.line("u undo", ", other kinds get the rest: ")
			}
			s.do("undo")
			s.types(c.typed)
			s.press("<down>")
			_, safe := s.carried(c.most, before)
			if filled.Value <= safe.Value || filled.SlicedTokens < safe.SlicedTokens {
				t.Errorf("%v: %q: filled %s, else %s", size, c.typed, comes(filled), comes(safe))
			}
		}
	}
}

// Wishes in plain words find what does them, and what of a line is not understood is named.
func TestPlainWishesFindWhatDoesThem(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	rep, out, pinned := s.m.exp.Result(experiment.A).Report, 0, 0
	for i := range rep.Items.Len() {
		kind := rep.Items.Loaded(i).Kind
		if kind.Is(model.ToolOutput) && !rep.In(i) {
			out++
		}
		if kind.Is(model.SystemPrompt) && rep.Items.Pinned(i) {
			pinned++
		}
	}
	for typed, want := range map[string][]string{
		"why is the tool result out?": {fmt.Sprintf("filter: is:out kind:tool (%d of %d items)", out, rep.Items.Len()), "! "},
		"keep the system prompt":      {"set system prompt require to 3: " + plain.Pinned + " already", fmt.Sprintf("%d system prompt items", pinned)},
		"more":                        {"to the next budget with another result", "enter: budget 32,048: + #32"},
		"fit more tools":              {"set kind tool output to 1.2", "enter: + #32", "filter: is:out kind:tool"},
		"quota tool 0-30":             {"Ways to have at most 30 % tool output", "set tool output max % to 30 %"},
		"tool max 30-10":              {`no: "30-10" is not a percentage`},
		"sort column please thanks":   {"not understood: please thanks"},
		"recency please":              {"not understood: please", "set recency weight"},
	} {
		agentAt(t, 120, 36, ":"+typed, want...)
	}
}

// The empty palette begins with what is done here and what newcomers want, and ends with the keys that
// move, but for what does nothing now, which is last; it lists all that is searched.
func TestTheEmptyPaletteBeginsWithWhatIsWanted(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	all := s.m.commands()
	listed := s.m.untyped(all)
	musttest.Is(t, len(listed), len(all))
	var groups []string
	idle := func(c palette.Command) bool { return c.Why != "" && !c.Done }
	runs := slices.IndexFunc(listed, idle)
	for k, c := range listed {
		musttest.Is(t, idle(c), k >= runs, c.Text)
		if k < runs {
			groups = append(groups, c.Group)
		}
	}
	groups = slices.Compact(groups)
	musttest.Is(t, groups[:2], []string{"here", "often"})
	musttest.Is(t, groups[len(groups)-1], moving)
	musttest.Is(t, slices.Index(groups, moving), len(groups)-1)
}

// However a largest share is typed, its rows stand in one order: the one that is worth most first, which enter
// runs, also before the others are found; what is typed and no more stays among them.
func TestWaysStandByTheirWorth(t *testing.T) {
	for _, typed := range []string{"tool max 30", "at most 30 % tool", "tools max 30", "set tool output max % 30"} {
		s := begin(t, agentSession(t), 120, 36)
		var values []float64
		exact := false
		for _, c := range s.spelled(typed) {
			change := musttest.Of(c.Plan())(t)
			musttest.Do(t, s.m.exp.Apply(change.To(), change.Label, ""))
			rep := s.recomputed()
			musttest.Is(t, c.Effect, comes(rep), typed, c.Text)
			values = append(values, rep.Value)
			exact = exact || strings.HasPrefix(c.Text, "set tool output max % to 30") && len(s.m.exp.Setup().Policy[experiment.A].Quotas) == 1
			s.m.exp.Undo()
		}
		if sorted := slices.IsSortedFunc(values, func(a, b float64) int { return cmp.Compare(b, a) }); !sorted || !exact || len(values) != 3 {
			t.Errorf("%q: the rows are worth %v, what is typed is one: %v", typed, values, exact)
		}
		if change := musttest.Of(s.m.typedCommands(typed)[0].Plan())(t); !change.To().Equal(musttest.Of(s.spelled(typed)[0].Plan())(t).To()) {
			t.Errorf("%q: enter runs another before the rows are found", typed)
		}
	}
}

// Quotas have no say in pinned items: each way to a share says what of the prompt is of the kind with them.
func TestAShareSaysWhatPinnedItemsMakeOfIt(t *testing.T) {
	for _, size := range sizes[1:] { // a wider palette stands beside other panes
		s := agentAt(t, size[0], size[1], ":pin 22 24<enter>")
		var said []string
		for _, c := range s.spelled("at most 30 % tool") {
			change := musttest.Of(c.Plan())(t)
			musttest.Do(t, s.m.exp.Apply(change.To(), change.Label, ""))
			rep, of, all := s.recomputed(), model.Tokens(0), model.Tokens(0)
			for _, i := range rep.Included {
				all += rep.Items.Tokens(int(i))
				if rep.Items.Loaded(int(i)).Kind.Is(model.ToolOutput) {
					of += rep.Items.Tokens(int(i))
				}
			}
			_, share := inOf(rep, model.ToolOutput)
			said = append(said, fmt.Sprintf("tool output %s of the room, plus #22 #24 "+plain.Pinned+": %s of the prompt",
				plain.Percent(share/100), plain.Percent(float64(of)/float64(all))))
			musttest.Says(t, strings.Join(c.Notes, "; "), said[len(said)-1], c.Text)
			s.m.exp.Undo()
		}
		musttest.Is(t, len(said), 3)
		s.types("at most 30 % tool")
		for _, want := range said {
			musttest.Says(t, strings.Join(strings.Fields(strings.ReplaceAll(s.text(), "│", " ")), " "), strings.TrimSuffix(want, " prompt"), size)
			s.press("<down>")
		}
	}
}

// A largest number leaves room free as well, which the palette says; shares fill it.
func TestSharesFillTheRoomThatACapLeaves(t *testing.T) {
	for size, s := range agentAtSizes(t, ":at most 3 tool outputs", "set tool output cap to 3") {
		if size[0] > 60 {
			s.sees("16,479 tokens of the room stay free")
		}
		s.press("<enter>")
		before := s.recomputed()
		s.do("policy.edit", "f fills")
		s.press("<esc>u:at most 3 tool outputs<down>")
		_, rep := s.carried(map[model.Kind]float64{model.ToolOutput: 100}, before)
		if n, _ := inOf(rep, model.ToolOutput); n > 3 || rep.SlicedTokens <= before.SlicedTokens {
			t.Errorf("%v: %d tool outputs are in, %s", size, n, comes(rep))
		}
	}
}

// In the editor a key gives the room that quotas leave free to other kinds. What it comes to is
// said before; where nothing more can go in it says why, and where quotas keep nothing out nothing.
func TestAKeyOfTheEditorFillsTheRoom(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("policy.edit")
		s.seesNot("fills")
		s.press("f", "no quota is set")
		s.toRow("tool output max %")
		s.press("30<enter>")
		said := s.line("fills", "in")
		s.press("f", "fill the room: +14 in")
		rep := s.recomputed()
		want := comes(rep)
		if size[0] < 120 { // in the title
			want = strconv.Itoa(len(rep.Included)) + " in"
		}
		musttest.Says(t, said, want)
		if _, share := inOf(rep, model.ToolOutput); share > 30 {
			t.Errorf("%v: tool outputs have %.2f %%", size, share)
		}
		s.seesNot("fills")
		s.press("f", "other kinds are all in")
		for i := range rep.Items.Len() {
			if _, competes := s.m.exp.Result(experiment.A).Ranking.Position(i); competes && !rep.In(i) && rep.Items.Loaded(i).Kind != model.ToolOutput {
				t.Errorf("%v: #%d is out", size, i)
			}
		}
		s.press("uu<esc>:memory require 1<enter>p")
		s.seesNot("fills", "stay free")
		s.press("f", "quotas leave no room that another item could have")
	}
}
