package itemset

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

func mustBudget(tokens model.Tokens) model.Budget {
	b, err := model.NewBudget(model.BudgetFields{MaxTokens: tokens})
	if err != nil {
		panic(err)
	}
	return b
}

// No bytes make a reader panic; what it makes of them holds together, is the
// same the next time, and opens again from what is saved of it.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`[{"content":"abc\nd","tokens":9,"sizes":[{"tokens":5,"content":"abc","label":"l","worth":0.5},{"tokens":1,"note":true}]}]`,
		`{"items":[{"content":"a\nb\nc","kind":"k"}],"shrink":[{"kind":"k","to":[2,1],"how":"tail","note":true}]}`,
		`[{"content":"a","tokens":1,"metadata":{"a":[1]}}]`, session1, `{"messages":[{"role":"tool","tool_call_id":"1","content":{"a":1}}]}`,
		"{\"messages\":[{\"role\":\"user\",\"content\":{\"\x80\":1}}]}",
		`{"items":[{"content":"a"}],"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":5},"edits":{"excluded":[0]}}`,
		`{"attributes":{"llm.input_messages.0.message":"a","llm.input_messages.0.message.content":"b","llm.input_messages.0.message.role":"user","llm.input_messages.1.message":"a","llm.input_messages.1.message.content":"b","llm.input_messages.1.message.role":"user","llm.input_messages.2.message":"a","llm.input_messages.2.message.content":"b","llm.input_messages.2.message.role":"user"}}`,
		`[[{"page_content":"a","metadata":{"k":1}},0.5]]`, `{"documents":[["a"]],"distances":[[1]],"ids":[["i"]]}`, `{"query":"q","results":[{"index":0,"relevance_score":1}],"documents":["a"]}`,
		`{"docstore/data":{"1":{"__data__":{"text":"a"}}}}`, `{"hits":{"hits":[{"_score":1,"_source":{"text":"a"}}]}}`, `[{"node":{"text":"a"},"score":1e999}]`,
		"\xff\xfe[\x00]\x00", "{\n}\n{", `[[{"role":"user","content":[{"type":"image","source":{"data":"AA"}}]}]]`,
		rollout1, rollout1 + "\n" + codexRow("compacted", `{"message":"m","replacement_history":[`+item("user", "m")+`]}`) + "\n" + codexRow("compacted", `{"message":"m"}`),
		codexRow("response_item", item("user", "a")) + "\n" + codexRow("event_msg", `{"type":"thread_rolled_back","num_turns":1}`),
		claudeRow("user", "1", "2", `"a"`) + "\n" + claudeRow("user", "2", "1", `"b"`) + "\n" + `{"type":"attachment","uuid":"3","parentUuid":"2","attachment":{"type":"file","filename":"f","content":{"file":{"content":"c"}}}}`,
		claudeRow("user", "1", "", `[{"type":"tool_result","tool_use_id":"x","content":"r"}]`) + "\n" + `{"type":"system","subtype":"microcompact_boundary","uuid":"m","microcompactMetadata":{"compactedToolIds":["x"],"clearedAttachmentUUIDs":["1"]}}` + "\n" + claudeRow("user", "2", "1", `"a"`),
		claudeRow("user", "1", "", `"a"`) + "\n" + `{"type":"system","subtype":"compact_boundary","uuid":"b","compactMetadata":{"preservedMessages":{"uuids":["1"]},"preservedSegment":{"headUuid":"1","tailUuid":"1"}}}` + "\n" + claudeRow("user", "1", "b", `"a"`),
		`{"system":"s","tools":[{"name":"n"}],"messages":[{"role":"assistant","content":[{"type":"document","source":{"type":"text","data":"x"}},{"type":"tool_use","id":"1","name":"n","input":{}}],"usage":{"output_tokens":3}}]}`,
		`{"model":"m","input":[{"type":"reasoning","summary":[{"text":"a"}],"encrypted_content":"e"},{"type":"mcp_call","id":"1","output":{"content":[]}}],"output":[{"type":"message","role":"assistant","content":"x"}],"usage":{"output_tokens":1}}`,
		`{"samples":[{"messages":[{"role":"user","content":"attachment://a"}],"attachments":{"a":"attachment://a"}}],"choices":[{"message":{"role":"assistant","content":"x"}}]}`,
		`{"current_node":"b","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["x",{"asset_pointer":"p","size_bytes":9}]}},"parent":"b"},"b":{"message":{"author":{"role":"tool"},"content":{"text":"y"}},"parent":"a"}}}`,
		`{"chat_messages":[{"sender":"human","text":"x","attachments":[{"file_name":"n","extracted_content":"c"}]}]}`,
		`{"trajectory":[{"action":"a","observation":"b","thought":"c"}]}`, `{"conversations":[{"from":"function_call","value":"a"},{"from":"tool","value":"b"}]}`,
		`{"body":{"messages":[{"role":"function","name":"f","content":"x"}]},"response":{"body":{"choices":[{"message":{"role":"assistant","function_call":{"name":"f"}}}]}}}`,
	} {
		for i := range Formats() {
			f.Add([]byte(s), i, i%2 == 0)
		}
	}
	for _, s := range formatSamples {
		f.Add([]byte(s.in), slices.Index(Formats(), s.format), true)
		f.Add([]byte(s.in), 0, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, format int, full bool) {
		formats := Formats()
		opts := Options{Format: formats[((format%len(formats))+len(formats))%len(formats)], Full: full, History: len(data)%2 == 0, Sidechains: full, Select: 1}
		l, err := Read(context.Background(), "f", data, opts)
		if err != nil {
			return
		}
		for i := range l.Set.Len() {
			it := l.Set.Item(i)
			musttest.Of(model.NewSet([]model.Item{it}))(t)
			if it.Count == model.Estimated && it.Tokens < 1 && l.Format != Items && l.Format != Scenario {
				t.Fatalf("item %d has an estimate of %v", i, it.Tokens)
			}
		}
		for _, p := range l.Pairs {
			if p.Call >= p.Result || l.Set.Item(p.Call).Metadata["callId"] != l.Set.Item(p.Result).Metadata["callId"] {
				t.Fatalf("pair %v", p)
			}
		}
		if l.Report.Summary() == "" || len(l.Report.Lines()) == 0 {
			t.Fatal("no report")
		}
		saved := musttest.Of(MarshalScenario(model.Scenario{Items: l.Set, Policy: model.Presets()[0], Budget: mustBudget(1000)}))(t)
		opened, err := Read(context.Background(), "f", saved, Options{})
		if err != nil || outline(opened) != outline(l) || !reflect.DeepEqual(opened.Pairs, l.Pairs) {
			t.Fatalf("what was saved opens as another: %v", err)
		}
		again, err := Read(context.Background(), "f", data, opts)
		if err != nil || outline(again) != outline(l) || again.Report.Summary() != l.Report.Summary() {
			t.Fatalf("a second read differs: %v", err)
		}
	})
}

