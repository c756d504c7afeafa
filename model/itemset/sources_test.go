package itemset

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// files writes files below a new folder, which becomes the working directory.
func files(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	t.Chdir(dir)
	return dir
}

func mustLoad(t *testing.T, opts Options, sources ...string) *Loaded {
	t.Helper()
	return musttest.Of(Load(context.Background(), sources, opts))(t)
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	musttest.Of(w.Write([]byte(text)))(t)
	musttest.Do(t, w.Close())
	return b.String()
}

func TestFolder(t *testing.T) {
	dir := files(t, map[string]string{
		"docs/b.md": "b\n", "docs/a.txt": "a", "docs/sub/c.go": "c", "docs/sub/deep/d": "d", "docs/.gitignore": "*.log\n/build/\n", "docs/x.log": "ignored",
		"docs/build/out": "ignored", "docs/.env": "secret", "docs/.git/config": "git", "docs/pic.png": "\x89PNG\x00", "docs/latin": "caf\xe9",
		"docs/empty": "", "docs/blank": " \n\t", "docs/utf16": utf16Bytes("e", true, false), "docs/run.jsonl": `{"role":"user","content":"f"}`, "docs/package.json": `{"name":"g"}`,
		"docs/big": strings.Repeat("x", maxFolderFile+1),
	})
	if err := os.Symlink(dir, "docs/loop"); err != nil {
		t.Skip("no symbolic links here")
	}
	when := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	musttest.Do(t, os.Chtimes("docs/a.txt", when, when))
	l := mustLoad(t, Options{}, "docs")
	musttest.Is(t, texts(l), `a b`+"\n"+` {"name":"g"} {"role":"user","content":"f"} c d e`, "contents")
	it := l.Set.Item(0)
	if !reflect.DeepEqual(it.Metadata, map[string]any{"title": "a.txt", "file": filepath.Join("docs", "a.txt")}) || !it.Timestamp.Set || !it.Timestamp.Value.Equal(when) {
		t.Errorf("first item %+v", it)
	}
	if it := l.Set.Item(4); it.Metadata["title"] != "sub/c.go" || it.Kind != "Document" || it.Source != "Rag" {
		t.Errorf("item 4 is %+v", it)
	}
	if l.Format != Text || l.Name() != "docs" || !slices.Equal(l.Sources(), []string{"docs"}) || l.Conversation || l.HasScores {
		t.Errorf("format %s, name %q, sources %q", l.Format, l.Name(), l.Sources())
	}
	lines := strings.Join(l.Report.Lines(), "\n")
	for _, want := range []string{
		"skipped 1: binary (file docs/pic.png)", "skipped 1: not UTF-8 text: convert it first (file docs/latin)", "skipped 1: larger than 4,194,304 bytes (file docs/big)",
		"left out 2 empty files (file docs/blank, file docs/empty)", "left out 1 hidden file or folder (file docs/.env)", "left out 1 symbolic link",
		"left out 2 files or folders ignored by .gitignore (file docs/build, file docs/x.log)", "files of records in a folder, read as text: name one to open it",
	} {
		musttest.Says(t, filepath.ToSlash(lines), want, "the report")
	}
	musttest.Says(t, l.Report.Summary(), "skipped 3 files: 1 ", "summary")
	musttest.Fails(t, musttest.Refusal(Load(context.Background(), []string{"docs"}, Options{Strict: true})), "a binary file is no error if strict")
}

func TestFoldersThatGiveNothing(t *testing.T) {
	files(t, map[string]string{
		"empty/.keep": "", "runs/a.jsonl": `{"role":"user","content":"x"}`, "runs/b.jsonl": `{"role":"user","content":"y"}`, "pics/a.png": "\x00",
		"mixed/a.json": `[{"content":"x"}]`, "mixed/b.json": "\x00",
	})
	when := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	musttest.Do(t, os.Chtimes("runs/a.jsonl", when, when))
	for _, c := range []struct{ name, want string }{
		{"empty", "empty: the folder holds no text file: 1 file: 1 hidden"},
		{"pics", "pics: the folder holds no text file: 1 file: 1 binary"},
		{"mixed", "mixed: the folder holds nothing but 1 file of records (and 1 file: 1 binary): name one to open it, as mixed/a.json"},
		{"runs", "runs: the folder holds nothing but 2 files of records: name one to open it, as runs/a.jsonl, the newest; --format text"},
	} {
		_, err := Load(context.Background(), []string{c.name}, Options{})
		if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if l := mustLoad(t, Options{Format: OpenAI}, "runs"); texts(l) != "x y" || !slices.Equal(l.Sources(), []string{filepath.Join("runs", "a.jsonl"), filepath.Join("runs", "b.jsonl")}) {
		t.Errorf("forced: %q, %q", texts(l), l.Sources())
	}
	if l := mustLoad(t, Options{Format: Text}, "runs"); l.Set.Len() != 2 || l.Format != Text {
		t.Errorf("as text: %q", texts(l))
	}
	musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{"runs"}, Options{Format: Codex})), `holds no file with anything of the format "codex"`, "forced wrongly")
}

