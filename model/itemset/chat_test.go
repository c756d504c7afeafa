package itemset

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// checkLines compares the beginnings of the lines of an outline.
func checkLines(t *testing.T, l *Loaded, want []string) {
	t.Helper()
	lines := strings.Split(outline(l), "\n")
	if len(lines) != len(want) {
		t.Fatalf("items\n%s", strings.Join(lines, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d is %q, want %q", i, lines[i], want[i])
		}
	}
}

func TestAnthropic(t *testing.T) {
	l := mustRead(t, `{"model":"claude-x","max_tokens":9,"system":[{"type":"text","text":"be brief"},{"type":"text","text":"and kind"}],
		"tools":[{"name":"read","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}],"messages":[
		{"role":"user","content":[{"type":"text","text":"look"},{"type":"document","title":"a guide","source":{"type":"text","media_type":"text/plain","data":"chapter one"}},
			{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAAAAAA"}},
			{"type":"search_result","source":"https://x","title":"found","content":[{"type":"text","text":"a page"}]},
			{"type":"image","source":{"type":"url","url":"https://x/y.png"}}]},
		{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"AAAA"},{"type":"text","text":"I read"},
			{"type":"tool_use","id":"t1","name":"read","input":{"path": "a"}},{"type":"tool_use","id":"t2","name":"read","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":{"rows":2}},{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no such file"},
			{"type":"text","text":"go on"}]},
		{"role":"assistant","content":[{"type":"server_tool_use","id":"w","name":"web_search","input":{"query":"q"}},
			{"type":"web_search_tool_result","tool_use_id":"w","content":[{"type":"web_search_result","url":"https://z","title":"Z","encrypted_content":"AAAA"}]},{"type":"text","text":"done"}]}]}`, Options{})
	want := []string{
		`SystemPrompt!/toolDefinition: {"name":"read"`, `SystemPrompt!/toolDefinition: {"type":"web_search_20250305"`, "SystemPrompt!: be brief", "and kind",
		"Message: look", "Document/document: chapter one", "Message/opaque: [document application/pdf", "Document/document: a page", "Message/opaque: [image",
		"Message/thinking: hm", "Message/opaque: [thinking encrypted", "Message: I read", `Message/toolCall: read {"path":"a"}`, "Message/toolCall: read {}",
		`ToolOutput/toolResult: {"rows":2}`, "ToolOutput/toolResult: no such file", "Message: go on", `Message/toolCall: web_search {"query":"q"}`, "ToolOutput/toolResult: Z", "https://z", "ToolOutput/opaque: [page encrypted", "Message: done",
	}
	checkLines(t, l, want)
	if l.Format != "anthropic" || l.Model != "claude-x" || l.MissingSystemPrompt || !reflect.DeepEqual(l.Pairs, []model.Pair{{Call: 12, Result: 13}, {Call: 11, Result: 14}, {Call: 16, Result: 17}}) {
		t.Errorf("format %s, model %q, pairs %v", l.Format, l.Model, l.Pairs)
	}
	if it := l.Set.Item(14); it.Metadata["isError"] != true || it.Metadata["tool"] != "read" {
		t.Errorf("result %+v", it.Metadata)
	}
	if it := l.Set.Item(4); it.Source != model.Rag || it.Metadata["title"] != "a guide" {
		t.Errorf("document %+v", it)
	}
}

// The two providers' requests are told apart by what only one of them has.
func TestAnthropicOrOpenAI(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Format
	}{
		{"system as a field", `{"system":"s","messages":[{"role":"user","content":"x"}]}`, "anthropic"},
		{"an input schema", `{"tools":[{"name":"a","input_schema":{}}],"messages":[{"role":"user","content":"x"}]}`, "anthropic"},
		{"a model", `{"model":"claude-1","messages":[{"role":"user","content":"x"}]}`, "anthropic"},
		{"bare messages with blocks", `[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}]`, "anthropic"},
		{"the first message has one", `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}]`, "anthropic"},
		{"blocks within a request", `{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"}]}]}`, "anthropic"},
		{"an answer", `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{}}`, "anthropic"},
		{"a line of a batch", `{"custom_id":"1","params":{"system":"s","messages":[{"role":"user","content":"x"}]}}`, "anthropic"},
		{"a batch's answers", `{"custom_id":"1","result":{"type":"succeeded","message":{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}}}`, "anthropic"},
		{"neither", `{"messages":[{"role":"user","content":"x"}]}`, OpenAI},
		{"a message of the Responses API", `{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}`, OpenAI},
		{"a tool call to a model of Anthropic", `{"model":"claude-1","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"y"}]}`, OpenAI},
		{"a system message to a model of Anthropic", `{"model":"claude-1","messages":[{"role":"system","content":"s"},{"role":"user","content":"x"}]}`, OpenAI},
		{"functions", `{"tools":[{"type":"function","function":{"name":"a"}}],"messages":[{"role":"user","content":"x"}]}`, OpenAI},
	} {
		l := mustRead(t, c.in, Options{})
		if l.Format != c.want || !strings.Contains(outline(l), "x") && l.Set.Len() == 0 {
			t.Errorf("%s: %s, want %s", c.name, l.Format, c.want)
		}
		for _, f := range []Format{OpenAI, "anthropic"} {
			musttest.Is(t, outline(mustRead(t, c.in, Options{Format: f})), outline(l), c.name, "as", f)
		}
	}
}

