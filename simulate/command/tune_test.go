package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// labelledFile has n cases in so many groups: a long item with the best score is
// needed, and short ones are denser. With alike, all items are of one size, so that
// nothing is to be gained.
func labelledFile(t *testing.T, n, groups int, alike bool) string {
	t.Helper()
	var b strings.Builder
	for k := range n {
		long, short := 21+k%9, 10
		if alike {
			long = short
		}
		fmt.Fprintf(&b, `{"talk": "t%d", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 30}, "items": [`+
			`{"content": "long %[2]d", "tokens": %[3]d, "futureRelevanceHint": 0.9, "relevance": 1}, {"content": "short %[2]d", "tokens": %[4]d, "futureRelevanceHint": 0.5}, `+
			`{"content": "other %[2]d", "tokens": %[4]d, "futureRelevanceHint": 0.45}]}`+"\n", k%groups, k, long, short)
	}
	return musttest.File(t, "labelled.jsonl", b.String())
}

// byTalk are the options of a test: the flags as they are without any.
func byTalk(change func(*tuneOptions)) tuneOptions {
	v := tuneOptions{labelOptions: labelOptions{answerOptions: inJSON, Group: "talk"}, Folds: quality.DefaultFolds, Seed: 1}
	if change != nil {
		change(&v)
	}
	return v
}

type tuneAnswer struct {
	Objective, At, Why                    string
	Recommended, Stopped                  bool
	Cases, Groups, FoldCount, Grid, Tried int
	Policies                              []struct {
		Name, Says         string
		Ours               bool
		HeldOut            float64
		Difference, P, Low *float64
		Policy             json.RawMessage
	}
	Folds []struct{ Chosen, BestForCupel string }
}

func runTune(t *testing.T, source string, v tuneOptions) (tuneAnswer, string, error) {
	t.Helper()
	out, diagnostics, err := ran(tune, "", session.Options{Sources: []string{source}}, v)
	var got tuneAnswer
	if err == nil {
		musttest.Do(t, json.Unmarshal([]byte(out), &got))
	}
	return got, diagnostics, err
}

func TestTuneFindsAndWritesAPolicy(t *testing.T) {
	source, file := labelledFile(t, 40, 10, false), filepath.Join(t.TempDir(), "policy.json")
	got, told, err := runTune(t, source, byTalk(func(v *tuneOptions) { v.Out = file }))
	musttest.Do(t, err)
	if !got.Recommended || got.Stopped || got.Cases != 40 || got.Groups != 10 || got.FoldCount != 5 || len(got.Folds) != 5 || got.At != "own" || got.Objective != "recall" || got.Tried < got.Grid {
		t.Errorf("got %+v", got)
	}
	names := ""
	for _, p := range got.Policies {
		names += p.Name + ","
		if p.Ours == (p.Name == "best for Cupel") {
			t.Logf("%s is %s", p.Name, p.Says)
		}
	}
	if names != "current,best,best for Cupel,rank,"+string(model.Prefix)+"," || got.Policies[0].HeldOut != 0 || got.Policies[1].HeldOut != 1 || *got.Policies[1].Difference != 1 || got.Policies[0].P != nil || got.Policies[2].Ours {
		t.Errorf("policies %+v", got.Policies)
	}
	if !strings.Contains(told, "policies, then at most") || !strings.Contains(told, "40 cases in 10 groups, 5 folds") || !strings.Contains(told, "wrote "+file) {
		t.Errorf("told is %q", told)
	}
	p := musttest.Of(itemset.ReadPolicy(t.Context(), file))(t)
	musttest.Is(t, p.Description, "tuned for recall at own over 40 cases in 10 groups of "+source+"; held out in 5 folds, seed 1: 1, before 0", "the file says")
	var best bytes.Buffer
	musttest.Do(t, json.Compact(&best, got.Policies[1].Policy))
	if text, err := json.Marshal(p); err != nil || best.String() != string(text) {
		t.Errorf("the file has %s, the answer %s", text, &best)
	}
	again, _, err := runTune(t, source, byTalk(func(v *tuneOptions) { v.Jobs = 1 }))
	if err != nil || fmt.Sprintf("%+v", again) == "" || again.Policies[1].Says != got.Policies[1].Says || again.Why != got.Why {
		t.Errorf("on one processor the answer differs: %+v, %v", again, err)
	}
	only, told, err := runTune(t, source, byTalk(func(v *tuneOptions) { v.CupelOnly, v.Out = true, file }))
	if err != nil || only.Policies[1].Ours || strings.Contains(told, "cannot load") {
		t.Errorf("for Cupel alone: %+v, %q, %v", only.Policies, told, err)
	}
}

func TestTuneRecommendsNothingByChance(t *testing.T) {
	got, _, err := runTune(t, labelledFile(t, 32, 8, true), byTalk(func(v *tuneOptions) { v.At = "10" }))
	if err != nil || got.Recommended || !strings.HasPrefix(got.Why, "no change recommended: p is 1.000") {
		t.Errorf("%+v, %v", got, err)
	}
	_, _, err = runTune(t, labelledFile(t, 29, 7, false), byTalk(nil))
	few, ok := errors.AsType[*quality.TooFewError](err)
	if !ok || few.Cases != 29 || few.Groups != 7 {
		t.Errorf("with too few cases: %v", err)
	}
}

// A search that is ended early answers with the best until then.
func TestTuneIsStopped(t *testing.T) {
	source := labelledFile(t, 60, 10, false)
	for when, partly := range map[string]bool{"cases read": false, "round 2: ": true} {
		ctx, stop := context.WithCancel(context.Background())
		var out, told bytes.Buffer
		var seconds atomic.Int64
		s := Streams{Out: &out, Progress: true, Now: func() time.Time { return time.Unix(seconds.Add(1), 0) }}
		s.Err = writerFunc(func(p []byte) (int, error) {
			if strings.Contains(string(p), when) {
				stop()
			}
			return told.Write(p)
		})
		err := tune(ctx, session.Options{Sources: []string{source}}, byTalk(func(v *tuneOptions) { v.Jobs = 1 }), s)
		stop()
		switch {
		case !partly && !errors.Is(err, context.Canceled):
			t.Errorf("stopped at %q: %v", when, err)
		case partly && (!errors.Is(err, context.Canceled) || !strings.Contains(out.String(), `"stopped": true`)):
			t.Errorf("stopped at %q: %v, %s", when, err, &out)
		case partly && !strings.Contains(told.String(), "best so far 100.0 % with greedy, power"):
			t.Errorf("told is %q", &told)
		}
	}
}

// writerFunc adapts a function to an io.Writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
