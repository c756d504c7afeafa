package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
)

// manyRuns writes a file of n runs, which may all begin with the same text, and returns its path
// and how the program opens it.
func manyRuns(t testing.TB, n int, same ...string) (path string, open func(context.Context) (*Workspace, error)) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "runs.jsonl")
	var b strings.Builder
	for i := range n {
		question := musttest.Of(json.Marshal(append(same, fmt.Sprintf("question %d, \x1b[2Jwhy?", i+1))[0]))(t)
		fmt.Fprintf(&b, `{"custom_id": "r%d", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "gpt-4o", "messages": [{"role": "user", "content": %s}, {"role": "assistant", "content": "answer %d"}]}}`+"\n", i+1, question, i+1)
	}
	musttest.Do(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path, func(ctx context.Context) (*Workspace, error) {
		return Open(ctx, session.Options{Sources: []string{path}, Budget: map[string]string{"maxTokens": "1k"}}, session.Input{})
	}
}

// runsOf returns the runs that a source lets choose from.
func runsOf(t testing.TB, _ string, open func(context.Context) (*Workspace, error)) *session.Choices {
	t.Helper()
	several, ok := errors.AsType[*severalError](musttest.Refusal(open(t.Context())))
	if !ok {
		t.Fatal("it opens")
	}
	return several.choices
}

// A file of many runs begins with their list; words find one, enter opens it, o comes back
// to it, and esc leaves it.
func TestTheRunsOfAFileAreListed(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		_, open := manyRuns(t, 2000)
		s := begin(t, sampleSession(t, 3), size[0], size[1], func(o *Options) { o.Open = open })
		if s.m.exp != nil || !s.typing() && !s.m.typing() {
			t.Fatalf("no list:\n%s", s.text())
		}
		s.sees("runs of", "2,000 found", "question 1, why?", "enter open")
		s.press("<down><down><end>", "question 2000,")
		s.press("question 77<down>", "38 found")
		s.press("<enter>")
		if s.m.exp == nil || s.m.exp.Items().Len() != 2 || !strings.Contains(s.m.exp.Items().Item(0).Content, "question 177,") {
			t.Fatalf("the second found run was not opened:\n%s", s.text())
		}
		s.press("o", "runs of")
		s.line(string(s.m.theme.Glyphs.Cursor), "177", "question 177,")
		s.press("<esc>")
		s.seesNot("runs of")
		s.press("o1999<enter>")
		musttest.Says(t, s.m.exp.Items().Item(0).Content, "question 1999,")
	}
}

// A run that does not open leads back to the list, which says why.
func TestARunThatDoesNotOpenLeadsBackToTheList(t *testing.T) {
	path, open := manyRuns(t, 9)
	s := begin(t, sampleSession(t, 3), 120, 36, func(o *Options) { o.Open = open })
	text := musttest.Of(os.ReadFile(path))(t)
	musttest.Do(t, os.WriteFile(path, text[:len(text)/2], 0o600))
	s.press("<end><enter>")
	if s.m.exp != nil || s.m.load.failed != nil {
		t.Fatalf("it is left with %v:\n%s", s.m.load.failed, s.text())
	}
	s.sees("not opened:", "there is no number 9", "runs of")
	s.press("<home><enter>")
	if s.m.exp == nil {
		t.Errorf("the first run was not opened:\n%s", s.text())
	}
}

// The mouse works in the list that the program begins with, and what is pasted is searched.
func TestTheFirstListTakesTheMouse(t *testing.T) {
	_, open := manyRuns(t, 50)
	s := begin(t, sampleSession(t, 3), 120, 36, func(o *Options) { o.Open = open })
	s.sees("50 runs")
	s.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	s.line(string(s.m.theme.Glyphs.Cursor), "question 4,")
	s.send(tea.PasteMsg{Content: "question 4"})
	s.sees("14 found")
	s.send(tea.MouseClickMsg{X: 9, Y: 4, Button: tea.MouseLeft})
	if s.m.exp == nil || !strings.Contains(s.m.exp.Items().Item(0).Content, "question 14,") {
		t.Errorf("the second row was not opened:\n%s", s.text())
	}
}

// What was changed in a run is not lost by opening another without a second enter.
func TestAnotherRunAsksForUnsavedChanges(t *testing.T) {
	_, open := manyRuns(t, 5)
	s := begin(t, sampleSession(t, 3), 120, 36, func(o *Options) { o.Open = open }).after("<enter>xo<down><enter>", "unsaved changes; enter again", "runs of")
	s.press("<enter>")
	s.seesNot("runs of")
}

