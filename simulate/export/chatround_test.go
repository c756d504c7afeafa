package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
)

// requests are one of each API, with what a conversation may hold.
var requests = map[string]string{
	"OpenAI": `{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"grep","description":"finds","parameters":{"type":"object"}}}],"messages":[
		{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]},
		{"role":"assistant","content":"I look","tool_calls":[{"id":"c1","type":"function","function":{"name":"grep","arguments":"{\"p\": \"x\"}"}},{"id":"c2","type":"function","function":{"name":"grep","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"c2","content":"second"},{"role":"tool","tool_call_id":"c1","content":"first"},{"role":"assistant","content":"done"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"grep","arguments":"{\"again\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"once more"}]}`,
	"Anthropic": `{"model":"claude-x","system":[{"type":"text","text":"be brief"},{"type":"text","text":"and kind"}],"tools":[{"name":"ls","input_schema":{"type":"object"}}],"messages":[
		{"role":"user","content":[{"type":"document","title":"notes","source":{"type":"text","media_type":"text/plain","data":"a note"}},{"type":"text","text":"look"}]},
		{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"I look"},{"type":"tool_use","id":"t1","name":"ls","input":{"p":[1,2]}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"no such folder"}]},{"type":"text","text":"go on"}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"ls","input":{}}]}]}`,
	"Responses": `{"model":"gpt-5","instructions":"be brief","input":[{"role":"user","content":[{"type":"input_text","text":"look"}]},
		{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"function_call","call_id":"c1","name":"grep","arguments":"{\"p\":\"x\"}"},
		{"type":"function_call_output","call_id":"c1","output":"found"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}]}`,
	"Converse": `{"modelId":"m","system":[{"text":"be brief"}],"toolConfig":{"tools":[{"toolSpec":{"name":"grep","inputSchema":{"json":{"type":"object"}}}}]},"messages":[
		{"role":"user","content":[{"text":"look"}]},{"role":"assistant","content":[{"text":"I look"},{"toolUse":{"toolUseId":"t1","name":"grep","input":{"p":"x"}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"found"}],"status":"success"}}]}]}`,
	"Gemini": `{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[{"role":"user","parts":[{"text":"look"}]},
		{"role":"model","parts":[{"functionCall":{"name":"grep","args":{"p":"x"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"grep","response":{"output":"found"}}}]},{"role":"model","parts":[{"text":"done"}]}]}`,
	"LangChain": `[{"type":"system","content":"be brief"},{"type":"human","content":"look"},{"type":"ai","content":"","tool_calls":[{"name":"grep","args":{"p":"x"},"id":"c1"}]},
		{"type":"tool","content":"found","tool_call_id":"c1"},{"type":"ai","content":"done"}]`,
	"Claude Code": `{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"look"}}` + "\n" +
		`{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","timestamp":"2025-01-01T00:00:01Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"I look"},{"type":"tool_use","id":"t1","name":"Read","input":{"file":"a"}}]}}` + "\n" +
		`{"type":"user","uuid":"3","parentUuid":"2","sessionId":"s","timestamp":"2025-01-01T00:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"the file"}]}}`,
}

// chatItem is what a chat says of an item; the arguments of calls are compared as
// JSON, as their white space means nothing.
func chatItem(it model.Item, failures bool) string {
	content := it.Content
	part, _ := it.Metadata["part"].(string)
	if at := strings.IndexByte(content, '{'); part == "toolCall" && at > 0 {
		var v any
		if json.Unmarshal([]byte(content[at:]), &v) == nil {
			compact, _ := json.Marshal(v)
			content = content[:at] + string(compact)
		}
	}
	failed := failures && it.Metadata["isError"] == true
	return fmt.Sprintf("%s %s %q %v", it.Kind, part, content, failed)
}

// What is exported as a chat opens again as the same items, with the same links,
// but for those that the notes name.
func TestChatsOpenAsTheSameItems(t *testing.T) {
	links, same := 0, 0
	for name, in := range requests {
		for _, vendor := range []Vendor{OpenAI, Anthropic} {
			t.Run(name+" for "+string(vendor), func(t *testing.T) {
				ctx := context.Background()
				l := musttest.Of(itemset.Read(ctx, "f", []byte(in), itemset.Options{}))(t)
				policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
				policy.Deduplicate = false
				report := all(t, l.Set, policy)
				chat := musttest.Of(NewChat(ctx, report, vendor))(t)
				var out bytes.Buffer
				musttest.Do(t, chat.Write(&out))
				named := named(chat)
				again, err := itemset.Read(ctx, "g", out.Bytes(), itemset.Options{})
				if err != nil {
					if len(named) >= l.Set.Len() {
						return // nothing could be said
					}
					t.Fatalf("%v\n%s", err, out.String())
				}
				var want, got []string
				for i := range l.Set.Len() {
					if !named[i] {
						want = append(want, chatItem(l.Set.Item(i), vendor == Anthropic))
					}
				}
				for i := range again.Set.Len() {
					got = append(got, chatItem(again.Set.Item(i), vendor == Anthropic))
				}
				for _, item := range want {
					k := slices.Index(got, item)
					if k < 0 {
						t.Fatalf("%s is not among\n%s\n%s", item, strings.Join(got, "\n"), out.String())
					}
					got = slices.Delete(got, k, k+1)
					same++
				}
				if len(got) > len(named) {
					t.Errorf("there are %d items more, and %d are named:\n%s", len(got), len(named), strings.Join(got, "\n"))
				}
				musttest.Is(t, len(again.Pairs), len(l.Pairs), "calls are linked to results")
				for _, p := range again.Pairs {
					id := again.Set.Item(p.Call).Metadata["callId"]
					if p.Result <= p.Call || id == "" || id != again.Set.Item(p.Result).Metadata["callId"] {
						t.Errorf("pair %v", p)
					}
				}
				links += len(again.Pairs)
			})
		}
	}
	if links < 14 || same < 60 {
		t.Errorf("%d items are the same and %d linked: the samples test little", same, links)
	}
}

// all is a report with every item in.
func all(t *testing.T, set *model.Set, policy model.Policy) *model.Report {
	t.Helper()
	pipe := musttest.Of(pipeline.New(policy))(t)
	ranking := musttest.Of(pipe.Rank(context.Background(), set))(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 10_000_000}))(t)
	report := musttest.Of(ranking.DryRun(b))(t)
	if len(report.Included) != set.Len() {
		t.Fatalf("%d of %d items are in", len(report.Included), set.Len())
	}
	return report
}

// named is the items that the notes name.
func named(chat *Chat) map[int]bool {
	all := map[int]bool{}
	for _, n := range chat.Notes {
		for word := range strings.FieldsSeq(n) {
			var i int
			if _, err := fmt.Sscanf(word, "#%d", &i); err == nil {
				all[i] = true
			}
		}
	}
	return all
}
