package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/export"
)

// hostile does to a terminal what texts can do to it.
const hostile = "x\x1b[2J\x1b]52;c;eA==\a\x1b]0;t\x07\u009b31m\u0085\x00\b\r\x7f\u202egnp.\u2066\u200f\u200b\u2028\ufeff\U000e0041e\u0301\u0301\u0301\xff世界"

// unsafe is the first thing in a text that a terminal does not simply show; ""
// if there is none. JSON and texts for people have the same rule: \n and \t are
// all the controls that there are.
func unsafe(text string) string {
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !utf8.ValidString(text[i:min(len(text), i+3)]) && text[i] != 0xef:
			return fmt.Sprintf("invalid UTF-8 in %.60q", text[i:])
		case r == '\n', r == '\t':
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return fmt.Sprintf("%U before %.60q", r, text[max(0, i-20):min(len(text), i+40)])
		}
	}
	return ""
}

// hostileLines are command lines of which HOSTILE is replaced, and SOURCE is a name.
var hostileLines = []string{
	"report SOURCE -v", "min-budget SOURCE -v", "profile SOURCE -v", "marginal SOURCE -v", "sweep SOURCE -v", "tokens SOURCE -v", "tokens SOURCE --by kind", "check SOURCE -v",
	"report SOURCE --shrink *=4,note", "compare greedy knapsack:1 SOURCE --worst 5", "turns SOURCE --plan clear:trigger=1,keep=0 --at 50%", "runs SOURCE", "sessions",
	"profile SOURCE --over output-reserve", "sweep SOURCE --over slot:HOSTILE", "turns SOURCE --plan clear:exclude=HOSTILE --plan HOSTILE", "turns SOURCE --map trigger=1+2,keep --at 50%", "turns SOURCE --map HOSTILE,trigger=HOSTILE", "compare HOSTILE own SOURCE",
	"report SOURCE --format HOSTILE", "profile SOURCE --item kind:HOSTILE --item \"HOSTILE", "report SOURCE --slot HOSTILE=x", "report SOURCE --policy HOSTILE", "report SOURCE --HOSTILE",
}