func TestGlobs(t *testing.T) {
	files(t, map[string]string{
		"a.md": "1", "b.txt": "2", "d/c.md": "3", "d/e/f.md": "4", "d/.h/g.md": "5", "d/i.log": "6", "d/.gitignore": "*.log", "[x].md": "7", "é.md": "8",
	})
	for _, c := range []struct{ pattern, want string }{
		{"*.md", "7 1 8"}, {"**/*.md", "7 1 3 4 8"}, {"d/**", "3 4"}, {"./d/**/*.md", "3 4"}, {"d/*", "3"}, {"[ab].*", "1 2"}, {"{b,a}.{md,txt}", "1 2"},
		{"d/.h/*", "5"}, {"**/.h/*.md", "5"}, {"?.md", "1"}, {"[x].md", "7"}, {"d/{c.md,e/f.md}", "3 4"}, {"??.md", "8"},
	} {
		l := mustLoad(t, Options{}, c.pattern)
		musttest.Is(t, texts(l), c.want, c.pattern)
		musttest.Is(t, l.Name(), c.pattern, "is called")
	}
	_, err := Load(context.Background(), []string{"d/*.log"}, Options{})
	var none *NoMatchError
	if !errors.As(err, &none) || none.Ignored != 1 || !strings.Contains(err.Error(), "1 file left out as .gitignore says") {
		t.Errorf("ignored: %v", err)
	}
	if _, err := Load(context.Background(), []string{"none/*.md"}, Options{}); !errors.As(err, &none) {
		t.Errorf("no folder: %v", err)
	}
}

// One of several sources that cannot be read costs itself alone, and each item
// knows where it came from.
func TestSeveralSources(t *testing.T) {
	files(t, map[string]string{
		"a.jsonl": `{"content":"a","kind":"Document","metadata":{"file":"mine"}}` + "\n" + `{"content":"b","kind":"Document"}`, "bad.json": "nonsense", "c.md": "c", "empty": "",
		"docs/d.md": "d", "docs/e.md": "e", "scenario.json": `{"items":[{"content":"x"}],"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":5}}`,
	})
	in := func() Options { return Options{Stdin: strings.NewReader(`[{"text":"s","score":1}]`)} }
	l := mustLoad(t, in(), "a.jsonl", "bad.json", "c.md", "empty", "-", "docs", "c.md", "docs/d.md", "-")
	musttest.Is(t, texts(l), "a b c s d e", "contents")
	musttest.Is(t, l.Sources(), []string{"a.jsonl", "c.md", "-", "docs"}, "sources")
	var named []any
	for i := range l.Set.Len() {
		named = append(named, l.Set.Item(i).Metadata["file"])
	}
	musttest.Is(t, named, []any{"mine", "a.jsonl", "c.md", "-", filepath.Join("docs", "d.md"), filepath.Join("docs", "e.md")}, "files")
	lines := strings.Join(l.Report.Lines(), "\n")
	for _, want := range []string{
		"a.jsonl: 2 items [items]\n-: 1 item [documents]\ndocs: 2 items [text]\n1 text file, one item each [text]", "(file bad.json)",
		"skipped 1: the file is empty (file empty)", "left out 3 files named twice, read once (file c.md, file docs/d.md, file -)",
	} {
		musttest.Says(t, lines, want, "the report")
	}
	musttest.Do(t, os.Symlink("itself", "itself"))
	for _, c := range []struct {
		name    string
		sources []string
		strict  bool
		want    string
	}{
		{"one missing", []string{"missing.json"}, false, "missing.json: no such file or directory"},
		{"an empty name", []string{"c.md", ""}, false, `"": no such file or directory; is a variable not set?`},
		{"missing beside another", []string{"c.md", "missing.json"}, false, "missing.json: no such file or directory"},
		{"all missing", []string{"missing.json", "gone"}, false, "missing.json: no such file or directory"},
		{"one slip from another", []string{"c.md", "a.jsonl", "./scenaroi.json"}, false, "./scenaroi.json: no such file or directory; did you mean ./scenario.json?"},
		{"a link to itself", []string{"itself"}, false, "itself: too many levels of symbolic links"},
		{"too short to be a slip", []string{"d.md"}, false, "d.md: no such file or directory"},
		{"a pattern without a match beside a file", []string{"c.md", "none/*.md"}, false, "none/*.md: no such file, and none that matches it as a pattern"},
		{"a scenario among others", []string{"c.md", "scenario.json"}, false, "can only be opened alone"},
		{"data that is none", []string{"bad.json"}, false, "bad.json: no usable item: no format recognised in it"},
	} {
		musttest.Says(t, musttest.Refusal(Load(context.Background(), c.sources, Options{Strict: c.strict})), c.want, c.name)
		if c.name == "data that is none" || c.name == "a scenario among others" || c.name == "a link to itself" {
			continue
		}
		if err := errors.Join(CheckSources(c.sources), CheckPatterns(t.Context(), c.sources)); err == nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s, checked: %v", c.name, err)
		}
	}
	musttest.Is(t, CheckPatterns(t.Context(), []string{"c.md", "-", "docs/*.md"}), nil, "a pattern that matches")
}

