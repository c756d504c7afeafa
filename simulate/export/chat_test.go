package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func chatOf(t *testing.T, v Vendor, items ...model.Item) (string, *Chat) {
	t.Helper()
	for i := range items {
		items[i].Tokens = 1
		items[i].FutureRelevanceHint = model.Some(1 - float64(i)/100)
	}
	set := musttest.Of(model.NewSet(items))(t)
	report, _ := run(t, set, model.BudgetFields{MaxTokens: 100}, model.Throw)
	report.Included = report.Included[:0]
	for i := range items { // placed as they are given
		report.Included = append(report.Included, int32(i))
	}
	chat := musttest.Of(NewChat(t.Context(), report, v))(t)
	var got, compact bytes.Buffer
	musttest.Do(t, chat.Write(&got))
	musttest.Do(t, json.Compact(&compact, got.Bytes()))
	return compact.String(), chat
}

func said(role, part, id, tool, content string) model.Item {
	it := model.Item{Content: content, Metadata: map[string]any{"role": role}}
	for key, value := range map[string]string{"part": part, "callId": id, "tool": tool} {
		if value != "" {
			it.Metadata[key] = value
		}
	}
	if part == "toolResult" {
		it.Kind = model.ToolOutput
	}
	return it
}

func TestChatOrdersCallsAndResultsAsAPIsAcceptThem(t *testing.T) {
	items := []model.Item{
		{Content: "be brief", Kind: model.SystemPrompt},
		said("tool", "toolResult", "t2", "ls", "a.go"), // placed before its call
		said("user", "", "", "", "look"),
		said("assistant", "toolCall", "t1", "grep", `grep {"p":"x"}`),
		said("assistant", "toolCall", "t2", "ls", `ls {}`),
		said("tool", "toolResult", "t1", "grep", "found"),
		said("assistant", "toolCall", "t3", "rm", `rm {}`),
		said("tool", "toolResult", "gone", "cat", "text"),
	}
	// The result of t2 stands before its call and belongs to none.
	got, chat := chatOf(t, OpenAI, items...)
	want := `{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a.go"},{"role":"user","content":"look"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"grep","arguments":"{\"p\":\"x\"}"}}]},` +
		`{"role":"tool","content":"found","tool_call_id":"t1"},{"role":"assistant","content":"ls {}"},{"role":"assistant","content":"rm {}"},{"role":"user","content":"text"}]}`
	musttest.Is(t, got, want, "OpenAI")
	notes := []string{"results without their call become text of the user: #1 #7", "calls without their result become text: #4 #6"}
	musttest.Is(t, chat.Notes, notes, "notes")
	got, _ = chatOf(t, Anthropic, items...)
	want = `{"system":[{"type":"text","text":"be brief"}],"messages":[{"role":"user","content":[{"type":"text","text":"a.go"}]},{"role":"user","content":[{"type":"text","text":"look"}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"grep","input":{"p":"x"}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"found"}]},` +
		`{"role":"assistant","content":[{"type":"text","text":"ls {}"}]},{"role":"assistant","content":[{"type":"text","text":"rm {}"}]},{"role":"user","content":[{"type":"text","text":"text"}]}]}`
	musttest.Is(t, got, want, "Anthropic")
}

func TestChatMakesIDsAndNamesWhatItCannotSay(t *testing.T) {
	failed := said("tool", "toolResult", "a b", "do it", "no")
	failed.Metadata["isError"] = true
	items := []model.Item{
		said("assistant", "thinking", "", "", "hm"),
		said("assistant", "toolCall", "a b", "do it", "do it now"),
		failed,
		{Content: "a memory", Kind: model.Memory},
		said("", "toolDefinition", "", "web", `{"type":"web_search"}`),
		{Content: "half \xff \x1b[31m"},
	}
	got, chat := chatOf(t, OpenAI, items...)
	for _, want := range []string{`"id":"call_1"`, `"tool_call_id":"call_1"`, `"name":"do_it","arguments":"now"`, `"half \ufffd \u001b[31m"`} {
		if !strings.Contains(got, want) && !strings.Contains(got, strings.ReplaceAll(want, `\ufffd`, "\ufffd")) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	text := chat.NotesText()
	for _, want := range []string{"thinking", "#0", "an error", "#2", "as Memory: #3", "its own vendor", "names of tools"} {
		musttest.Says(t, text, want)
	}
	got, chat = chatOf(t, Anthropic, items...)
	for _, want := range []string{`"input":{"input":"now"}`, `"is_error":true`} {
		musttest.Says(t, got, want)
	}
	if text = chat.NotesText(); strings.Contains(text, "an error") || !strings.Contains(text, "not a JSON object") || !strings.Contains(text, "speaks first") {
		t.Error(text)
	}
	if _, chat = chatOf(t, OpenAI, said("user", "", "", "", "hi")); chat.NotesText() != "" {
		t.Errorf("notes on a text: %q", chat.Notes)
	}
}
