package explorer

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/widget"
)

// read returns what a line finds, once all is known.
func (s *story) read(line string) (all []palette.Command) {
	for _, c := range s.m.spelledOut(line) {
		if c.Later == nil {
			all = append(all, c)
		} else {
			all = append(all, c.Later(context.Background())()...)
		}
	}
	return all
}

// However one asks for the budget of items, it is offered: a run there has them in, with a token less one is out,
// and none leaves at a larger budget.
func TestTheBudgetOfItemsIsOffered(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for line, items := range map[string][]int{
		"budget for #16": {16}, "get #16 in": {16}, "include #16": {16}, "why is #16 out": {16}, "how many tokens for #16?": {16},
		"when does #16 come in": {16}, "make room for #16": {16}, "budget for #31 and #16": {16, 31},
		"budget for 16": {16}, "least budget 16": {16}, "where does 16 stay": {16}, "cheapest budget for 16": {16}, "what does 16 need": {16}, "budget for 31 and 16": {16, 31}, "budget for all memory items": {3, 4, 5},
	} {
		names := namesOf(items)
		verb := widget.Verb(len(items), " stays in", " stay in")
		k := slices.IndexFunc(s.read(line), func(c palette.Command) bool { return c.Text == "to the budget from which "+names+verb })
		if k < 0 {
			t.Errorf("%q does not lead to the budget of %s", line, names)
			continue
		}
		change := musttest.Of(s.read(line)[k].Plan())(t)
		at := change.Budget.Value
		in := func(b model.Tokens) bool {
			s.setBudget(b)
			rep := s.recomputed()
			return !slices.ContainsFunc(items, func(i int) bool { return !rep.In(i) })
		}
		if !in(at) || in(at-1) {
			t.Errorf("%q leads to %v: in %v, with a token less %v", line, at, in(at), in(at-1))
		}
		for b := at; b < s.m.exp.Profile(experiment.A).Axis().End(); b += 1 + b%977 {
			if !in(b) {
				t.Errorf("%q leads to %v, and at %v one is out", line, at, b)
				break
			}
		}
		s.setBudget(32_000)
	}
	for line, first := range map[string]string{"budget for 16": "to the budget from which #16 stays in", "budget 16": "set budget to 16", "budget for 16 tokens": "set budget to 16", "budget for 66000": "set budget to 66,000"} {
		all := s.read(line)
		musttest.Is(t, all[0].Text, first, line)
		if !slices.ContainsFunc(all, func(c palette.Command) bool { return strings.HasPrefix(c.Text, "set budget to ") }) {
			t.Errorf("%q sets no budget", line)
		}
	}
	for _, s := range agentAtSizes(t, ":budget for #16") {
		s.line("▌", "to the budget from which #16")
		s.press("<enter>")
		want, _ := s.m.exp.Profile(experiment.A).StaysFrom(16)
		s.budgetIs(want)
		s.press("u:budget for #16<down><enter>")
		s.budgetIs(s.m.exp.Profile(experiment.A).Summary(16).FirstIn.Value)
		s.press("u:#16<enter>x:budget for #16", "#16 is "+excluded+": x restores it")
		s.press("<esc>:budget for #0", "#0 is "+plain.Pinned+", so it is in here")
	}
}

// setBudget sets maxTokens, as a change that is not told.
func (s *story) setBudget(b model.Tokens) {
	s.t.Helper()
	if setup := s.m.exp.Setup().WithMax(b); !setup.Equal(s.m.exp.Setup()) {
		musttest.Do(s.t, s.m.exp.Apply(setup, experiment.Label{Name: "test"}, ""))
	}
}

// A share of the budget and a sign before a number are tokens, and the line says how many; a knob of shares takes
// the percentage itself.
func TestAmountsAreSaidInTokens(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for typed, want := range map[string]string{
		"reserve 10%": "set " + reserve + " to 3,200, 10 % of the budget", "output reserve 15 %": "set " + reserve + " to 4,800, 15 % of the budget",
		"slack 5%": "set slack to 1,600, 5 % of the budget", "budget -10%": "set budget to 28,800", "budget +2k": "set budget to 34,000",
		"reserve -500": "set " + reserve + " to 7,500", "reserve -9k": "set " + reserve + " to 0", "margin 10%": "set safety margin to 10 %",
		"budget 75%": "set budget to 24,000, 75 % of the budget", "tool min 30%": "set tool output min % to 30 %",
	} {
		musttest.Is(t, s.m.settings(strings.Fields(typed))[0].Text, want, typed)
	}
	for size, s := range agentAtSizes(t, ":reserve 10%<enter>") {
		musttest.Is(t, s.m.exp.Setup().Budget.OutputReserve, 3200, size)
	}
}

// A kind to cut without sizes has rows of sizes, each with what it comes to; enter makes the first.
func TestAKindToCutHasSizes(t *testing.T) {
	for typed, kind := range map[string]string{"shrink tool outputs": "tool output", "truncate long tool outputs": "tool output", "cut long documents": "document"} {
		for size, s := range agentAtSizes(t, ":"+typed) {
			told := s.line("▌", "shrink "+kind)
			s.press("<enter>")
			rep := s.m.exp.Result(experiment.A).Report
			musttest.Is(t, s.m.exp.Setup().Edits.Shrink.Rules[0].Words(), firstSizes[0], typed)
			if cut, noted := rep.CountShrunk(); cut+noted == 0 || size[0] > 80 && !strings.Contains(told, resultText(rep)) {
				t.Errorf("%v: %q says %q, and comes to %s", size, typed, told, resultText(rep))
			}
		}
	}
}

// A number of items is of those that are selected: what is pinned of the kind comes on top, which the palette, Trace
// and the ways to have no more say.
func TestACapSaysWhatIsPinned(t *testing.T) {
	s := agentAt(t, 120, 36, ":pin 22 24<enter>:at most 3 tool", "set tool output cap to 3 beside #22 #24 "+plain.Pinned)
	all := s.read("at most 3 tool")
	way := all[len(all)-1]
	musttest.Says(t, strings.Join(way.Notes, "; "), "tool output 3 in with #22 #24 "+plain.Pinned, way.Text)
	s.press("<enter>")
	n, _ := inOf(s.recomputed(), model.ToolOutput)
	musttest.Is(t, n, 3+2)
	s.do("view.Trace", "+ "+plain.Pinned)
	s.do("undo")
	change := musttest.Of(way.Plan())(t)
	musttest.Do(t, s.m.exp.Apply(change.To(), change.Label, ""))
	n, _ = inOf(s.recomputed(), model.ToolOutput)
	musttest.Is(t, n, 3)
}

// Below a wish that is understood stands nothing about other things.
func TestNothingElseStandsBelowAWish(t *testing.T) {
	s := agentAt(t, 120, 36, ":no documents", "set document cap to 0")
	s.seesNot("preset to", "at least this")
}

// A row that stays though its item no longer matches is named beside how many match.
func TestARowThatStaysIsNamed(t *testing.T) {
	s := agentAt(t, 120, 36, "!:#32<enter>]")
	if !s.m.exp.Result(experiment.A).Report.In(32) {
		t.Fatal("#32 is out")
	}
	out := 0
	for i := range s.m.exp.Items().Len() {
		if !s.m.exp.Result(experiment.A).Report.In(i) {
			out++
		}
	}
	s.sees(strconv.Itoa(out) + " shown and #32")
}
