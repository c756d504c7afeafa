package explorer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/model/tokens"
	"cupelscope/tui/internal/theme"
)

// A page down is called as footers call it, and as the list of keys does.
func TestAPageDownHasTwoNames(t *testing.T) {
	musttest.Is(t, musttest.Of(keysOf("<pgdn>"))(t)[0], musttest.Of(keysOf("<pgdown>"))(t)[0], "pgdn")
}

// TestShotShowsWhatATerminalShows compares pictures with the screen after the same keys.
func TestShotShowsWhatATerminalShows(t *testing.T) {
	session := agentSession(t)
	opts := Options{Source: "agent", Open: func(context.Context) (*Workspace, error) { return session, nil }, Theme: theme.Dark, Now: func() time.Time { return time.Time{} }}
	for _, keys := range []string{"", "]]2", ":40000<enter>", "3jj", "/kind:tool<enter>G", "?"} {
		for _, file := range []string{"x.txt", "x.svg"} {
			s := (&story{t: t, ways: true}).begin(session, 80, 24, func(o *Options) { o.NoColor = file == "x.txt" }).after(keys)
			shot := Shot{File: file, Size: "80x24", Keys: keys}
			want := strings.Join(s.screen(), "\n") + "\n"
			if file == "x.svg" {
				want = string(picture(s.m.View(), 80, 24, false, theme.TrueColor))
			}
			got, err := shot.Take(t.Context(), opts)
			if err != nil || string(got) != want {
				t.Errorf("%q, %s: %v; got\n%s\nwant\n%s", keys, file, err, got, want)
			}
		}
	}
}

// Each key of a shot is pressed on what the one before has drawn.
func TestShotDrawsBetweenKeys(t *testing.T) {
	session := agentSession(t)
	opts := Options{Source: "agent", Open: func(context.Context) (*Workspace, error) { return session, nil }, Now: func() time.Time { return time.Time{} }}
	got, err := (Shot{File: "x.txt", Keys: "6jj<enter>"}).Take(t.Context(), opts)
	if err != nil || !strings.Contains(string(got), "is:pinned") {
		t.Errorf("%v; the third row of Trace leads to the pinned items, got\n%s", err, got)
	}
}

// Commands of a shot run one after another: counting waits for nobody who reads its batches.
func TestShotWaitsForAllCounts(t *testing.T) {
	session, batches := agentSession(t), 0
	session.Count = func(_ context.Context, emit func(tokens.Progress)) error {
		for ; batches < 9; batches++ {
			emit(tokens.Progress{Done: batches, Total: 9})
		}
		return nil
	}
	opts := Options{Source: "agent", Open: func(context.Context) (*Workspace, error) { return session, nil }, Now: func() time.Time { return time.Time{} }}
	if _, err := (Shot{File: "x.txt", Size: "80x24"}).Take(t.Context(), opts); err != nil || batches != 9 {
		t.Errorf("%v, after %d of 9 batches", err, batches)
	}
}

func TestShotIsRefused(t *testing.T) {
	for _, c := range []struct {
		shot Shot
		want string
	}{
		{Shot{Keys: "j"}, "are for --shot"},
		{Shot{Size: "80x24"}, "are for --shot"},
		{Shot{File: "a.png"}, `"a.png" ends neither in .svg`},
		{Shot{File: "a.svg", Size: "80"}, `"80" is not WIDTHxHEIGHT`},
		{Shot{File: "a.svg", Size: "2000x24"}, "from 1x1 to 1000x400"},
		{Shot{File: "a.svg", Keys: "<return>"}, `no key is called "return"`},
	} {
		musttest.Says(t, c.shot.Check(), c.want, c.shot)
	}
	opts := Options{Source: "x", Open: func(context.Context) (*Workspace, error) { return nil, errors.New("it is not there") }}
	musttest.Is(t, fmt.Sprint(musttest.Refusal((Shot{File: "a.svg"}).Take(t.Context(), opts))), "it is not there", "a source that does not open")
	session := agentSession(t)
	opts.Open = func(context.Context) (*Workspace, error) { return session, nil }
	musttest.Says(t, musttest.Refusal((Shot{File: "a.svg", Keys: "q"}).Take(t.Context(), opts)), "is quit before", "keys that quit")
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := (Shot{File: "a.svg"}).Take(ended, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// The pictures of the README, and of cuts on light: frames of the real program, drawn as SVG.
func goldenPictures(t *testing.T) {
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
			s := begin(t, fixture(t, c.fixture), c.w, c.h, func(o *Options) { o.Theme, o.Now = c.theme, steadyClock() }).after(c.keys)
			goldentest.Check(t, filepath.Join("testdata", "pictures", c.name+".svg"), string(picture(s.m.View(), c.w, c.h, c.theme == theme.Light, s.m.depth)))
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
// those that its formula gives, of 16 its own.
func TestAPictureOfFewColoursHasThoseOfXTerm(t *testing.T) {
	session := agentSession(t)
	for colours, palette := range map[string][]string{"256": {"#17171c", "#d8dbe2", "#fcfcfa", "#26282e"}, "16": theme.XTerm[:]} {
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
			opts := Options{Open: func(context.Context) (*Workspace, error) { return session, nil }, Theme: name, Start: Start{Colours: colours}}
			for _, keys := range []string{"]", "3", "7", "8"} {
				got := musttest.Of((Shot{File: "x.svg", Keys: keys}).Take(t.Context(), opts))(t)
				for _, fill := range regexp.MustCompile(`fill="(#\w+)"`).FindAllStringSubmatch(string(got), -1) {
					if !slices.Contains(palette, fill[1]) {
						t.Fatalf("%s, %s colours, %q: %s is none of them", name, colours, keys, fill[1])
					}
				}
			}
		}
	}
}
