package itemset

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

func TestOpenAI(t *testing.T) {
	l := mustRead(t, `{"model":"m-1","tools":[{"type":"function","function":{"name":"grep","parameters":{}}}],"messages":[
		{"role":"system","content":"be brief"},
		{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAAAAAAAAAA"}},{"type":"text","text":"here"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"grep","arguments":"{\"p\": 1}"}},
			{"id":"c2","type":"function","function":{"name":"grep","arguments":{"p": 2}}}]},
		{"role":"tool","tool_call_id":"c2","content":"two"},
		{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"one"}]},
		{"role":"assistant","content":""},
		{"role":"assistant","content":"done","refusal":null},
		{"content":"nobody"}, 7]}`, Options{})
	want := `SystemPrompt!/toolDefinition: {"type":"function","function":{"name":"grep","parameters":{}}}
SystemPrompt!: be brief
Message: look
here
Message/opaque: [image image/png, 27 bytes, b2d4b5b8]
Message/toolCall: grep {"p": 1}
Message/toolCall: grep {"p":2}
ToolOutput/toolResult: two
ToolOutput/toolResult: one
Message: done`
	got := outline(l)
	if i := strings.Index(got, "bytes, "); i >= 0 { // the hash is only there to tell payloads apart
		got = got[:i+7] + "b2d4b5b8" + got[i+15:]
	}
	musttest.Is(t, got, want, "items")
	musttest.Is(t, l.Pairs, []model.Pair{{Call: 5, Result: 6}, {Call: 4, Result: 7}}, "pairs")
	if l.Format != OpenAI || !l.Conversation || l.MissingSystemPrompt || !l.SyntheticTimestamps || l.Model != "m-1" {
		t.Errorf("facts %+v", l)
	}
	if l.Set.Count(3) != model.Opaque || l.Set.Count(2) != model.Estimated || len(l.Pending) != 8 {
		t.Errorf("counts %v %v, pending %v", l.Set.Count(3), l.Set.Count(2), l.Pending)
	}
	first, last := l.Set.Item(1).Timestamp.Value, l.Set.Item(8).Timestamp.Value
	musttest.Is(t, last.Sub(first), 6*time.Second, "timestamps", first, "to", last, "a second a message")
	if s := l.Report.Summary(); !strings.Contains(s, "skipped 2 messages: 1 message without a role, 1 record that is a number instead of a message; loaded 9 items; left out 1 message: 1 empty message") {
		t.Errorf("summary %q", s)
	}
}

func TestOpenAIForms(t *testing.T) {
	const m = `{"role":"user","content":"hi"}`
	for _, c := range []struct {
		name, in string
		sel      int
	}{
		{"an array", `[` + m + `]`, 0},
		{"a message a line", m + "\n", 0},
		{"a request", `{"messages":[` + m + `]}`, 0},
		{"a batch line", `{"custom_id":"1","method":"POST","body":{"model":"x","messages":[` + m + `]}}`, 0},
		{"history", `{"history":[` + m + `],"info":{}}`, 0},
		{"traj", `{"traj":[` + m + `]}`, 0},
		{"samples", `{"samples":[{"messages":[{"role":"user","content":"no"}]},{"messages":[` + m + `]}]}`, 2},
		{"requests a line", `{"messages":[{"role":"user","content":"no"}]}` + "\n" + `{"messages":[` + m + `]}`, 2},
		{"an array of conversations", `[[{"role":"user","content":"no"}],[` + m + `]]`, 2},
		{"a broken one", `{"messages":[` + m + `,{"role":`, 0},
		{"runs", `{"runs":[{"id":1,"messages":[{"role":"user","content":"no"}]},{"id":2,"messages":[` + m + `]}]}`, 2},
		{"steps beside a history", `{"trajectory":[{"action":"ls","observation":"a"}],"history":[` + m + `],"info":{}}`, 0},
		{"a response", `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`, 0},
		{"a line of a batch's output", `{"custom_id":"1","response":{"status_code":200,"body":{"choices":[{"message":` + m + `}]}},"error":null}`, 0},
		{"input as text", `{"model":"m","input":"hi"}`, 0},
		{"input as items", `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}],"store":false}`, 0},
		{"output", `{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}]}`, 0},
		{"turns", `{"conversations":[{"from":"human","value":"hi"}]}`, 0},
	} {
		l, err := Read(context.Background(), "f", []byte(c.in), Options{Select: c.sel})
		if err != nil || l.Format != OpenAI || outline(l) != "Message: hi" || !l.MissingSystemPrompt {
			t.Errorf("%s: %v, %+v", c.name, err, l)
		}
	}
	two := `{"messages":[` + m + `]}` + "\n" + `{"messages":[` + m + `]}`
	for sel, want := range map[int]string{
		0: `f holds 2 runs: choose one with --select N, from 1 to 2 (1: "hi", 1 message; 2: "hi", 1 message)`,
		3: `f holds 2 runs, there is no number 3: choose one with --select N, from 1 to 2`,
	} {
		musttest.Says(t, musttest.Refusal(Read(context.Background(), "f", []byte(two), Options{Select: sel})), want, "select", sel)
	}
}

