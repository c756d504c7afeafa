package itemset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// claudeRow is a row of a session with its place in the tree.
func claudeRow(typ, uuid, parent, content string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","timestamp":"2025-10-01T10:00:00Z","message":{"id":"","role":%q,"content":%s}}`,
		typ, uuid, map[bool]string{true: "null", false: `"` + parent + `"`}[parent == ""], typ, content)
}

// texts are the contents of all items, in order.
func texts(l *Loaded) string {
	var all []string
	for i := range l.Set.Len() {
		all = append(all, l.Set.Item(i).Content)
	}
	return strings.Join(all, " ")
}

// What the user went back on is not seen by the model any more, while results
// of calls made at once and rows whose parents are elsewhere are.
func TestClaudeCodeBranches(t *testing.T) {
	ask := func(uuid, parent, text string) string { return claudeRow("user", uuid, parent, `"`+text+`"`) }
	say := func(uuid, parent, text string) string { return claudeRow("assistant", uuid, parent, `"`+text+`"`) }
	call := func(uuid, parent, id string) string {
		return claudeRow("assistant", uuid, parent, `[{"type":"tool_use","id":"`+id+`","name":"ls","input":{}}]`)
	}
	result := func(uuid, parent, id string) string {
		return claudeRow("user", uuid, parent, `[{"type":"tool_result","tool_use_id":"`+id+`","content":"r`+id+`"}]`)
	}
	for _, c := range []struct {
		name string
		rows []string
		want string
	}{
		{"a line", []string{ask("1", "", "a"), say("2", "1", "b"), ask("3", "2", "c")}, "a b c"},
		{"a prompt written over", []string{ask("1", "", "a"), say("2", "1", "b"), ask("3", "2", "old"), say("4", "3", "old"), ask("5", "2", "new"), say("6", "5", "d")}, "a b new d"},
		{"written over twice", []string{ask("1", "", "a"), say("2", "1", "b"), ask("3", "2", "old"), ask("4", "2", "older"), say("5", "4", "x"), ask("6", "2", "new")}, "a b new"},
		{"calls at once", []string{ask("1", "", "a"), call("2", "1", "x"), call("3", "2", "y"), result("4", "2", "x"), result("5", "3", "y"), say("6", "5", "b")}, "a ls {} ls {} rx ry b"},
		{"a parent in another file", []string{ask("1", "gone", "a"), say("2", "1", "b"), ask("3", "lost", "c"), say("4", "3", "d")}, "a b c d"},
		{"two roots", []string{ask("1", "", "a"), say("2", "1", "b"), ask("3", "", "c")}, "a b c"},
		{"a circle", []string{ask("1", "2", "a"), say("2", "1", "b"), ask("3", "3", "c"), say("4", "2", "d")}, "a b c d"},
		{"through rows of other types", []string{ask("1", "", "a"), `{"type":"progress","uuid":"p","parentUuid":"1"}`, say("2", "p", "b"), ask("3", "p", "old"), say("4", "2", "c")}, "a b c"},
	} {
		in := strings.Join(c.rows, "\n")
		musttest.Is(t, texts(mustRead(t, in, Options{Format: ClaudeCode})), c.want, c.name)
		if l := mustRead(t, in, Options{Format: ClaudeCode, Full: true}); l.Set.Len() != strings.Count(in, `"message"`) {
			t.Errorf("%s: all of it is %q", c.name, texts(l))
		}
	}
}

