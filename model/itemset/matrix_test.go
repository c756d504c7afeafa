package itemset

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// older are samples of the formats that have tests of their own, so that the matrix
// has each format.
var older = []sample{
	{"items", Items, `[{"content":"a","tokens":1,"kind":"Document"}]`, "Document: a"},
	{"a scenario", Scenario, `{"items":[{"content":"a","tokens":1}],"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":5}}`, ""},
	{"messages", OpenAI, `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, ""},
	{"a request of Anthropic", "anthropic", `{"model":"claude-x","system":"s","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}`, ""},
	{"a rollout", Codex, `{"timestamp":"2025-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}`, ""},
	{"a vector", Vectors, slicingVector, ""},
}

// The matrix: each sample opens as its own format and as nothing else, however it is
// laid out, and the same if the format is forced.
func TestDetectionMatrix(t *testing.T) {
	musttest.Alone(t)
	for _, s := range append(slices.Clone(older), formatSamples...) {
		plain := mustRead(t, s.in, Options{})
		want, skipped := outline(plain), plain.Report.Count(Skipped)
		forms := map[string]string{
			"as it is": s.in, "with a mark": "\xef\xbb\xbf" + s.in, "with CRLF": strings.ReplaceAll(strings.ReplaceAll(s.in, "\r\n", "\n"), "\n", "\r\n"), "with blank lines": "\n\n" + s.in + "\n\n",
			"in UTF-16": utf16Bytes(s.in, true, false), "in UTF-16, big endian": utf16Bytes(s.in, true, true),
		}
		if s.format == "repo-pack" || s.format == "chat-log" {
			delete(forms, "with CRLF") // texts keep their line ends
		}
		var compact, indented bytes.Buffer
		if json.Compact(&compact, []byte(s.in)) == nil && json.Indent(&indented, []byte(s.in), "", "\t") == nil {
			forms["on one line"], forms["indented"] = compact.String(), indented.String()
		}
		first, _, _ := strings.Cut(s.in, "\n")
		rows := json.Valid([]byte(first))
		if rows {
			forms["with blank lines between"] = strings.ReplaceAll(s.in, "\n", "\n\n \t\n")
		}
		for form, in := range forms {
			for _, format := range []Format{Auto, s.format} {
				l, err := Read(context.Background(), "f", []byte(in), Options{Format: format})
				if err != nil || l.Format != s.format || l.Report.Count(Skipped) != skipped {
					t.Errorf("%s %s, asked for %s: %v", s.name, form, format, err)
					continue
				}
				if got := outline(l); got != want && (rows || form != "with CRLF") {
					t.Errorf("%s %s, asked for %s:\n%s\nwant\n%s", s.name, form, format, got, want)
				}
			}
		}
	}
}

// Every row of the table is complete: it is read, told from a text or an object, has
// a sample, and says what was expected.
func TestFormatsAreComplete(t *testing.T) {
	all := append(slices.Clone(older), formatSamples...)
	for i := range formats {
		row := &formats[i]
		special := row.alone || row.name == Text
		if (row.read == nil) != special || (row.is == nil && row.whole == nil && row.text == nil) != (row.name == Text) || row.expected == "" && !special {
			t.Errorf("the row %s is not complete", row.name)
		}
		sampled := slices.ContainsFunc(all, func(s sample) bool { return s.format == row.name })
		if !sampled && row.name != Text {
			t.Errorf("the format %s has no sample", row.name)
		}
		if detected := row.is == nil && row.whole == nil || slices.ContainsFunc(all, func(s sample) bool {
			return s.format == row.name && detect(record.Split("f", []byte(s.in), record.Options{})) == row.name
		}); !detected {
			t.Errorf("no sample of the format %s is told", row.name)
		}
	}
}

// What has no reader is refused by its name, alone, as a line, in a list and in a
// history.
func TestUnreadFormatsAreNamed(t *testing.T) {
	for want, in := range map[string]string{
		"a HAR archive":                               `{"log":{"version":"1.2","entries":[]}}`,
		"a session of Kimi":                           `{"type":"metadata","protocol_version":"1.4"}`,
		"a session of Antigravity":                    `{"step_index":0,"source":"USER","type":"USER_INPUT","status":"DONE","content":"hi"}`,
		"an interaction of Gemini's Interactions API": `{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"hi"}}`,
		"a Jupyter notebook":                          `{"nbformat":4,"cells":[]}`,
	} {
		for _, in := range []string{in, in + "\n" + in, "[" + in + "]"} {
			_, err := Read(context.Background(), "f", []byte(in), Options{})
			musttest.Says(t, err, want+" is not read yet", want)
		}
	}
}