// session is a small session with the traps of real ones.
var session1 = strings.Join([]string{
	`{"type":"summary","summary":"title","leafUuid":"u"}`,
	`{"type":"user","uuid":"a","timestamp":"2024-05-01T10:00:00.000Z","message":{"role":"user","content":"before"}}`,
	`{"type":"system","subtype":"compact_boundary","uuid":"b","timestamp":"2024-05-01T10:00:01Z"}`,
	`{"type":"user","uuid":"c","isCompactSummary":true,"timestamp":"2024-05-01T10:00:02Z","message":{"role":"user","content":"so far"}}`,
	`{"type":"assistant","uuid":"d","timestamp":"2024-05-01T10:00:03Z","message":{"id":"m1","role":"assistant","model":"big","content":[{"type":"thinking","thinking":"hm","signature":"s"}],"usage":{"input_tokens":10,"cache_read_input_tokens":100,"output_tokens":5}}}`,
	`{"type":"assistant","uuid":"e","timestamp":"2024-05-01T10:00:04Z","message":{"id":"m1","role":"assistant","model":"big","content":[{"type":"text","text":"I look"}],"usage":{"input_tokens":10,"cache_read_input_tokens":100,"output_tokens":25}}}`,
	`{"type":"user","uuid":"s","isSidechain":true,"timestamp":"2024-05-01T10:00:04Z","message":{"role":"user","content":"agent"}}`,
	`{"type":"assistant","uuid":"f","timestamp":"2024-05-01T10:00:05Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look"},{"type":"tool_use","id":"t1","name":"Read","input":{"path": "x"}}],"usage":{"input_tokens":10,"cache_read_input_tokens":100,"output_tokens":25}}}`,
	`{"type":"user","uuid":"g","timestamp":"2024-05-01T10:00:06Z","toolUseResult":{"content":"the file"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"the file"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}}`,
	`{"type":"progress","uuid":"h"}`, `{"type":"novelty","uuid":"i"}`, `"a string"`, `{"type":"user","uuid":"j"`,
}, "\n")

func TestClaudeCode(t *testing.T) {
	l := mustRead(t, session1, Options{})
	checkLines(t, l, []string{"Memory: so far", "Message/thinking: hm", "Message: I look", `Message/toolCall: Read {"path":"x"}`, "ToolOutput/toolResult: the file", "ToolOutput/opaque: [image"})
	if !reflect.DeepEqual(l.Pairs, []model.Pair{{Call: 3, Result: 4}}) || l.Model != "big" || !l.MissingSystemPrompt || l.SyntheticTimestamps {
		t.Errorf("pairs %v, model %q", l.Pairs, l.Model)
	}
	musttest.Is(t, l.Usage, (record.Usage{Messages: 1, Output: 25, Context: 135}), "usage")
	if it := l.Set.Item(4); it.Metadata["isError"] != true || it.Metadata["tool"] != "Read" || it.Source != model.Tool {
		t.Errorf("result %+v", it)
	}
	if got := l.Report.Summary(); !strings.HasPrefix(got, `damaged: last line ends early (line 13); skipped 2 lines: 1 row of unknown type "novelty", 1 record that is a string instead of a row; loaded 6 items; left out 5 lines`) {
		t.Errorf("summary %q", got)
	}
}

