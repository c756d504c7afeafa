package command

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// A file that a person wrote is small: a wrong path does not take long to read.
func TestSmallFilesAreBounded(t *testing.T) {
	path := musttest.File(t, "large.json", strings.Repeat(" ", 1<<20+1))
	for _, verb := range smallFiles {
		s, _, told := streams("")
		musttest.Is(t, line(t.Context(), s, verb, path), Input, verb)
		musttest.Says(t, told.String(), "has more than 1,048,576 bytes", verb)
	}
}

// shellPipe is what a shell gives for <(...): the name of a pipe, and what writes to it.
func shellPipe(t *testing.T) (name string, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	musttest.Do(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	name = fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
	}
	return name, w
}

// The size that a pipe tells is 0, and it may have no end.
func TestAPipeIsReadUpToTheBound(t *testing.T) {
	name, w := shellPipe(t)
	go func() {
		for _, err := w.Write(make([]byte, 1<<16)); err == nil; _, err = w.Write(make([]byte, 1<<16)) {
		}
	}()
	musttest.Says(t, musttest.Refusal(itemset.ReadPolicy(t.Context(), name)), "has more than 1,048,576 bytes")
}

// pipeOf is a shell's pipe with that text.
func pipeOf(t *testing.T, text string) string {
	t.Helper()
	name, w := shellPipe(t)
	musttest.Of(io.WriteString(w, text))(t)
	w.Close()
	return name
}

// What a flag names is read once, whatever the verb does with it.
func TestAPipeIsReadOnce(t *testing.T) {
	dir := beirFolder(t)
	read := func(name string) string {
		data := musttest.Of(os.ReadFile(filepath.Join(dir, name)))(t)
		return string(data)
	}
	agent, other := func() string { return " --fixture agent --policy " + pipeOf(t, byHint) }, beirFolder(t)
	labels := func() string {
		return " --labels " + pipeOf(t, read("qrels/test.tsv")) + " --run " + pipeOf(t, read("run.txt"))
	}
	for _, verb := range []string{
		"report" + agent(), "policy" + agent(), "policy --policy " + pipeOf(t, byHint), "compare own " + pipeOf(t, byHint) + agent(), "turns" + agent(), "check --min-prefix 1" + agent(),
		"report --select q1 --max-tokens 20 " + dir + labels(), "evaluate --at 13 " + dir + " " + other + " --policy " + pipeOf(t, byHint) + labels(),
	} {
		s, out, told := streams("")
		if code := line(t.Context(), s, verb); code != Fine || out.Len() == 0 {
			t.Errorf("%s: exit %d, %s, %d bytes", verb, code, told, out.Len())
		}
	}
}

// smallFiles are command lines with a file that a person writes behind them.
var smallFiles = []string{
	"report --fixture agent --policy", "check --fixture agent --checks", "check --fixture agent --against", "compare --fixture agent own", "sweep --fixture agent --policy-b",
	"turns --fixture agent --policy-b",
}

// A named pipe that nobody writes to is refused at once, as it is for sources.
func TestANamedPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v, %s", err, out)
	}
	for _, verb := range append(slices.Clone(smallFiles), "batch", "report --fixture agent --labels") {
		s, out, told := streams("")
		ended := make(chan int, 1)
		go func() { ended <- line(t.Context(), s, verb, path) }()
		select {
		case code := <-ended:
			if code != Input || !strings.Contains(told.String(), path+": is a pipe, which is never opened") || out.Len() > 0 {
				t.Errorf("%s: exit %d, %s%s", verb, code, told, out)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s waits for the pipe", verb)
		}
	}
}