// A compaction may keep the last messages as they were, and may write them again.
func TestClaudeCodeKeptMessages(t *testing.T) {
	before := []string{claudeRow("user", "1", "", `"a"`), claudeRow("assistant", "2", "1", `"b"`), claudeRow("user", "3", "2", `"c"`), claudeRow("assistant", "4", "3", `"d"`)}
	boundary := func(meta string) string {
		return `{"type":"system","subtype":"compact_boundary","uuid":"x","parentUuid":null,"sessionId":"s","compactMetadata":` + meta + `}`
	}
	summary := strings.Replace(claudeRow("user", "5", "x", `"sum"`), `"type"`, `"isCompactSummary":true,"type"`, 1)
	for _, c := range []struct {
		name string
		meta string
		rows []string
		want string
	}{
		{"none", `{"trigger":"auto"}`, []string{claudeRow("user", "6", "5", `"e"`)}, "sum e"},
		{"nothing said", `null`, nil, "sum"},
		{"by name", `{"preservedMessages":{"uuids":["3","4"],"allUuids":["3","4"]}}`, []string{claudeRow("user", "6", "4", `"e"`)}, "c d sum e"},
		{"from one to another", `{"preservedSegment":{"headUuid":"3","anchorUuid":"5","tailUuid":"4"}}`, []string{claudeRow("user", "6", "4", `"e"`)}, "c d sum e"},
		{"written again", `{"preservedMessages":{"uuids":["3","4"]}}`, []string{claudeRow("user", "3", "5", `"c"`), claudeRow("assistant", "4", "3", `"d"`), claudeRow("user", "6", "4", `"e"`)}, "c d sum e"},
		{"names that are not there", `{"preservedMessages":{"uuids":["9",7,null]},"preservedSegment":{"headUuid":"9","tailUuid":"4"}}`, nil, "sum"},
		{"the wrong way round", `{"preservedSegment":{"headUuid":"4","tailUuid":"3"}}`, nil, "sum"},
	} {
		in := strings.Join(append(append(append([]string{}, before...), boundary(c.meta), summary), c.rows...), "\n")
		musttest.Is(t, texts(mustRead(t, in, Options{Format: ClaudeCode})), c.want, c.name)
	}
}

// A micro-compaction takes out the results that it names, wherever they stand, and the attachments;
// calls and what came later stay. With the history they are gone from there on.
func TestClaudeCodeClearedResults(t *testing.T) {
	results := func(uuid string, ids ...string) string {
		var all []string
		for _, id := range ids {
			all = append(all, `{"type":"tool_result","tool_use_id":"`+id+`","content":"r`+id+`"}`)
		}
		return claudeRow("user", uuid, "", "["+strings.Join(all, ",")+"]")
	}
	boundary := func(meta string) string {
		return `{"type":"system","subtype":"microcompact_boundary","content":"Context microcompacted","uuid":"m","parentUuid":null,"sessionId":"s","microcompactMetadata":` + meta + `}`
	}
	before := []string{
		claudeRow("user", "1", "", `"a"`), claudeRow("assistant", "2", "1", `[{"type":"tool_use","id":"x","name":"ls","input":{}}]`), results("3", "x"),
		`{"type":"attachment","uuid":"4","timestamp":"2025-10-01T10:00:00Z","attachment":{"type":"queued_command","prompt":"q"}}`, results("5", "y", "z"),
	}
	after := []string{results("6", "x"), claudeRow("assistant", "7", "6", `"b"`)}
	for _, c := range []struct{ name, meta, want, gone string }{
		{"none", `{"trigger":"auto"}`, "a ls {} rx q ry rz rx b", ""},
		{"nothing said", `null`, "a ls {} rx q ry rz rx b", ""},
		{"no names", `{"compactedToolIds":["x",7]}`, "a ls {} rx q ry rz rx b", ""},
		{"one, not the later of its name", `{"compactedToolIds":["x"]}`, "a ls {} q ry rz rx b", "rx"},
		{"one of a row", `{"compactedToolIds":["z","?"]}`, "a ls {} rx q ry rx b", "rz"},
		{"all, and an attachment", `{"compactedToolIds":["x","y","z"],"clearedAttachmentUUIDs":["4","9"]}`, "a ls {} rx b", "rx q ry rz"},
	} {
		in := strings.Join(append(append(slices.Clone(before), boundary(c.meta)), after...), "\n")
		l := mustRead(t, in, Options{Format: ClaudeCode})
		musttest.Is(t, texts(l), c.want, c.name)
		musttest.Is(t, strings.Contains(l.Report.Summary(), "micro-compaction cleared"), c.gone != "", c.name, "told", l.Report.Summary())
		musttest.Is(t, texts(mustRead(t, in, Options{Format: ClaudeCode, Full: true})), "a ls {} rx q ry rz rx b", c.name, "all of")
		whole := mustRead(t, in, Options{Format: ClaudeCode, History: true})
		var gone []string
		for _, m := range whole.Messages {
			for i := m.From; i < m.To && m.Gone > 0; i++ {
				gone = append(gone, whole.Set.Item(i).Content)
				if next := whole.Set.Item(m.Gone).Content; next != "rx" || m.Gone != whole.Set.Len()-2 {
					t.Errorf("%s: gone before item %d, %q", c.name, m.Gone, next)
				}
			}
		}
		if got := strings.Join(gone, " "); got != c.gone || whole.Set.Len() != 8 {
			t.Errorf("%s: %q of %d are gone, want %q", c.name, got, whole.Set.Len(), c.gone)
		}
	}
}