// Where no run is chosen the screen names all, with the key that opens another source: its list of runs leads
// back there too. The program then ends with that error.
func TestNoRunIsChosen(t *testing.T) {
	path, open := manyRuns(t, 7)
	bad := musttest.File(t, "bad.json", "{")
	s := begin(t, sampleSession(t, 3), 80, 24, func(o *Options) { o.Open = open }).after("<tab>", "Open in place of ")
	s.press("<esc>", "Could not open ", "holds 7 runs: choose one")
	s = begin(t, sampleSession(t, 3), 80, 24, func(o *Options) { o.Open = open }).after("zzz", "No row has these words.", "0 found")
	s.press("<enter>", "No row has these words.")
	for range 2 {
		s.press("<esc>", "Could not open ", "holds 7 runs: choose one", "o opens another source")
		s.press("o<ctrl+u>"+bad+"<enter>", "bad.json: ", "o opens another source")
		s.press("o<ctrl+u>"+path+"<enter>", "runs of")
	}
	s.press("<esc>q")
	musttest.Says(t, s.m.load.failed, "holds 7 runs: choose one with --select N", "it ends with")
}

// Runs that cannot be opened are counted in the list, with why the first cannot.
func TestRunsThatDoNotOpenAreCounted(t *testing.T) {
	path := musttest.File(t, "some.json", `{"runs": [{"messages": []}, {"messages": [{"role": "user", "content": "good"}]}, {"messages": [{"role": "user", "content": "fine"}]}]}`)
	choices := musttest.Of(session.Options{Sources: []string{path}}.Choices(t.Context(), session.Input{}))(t)
	var last overlay.ListState
	listRuns(t.Context(), choices, "~", func(state overlay.ListState) { last = state })
	if len(last.Rows) != 2 || last.Rows[0].Key != "2" || !strings.Contains(last.Note, "1 cannot be opened, as number 1:") || !last.Done {
		t.Errorf("%+v", last)
	}
}

// agentHome is a home with n sessions of Claude Code, one of them of the project at the
// second result, and one of opencode. All may have the same project and request.
func agentHome(t testing.TB, n int, same ...string) sessions.Places {
	t.Helper()
	home := t.TempDir()
	work := filepath.Join(home, "harbor")
	write := func(path, text string, age time.Duration) {
		path = filepath.Join(home, filepath.FromSlash(path))
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
		at := agentNow.Add(-age)
		musttest.Do(t, os.Chtimes(path, at, at))
	}
	for i := range n {
		cwd := append(same, "/elsewhere/\u001b[2Jp")[0]
		if i == 2 {
			cwd = work
		}
		row := musttest.Of(json.Marshal(map[string]any{"type": "user", "cwd": cwd, "uuid": "1", "timestamp": "2026-01-01T00:00:00Z", "message": map[string]any{"role": "user", "content": append(same, fmt.Sprintf("request %d \u202e", i))[0]}}))(t)
		write(fmt.Sprintf(".claude/projects/p/%d.jsonl", i), string(row), time.Duration(i)*time.Hour)
	}
	write(".local/share/opencode/storage/session/p/ses_9.json", `{"directory":"/notes","title":"sort the imports"}`, 99*time.Hour)
	return sessions.Places{Home: home, Folder: work}
}

var agentNow = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func listing(t *testing.T, places sessions.Places, opened *string, w, h int) *story {
	return begin(t, sampleSession(t, 60), w, h, func(o *Options) {
		o.Sessions, o.Now = places, func() time.Time { return agentNow }
		o.OpenOther = func(_ context.Context, path string) (*Workspace, error) {
			*opened = filepath.Base(path)
			next := sampleSession(t, 3)
			next.Follow = func() *Followed { return new(Followed) }
			return next, nil
		}
	})
}

// o lists the sessions of this machine, those of the project first; words find one, enter
// opens it, tab leads to the files, and esc leaves the list.
func TestTheSessionsOfThisMachine(t *testing.T) {
	places := agentHome(t, 30)
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		opened := ""
		s := listing(t, places, &opened, size[0], size[1])
		s.do("source.open", "sessions of this machine", "31 found", "claude-code")
		s.line(string(s.m.theme.Glyphs.Cursor)+"claude-code", "request 2", "2 h")
		s.line("request 0", "running")
		s.sees("31 sessions, newest first, 1 of this project on top")
		s.seesNot("read …", "read a…", "names, …")
		s.press("<esc>")
		s.seesNot("sessions of this machine")
		s.press("oelsewhere request 1<down><enter>")
		musttest.Is(t, opened, "10.jsonl", s.text())
		musttest.Is(t, s.m.exp.Items().Len(), 3, s.text())
		s.press("oimports<tab>", "path imports")
	}
}

