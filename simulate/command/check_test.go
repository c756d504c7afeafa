package command

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// typed reads "--name value --name value" into the checks of flags.
func typed(line string) (checks typedChecks) {
	for part := range strings.SplitSeq(strings.TrimPrefix(line, "--"), " --") {
		name, value, _ := strings.Cut(part, " ")
		for _, f := range checks.flags() {
			if f.Name == name {
				if err := f.Read(cmp.Or(value, "true")); err != nil {
					panic(err)
				}
			}
		}
	}
	return checks
}

// What count quotas commit and Truncate drops fills nothing.
func TestFilledOfWhatIsKept(t *testing.T) {
	const scenario = `{"items": [
		{"content": "rules", "tokens": 2, "kind": "SystemPrompt", "pinned": true},
		{"content": "small", "tokens": 1, "futureRelevanceHint": 0.9, "kind": "Document"},
		{"content": "wide", "tokens": 4, "futureRelevanceHint": 0.5, "kind": "ToolOutput"}],
		"policy": {"scorers": [{"type": "reflexive", "weight": 1}], "overflowStrategy": "truncate",
			"countQuotas": [{"kind": "Document", "requireCount": 1, "capCount": 1}, {"kind": "ToolOutput", "requireCount": 1, "capCount": 1}]},
		"budget": {"maxTokens": 6, "outputReserve": 2}}`
	out, err := runCheck(t, scenario, session.Options{}, checkOptions{Typed: typed("--min-filled 50 --min-filled 51")})
	if !ends(err, Failed) || err.Error() != "1 of 2 checks failed" {
		t.Errorf("%v, want that one of two failed", err)
	}
	musttest.Says(t, out, "50 % of 2 filled, and 1 item is left out")
}

