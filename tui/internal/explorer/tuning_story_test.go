package explorer

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
)

// manyCases opens the third case of a file with n of them. A long item with the best
// score is needed, and short ones are denser; with alike all are of one size, so that
// nothing is to be gained.
func manyCases(t *testing.T, n int, alike bool) (*Workspace, session.Options) {
	t.Helper()
	var b strings.Builder
	for k := range n {
		long := 21 + k%9
		if alike {
			long = 10
		}
		fmt.Fprintf(&b, `{"talk": "t%d", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 30}, "items": [`+
			`{"content": "long %[2]d", "tokens": %[3]d, "futureRelevanceHint": 0.9, "relevance": 1}, {"content": "short %[2]d", "tokens": 10, "futureRelevanceHint": 0.5}, `+
			`{"content": "other %[2]d", "tokens": 10, "futureRelevanceHint": 0.45}]}`+"\n", k%10, k, long)
	}
	path := musttest.File(t, "many.jsonl", b.String())
	o := session.Options{Sources: []string{path}, Select: "3"}
	s := sessionOf(t, o)
	return s, o
}

// What the search finds over all cases of the source is policy B, with the figures
// that the library has for it, and undo gives the old one back.
func TestTuneMakesB(t *testing.T) {
	for _, size := range sizes {
		opened, o := manyCases(t, 40, false)
		s := begin(t, opened, size[0], size[1])
		before := s.m.exp.Setup()
		s.press(":tune", "tune: search for a policy")
		s.press("<enter>", "tune for: recall at 30")
		s.press(" by talk<enter>")

		choices := musttest.Of(o.Choices(t.Context(), session.Input{}))(t)
		cases := musttest.Of(choices.Siblings(t.Context(), "talk"))(t)
		want, err := quality.Tune(context.Background(), cases.All(context.Background()), quality.TuneOptions{
			Current: before.Policy[experiment.A], At: quality.Amount{Tokens: 30}, Seed: 1, Data: opened.Name,
		})
		if err != nil || !want.Recommended || want.Groups != 10 {
			t.Fatalf("%+v, %v", want, err)
		}
		now := s.m.exp.Setup()
		if !reflect.DeepEqual(now.Policy[experiment.B], want.Best.Policy) || !now.Policy[experiment.A].Same(before.Policy[experiment.A]) {
			t.Errorf("B is %+v, want %+v", now.Policy[experiment.B], want.Best.Policy)
		}
		s.sees("B tuned, 2 compares, u undoes: greedy, power", "recall at 30, held out: tuned 100.0 %")
		s.press("<esc>2", "Compare")
		s.do("undo", "undo B tuned")
		if got := s.m.exp.Setup().Policy[experiment.B]; !got.Same(before.Policy[experiment.B]) {
			t.Errorf("after undo B is %+v", got)
		}
	}
}

// Where no policy is better beyond chance, or too few cases are there to tell, B stays
// and the numbers say why.
func TestTuneRecommendsNothing(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		cases       int
		alike       bool
		sees        []string
	}{
		{"nothing to gain", "<enter>", 40, true, []string{"no change recommended: p is 1.000", "tuned 100.0 %, A 100.0 %; 40 cases", "B stays as it is"}},
		{"too few cases", "<enter>", 12, false, []string{"not tuned: 12 cases in 12 groups can be measured, but 30 cases in 8 groups are needed"}},
		{"no such field", " by nosuch<enter>", 40, false, []string{"not tuned: 0 cases in 0 groups", "40 cases cannot be read, first", "--group"}},
		{"no answers", "<backspace><backspace><backspace><backspace><backspace><backspace><backspace><backspace><backspace><backspace><backspace><backspace>answered<enter>", 40, false, []string{"not tuned: 0 cases"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opened, _ := manyCases(t, c.cases, c.alike)
			s := begin(t, opened, 200, 40)
			before := s.m.exp.Setup()
			s.press(":tune<enter>"+c.typed, c.sees...)
			if !s.m.exp.Setup().Equal(before) || s.m.running() {
				t.Error("the setup has changed, or the search still runs")
			}
		})
	}
}

// Marks made on the screen are of one case, and the search reads all of them from the
// source: it says so before it begins and with its answer, whatever that is.
func TestTuneSaysThatMarksMadeHereDoNotCount(t *testing.T) {
	const says = "not the marks made here"
	for _, cases := range []int{12, 40} { // too few, and enough
		opened, _ := manyCases(t, cases, true)
		for _, size := range sizes {
			s := begin(t, opened, size[0], size[1]).after(":tune<enter>")
			s.seesNot(says)
			s.press("<esc>j*:tune<enter>", says)
			s.press("<enter>")
			musttest.Says(t, strings.Join(s.m.messages.warnings, "\n"), says, "the answer")
			s.press("<esc>u:tune<enter>", "tune for: ")
			s.seesNot(says)
		}
	}
}

// A session whose cases cannot be read says so and asks nothing.
func TestTuneNeedsASource(t *testing.T) {
	s := begin(t, sampleSession(t, 10), 120, 36).after(":tune<enter>", "tune: it has no source")
	if s.press("<enter>"); s.m.running() {
		t.Error("a search runs")
	}
}

// The search runs behind the screen: keys work, its progress is told, esc stops it, and
// the answer to a session that is gone is dropped.
func TestTuneRunsBehindTheScreen(t *testing.T) {
	opened, _ := manyCases(t, 40, false)
	s := begin(t, opened, 120, 36)
	before := s.m.exp.Setup()
	s.held = true
	s.press(":tune<enter><enter>", "tuning, esc stops that")
	s.press("j")
	s.tick()
	s.m.tune.progress.Store(&quality.TuneProgress{Round: 1, Done: 7, Cases: 40, Policies: 90, Best: "greedy, reflexive", BestMean: 0.25})
	s.m.watching = true
	s.send(quietMsg(s.m.progressed))
	s.sees("round 1: 7 of 40 cases, 90 policies; best so far 25.0 %")
	s.press(":tune", "it is searching already; esc stops it")
	s.press("<esc><esc>", "tuning stops")
	s.release("tuning stopped: there was no best yet")
	musttest.Is(t, s.m.exp.Setup().Equal(before), true, "after what was stopped, the setup is as before")

	s.held = true
	s.press(":tune<enter><enter>")
	s.m.reset()
	s.release()
	s.seesNot("tuned", "tuning")
}

func TestTuneQuestions(t *testing.T) {
	opened, _ := manyCases(t, 40, false)
	s := begin(t, opened, 120, 36)
	for text, want := range map[string]string{
		"":                                "recall at 30",
		"recall":                          "recall at 30",
		"at 50% complete by talk cupel":   "complete at 50% by talk cupel",
		"Budget at own":                   "budget at own",
		"recall at":                       "at what?",
		"recall at 0%":                    "is not a percentage",
		"precision at 9":                  `"precision" is not understood`,
		"value at 4k by source something": `"something" is not understood`,
	} {
		q, err := s.m.tuneQuestion(text)
		got := fmt.Sprintf("%s at %s", q.Objective, q.At)
		if q.Group != "" {
			got += " by " + q.Group
		}
		if q.CupelOnly {
			got += " cupel"
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	musttest.Is(t, suggestTune("co"), []string{"complete at "}, "completes to")
}