func TestClaudeCodeAttachments(t *testing.T) {
	row := func(attachment string) string {
		return `{"type":"attachment","uuid":"a","timestamp":"2025-10-01T10:00:00Z","attachment":` + attachment + `}`
	}
	rows := strings.Join([]string{
		claudeRow("user", "1", "", `"hi"`),
		row(`{"type":"prompt_snapshot","systemPrompt":["old"]}`),
		row(`{"type":"prompt_snapshot","systemPrompt":["You are.","Be brief."],"tools":[{"name":"Bash","schema":{}}]}`),
		row(`{"type":"queued_command","prompt":"and this"}`),
		row(`{"type":"queued_command","prompt":[{"type":"text","text":"and that"}]}`),
		row(`{"type":"file","filename":"/w/a.go","content":{"type":"text","file":{"filePath":"/w/a.go","content":"package a"}}}`),
		row(`{"type":"nested_memory","path":"/w/M.md","content":{"path":"/w/M.md","type":"Project","content":"use tabs"}}`),
		row(`{"type":"instructions","files":[{"path":"x","content":"one"},{"path":"y","content":"two"}]}`),
		row(`{"type":"hook_additional_context","content":["from a hook"]}`),
		row(`{"type":"directory","path":"src","content":"a.go"}`),
		row(`{"type":"critical_system_reminder","content":"mind this"}`),
		row(`{"type":"mcp_instructions_delta","addedNames":["x"],"addedBlocks":["use x"]}`),
		row(`{"type":"deferred_tools_delta","addedNames":["F"],"addedLines":["F"]}`),
		row(`{"type":"invoked_skills","skills":[{"name":"pdf","path":"p","content":"read pages"}]}`),
		row(`{"type":"mcp_resource","uri":"r","content":{"contents":[{"uri":"r","text":"a resource"}]}}`),
		row(`{"type":"todo_reminder","content":[]}`), row(`{}`), `{"type":"attachment"}`,
		`{"type":"assistant","uuid":"e","isApiErrorMessage":true,"message":{"role":"assistant","model":"<synthetic>","content":"API Error"}}`,
	}, "\n")
	l := mustRead(t, rows, Options{})
	want := `SystemPrompt!/toolDefinition: {"name":"Bash","schema":{}}
SystemPrompt!: You are.
Be brief.
Message: hi
Message: and this
Message: and that
Document/document: package a
Memory: use tabs
Memory: one
two
Message: from a hook
Document/document: a.go
Message: mind this
Message: use x
Message: F
Message: read pages
Document/document: a resource`
	musttest.Is(t, outline(l), want, "items")
	if it := l.Set.Item(5); it.Metadata["title"] != "/w/a.go" || it.Source != model.Rag || it.Metadata["attachment"] != "file" {
		t.Errorf("file %+v", it)
	}
	s := l.Report.Summary()
	for _, part := range []string{`1 attachment row of type "todo_reminder"`, `2 attachment rows of type ""`, "1 system prompt that a later one replaced", "1 row that reports an error"} {
		musttest.Says(t, s, part, "summary")
	}
}

