package turns

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

// originalCase is what originals.mjs reads: the messages of a request and the settings of
// the code that a preset follows.
type originalCase struct {
	Preset   string            `json:"preset"`
	Settings originalSettings  `json:"settings"`
	Messages []originalMessage `json:"messages"`

	want []originalItem // what ours leaves
}

func (c originalCase) parts() (n int) {
	for _, m := range c.Messages {
		n += len(m.Parts)
	}
	return n
}

type originalSettings struct {
	Trigger model.Tokens `json:"trigger"`
	Keep    int          `json:"keep"`
	Exclude []string     `json:"exclude"`
}

type originalMessage struct {
	Role  string         `json:"role"`
	Parts []originalPart `json:"parts"`
}

type originalPart struct {
	Item   int          `json:"item"`
	Kind   string       `json:"kind"` // text, call or result
	Call   string       `json:"call"`
	Tool   string       `json:"tool"`
	Tokens model.Tokens `json:"tokens"`
}

// originalItem is an item that is left, and whether it is cleared: two numbers in JSON.
type originalItem struct {
	item    int
	cleared bool
}

func (o *originalItem) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&o.item, &o.cleared})
}

// The presets of LangChain and of Vercel leave what the originals leave, at each of up to 40
// requests of a conversation. CUPELSCOPE_ORIGINALS is a folder in which npm has installed
// langchain and ai, CUPELSCOPE_CONVERSATIONS a pattern of recorded conversations; without it
// the conversations are random.
//
//	npm install --prefix DIR langchain@1.5.14 ai@6.0.326
func TestPresetsLeaveWhatTheirOriginalsLeave(t *testing.T) {
	folder := os.Getenv("CUPELSCOPE_ORIGINALS")
	if folder == "" {
		t.Skip("CUPELSCOPE_ORIGINALS is not set")
	}
	sessions := sessionsToCompare(t, os.Getenv("CUPELSCOPE_CONVERSATIONS"))
	compared, changed := 0, 0
	for name, s := range sessions {
		var cases []originalCase
		for k, preset := range []string{"langchain-clear", "langchain-clear", "langchain-clear", "vercel-prune", "vercel-prune"} {
			cases = append(cases, originalCases(t, s, preset, k)...)
		}
		in := musttest.Of(json.Marshal(cases))(t)
		node := exec.Command("node", filepath.Join("testdata", "originals.mjs"), musttest.Of(filepath.Abs(folder))(t))
		var failed bytes.Buffer
		node.Stdin, node.Stderr = bytes.NewReader(in), &failed
		out, err := node.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, failed.Bytes())
		}
		var answers [][]originalItem
		if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(cases) {
			t.Fatalf("%s: %d answers to %d cases, %v", name, len(answers), len(cases), err)
		}
		for k, c := range cases {
			compared++
			got := sortedItems(answers[k])
			if want := sortedItems(c.want); !slices.Equal(got, want) {
				t.Errorf("%s: %s %+v leaves %v, the original %v", name, c.Preset, c.Settings, want, got)
			}
			if slices.ContainsFunc(got, func(i originalItem) bool { return i.cleared }) || len(got) < c.parts() {
				changed++
			}
		}
	}
	t.Logf("%d conversations, %d windows, %d of them changed by the original", len(sessions), compared, changed)
	if changed < compared/4 {
		t.Errorf("the originals change %d of %d windows: too few to show anything", changed, compared)
	}
}

// originalCases returns what a preset leaves at some requests of a session, with the k-th of
// its settings. Requests with a result without a call are left out: the original drops it.
func originalCases(t *testing.T, s *History, preset string, k int) (cases []originalCase) {
	plan := musttest.Of(ParsePlan(preset))(t)
	total, tool := model.Tokens(0), ""
	for i := range s.Items().Len() {
		total += max(0, s.Items().Tokens(i))
		tool = cmp.Or(tool, s.Items().Tool(i))
	}
	settings := originalSettings{Trigger: total / model.Tokens(4+k), Keep: []int{3, 0, 1, 2, 5}[k], Exclude: []string{}}
	plan.Rule.Keep = settings.Keep
	if plan.Strategy == Clear {
		plan.Rule.Trigger = settings.Trigger - 1 // the original is also full at the number itself
		plan.Rule.Note = 0                       // it also clears what is smaller than the note
		if k == 2 && tool != "" {
			settings.Exclude = append(settings.Exclude, tool)
			plan.Rule.Exclude = settings.Exclude
		}
	}
	windows := musttest.Of(Windows(context.Background(), s, plan, musttest.Of(model.BudgetOf(1<<30))(t), Options{}))(t)
	some := min(40, len(windows))
	for n := range some {
		at := n * len(windows) / some
		messages, ok := originalMessages(s, s.requests[at])
		if !ok {
			continue
		}
		c := originalCase{Preset: preset, Settings: settings, Messages: messages}
		for _, part := range windows[at].sequence() {
			item, _ := itemOf(part)
			c.want = append(c.want, originalItem{item, isNote(part)})
		}
		cases = append(cases, c)
	}
	return cases
}

