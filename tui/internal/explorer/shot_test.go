package explorer

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"cupelscope/model/tokens"
	"cupelscope/tui/internal/theme"
)

// TestShotShowsWhatATerminalShows compares pictures with the screen after the same keys.
func TestShotShowsWhatATerminalShows(t *testing.T) {
	session := fixture(t, "agent")
	opts := Options{Source: "agent", Open: func(context.Context) (*Session, error) { return session, nil }, Theme: theme.Dark, Now: func() time.Time { return time.Time{} }}
	for _, keys := range []string{"", "]]2", ":40000<enter>", "3jj", "/kind:tool<enter>G", "?"} {
		for _, file := range []string{"x.txt", "x.svg"} {
			s := (&story{t: t, ways: true}).begin(session, 80, 24, func(o *Options) { o.NoColor = file == "x.txt" })
			s.press(keys)
			shot := Shot{File: file, Size: "80x24", Keys: keys}
			want := strings.Join(s.screen(), "\n") + "\n"
			if file == "x.svg" {
				want = string(picture(s.m.View().Content, 80, 24, false, theme.TrueColor))
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
	session := fixture(t, "agent")
	opts := Options{Source: "agent", Open: func(context.Context) (*Session, error) { return session, nil }, Now: func() time.Time { return time.Time{} }}
	got, err := (Shot{File: "x.txt", Keys: "6jj<enter>"}).Take(t.Context(), opts)
	if err != nil || !strings.Contains(string(got), "is:pinned") {
		t.Errorf("%v; the third row of Trace leads to the pinned items, got\n%s", err, got)
	}
}

// Commands of a shot run one after another: counting waits for nobody who reads its batches.
func TestShotWaitsForAllCounts(t *testing.T) {
	session, batches := fixture(t, "agent"), 0
	session.Count = func(_ context.Context, emit func(tokens.Progress)) error {
		for ; batches < 9; batches++ {
			emit(tokens.Progress{Done: batches, Total: 9})
		}
		return nil
	}
	opts := Options{Source: "agent", Open: func(context.Context) (*Session, error) { return session, nil }, Now: func() time.Time { return time.Time{} }}
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
		if err := c.shot.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.shot, err, c.want)
		}
	}
	opts := Options{Source: "x", Open: func(context.Context) (*Session, error) { return nil, errors.New("it is not there") }}
	if _, err := (Shot{File: "a.svg"}).Take(t.Context(), opts); err == nil || err.Error() != "it is not there" {
		t.Errorf("a source that does not open: %v", err)
	}
	session := fixture(t, "agent")
	opts.Open = func(context.Context) (*Session, error) { return session, nil }
	if _, err := (Shot{File: "a.svg", Keys: "q"}).Take(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "is quit before") {
		t.Errorf("keys that quit: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := (Shot{File: "a.svg"}).Take(ended, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}
