package itemset

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// However many ways there are to be wrong, each record is counted, the entries
// stay few, and so a record costs no more than the one before it.
func TestReasonsAreBounded(t *testing.T) {
	const reasons, times = 200, 3
	var r Report
	for range times {
		for i := range reasons {
			for _, outcome := range []Outcome{Skipped, LeftOut, Changed} {
				r.add(outcome, fmt.Sprintf("reason %d", i), fmt.Sprintf("line %d", i))
			}
		}
	}
	if n := len(r.Entries); n > 3*(maxReasons+1) {
		t.Errorf("%d entries, want at most %d and one more for each outcome", n, maxReasons)
	}
	for _, outcome := range []Outcome{Skipped, LeftOut, Changed} {
		musttest.Is(t, r.Count(outcome), times*reasons, "outcome", outcome, "counts")
	}
}

func TestDistinctUnknownTypesAreFewEntries(t *testing.T) {
	const rows = 5000
	var in strings.Builder
	in.WriteString(`{"type":"user","uuid":"a","timestamp":"2025-01-01","message":{"role":"user","content":"hi"}}` + "\n")
	for i := range rows {
		fmt.Fprintf(&in, "{\"type\":\"t%d\",\"uuid\":\"u\"}\n", i)
	}
	l := mustRead(t, in.String(), Options{Format: ClaudeCode})
	if n := len(l.Report.Entries); n > maxReasons+1 || l.Report.Count(Skipped) != rows {
		t.Errorf("%d entries for %d records, want at most %d for %d", n, l.Report.Count(Skipped), maxReasons+1, rows)
	}
}

// Where several sources are damaged alike, the summary says so in plain words, and where.
func TestDamageOfSeveralSources(t *testing.T) {
	for sources, want := range map[int]string{
		1: "damaged: last line ends early (line 2)",
		2: "damaged: last line ends early, 2 times (a line 2, b line 2)",
		6: "damaged: last line ends early, 6 times (a line 2, b line 2, c line 2, d line 2, e line 2, ...)",
	} {
		t.Chdir(t.TempDir())
		names := strings.Split("abcdef", "")[:sources]
		for _, name := range names {
			put(t, name, `{"role":"user","content":"one"}`+"\n"+`{"role":"us`, 0o600)
		}
		l := mustLoad(t, Options{}, names...)
		told, _, _ := strings.Cut(l.Report.Summary(), ";")
		musttest.Is(t, told, want)
		musttest.Is(t, strings.Contains(strings.Join(l.Report.Lines(), "\n"), "\n"+want), true, l.Report.Lines())
	}
}

func TestReasonsOfOneRecord(t *testing.T) {
	for reason, want := range map[string]string{
		"timestamps not understood, left out": "1 timestamp not understood, left out",
		"empty messages":                      "1 empty message",
		"messages without a timestamp":        "1 message without a timestamp",
		"system prompts or tools without a timestamp, given the first that there is":               "1 system prompt or tool without a timestamp, given the first that there is",
		"answers whose usage cannot be the count of their text, which is estimated instead":        "1 answer whose usage cannot be the count of its text, which is estimated instead",
		"scores that are not finite numbers, left out":                                             "1 score that is not a finite number, left out",
		"blocks that repeat one of an earlier row of their message, left out":                      "1 block that repeats one of an earlier row of its message, left out",
		"documents without a score among others that have one":                                     "1 document without a score among others that have one",
		"compactions that do not say what they left: the user's messages and the summary are kept": "1 compaction that does not say what it left: the user's messages and the summary are kept",
		`attachment rows of type "messages that are"`:                                              `1 attachment row of type "messages that are"`,
		"document ends early":                   "1 document ends early",
		"not JSON":                              "1 not JSON",
		"":                                      "1 ",
		"rows that appear twice, by their uuid": "1 row that appears twice, by its uuid",
		"messages that":                         "1 message that",
	} {
		musttest.Is(t, CountReason(1, reason), want, reason)
		musttest.Is(t, CountReason(2000, reason), "2,000 "+reason, reason)
	}
}

const forced = "--format NAME forces another: items, openai, claude-code, documents, text, or one that report --help lists"

const noDocument = `f: no usable item: the result set holds no document; it was taken for the format "documents"; expected documents with page_content`