func TestClaudeCodeOptions(t *testing.T) {
	full := outline(mustRead(t, session1, Options{Full: true}))
	if !strings.HasPrefix(full, "Message: before\nMemory: so far") || strings.Contains(full, "agent") {
		t.Errorf("full: %s", full)
	}
	musttest.Says(t, outline(mustRead(t, session1, Options{Sidechains: true})), "Message: agent", "sidechains")
}

// Content within content ends somewhere, and costs no more than its size.
func TestNestedContent(t *testing.T) {
	const levels = 2000
	in := `{"messages":[{"role":"user","content":` + strings.Repeat(`[{"type":"tool_result","content":`, levels) + `"x"` + strings.Repeat(`}]`, levels) + `}]}`
	l := mustRead(t, in, Options{})
	if l.Set.Len() != 1 || l.Set.Count(0) != model.Opaque || !strings.Contains(l.Report.Summary(), "nested too deep") {
		t.Errorf("%q, %s", outline(l), l.Report.Summary())
	}
}

// No text depends on the order in which a writer puts the keys of a message.
func TestOpenAIKeyOrderLosesNothing(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"refusal before null", `{"role":"assistant","refusal":"I cannot","content":null}`, "Message: I cannot"},
		{"refusal after null", `{"role":"assistant","content":null,"refusal":"I cannot"}`, "Message: I cannot"},
		{"refusal alone", `{"role":"assistant","refusal":"I cannot"}`, "Message: I cannot"},
		{"refusal beside an empty text", `{"role":"assistant","refusal":"I cannot","content":""}`, "Message: I cannot"},
		{"content, refusal null", `{"refusal":null,"role":"assistant","content":"yes"}`, "Message: yes"},
		{"thinking before null", `{"role":"assistant","reasoning":"x","reasoning_content":null,"content":"y"}`, "Message/thinking: x\nMessage: y"},
		{"thinking after an empty text", `{"role":"assistant","thought":"","reasoning":"x","content":"y"}`, "Message/thinking: x\nMessage: y"},
	} {
		musttest.Is(t, outline(mustRead(t, "["+c.in+"]", Options{Format: OpenAI})), c.want, c.name)
	}
}

// Only what an earlier row of the same message has is a repetition, and it is counted.
func TestClaudeCodeRepeatedBlocks(t *testing.T) {
	row := func(id, typ string, texts ...string) string {
		var blocks []string
		for _, s := range texts {
			blocks = append(blocks, `{"type":"thinking","thinking":"`+s+`"}`)
		}
		return `{"type":"` + typ + `","uuid":"u","message":{"id":"` + id + `","role":"` + typ + `","content":[` + strings.Join(blocks, ",") + `]}}`
	}
	const counted = "blocks that repeat one of an earlier row of their message, left out"
	for _, c := range []struct {
		name    string
		rows    []string
		want    string
		dropped int
	}{
		{"twice in a row without an id", []string{row("", "user", "a", "a")}, "a a", 0},
		{"twice in the first row", []string{row("m", "assistant", "a", "b", "a")}, "a b a", 0},
		{"twice in a later row", []string{row("m", "assistant", "a"), row("m", "assistant", "b", "b")}, "a b b", 0},
		{"a row repeated", []string{row("m", "assistant", "a", "a"), row("m", "assistant", "a", "a")}, "a a", 2},
		{"a row that grows", []string{row("m", "assistant", "a"), row("m", "assistant", "a", "b"), row("m", "assistant", "a", "b", "b")}, "a b b", 3},
		{"another message", []string{row("m", "assistant", "a"), row("n", "assistant", "a")}, "a a", 0},
	} {
		l := mustRead(t, strings.Join(c.rows, "\n"), Options{Format: ClaudeCode})
		musttest.Is(t, strings.ReplaceAll(strings.ReplaceAll(outline(l), "Message/thinking: ", ""), "\n", " "), c.want, c.name)
		dropped := 0
		for _, e := range l.Report.Entries {
			if e.Outcome == Changed && e.Reason == counted {
				dropped = e.Count
			}
		}
		musttest.Is(t, dropped, c.dropped, c.name)
	}
}

