package explorer

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/theme"
)

// The pictures of the README, and of cuts on light: frames of the real program, drawn as
// SVG. After a change of the drawing: go test ./tui/internal/explorer -run Golden -update.
func TestGoldenPictures(t *testing.T) {
	for _, c := range []struct {
		name    string
		fixture string
		w, h    int
		theme   theme.Name
		keys    string
	}{
		{"items", "agent", 120, 36, theme.Dark, "]"},
		{"items-light", "agent", 120, 36, theme.Light, "]"},
		{"items-cut-light", "agent", 80, 24, theme.Light, ":shrink tool 2000 500 note<enter>:max 48k<enter>]"},
		{"map-cut-light", "agent", 80, 24, theme.Light, ":shrink tool 2000 500 note<enter>:max 48k<enter>3"},
		{"compare", "agent", 120, 36, theme.Dark, "2"},
		{"map", "agent", 120, 36, theme.Dark, "3"},
		{"window", "agent", 120, 36, theme.Dark, "4"},
		{"replay", "agent", 120, 36, theme.Dark, "5"},
		{"trace", "agent", 120, 36, theme.Dark, "6"},
		{"curve", "agent", 120, 36, theme.Dark, "7"},
		{"turns", "agent", 120, 36, theme.Dark, "8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, fixture(t, c.fixture), c.w, c.h, func(o *Options) { o.Theme, o.Now = c.theme, steadyClock() })
			s.press(c.keys)
			goldentest.Check(t, filepath.Join("testdata", "pictures", c.name+".svg"), string(picture(s.m.View().Content, c.w, c.h, c.theme == theme.Light, s.m.depth)))
		})
	}
}

// steadyClock lets everything take as long as on a usual machine, always the same.
func steadyClock() func() time.Time {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(130 * time.Microsecond)
		return now
	}
}

// fixture opens a scenario that comes with the program.
func fixture(t *testing.T, name string) *Session {
	t.Helper()
	return musttest.Of(Open(context.Background(), session.Options{Fixture: name}, session.Input{}))(t)
}