func TestResponses(t *testing.T) {
	l := mustRead(t, `{"model":"gpt-5","instructions":"be good","tools":[{"type":"function","name":"get","parameters":{}},{"type":"web_search"}],"input":[
		{"role":"user","content":[{"type":"input_text","text":"hi"},{"type":"input_file","file_data":"AAAA","filename":"a.pdf"}]},
		{"type":"reasoning","id":"r","summary":[],"encrypted_content":"AAAA"},
		{"type":"function_call","call_id":"c","name":"get","arguments":"{\"a\":1}"},
		{"type":"function_call_output","call_id":"c","output":"12"},
		{"type":"mcp_call","id":"m","name":"find","server_label":"s","arguments":"{}","output":"found"},
		{"type":"code_interpreter_call","id":"i","code":"1+1","outputs":[{"type":"logs","logs":"2"}]},
		{"type":"image_generation_call","id":"g","status":"completed","result":"AAAA"},
		{"type":"item_reference","id":"x"},{"type":"novelty"},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"},{"type":"refusal","refusal":"no more"}]}],
		"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"the last word"}]}],"usage":{"input_tokens":50,"output_tokens":3}}`, Options{})
	want := []string{
		"SystemPrompt!/toolDefinition: ", "SystemPrompt!/toolDefinition: ", "SystemPrompt!: be good", "Message: hi", "Message/opaque: [file", "Message/opaque: [thinking encrypted",
		`Message/toolCall: get {"a":1}`, "ToolOutput/toolResult: 12", "Message/toolCall: find {}", "ToolOutput/toolResult: found",
		"Message/toolCall: code_interpreter 1+1", "ToolOutput/toolResult: 2", "Message/toolCall: image_generation {}", "ToolOutput/toolResult: [image",
		"Message: done", "no more", "Message: the last word",
	}
	checkLines(t, l, want)
	if l.Format != OpenAI || len(l.Pairs) != 4 || l.Set.Item(1).Metadata["tool"] != "web_search" || l.Usage.Context != 53 {
		t.Errorf("format %s, pairs %v, %v, usage %+v", l.Format, l.Pairs, l.Set.Item(1).Metadata, l.Usage)
	}
}