// Items that were a conversation once are still linked, whatever holds them now.
func TestPairsOfItems(t *testing.T) {
	const call = `{"content":"grep {}","metadata":{"part":"toolCall","callId":"c","tool":"grep"}}`
	const result = `{"content":"none","kind":"ToolOutput","metadata":{"part":"toolResult","callId":"c"}}`
	const experiment = `{"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":9},"items":[`
	for _, c := range []struct {
		name, in string
		want     []model.Pair
	}{
		{"items", "[" + call + "," + result + "]", []model.Pair{{Call: 0, Result: 1}}},
		{"items a line", call + "\n" + result, []model.Pair{{Call: 0, Result: 1}}},
		{"a scenario", experiment + `{"content":"hi"},` + call + "," + result + `]}`, []model.Pair{{Call: 1, Result: 2}}},
		{"a result before its call", "[" + result + "," + call + "]", nil},
		{"a second result", "[" + call + "," + result + "," + result + "]", []model.Pair{{Call: 0, Result: 1}}},
	} {
		l := mustRead(t, c.in, Options{})
		musttest.Is(t, l.Pairs, c.want, c.name, "pairs")
		for i := range l.Set.Len() {
			if it := l.Set.Item(i); it.Metadata["part"] == "toolResult" && it.Metadata["tool"] != nil {
				t.Errorf("%s: item %d has got the tool %v, which its file does not name", c.name, i, it.Metadata["tool"])
			}
		}
	}
	dir := t.TempDir()
	var paths []string
	for name, text := range map[string]string{"1.json": "[" + call + "]", "2.json": "[" + result + "]"} {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
		paths = append(paths, path)
	}
	slices.Sort(paths)
	l, err := Load(context.Background(), paths, Options{})
	if err != nil || len(l.Pairs) != 0 {
		t.Errorf("an id in two sources: %v, %v, want no pair", l.Pairs, err)
	}
}

// What stands before a conversation that has times is as old as its first
// message, neither without a time nor of a made-up one.
func TestUndatedSystemAndTools(t *testing.T) {
	const request = `{"system":"be brief","tools":[{"name":"grep"}],"messages":[
		{"role":"developer","content":"be kind"},
		{"role":"user","content":"hi"},
		{"role":"user","content":"look","timestamp":"1999-05-01T10:00:00Z"},
		{"role":"system","content":"late","timestamp":"1999-05-01T11:00:00Z"}]}`
	l := mustRead(t, request, Options{})
	want := []string{"1999-05-01T10:00:00Z", "1999-05-01T10:00:00Z", "1999-05-01T10:00:00Z", "", "1999-05-01T10:00:00Z", "1999-05-01T11:00:00Z"}
	for i := range want {
		at := l.Set.Item(i).Timestamp
		if at.Set != (want[i] != "") || at.Set && at.Value.Format(time.RFC3339) != want[i] {
			t.Errorf("item %d %q is dated %v, want %q", i, l.Set.Item(i).Content, at, want[i])
		}
	}
	got := l.Report.Summary()
	for _, note := range []string{"3 system prompts or tools without a timestamp, given the first that there is", "1 message without a timestamp"} {
		musttest.Says(t, got, note, "summary")
	}
	if l.SyntheticTimestamps {
		t.Error("flagged as made up")
	}
	l = mustRead(t, strings.ReplaceAll(request, `"timestamp"`, `"when"`), Options{})
	if !l.SyntheticTimestamps || strings.Contains(l.Report.Summary(), "given the first") {
		t.Errorf("without any time: synthetic %v, summary %q", l.SyntheticTimestamps, l.Report.Summary())
	}
}

