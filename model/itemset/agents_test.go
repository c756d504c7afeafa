package itemset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// rollout1 is a small rollout with the kinds of rows that real ones have.
var rollout1 = strings.Join([]string{
	`{"timestamp":"2025-10-01T09:00:00.100Z","type":"session_meta","payload":{"id":"s","timestamp":"2025-10-01T09:00:00Z","cwd":"/w","base_instructions":{"text":"You are an agent."},"dynamic_tools":[{"name":"ask","description":"d","inputSchema":{}}]}}`,
	`{"timestamp":"2025-10-01T09:00:01Z","type":"turn_context","payload":{"cwd":"/w","model":"gpt-5-codex","summary":"auto"}}`,
	`{"timestamp":"2025-10-01T09:00:02Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"sandboxed"}]}}`,
	`{"timestamp":"2025-10-01T09:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>here</environment_context>"}]}}`,
	`{"timestamp":"2025-10-01T09:00:03Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}}`,
	`{"timestamp":"2025-10-01T09:00:03Z","type":"event_msg","payload":{"type":"user_message","message":"fix it"}}`,
	`{"timestamp":"2025-10-01T09:00:04Z","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"I look"},{"type":"summary_text","text":"around"}],"content":null,"encrypted_content":"gAAAAAB0"}}`,
	`{"timestamp":"2025-10-01T09:00:05Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c1"}}`,
	`{"timestamp":"2025-10-01T09:00:06Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"a.go\",\"metadata\":{\"exit_code\":0}}"}}`,
	`{"timestamp":"2025-10-01T09:00:07Z","type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":"c2","name":"apply_patch","input":"*** Begin Patch"}}`,
	`{"timestamp":"2025-10-01T09:00:08Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c2","output":{"content":"refused","success":false}}}`,
	`{"timestamp":"2025-10-01T09:00:09Z","type":"response_item","payload":{"type":"local_shell_call","call_id":"c3","status":"completed","action":{"type":"exec","command":["pwd"]}}}`,
	`{"timestamp":"2025-10-01T09:00:10Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":[{"type":"input_text","text":"/w"}]}}`,
	`{"timestamp":"2025-10-01T09:00:11Z","type":"response_item","payload":{"type":"web_search_call","id":"w1","status":"completed","action":{"type":"search","query":"q"}}}`,
	`{"timestamp":"2025-10-01T09:00:12Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"output_tokens":50},"last_token_usage":{"input_tokens":900,"cached_input_tokens":800,"output_tokens":50}}}}`,
	`{"timestamp":"2025-10-01T09:00:12Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"output_tokens":50},"last_token_usage":{"input_tokens":900,"output_tokens":50}}}}`,
	`{"timestamp":"2025-10-01T09:00:13Z","type":"response_item","payload":{"type":"ghost_snapshot","ghost_commit":{"id":"x"}}}`,
	`{"timestamp":"2025-10-01T09:00:14Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}`,
}, "\n")

func TestCodex(t *testing.T) {
	l := mustRead(t, rollout1, Options{})
	got := outline(l)
	want := []string{
		`SystemPrompt!/toolDefinition: {"name":"ask"`, "SystemPrompt!: You are an agent.", "SystemPrompt!: sandboxed", "Message: <environment_context>",
		"Message: fix it", "Message/opaque: [image image/png", "Message/thinking: I look\naround", "Message/opaque: [thinking encrypted",
		`Message/toolCall: shell {"command":["ls"]}`, `ToolOutput/toolResult: {"output":"a.go"`, "Message/toolCall: apply_patch *** Begin Patch",
		"ToolOutput/toolResult: refused", `Message/toolCall: local_shell {"type":"exec","command":["pwd"]}`, "ToolOutput/toolResult: /w",
		`Message/toolCall: web_search {"type":"search","query":"q"}`, "Message: done",
	}
	at := 0
	for _, w := range want {
		i := strings.Index(got[at:], w)
		if i < 0 {
			t.Fatalf("no %q after\n%s\nin\n%s", w, got[:at], got)
		}
		at += i
	}
	musttest.Is(t, l.Set.Len(), len(want), got)
	if l.Format != Codex || l.Model != "gpt-5-codex" || !l.Conversation || l.MissingSystemPrompt || l.SyntheticTimestamps {
		t.Errorf("facts %+v", l)
	}
	musttest.Is(t, l.Pairs, []model.Pair{{Call: 8, Result: 9}, {Call: 10, Result: 11}, {Call: 12, Result: 13}}, "pairs", l.Set.Item(11).Metadata)
	musttest.Is(t, l.Set.Item(11).Metadata["isError"], true, "pairs", l.Set.Item(11).Metadata)
	musttest.Is(t, l.Usage, (record.Usage{Messages: 1, Output: 50, Context: 950}), "usage")
	musttest.Is(t, l.Set.Item(4).Timestamp.Value, time.Date(2025, 10, 1, 9, 0, 3, 0, time.UTC), "dated")
	musttest.Says(t, l.Report.Summary(), "left out 5 lines: 3 event_msg rows, 1 turn_context row, 1 ghost_snapshot item", "summary")
}

