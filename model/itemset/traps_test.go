package itemset

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// A conversation of three messages in each format, a row a line where the
// format has rows. %[1]s stands for a text in JSON, without its quotes.
var conversations = []struct {
	format Format
	name   string
	rows   []string
	joined string // between rows, if they are no lines
	head   string
	foot   string
}{
	{OpenAI, "messages a line", []string{`{"role":"user","content":"a"}`, `{"role":"assistant","content":"%[1]s"}`, `{"role":"user","content":"c"}`}, "\n", "", ""},
	{OpenAI, "an array of messages", []string{`{"role":"user","content":"a"}`, `{"role":"assistant","content":[{"type":"text","text":"%[1]s"}]}`, `{"role":"user","content":"c"}`}, ",", "[", "]"},
	{OpenAI, "input items", []string{`{"role":"user","content":"a"}`, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%[1]s"}]}`, `{"role":"user","content":"c"}`}, ",", `{"model":"m","input":[`, "]}"},
	{"anthropic", "a request", []string{`{"role":"user","content":"a"}`, `{"role":"assistant","content":[{"type":"text","text":"%[1]s"}]}`, `{"role":"user","content":[{"type":"text","text":"c"}]}`}, ",", `{"model":"claude-x","system":[],"messages":[`, "]}"},
	{ClaudeCode, "a session", []string{
		`{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"a"}}`,
		`{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"%[1]s"}]}}`,
		`{"type":"user","uuid":"3","parentUuid":"2","sessionId":"s","message":{"role":"user","content":"c"}}`}, "\n", "", ""},
	{Codex, "a rollout", []string{
		`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}`,
		`{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%[1]s"}]}}`,
		`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"c"}]}}`}, "\n", "", ""},
}

func TestTrapsOfTexts(t *testing.T) {
	musttest.Alone(t)
	const megabytes = 4
	for _, c := range []struct {
		name, json, want string // want "": a payload
	}{
		{"plain", `b`, "b"},
		{"several MB on a line", strings.Repeat("words and words ", megabytes<<16), strings.Repeat("words and words ", megabytes<<16)},
		{"escapes of a terminal", `\u001b[31mred\u001b[0m\u0007\u009b2J`, "\x1b[31mred\x1b[0m\a\u009b2J"},
		{"right to left and of no width", "\u202eabc\u202c \u200b\u2066x\u2069 \u05e9", "\u202eabc\u202c \u200b\u2066x\u2069 \u05e9"},
		{"bytes that are no UTF-8", "b\xff\xfe\xc3", "b\ufffd\ufffd\ufffd"},
		{"half of a surrogate pair", `\ud800x`, "\ufffdx"},
		{"a NUL", `a\u0000b`, "a\x00b"},
		{"white space alone", ` \n\t`, " \n\t"},
		{"MBs of base64", strings.Repeat("QUJD123x", megabytes<<17), ""},
		{"MBs of base64 in lines", strings.Repeat(strings.Repeat("QUJD123x", 8)+`\n`, megabytes<<11), ""},
		{"a data URL", "data:image/png;base64," + strings.Repeat("QUJD", megabytes<<10), ""},
		{"a long word that is no payload", strings.Repeat("ab", 4096), strings.Repeat("ab", 4096)},
	} {
		for _, f := range conversations {
			in := f.head + strings.Join(f.rows, f.joined) + f.foot
			l := mustRead(t, strings.ReplaceAll(in, "%[1]s", c.json), Options{})
			if l.Format != f.format || l.Set.Len() != 3 {
				t.Errorf("%s, %s: format %s, %d items", c.name, f.name, l.Format, l.Set.Len())
				continue
			}
			it := l.Set.Item(1)
			if c.want != "" && (it.Content != c.want || it.Count != model.Estimated) {
				t.Errorf("%s, %s: %.60q %v, want %.60q", c.name, f.name, it.Content, it.Count, c.want)
			}
			if c.want == "" && (len(it.Content) > 100 || it.Count != model.Opaque || l.Report.Opaque != 1 || l.Report.OpaqueBytes < int64(len(c.json)/2)) {
				t.Errorf("%s, %s: %.60q %v, %+v", c.name, f.name, it.Content, it.Count, l.Report)
			}
		}
	}
}

