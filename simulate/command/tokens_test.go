package command

import (
	"context"
	"strings"
	"testing"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

const mixedCounts = `[{"content":"hello world"},{"content":"given","tokens":70,"kind":"Document"},{"content":"hello world, again","kind":"Document"},{"content":"neg","tokens":-5}]`

func tokensOf(t *testing.T, in string, o session.Options, opts tokensOptions) (out, diagnostics string) {
	t.Helper()
	o.Sources = []string{"-"}
	stdout, stderr, err := ran(writeTokens, in, o, opts)
	musttest.Do(t, err)
	return stdout, stderr
}

func TestTokensInJSON(t *testing.T) {
	out, _ := tokensOf(t, mixedCounts, session.Options{Model: "gpt-4", MessageOverhead: "3"}, tokensOptions{answerOptions: inJSON, Compare: []string{"p50k_base", "ALL"}})
	got := musttest.JSON[struct {
		Encoding        string
		Model           string
		Window          int
		TokenFactor     *float64
		MessageOverhead int
		TotalTokens     int
		TotalBytes      int
		Kinds           []struct {
			Kind          string
			Items, Tokens int
		}
		Counts []struct {
			Count         string
			Items, Tokens int
		}
		P50k  int `json:"p50k_base"`
		Items []struct {
			Index, Tokens, Bytes int
			Count                string
			P50k                 int `json:"p50k_base"`
			O200k                int `json:"o200k_base"`
		}
	}](t, out)
	if got.Encoding != "cl100k_base" || got.Model != "gpt-4" || got.Window != 8192 || got.TokenFactor != nil || got.MessageOverhead != 3 || got.TotalBytes != 11+5+18+3 {
		t.Errorf("%+v", got)
	}
	for i, want := range []struct {
		tokens int
		count  string
	}{{5, "counted"}, {70, "given"}, {4, "counted"}, {-5, "given"}} { // a document is no message
		if it := got.Items[i]; it.Index != i || it.Tokens != want.tokens || it.Count != want.count || it.P50k < 1 || it.O200k < 1 {
			t.Errorf("item %d: %+v, want %+v", i, it, want)
		}
	}
	items, tokens := 0, 0
	for _, k := range got.Kinds {
		items, tokens = items+k.Items, tokens+k.Tokens
	}
	if items != 4 || tokens != got.TotalTokens || got.TotalTokens != 74 || got.Kinds[0].Kind != "Document" || got.Kinds[0].Tokens != 74 {
		t.Errorf("kinds %+v of %d tokens", got.Kinds, got.TotalTokens)
	}
	if len(got.Counts) != 2 || got.Counts[0].Count != "given" || got.Counts[0].Tokens != 65 || got.Counts[1].Tokens != 9 {
		t.Errorf("counts %+v", got.Counts)
	}
	musttest.Is(t, got.P50k, got.Items[0].P50k+got.Items[1].P50k+got.Items[2].P50k+got.Items[3].P50k, "p50k_base")
}

func TestTokensSayWhatTheyAre(t *testing.T) {
	for _, c := range []struct {
		name, in         string
		o                session.Options
		out, diagnostics string
	}{
		{"exact", mixedCounts, session.Options{}, "is counted with o200k_base\n", ""},
		{"a stand-in", mixedCounts, session.Options{Model: "claude-sonnet-4-5", TokenFactor: "1.5"}, "is estimated as o200k_base times 1.5\n", "the encoding of claude-sonnet-4-5 is not built in"},
		{"the window", mixedCounts, session.Options{Model: "gpt-4"}, "of the window of gpt-4, 8,192", ""},
		{"nothing counted", `[{"content":"a","tokens":1}]`, session.Options{}, "1 item, 1 token\n", ""},
		{"nothing but zeros", `[{"content":"a","tokens":0}]`, session.Options{}, "  given  0 tokens      -  1 item", ""},
		{"hardly any of a kind", `[{"content":"a","tokens":1,"kind":"Memory"},{"content":"b","tokens":9999}]`, session.Options{}, "  Memory       1 token   <0.1 %  1 item", ""},
		{"overhead", mixedCounts, session.Options{MessageOverhead: "4"}, "o200k_base, 4 more for each message", ""},
	} {
		out, diagnostics := tokensOf(t, c.in, c.o, tokensOptions{})
		if !strings.Contains(out, c.out) || !strings.Contains(diagnostics, c.diagnostics) || (c.diagnostics == "") != (diagnostics == "") {
			t.Errorf("%s:\n%s%s", c.name, out, diagnostics)
		}
	}
}

func TestOpaquePayloadsAreNotCompared(t *testing.T) {
	const chat = `[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAAAAAA"}}]}]`
	out, _ := tokensOf(t, chat, session.Options{}, tokensOptions{answerOptions: answerOptions{Output: "csv"}, Compare: []string{"o200k_base"}})
	if !strings.Contains(out, ",opaque,37,") || !strings.Contains(out, `,,"[image`) && !strings.Contains(out, ",,[image") {
		t.Error(out)
	}
}

// The sums are those of the items, whatever is in the set.
func TestTalliesAddUp(t *testing.T) {
	s, _, _ := streams("")
	for _, name := range fixtures.Names() {
		opened := musttest.Of(session.OpenCounted(context.Background(), session.Options{Fixture: name}, s.input()))(t)
		c := &census{study: study{Opened: opened}}
		for what, of := range map[string]func(int) string{"kind": c.kind, "count": c.provenance} {
			items, tokens := 0, model.Tokens(0)
			for _, tally := range c.tally(of) {
				items, tokens = items+tally.Items, tokens+tally.Tokens
			}
			musttest.Is(t, items, opened.Set.Len(), name, "by", what)
			musttest.Is(t, tokens, opened.Set.Total(), name, "by", what)
		}
	}
}

func TestTokensVerify(t *testing.T) {
	musttest.Alone(t)
	long := strings.Repeat("a", 10_001)
	in := `[{"content":"hello world"},{"content":"given","tokens":70},{"content":"` + long + `"}]`
	out, diagnostics := tokensOf(t, in, session.Options{}, tokensOptions{answerOptions: inJSON, Compare: []string{"r50k_base"}, Verify: true})
	got := musttest.JSON[struct{ Verified []verification }](t, out)
	musttest.Is(t, len(got.Verified), 2, out)
	for k, v := range got.Verified {
		if v.Encoding != [...]string{"o200k_base", "r50k_base"}[k] || v.Texts != 2 || len(v.Differences) != 0 || len(v.Unverified) != 1 || v.Unverified[0] != 2 {
			t.Errorf("%+v", v)
		}
	}
	if strings.Contains(diagnostics, "tiktoken-go") {
		t.Errorf("said twice: %s", diagnostics)
	}
	out, _ = tokensOf(t, in, session.Options{}, tokensOptions{Verify: true})
	if !strings.Contains(out, "not verified, because a run of more than 10,000 characters has no break: #2") || !strings.Contains(out, "o200k_base, counted again with tiktoken-go: 2 texts, no difference") {
		t.Error(out)
	}
	out, _ = tokensOf(t, in, session.Options{}, tokensOptions{answerOptions: inJSON})
	if strings.Contains(out, "verified") {
		t.Errorf("said without being asked: %s", out)
	}
}

// No text is known for which the counts differ, so that one is made up.
func TestDifferingCountsAreNamed(t *testing.T) {
	s, _, diagnostics := streams("")
	c := census{verified: []verification{
		{Encoding: "o200k_base", Texts: 3},
		{Encoding: "r50k_base", Texts: 2, Differences: []countDifference{{Index: 1, Tokens: 1200, Tiktoken: 1201}}},
	}}
	err := c.differing()
	if !ends(err, Failed) || err.Error() != "1 of 5 counts differ from those of tiktoken-go" {
		t.Fatal(err)
	}
	for _, v := range c.verified {
		s.sayAll(v.lines())
	}
	const want = "cupelscope: o200k_base, counted again with tiktoken-go: 3 texts, no difference\n" +
		"cupelscope: r50k_base, counted again with tiktoken-go: 2 texts, 1 difference\n" +
		"cupelscope:   #1: 1,200 tokens, tiktoken-go counts 1,201\n"
	musttest.Is(t, diagnostics.String(), want, diagnostics)
}