// A bound in percent holds where the room is filled by exactly so much: a
// percentage is not multiplied with 100, which makes 28.999999999999996 of 0.29.
func TestFilledByExactlyTheBound(t *testing.T) {
	for used := range 101 {
		if out, _, err := ran(check, fmt.Sprintf(`{"items": [{"content": "a", "tokens": %d, "kind": "SystemPrompt"}, {"content": "b", "tokens": 101, "kind": "Document"}],
			"policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 100}}`, used), session.Options{Sources: []string{"-"}}, checkOptions{Typed: typed(fmt.Sprintf("--min-filled %d", used))}); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestVerify(t *testing.T) {
	musttest.Alone(t)
	const scenario = `{"items": [
		{"content": "rules", "tokens": 20, "kind": "SystemPrompt", "pinned": true},
		{"content": "wide", "tokens": 100, "futureRelevanceHint": 0.9, "kind": "Document"},
		{"content": "small", "tokens": 50, "futureRelevanceHint": 0.05, "kind": "Document"},
		{"content": "small", "tokens": 50, "futureRelevanceHint": 0.01, "kind": "Document"}],
		"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "slackTokens": 0`
	for _, c := range []struct {
		name, checks, flags, want string
		err                       string
	}{
		{"required and there", "", "--require kind:sys", "ok require kind:sys 1 of 1 in", ""},
		{"required and not there", "", "--require kind:doc", "FAIL require kind:doc 1 of 3 in: out is #1, too large: needs 100, the room is 80; out is #3, same text as #2", "1 of 1 check failed"},
		{"required and unknown", "", "--require kind:mem", "FAIL require kind:mem none of 4 items matches, so there is nothing to check", "1 of 1 check failed"},
		{"forbidden and there", "", "--forbid small", "FAIL forbid small 1 of 2 in: #2", "1 of 1 check failed"},
		{"forbidden and unknown", "", "--forbid kind:mem", "ok forbid kind:mem no item matches", ""},
		{"in by then", "", "--first-in-by 70 --for #2", "ok first-in-by 70 for #2 #2 is first in at 70", ""},
		{"not in by then", "", "--first-in-by 69 --for #2", "FAIL first-in-by 69 for #2 1 of 1 not by then: #2 is first in at 70", "1 of 1 check failed"},
		{"never in", "", "--first-in-by 150 --for kind:doc", "FAIL first-in-by 150 for kind:doc 1 of 3 not by then: #3 is never in up to 220", "1 of 1 check failed"},
		{"stays by then", "", "--stays-by 170 --for kind:doc -is:dup", "ok stays-by 170 for kind:doc -is:dup all 2 by then, the last #2: " + plain.StaysFrom + " 170", ""},
		{"does not stay", "", "--stays-by 169 --for kind:doc -is:dup", "FAIL stays-by 169 for kind:doc -is:dup 1 of 2 not by then: #2 " + plain.StaysFrom + " 170", "1 of 1 check failed"},
		{"one for of two checks", "", "--first-in-by 70 --stays-by 170 --for #2",
			"ok first-in-by 70 for #2 #2 is first in at 70\nok stays-by 170 for #2 #2 " + plain.StaysFrom + " 170", ""},
		{"stable", "", "--require kind:sys --stable 80", "ok require kind:sys 1 of 1 in\nok stable 80 1 of 1 in at every budget from 20 to 100", ""},
		{"stable, of what is in", "", "--stable 31", "FAIL stable 31 1 of 2 in at every budget from 69 to 100: #2 is out at 69", "1 of 1 check failed"},
		{"stable, of what is named", "", "--stable 30 --for kind:doc tok=50 -is:dup", "ok stable 30 for kind:doc tok=50 -is:dup 1 of 1 in at every budget from 70 to 100", ""},
		{"stable, of what is out", "", "--stable 0 --for #1", "FAIL stable 0 for #1 0 of 1 in at every budget from 100 to 100: #1 is out at 100", "1 of 1 check failed"},
		{"filled", "", "--min-filled 62.5%", "ok min-filled 62.5 % 62.5 % of 80 filled", ""},
		{"not filled", "", "--min-filled 63", "FAIL min-filled 63 % 62.5 % of 80 filled, and 1 item is left out", "1 of 1 check failed"},
		{"no pairs", "", "--no-split-pairs true", "ok no-split-pairs there are no calls with results", ""},
		{"not asked", "", "--no-split-pairs false --forbid #1", "ok forbid #1 0 of 1 in", ""},
		{"from the scenario, then from flags", `[{"forbid": "#1", "name": "not the wide one"}]`, "--forbid #2",
			"ok not the wide one forbid #1 0 of 1 in\nFAIL forbid #2 1 of 1 in: #2", "1 of 2 checks failed"},
		{"broken in the scenario", `[{"forbid": 1}]`, "", "", "-: invalid checks: checks[0].forbid is a number, must be a string"},
	} {
		in := scenario + "}"
		if c.checks != "" {
			in = scenario + `, "checks": ` + c.checks + "}"
		}
		s, out, _ := streams(in)
		v := checkOptions{}
		if c.flags != "" {
			v.Typed = typed(c.flags)
		}
		err := check(context.Background(), session.Options{Sources: []string{"-"}}, v, s)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.err)
		}
		var rows []string
		if _, table, ok := strings.Cut(out.String(), "\n\n"); ok {
			table, _, _ = strings.Cut(table, "\n\n")
			for _, row := range strings.Split(table, "\n")[1:] {
				rows = append(rows, strings.Join(strings.Fields(row), " "))
			}
		}
		musttest.Is(t, strings.Join(rows, "\n"), c.want, c.name)
	}
}

func TestVerifyErrors(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("70")}
	_, _, err := ran(check, items, o, checkOptions{Typed: typed("--require kind:mem --forbid kind:sys")})
	if !ends(err, Failed) || err.Error() != "2 of 2 checks failed" {
		t.Errorf("%v, want both failed", err)
	}
	o.Budget = maximum("10") // the pinned do not fit
	out, _, err := ran(check, items, o, checkOptions{Typed: typed("--require kind:mem")})
	if !as[*model.PinnedError](err) || out != "" {
		t.Errorf("%v, %q, want that the pinned items do not fit", err, out)
	}
	o.Budget = maximum("70")
	path := musttest.File(t, "checks.json", `[{"require": "question"}]`)
	if out, _, err := ran(check, items, o, checkOptions{File: path}); err != nil || !strings.Contains(out, "1 check: all hold") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestVerdictsAreBruteForce: what is said of items is so at every budget.