// A count that the provider gives is taken where it is that of one item, and
// where it can be.
func TestUsageAsCount(t *testing.T) {
	const text = "I look at the store first, then at the cache, and then I run all the tests again."
	row := func(id string, out int, block string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"u","message":{"id":%q,"role":"assistant","content":[%s],"usage":{"input_tokens":100,"output_tokens":%d}}}`, id, block, out)
	}
	said, thought := `{"type":"text","text":"`+text+`"}`, `{"type":"thinking","thinking":"hm, the store"}`
	request := `{"messages":[{"role":"user","content":"hi"}],"choices":[{"message":{"role":"assistant","content":"` + text + `"}}],"usage":`
	for _, c := range []struct {
		name, in string
		want     model.Tokens // 0: an estimate
		usage    record.Usage
	}{
		{"one text", row("m", 25, said), 25, record.Usage{Messages: 1, Output: 25, Context: 125}},
		{"rows that repeat it", row("m", 2, said) + "\n" + row("m", 25, said), 25, record.Usage{Messages: 1, Output: 25, Context: 125}},
		{"a count so far", row("m", 2, said), 0, record.Usage{Messages: 1, Output: 2, Context: 102}},
		{"with thinking that is not there", row("m", 900, said), 0, record.Usage{Messages: 1, Output: 900, Context: 1000}},
		{"two blocks", row("m", 30, thought+","+said), 0, record.Usage{Messages: 1, Output: 30, Context: 130}},
		{"two rows of two blocks", row("m", 3, thought) + "\n" + row("m", 30, said), 0, record.Usage{Messages: 1, Output: 30, Context: 130}},
		{"no count", row("m", 0, said), 0, record.Usage{Messages: 1, Output: 0, Context: 100}},
		{"a response", request + `{"prompt_tokens":9,"completion_tokens":24}}`, 24, record.Usage{Messages: 1, Output: 24, Context: 33}},
		{"a response that thought", request + `{"prompt_tokens":9,"completion_tokens":124,"completion_tokens_details":{"reasoning_tokens":100}}}`, 24, record.Usage{Messages: 1, Output: 124, Context: 133}},
		{"of pi, with what was cached beside it", `{"type":"message","id":"1","message":{"role":"assistant","content":[` + said + `],"usage":{"input":60,"output":25,"cacheRead":30,"cacheWrite":10,"totalTokens":125}}}`, 25, record.Usage{Messages: 1, Output: 25, Context: 125}},
		{"of Gemini CLI, with thoughts beside it", `{"sessionId":"s","messages":[{"id":"1","timestamp":"2026-01-01T00:00:00Z","type":"gemini","content":"` + text + `","tokens":{"input":100,"output":25,"cached":40,"thoughts":9,"total":134}}]}`, 25, record.Usage{Messages: 1, Output: 34, Context: 134}},
		{"no numbers", request + `{"prompt_tokens":"9","completion_tokens":-4}}`, 0, record.Usage{}},
	} {
		l := mustRead(t, c.in, Options{})
		it := l.Set.Item(l.Set.Len() - 1)
		if it.Content != text || (it.Count == model.FromUsage) != (c.want > 0) || c.want > 0 && it.Tokens != c.want || l.Usage != c.usage {
			t.Errorf("%s: %v tokens %v, usage %+v, want %v and %+v", c.name, it.Tokens, it.Count, l.Usage, c.want, c.usage)
		}
	}
}

// What a cache gave is a part of the input in the attributes of a span.
func TestUsageOfASpan(t *testing.T) {
	l := mustRead(t, `{"name":"chat","attributes":{"gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"hi\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"ho\"}]}]",
		"gen_ai.usage.input_tokens":100,"gen_ai.usage.cache_read.input_tokens":60,"gen_ai.usage.cache_creation.input_tokens":30,"gen_ai.usage.output_tokens":2}}`, Options{})
	musttest.Is(t, l.Usage, record.Usage{Messages: 1, Output: 2, Context: 102}, "usage")
	for _, m := range l.Messages {
		if m.Prompt.Set {
			musttest.Is(t, m.Prompt.Value, record.Prompt{Plain: 10, CacheRead: 60, CacheWrite: 30}, "prompt")
			return
		}
	}
	t.Error("no prompt is told")
}
