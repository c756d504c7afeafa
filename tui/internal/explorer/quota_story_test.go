package explorer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// toRow puts the editor's cursor on the row with that label.
func (s *story) toRow(label string) {
	s.t.Helper()
	s.press("g")
	for range len(s.m.exp.PolicyKnobs(s.m.exp.Setup(), s.m.side, s.m.original)) {
		if k, _ := s.m.knob(); strings.TrimSpace(k.Label) == label {
			return
		}
		s.press("<tab>")
	}
	s.t.Fatalf("the policy editor has no row %q", label)
}

func TestQuotasAreExploredLikeAnySlicer(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 160, 60)
	s.do("policy.edit")
	s.toRow("memory max %")
	s.press("<enter>10<enter>", "memory max % none → 10", "A greedy + quotas")
	s.press("<esc>/kind:mem<enter><enter>", "binary search has no answer under quotas; this is exact")
	s.press("<esc>")
	report := s.m.exp.Outcome(experiment.A).Report
	var memory model.Tokens
	for _, i := range report.Included {
		if report.Items.Loaded(int(i)).Kind == model.Memory {
			memory += report.Items.Tokens(int(i))
		}
	}
	if limit := report.Effective.Target / 10; memory > limit {
		t.Errorf("memories take %v tokens, 10 %% of the room are %v", memory, limit)
	}
	s.press("j}", maxTokens+" 32,000 →")
	s.press("uu")
	s.seesNot("+ quotas")
	s.sees("ctrl+r redo")
}

// A cap of 0 keeps out those of its kind too that the slicer has no room for, at any budget; the detail says so once.
func TestACapOfZeroIsTheReason(t *testing.T) {
	s := agentAt(t, 120, 36, ":without tool output<enter>", "cap is full   never")
	o := s.m.exp.Outcome(experiment.A)
	for i, code := range o.Report.Codes {
		if !o.Items.Loaded(i).Kind.Is(model.ToolOutput) || code.NeverIn() || code == model.Pinned {
			continue
		}
		if _, ever := o.Profile.FirstIn(i); ever || o.Reasons.Of(i).Obstacle != simulate.OverCap {
			t.Errorf("#%d is in at some budget: %v; why not: %+v", i, ever, o.Reasons.Of(i))
		}
	}
	for _, keys := range []string{"f9<enter>", "<enter>"} {
		s.press(keys, "the cap of 0 is full; in at no budget up to 96,651", "#9 tool")
		musttest.Is(t, strings.Count(s.text(), "in at no budget"), 1, keys)
	}
}

// A quota that cannot be set says so before anything is typed, and what frees it.
func TestQuotasOfTheOtherSortSayWhatFreesThem(t *testing.T) {
	for _, size := range []struct{ w, h int }{{120, 36}, {80, 24}} {
		s := begin(t, sampleSession(t, 60), size.w, size.h)
		s.do("policy.edit")
		s.toRow("memory cap")
		s.seesNot("not possible")
		s.toRow("memory max %")
		s.press("<enter>10<enter>")
		s.toRow("memory cap")
		for _, key := range []string{"", "<enter>", "2", "l"} {
			s.press(key, "counts cannot be combined with percentages: take memory", "backspace")
		}
		s.toRow("memory max %")
		s.press("<backspace>")
		s.toRow("memory cap")
		s.seesNot("not possible")
		s.press("<enter>2<enter>")
		s.toRow("message min %")
		s.sees("percentages cannot be combined with counts: take message", "backspace on")
		s.toRow("memory cap")
		s.press("<backspace>")
		s.toRow("message min %")
		s.seesNot("not possible")
	}
}

func TestCountQuotasTellTheirShortfall(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 160, 60)
	s.do("policy.edit")
	s.toRow("memory require")
	s.press("<enter>500<enter>", "A greedy + counts", "shortfall: memory requires 500, but there are only")
	s.toRow("scarcity")
	s.press("l", "no result", "Change the quotas (p)")
	s.press("u")
	s.toRow("memory require")
	s.press("<backspace>")
	s.seesNot("shortfall", "+ counts")
}