func TestVerdictsAreBruteForce(t *testing.T) {
	musttest.Alone(t)
	const ceiling = 70
	fine, broken, far := 0, 0, 0
	eachExperiment(t, 5, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		report, err := r.DryRun(s.Budget)
		if err != nil {
			return
		}
		at := make([]*model.Report, ceiling+1) // nil: does not run
		for b := range at {
			if budget, err := s.Budget.At(model.Tokens(b)); err == nil {
				at[b], _ = r.DryRun(budget)
			}
		}
		in := func(i, b int) bool { return at[b] != nil && at[b].In(i) }
		kind := randomtest.Pick(rng, model.Message, model.Document)
		var items []int
		for i := range s.Items.Len() {
			if s.Items.Loaded(i).Kind == kind {
				items = append(items, i)
			}
		}
		top, tokens := int(s.Budget.MaxTokens()), rng.IntN(ceiling)
		slack := rng.IntN(int(s.Budget.TargetTokens()) + 1)
		percent := float64(rng.IntN(101))
		selector := "kind:" + string(kind)
		checks := []model.Check{
			{Kind: model.CheckRequire, Selector: selector}, {Kind: model.CheckForbid, Selector: selector},
			{Kind: model.CheckFirstInBy, Selector: selector, Tokens: model.Tokens(tokens)},
			{Kind: model.CheckStaysBy, Selector: selector, Tokens: model.Tokens(tokens)},
			{Kind: model.CheckStable, Selector: selector, Tokens: model.Tokens(slack)},
			{Kind: model.CheckMinFilled, Share: percent / 100}, {Kind: model.CheckMaxBelowBest, Share: percent / 200},
		}
		line := strings.ReplaceAll("--"+strings.Join(plain.Texts(checks, sayCheck), " --"), " for ", " --for ")
		got, err := answered[checkAnswer](t, s, check, checkOptions{answerOptions: inJSON, Ceiling: model.Some(model.Tokens(70)), Typed: typed(line)})
		if as[*model.ScarcityError](err) { // at some other budget: there is no profile
			return
		}
		if !ends(err, Failed) {
			musttest.Do(t, err)
		}
		for k, holds := range []func(i int) bool{
			report.In,
			func(i int) bool { return !report.In(i) },
			func(i int) bool { return slices.ContainsFunc(span(0, tokens), func(b int) bool { return in(i, b) }) },
			func(i int) bool {
				return !slices.ContainsFunc(span(tokens, ceiling), func(b int) bool { return !in(i, b) })
			},
			func(i int) bool {
				return !slices.ContainsFunc(span(top-slack, top), func(b int) bool { return !in(i, b) })
			},
		} {
			want := []int{}
			for _, i := range items {
				if !holds(i) {
					want = append(want, i)
				}
			}
			v := got.Checks[k]
			fails := len(want) > 0 || len(items) == 0 && checks[k].Kind != model.CheckForbid
			if !slices.Equal(v.Failing, want) || v.Named != len(items) || (v.Verdict == "failed") != fails {
				t.Fatalf("%+v of items %v: %+v, want %v to break it", checks[k], items, v, want)
			}
			if fails {
				broken++
			} else {
				fine++
			}
		}
		left := slices.ContainsFunc(report.Excluded, func(i int32) bool {
			code := report.Codes[i]
			return code != model.NegativeTokens && code != model.Deduplicated && code != model.Filtered
		})
		filled := report.Kept - report.PinnedTokens // what Truncate drops fills nothing
		full := report.Effective.Target > 0 && 100*float64(filled) >= percent*float64(report.Effective.Target)
		if v := got.Checks[5]; (v.Verdict == holding) != (full || !left) {
			t.Fatalf("%v percent: %+v, %v of %v", percent, v, filled, report.Effective.Target)
		}
		target := slicer.Target(report.Effective.Target)
		below := musttest.Of(simulate.NewOptimum(t.Context(), r, target))(t).BelowBest(report.Value, target).Value
		if v := got.Checks[6]; math.Abs(*v.Actual-below) > 1e-9 || math.Abs(below-percent/200) > 1e-9 && (v.Verdict == holding) != (below <= percent/200) {
			t.Fatalf("%+v, want %v below the best, at most %v percent", v, below, percent/2)
		} else if v.Verdict != holding {
			far++
		}
	})
	if fine < 100 || broken < 100 || far < 5 {
		t.Errorf("%d hold, %d are broken, %d are too far below the best", fine, broken, far)
	}
}

