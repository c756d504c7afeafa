package turns

import (
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// A compaction names what was read again, by which sign, within the requests asked for.
func TestCompactionsFindWhatCameAgain(t *testing.T) {
	long := strings.Repeat("text ", 30)
	item := func(kind model.Kind, part, tool, content string, tokens model.Tokens) model.Item {
		return model.Item{Kind: kind, Content: content, Tokens: tokens, Metadata: map[string]any{"part": part, "tool": tool}}
	}
	call := func(tool, content string) model.Item { return item(model.Message, "toolCall", tool, content, 3) }
	result := func(content string, tokens model.Tokens) model.Item {
		return item(model.ToolOutput, "toolResult", "", content, tokens)
	}
	items := []model.Item{
		{Content: "ask", Tokens: 5},
		call("Read", `{"file_path": "a.go", "offset": 1}`), result(long+"a", 50),
		call("Bash", `{"command": "go test"}`), result("ok", 2),
		call("Read", `{"file_path": "b.go"}`), result(long+"b", 60),
		{Content: "what was done", Kind: model.Memory, Tokens: 9}, // 7: everything before it goes
		call("Read", `{"file_path": "a.go", "offset": 9}`), result("other", 40),
		call("Edit", `{"file_path": "a.go"}`), result("ok", 2),
		call("Bash", `{"command": "go test"}`), result("fails", 30),
		call("Bash", `{"command": "cat b.go"}`), result(long+"b", 60),
		{Content: "end", Tokens: 1},
	}
	facts := make([]fact, len(items))
	var pairs []model.Pair
	for i := range items {
		if items[i].Metadata["part"] == "toolCall" {
			pairs = append(pairs, model.Pair{Call: i, Result: i + 1})
			facts[i].Answer = len(pairs)
		}
		if i < 7 {
			facts[i].Gone = 7
		}
	}
	s := musttest.Of(newHistory(transcript{Items: newSet(t, items...).WithPairs(pairs...), Facts: facts}))(t)
	for within, want := range map[int][]Again{
		20: {{8, 1, 4, "same path", 43}, {12, 3, 6, "same call", 33}, {15, 6, 7, "same text", 60}},
		1:  {{8, 1, 4, "same path", 43}},
		0:  nil,
	} {
		all := s.Compactions(within)
		if len(all) != 1 {
			t.Fatalf("%d compactions: %+v", len(all), all)
		}
		c := all[0]
		if c.Request != 3 || c.Gone != 7 || c.Summary != 9 || c.After != 9 || c.Before != 126 || !slices.Equal(c.Again, want) {
			t.Errorf("within %d: %+v, want again %+v", within, c, want)
		}
	}
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	for k := range 7 { // the calls of Bash and of b.go fit beside each other
		items[k].FutureRelevanceHint = model.Some([...]float64{0, .2, 0, .9, 0, .8, 0}[k])
	}
	s = musttest.Of(newHistory(transcript{Items: newSet(t, items...).WithPairs(pairs...), Facts: facts}))(t)
	c := s.Compactions(20)[0]
	musttest.Is(t, musttest.Of(s.KeptBy(t.Context(), policy, c))(t), Kept{Items: 3, Tokens: 9, Again: 2})
	items[2].Pinned = true
	s = musttest.Of(newHistory(transcript{Items: newSet(t, items...).WithPairs(pairs...), Facts: facts}))(t)
	if kept, err := s.KeptBy(t.Context(), policy, s.Compactions(20)[0]); err != nil || kept.Err == nil || kept.Items != 0 {
		t.Errorf("%+v, %v: want that the pinned item does not fit", kept, err)
	}
	items[2].Pinned = false
	items[7].Kind = model.Message // a rewind leaves no summary
	musttest.Is(t, len(musttest.Of(newHistory(transcript{Items: newSet(t, items...).WithPairs(pairs...), Facts: facts}))(t).Compactions(20)), 0)
}