// Records that cannot be used, among good ones: each costs itself alone.
func TestTrapsOfRecords(t *testing.T) {
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for _, f := range conversations {
		rows := make([]string, len(f.rows))
		for i := range rows {
			rows[i] = strings.ReplaceAll(f.rows[i], "%[1]s", "b")
		}
		for _, c := range []struct {
			name, bad string
			broken    bool // also what is an array is broken by it
		}{
			{"a string", `"text"`, false}, {"an array", `[1,"x"]`, false}, {"null", `null`, false}, {"a number", `1e999999`, false}, {"an empty object", `{}`, false},
			{"a huge number", `{"role":1e400,"type":99999999999999999999999,"timestamp":1e308}`, false},
			{"a key twice", `{"role":null,"role":7,"role":[]}`, false},
			{"unfinished", `{"role":"user","content":"x`, true}, {"deep nesting", `{"a":` + deep + `}`, false},
			{"not JSON", `<xml>`, true}, {"a comma too many", `{"role":"user",}`, true},
		} {
			if c.broken && f.joined != "\n" {
				continue
			}
			in := f.head + rows[0] + f.joined + rows[1] + f.joined + c.bad + f.joined + rows[2] + f.foot
			l, err := Read(context.Background(), "f", []byte(in), Options{})
			if err != nil {
				if c.name != "deep nesting" || f.joined == "\n" {
					t.Errorf("%s, %s: %v", f.name, c.name, err)
				}
				continue
			}
			if l.Format != f.format || texts(l) != "a b c" || l.Report.Count(Skipped) != 1 {
				t.Errorf("%s, %s: format %s, %q, %s", f.name, c.name, l.Format, texts(l), l.Report.Summary())
			}
			musttest.Fails(t, musttest.Refusal(Read(context.Background(), "f", []byte(in), Options{Strict: true})), f.name, c.name)
		}
	}
}

// Contents of every type give items or nothing, never an error.
func TestTrapsOfContents(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"null", `null`, ""}, {"an empty string", `""`, ""}, {"an empty array", `[]`, ""}, {"an empty object", `{}`, "{}"}, {"a number", `12.50`, "12.50"}, {"true", `true`, "true"},
		{"an object", `{"a": [1, 2]}`, `{"a":[1,2]}`}, {"a block alone", `{"type":"text","text":"x"}`, "x"}, {"strings among blocks", `["x",{"type":"text","text":"y"},null]`, "x\ny"},
		{"a text that is an array", `[{"type":"text","text":["x","y"]}]`, "x\ny"}, {"a text that is null", `[{"type":"text","text":null}]`, ""}, {"empty texts", `[{"type":"text","text":""},{"type":"text","text":""}]`, ""},
	} {
		for _, row := range []string{
			`{"role":"user","content":%s}`,
			`{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":%s}}`,
			`{"type":"response_item","payload":{"type":"message","role":"user","content":%s}}`,
		} {
			l, err := Read(context.Background(), "f", []byte(fmt.Sprintf(row, c.content)), Options{})
			if c.want == "" {
				musttest.Says(t, err, "empty message", c.name, "in", row)
				continue
			}
			if err != nil || texts(l) != c.want {
				t.Errorf("%s in %s: %v, %v", c.name, row, err, l)
			}
		}
	}
}

// Ids that appear twice link each result to a call of its own.
func TestDuplicateIDs(t *testing.T) {
	const call, result = `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}`, `{"role":"tool","tool_call_id":"c","content":"x"}`
	l := mustRead(t, "["+strings.Join([]string{call, result, call, call, result, result, result}, ",")+"]", Options{})
	musttest.Is(t, fmt.Sprint(l.Pairs), "[{0 1} {3 4} {2 5}]", "pairs")
}

func TestOddTimestamps(t *testing.T) {
	row := `{"role":"user","content":"x","timestamp":%s}`
	for in, want := range map[string]string{
		`"2025-10-01"`: "2025-10-01T00:00:00Z", `"2025-10-01 10:30"`: "2025-10-01T10:30:00Z", `"2025-10-01T10:30:15.5+02:00"`: "2025-10-01T08:30:15.5Z",
		`1757000000`: "2025-09-04T15:33:20Z", `1757000000.25`: "2025-09-04T15:33:20.25Z", `1757000000250`: "2025-09-04T15:33:20.25Z",
		`"1757000000"`: "2025-09-04T15:33:20Z", `12`: "", `1e300`: "", `-1757000000`: "", `{}`: "", `"soon"`: "", `null`: "", `9999999999`: "",
	} {
		l := mustRead(t, fmt.Sprintf(row, in), Options{})
		at := l.Set.Item(0).Timestamp.Value
		if got := at.Format("2006-01-02T15:04:05.999999999Z07:00"); want != "" && got != want || l.SyntheticTimestamps != (want == "") {
			t.Errorf("%s is %s, made up %v, want %q", in, got, l.SyntheticTimestamps, want)
		}
		if want == "" && in != "null" && !strings.Contains(l.Report.Summary(), "timestamp not understood") {
			t.Errorf("%s: %s", in, l.Report.Summary())
		}
	}
}