// Whatever items, names and flags hold, no verb writes it to a terminal.
func TestNoVerbWritesWhatIsHostile(t *testing.T) {
	musttest.Alone(t)
	t.Chdir(t.TempDir())
	type object = map[string]any
	var items []object
	for i := range 12 {
		items = append(items, object{"content": fmt.Sprint(hostile, i/2), "tokens": 10 + i, "kind": hostile + "k", "source": hostile + "s", "tags": []string{hostile},
			"metadata": object{hostile: hostile}, "futureRelevanceHint": float64(i) / 12, "pinned": i == 3})
	}
	scenario := object{"name": hostile, "items": items, "budget": object{"maxTokens": 90, "reservedSlots": object{hostile + "k": 5}}, "slackTokens": 20,
		"policy": object{"name": hostile, "description": hostile, "scorers": []object{{"type": "reflexive", "weight": 1}, {"type": "tag", "weight": 1, "tagWeights": object{hostile: 2}}}},
		"checks": []object{{"name": hostile, "require": "kind:" + hostile}, {"staysBy": 50, "for": "#3"}}}
	name, many := "s\x1b[2J\u202e\u009b.json", "runs\u009b.json"
	search := object{"query": hostile, "results": []object{{"text": hostile, "score": 0.5, "metadata": object{hostile: hostile}}, {"text": hostile + "b", "score": 0.4}}}
	for path, v := range map[string]any{name: scenario, many: []object{search, search}, "chat\x1b]0;t\a.json": []object{{"role": hostile, "content": hostile}, {"role": "user", "content": hostile, "name": hostile},
		{"role": "assistant", "content": "", "tool_calls": []object{{"id": hostile, "function": object{"name": hostile, "arguments": hostile}}}}, {"role": "tool", "tool_call_id": hostile, "content": hostile}}} {
		data, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			t.Skipf("no file of this name can be made here: %v", err)
		}
	}
	names := musttest.Of(filepath.Glob("*.json"))(t)
	home := t.TempDir()
	chats := filepath.Join(home, ".qwen", "projects", hostile[:9], "chats")
	musttest.Do(t, os.MkdirAll(chats, 0o700))
	text := musttest.Of(json.Marshal(object{"type": "user", "cwd": hostile, "message": object{"role": "user", "parts": []object{{"text": hostile}}}}))(t)
	musttest.Do(t, os.WriteFile(filepath.Join(chats, "1\x1b[2J.jsonl"), text, 0o600))
	run := func(line, name string, more ...string) (code int, out string) {
		t.Helper()
		args := append(strings.Fields(line), more...)
		for k := range args {
			args[k] = strings.NewReplacer("HOSTILE", hostile, "SOURCE", name).Replace(args[k])
		}
		var answer, diagnostics bytes.Buffer
		p := command.Program{Screen: clitest.Explorer{}.Screen(), Sessions: sessions.Places{Home: home},
			Streams: command.Streams{In: strings.NewReader(hostile), Out: &answer, Err: &diagnostics, Now: func() time.Time { return time.Time{} }}}
		code = p.Run(t.Context(), args)
		for where, text := range map[string]string{"answer": answer.String(), "diagnostics": diagnostics.String()} {
			musttest.Is(t, unsafe(text), "", line, "of", name, "with", more, where)
		}
		return code, answer.String()
	}
	answers := map[string]bool{"page": false, "runs": false}
	for _, name := range append(names, "gone"+hostile, "-") {
		for n, form := range model.Names(export.Forms()) {
			for k, line := range hostileLines {
				more := []string{"-o", form}
				if (n+k)%2 == 0 && !strings.HasPrefix(line, "sessions") {
					more = append(more, "--ascii")
				}
				if form == "csv" && strings.HasPrefix(line, "turns") {
					more = append(more, "--included")
				}
				code, out := run(line, name, more...)
				if code == command.Fine && out == "" {
					t.Errorf("%s of %q as %s: nothing was written", line, name, form)
				}
				answers[line] = answers[line] || out != ""
				answers["runs"] = answers["runs"] || name == many && out != "" && strings.HasPrefix(line, "compare greedy")
			}
		}
		// The texts of a page are no terminal's, but stand in one who prints it.
		run("report SOURCE --shrink *=4,note --content --html page.html", name)
		if text, err := os.ReadFile("page.html"); err == nil {
			answers["page"] = true
			musttest.Is(t, unsafe(string(text)), "", "the page of", name)
			musttest.Do(t, os.Remove("page.html"))
		}
	}
	for line, answered := range answers {
		if !answered && !strings.Contains(line, "HOSTILE") {
			t.Errorf("%s answers nothing", line)
		}
	}
}

// The id of a line comes back as it was, so far as that is harmless.
func TestNoLineOfABatchAnswersWhatIsHostile(t *testing.T) {
	line := `{"id": "a` + "\u009b31m\x9b\u202e\u2066\x7f" + `b", "query": {"op": "%s"}, "items": [{"content": "a", "tokens": 5, "kind": "k` + "\u202e\u0085" +
		`"}], "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 9, "reservedSlots": {"k` + "\u202e\u009b" + `": 1}}}` + "\n"
	var in strings.Builder
	for _, op := range []string{"dryRun", "marginal", "minBudget", "profile", "x\u202e\u009b"} {
		fmt.Fprintf(&in, line, op)
	}
	in.WriteString("{\"id\": \"\u202e\u009b\"\n\xff\u202e\n")
	_, out, diagnostics := clitest.Run(in.String(), "batch", "-v")
	musttest.Is(t, unsafe(out+diagnostics), "")
	if first, _, _ := strings.Cut(out, "\n"); !json.Valid([]byte(first)) || !strings.HasPrefix(first, `{"id":"a\u009b31m�\u202e\u2066\u007fb"`) {
		t.Errorf("the id is answered as %.80q", first)
	}
}
