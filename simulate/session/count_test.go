package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/tokens"
)

// piped is standard input that holds a text.
func piped(text string) Input { return Input{Reader: strings.NewReader(text)} }

func TestMethod(t *testing.T) {
	for _, c := range []struct {
		name, named string
		o           Options
		want        method
		note        string
	}{
		{"nothing is known", "", Options{}, method{Encoding: "o200k_base", Factor: 1}, ""},
		{"the source's model", "gpt-4-0613", Options{}, method{Encoding: "cl100k_base", Factor: 1}, ""},
		{"the model asked for", "gpt-4-0613", Options{Model: "openai/gpt-4o"}, method{Encoding: "o200k_base", Factor: 1}, ""},
		{"the encoding asked for", "gpt-4-0613", Options{Encoding: "p50k_base", Model: "gpt-4o"}, method{Encoding: "p50k_base", Factor: 1}, ""},
		{"another vendor's", "claude-sonnet-4-5", Options{}, method{Encoding: "o200k_base", StandIn: true, Factor: 1}, "of claude-sonnet-4-5 is not built in"},
		{"another vendor's, with a factor", "", Options{Model: "claude-sonnet-4-5", TokenFactor: "1.15"}, method{Encoding: "o200k_base", StandIn: true, Factor: 1.15}, "o200k_base times 1.15"},
		{"an unknown one in the source", "m-1", Options{}, method{Encoding: "o200k_base", StandIn: true, Factor: 1}, "the model m-1 is not known"},
		{"an unknown one, but an encoding", "m-1", Options{Encoding: "o200k_base"}, method{Encoding: "o200k_base", Factor: 1}, ""},
		{"characters in place of an encoding", "gpt-4", Options{Estimate: "chars/4"}, method{Encoding: "chars/4", StandIn: true, Factor: 1, perToken: 4}, "a token for each 4 characters, chars/4"},
		{"a factor alone", "", Options{TokenFactor: "2"}, method{Encoding: "o200k_base", StandIn: true, Factor: 2}, "o200k_base times 2"},
		{"a factor of a known model", "gpt-4", Options{TokenFactor: "1"}, method{Encoding: "cl100k_base", StandIn: true, Factor: 1}, "cl100k_base times 1"},
		{"overhead", "", Options{MessageOverhead: "3"}, method{Encoding: "o200k_base", Factor: 1, Overhead: 3}, ""},
	} {
		got, err := c.o.method(c.named)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		note := got.note()
		got.because, got.hint = "", ""
		if got != c.want || !strings.Contains(note, c.note) || (note == "") != (c.note == "") {
			t.Errorf("%s: %+v and %q, want %+v and %q", c.name, got, note, c.want, c.note)
		}
	}
}