func item(role, text string) string {
	return `{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":"` + text + `"}]}`
}

func codexRow(typ, payload string) string {
	return `{"timestamp":"2025-10-01T10:00:00Z","type":"` + typ + `","payload":` + payload + `}`
}

func TestCodexWindow(t *testing.T) {
	meta := codexRow("session_meta", `{"instructions":"base"}`)
	ask, say, more := codexRow("response_item", item("user", "ask")), codexRow("response_item", item("assistant", "say")), codexRow("response_item", item("user", "more"))
	replaced := codexRow("compacted", `{"message":"all so far","replacement_history":[`+item("user", "ask")+`,`+item("user", "Summary: all so far")+`]}`)
	hidden := codexRow("compacted", `{"message":"","replacement_history":[`+item("user", "ask")+`,{"type":"compaction","encrypted_content":"gAAAA"}]}`)
	bare := codexRow("compacted", `{"message":"all so far"}`)
	back := codexRow("event_msg", `{"type":"thread_rolled_back","num_turns":1}`)
	for _, c := range []struct {
		name string
		rows []string
		full bool
		want string
	}{
		{"replaced history", []string{meta, ask, say, replaced, more}, false, "SystemPrompt!: base\nMessage: ask\nMemory: Summary: all so far\nMessage: more"},
		{"all of it", []string{meta, ask, say, replaced, more}, true, "SystemPrompt!: base\nMessage: ask\nMessage: say\nMemory: Summary: all so far\nMessage: more"},
		{"the last one counts", []string{ask, replaced, more, replaced}, false, "Message: ask\nMemory: Summary: all so far"},
		{"an encrypted summary", []string{ask, say, hidden}, false, "Message: ask\nMemory/opaque: [memory encrypted"},
		{"a summary alone", []string{meta, ask, say, bare, more}, false, "SystemPrompt!: base\nMessage: ask\nMemory: all so far\nMessage: more"},
		{"an undone turn", []string{meta, ask, say, more, say, back}, false, "SystemPrompt!: base\nMessage: ask\nMessage: say"},
		{"an undone turn, all of it", []string{ask, more, back}, true, "Message: ask\nMessage: more"},
		{"more turns than there are", []string{meta, ask, say, codexRow("event_msg", `{"type":"thread_rolled_back","num_turns":9}`), more}, false, "SystemPrompt!: base\nMessage: more"},
		{"rows of the first versions", []string{`{"id":"x","timestamp":"2025-05-01T10:00:00Z","instructions":"base","git":{}}`, `{"record_type":"state"}`, item("user", "ask"),
			`{"type":"function_call","name":"shell","arguments":"{}","call_id":"1"}`, `{"type":"function_call_output","call_id":"1","output":"x"}`}, false,
			"SystemPrompt!: base\nMessage: ask\nMessage/toolCall: shell {}\nToolOutput/toolResult: x"},
	} {
		l := mustRead(t, strings.Join(c.rows, "\n"), Options{Full: c.full})
		if got := outline(l); !strings.HasPrefix(got, c.want) || strings.Count(got, "\n") != strings.Count(c.want, "\n") || l.Format != Codex {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.name, l.Format, got, c.want)
		}
	}
}