// The time of a message is found under each key that files have for it.
func TestTimesOfMessages(t *testing.T) {
	for _, member := range []string{
		`"timestamp":"2025-09-04T15:33:20Z"`, `"ts":1757000000000`, `"ts":"1757000000.000200"`, `"date":"2025-09-04T15:33:20Z"`, `"sent_at":"2025-09-04T15:33:20Z"`,
		`"time":1757000000`, `"createdAt":"2025-09-04T15:33:20Z"`, `"createTime":"2025-09-04T15:33:20Z"`, `"created":1757000000`,
	} {
		l := mustRead(t, `[{"role":"user","content":"hi",`+member+`}]`, Options{})
		if at := l.Set.Item(0).Timestamp; !at.Set || at.Value.Truncate(time.Second) != time.Unix(1757000000, 0).UTC() || l.SyntheticTimestamps {
			t.Errorf("%s: %v, made up %v", member, at, l.SyntheticTimestamps)
		}
	}
	l := mustRead(t, `[{"role":"user","content":"hi","time":"breakfast"}]`, Options{})
	musttest.Says(t, l.Report.Summary(), "message.time", "a text under time that is no time is not told")
}

// Along the branch of an export the times never go back, and a message without one has
// that of a message beside it.
func TestTimesOfABranch(t *testing.T) {
	const export = `{"title":"t","current_node":"d","mapping":{
		"a":{"parent":null,"message":{"author":{"role":"user"},"create_time":null,"content":{"parts":["one"]}}},
		"b":{"parent":"a","message":{"author":{"role":"assistant"},"create_time":1757000001.08,"content":{"parts":["two"]}}},
		"c":{"parent":"b","message":{"author":{"role":"user"},"create_time":1757000001,"content":{"parts":["three"]}}},
		"d":{"parent":"c","message":{"author":{"role":"assistant"},"content":{"parts":["four"]}}}}}`
	l := mustRead(t, export, Options{})
	for i := range l.Set.Len() {
		if at := l.Set.Item(i).Timestamp; !at.Set || at.Value.UnixMilli() != 1757000001080 {
			t.Errorf("message %d: %v", i, at)
		}
	}
	for _, told := range []string{"2 messages without a timestamp, given that of the message beside them", "1 timestamp earlier than that of the message before"} {
		musttest.Says(t, strings.Join(l.Report.Lines(), "\n"), told, "is not told")
	}
}

// Guesses for payloads are of the size that providers charge for such things.
func TestOpaqueTokens(t *testing.T) {
	const kilobyte = 1000
	for _, c := range []struct {
		name        string
		block       string // %s: base64
		bytes       int
		least, most model.Tokens
	}{
		{"a small image", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}`, kilobyte, 85, 85},
		{"a photograph", `{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,%s"}}`, 300 * kilobyte, 500, 1600},
		{"a huge image", `{"type":"input_image","image_url":"data:image/png;base64,%s"}`, 3000 * kilobyte, 1600, 1600},
		{"an image by its address", `{"type":"image","source":{"type":"url","url":"https://x/%s"}}`, 30, 85, 85},
		{"ten pages of a PDF", `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"%s"}}`, 1000 * kilobyte, 15_000, 40_000},
		{"a file", `{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,%s"}}`, 100 * kilobyte, 1500, 4000},
		{"a minute of sound", `{"type":"input_audio","input_audio":{"format":"wav","data":"%s"}}`, 1900 * kilobyte, 500, 2000},
		{"encrypted thinking", `{"type":"redacted_thinking","data":"%s"}`, 4 * kilobyte, 700, 1100},
		{"a page found", `{"type":"web_search_result","encrypted_content":"%s"}`, 4 * kilobyte, 700, 1100},
		{"what is not known", `{"type":"novelty","data":"%s"}`, 4 * kilobyte, 700, 1100},
		{"base64 as a text", `{"type":"text","text":"%s"}`, 12 * kilobyte, 8_000, 16_000},
	} {
		data := strings.Repeat("QUJD1xyz", c.bytes/6+1)[:c.bytes/3*4]
		l := mustRead(t, `[{"role":"user","content":[`+fmt.Sprintf(c.block, data)+`]}]`, Options{})
		if it := l.Set.Item(0); it.Count != model.Opaque || it.Tokens < c.least || it.Tokens > c.most {
			t.Errorf("%s: %.60s, %v tokens %v, want %v to %v", c.name, it.Content, it.Tokens, it.Count, c.least, c.most)
		}
	}
}