// An item of 0 tokens is out where quotas give its kind no share, and is said to be.
func TestAKindWithoutTokensHasNoShare(t *testing.T) {
	s := agentAt(t, 120, 36, "gjjjjjj", "in, no tokens")
	s.do("policy.edit")
	s.toRow("tool output max %")
	s.press("30<enter><esc>")
	if s.m.exp.Outcome(experiment.A).Report.In(6) {
		t.Fatal("#6 is in")
	}
	s.sees("is 0")
}

// The matrix of quotas: tab and j reach every cell, digits type, what is not set is a dot, what
// cannot be set is blank with its reason, and what a step is told to change it changes.
func TestTheMatrixOfQuotas(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("policy.edit")
		s.toRow("tool output max %")
		s.sees("min %", "max %", "require", "cap")
		if size[1] > 16 {
			s.sees("in, of: its items; room: what part of it they fill")
		}
		s.press("30<enter>", "tool output max % none → 30", "‹30›")
		if row := s.line("‹30›"); strings.Count(row, "·") != 1 {
			t.Errorf("%v: not only min %% is a dot in %q", size, row)
		}
		s.press("j")
		if k, _ := s.m.knob(); k.Label != "memory max %" {
			t.Errorf("%v: j leads to %s", size, k.Label)
		}
		s.press("k<tab>", "counts cannot be combined")
		s.toRow("tool output max %")
		told := s.line("h ", " tok")
		s.press("h")
		for _, what := range regexp.MustCompile(`[+-][0-9,]+ (in|out|tok)`).FindAllString(told, -1) {
			s.sees(what)
		}
		s.press("u", "‹30›")
		s.press("<backspace>", "tool output max % 30 → none")
		s.press("cc", "quotas are not possible with the slicer stream")
		s.press("l", "quotas are not possible with the slicer stream")
	}
}

// The counts of a kind in the matrix are those of the report.
func TestTheMatrixCountsWhatIsIn(t *testing.T) {
	s := begin(t, agentSession(t), 100, 60)
	s.do("policy.edit")
	for _, keys := range []string{"", "]", "c"} {
		s.press(keys)
		report := s.m.exp.Outcome(experiment.A).Report
		for _, kind := range report.Items.Kinds() {
			in, all, tokens, selected := 0, 0, model.Tokens(0), model.Tokens(0)
			for i := range report.Items.Len() {
				if !report.Items.Loaded(i).Kind.Is(kind) {
					continue
				}
				all++
				if report.In(i) {
					in++
					tokens += report.Items.Tokens(i)
					if report.Codes[i] != model.Pinned {
						selected += report.Items.Tokens(i)
					}
				}
			}
			share := plain.Percent(float64(selected) / float64(report.Effective.Target))
			if kind == model.SystemPrompt { // all are
				share = plain.Pinned
			}
			want := strings.Fields(strconv.Itoa(in) + " " + strconv.Itoa(all) + " " + tokens.String() + " " + share)
			found := false
			for _, l := range s.screen() {
				fields := strings.Fields(strings.NewReplacer("▌", " ", "│", " ").Replace(l))
				noun := strings.Fields(kind.Noun())
				rest := len(noun) + 4 // the four bounds
				found = found || len(fields) > rest && slices.Equal(fields[:len(noun)], noun) && slices.Equal(fields[rest:], want)
			}
			if !found {
				t.Errorf("%q: no row says %s %v:\n%s", keys, kind, want, s.text())
			}
		}
	}
}

// alone runs a percentage that is typed alone, which is worth least: the row below those that look after
// the other kinds.
const alone = "<down><down><enter>"

// A quota of one kind gives all kinds shares: the message of the change says so, the item
// that fell out, and the arithmetic of Replay.
func TestOneQuotaDividesTheRoomAmongAllKinds(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		if size[0] == 120 {
			s.press(":at most 100 % tool<enter>", "no item moves", "every kind is capped at its share", plain.AtRisk+" 2 → 4")
			s.do("undo")
		}
		shares := map[int]string{120: "every kind is capped at its share", 80: "all are capped", 60: "all are capped"}[size[0]]
		s.press(":tooloutput max 30"+alone+"f3<enter>", "−17 out", shares, "out, memory's share is full")
		if size[0] == 120 {
			s.sees("needs 31; 26 left of its 50 (it has no quota")
		}
		s.press("5f9<enter>", "Its part by tokens is 16,657")
		if size[0] >= 80 {
			s.sees("(63,964 of 75,579), capped at 30 %: 5,904.")
		}
		s.press(":tooloutput max 40<enter>") // shares were there before
		s.seesNot("every kind is capped at its share", "all are capped")
	}
}