func TestSpecialAndUnreadableFiles(t *testing.T) {
	dir := files(t, map[string]string{"docs/a.md": "a", "docs/locked": "b"})
	var special *SpecialError
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := Load(context.Background(), []string{"/dev/zero"}, Options{}); !errors.As(err, &special) || special.Is != "a device" {
			t.Errorf("a device: %v", err)
		}
	}
	if !makePipe(filepath.Join(dir, "docs", "pipe")) {
		t.Skip("no pipes here")
	}
	if _, err := Load(context.Background(), []string{"docs/pipe"}, Options{}); !errors.As(err, &special) || !strings.Contains(err.Error(), "docs/pipe: is a pipe, which is never opened") {
		t.Errorf("a pipe: %v", err)
	}
	for _, pattern := range []string{"docs/{a.md,pipe}", "docs/[ap]*"} {
		if l := mustLoad(t, Options{}, pattern); texts(l) != "a" || !strings.Contains(l.Report.Summary(), "skipped 1 file: 1 that is a pipe") {
			t.Errorf("a pipe that %s names: %s", pattern, l.Report.Summary())
		}
	}
	musttest.Do(t, os.Chmod("docs/locked", 0))
	if _, err := os.ReadFile("docs/locked"); err == nil {
		t.Skip("nothing is forbidden to this user")
	}
	musttest.Do(t, os.Mkdir("docs/closed", 0))
	if l := mustLoad(t, Options{}, "docs/**/*.md"); texts(l) != "a" || !strings.Contains(l.Report.Summary(), "skipped 1 file: 1 permission denied") {
		t.Errorf("a folder that a pattern cannot look into: %s", l.Report.Summary())
	}
	l := mustLoad(t, Options{}, "docs")
	if lines := strings.Join(l.Report.Lines(), "\n"); texts(l) != "a" || !strings.Contains(lines, "permission denied (file docs/closed, file docs/locked)") || !strings.Contains(lines, "pipes, sockets or devices") {
		t.Errorf("%q, %s", texts(l), lines)
	}
	musttest.Is(t, fmt.Sprint(musttest.Refusal(Load(context.Background(), []string{"docs/locked"}, Options{}))), "docs/locked: permission denied", "locked")
}

