package command

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// reportOfCupel is a result as the Rust crate writes it, of which the items of the
// result are numbered as they stand there.
func reportOfCupel(t *testing.T, r *model.Report) (text string, order []int32) {
	t.Helper()
	entries := func(items []int32) string {
		var all []string
		for _, i := range items {
			var reason any = r.Codes[i].String()
			switch of := r.Reason(int(i)); of.Code {
			case model.BudgetExceeded:
				reason = map[string]any{"BudgetExceeded": map[string]any{"item_tokens": of.Tokens, "available_tokens": of.Available}}
			case model.Deduplicated:
				reason = map[string]any{"Deduplicated": map[string]any{"deduplicated_against": r.Items.Loaded(of.By).Content}}
			}
			it := r.Items.Loaded(int(i))
			text := musttest.Of(json.Marshal(map[string]any{"item": map[string]any{"content": it.Content, "tokens": it.Tokens, "kind": it.Kind}, "score": r.Scores[i], "reason": reason}))(t)
			all = append(all, string(text))
		}
		return strings.Join(all, ",")
	}
	return fmt.Sprintf(`{"events":[],"included":[%s],"excluded":[%s],"total_candidates":%d,"total_tokens_considered":%d}`,
		entries(r.Included), entries(r.Excluded), r.Items.Len(), r.Considered), slices.Concat(r.Included, r.Excluded)
}

const byHint = `{"scorers":[{"type":"reflexive","weight":1}]}`

// A dry run over a report gives what is recorded in it where policy and budget are
// those of the run; at another budget the difference is that of two dry runs.
func TestRecordedAgainstDryRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	dir := t.TempDir()
	policy, path := filepath.Join(dir, "policy.json"), filepath.Join(dir, "report.json")
	musttest.Do(t, os.WriteFile(policy, []byte(byHint), 0o600))
	p := musttest.Of(model.ParsePolicy([]byte(byHint)))(t)
	pipe := musttest.Of(pipeline.New(p))(t)
	for range 20 {
		items := make([]model.Item, 12)
		for i := range items {
			items[i] = model.Item{Content: fmt.Sprint("text ", i/2*2+rng.IntN(2)), Tokens: model.Tokens(1 + rng.IntN(30)), Kind: model.Document, FutureRelevanceHint: model.Some(float64(i+1) / 16)}
		}
		set := musttest.Of(model.NewSet(items))(t)
		ranking := musttest.Of(pipe.Rank(context.Background(), set))(t)
		run := func(tokens model.Tokens) *model.Report {
			b := musttest.Of(model.BudgetOf(tokens))(t)
			return musttest.Of(ranking.DryRun(b))(t)
		}
		at := model.Tokens(40 + rng.IntN(60))
		for _, now := range []model.Tokens{at, at / 2} {
			was, is := run(at), run(now)
			text, order := reportOfCupel(t, was)
			musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
			o := session.Options{Sources: []string{path}, Policy: policy, Budget: maximum(fmt.Sprint(int(now)))}
			out := printed(t, writeReport, "", o, reportOptions{answerOptions: inJSON})
			type entry struct {
				Index    int
				Reason   string
				Recorded struct {
					Reason, Why string
					Score       float64
				}
			}
			answer := musttest.JSON[struct{ Included, Excluded []entry }](t, out)
			for _, e := range slices.Concat(answer.Included, answer.Excluded) {
				i := int(order[e.Index])
				musttest.Is(t, e.Recorded.Reason, was.Codes[i].String(), "item", e.Index, "recorded", e.Recorded, was.Codes[i])
				musttest.Is(t, e.Recorded.Score, was.Scores[i], "item", e.Index, "recorded", e.Recorded, was.Codes[i])
				if of := was.Reason(i); of.Code == model.BudgetExceeded && e.Recorded.Why == "over budget" {
					t.Errorf("item %d: the numbers of %+v are lost", e.Index, of)
				}
			}
			out = printed(t, compare, "", o, compareOptions{A: "own", B: "Recorded", answerOptions: inJSON})
			compared := musttest.JSON[struct {
				A, B  string
				Items []struct {
					Only  string
					Index int
					Why   string
				}
				Budgets []struct {
					BelowBestA, BelowBestB *float64
					ValueA, ValueB         float64
				}
			}](t, out)
			var got [2][]int32
			for _, item := range compared.Items {
				side := strings.Index("AB", item.Only)
				got[side] = append(got[side], order[item.Index])
				if item.Why == "" {
					t.Errorf("nothing says why %+v is not in the other", item)
				}
			}
			slices.Sort(got[0])
			slices.Sort(got[1])
			in, gone := simulate.Diff(was, is)
			if !slices.Equal(got[0], in) || !slices.Equal(got[1], gone) || compared.B != "as recorded" {
				t.Errorf("%s differs by %v, want %v and %v", compared.B, got, in, gone)
			}
			if b := compared.Budgets[0]; b.BelowBestB != nil || b.ValueB < was.Value-1e-9 || b.ValueB > was.Value+1e-9 {
				t.Errorf("what is recorded is worth %v, want %v, and %v below the best", b.ValueB, was.Value, b.BelowBestB)
			}
		}
	}
}

func TestRecordedIsSaidToBeOfOneRun(t *testing.T) {
	dir := t.TempDir()
	path, other, policy := filepath.Join(dir, "report.json"), filepath.Join(dir, "other.json"), filepath.Join(dir, "policy.json")
	report := `{"events":[],"included":[{"item":{"content":"a","tokens":3},"score":0.75,"reason":"scored"}],"excluded":[{"item":{"content":"b","tokens":9},"score":0.5,"reason":"budgetExceeded"}],"totalCandidates":2}`
	for name, text := range map[string]string{path: report, other: report, policy: byHint} {
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	out := printed(t, compare, "", session.Options{Sources: []string{path, other}, Budget: maximum("10")}, compareOptions{A: "own", B: "recorded"})
	musttest.Says(t, out, "the budget of the recorded run is not known")
	if out := printed(t, writeReport, "", session.Options{Sources: []string{path}, Budget: maximum("5"), Policy: policy}, reportOptions{}); !strings.Contains(out, "over budget") || !strings.Contains(out, "as recorded: the same 1 item in") {
		t.Error(out)
	}
	out = printed(t, writeReport, "", session.Options{Sources: []string{path, other}, Budget: maximum("5")}, reportOptions{})
	musttest.Says(t, out, "note: the recorded result is of 2 items, there are 4: open one report alone")
}