// A long label is cut before what the change did, of which each part stands apart.
func TestWhatAQuotaDidIsNotCut(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {100, 30}, {80, 24}, {60, 16}} {
		s := agentAt(t, size[0], size[1], ":at most 30 % tool, one memory<enter>")
		line := s.line("at most 30 % tool")
		musttest.Says(t, line, " "+theme.Minus+"8 out")
		if size[0] == 120 || size[0] == 100 {
			musttest.Says(t, line, ": +6 in, "+theme.Minus+"8 out, all are capped ")
		}
	}
}

// What a first percentage does to kinds that it does not name is said on a line of its own: before
// it is set, on its row, while it is typed, and afterwards on every row of a percentage.
func TestAFirstPercentageSaysThatItLimitsEveryKind(t *testing.T) {
	for _, s := range agentAtSizes(t, "") {
		s.do("policy.edit")
		for _, column := range []string{"min %", "max %"} {
			s.toRow("tool output " + column)
			s.line("One percentage gives every kind a share, by its tokens")
			s.press("<enter>", "(none)", "One percentage gives every kind a share, by its tokens")
			s.press("<esc>")
		}
		s.press("30<enter>")
		s.toRow("memory min %")
		s.line("Every kind has a share now, by its tokens")
		s.toRow("recency")
		s.seesNot("Every kind has a share now")
	}
}

// Whoever wants at most 30 % tool output and a memory too is told how, where a count would
// be set: by a percentage or a pin.
func TestACountBesidePercentagesNamesTheWayToTheGoal(t *testing.T) {
	for size, s := range agentAtSizes(t, ":tooloutput max 30"+alone+"p") {
		s.toRow("memory require")
		s.sees("counts cannot be combined with percentages: take memory", "pin an", "backspace on tool output max %")
		s.toRow("memory min %")
		s.press("1<enter>")
		if got := s.m.exp.Setup().Policy[experiment.A].Quotas; len(got) != 2 {
			t.Errorf("%v: the quotas are %v", size, got)
		}
		s.toRow("memory require")
		s.sees("2 kinds have percentages")
	}
}

// Whoever types a count beside percentages is offered the percentage that comes nearest, and
// it brings in as many.
func TestACountThatIsTypedBesidePercentagesLeadsToAShare(t *testing.T) {
	for _, size := range sizes {
		for _, count := range []int{2, 3} {
			s := begin(t, agentSession(t), size[0], size[1])
			if s.press(":tool max 30" + alone); selectedOf(s, model.Memory) >= count {
				t.Fatalf("%d memories are in without a share", selectedOf(s, model.Memory))
			}
			s.press(":memory at least " + strconv.Itoa(count) + " item")
			s.press("<down><down>") // below the ways that fill the room
			s.line("▌", "other kinds keep theirs")
			s.line("other kinds keep theirs: memory " + strconv.Itoa(count) + " in")
			if s.press("<enter>"); selectedOf(s, model.Memory) < count {
				t.Errorf("%v: %d memories are in, %d were asked for", size, selectedOf(s, model.Memory), count)
			}
		}
	}
}

