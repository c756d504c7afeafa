package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
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

// Whatever items, names and flags hold, no verb writes it to a terminal.
func TestNoVerbWritesWhatIsHostile(t *testing.T) {
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
	name := "s\x1b[2J\u202e\u009b.json"
	for path, v := range map[string]any{name: scenario, "chat\x1b]0;t\a.json": []object{{"role": hostile, "content": hostile}, {"role": "user", "content": hostile, "name": hostile},
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
	for _, name := range append(names, "gone"+hostile, "-") {
		for n, form := range model.Names(export.Forms()) {
			for _, ascii := range []bool{false, true} {
				if testing.Short() && ascii != (n%2 == 0) {
					continue
				}
				a := answerOptions{Output: form, Verbose: !ascii, ASCII: ascii}
				study := studyOptions{answerOptions: a}
				o := session.Options{Sources: []string{name}}
				cut := o
				cut.Shrink = []string{"*=4,note"}
				verbs := map[string]func(context.Context, Streams) error{
					"sizes": func(ctx context.Context, s Streams) error {
						return writeReport(ctx, cut, reportOptions{answerOptions: a}, s)
					},
					"page": func(ctx context.Context, s Streams) error {
						page := "page.html" // whose texts are no terminal's, but stand in one who prints it
						err := writeReport(ctx, cut, reportOptions{answerOptions: answerOptions{Verbose: !ascii}, HTML: page, Content: true}, s)
						if text, readErr := os.ReadFile(page); readErr == nil {
							_, err = s.Out.Write(text)
							_ = os.Remove(page)
						}
						return err
					},
					"turns": func(ctx context.Context, s Streams) error {
						return writeTurns(ctx, o, turnsOptions{answerOptions: a, Included: form == "csv", Plans: []string{"clear:trigger=1,keep=0"}, At: "50%"}, s)
					},
					"no plan": func(ctx context.Context, s Streams) error {
						return writeTurns(ctx, o, turnsOptions{answerOptions: a, Plans: []string{"clear:exclude=" + hostile, hostile}}, s)
					},
					"a weight": func(ctx context.Context, s Streams) error {
						return profileOver(ctx, o, profileOptions{studyOptions: study, Over: "output-reserve"}, s)
					},
					"no number": func(ctx context.Context, s Streams) error {
						return sweepOver(ctx, o, sweepOptions{studyOptions: study, Over: "slot:" + hostile}, s)
					},
					"runs": func(ctx context.Context, s Streams) error { return writeRuns(ctx, o, runsOptions{a}, s) },
					"sessions": func(ctx context.Context, s Streams) error {
						return writeSessions(ctx, sessions.Places{Home: home}, a, s)
					},
					"report": func(ctx context.Context, s Streams) error {
						return writeReport(ctx, o, reportOptions{answerOptions: a}, s)
					},
					"min-budget": func(ctx context.Context, s Streams) error {
						return writeMinBudgets(ctx, o, minBudgetOptions{studyOptions: study}, s)
					},
					"profile": func(ctx context.Context, s Streams) error {
						return writeProfile(ctx, o, profileOptions{studyOptions: study}, s)
					},
					"marginal": func(ctx context.Context, s Streams) error { return marginal(ctx, o, study, s) },
					"sweep": func(ctx context.Context, s Streams) error {
						return writeSweep(ctx, o, sweepOptions{studyOptions: study}, s)
					},
					"tokens": func(ctx context.Context, s Streams) error {
						return writeTokens(ctx, o, tokensOptions{answerOptions: a}, s)
					},
					"by kind": func(ctx context.Context, s Streams) error {
						return writeTokens(ctx, o, tokensOptions{answerOptions: a, By: "kind"}, s)
					},
					"check": func(ctx context.Context, s Streams) error { return check(ctx, o, checkOptions{answerOptions: a}, s) },
					"compare": func(ctx context.Context, s Streams) error {
						return compare(ctx, o, compareOptions{answerOptions: a, A: "greedy", B: "knapsack:1", Worst: 5}, s)
					},
					"no policy": func(ctx context.Context, s Streams) error {
						return compare(ctx, o, compareOptions{answerOptions: a, A: hostile, B: "own"}, s)
					},
					"no format": func(ctx context.Context, s Streams) error {
						return writeReport(ctx, session.Options{Sources: o.Sources, Format: hostile}, reportOptions{}, s)
					},
					"no item": func(ctx context.Context, s Streams) error {
						return writeProfile(ctx, o, profileOptions{studyOptions: studyOptions{answerOptions: a, Items: []string{"kind:" + hostile, `"` + hostile}}}, s)
					},
					"no slot": func(ctx context.Context, s Streams) error {
						return writeReport(ctx, session.Options{Sources: o.Sources, Slots: []string{hostile + "=x"}}, reportOptions{}, s)
					},
					"no such policy": func(ctx context.Context, s Streams) error {
						return writeReport(ctx, session.Options{Sources: o.Sources, Policy: hostile}, reportOptions{}, s)
					},
				}
				for verb, run := range verbs {
					var out, diagnostics bytes.Buffer
					err := run(context.Background(), Streams{In: bytes.NewReader([]byte(hostile)), Out: &out, Err: &diagnostics, Now: func() time.Time { return time.Time{} }})
					if err == nil && out.Len() == 0 {
						t.Errorf("%s of %q as %s: nothing was written", verb, name, form)
					}
					for where, text := range map[string]string{"answer": out.String(), "diagnostics": diagnostics.String()} {
						if why := unsafe(text); why != "" {
							t.Errorf("%s of %q as %s, %s: %s", verb, name, form, where, why)
						}
					}
				}
			}
		}
	}
}

// The id of a line comes back as it was, so far as that is harmless.
func TestNoLineOfABatchAnswersWhatIsHostile(t *testing.T) {
	line := `{"id": "a` + "\u009b31m\x9b\u202e\u2066\x7f" + `b", "query": {"op": "%s"}, "items": [{"content": "a", "tokens": 5, "kind": "k` + "\u202e\u0085" +
		`"}], "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 9, "reservedSlots": {"k` + "\u202e\u009b" + `": 1}}}` + "\n"
	var in, out, diagnostics bytes.Buffer
	for _, op := range []string{"dryRun", "marginal", "minBudget", "profile", "x\u202e\u009b"} {
		fmt.Fprintf(&in, line, op)
	}
	in.WriteString("{\"id\": \"\u202e\u009b\"\n\xff\u202e\n")
	musttest.Do(t, answerBatch(context.Background(), session.Options{}, batchOptions{Verbose: true}, Streams{In: &in, Out: &out, Err: &diagnostics}))
	if why := unsafe(out.String() + diagnostics.String()); why != "" {
		t.Error(why)
	}
	if first, _, _ := bytes.Cut(out.Bytes(), []byte("\n")); !json.Valid(first) || !bytes.HasPrefix(first, []byte(`{"id":"a\u009b31m�\u202e\u2066\u007fb"`)) {
		t.Errorf("the id is answered as %.80q", first)
	}
}