// originalMessages returns what could be sent at a request, and false if a result has no call.
func originalMessages(s *History, r Request) (messages []originalMessage, ok bool) {
	called, last := map[int]bool{}, int32(-1)
	for _, item := range s.come(r, 0) {
		i := int(item)
		if s.messages[i] != last {
			messages, last = append(messages, originalMessage{Role: "user"}), s.messages[i]
		}
		m := &messages[len(messages)-1]
		part := originalPart{Item: i, Kind: "text", Tool: cmp.Or(s.Items().Tool(i), "tool"), Tokens: s.Items().Tokens(i)}
		with, _ := s.Items().Partner(i)
		switch {
		case s.isResult(i):
			if !called[with] {
				return nil, false
			}
			part.Kind, part.Call = "result", fmt.Sprint(with)
			if m.Role == "user" {
				m.Role = "tool"
			}
		case s.isCall(i):
			part.Kind, part.Call, m.Role, called[i] = "call", fmt.Sprint(i), "assistant", true
		case s.log.Facts[i].Answer > 0:
			m.Role = "assistant"
		}
		m.Parts = append(m.Parts, part)
	}
	return messages, true
}

// sessionsToCompare returns the recorded conversations that match a pattern, or random ones.
func sessionsToCompare(t *testing.T, pattern string) map[string]*History {
	sessions := map[string]*History{}
	if pattern == "" {
		for seed := range uint64(30) {
			sessions[fmt.Sprint("random ", seed)] = musttest.Of(FromItems(randomCalls(t, rand.New(rand.NewPCG(seed, 81))), nil))(t)
		}
		return sessions
	}
	for _, file := range musttest.Of(filepath.Glob(pattern))(t) {
		l, err := itemset.Load(context.Background(), []string{file}, itemset.Options{History: true, Sidechains: true})
		if err != nil {
			t.Logf("%s is left out: %v", file, err)
			continue
		}
		s, err := FromItems(l.Set.WithPairs(l.Pairs...), l.Messages)
		if err != nil {
			t.Logf("%s is left out: %v", file, err)
			continue
		}
		sessions[file] = s
	}
	return sessions
}

// randomCalls is a conversation whose answers call up to three tools each.
func randomCalls(t *testing.T, rng *rand.Rand) *model.Set {
	var items []model.Item
	var pairs []model.Pair
	add := func(role, part string, kind model.Kind) int {
		n := len(items)
		items = append(items, model.Item{
			Content: fmt.Sprint("item ", n), Tokens: model.Tokens(1 + rng.IntN(300)), Kind: kind, Timestamp: model.Some(time.Unix(int64(n), 0)),
			Metadata: map[string]any{"role": role, "part": part, "tool": "read"},
		})
		return n
	}
	for range 5 + rng.IntN(20) {
		add("user", "", model.Message)
		for range rng.IntN(4) {
			var calls []int
			for range 1 + rng.IntN(3) {
				calls = append(calls, add("assistant", "toolCall", model.Message))
			}
			for _, call := range calls {
				pairs = append(pairs, model.Pair{Call: call, Result: add("tool", "", model.ToolOutput)})
			}
		}
		add("assistant", "", model.Message)
	}
	return musttest.Of(model.NewSet(items))(t).WithPairs(pairs...)
}

func sortedItems(items []originalItem) []originalItem {
	return slices.SortedFunc(slices.Values(items), func(a, b originalItem) int { return cmp.Compare(a.item, b.item) })
}