// Whoever types a percentage beside least numbers gets both: the numbers become percentages.
func TestAShareThatIsTypedBesideCountsKeepsThem(t *testing.T) {
	limited := func(quotas []model.Quota) bool {
		return slices.ContainsFunc(quotas, func(q model.Quota) bool { return q.Kind == model.ToolOutput && q.Cap() == 30 })
	}
	for size, s := range agentAtSizes(t, ":at least two memory items<enter>:tool outputs at most 30 %") {
		s.line("▌", "other kinds get the rest", " in, value ") // at every size, so that it is told from the other
		s.sees(" no")
		if text := strings.Join(strings.Fields(strings.ReplaceAll(s.text(), "│", " ")), " "); size[0] > 60 && !strings.Contains(text, "cannot stand beside percentages") {
			t.Errorf("%v: the palette says %q", size, text)
		}
		s.press("<enter>")
		if n := selectedOf(s, model.Memory); n < 2 {
			t.Errorf("%v: %d memories are in, 2 were asked for", size, n)
		}
		if _, share := inOf(s.m.exp.Outcome(experiment.A).Report, model.ToolOutput); share == 0 || share > 30 {
			t.Errorf("%v: tool outputs take %v %%", size, share)
		}
		s.do("undo")
		musttest.Is(t, s.m.exp.Setup().Policy[experiment.A].CountQuotas[0].Require, 2, size, "undone, the quotas are", s.m.exp.Setup().Policy[experiment.A])
		s.press(":memory at most 2 items<enter>:tool outputs at most 30 %<enter>")
		musttest.Is(t, selectedOf(s, model.Memory), 2, size, "memories are in, at most 2 were asked for, and 2 are possible")
		s.press("uu")
		listed := s.spelled("tool outputs at most 30 %")[0]
		s.do("policy.edit") // while it is listed, an item is pinned
		change, err := listed.Plan()
		if err != nil || !change.To().SameEdits(s.m.exp.Setup()) {
			t.Errorf("%v: what came after the command was listed is undone by it: %v", size, err)
		}
		s.press("uu") // the least number is gone, too
		if change, err := listed.Plan(); err != nil || change.To().Policy[experiment.A].CountQuotas != nil || !limited(change.To().Policy[experiment.A].Quotas) {
			t.Errorf("%v: what was typed is not what it does without least numbers: %v", size, err)
		}
	}
}

// selectedOf returns how many items of a kind are in with A.
func selectedOf(s *story, kind model.Kind) int {
	n, _ := inOf(s.m.exp.Outcome(experiment.A).Report, kind)
	return n
}

// Where kinds have shares of the room, the editor shows them beside what they have, and the
// palette says before enter that all kinds get one.
func TestTheEditorShowsTheSharesOfKinds(t *testing.T) {
	s := agentAt(t, 120, 36, ":tool max 30<down><down>", "enter:", "one percentage caps all kinds: memory 0.3 % of the room (1 of 3 stays), message 4.8 %", "document 10 %")
	s.press("<enter>p", "room/share")
	o := s.m.exp.Outcome(experiment.A)
	selected := map[model.Kind]model.Tokens{}
	for _, i := range o.Report.Included {
		if !o.Items.Pinned(int(i)) {
			selected[o.Items.Loaded(int(i)).Kind] += o.Items.Tokens(int(i))
		}
	}
	room := float64(o.Report.Effective.Target)
	for _, share := range o.Ranking.Shares(o.Report.Budget) {
		if share.Kind == model.SystemPrompt { // pinned
			continue
		}
		used := strings.TrimSuffix(plain.Percent(float64(selected[share.Kind])/room), " %")
		s.line(share.Kind.Noun(), used+"/"+plain.Percent(float64(share.Target)/room))
	}
}