func TestEncodings(t *testing.T) {
	musttest.Alone(t)
	const item = `[{"content":"é"}]`
	utf32 := func(big bool) string {
		var b strings.Builder
		for _, r := range "\ufeff" + item {
			if big {
				b.Write([]byte{0, byte(r >> 16), byte(r >> 8), byte(r)})
			} else {
				b.Write([]byte{byte(r), byte(r >> 8), byte(r >> 16), 0})
			}
		}
		return b.String()
	}
	files(t, map[string]string{
		"u16le.json": utf16Bytes(item, true, false), "u16be.json": utf16Bytes(item, true, true), "u32le.json": utf32(false), "u32be.json": utf32(true),
		"latin.txt": "caf\xe9", "bin.dat": "\x7fELF\x00\x01", "gz.jsonl.gz": gzipped(t, `{"content":"é"}`+"\n"), "note.txt": "é", "list.md": "[link](x) and {braces}\n",
	})
	for _, name := range []string{"u16le.json", "u16be.json", "u32le.json", "u32be.json", "gz.jsonl.gz", "note.txt"} {
		musttest.Is(t, texts(mustLoad(t, Options{}, name)), "é", name)
	}
	if l := mustLoad(t, Options{}, "list.md"); l.Format != Text || l.Set.Len() != 1 {
		t.Errorf("a list: %s", l.Format)
	}
	for name, want := range map[string]string{"latin.txt": "not UTF-8 text: convert it first", "bin.dat": "it is binary"} {
		musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{name}, Options{})), want, name)
	}
	for name, data := range map[string]string{"UTF-8": "é, caf\xc3", "UTF-16": utf16Bytes("é, caf", true, false) + "\xe9"} {
		l, err := Read(context.Background(), "f", []byte(data), Options{Format: Text})
		if err != nil || texts(l) != "é, caf" || !strings.Contains(l.Report.Summary(), "damaged: text ends within a character") {
			t.Errorf("%s that was cut: %v, %v", name, l, err)
		}
	}
	bomb := gzipped(t, strings.Repeat("\x00", 40<<20))
	cut := gzipped(t, strings.Repeat(`{"content":"x"}`, 1000))
	for name, text := range map[string]string{"cut": cut[:len(cut)-9], "wrong checksum": cut[:len(cut)-8] + "12345678", "zeros after it": cut + "\x00\x00"} {
		l, err := Load(context.Background(), []string{"-"}, Options{Stdin: strings.NewReader(text)})
		if err != nil || l.Set.Len() < 900 || !strings.Contains(l.Report.Summary(), "compressed data ends early or is damaged: what could be unpacked is read") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for text, want := range map[string]string{bomb: "when it is unpacked", cut[:6]: "compressed with gzip, and cannot be unpacked: it ends early",
		cut[:10] + "\xff\xff\xff\xff\xff\xff": "cannot be unpacked: it is damaged"} {
		musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{"-"}, Options{Stdin: strings.NewReader(text)})), want)
	}
}

