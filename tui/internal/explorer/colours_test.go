package explorer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
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

// A picture for a terminal of few colours shows the colours of XTerm and no others: of 256
// those that its formula gives, of 16 its own; see xterm.
func TestAPictureOfFewColoursHasThoseOfXTerm(t *testing.T) {
	session := fixture(t, "agent")
	for colours, palette := range map[string][]string{"256": {"#17171c", "#d8dbe2", "#fcfcfa", "#26282e"}, "16": xterm[:]} {
		if colours == "256" {
			level := [6]int{0, 95, 135, 175, 215, 255}
			for n := range 216 {
				palette = append(palette, fmt.Sprintf("#%02x%02x%02x", level[n/36], level[n/6%6], level[n%6]))
			}
			for n := range 24 {
				palette = append(palette, fmt.Sprintf("#%02[1]x%02[1]x%02[1]x", 8+10*n))
			}
		}
		for _, name := range []theme.Name{theme.Dark, theme.Light} {
			opts := Options{Open: func(context.Context) (*Session, error) { return session, nil }, Theme: name, Start: Start{Colours: colours}}
			for _, keys := range []string{"]", "3", "7", "8"} {
				got, err := (Shot{File: "x.svg", Keys: keys}).Take(t.Context(), opts)
				if err != nil {
					t.Fatal(err)
				}
				for _, fill := range regexp.MustCompile(`fill="(#\w+)"`).FindAllStringSubmatch(string(got), -1) {
					if !slices.Contains(palette, fill[1]) {
						t.Fatalf("%s, %s colours, %q: %s is none of them", name, colours, keys, fill[1])
					}
				}
			}
		}
	}
}