// What a percentage takes from a kind that it does not name stays told in the editor, in numbers,
// with what limits one kind alone.
func TestThePriceOfAFirstPercentageStaysTold(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	before := s.m.exp.Outcome(experiment.A).Report
	s.do("policy.edit")
	s.toRow("tool output max %")
	s.seesNot("share out the whole room")
	s.press("30<enter>")
	after := s.m.exp.Outcome(experiment.A).Report
	was, is := 0, 0
	for i := range before.Items.Len() {
		if before.Items.Item(i).Kind == model.Memory {
			if before.In(i) {
				was++
			}
			if after.In(i) {
				is++
			}
		}
	}
	s.toRow("recency")
	s.sees("Percentages share out the whole room: memory may have")
	said := s.text()
	for _, want := range []string{fmt.Sprintf("%d of the %d that", is, was), "A cap limits"} {
		if is >= was || !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	s.press("u")
	s.seesNot("share out the whole room")
}

// The palette says before enter what a first percentage takes from a kind that it does not name, in
// numbers, and offers the way that leaves the others what they have.
func TestAFirstPercentageOffersToLeaveTheOthersAlone(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		before := s.m.exp.Outcome(experiment.A).Report
		memories := selectedOf(s, model.Memory)
		s.press(":tool max 30%<down><down>")
		said := s.line(": memory 0.3 %")
		s.press("<enter>")
		if is := selectedOf(s, model.Memory); is >= memories || !strings.Contains(said, fmt.Sprintf("(%d of %d stays)", is, memories)) {
			t.Errorf("%v: %d of %d memories are in, told %q", size, is, memories, said)
		}
		if size[0] >= 80 { // also where the editor is opened afterwards
			s.do("policy.edit")
			s.line(map[int]string{120: "share out the whole room: memory may have", 80: "Shares limit memory to 0.3 %: 1 of its 3 is in"}[size[0]])
			s.press("<esc>")
		}
		s.press("u:at most 30% tool") // of which none goes out
		s.press("<down>")             // to the way that gives the others no more than they have
		s.line("▌", "other kinds keep theirs", " free")
		s.sees(": document 8.9 % of the room")
		if size[0] >= 80 {
			s.sees("9,626 tokens of the room stay free")
		}
		s.press("<enter>")
		after := s.m.exp.Outcome(experiment.A).Report
		var tools model.Tokens
		for i := range after.Items.Len() {
			if tool := after.Items.Loaded(i).Kind == model.ToolOutput; tool && after.In(i) {
				tools += after.Items.Tokens(i)
			} else if !tool && before.In(i) && !after.In(i) {
				t.Errorf("%v: #%d is out, and no tool output", size, i)
			}
		}
		if tools == 0 || tools*100 > after.Effective.Target*30 {
			t.Errorf("%v: tool outputs take %v of %v", size, tools, after.Effective.Target)
		}
		s.do("undo")
		musttest.Is(t, s.m.exp.Setup().Policy[experiment.A].Quotas, nil, size, "undo leaves quotas")
	}
}

// A least number that holds already says so, with the budget from which on it does, and the way
// beside percentages comes behind it; one above what there is says how many there are.
func TestALeastNumberThatHoldsSaysSo(t *testing.T) {
	for size, s := range agentAtSizes(t, ":set memory require 30") {
		s.line("▌", "there are only 3")
		s.press("<esc>:at least one memory", "it holds already")
		text := s.spelled("at least one memory")[0].Text
		found := regexp.MustCompile(`it holds already, (\d+) are in and 1 or more at every budget from ([0-9,]+) to this`).FindStringSubmatch(text)
		if found == nil || found[1] != strconv.Itoa(selectedOf(s, model.Memory)) {
			t.Fatalf("%v: the palette says %q", size, text)
		}
		from := musttest.Of(model.ParseTokens(found[2]))(t)
		p := s.m.exp.Profile(experiment.A)
		atLeast := func(b model.Tokens) (n int) {
			for i := range s.m.exp.Items().Len() {
				if s.m.exp.Items().Loaded(i).Kind != model.Memory {
					continue
				}
				if _, in := p.SizeAt(i, b); in {
					n++
				}
			}
			return n
		}
		for b := from; b <= s.m.budget(); b++ {
			if atLeast(b) < 1 {
				t.Fatalf("%v: no memory is in at %v", size, b)
			}
		}
		if atLeast(from-1) > 0 {
			t.Errorf("%v: a memory is in below %v, too", size, from)
		}
		s.press("<esc>:at most 30% tool<enter>:at least one memory")
		held := ""
		if size[0] > 60 {
			held = s.line("▌", "set at least ", " % mem")
			s.line("holds already, pin #4")
			s.line("set memory require to 1", "no: it holds already")
		}
		was := s.recomputed()
		s.press("<enter>")
		rep := s.recomputed()
		if q := s.m.exp.Setup().Policy[experiment.A].Quotas; size[0] > 60 && !slices.ContainsFunc(q, func(q model.Quota) bool {
			return q.Kind == model.Memory && q.MinPercent.Set && strings.Contains(held, "at least "+widget.Share(q.MinPercent.Value)+" mem")
		}) {
			t.Errorf("%v: %q sets %+v", size, held, q)
		}
		if n, _ := inOf(rep, model.Memory); n < 1 || !slices.Equal(rep.Included, was.Included) {
			t.Errorf("%v: %d memories are in", size, n)
		}
	}
}
