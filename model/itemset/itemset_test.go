package itemset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

func mustRead(t *testing.T, data string, opts Options) *Loaded {
	t.Helper()
	l := musttest.Of(Read(context.Background(), "test", []byte(data), opts))(t)
	return l
}

// outline writes the items of a set shortly: kind, flags, content.
func outline(l *Loaded) string {
	var b strings.Builder
	for i := range l.Set.Len() {
		it := l.Set.Item(i)
		pin := ""
		if it.Pinned {
			pin = "!"
		}
		part := ""
		if p := it.Metadata["part"]; p != nil {
			part = fmt.Sprintf("/%v", p)
		}
		fmt.Fprintf(&b, "%s%s%s: %s\n", it.Kind, pin, part, it.Content)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestNativeForms(t *testing.T) {
	const a, b = `{"content":"a","tokens":1}`, `{"content":"b","tokens":2}`
	for _, c := range []struct{ name, in string }{
		{"array", "[" + a + "," + b + "]"},
		{"array over lines", "[\n" + a + ",\n" + b + "\n]\n"},
		{"object", `{"items":[` + a + "," + b + `]}`},
		{"lines", a + "\n" + b + "\n"},
		{"lines without the last newline", a + "\n" + b},
		{"lines with CRLF and blank ones", a + "\r\n\r\n" + b + "\r\n"},
		{"values over several lines", "{\n\"content\":\"a\",\n\"tokens\":1}\n{\n\"content\":\"b\",\"tokens\":2\n}"},
		{"byte order mark", "\xef\xbb\xbf" + a + "\n" + b},
		{"UTF-16 little endian", utf16Bytes("["+a+","+b+"]", true, false)},
		{"UTF-16 big endian", utf16Bytes("["+a+","+b+"]", true, true)},
		{"UTF-16 without a mark", utf16Bytes(a+"\n"+b, false, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := mustRead(t, c.in, Options{})
			if l.Format != Items || outline(l) != "Message: a\nMessage: b" || l.Set.Total() != 3 || len(l.Pending) != 0 {
				t.Errorf("format %s, items %q, total %v", l.Format, outline(l), l.Set.Total())
			}
		})
	}
}

func utf16Bytes(s string, mark, big bool) string {
	units := utf16.Encode([]rune(s))
	if mark {
		units = append([]uint16{0xFEFF}, units...)
	}
	var b bytes.Buffer
	for _, u := range units {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

func TestNativeFields(t *testing.T) {
	l := mustRead(t, `[{"content":"x","tokens":12.0,"kind":"note","source":"Wiki","priority":-3,"tags":["a","b"],"metadata":{"n":1.50,"file":"mine"},
		"timestamp":"2024-05-01 10:30","future_relevance_hint":0.25,"pinned":true,"original_tokens":99,"score":7,"file":"other","none":null}]`, Options{})
	want := model.Item{
		Content: "x", Tokens: 12, Kind: "note", Source: "Wiki", Priority: model.Some(int64(-3)), Tags: []string{"a", "b"},
		Metadata:  map[string]any{"n": json.Number("1.50"), "file": "mine", "score": json.Number("7"), "none": nil},
		Timestamp: model.Some(time.Date(2024, 5, 1, 10, 30, 0, 0, time.UTC)), FutureRelevanceHint: model.Some(0.25), Pinned: true,
		OriginalTokens: model.Some(model.Tokens(99)),
	}
	musttest.Is(t, l.Set.Item(0), want)
	if !l.HasScores || l.Conversation {
		t.Errorf("scores %v, conversation %v", l.HasScores, l.Conversation)
	}
}

func TestTimestamps(t *testing.T) {
	for in, want := range map[string]string{
		`"2024-05-01T10:30:15Z"`: "2024-05-01T10:30:15Z", `"2024-05-01T10:30:15.25+02:00"`: "2024-05-01T08:30:15.25Z",
		`"2024-05-01T10:30:15"`: "2024-05-01T10:30:15Z", `"2024-05-01T10:30"`: "2024-05-01T10:30:00Z", `"2024-05-01T10:30+01:00"`: "2024-05-01T09:30:00Z",
		`"2024-05-01"`: "2024-05-01T00:00:00Z", `"2024-05-01t10:30:15z"`: "2024-05-01T10:30:15Z", `"2024-05-01 10:30:15.123"`: "2024-05-01T10:30:15.123Z",
		`"yesterday"`: "", `1714559415`: "", `"2024-13-01"`: "", `""`: "", `"9999-12-31T23:59:59-10:00"`: "", `"05/01/2024"`: "",
	} {
		at, ok := record.Time([]byte(in))
		if got := at.Format(time.RFC3339Nano); ok != (want != "") || ok && got != want {
			t.Errorf("%s is %s, %v, want %q", in, got, ok, want)
		}
	}
}

// One bad record costs itself alone, is counted with its reason, and is an
// error only when asked for.
func TestBadRecords(t *testing.T) {
	for _, c := range []struct{ name, record, reason string }{
		{"not JSON", `{"content":`, "not JSON"},
		{"a string", `"content"`, "a string instead of an item"},
		{"an array", `[1]`, "an array instead of an item"},
		{"no content", `{"tokens":1}`, "without content"},
		{"empty content", `{"content":""}`, "without content"},
		{"content an object", `{"content":{"text":"x"}}`, "content is an object"},
		{"content null", `{"content":null}`, "content is null"},
		{"a fraction", `{"content":"x","tokens":1.5}`, "tokens are not a whole number"},
		{"tokens as text", `{"content":"x","tokens":"12"}`, "tokens are not a whole number"},
		{"too many tokens", `{"content":"x","tokens":1099511627777}`, "tokens are beyond 1,099,511,627,776"},
		{"far too many tokens", `{"content":"x","tokens":1e999}`, "tokens are beyond"},
		{"far too few tokens", `{"content":"x","tokens":-1099511627777}`, "tokens are beyond"},
		{"blank kind", `{"content":"x","kind":" "}`, "kind is no text, or blank"},
		{"tags a string", `{"content":"x","tags":"a"}`, "tags are not an array"},
		{"priority huge", `{"content":"x","priority":99999999999999999999}`, "priority is not a whole number"},
		{"pinned as text", `{"content":"x","pinned":"yes"}`, "pinned is neither"},
		{"a depth bomb", `{"content":"x","a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "not JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := `{"content":"first"}` + "\n" + c.record + "\n" + `{"content":"last"}`
			l := mustRead(t, lines, Options{})
			musttest.Is(t, outline(l), "Message: first\nMessage: last", "items")
			if s := l.Report.Summary(); !strings.HasPrefix(s, "skipped 1 line: 1 ") || !strings.Contains(s, c.reason) || !strings.Contains(s, "; loaded 2 items") {
				t.Errorf("summary %q", s)
			}
			musttest.Says(t, strings.Join(l.Report.Lines(), "\n"), "(line 2)", "details")
			_, err := Read(context.Background(), "test", []byte(lines), Options{Strict: true})
			if re, ok := errors.AsType[*RecordError](err); !ok || re.Place != 2 || !strings.Contains(re.Reason, c.reason) {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

func TestGoodRecordsOfBrokenDocuments(t *testing.T) {
	for _, c := range []struct{ name, in string }{
		{"the array does not end", `[{"content":"a"},{"content":"b"},{"conte`},
		{"the array does not end, over lines", "[\n{\"content\":\"a\"},\n{\"content\":\"b\"},\n{\"con"},
		{"garbage within", `[{"content":"a"}, garbage, {"content":"b"}]`},
		{"the first line is broken", "{\"content\":\"x\n{\"content\":\"a\"}\n{\"content\":\"b\"}"},
		{"the object does not end", `{"items":[{"content":"a"},{"content":"b"}`},
	} {
		l := mustRead(t, c.in, Options{})
		musttest.Is(t, outline(l), "Message: a\nMessage: b", c.name, "items")
		if len(l.Report.Entries) == 0 {
			t.Errorf("%s: nothing is reported", c.name)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Format
	}{
		{"an item", `{"content":"a"}`, Items},
		{"an item with fields of a session", `{"content":"a","kind":"Memory","type":"x","uuid":"1","sessionId":"2"}`, Items},
		{"an item with a type of its own", `{"content":"a","type":"note","uuid":"1"}`, Items},
		{"an item with a role", `{"content":"a","role":"user","tokens":3}`, Items},
		{"a message", `{"content":"a","role":"user"}`, OpenAI},
		{"a message of calls only", `[{"role":"assistant","tool_calls":[]}]`, OpenAI},
		{"items after rows of something else", "{}\n7\n" + `{"content":"a"}`, Items},
		{"a session that begins with a summary", `{"type":"summary","summary":"s","leafUuid":"1"}` + "\n" + `{"content":"a"}`, ClaudeCode},
		{"a session that begins with a system row", `{"type":"system","content":"c","uuid":"1","sessionId":"2"}` + "\n" + `{"content":"a"}`, ClaudeCode},
		{"a session that begins with a snapshot", `{"type":"file-history-snapshot","snapshot":{}}` + "\n{}", ClaudeCode},
		{"a rollout", `{"timestamp":"2025-01-01T00:00:00Z","type":"session_meta","payload":{}}`, Codex},
		{"a rollout of the first versions", `{"id":"1","timestamp":"2025-01-01T00:00:00Z","instructions":null}`, Codex},
		{"items with instructions", `{"id":"1","timestamp":"2025-01-01T00:00:00Z","instructions":"stir","content":"a cake"}`, Items},
		{"items by an author", `{"author":{"name":"x"},"content":"a"}`, Items},
		{"results of something else", `{"results":[{"text":"a","score":1}]}`, Documents},
		{"items in an object", `{"items":[],"name":"n"}`, Items},
		{"a scenario", `{"items":[],"budget":{}}`, Scenario},
		{"a scenario with a file", `{"itemsFile":"x","policy":{}}`, Scenario},
		{"a batch", `{"custom_id":"1","body":{"messages":[]}}`, OpenAI},
		{"nothing known", `{"a":1}`, Auto},
		{"numbers", `[1,2]`, Auto},
		{"nothing", ``, Auto},
	} {
		musttest.Is(t, detect(record.Split("f", []byte(c.in), record.Options{})), c.want, c.name)
	}
}

// A slip of the fingers in a key is told, with the item and the key that is meant.
func TestMisspeltKeysAreTold(t *testing.T) {
	const items = `[{"content":"a","tokens":1},{"content":"b","token":5}]`
	for name, in := range map[string]string{
		"items":      items,
		"a line":     `{"content":"a","tokens":1}` + "\n" + `{"content":"b","token":5}`,
		"a scenario": `{"items":` + items + `,"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":9}}`,
	} {
		l := mustRead(t, in, Options{})
		told := strings.Join(l.Report.Lines(), "\n")
		musttest.Says(t, told, `item with the key "token", kept as metadata: did you mean tokens? (`, name)
		musttest.Says(t, told, " 2)", name)
		if kept := l.Set.Loaded(1).Metadata["token"]; kept == nil {
			t.Errorf("%s: the key is not kept: %v", name, l.Set.Loaded(1).Metadata)
		}
	}
}

func TestNotes(t *testing.T) {
	l := mustRead(t, `{"content":"a","timestamp":"soon","tokens":null}`+"\n"+`{"content":"a","content":"b","futureRelevanceHint":1e999}`+"\n"+
		"{\"content\":\"c\xff\"}", Options{})
	for _, want := range []string{"1 timestamp not understood", "1 item with a key twice", "1 future relevance hint", "not UTF-8", "3 counts estimated"} {
		musttest.Says(t, l.Report.Summary(), want, "summary")
	}
	musttest.Is(t, outline(l), "Message: a\nMessage: b\nMessage: c\ufffd", "items", l.Pending)
	musttest.Is(t, len(l.Pending), 3, "items", l.Pending)
}

func TestLoadFilesAndStandardInput(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "one.jsonl")
	musttest.Do(t, os.WriteFile(one, []byte(`{"content":"a"}`+"\n{}"), 0o600))
	l, err := Load(context.Background(), []string{one, "-"}, Options{Stdin: strings.NewReader(`[{"role":"user","content":"b"}]`)})
	if err != nil || outline(l) != "Message: a\nMessage: b" || l.Name() != one+" and 1 more" {
		t.Fatalf("%v, %+v", err, l)
	}
	musttest.Says(t, strings.Join(l.Report.Lines(), "\n"), "skipped 1 item without content (one.jsonl line 2)", "details")
	if _, err := Load(context.Background(), []string{filepath.Join(dir, "none")}, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{dir}, Options{})), "the folder holds nothing but 1 file of records", "a folder")
	musttest.Fails(t, musttest.Refusal(Load(context.Background(), nil, Options{})), "no source is accepted")
	if _, err := Load(context.Background(), []string{"-"}, Options{}); err == nil {
		t.Error("no standard input is accepted")
	}
}

// endless is an input without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("x"), len(p))), nil }

// A file that a flag names is refused by its size: nothing of it is read.
func TestANamedFileBeyondItsBoundIsNotRead(t *testing.T) {
	const limit = 64 << 20
	path := musttest.File(t, "large", "")
	musttest.Do(t, os.Truncate(path, limit+1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadNamed(t.Context(), path, limit)
	runtime.ReadMemStats(&after)
	if large, ok := errors.AsType[*SizeError](err); !ok || large.Name != path || large.Limit != limit {
		t.Errorf("the error is %v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > limit/8 {
		t.Errorf("%d bytes of memory for it", took)
	}
}

func TestSizeBound(t *testing.T) {
	var se *SizeError
	if _, err := Load(context.Background(), []string{"-"}, Options{Stdin: endless{}, MaxBytes: 1 << 20}); !errors.As(err, &se) || se.Limit != 1<<20 {
		t.Errorf("endless input: %v", err)
	}
	path := musttest.File(t, "f", bytes.Repeat([]byte("x"), 100))
	if _, err := Load(context.Background(), []string{path}, Options{MaxBytes: 99}); !errors.As(err, &se) || se.Name != path {
		t.Errorf("large file: %v", err)
	}
	musttest.Do(t, os.Truncate(path, 1<<30+1))
	if _, err := Load(context.Background(), []string{path}, Options{}); !errors.As(err, &se) || se.Limit != 1<<30 {
		t.Errorf("a file of more than 1 GiB: %v", err)
	}
	data, err := readAll(context.Background(), "x", io.LimitReader(endless{}, 100), 0, 100)
	if err != nil || len(data) != 100 {
		t.Errorf("exactly the bound: %d bytes, %v", len(data), err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, "f", []byte(`{"content":"a"}`), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if _, err := Load(ctx, []string{"-"}, Options{Stdin: endless{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("load: %v", err)
	}
}

// No field of an item is lost without a word.
func TestNativeFieldsThatAreTaken(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"in the metadata too", `{"content":"x","file":"other","score":1,"metadata":{"file":"mine"}}`, "1 field that the metadata of its item has too, left out"},
		{"two of them", `{"content":"x","file":"other","page":1,"metadata":{"file":"mine","page":null}}`, "2 fields that the metadata of their item has too, left out"},
		{"an unknown one twice", `{"content":"x","file":"a","file":"b"}`, "1 item with a key twice: the last one counts"},
		{"not in the metadata", `{"content":"x","file":"a","metadata":{"page":1}}`, ""},
	} {
		l := mustRead(t, "["+c.in+"]", Options{Format: Items})
		got := ""
		for _, e := range l.Report.Entries {
			got += e.text()
		}
		musttest.Is(t, got, c.want, c.name)
	}
}

// A number is judged by its digits: what a float64 rounds away counts.
func TestNumbersAreNotRounded(t *testing.T) {
	for _, c := range []struct{ name, field, want string }{
		{"a tiny fraction", `"tokens":12.00000000000000000001`, "tokens are not a whole number"},
		{"the first beyond 2^53", `"tokens":9007199254740993`, "tokens are beyond"},
		{"the same with a point", `"tokens":9007199254740993.0`, "tokens are beyond"},
		{"the same below 0", `"tokens":-9007199254740993`, "tokens are beyond"},
		{"beyond an int64", `"tokens":1e30`, "tokens are beyond"},
		{"beyond a float64", `"tokens":1e400`, "tokens are beyond"},
		{"a priority with a tiny fraction", `"priority":12.00000000000000000001`, "priority is not a whole number"},
		{"a priority beyond an int64", `"priority":9223372036854775808`, "priority is not a whole number"},
	} {
		_, err := Read(context.Background(), "f", []byte(`[{"content":"x",`+c.field+`}]`), Options{Format: Items, Strict: true})
		musttest.Says(t, err, c.want, c.name)
	}
	for _, in := range []string{"9007199254740993", "9007199254740993.0", "9.007199254740993e15"} {
		l := mustRead(t, `[{"content":"x","priority":`+in+`}]`, Options{Format: Items})
		musttest.Is(t, l.Set.Item(0).Priority, model.Some(int64(9007199254740993)), "priority", in, "is read as")
	}
}
