package itemset

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// A list under an unknown key is taken only if it holds half of the text, and the error
// says how to take it.
func TestAListOfLittleTextIsNotTaken(t *testing.T) {
	const issues = `{"page":{"log":[{"speaker":"a","text":"x"}]},"report":"` + "a much longer text that is no part of the list" + `"}`
	for in, want := range map[string]string{
		issues: "a list of messages at .page.log[] holds less than half of its text: --at-path '.page.log[]' reads it",
		`[{"question":"which of them is it, of the two that are here?","choices":[{"text":"x"},{"text":"y"}]}]`: "a list of documents at .[].choices[] holds less than half of its text",
		`{"name":"a plug-in that sends mail and reads it","starters":{"all":[{"text":"send it"}]}}`:             "a list of documents at .starters.all[] holds less than half of its text",
		`["2.31-unstable","2.30","v2.29"]`:                            "no format recognised",
		`[{"question":"which is it?","correct_chunks":["id 1"]}]`:     "no format recognised",
		`{"env":[{"name":"A","val":"one"},{"name":"B","val":"two"}]}`: "the longest list is .env[] (2 objects, with the keys \"name\", \"val\"): --at-path '.env[]' reads it",
	} {
		musttest.Says(t, musttest.Refusal(Read(context.Background(), "f.json", []byte(in), Options{})), want, in)
	}
	l := mustRead(t, issues, Options{Fields: Fields{AtPath: "page.log[]"}})
	musttest.Is(t, outline(l), "Message: x")
	musttest.Says(t, l.Report.Summary(), ".report")
}

// Named fields are read wherever they stand, and what stood under their names is kept.
func TestNamedFields(t *testing.T) {
	const rows = `{"all":{"rows":[{"what":{"body":"one"},"rank":0.25,"when":"2025-01-02","key":"k1","who":"user","score":"high"},{"what":{"body":"two"},"rank":0.5,"when":"2025-01-03","key":"k2","who":"assistant"}]}}`
	l := mustRead(t, rows, Options{Fields: Fields{AtPath: ".all.rows[]", Text: "what.body", Score: "rank", Time: "when", ID: "key"}})
	it := l.Set.Item(1)
	if outline(l) != "Document: one\nDocument: two" || it.FutureRelevanceHint.Value != 1 || it.Metadata["id"] != "k2" || it.Timestamp.Value.Day() != 3 || l.Set.Item(0).Metadata["score_"] != "high" {
		t.Errorf("%s: %+v", outline(l), it)
	}
	l = mustRead(t, rows, Options{Fields: Fields{AtPath: ".all.rows[]", Text: "what.body", Role: "who", Time: "when"}})
	if it = l.Set.Item(1); outline(l) != "Message: one\nMessage: two" || it.Metadata["role"] != "assistant" || it.Timestamp.Value.Day() != 3 {
		t.Errorf("%s: %+v", outline(l), it)
	}
	for want, opts := range map[string]Options{
		`no element of the list has a field "body"`:       {Fields: Fields{AtPath: ".all.rows[]", Text: "body"}},
		`--at-path '.all.cols[]' names no list in it`:     {Fields: Fields{AtPath: "all.cols[]"}},
		`--at-path '.all.none[]' names no list in it`:     {Fields: Fields{AtPath: "all.none[]", Text: "what.body"}, Format: Documents},
		`the format "codex" has a list and fields of its`: {Fields: Fields{Text: "what"}, Format: Codex},
	} {
		musttest.Says(t, musttest.Refusal(Read(context.Background(), "f.json", []byte(rows), opts)), want)
	}
}

// Fields that are named wrongly, or missing in some of the rows, are told with the row and
// with what was found; the other rows are read.
func TestNamedFieldsThatAreWrong(t *testing.T) {
	const lines = `{"n":"a","say":"one","who":"user","when":"2025-01-01","rank":0.5}
{"n":"a","say":"two","who":"assistant","when":"never","rank":"x"}
{"n":"c","say":{"x":"three"},"who":{"name":"user"},"when":[1],"rank":{}}
{"n":true}`
	for name, c := range map[string]struct {
		in     string
		fields Fields
		want   string
		tells  []string
	}{
		"messages, a row a line": {lines, Fields{Text: "say", Role: "who", Time: "when", ID: "n"}, "Message: one\nMessage: two", []string{
			`1 row in which "when" (--time) is a string, not a time (line 2)`, `1 row in which "when" (--time) is an array, not a time (line 3)`, `1 row without "when" (--time) (line 4)`,
			`1 row with the "n" (--id) of an earlier one (line 2)`, `1 row in which "n" (--id) is a boolean, not a name or number (line 4)`,
			`1 row in which "who" (--role) is an object, not a text (line 3)`, `1 row in which "say" (--text) is an object, not a text (line 3)`, `1 row without "say" (--text) (line 4)`,
		}},
		"documents, a row a line": {lines, Fields{Text: "say", Score: "rank"}, "Document: one\nDocument: two", []string{
			`1 row in which "rank" (--score) is a string, not a number (line 2)`, `1 row in which "rank" (--score) is an object, not a number (line 3)`, `1 row without "rank" (--score) (line 4)`,
		}},
		"a list": {"[" + strings.ReplaceAll(lines, "\n", ",") + "]", Fields{Text: "say", Role: "who", ID: "n"}, "Message: one\nMessage: two", []string{
			`1 row with the "n" (--id) of an earlier one (record 2)`, `1 row without "say" (--text) (record 4)`,
		}},
		"what was taken from an object is not told as unread": {`[{"a":{"text":"one","b":{"who":"user"}}},{"a":{"text":"two","b":{"who":"user"},"more":"text"}}]`, Fields{Text: "a.text", Role: "a.b.who"},
			"Message: one\nMessage: two", []string{"not read: message.a (message 2)"}},
		"a field of the usual name is not taken for the named one": {`[{"content":"one","role":"user"},{"content":"two","role":"user","say":"said"}]`, Fields{Text: "say", Role: "role"},
			"Message: said", []string{`1 row without "say" (--text) (record 1)`}},
	} {
		l := mustRead(t, c.in, Options{Fields: c.fields})
		musttest.Is(t, outline(l), c.want, name)
		for _, line := range c.tells {
			if !slices.Contains(l.Report.Lines(), line) {
				t.Errorf("%s: %q is not told; %s", name, line, strings.Join(l.Report.Lines(), "\n"))
			}
		}
	}
}
