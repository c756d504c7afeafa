package command

import (
	"context"
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
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// A file that a person wrote is small: a wrong path does not take long to read.

func TestPolicyFileIsBounded(t *testing.T) {
	path := write(t, "policy.json", strings.Repeat(" ", 1<<20+1))
	_, _, err := ran(writeReport, items, session.Options{Sources: []string{"-"}, Policy: path}, reportOptions{})
	musttest.Says(t, err, "has more than 1,048,576 bytes")
}

func TestChecksFileIsBounded(t *testing.T) {
	path := write(t, "checks.json", strings.Repeat(" ", 1<<20+1))
	musttest.Says(t, refusal(itemset.ReadSmall(t.Context(), path)), "has more than 1,048,576 bytes")
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
	musttest.Says(t, refusal(itemset.ReadPolicy(t.Context(), name)), "has more than 1,048,576 bytes")
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
		"report" + agent(), "policy" + agent(), "policy --policy " + pipeOf(t, byHint), "compare own " + pipeOf(t, byHint) + agent(), "turns" + agent(), "check --max-cost-ratio 9" + agent(),
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
	"report --fixture agent --labels", "turns --fixture agent --policy-b",
}

// A named pipe that nobody writes to is refused at once, as it is for sources.
func TestANamedPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v, %s", err, out)
	}
	for _, verb := range append(slices.Clone(smallFiles), "batch") {
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
	for _, verb := range append(slices.Clone(smallFiles), "report --select q1 "+folder+" --run", "evaluate --at 13 "+folder+" --run") {
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
		source, other := write(t, "items.json", items), write(t, "other.json", policy)
		link := filepath.Join(t.TempDir(), "link.json")
		musttest.Do(t, os.Symlink(source, link))
		folder := filepath.Dir(source)
		scenario := write(t, "scenario.json", "")
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
}

// What cannot be written is refused before the work, and the refusal leaves no file behind.
func TestAFileThatCannotBeWrittenIsRefusedFirst(t *testing.T) {
	source := labelledFile(t, 32, 8, true)
	folder := t.TempDir()
	readOnly := filepath.Join(folder, "read-only.json")
	musttest.Do(t, os.WriteFile(readOnly, []byte("mine"), 0o400))
	for path, why := range map[string]string{
		folder:                          "is a folder",
		readOnly:                        "is read-only",
		os.DevNull:                      "is a device",
		filepath.Join(folder, "x", "y"): "no such file or directory",
		filepath.Join(readOnly, "y"):    "not a directory",
	} {
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
	if names, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(names) != 1 {
		t.Errorf("there are %q, %v", names, err)
	}
	if names, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(names) != 0 {
		t.Errorf("there are %q, %v", names, err)
	}
	if _, err := os.Stat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}
