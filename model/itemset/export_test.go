package itemset

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestExports(t *testing.T) {
	chatgpt := `[{"title":"other","mapping":{"r":{"id":"r","message":null,"parent":null,"children":[]}},"current_node":"r"},
	{"title":"a race","create_time":1757000000.5,"current_node":"6","mapping":{
		"0":{"id":"0","message":null,"parent":null,"children":["1"]},
		"1":{"id":"1","message":{"id":"1","author":{"role":"system"},"content":{"content_type":"text","parts":[""]}},"parent":"0"},
		"2":{"id":"2","message":{"id":"2","author":{"role":"user"},"create_time":1757000001.5,"recipient":"all","content":{"content_type":"multimodal_text","parts":[
			{"content_type":"image_asset_pointer","asset_pointer":"file-service://file-1","size_bytes":400000},"fix it"]}},"parent":"1"},
		"2b":{"id":"2b","message":{"id":"2b","author":{"role":"assistant"},"create_time":1757000002,"content":{"content_type":"text","parts":["no"]}},"parent":"2"},
		"3":{"id":"3","message":{"id":"3","author":{"role":"assistant"},"create_time":1757000003,"recipient":"all","content":{"content_type":"thoughts","thoughts":[{"summary":"s","content":"hm"},{"summary":"s","content":"so"}]}},"parent":"2"},
		"4":{"id":"4","message":{"id":"4","author":{"role":"assistant"},"create_time":1757000004,"recipient":"python","content":{"content_type":"code","language":"python","text":"1+1"}},"parent":"3"},
		"5":{"id":"5","message":{"id":"5","author":{"role":"tool","name":"python"},"create_time":1757000005,"recipient":"all","content":{"content_type":"execution_output","text":"2"}},"parent":"4"},
		"6":{"id":"6","message":{"id":"6","author":{"role":"assistant"},"create_time":1757000006,"recipient":"all","content":{"content_type":"text","parts":["done"]}},"parent":"5"}}}]`
	claude := `[{"uuid":"1","name":"a race","created_at":"2025-10-01T10:00:00Z","chat_messages":[
		{"uuid":"m1","text":"fix it","content":[{"type":"text","text":"fix it"}],"sender":"human","created_at":"2025-10-01T10:00:00.5Z","attachments":[{"file_name":"a.go","file_size":9,"extracted_content":"package a"}],"files":[{"file_name":"b.png"}]},
		{"uuid":"m2","text":"","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"done"}],"sender":"assistant","created_at":"2025-10-01T10:00:02Z"}]}]`
	for _, c := range []struct {
		name, in string
		sel      int
		want     string
	}{
		{"ChatGPT", chatgpt, 2, "Message/opaque: [image, 400,000 bytes, \nMessage: fix it\nMessage/thinking: hm\nso\nMessage/toolCall: 1+1\nToolOutput/toolResult: 2\nMessage: done"},
		{"Claude", claude, 0, "Message: fix it\nDocument/document: package a\nMessage/thinking: hm\nMessage: done"},
	} {
		l := mustRead(t, c.in, Options{Select: c.sel})
		got := outline(l)
		if i := strings.Index(got, "bytes, "); i >= 0 {
			got = got[:i+7] + got[i+16:]
		}
		if got != c.want || l.SyntheticTimestamps || !l.Conversation {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.name, l.Format, got, c.want)
		}
	}
	l := mustRead(t, chatgpt, Options{Select: 2})
	if s := l.Report.Summary(); len(l.Pairs) != 1 || l.Set.Tokens(0) != 1000 || !strings.Contains(s, "1 message of other branches than the last") || l.Report.OpaqueBytes != 400000 {
		t.Errorf("pairs %v, %v tokens, %s", l.Pairs, l.Set.Tokens(0), s)
	}
	_, err := Read(context.Background(), "f", []byte(chatgpt), Options{})
	musttest.Says(t, err, `(1: title "other", 0 messages; 2: title "a race", 6 messages)`)
	circle := `{"title":"t","current_node":"a","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["x"]}},"parent":"a"}}}`
	musttest.Is(t, texts(mustRead(t, circle, Options{})), "x", "a circle")
}

// What is saved of a loaded conversation opens again as the same items: texts,
// kinds, times, where the counts come from, which result belongs to which call.
func TestConversationsAreSavedWhole(t *testing.T) {
	musttest.Alone(t)
	counted := `{"messages":[{"role":"user","content":[{"type":"text","text":"\u001b[31m\u202ex\u0000<&>"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},
		{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"42"}],
		"choices":[{"message":{"role":"assistant","content":"that is the answer"}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`
	own := map[string]string{"claude-code": session1, "codex": rollout1, "openai": counted}
	all := maps.Clone(own)
	for _, s := range formatSamples {
		all[s.name] = s.in
	}
	for name, in := range all {
		l := mustRead(t, in, Options{})
		saved := musttest.Of(MarshalScenario(model.Scenario{Items: l.Set, Policy: model.Presets()[0], Budget: mustBudget(1000)}))(t)
		again := mustRead(t, string(saved), Options{Strict: true})
		if again.Format != Scenario || again.Set.Len() != l.Set.Len() || !reflect.DeepEqual(again.Pairs, l.Pairs) || !reflect.DeepEqual(again.Pending, l.Pending) {
			t.Errorf("%s: %d items, pairs %v, pending %v", name, again.Set.Len(), again.Pairs, again.Pending)
		}
		kinds := map[model.Provenance]int{}
		for i := range l.Set.Len() {
			was, is := l.Set.Item(i), again.Set.Item(i)
			if len(was.Metadata) == 0 {
				was.Metadata = nil // what is empty is not written
			}
			musttest.Is(t, fmt.Sprintf("%#v", was), fmt.Sprintf("%#v", is), name, "item", i)
			kinds[is.Count]++
		}
		if _, is := own[name]; is && (kinds[model.Estimated] == 0 || kinds[model.Opaque] == 0 || name == "openai" && kinds[model.FromUsage] != 1) {
			t.Errorf("%s: counts %v", name, kinds)
		}
	}
}