// ctrl+f opens a session and follows it.
func TestASessionIsFollowedFromTheList(t *testing.T) {
	opened := ""
	s := listing(t, agentHome(t, 3), &opened, 120, 36)
	s.do("source.open")
	s.send(tea.KeyPressMsg{Code: 'f', Mod: tea.ModCtrl})
	if opened != "2.jsonl" || s.m.follow.source == nil {
		t.Errorf("%q was opened, followed: %v", opened, s.m.follow.source != nil)
	}
}

// Without a session, and without places, o asks for a file as ever.
func TestWithoutSessionsFilesAreOffered(t *testing.T) {
	for name, places := range map[string]sessions.Places{"an empty home": {Home: t.TempDir()}, "no places": {}} {
		opened := ""
		s := listing(t, places, &opened, 120, 36)
		s.do("source.open")
		s.seesNot("sessions of this machine")
		musttest.Says(t, s.text(), "Open in place of sample.json", name)
	}
}

// The demo says once how many sessions there are; nothing else does.
func TestTheDemoCountsSessions(t *testing.T) {
	for _, teaches := range []bool{true, false} {
		s := begin(t, sampleSession(t, 60), 80, 24, func(o *Options) {
			o.Sessions = agentHome(t, 11)
			open := o.Open
			o.Open = func(ctx context.Context) (*Workspace, error) {
				next, err := open(ctx)
				next.Sample = teaches
				return next, err
			}
		})
		musttest.Is(t, strings.Contains(s.text(), "12 sessions of yours: o"), teaches, "it teaches", s.text())
		s.press("j")
		s.seesNot("sessions of yours")
	}
}

// Where the policy splits calls from their results, the screen offers once to keep them
// together; & does, undo takes it back, and the offer does not return.
func TestKeepingPairsIsOffered(t *testing.T) {
	s := begin(t, pairedSession(t, 60), 120, 36)
	split := len(s.m.exp.Outcome(experiment.A).Split)
	if split == 0 {
		t.Fatal("no pair is split")
	}
	s.sees(fmt.Sprintf("%d of 29 tool calls split from the result, which an API may refuse: & keeps pairs", split))
	for now := split; now == split; now = len(s.m.exp.Outcome(experiment.A).Split) {
		s.do("budget.back") // the notice counts what is split now
	}
	s.sees(fmt.Sprintf("%d of 29 tool calls split from the result", len(s.m.exp.Outcome(experiment.A).Split)))
	s.do("policy.pairs")
	if out := s.m.exp.Outcome(experiment.A); len(out.Split) > 0 || !s.m.exp.Setup().Policy[experiment.A].KeepPairs {
		t.Errorf("%d pairs are split", len(out.Split))
	}
	s.seesNot("API may refuse")
	s.do("undo")
	musttest.Is(t, s.m.exp.Setup().Policy[experiment.A].KeepPairs, false, "after undo, pairs are kept")
	s.seesNot("API may refuse")
	path := filepath.Join(t.TempDir(), "chat.json")
	write(t, path, `[{"role":"system","content":"Be brief."},{"role":"user","content":"Is it going to rain in Paris?"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"rain","arguments":"{}"}}]},`+
		`{"role":"tool","tool_call_id":"c1","content":"`+strings.Repeat("rain ", 40)+`"}]`)
	s = begin(t, sessionOf(t, session.Options{Sources: []string{path}}), 120, 36)
	s.seesNot("API may refuse")
	s.press(":30<enter>") // the first that splits the call from its result
	s.sees("1 of 1 tool call split from the result, which an API may refuse: & keeps pairs")
	s = begin(t, sampleSession(t, 60), 120, 36)
	s.seesNot("API may refuse")
	s.press("&", "no tool call here has a result of its own")
}

// BenchmarkListing lists, searches and draws 2,000 runs.
func BenchmarkListing(b *testing.B) {
	path, _ := manyRuns(b, 2000)
	choices := musttest.Of(session.Options{Sources: []string{path}}.Choices(b.Context(), session.Input{}))(b)
	var last overlay.ListState
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			listRuns(b.Context(), choices, "~", func(state overlay.ListState) { last = state })
		}
	})
	b.Run("letter", func(b *testing.B) {
		_, open := manyRuns(b, 2000)
		s := begin(b, sampleSession(b, 3), 120, 36, func(o *Options) { o.Open = open })
		for b.Loop() {
			s.press("7<backspace>")
		}
	})
	if len(last.Rows) != 2000 {
		b.Fatal(len(last.Rows))
	}
}
