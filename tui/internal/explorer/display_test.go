package explorer

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// emulated is a terminal without a file.
type emulated struct{ *vt.Emulator }

func (emulated) Fd() uintptr { return 0 }

// seenOf returns what people see of a cell: a blank has no colour of its own.
func seenOf(c *uv.Cell) uv.Cell {
	if c.Content == " " && c.Style.Attrs&uv.AttrReverse == 0 {
		return uv.Cell{Content: " ", Width: 1, Style: uv.Style{Bg: c.Style.Bg, Underline: c.Style.Underline}}
	}
	return *c
}

// cursors are where a test puts the cursor; nil hides it.
var cursors = []*tea.Cursor{nil, tea.NewCursor(3, 4), tea.NewCursor(7, 1)}

// What the terminal shows is the newest frame, whatever Bubble Tea writes between frames, and whatever
// the terminal can do. Where Bubble Tea has left the screen nothing is written but what it says.
func TestADisplayShowsTheNewestFrame(t *testing.T) {
	s := begin(t, sampleSession(t, 40), 120, 36)
	random := rand.New(rand.NewPCG(3, 9))
	screen := emulated{vt.NewEmulator(120, 36)}
	shows := false
	screen.SetCallbacks(vt.Callbacks{CursorVisibility: func(v bool) { shows = v }})
	d := newDisplay(screen)
	d.heed(tea.WindowSizeMsg{Width: 120, Height: 36})
	keys := []string{"j", " ", "G", "g", "]", "2", "7", "1", "/a", "<esc>", "<enter>", "?", "sss", "k"}
	for n := range randomtest.Rounds(100, 2000) {
		did := "a key"
		switch random.IntN(8) {
		case 0:
			did = "a write of Bubble Tea"
			_, _ = d.Write([]byte("\x1b[2J\x1b[5;5Hwritten over it" + ansi.SetModeTextCursorEnable))
		case 1:
			did = "leaving and coming back"
			_, _ = d.Write([]byte(ansi.ResetModeAltScreenSaveCursor))
			before := screen.Render()
			d.frame = tea.NewView("not here")
			_ = d.write()
			if screen.Render() != before {
				t.Fatalf("round %d: a frame is written to the screen of the shell:\n%s", n, screen.String())
			}
			_, _ = d.Write([]byte(ansi.SetModeAltScreenSaveCursor))
		case 2:
			did = "another size, or a smaller one and back"
			size := tea.WindowSizeMsg{Width: 80 + random.IntN(60), Height: 24 + random.IntN(20)}
			if random.IntN(2) == 0 {
				screen.Resize(30, 10)
				d.heed(tea.WindowSizeMsg{Width: 30, Height: 10})
				size = tea.WindowSizeMsg{Width: s.m.width, Height: s.m.height}
			}
			screen.Resize(size.Width, size.Height)
			d.heed(size)
			if random.IntN(2) == 0 {
				did += ", with the older frame first"
				_, _ = d.Write(nil)
			}
			s.send(size)
		case 3:
			did = "a terminal that shows a write at once"
			d.heed(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeSetting(random.IntN(5))})
		default:
			s.press(keys[random.IntN(len(keys))])
		}
		if n == 0 {
			_, _ = d.Write([]byte(ansi.SetModeAltScreenSaveCursor))
		}
		d.frame = s.m.View()
		d.frame.Cursor = cursors[random.IntN(len(cursors))]
		_ = d.write()
		want := uv.NewScreenBuffer(s.m.width, s.m.height)
		uv.NewStyledString(d.frame.Content).Draw(want, want.Bounds())
		for y := range s.m.height {
			for x := range s.m.width {
				if got, want := seenOf(screen.CellAt(x, y)), seenOf(want.CellAt(x, y)); !got.Equal(&want) {
					t.Fatalf("round %d, after %s: the cell at %d, %d is %#v, want %#v:\n%s", n, did, x, y, got, want, screen.String())
				}
			}
		}
		at := screen.CursorPosition()
		if c := d.frame.Cursor; shows != (c != nil) || shows && (at.X != c.X || at.Y != c.Y) {
			t.Fatalf("round %d, after %s: the cursor is at %v, shown %v; want it at %v", n, did, at, shows, c)
		}
	}
}