// TestBelowBestOfSharpenedScores: the item of 20 does not fit, and beside its score the
// others are worth less than the smallest unit. Nothing is selected.
func TestBelowBestOfSharpenedScores(t *testing.T) {
	const in = `[{"content": "a", "tokens": 20, "futureRelevanceHint": 1}, {"content": "b", "tokens": 2, "futureRelevanceHint": 0.5}, {"content": "c", "tokens": 3, "futureRelevanceHint": 0.5}]`
	const policy = `{"scorers": [{"type": "power", "innerScorer": {"type": "reflexive", "weight": 1}, "exponent": 64, "weight": 1}], "slicerType": "` + string(model.Prefix) + `"}`
	o := session.Options{Sources: []string{"-"}, Policy: musttest.File(t, "policy.json", policy), Budget: maximum("17")}
	out, _, err := ran(check, in, o, checkOptions{Typed: typed("--max-below-best 50")})
	if !ends(err, Failed) || !strings.Contains(out, "100.00 % "+plain.BelowBest) {
		t.Errorf("check: %v\n%s", err, out)
	}
	o.Budget = maximum("40")
	if out, _, err := ran(writeSweep, in, o, sweepOptions{studyOptions: studyOptions{Ceiling: model.Some(model.Tokens(40))}, From: "17", To: "40"}); err != nil || !strings.Contains(out, " ? ") {
		t.Errorf("sweep: %v\n%s", err, out)
	}
}

// Where the best possible is beyond reach, only what a bound proves is said.
func TestBelowBestOfWhatIsTooLarge(t *testing.T) {
	const in = `[{"content": "a", "tokens": 60000000, "futureRelevanceHint": 1}, {"content": "b", "tokens": 60000000, "futureRelevanceHint": 0.5}]`
	for _, c := range []struct {
		percent, want string
		undecided     bool
	}{
		{"30", "ok max-below-best 30 % at most 26.16 % " + plain.BelowBest + ", by a bound", false},
		{"20", "? max-below-best 20 % at most 26.16 % " + plain.BelowBest + ", by a bound; how far exactly is not known: ", true},
	} {
		o := session.Options{Sources: []string{"-"}, Preset: "rag", Budget: maximum("100M")}
		out, _, err := ran(check, in, o, checkOptions{Ceiling: model.Some(model.Tokens(100_000_000)), Typed: typed("--max-below-best " + c.percent)})
		if ends(err, Input) != c.undecided || (err != nil) != c.undecided || !strings.Contains(strings.Join(strings.Fields(out), " "), c.want) {
			t.Errorf("%s: %v\n%s", c.percent, err, out)
		}
	}
}

func span(from, to int) []int {
	var all []int
	for b := from; b <= to; b++ {
		all = append(all, b)
	}
	return all
}

// checkAnswer is what check answers.
type checkAnswer struct {
	Checks []struct {
		Verdict string
		Actual  *float64
		Named   int
		Failing []int
	}
}

// neededScenario needs two items, of which greedy at 60 tokens takes the short one,
// and at 100 both.
const neededScenario = `{"items": [{"content": "the long answer", "tokens": 60, "futureRelevanceHint": 0.5}, {"content": "short", "tokens": 20, "futureRelevanceHint": 0.4},
	{"content": "another", "tokens": 20, "futureRelevanceHint": 0.3}], "labels": {"0": 3, "1": 1}, "answers": ["Long answer!"],
	"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 60}}`

func runCheck(t *testing.T, in string, o session.Options, a checkOptions) (string, error) {
	t.Helper()
	o.Sources = []string{"-"}
	out, _, err := ran(check, in, o, a)
	return out, err
}