func TestMethodRefuses(t *testing.T) {
	for flag, o := range map[string]Options{
		"--encoding": {Encoding: "utf-8"}, "--model": {Model: "gtp-4"}, "--token-factor": {TokenFactor: "0"}, "--token-factor: ": {TokenFactor: "NaN"},
		"--token-factor: \"1,15\"": {TokenFactor: "1,15"}, "--message-overhead": {MessageOverhead: "-1"}, "--estimate": {Estimate: "chars/0"}, "--estimate: ": {Estimate: "words/2"}, "--estimate counts": {Estimate: "chars/4", Encoding: "o200k_base"}, "--message-overhead: ": {MessageOverhead: "2k"},
	} {
		in := piped("[]")
		if _, err := Open(context.Background(), o, in); err == nil || !strings.HasPrefix(err.Error(), flag) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	_, err := Options{Model: "gtp-4"}.method("")
	if m, ok := errors.AsType[*tokens.ModelError](err); !ok || m.Name != "gtp-4" {
		t.Errorf("%v", err)
	}
}

// The estimates that the screen begins with are made like the counts.
func TestCountsWithFactorAndOverhead(t *testing.T) {
	const chat = `[{"role":"system","content":"hello world"},{"role":"assistant","content":"hello world","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"hello world"},{"role":"tool","tool_call_id":"2","content":"hello world"}]`
	in := piped(chat)
	opened := musttest.Of(Open(context.Background(), Options{Sources: []string{"-"}, TokenFactor: "10", MessageOverhead: "3"}, in))(t)
	for i, n := range []model.Tokens{23, 23, -1, 23, 23} {
		if got := opened.Set.Tokens(i); n > 0 && got != n || opened.Set.Count(i) != model.Estimated {
			t.Errorf("item %d begins as %v, want %v", i, got, n)
		}
	}
	var got []model.Recount
	musttest.Do(t, opened.Count(context.Background(), func(p tokens.Progress) { got = append(got, p.Recounts...) }))
	slices.SortFunc(got, func(a, b model.Recount) int { return a.Index - b.Index })
	for i, n := range []model.Tokens{23, 23, -1, 23, 23} {
		if r := got[i]; n > 0 && r.Tokens != n || r.Tokens%10 == 3 != (n > 0) || r.Count != model.Estimated {
			t.Errorf("item %d: %+v, want %v", i, r, n)
		}
	}
	if !slices.ContainsFunc(opened.Warnings, func(w string) bool { return strings.Contains(w, "o200k_base times 10") }) {
		t.Errorf("warnings %q", opened.Warnings)
	}
}

func TestItemsWithCountsKeepThem(t *testing.T) {
	in := piped(`[{"content":"a","tokens":7},{"content":"b","tokens":9,"kind":"Document"}]`)
	opened := musttest.Of(OpenCounted(context.Background(), Options{Sources: []string{"-"}, TokenFactor: "2", MessageOverhead: "3", Model: "claude"}, in))(t)
	if opened.Set.Total() != 16 || opened.Set.Count(0) != model.FromFile || slices.ContainsFunc(opened.Warnings, func(w string) bool { return strings.Contains(w, "times") }) {
		t.Errorf("%v tokens, %v, warnings %q", opened.Set.Total(), opened.Set.Count(0), opened.Warnings)
	}
}

// The factor is what the provider counted for answers over what the encoding
// counts for their texts.
func TestFactorIsMeasured(t *testing.T) {
	answers := func(n int, share float64) string {
		text := strings.Repeat("many words ", 50) // 100 tokens and a space
		count := model.Tokens(0)
		c, err := tokens.NewCounter("")
		if err == nil {
			count, _, err = c.Count(context.Background(), text)
		}
		musttest.Do(t, err)
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","timestamp":"2026-05-01T10:%02d:00Z","message":{"role":"user","content":"hello world"}}`+"\n", i, i)
			fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","timestamp":"2026-05-01T10:%02d:30Z","message":{"id":"m%d","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":%q}],"usage":{"input_tokens":9,"output_tokens":%d}}}`+"\n",
				i, i, i, text, int(float64(count)*share))
		}
		return b.String()
	}
	for _, c := range []struct {
		name   string
		o      Options
		in     string
		factor float64
		hint   string
	}{
		{"asked for", Options{TokenFactor: "auto"}, answers(9, 1.5), 1.495, "times 1.495 (measured on 9 answers with a count of their own, 909 tokens)"},
		{"not asked for", Options{}, answers(9, 1.5), 1, "(--token-factor scales them)"},
		{"too few", Options{TokenFactor: "auto"}, answers(2, 1.5), 1, "only 2 answers with a count of their own, 202 tokens"},
		{"of a public encoding", Options{TokenFactor: "auto", Model: "gpt-4o"}, answers(9, 1.5), 1, ""},
	} {
		in := piped(c.in)
		c.o.Sources = []string{"-"}
		opened, err := Open(context.Background(), c.o, in)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if m := opened.Method; math.Abs(m.Factor-c.factor) > 0.02 || !strings.Contains(m.note(), c.hint) || (m.note() == "") != (c.hint == "") {
			t.Errorf("%s: factor %v, %s", c.name, m.Factor, m.note())
		}
	}
}

func TestModelGivesTheWindow(t *testing.T) {
	text := `[{"role":"user","content":"` + strings.Repeat("many words ", 9000) + `"}]`
	for name, want := range map[string]model.Tokens{"gpt-4": 8_192, "gpt-3.5-turbo": 16_385} {
		in := piped(text)
		opened := musttest.Of(OpenCounted(context.Background(), Options{Sources: []string{"-"}, Model: name}, in))(t)
		if got := opened.Budget.MaxTokens(); got != want || !opened.Guessed {
			t.Errorf("%s: maxTokens %v, want %v", name, got, want)
		}
	}
}

// The screen counts after it has opened, a verb before: both guess alike, also
// where the estimate of the tokens is far off.
func TestScreenAndVerbsGuessAlike(t *testing.T) {
	for _, text := range []string{strings.Repeat("a ", 12_000), strings.Repeat("many words ", 4_000), strings.Repeat("=", 60_000)} {
		in := fmt.Sprintf(`[{"role":"user","content":%q},{"role":"user","content":"more"}]`, text)
		screen := musttest.Of(Open(context.Background(), Options{Sources: []string{"-"}}, piped(in)))(t)
		verb := musttest.Of(OpenCounted(context.Background(), Options{Sources: []string{"-"}}, piped(in)))(t)
		if screen.Budget.MaxTokens() != verb.Budget.MaxTokens() || !screen.Guessed || !verb.Guessed || verb.Set.Total() == screen.Set.Total() {
			t.Errorf("%.10q: %v of %v, and %v of %v tokens", text, screen.Budget.MaxTokens(), screen.Set.Total(), verb.Budget.MaxTokens(), verb.Set.Total())
		}
		if note := verb.GuessNote(); verb.AllFit != strings.HasSuffix(note, "enough for all items") || verb.AllFit != (verb.Set.Total() <= verb.Budget.MaxTokens()) {
			t.Errorf("%.10q: %s of %v tokens", text, note, verb.Set.Total())
		}
	}
}