// Where a terminal takes a character for wider or narrower, what follows it stands in its own column, and
// nothing of an earlier frame stays.
func TestTextOfDoubtfulWidthMovesNothing(t *testing.T) {
	texts := []string{"plain", "日本語のテキスト", "a👩‍👩‍👧‍👦b", "e\u0301e\u0301", "مرحبا", "1\ufe0f\u20e3 ❤\ufe0f", "🇩🇪🇫🇷", "क्षि", "soft\u00adhyphen", "é ß …"}
	ends := []string{"│ end", "│", ""}
	random := rand.New(rand.NewPCG(5, 2))
	screen := emulated{vt.NewEmulator(40, 3)}
	d := newDisplay(screen)
	d.heed(tea.WindowSizeMsg{Width: 40, Height: 3})
	_, _ = d.Write([]byte(ansi.SetModeAltScreenSaveCursor))
	for n := range randomtest.Rounds(200, 4000) {
		c := &draw.Canvas{}
		c.Reset(40, 3, theme.New(theme.Dark, false))
		said, want := [3]string{}, [3]string{}
		for y := range want {
			said[y], want[y] = texts[random.IntN(len(texts))], ends[random.IntN(len(ends))]
			c.Text(random.IntN(6), y, 25, said[y], theme.Role(random.IntN(4)))
			c.Text(32, y, 8, want[y], theme.Dim)
		}
		d.frame = tea.NewView(c.String())
		_ = d.write()
		for y, end := range want {
			got := ""
			for x := 32; x < 40; x++ {
				got += screen.CellAt(x, y).Content
			}
			if strings.TrimRight(got, " ") != end {
				t.Fatalf("round %d: %q is followed by %q, want %q:\n%s", n, said[y], got, end, screen.String())
			}
		}
	}
}

// A frame that waits gives way to a newer one, and Bubble Tea sees nothing of either.
func TestOnlyTheNewestFrameWaits(t *testing.T) {
	d := newDisplay(emulated{vt.NewEmulator(80, 24)})
	v := tea.NewView("first")
	v.AltScreen, v.WindowTitle, v.Cursor = true, "title", tea.NewCursor(1, 2)
	blank := d.show(v)
	v.Content = "second"
	d.show(v)
	musttest.Is(t, (<-d.frames).Content, "second")
	d.show(v)
	select {
	case <-d.frames:
		t.Error("a frame is written again though nothing has changed")
	default:
	}
	v.Cursor = tea.NewCursor(2, 2)
	d.show(v)
	musttest.Is(t, (<-d.frames).Cursor.X, 2, "only the cursor has moved, and it does not move on the screen")
	if strings.TrimSpace(blank.Content) != "" || blank.Cursor != nil || !blank.AltScreen || blank.WindowTitle != "title" {
		t.Errorf("Bubble Tea gets %+v", blank)
	}
}

// said is a terminal that passes on what is written to it.
type said struct {
	emulated
	all chan string
}

func (s said) Write(p []byte) (int, error) {
	s.all <- string(p)
	return len(p), nil
}

// A frame is written though Bubble Tea writes nothing.
func TestADisplayWritesAFrameByItself(t *testing.T) {
	screen := said{all: make(chan string, 1)}
	d := newDisplay(screen)
	d.heed(tea.WindowSizeMsg{Width: 80, Height: 24})
	_, _ = d.Write([]byte(ansi.SetModeAltScreenSaveCursor))
	<-screen.all
	ctx, end := context.WithCancel(t.Context())
	defer end()
	go d.run(ctx)
	for _, text := range []string{"first", "second"} {
		d.show(tea.NewView(text))
		musttest.Says(t, <-screen.all, text)
	}
}

// Of letters that come faster, the first three have their frames at once. The fourth frame is drawn when the
// first is old enough, with all that has changed until then.
func TestTheFourthFrameWaits(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after(":")
	now := time.Now()
	s.m.opts.Now = func() time.Time { return now }
	var due []tea.Msg
	s.m.after = func(wait time.Duration, msg tea.Msg) tea.Cmd {
		if wait == threeFrames {
			due = append(due, msg)
		}
		return nil
	}
	g := newGuard(s.m)
	g.shows = func(v tea.View) tea.View { return v }
	seen := map[string]bool{}
	for n, letter := range "budget" {
		g.Update(tea.KeyPressMsg{Code: letter, Text: string(letter)})
		seen[g.View().Content] = true
		musttest.Is(t, len(seen), min(n+1, 3), "frames after", n+1, "letters")
	}
	musttest.Is(t, len(due), 1, "frames that wait")
	now = now.Add(threeFrames)
	g.Update(due[0])
	got := g.View().Content
	musttest.Is(t, got == s.m.render(), true, "the fourth frame is what there is now")
	musttest.Is(t, seen[got], false, "the fourth frame was seen before")
}

// Where the terminal has no colours, the signs and attributes of the theme without say what colours would.
func TestATerminalWithoutColours(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	musttest.Is(t, s.m.theme.Name, theme.NoColor)
}