// Rows that cannot be used cost themselves alone and are told by their reason.
func TestCodexBadRows(t *testing.T) {
	rows := []string{codexRow("response_item", item("user", "hi")), `"a string"`, `[1]`, `{"type":"response_item"`, `{"type":"response_item","payload":"text"}`,
		codexRow("novelty", `{}`), codexRow("response_item", `{"type":"novelty"}`), codexRow("response_item", `{"type":"message","content":"nobody"}`), `{}`}
	l := mustRead(t, strings.Join(rows, "\r\n"), Options{})
	const want = `skipped 8 lines: 1 record that is a string instead of a row, 1 record that is an array instead of a row, 1 not JSON, ` +
		`1 row whose payload is a string instead of an object, 1 row of unknown type "novelty", 1 item of unknown type "novelty", 1 message without a role, 1 row without a payload`
	s := l.Report.Summary()
	for _, part := range strings.Split(strings.TrimPrefix(want, "skipped 8 lines: "), ", ") {
		musttest.Says(t, s, part, "summary")
	}
	if outline(l) != "Message: hi" || l.Report.Count(Skipped) != 8 || l.Set.Count(0) != model.Estimated {
		t.Errorf("%q, %s", outline(l), s)
	}
}

// opencodeFiles are the files of a session of opencode below its storage.
var opencodeFiles = map[string]string{
	"session/p/ses_1.json":     `{"id":"ses_1","projectID":"p","directory":"/w","title":"t","time":{"created":1757000000000}}`,
	"message/ses_1/msg_1.json": `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1757000000000}}`,
	"message/ses_1/msg_2.json": `{"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":1757000001000}}`,
	"message/ses_1/msg_3.json": `{"id":"msg_3","sess`,
	"message/ses_1/notes.txt":  `not of it`,
	"message/ses_2/msg_4.json": `{"id":"msg_4","sessionID":"ses_2","role":"user"}`,
	"part/msg_1/prt_1.json":    `{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"hi"}`,
	"part/msg_2/prt_2.json":    `{"id":"prt_2","sessionID":"ses_1","messageID":"msg_2","type":"step-start"}`,
	"part/msg_2/prt_3.json":    `{"id":"prt_3","sessionID":"ses_1","messageID":"msg_2","type":"tool","callID":"c","tool":"f","state":{"status":"completed","input":{"p":1},"output":"done"}}`,
	"part/msg_2/prt_4.json":    `{"id":"prt_4","sessionID":"ses_1","messageID":"msg_2","type":"text","text":"ho"}`,
	"part/msg_4/prt_5.json":    `{"id":"prt_5","sessionID":"ses_2","messageID":"msg_4","type":"text","text":"another"}`,
	"session/p/ses_3.json":     `{"id":"ses_3","projectID":"p"}`,
	"session/p/ses_4.json":     `{"id":"ses_1","projectID":"p","content":"named otherwise"}`,
}

