package explorer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/theme"
)

// stalled is a reader that gives what it has, and then nothing for ever.
type stalled struct {
	text string
	held chan bool
}

func (s *stalled) Read(p []byte) (int, error) {
	if s.text == "" {
		<-s.held
		return 0, errors.New("let go")
	}
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

// A pipe that stays open is waited for in the background: how much has come is
// told, and q does not wait.
func TestLoadingSaysHowFarItIs(t *testing.T) {
	in := &stalled{text: `{"content": "a"}`, held: make(chan bool)}
	reads := make(chan bool)
	opened := sampleSession(t, 3)
	m := New(context.Background(), Options{Source: "-", Theme: theme.Dark, Open: func(ctx context.Context) (*Workspace, error) {
		_, err := Open(ctx, session.Options{Sources: []string{"-"}}, session.Input{Reader: in})
		reads <- true
		return opened, err
	}})
	defer m.stop()
	st := &story{t: t, m: m, held: true}
	m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd { st.due = msg; return nil }
	load := m.startLoad("-", m.opts.Open, m.loaded)
	st.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	st.sees("loading -…", "nothing has been read yet")
	answer := make(chan tea.Msg)
	go func() { answer <- load() }()
	for m.load.progress.Load() == nil {
		runtime.Gosched()
	}
	st.tick()
	st.sees("16 bytes read, at most 1,073,741,824", "q or esc quits")
	if _, cmd := m.Update(tea.KeyPressMsg{Code: 'q', Text: "q"}); cmd == nil {
		t.Error("q does not quit while a pipe is waited for")
	}
	close(in.held)
	<-reads
	m.Update(<-answer)
	musttest.Is(t, m.load.failed, nil, "what q stopped is told as an error")
}

func TestLoadingWords(t *testing.T) {
	for _, c := range []struct {
		p    itemset.Progress
		want string
	}{
		{itemset.Progress{Files: 1, Bytes: 5}, "1 file, 5 bytes"},
		{itemset.Progress{Files: 1280, Bytes: 1 << 20}, "1,280 files, 1,048,576 bytes"},
		{itemset.Progress{Bytes: 1000, Size: 4000}, "1,000 of 4,000 bytes read"},
		{itemset.Progress{Bytes: 4000, Size: 4000, Records: 2560}, "4,000 bytes read, 2,560 records so far"},
		{itemset.Progress{Bytes: 1000}, "1,000 bytes read, at most 1,073,741,824"},
	} {
		m := New(context.Background(), Options{})
		m.startLoad("x", nil, nil)
		m.load.progress.Store(&c.p)
		musttest.Is(t, m.load.words(), c.want, c.p)
		m.stop()
	}
}

// Another source is loaded beside what is shown: the message line says how far
// that is, in place of nothing, and esc stops it.
func TestLoadingBesideASession(t *testing.T) {
	serial(t)
	t.Chdir(t.TempDir())
	musttest.Do(t, os.WriteFile("other.json", nil, 0o600))
	s := begin(t, sampleSession(t, 6), 120, 36, func(o *Options) {
		o.OpenOther = func(context.Context, string) (*Workspace, error) { return sampleSession(t, 3), nil }
	})
	s.held = true
	s.press("oother.json<enter>", "loading other.json…; esc stops that")
	s.m.load.progress.Store(&itemset.Progress{Files: 64, Bytes: 9})
	s.send(quietMsg(s.m.progressed))
	s.sees("loading other.json… 64 files, 9 bytes; esc stops that")
	s.press("l", maxTokens+" 32,000 → 33,000")
	s.send(quietMsg(s.m.progressed))
	s.press("<esc>", "stopped: nothing was loaded")
	s.release(" of 6 in")
	s.press("oother.json<enter>", "unsaved changes; enter again")
	s.press("<enter>", " of 3 in")
	s.seesNot("loading")
}

// What is told of loading is not about counts, which are counted meanwhile.
func TestTheNoticeOfLoadingIsTrueAfterCounting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "items.jsonl")
	lines := `{"kind":"Message","content":"a text without a count"}` + "\n" + "not JSON\n"
	musttest.Do(t, os.WriteFile(path, []byte(lines), 0o600))
	opened := sessionOf(t, session.Options{Sources: []string{path}})
	if opened.Count == nil {
		t.Fatal("there is nothing to count")
	}
	s := begin(t, opened, 120, 36)
	s.sees("skipped 1 line", "i all, esc next")
	s.seesNot("estimated")
}

// Of two files the line above all has both names where there is room, of more the first.
func TestBothSourcesAreNamed(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for _, name := range []string{"handbook.md", "changelog.md", "plan.md"} {
		paths = append(paths, filepath.Join(folder, name))
		musttest.Do(t, os.WriteFile(paths[len(paths)-1], []byte("# Text of "+name), 0o600))
	}
	for _, c := range []struct {
		sources, width, height int
		name                   string
	}{
		{2, 120, 36, " handbook.md and changelog.md  "}, {2, 80, 24, " handbook.md and 1 more  "}, {3, 120, 36, " handbook.md and 2 more  "},
	} {
		s := begin(t, sessionOf(t, session.Options{Sources: paths[:c.sources]}), c.width, c.height)
		s.sees(c.name)
	}
}
