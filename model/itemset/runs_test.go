package itemset

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// manyRuns are sources of several runs, one of each format that has them.
var manyRuns = map[string]string{
	"chat": `{"runs": [{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
		{"messages": [{"role": "user", "content": "c", "surprise": "text"}]}, {"messages": []}]}`,
	"requests":  `{"model":"gpt-4o","messages":[{"role":"user","content":"a"}]}` + "\n" + `{"model":"gpt-4","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"b"}]}`,
	"results":   `[{"query": "q", "results": [{"text": "a", "score": 1}, {"text": "b", "score": 2}]}, {"query": "r", "results": [{"text": "c", "score": 3}, {"score": 1}]}, {"query": "s", "results": []}]`,
	"questions": `[{"sample_id":"s","conversation":{"speaker_a":"A","speaker_b":"B","session_1_date_time":"1:56 pm on 8 May, 2023","session_1":[{"speaker":"A","dia_id":"D1:1","text":"hello"},{"speaker":"B","dia_id":"D1:2","text":"good day"}]},"qa":[{"question":"who?","answer":"A","evidence":["D1:1"]},{"question":"what?","answer":"day","evidence":["D1:2","D9:9"]}]}]`,
	"traces":    `[{"id":"t","observations":[{"type":"GENERATION","name":"x","input":{"messages":[{"role":"user","content":"a"}]},"output":"b"},{"type":"SPAN"},{"type":"GENERATION","name":"y","input":[{"role":"user","content":"c"}],"output":"d"}]}]`,
	"aider":     "# aider chat started at 2024-05-01 10:00:00\n\n#### hello\n\nan answer\n\n# aider chat started at 2024-05-02 10:00:00\n\n#### again\n\nanother\n",
}

// Each of the runs is what it is when it is selected, in one pass or in many.
func TestRunsAreThoseThatCanBeSelected(t *testing.T) {
	for name, text := range manyRuns {
		t.Run(name, func(t *testing.T) {
			several := musttest.As[*record.SelectError](t, musttest.Refusal(Read(t.Context(), "f", []byte(text), Options{})))
			number := 0
			for run := range ReadRuns(t.Context(), "f", []byte(text), Options{}) {
				number++
				want, wantErr := Read(t.Context(), "f", []byte(text), Options{Select: number})
				if run.Number != number || fmt.Sprint(run.Err) != fmt.Sprint(wantErr) {
					t.Fatalf("run %d is number %d: %v, and selected: %v", number, run.Number, run.Err, wantErr)
				}
				if want == nil {
					continue
				}
				if got, want := run.Loaded.Set, want.Set; got.Len() != want.Len() || contentHash(got) != contentHash(want) || !reflect.DeepEqual(got.Loaded(got.Len()-1), want.Loaded(want.Len()-1)) {
					t.Errorf("run %d has %d items, and selected %d, or others", number, got.Len(), want.Len())
				}
				run.Loaded.Set, want.Set = nil, nil
				musttest.Is(t, run.Loaded, want, "run", number)
			}
			musttest.Is(t, number, several.Total)
		})
	}
}

func TestLoadRuns(t *testing.T) {
	load := func(ctx context.Context, text string, opts Options) (all []Run) {
		opts.Stdin = strings.NewReader(text)
		for run := range LoadRuns(ctx, "-", opts) {
			all = append(all, run)
		}
		return all
	}
	all := load(t.Context(), manyRuns["results"], Options{})
	if len(all) != 2 || all[0].Number != 1 || all[1].Loaded.Set.Len() != 1 || !strings.Contains(all[1].Loaded.Report.Summary(), "1 result set without a document") {
		t.Errorf("%+v", all)
	}
	if all := load(t.Context(), manyRuns["results"], Options{Select: 2}); len(all) != 1 || all[0].Number != 0 || all[0].Loaded == nil {
		t.Errorf("one was selected: %+v", all)
	}
	if all := load(t.Context(), `[{"role": "user", "content": "a"}]`, Options{}); len(all) != 1 || all[0].Number != 0 || all[0].Loaded == nil {
		t.Errorf("there is one: %+v", all)
	}
	for _, only := range []string{`[{"content": "a", "tokens": 1}]`, `{"items": [{"content": "a"}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}}`} {
		if all := load(t.Context(), only, Options{Select: 1}); len(all) != 1 || all[0].Err != nil {
			t.Errorf("the only one of %s: %+v", only, all)
		}
		if all := load(t.Context(), only, Options{Select: 2}); len(all) != 1 || all[0].Err == nil || all[0].Err.Error() != "- holds 1 case, there is no number 2: leave out --select" {
			t.Errorf("there is no second one in %s: %+v", only, all)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if all := load(ctx, manyRuns["results"], Options{}); len(all) != 1 || !errors.Is(all[0].Err, context.Canceled) {
		t.Errorf("cancelled: %+v", all)
	}
	for run := range LoadRuns(t.Context(), "-", Options{Stdin: strings.NewReader(manyRuns["results"])}) {
		musttest.Is(t, run.Number, 1, "it goes on")
		break
	}
}