// What cannot be read is answered with where it breaks, what it was taken for,
// what was expected and what to do.
func TestWrongInput(t *testing.T) {
	for _, c := range []struct {
		name, in string
		format   Format
		want     []string
	}{
		{"prose", "hello\nworld", "", []string{"no format recognised in it: line 1, column 1: invalid character 'h' looking for beginning of value", "expected items (an array", forced}},
		{"empty", "", "", []string{"f: no usable item: the file is empty"}},
		{"blank", "\xef\xbb\xbf \n\t\r\n", "", []string{"f: no usable item: the file is empty"}},
		{"no content anywhere", `[{"content":""},{"content":""}]`, "", []string{`2 records: 2 items without content; it was taken for the format "items"`}},
		{"a result set of nothing", `{"results":[]}`, "", []string{noDocument}},
		{"no documents", `{"query":"q","documents":[]}`, "", []string{noDocument}},
		{"columns without documents", `{"ids":[["1"]],"documents":null,"distances":[[1]]}`, "", []string{noDocument}},
		{"columns of nothing", `{"documents":[[]],"ids":[[]]}`, "", []string{noDocument}},
		{"broken JSON", "{\n  \"a\": [1,\n  2}\n}", "", []string{"no format recognised in it: line 3, column 4: invalid character '}' after array element"}},
		{"JSON that ends early", "{\"a\":\n{\"b\": 1", "", []string{"line 2, column 7: it ends early"}},
		{"an object of something else", "\n\n {\"name\":\"x\",\"version\":1}", "", []string{`line 3, column 2 has an object with the keys "name", "version"`}},
		{"an empty object", "{}", "", []string{"line 1, column 1 has an object without any key"}},
		{"numbers", "[\n1,2]", "", []string{"line 2, column 1 has a number"}},
		{"characters of several bytes", `{"é": "ü" 1}`, "", []string{"line 1, column 11: invalid character '1'"}},
		{"a zip archive", "PK\x03\x04....", "", []string{"it is a zip archive: unpack it first"}},
		{"gzip", "\x1f\x8b\x08", "", []string{"it is compressed with gzip: unpack it first"}},
		{"broken messages", "[{\"role\":\"user\"\n,\"content\":\"x\" \"y\"}]", OpenAI, []string{`f, line 2, column 16: not JSON: invalid character '"' after object key:value pair`}},
		{"a broken message of a request", "{\"model\":\"m\",\n\"messages\":[\n{\"role\":\"user\",\"content\":\"x\" \"y\"}]}", OpenAI, []string{`f, line 3, column 30: not JSON: invalid character '"' after object key:value pair`}},
		{"a broken message of the second request", "{\"id\":1}\n{\"messages\":[{\"role\":\"user\",}]}\n", OpenAI, []string{`line 2, column 29: invalid character '}'`}},
		{"a broken document of a result set", "{\"query\":\"q\",\"documents\":[\n {\"page_content\":\"a\",,}]}", Documents, []string{`f, line 2, column 22: not JSON: invalid character ','`}},
		{"a broken array between its items", "[{\"role\":\"user\",\"content\":\"x\"}\n{\"role\":\"user\",\"content\":\"x\"}]", OpenAI, []string{"f, line 2, column 1: not JSON: "}},
		{"messages that end early", "[{\"role\":\"user\",\n\"content\":\"x", OpenAI, []string{"f, line 2, column 12: not JSON: it ends early"}},
		{"messages without a role", `[{"content":"x"}]`, OpenAI, []string{"1 record: 1 message without a role; it was"}},
		{"Anthropic's", `{"system":"","messages":[{"role":"user","content":""}]}`, "", []string{"1 record: 1 empty message", `taken for the format "anthropic"`}},
		{"a session", `{"type":"user","uuid":"1","sessionId":"s"}` + "\n" + `{"type":"user",` + "\n", "", []string{"1 row without a message", "last line ends early: line 2, column 15: it ends early", `"claude-code"; expected rows of type user and assistant`}},
		{"a rollout", `{"type":"event_msg","payload":{"type":"x"}}`, "", []string{"1 event_msg row", `"codex"; expected rows of type response_item`, forced}},
		{"items", `[{"tokens":1,"content":""},{"content":"x" "y"}]`, Items, []string{"2 records: 1 item without content, 1 not JSON: line 1, column 43", "expected items"}},
		{"another format forced", `[{"role":"user","content":"x"}]`, Codex, []string{"1 row without a payload", `taken for the format "codex"`}},
	} {
		_, err := Read(context.Background(), "f", []byte(c.in), Options{Format: c.format})
		if _, ok := errors.AsType[*FormatError](err); !ok || !strings.HasPrefix(err.Error(), "f: no usable item") && !strings.HasPrefix(err.Error(), "f, line ") {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.want {
			musttest.Says(t, err, want, c.name)
		}
	}
	musttest.Says(t, musttest.Refusal(Read(context.Background(), "f", []byte("[]"), Options{Format: "toml"})), "known are auto, scenario, cupel-report, items", "unknown format")
}

func TestStrictSaysWhere(t *testing.T) {
	_, err := Read(context.Background(), "f", []byte("{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\n"), Options{Strict: true})
	if re, ok := errors.AsType[*RecordError](err); !ok || re.Place != 2 || err.Error() != "f: line 2: not JSON: line 2, column 15: it ends early" {
		t.Errorf("%v", err)
	}
}

// A reason that is a sentence is no thing to count.
func TestASentenceIsNotCounted(t *testing.T) {
	var r Report
	r.addFile(Skipped, "the file is empty", "a")
	r.addFile(Skipped, "it is binary", "b")
	r.addFile(Skipped, "it is binary", "c")
	musttest.Is(t, r.Summary(), "skipped 3 files: it is binary (2), the file is empty; loaded 0 items")
}
