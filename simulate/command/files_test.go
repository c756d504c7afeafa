package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// A file that a person wrote is small: a wrong path does not take long to read.

func TestPolicyFileIsBounded(t *testing.T) {
	path := write(t, "policy.json", strings.Repeat(" ", 1<<20+1))
	s, _, _ := streams(items)
	err := writeReport(context.Background(), session.Options{Sources: []string{"-"}, Policy: path}, reportOptions{}, s)
	if err == nil || !strings.Contains(err.Error(), "has more than 1,048,576 bytes") {
		t.Errorf("%v", err)
	}
}

func TestChecksFileIsBounded(t *testing.T) {
	path := write(t, "checks.json", strings.Repeat(" ", 1<<20+1))
	if _, err := itemset.ReadSmall(t.Context(), path); err == nil || !strings.Contains(err.Error(), "has more than 1,048,576 bytes") {
		t.Errorf("%v", err)
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
	if _, err := itemset.ReadPolicy(t.Context(), name); err == nil || !strings.Contains(err.Error(), "has more than 1,048,576 bytes") {
		t.Errorf("%v", err)
	}
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
	agent := func() session.Options { return session.Options{Fixture: "agent", Policy: pipeOf(t, byHint)} }
	two := []string{dir, beirFolder(t)}
	for name, run := range map[string]func(s Streams) error{
		"report": func(s Streams) error { return writeReport(t.Context(), agent(), reportOptions{}, s) },
		"policy": func(s Streams) error { return policy(t.Context(), agent(), policyOptions{}, s) },
		"policy alone": func(s Streams) error {
			return policy(t.Context(), session.Options{Policy: pipeOf(t, byHint)}, policyOptions{}, s)
		},
		"compare": func(s Streams) error {
			return compare(t.Context(), agent(), compareOptions{A: "own", B: pipeOf(t, byHint)}, s)
		},
		"turns": func(s Streams) error { return writeTurns(t.Context(), agent(), turnsOptions{}, s) },
		"check of all requests": func(s Streams) error {
			return check(t.Context(), agent(), checkOptions{Flags: []typedCheck{{Name: "max-cost-ratio", Value: "9"}}}, s)
		},
		"report of a query": func(s Streams) error {
			o := session.Options{Sources: []string{dir}, Select: "q1", MaxTokens: "20", Labels: pipeOf(t, read("qrels/test.tsv")), Run: pipeOf(t, read("run.txt"))}
			return writeReport(t.Context(), o, reportOptions{}, s)
		},
		"evaluate of two folders": func(s Streams) error {
			l := session.LabelOptions{Labels: pipeOf(t, read("qrels/test.tsv")), Run: pipeOf(t, read("run.txt"))}
			return evaluate(t.Context(), session.Options{Sources: two, Policy: pipeOf(t, byHint)}, evaluateOptions{labelOptions: labelOptions{LabelOptions: l}, At: []string{"13"}}, s)
		},
	} {
		s, out, _ := streams("")
		if err := run(s); err != nil || out.Len() == 0 {
			t.Errorf("%s: %v, %d bytes", name, err, out.Len())
		}
	}
}

// smallFiles are the verbs with a file that a person writes, at path.
func smallFiles(path string) map[string]func(context.Context, Streams) error {
	o := session.Options{Fixture: "agent"}
	return map[string]func(context.Context, Streams) error{
		"report --policy": func(ctx context.Context, s Streams) error {
			return writeReport(ctx, session.Options{Fixture: "agent", Policy: path}, reportOptions{}, s)
		},
		"check --checks":  func(ctx context.Context, s Streams) error { return check(ctx, o, checkOptions{File: path}, s) },
		"check --against": func(ctx context.Context, s Streams) error { return check(ctx, o, checkOptions{Against: path}, s) },
		"compare own": func(ctx context.Context, s Streams) error {
			return compare(ctx, o, compareOptions{A: "own", B: path}, s)
		},
		"sweep --policy-b": func(ctx context.Context, s Streams) error { return writeSweep(ctx, o, sweepOptions{PolicyB: path}, s) },
		"report --labels": func(ctx context.Context, s Streams) error {
			return writeReport(ctx, session.Options{Fixture: "agent", Labels: path}, reportOptions{}, s)
		},
		"turns --policy-b": func(ctx context.Context, s Streams) error {
			return writeTurns(ctx, o, turnsOptions{PolicyB: path}, s)
		},
	}
}

// A named pipe that nobody writes to is refused at once, as it is for sources.
func TestANamedPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v, %s", err, out)
	}
	verbs := smallFiles(path)
	verbs["batch"] = func(ctx context.Context, s Streams) error {
		return answerBatch(ctx, session.Options{Sources: []string{path}}, batchOptions{}, s)
	}
	for name, run := range verbs {
		s, out, _ := streams("")
		ended := make(chan error, 1)
		go func() { ended <- run(t.Context(), s) }()
		select {
		case err := <-ended:
			if _, special := errors.AsType[*itemset.SpecialError](err); !special || !strings.Contains(err.Error(), path+": is a pipe, which is never opened") || out.Len() > 0 {
				t.Errorf("%s: %v, %q", name, err, out)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s waits for the pipe", name)
		}
	}
}

// What a shell's pipe has not said yet is waited for until the verb is cancelled.
func TestAShellsPipeIsWaitedForUntilTheEnd(t *testing.T) {
	name, _ := shellPipe(t)
	verbs, folder := smallFiles(name), beirFolder(t)
	verbs["report --run"] = func(ctx context.Context, s Streams) error {
		return writeReport(ctx, session.Options{Sources: []string{folder}, Select: "q1", Run: name}, reportOptions{}, s)
	}
	verbs["evaluate --run"] = func(ctx context.Context, s Streams) error {
		l := labelOptions{LabelOptions: session.LabelOptions{Run: name}}
		return evaluate(ctx, session.Options{Sources: []string{folder}, Select: "q1"}, evaluateOptions{labelOptions: l, At: []string{"13"}}, s)
	}
	for verb, run := range verbs {
		ctx, cancel := context.WithCancel(t.Context())
		s, _, _ := streams("")
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, s) }()
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", verb, err)
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
