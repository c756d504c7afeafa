package export

import (
	"bytes"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestContentsAreByteExact(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "system\r\n", Tokens: 1, Kind: model.SystemPrompt, Pinned: true},
		{Content: "half \xff\xe4 \x1b[31m<b>\u202e\n\n", Tokens: 1, FutureRelevanceHint: model.Some(.5), Metadata: map[string]any{"role": "assistant"}},
		{Content: "out", Tokens: 500},
		{Content: "result", Tokens: 1, Kind: model.ToolOutput, Source: "a\x1btool", FutureRelevanceHint: model.Some(.4), Metadata: map[string]any{"role": "assistant"}},
	}))(t)
	report, _ := run(t, set, model.BudgetFields{MaxTokens: 10}, model.Throw)
	var got bytes.Buffer
	musttest.Do(t, Contents(&got, report))
	want := ""
	for k, i := range report.Included {
		if k > 0 {
			want += "\n\n"
		}
		want += set.Loaded(int(i)).Content
	}
	musttest.Is(t, len(report.Included), 3)
	musttest.Is(t, got.String(), want)
	got.Reset()
	musttest.Do(t, Headed(&got, report))
	want = "=== 1 of 3  #0 SystemPrompt Chat 1 token ===\nsystem\r\n\n" +
		"=== 2 of 3  #1 Message Chat 1 token ===\n" + set.Loaded(1).Content + "\n" +
		"=== 3 of 3  #3 ToolOutput aool 1 token ===\nresult\n"
	musttest.Is(t, got.String(), want)
}

func TestItemAlone(t *testing.T) {
	var got bytes.Buffer
	musttest.Do(t, Item(&got, sample(t), 4))
	want := "{\n  \"content\": \"store.go\",\n  \"tokens\": 500,\n  \"count\": \"estimated\",\n  \"kind\": \"Document\",\n  \"source\": \"Chat\",\n  \"futureRelevanceHint\": 0.5\n}\n"
	musttest.Is(t, got.String(), want)
}

func TestContentsReturnWriteErrors(t *testing.T) {
	report, _ := run(t, sample(t), sampleBudget, model.Throw)
	for name, err := range map[string]error{
		"contents": Contents(failing{}, report), "headed": Headed(failing{}, report), "chat": musttest.Of(NewChat(t.Context(), report, OpenAI))(t).Write(failing{}), "item": Item(failing{}, report.Items, 0),
	} {
		musttest.Is(t, err, errFull, name)
	}
}
