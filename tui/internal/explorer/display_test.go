package explorer

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
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
	d := newDisplay(screen, colorprofile.TrueColor)
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

// A frame that waits gives way to a newer one, and Bubble Tea sees nothing of either.
func TestOnlyTheNewestFrameWaits(t *testing.T) {
	d := newDisplay(emulated{vt.NewEmulator(80, 24)}, colorprofile.TrueColor)
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
	d := newDisplay(screen, colorprofile.TrueColor)
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