// Loading stops soon when it is told to, and says how far it is.
func TestFolderStopsAndProgresses(t *testing.T) {
	all := map[string]string{}
	for i := range 500 {
		all[fmt.Sprintf("docs/%d/%d.md", i%7, i)] = "text"
	}
	files(t, all)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Load(WithProgress(ctx, func(p Progress) {
		if calls++; p.Files != calls*progressFiles || p.Bytes != int64(4*p.Files) {
			t.Errorf("%+v at call %d", p, calls)
		}
		if calls == 2 {
			cancel()
		}
	}), []string{"docs"}, Options{})
	if !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestFolderBound(t *testing.T) {
	files(t, map[string]string{"docs/a": "1234", "docs/b": "5678", "docs/c": "9"})
	l := mustLoad(t, Options{MaxBytes: 8}, "docs")
	musttest.Is(t, texts(l), "1234 5678")
	musttest.Says(t, l.Report.Summary(), "1 beyond the 8 bytes that are read of one folder")
}

// A text whose first line is no record is a text, unless its name says otherwise;
// records with a broken line are records.
func TestTextsWithRecordsInThem(t *testing.T) {
	const record = `{"role":"user","content":"hi"}` + "\n"
	files(t, map[string]string{
		"prose.md": "A message is written so:\n" + record + "and so on.\n", "log.txt": "a first line that is none\n" + record + record, "data.jsonl": "nonsense\nnonsense\n" + record,
		"list.txt": "[1]: a link\n" + record + "text\ntext\n",
	})
	for name, want := range map[string]Format{"prose.md": Text, "log.txt": Text, "data.jsonl": OpenAI, "list.txt": Text} {
		musttest.Is(t, mustLoad(t, Options{}, name).Format, want, name)
	}
}

// What was found in a source that failed is not told as if it were of the others.
func TestFailedSourcesLeaveNothing(t *testing.T) {
	files(t, map[string]string{
		"a.jsonl": `{"model":"m","messages":[{"role":"user","content":""}]}` + "\n", "b.jsonl": "{\"content\":\"\"}\n{\"content\":\"\"}\n", "c.jsonl": `{"content":"c","kind":"Document"}` + "\n" + "nonsense",
	})
	for _, sources := range [][]string{{"a.jsonl", "b.jsonl", "c.jsonl"}, {"*.jsonl"}} {
		l := mustLoad(t, Options{}, sources...)
		want := "loaded 1 item\nskipped 1: without a usable item of the format \"openai\" (file a.jsonl)\nskipped 1: without a usable item of the format \"items\" (file b.jsonl)\nskipped 1: not JSON (c.jsonl line 2)\n1 token count estimated"
		if got := strings.Join(l.Report.Lines(), "\n"); got != want || l.Model != "" || l.Format != Items {
			t.Errorf("%s\nmodel %q, format %s", got, l.Model, l.Format)
		}
	}
}

func TestHome(t *testing.T) {
	t.Setenv("HOME", files(t, map[string]string{"notes/a.md": "home", "~/b.md": "here"}))
	for source, want := range map[string]string{"~/notes": "home", "~/notes/*.md": "home", "~/notes/a.md": "home", "~/b.md": "here"} {
		musttest.Is(t, texts(mustLoad(t, Options{}, source)), want, source)
		musttest.Is(t, CheckSources([]string{source}), nil, source, "checked")
	}
}

// meddling is a context that does something the first time it is asked.
type meddling struct {
	context.Context
	once func()
}

func (m *meddling) Err() error {
	if do := m.once; do != nil {
		m.once = nil
		do()
	}
	return m.Context.Err()
}

func TestFileThatChangesWhileItIsRead(t *testing.T) {
	files(t, map[string]string{"a.jsonl": `{"content":"a"}` + "\n"})
	ctx := &meddling{context.Background(), func() {
		musttest.Do(t, os.WriteFile("a.jsonl", []byte(`{"content":"a"}`+"\n"+`{"content":"b"}`+"\n"), 0o600))
	}}
	l, err := Load(ctx, []string{"a.jsonl"}, Options{})
	if err != nil || texts(l) != "a b" || !strings.Contains(l.Report.Summary(), "; 1 file that changed during the reading") {
		t.Errorf("%v, %+v", err, l)
	}
}

// broken panics where it is read.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("a mistake") }

// Who loads can keep what it has: a panic of a reader is one of Load.
func TestAPanicOfAReaderIsOneOfLoad(t *testing.T) {
	defer func() {
		if told := fmt.Sprint(recover()); !strings.HasPrefix(told, "a mistake\n") {
			t.Errorf("Load panics with %s", told)
		}
	}()
	_, err := Load(t.Context(), []string{"-"}, Options{Stdin: broken{}})
	t.Errorf("no panic, but %v", err)
}

// A source that is skipped leaves no label behind, which the next source's items
// would take for their own.
func TestSkippedSourceLeavesNoLabels(t *testing.T) {
	files(t, map[string]string{
		"a.jsonl": `{"content":"one","relevance":1}` + "\n",
		"b.json":  `[{"content":"two","relevance":1} {"content":"broken"}]`,
		"c.jsonl": `{"content":"three"}` + "\n" + `{"content":"four"}` + "\n",
	})
	l := mustLoad(t, Options{}, "a.jsonl", "b.json", "c.jsonl")
	if got := texts(l); got != "one three four" || fmt.Sprint(l.Labels.Grades) != "map[0:1]" {
		t.Errorf("items %s, labels %v", got, l.Labels.Grades)
	}
}

// The name of a file may be white space only.
func TestBlankNameOfSkippedFile(t *testing.T) {
	files(t, map[string]string{"a.txt": "one", " ": "\x00\x01"})
	l := mustLoad(t, Options{}, "a.txt", " ")
	musttest.Says(t, l.Report.Summary(), "skipped 1 file: ")
}

// A stream that stops before its answer says why it ended was cut.
func TestAStreamThatIsCut(t *testing.T) {
	for _, c := range []struct {
		name, whole string
		last        int // length of what ends it
	}{
		{"Anthropic", `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n", len(`data: {"type":"message_stop"}`) + 2},
		{"chunks", `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}` + "\n\ndata: [DONE]\n\n", len("data: [DONE]\n\n")},
		{"Responses", `data: {"type":"response.output_text.delta","delta":"hi"}` + "\n\n" + `data: {"type":"response.completed","response":{"output":[]}}` + "\n\n", len(`data: {"type":"response.completed","response":{"output":[]}}`) + 2},
	} {
		for _, cut := range []bool{false, true} {
			text := c.whole
			if cut {
				text = text[:len(text)-c.last]
			}
			l := mustRead(t, text, Options{})
			if got := strings.Contains(l.Report.Summary(), "damaged: last answer ends early"); got != cut || texts(l) != "hi" {
				t.Errorf("%s, cut %v: %s", c.name, cut, l.Report.Summary())
			}
		}
	}
}