func TestCheckOfWhatWasNeeded(t *testing.T) {
	for _, c := range []struct {
		max, line, says string
		failed, unknown bool
	}{
		{"60", "--min-recall 25", "recall 25 %: 1 of 2 needed items in", false, false},
		{"60", "--min-recall 25.1", "out: #0", true, false},
		{"100", "--min-recall 100", "2 of 2 needed items in", false, false},
		{"60", "--answered true", "none of 1 answer is in", true, false},
		{"100", "--answered true", "an item with an answer is in", false, false},
	} {
		out, err := runCheck(t, neededScenario, session.Options{Budget: maximum(c.max)}, checkOptions{Typed: typed(c.line)})
		if failed := ends(err, Failed); failed != c.failed || !failed && err != nil || !strings.Contains(out, c.says) {
			t.Errorf("%s at %s: %v\n%s", c.line, c.max, err, out)
		}
	}
	bare := strings.NewReplacer(`"labels": {"0": 3, "1": 1}, "answers": ["Long answer!"],`, "").Replace(neededScenario)
	for _, line := range []string{"--min-recall 1", "--answered true"} {
		musttest.Says(t, musttest.Refusal(runCheck(t, bare, session.Options{}, checkOptions{Typed: typed(line)})), "could not be decided", line, "without labels")
	}
	own := strings.Replace(neededScenario, `"policy"`, `"checks": [{"minRecall": 0.25}, {"answered": true}], "policy"`, 1)
	musttest.Is(t, fmt.Sprint(musttest.Refusal(runCheck(t, own, session.Options{}, checkOptions{}))), "1 of 2 checks failed", "checks of the scenario")
}

func TestRatchet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "base.json")
	musttest.Of(runCheck(t, neededScenario, session.Options{Budget: maximum("100")}, checkOptions{Record: file}))(t)
	text := musttest.Of(os.ReadFile(file))(t)
	recorded := musttest.JSON[base](t, text)
	if want := map[string]float64{"recall": 1, "complete": 1, "answered": 1, "shareNeeded": 0.8, "belowBest": 0}; recorded.MaxTokens != 100 || len(recorded.Figures) != len(want) {
		t.Errorf("recorded is %+v, want %v", recorded, want)
	} else {
		for name, value := range want {
			musttest.Is(t, recorded.Figures[name], value, name)
		}
	}
	// Recall falls to .25, the answer falls out, the best of 60 tokens is .7.
	out, err := runCheck(t, neededScenario, session.Options{}, checkOptions{Against: file, Record: file, Tolerance: "70"})
	if !ends(err, Failed) || err.Error() != "3 of 5 checks failed" || !strings.Contains(out, "25.00 %, was 100.00 %") {
		t.Errorf("%v\n%s", err, out)
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Error("a result that is worse is recorded")
	}
	if out, err := runCheck(t, neededScenario, session.Options{}, checkOptions{Against: file, Tolerance: "100"}); err != nil {
		t.Errorf("within the tolerance: %v\n%s", err, out)
	}
	// A worse recorded result is moved on.
	musttest.Of(runCheck(t, neededScenario, session.Options{}, checkOptions{Record: file}))(t)
	if out, err := runCheck(t, neededScenario, session.Options{Budget: maximum("100")}, checkOptions{Against: file, Record: file}); err != nil {
		t.Errorf("better: %v\n%s", err, out)
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Errorf("recorded is %s, want %s", after, text)
	}
	bare := strings.NewReplacer(`"labels": {"0": 3, "1": 1}, "answers": ["Long answer!"],`, "").Replace(neededScenario)
	musttest.Says(t, musttest.Refusal(runCheck(t, bare, session.Options{}, checkOptions{Against: file})), "4 of 5 checks could not be decided", "without labels")
}

func TestRatchetRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "base.json")
	for text, want := range map[string]string{
		`{`: "not what --record writes",
		`{"schema": "x", "figures": {"recall": 1}}`:                                 "its schema is",
		`{"schema": "cupelscope/base/1", "figures": {}}`:                            "no figures",
		`{"schema": "cupelscope/base/1", "figures": {"fame": 1}}`:                   `the figure "fame" is 1`,
		`{"schema": "cupelscope/base/1", "figures": {"recall": 1.5}}`:               "shares from 0 to 1",
		`{"schema": "cupelscope/base/1", "figures": {"recall": 1}, "recall": true}`: "unknown field",
	} {
		musttest.Do(t, os.WriteFile(file, []byte(text), 0o600))
		musttest.Says(t, musttest.Refusal(runCheck(t, neededScenario, session.Options{}, checkOptions{Against: file})), want, text)
	}
}