func TestTrajectories(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		sel, pairs     int
	}{
		{"steps of an agent with its history", `{"environment":"e","trajectory":[{"action":"ls","observation":"x","response":"r"}],"info":{},"history":[
			{"role":"system","content":"s","agent":"main"},{"role":"assistant","content":"I list","thought":"I list","action":"ls","tool_calls":[{"id":"c","type":"function","function":{"name":"bash","arguments":"{}"}}]},
			{"role":"tool","content":[{"type":"text","text":"a.go"}],"tool_call_ids":["c"]}]}`,
			"SystemPrompt!: s\nMessage: I list\nMessage/toolCall: bash {}\nToolOutput/toolResult: a.go", 0, 1},
		{"steps alone", `{"trajectory":[{"action":"ls","observation":"a.go","response":"I list","thought":"x"},{"action":"cat","observation":"","thought":"I read"}]}`,
			"Message: I list\nToolOutput/toolResult: a.go\nMessage: I read\nMessage/toolCall: cat", 0, 0},
		{"messages with a log beside them", `{"info":{},"trajectory_format":"mini-swe-agent-1","messages":[{"role":"user","content":"fix","extra":{"timestamp":1757000000.5}},
			{"role":"assistant","content":"ok","extra":{"response":{"usage":{"prompt_tokens":9,"completion_tokens":2}}}}]}`, "Message: fix\nMessage: ok", 0, 0},
		{"answers of the Responses API as messages", `{"messages":[{"role":"user","content":"fix"},{"object":"response","output":[{"type":"function_call","call_id":"c","name":"bash","arguments":"{}"}]},
			{"type":"function_call_output","call_id":"c","output":"a.go"}]}`, "Message: fix\nMessage/toolCall: bash {}\nToolOutput/toolResult: a.go", 0, 1},
		{"samples of an evaluation", `{"version":2,"eval":{"model":"m"},"samples":[{"id":1,"messages":[]},{"id":"two","messages":[{"role":"user","content":"attachment://ab"},
			{"role":"assistant","content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"I run"}],"tool_calls":[{"id":"c","function":"bash","arguments":{"cmd": "ls"},"type":"function"}]},
			{"role":"tool","content":"","tool_call_id":"c","function":"bash","error":{"type":"timeout","message":"slow"}}],"attachments":{"ab":"a long text"}}]}`,
			"Message: a long text\nMessage/thinking: hm\nMessage: I run\nMessage/toolCall: bash {\"cmd\":\"ls\"}", 2, 0},
		{"turns", `{"conversations":[{"from":"system","value":"s"},{"from":"human","value":"hi"},{"from":"gpt","value":"yes"},{"from":"function_call","value":"{\"name\":\"f\"}"},{"from":"observation","value":"42"}]}`,
			"SystemPrompt!: s\nMessage: hi\nMessage: yes\nMessage/toolCall: {\"name\":\"f\"}\nToolOutput/toolResult: 42", 0, 1},
		{"calls of the old form", `[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"42"},{"role":"function","name":"g","content":"43"}]`,
			"Message/toolCall: f {}\nToolOutput/toolResult: 42\nToolOutput/toolResult: 43", 0, 1},
		{"runs in a list", `[{"task_id":0,"traj":[{"role":"user","content":"no"}]},{"task_id":1,"traj":[{"role":"user","content":"yes"}],"reward":1}]`, "Message: yes", 2, 0},
		{"thinking in pieces", `[{"role":"assistant","content":"a","reasoning_details":[{"type":"reasoning.text","text":"hm"},{"type":"reasoning.encrypted","data":""}]}]`, "Message/thinking: hm\nMessage: a", 0, 0},
		{"sound with a transcript", `[{"role":"assistant","content":null,"audio":{"id":"a","transcript":"hello"}}]`, "Message: hello", 0, 0},
	} {
		l := mustRead(t, c.in, Options{Select: c.sel})
		if got := outline(l); got != c.want || len(l.Pairs) != c.pairs || l.Format != OpenAI {
			t.Errorf("%s: %s, pairs %v\n%s\nwant\n%s", c.name, l.Format, l.Pairs, got, c.want)
		}
	}
}

