package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/theme"
)

// cursorAt is the text before the terminal's cursor in its line; false: there
// is no cursor.
func (s *story) cursorAt() (before string, shown bool) {
	c := s.m.View().Cursor
	if c == nil {
		return "", false
	}
	line := []rune(s.screen()[c.Y] + strings.Repeat(" ", s.m.width))
	return strings.TrimSpace(string(line[:c.X])), true
}

func TestTheTerminalsCursorStandsWhereTextGoes(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	if _, shown := s.cursorAt(); shown {
		t.Fatal("a cursor where nothing is typed")
	}
	for _, c := range []struct{ why, keys, want string }{
		{"a prompt", "/tok>5<left>", "filter: tok>"},
		{"the help's search", "<esc>?pin", "search pin"},
		{"the jump list", "<esc>fm4", "find m4"},
	} {
		s.press(c.keys)
		if before, shown := s.cursorAt(); !shown || !strings.HasSuffix(before, c.want) {
			t.Errorf("%s: the cursor stands behind %q, want %q", c.why, before, c.want)
		}
	}
	s.press("<esc>")
	if _, shown := s.cursorAt(); shown {
		t.Error("the cursor stayed")
	}
}

func TestFilterTermsAreSuggested(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme theme.Name
		ascii bool
	}{{"dark", theme.Dark, false}, {"light", theme.Light, false}, {"without colour", theme.NoColor, false}, {"ASCII", theme.Dark, true}} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, sampleSession(t, 60), 80, 24, func(o *Options) { o.Theme, o.ASCII = c.theme, c.ascii })
			s.press("/is:p")
			s.line("filter: is:pinned")        // the rest is offered where it would stand
			s.line("tab is:pinned  is:parted") // and what else there is below
			s.press("<down>")
			s.line("filter: is:parted")
			s.press("<up><tab>")
			s.line("filter: is:pinned")
			s.seesNot("tab is:")
			s.press("<enter>")
			s.sees("filtered")
			s.press("/ tok<gt>500 ki<tab>")
			s.line("filter: is:pinned tok>500 kind:")
			s.sees("tab kind:sys")
		})
	}
}

func TestPresetsAndChoicesAreSuggested(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.press("<tab>jjjjjjjjjj<enter>kn")
	s.sees("tab knapsack")
	s.press("<tab><enter>")
	s.sees("slicer greedy → knapsack")
}

func TestPathsAreSuggested(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"alpha.json", "alpine.json", "a\x1b]0;evil\x07.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Skip("this file system has no such name:", err)
		}
	}
	session := sampleSession(t, 20)
	session.SaveFile = func(string, []byte) error { return nil }
	s := begin(t, session, 120, 36)
	s.press("Er")
	for range len("report.json") {
		s.press("<backspace>")
	}
	s.send(tea.PasteMsg{Content: dir + "/a"})
	s.line("tab ", "alpha.json  alpine.json")
	if strings.Contains(s.m.View().Content, "\x1b]") {
		t.Error("a file's name reached the terminal")
	}
	s.press("lpi<tab>")
	s.line("write the report as JSON to: ", "/alpine.json")
}
