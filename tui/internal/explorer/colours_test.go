package explorer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"cupelscope/tui/internal/theme"
)

// A terminal of few colours gets the indexes that were chosen for them, on every view,
// whatever theme its background asks for, and none that it would have to replace.
func TestATerminalOfFewColoursGetsItsOwn(t *testing.T) {
	for _, name := range []theme.Name{theme.Dark, theme.Light} {
		for profile, want := range map[colorprofile.Profile]string{colorprofile.ANSI256: "38;5;", colorprofile.ANSI: "\x1b[", colorprofile.TrueColor: "38;2;"} {
			s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Theme = name })
			s.send(tea.ColorProfileMsg{Profile: profile})
			for _, view := range "12345678" {
				s.press(string(view))
				frame := s.m.View().Content
				if !strings.Contains(frame, want) || profile != colorprofile.TrueColor && strings.Contains(frame, "8;2;") || profile == colorprofile.ANSI && strings.Contains(frame, "8;5;") {
					t.Errorf("%s, %v: view %c has colours of another terminal", name, profile, view)
				}
			}
		}
	}
}