// Where there are many runs, the error names the first of them.
func TestRunsError(t *testing.T) {
	line := `{"custom_id":"req-1","body":{"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]}}`
	_, err := Read(context.Background(), "batch.jsonl", []byte(strings.Repeat(line+"\n", 9)), Options{})
	if re, ok := errors.AsType[*record.SelectError](err); !ok || re.Total != 9 || len(re.First) != 5 {
		t.Fatalf("%v", err)
	}
	const want = `batch.jsonl holds 9 runs: choose one with --select N, from 1 to 9 (1: custom_id "req-1", 2 messages; 2: `
	if !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "; and 4 more, which runs FILE lists)") {
		t.Errorf("%v", err)
	}
	l := mustRead(t, strings.Repeat(line+"\n", 9), Options{Select: 9})
	musttest.Says(t, l.Report.Summary(), "run 9 of 9 was selected")
	if _, err := Read(context.Background(), "f", []byte(line), Options{Select: 2}); err == nil || err.Error() != "f holds 1 run, there is no number 2: leave out --select" {
		t.Errorf("%v", err)
	}
}

// A message of nothing but a role and a text, which is read the short way, is what the
// same message is with a member that holds no content.
func TestPlainMessagesAreLikeOthers(t *testing.T) {
	const called = `{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"user","arguments":"{}"}}]}`
	texts := []string{`"a"`, `""`, `"a\n\"b\"\\ \u4e2d\ud83d\ude00 c\ud800d"`, `"attachment://n"`, `"` + strings.Repeat("QUJD123x", 600) + `"`, `null`, `3`, `["a"]`}
	for _, head := range []string{"", called} {
		var long, short []string
		if head != "" {
			long, short = append(long, head), append(short, head)
		}
		for _, role := range []string{"user", "assistant", "system", "developer", "tool", "human", "odd", ""} {
			for i, text := range texts {
				plain := fmt.Sprintf(`{"role":%q,"content":%s`, role, text)
				if i%2 == 1 {
					plain = fmt.Sprintf(`{"content":%s,"role":%q`, text, role)
				}
				short, long = append(short, plain+"}"), append(long, plain+`,"index":0}`)
			}
		}
		for _, form := range []struct{ head, between, foot string }{{"", "\n", ""}, {"[", ",", "]"}, {`{"attachments":{"n":"attached"},"messages":[`, ",", "]}"}, {"[", ",", `,{"role":"user","content":"\q"}]`}} {
			read := func(all []string) *Loaded {
				return mustRead(t, form.head+strings.Join(all, form.between)+form.foot, Options{Format: OpenAI})
			}
			got, want := read(short), read(long)
			same := got.Set.Len() > 0 && got.Set.Len() == want.Set.Len()
			for i := 0; same && i < got.Set.Len(); i++ {
				same = reflect.DeepEqual(got.Set.Loaded(i), want.Set.Loaded(i))
			}
			if !same || fmt.Sprint(got.Report.Lines()) != fmt.Sprint(want.Report.Lines()) {
				t.Errorf("%s: plain messages are\n%s\n%v\nand others\n%s\n%v", form.head, outline(got), got.Report.Lines(), outline(want), want.Report.Lines())
			}
		}
	}
}

// What a wrapper of a message holds is read, and what is not is told once.
func TestWrappersOfMessages(t *testing.T) {
	l := mustRead(t, `{"conversations":[{"responses":[{"response":{"message":"look","sender":"human","note":"unread","create_time":{"$date":{"$numberLong":"1757000000000"}}}}]}]}`, Options{})
	if at := l.Set.Item(0).Timestamp; !at.Set || at.Value.Year() != 2025 || l.SyntheticTimestamps {
		t.Errorf("the time is %v", at)
	}
	if told := l.Report.Summary(); strings.Count(told, "note") != 1 || !strings.Contains(told, "message.response.note") {
		t.Errorf("told %s", told)
	}
}