// A session of opencode opens with the files of its messages and their parts.
func TestOpencodeStorage(t *testing.T) {
	root := t.TempDir()
	for path, text := range opencodeFiles {
		path = filepath.Join(root, filepath.FromSlash(path))
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	session := filepath.Join(root, "session", "p", "ses_1.json")
	load := func(path string, opts Options) (*Loaded, error) { return Load(t.Context(), []string{path}, opts) }
	l := musttest.Of(load(session, Options{}))(t)
	musttest.Is(t, outline(l), "Message: hi\nMessage/toolCall: f {\"p\":1}\nToolOutput/toolResult: done\nMessage: ho")
	musttest.Says(t, strings.Join(l.Report.Lines(), "\n"), "skipped 1: not JSON (file "+filepath.Join(root, "message", "ses_1", "msg_3.json")+")", "the report says")
	t.Chdir(filepath.Dir(session)) // the storage is found from a bare name too
	musttest.Is(t, outline(musttest.Of(load("ses_1.json", Options{}))(t)), outline(l), "in its folder it opens as")
	musttest.Is(t, outline(musttest.Of(load("ses_4.json", Options{}))(t)), "Message: named otherwise", "a file of another id opens as")
	for _, c := range []struct {
		path string
		opts Options
		want string // in the error
	}{
		{session, Options{Strict: true}, "msg_3.json: no usable item: not JSON"},
		{"ses_3.json", Options{}, "without messages, which it keeps in storage/message/ses_3"},
		{session, Options{MaxBytes: 500}, "holds more than 500 bytes"},
	} {
		musttest.Says(t, musttest.Refusal(load(c.path, c.opts)), c.want, c.path, c.opts)
	}
}

// Lines of Gemini CLI change what came before them.
func TestGeminiCLIWindow(t *testing.T) {
	row := func(id, typ, rest string) string {
		return `{"id":"` + id + `","timestamp":"2026-01-05T10:00:0` + id + `Z","type":"` + typ + `",` + rest + `}`
	}
	const head = `{"sessionId":"s","projectHash":"h","startTime":"2026-01-05T10:00:00Z","kind":"main"}`
	const answer = `{"functionResponse":{"id":"t","name":"ls","response":{"output":"a.go"}}}`
	ask, say := row("1", "user", `"content":[{"text":"ask"}]`), row("2", "gemini", `"content":"say","tokens":{"input":9,"output":1,"total":10}`)
	call := row("2", "gemini", `"content":"say","tokens":{"input":9,"output":1,"total":10},"toolCalls":[{"id":"t","name":"ls","args":{},"result":[`+answer+`],"status":"success"}]`)
	more := row("3", "user", `"content":[{"text":"more"}]`)
	sum := row("5", "user", `"content":[{"text":"so far"}]`)
	set := func(messages ...string) string { return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}` }
	sent := row("2", "gemini", `"content":[{"text":"say"},{"functionCall":{"id":"t","name":"ls","args":{}}}],"toolCalls":[{"id":"t","name":"ls","args":{},"result":[`+answer+`],"status":"success"}]`)
	for _, c := range []struct {
		name string
		rows []string
		full bool
		want string
	}{
		{"a rewind", []string{ask, say, more, `{"$rewindTo":"2"}`, sum}, false, "Message: ask\nMessage: so far"},
		{"a rewind to what is not there", []string{ask, say, `{"$rewindTo":"9"}`, sum}, false, "Message: so far"},
		{"a rewind, all of it", []string{ask, say, `{"$rewindTo":"1"}`}, true, "Message: ask\nMessage: say"},
		{"a compression", []string{ask, say, more, set(sum, more), row("6", "gemini", `"content":"say"`)}, false, "Message: so far\nMessage: more\nMessage: say"},
		{"a compression, all of it", []string{ask, say, more, set(sum, more)}, true, "Message: ask\nMessage: say\nMessage: more\nMessage: so far"},
		{"calls and results as they were sent", []string{set(ask, sent, row("3", "user", `"content":[`+answer+`]`))}, false, "Message: ask\nMessage: say\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
		{"a message written again", []string{ask, say, call}, false, "Message: ask\nMessage: say\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	} {
		l := mustRead(t, head+"\n"+strings.Join(c.rows, "\n"), Options{Full: c.full})
		if got := outline(l); got != c.want || l.Format != "gemini-cli" {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.name, l.Format, got, c.want)
		}
		if l.Usage.Messages > 1 {
			t.Errorf("%s: %d answers counted", c.name, l.Usage.Messages)
		}
		for i := 1; i < l.Set.Len(); i++ {
			if before, at := l.Set.Item(i-1).Timestamp, l.Set.Item(i).Timestamp; !c.full && at.Value.Before(before.Value) {
				t.Errorf("%s: item %d is dated before the one it follows", c.name, i)
			}
		}
	}
}

// A summary is written later than what stays behind it, and stands before it in time too.
func TestTimesAfterACompaction(t *testing.T) {
	row := func(id, text string) string {
		return `{"type":"message","id":"` + id + `","timestamp":"2026-01-05T10:00:0` + id + `Z","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	l := mustRead(t, row("1", "gone")+row("2", "kept")+`{"type":"compaction","id":"3","timestamp":"2026-01-05T10:00:03Z","summary":"so far","firstKeptEntryId":"2"}`+"\n"+row("4", "more"), Options{})
	musttest.Is(t, outline(l), "Memory: so far\nMessage: kept\nMessage: more", "what is left")
	if summary, kept := l.Set.Item(0).Timestamp.Value, l.Set.Item(1).Timestamp.Value; kept.Before(summary) {
		t.Errorf("what was kept is dated %v, before the summary of %v", kept, summary)
	}
}