// Whatever bytes come: what passes for text decodes to UTF-8, and what is UTF-8
// already stays as it is.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"text", "\xef\xbb\xbftext", "\xff\xfet\x00", "\xfe\xff\x00t", "\xff\xfe\x00\x00t\x00\x00\x00", "\x00\x00\xfe\xff\x00\x11\x00\x00", "\xff\xfe\x00\xd8", "t\x00e\x00", "\xe9", "a\x00b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		given := bytes.Clone(data)
		why := notText(data)
		text, note := decode(data)
		if !bytes.Equal(data, given) {
			t.Fatal("the source was changed")
		}
		if why == "" && !utf8.Valid(text) {
			t.Fatalf("%q is taken for text, and decodes to %q", data, text)
		}
		if note == "" && !bytes.Equal(text, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
			t.Fatalf("%q becomes %q without a word", data, text)
		}
		if len(text) > 2*len(data) {
			t.Fatalf("%d bytes become %d", len(data), len(text))
		}
	})
}

// Numbers that JSON does not have are found outside of strings, as an expression finds them.
func TestWithoutNaN(t *testing.T) {
	words := []string{"NaN", "Infinity", "-", "Na", "Inf", `"`, `"`, `\`, `\"`, "\n", ",", ":", "[", " ", "é", "{}"}
	plain := regexp.MustCompile(`"(?:\\.|[^"\\\n])*(?:["\n]|$)|-?Infinity|NaN`)
	rng := rand.New(rand.NewPCG(4, 7))
	replaced := 0
	for range randomtest.Rounds(1500, 100_000) {
		data := "["
		for range rng.IntN(20) {
			data += words[rng.IntN(len(words))]
		}
		if strings.Contains(data, "\\\n") || strings.HasSuffix(data, `\`) {
			continue // no JSON, and whether the string goes on there is all the same
		}
		n := 0
		want := plain.ReplaceAllStringFunc(data, func(found string) string {
			if found[0] == '"' {
				return found
			}
			n++
			return "null"
		})
		text, got := withoutNaN([]byte(data))
		if string(text) != want || got != n {
			t.Fatalf("%q becomes %q with %d, want %q with %d", data, text, got, want, n)
		}
		replaced += n
	}
	if replaced < 100 {
		t.Errorf("%d numbers replaced", replaced)
	}
}