// What a shell's pipe has not said yet is waited for until the verb is cancelled.
func TestAShellsPipeIsWaitedForUntilTheEnd(t *testing.T) {
	name, _ := shellPipe(t)
	folder := beirFolder(t)
	for _, verb := range append(slices.Clone(smallFiles), "report --fixture agent --labels", "report --select q1 "+folder+" --run", "evaluate --at 13 "+folder+" --run") {
		ctx, cancel := context.WithCancel(t.Context())
		s, _, told := streams("")
		ended := make(chan int, 1)
		go func() { ended <- line(ctx, s, verb, name) }()
		cancel()
		select {
		case code := <-ended:
			if code == Fine || !strings.Contains(told.String(), context.Canceled.Error()) {
				t.Errorf("%s: exit %d, %s", verb, code, told)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s does not end", verb)
		}
	}
}

// What a verb writes beside its answer never takes the place of what it reads, whatever name
// that has there.
func TestWhatIsReadIsNotWrittenOver(t *testing.T) {
	const policy = `{"scorers": [{"type": "recency", "weight": 1}]}`
	for name, run := range map[string]func(from session.Options, s Streams, file string) error{
		"--html": func(from session.Options, s Streams, file string) error {
			return writeReport(t.Context(), from, reportOptions{HTML: file}, s)
		},
		"--record": func(from session.Options, s Streams, file string) error {
			return check(t.Context(), from, checkOptions{Guess: true, Record: file}, s)
		},
		"--out": func(from session.Options, s Streams, file string) error {
			v := tuneOptions{Out: file, Folds: 2}
			v.At = "50%"
			return tune(t.Context(), from, v, s)
		},
	} {
		source, other := musttest.File(t, "items.json", items), musttest.File(t, "other.json", policy)
		link := filepath.Join(t.TempDir(), "link.json")
		musttest.Do(t, os.Symlink(source, link))
		folder := filepath.Dir(source)
		scenario := musttest.File(t, "scenario.json", "")
		apart := filepath.Join(filepath.Dir(scenario), "apart.json")
		musttest.Do(t, os.WriteFile(apart, []byte(items), 0o600))
		musttest.Do(t, os.WriteFile(scenario, []byte(`{"policy": `+policy+`,
			"budget": {"maxTokens": 100, "targetTokens": 100}, "itemsFile": "apart.json"}`), 0o600))
		for _, c := range []struct {
			what string
			from session.Options
			file string
		}{
			{"a source", session.Options{Sources: []string{source}}, source},
			{"a source by another name", session.Options{Sources: []string{source}}, link},
			{"a source that a pattern names", session.Options{Sources: []string{filepath.Join(filepath.Dir(source), "*.json")}}, source},
			{"a file of a folder", session.Options{Sources: []string{folder}}, source},
			{"a file of a folder that a pattern names", session.Options{Sources: []string{filepath.Join(filepath.Dir(folder), "**", "*.json")}}, source},
			{"one of several names", session.Options{Sources: []string{filepath.Join(folder, "{none,items}.json")}}, source},
			{"the itemsFile of a scenario", session.Options{Sources: []string{scenario}}, apart},
			{"the labels", session.Options{Sources: []string{source}, Labels: other}, other},
		} {
			before := musttest.Of(os.ReadFile(c.file))(t)
			s, _, _ := streams("")
			err := run(c.from, s, c.file)
			if err == nil || !strings.Contains(err.Error(), name+": writing ") || !strings.Contains(err.Error(), "it is read here") {
				t.Errorf("%s, %s: %v", name, c.what, err)
			}
			if after := musttest.Of(os.ReadFile(c.file))(t); string(after) != string(before) {
				t.Errorf("%s, %s: the file was %q and is %.60q", name, c.what, before, after)
			}
		}
	}
	labels := musttest.File(t, "labels.txt", "q 0 d 1\n")
	s, _, told := streams("")
	line(t.Context(), s, "tune --labels "+labels+" --out "+labels, musttest.File(t, "items.json", items))
	musttest.Says(t, told.String(), "--out: writing "+labels+": it is read here", "tune with labels of its own")
}

// What cannot be written is refused before the work, and the refusal leaves no file behind.
func TestAFileThatCannotBeWrittenIsRefusedFirst(t *testing.T) {
	source := labelledFile(t, 32, 8, true)
	folder := t.TempDir()
	readOnly := filepath.Join(folder, "read-only.json")
	musttest.Do(t, os.WriteFile(readOnly, []byte("mine"), 0o400))
	wrong := map[string]string{
		folder:                          "is a folder",
		readOnly:                        "is read-only",
		os.DevNull:                      "is a device",
		filepath.Join(folder, "x", "y"): "no such file or directory",
		filepath.Join(readOnly, "y"):    "not a directory",
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if exec.Command("mkfifo", pipe).Run() == nil { // else there are no named pipes here
		wrong[pipe] = "is a pipe"
	}
	for path, why := range wrong {
		_, told, err := runTune(t, source, byTalk(func(v *tuneOptions) { v.Out = path }))
		if err == nil || !strings.HasPrefix(err.Error(), "--out: ") || !strings.Contains(err.Error(), why) || strings.Contains(told, "searching") {
			t.Errorf("tune --out %s: %v, told is %q", path, err, told)
		}
		out, err := runCheck(t, neededScenario, session.Options{}, checkOptions{Record: path})
		if err == nil || !strings.HasPrefix(err.Error(), "--record: ") || !strings.Contains(err.Error(), why) || out != "" {
			t.Errorf("check --record %s: %v, %q", path, err, out)
		}
	}
	fresh := filepath.Join(folder, "fresh.json")
	_, _, err := runTune(t, labelledFile(t, 1, 1, true), byTalk(func(v *tuneOptions) { v.Out = fresh }))
	if _, few := errors.AsType[*quality.TooFewError](err); !few {
		t.Errorf("a file that can be written: %v", err)
	}
	musttest.Is(t, len(musttest.Of(filepath.Glob(filepath.Join(folder, "*")))(t)), 1, "there are")
	musttest.Is(t, len(musttest.Of(filepath.Glob(filepath.Join(folder, ".*")))(t)), 0, "there are")
	if _, err := os.Stat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

// Documents with scores are opened under rag, those without under document-qa
// with a warning, in whatever form they come.
func TestDocumentsChooseThePolicy(t *testing.T) {
	const unscored = "nothing says which of these documents matter: --query"
	for _, c := range []struct{ name, in, policy, warning string }{
		{"LangChain", `[{"page_content":"a"},{"page_content":"b"}]`, "document-qa", unscored},
		{"LangChain, serialised", `[{"lc":1,"type":"constructor","id":["x"],"kwargs":{"page_content":"a"}}]`, "document-qa", unscored},
		{"pairs", `[[{"page_content":"a"},0.2],[{"page_content":"b"},0.7]]`, "rag", ""},
		{"nodes", `[{"node":{"text":"a"},"score":0.9}]`, "rag", ""},
		{"nodes without scores", `[{"node":{"text":"a"},"score":null}]`, "document-qa", unscored},
		{"a store", `{"docstore/data":{"1":{"__data__":{"text":"a"}}}}`, "document-qa", unscored},
		{"a reranker", `{"results":[{"index":0,"relevance_score":0.9,"document":{"text":"a"}}]}`, "rag", ""},
		{"columns", `{"documents":[["a"]],"distances":[[0.2]],"ids":[["1"]]}`, "rag", ""},
		{"columns without distances", `{"documents":["a"],"ids":["1"]}`, "document-qa", unscored},
		{"beside an answer", `{"question":"q","contexts":["a"],"answer":"r"}`, "document-qa", unscored},
		{"a text", "plain text", "document-qa", unscored},
	} {
		path := musttest.File(t, "f.txt", c.in)
		o, err := session.Open(context.Background(), session.Options{Sources: []string{path}}, session.Input{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if warnings := strings.Join(o.Warnings, "\n"); o.Policy.Name != c.policy || !strings.Contains(warnings, c.warning) || c.warning == "" && warnings != "" {
			t.Errorf("%s: policy %s, warnings %q", c.name, o.Policy.Name, warnings)
		}
		if !o.Guessed || o.Conversation || o.Format != itemset.Documents && o.Format != itemset.Text {
			t.Errorf("%s: format %s, guessed %v, conversation %v", c.name, o.Format, o.Guessed, o.Conversation)
		}
	}
}

// Names of files, titles, queries and scores come from outside: what is printed
// of them obeys no one.
func TestHostileDocumentNames(t *testing.T) {
	const evil = "\x1b[2J\u202eevil\x07\u200b"
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Skip("no such names here")
		}
	}
	if err := os.Mkdir(evil, 0o700); err != nil {
		t.Skip("no such names here")
	}
	write(filepath.Join(evil, evil+".md"), "text "+evil)
	write(filepath.Join(evil, evil+".bin"), "\x00")
	write(filepath.Join(evil, ".gitignore"), "*"+evil+"*x\n")
	write("results.json", `[{"text":"a","score":"`+`\u001b[31m`+`","metadata":{"title":"\u001b[31m\u202e","source":"`+`\u001b]0;x\u0007`+`"}}]`)
	write("queries.jsonl", strings.Repeat(`{"query":"\u001b[31m\u202e","documents":["a"]}`+"\n", 3))
	for _, sources := range [][]string{{evil}, {evil + "/*"}, {evil, "results.json"}, {"results.json"}, {"queries.jsonl"}, {"none" + evil}, {evil + "*/none*"}} {
		for _, output := range export.Forms() {
			out, diagnostics, err := ran(writeReport, "", session.Options{Sources: sources}, reportOptions{answerOptions: answerOptions{Output: output}})
			all := out + diagnostics
			if err == nil && out == "" {
				t.Errorf("%q: nothing printed", sources)
			}
			if strings.ContainsAny(all, "\x1b\x07\u202e\u200b") {
				t.Errorf("%q as %s: %q", sources, output, all)
			}
		}
	}
}

// Scenarios as earlier commits wrote them open, with every member that they knew and the
// names of checks that they had, and give the report that they gave.
func TestScenariosOfEarlierCommitsOpen(t *testing.T) {
	const dir = "testdata/scenarios-before/"
	names, err := filepath.Glob(dir + "*.json")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		o := session.Options{Sources: []string{name}}
		opened, err := session.Open(context.Background(), o, session.Input{})
		if err != nil || !opened.Scenario.Set {
			t.Fatal(name, err)
		}
		again, err := itemset.MarshalScenario(opened.Scenario.Value)
		if err != nil {
			t.Fatal(name, err)
		}
		if was, _ := os.ReadFile(name); string(was) != string(again) {
			t.Errorf("%s, saved again:\n%s\nwas\n%s", name, again, was)
		}
		out, _, err := ran(writeReport, "", o, reportOptions{answerOptions: answerOptions{Output: "csv"}})
		if err != nil {
			t.Fatal(name, err)
		}
		published := musttest.Of(os.ReadFile(strings.TrimSuffix(name, ".json") + ".csv"))(t)
		was, is := table(t, string(published)), table(t, out)
		if len(was) != len(is) || len(was) < 5 {
			t.Fatalf("%s: %d rows, were %d", name, len(is), len(was))
		}
		for i := range was {
			for column, want := range was[i] {
				if got, ok := is[i][column]; !ok || got != want && column != "why" { // that is a sentence
					t.Errorf("%s, row %d, %s: %q, was %q", name, i, column, got, want)
				}
			}
		}
	}
}

// table is CSV as rows by the names of columns.
func table(t *testing.T, text string) []map[string]string {
	t.Helper()
	lines := musttest.Of(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, cell := range line {
			row[lines[0][k]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}
