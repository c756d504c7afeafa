package explorer

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// threeFrames is the least time from one frame to the third after it: no one sees more of them. The two
// between do not wait: they often have the answer to the key that the first was drawn for.
const threeFrames = 16 * time.Millisecond

// display is a terminal that shows each frame as soon as it is drawn. Bubble Tea's renderer looks
// for a new one 120 times a second at most, so that the effect of a key would wait for the next
// look, up to 8 ms.
//
// The modes of the terminal stay Bubble Tea's, and entering and leaving the screen. It writes them
// through the display, for a screen that is blank to it; with what it writes the frame is written
// again, because that may have erased it.
type display struct {
	term.File
	newest tea.View
	frames chan tea.View // newest, until it is taken

	mu        sync.Mutex // held while the terminal is written to
	frame     tea.View   // what it shows
	lines     []string   // of frame, as they are in cells
	cells     uv.ScreenBuffer
	changes   *uv.TerminalRenderer // writes to out how the screen becomes cells
	out       bytes.Buffer
	alternate bool // Bubble Tea has entered the screen
	atOnce    bool // the terminal can show all of a write at once
	cursor    bool // it may show its cursor
}

func newDisplay(f term.File, profile colorprofile.Profile) *display {
	d := &display{File: f, frames: make(chan tea.View, 1), cells: uv.NewScreenBuffer(0, 0)}
	d.changes = uv.NewTerminalRenderer(&d.out, os.Environ())
	d.changes.SetColorProfile(profile)
	d.changes.SetFullscreen(true)
	d.changes.SetScrollOptim(runtime.GOOS != "windows") // where, says Bubble Tea, some terminals scroll wrongly
	return d
}

// show has a frame shown, in place of one that still waits, and returns what Bubble Tea shows. It does not
// wait for the terminal, which may not read.
func (d *display) show(frame tea.View) tea.View {
	if frame.Content != d.newest.Content || !samePlace(frame.Cursor, d.newest.Cursor) {
		select {
		case <-d.frames:
		default:
		}
		d.newest = frame
		d.frames <- frame
	}
	frame.Content, frame.Cursor = " ", nil
	return frame
}

func samePlace(a, b *tea.Cursor) bool {
	return a == b || a != nil && b != nil && a.Position == b.Position
}

// run shows frames until ctx ends.
func (d *display) run(ctx context.Context) {
	var last [2]time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case frame := <-d.frames:
			before := last[0]
			last = [2]time.Time{last[1], time.Now()}
			d.mu.Lock()
			d.frame = frame
			_ = d.write() // to a terminal that is gone; reading it tells so
			d.mu.Unlock()
			time.Sleep(time.Until(before.Add(threeFrames)))
		}
	}
}

// heed takes what a message tells of the terminal, and returns the message.
func (d *display) heed(msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.WindowSizeMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
	default:
		return msg // a key does not wait for the terminal
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		d.cells.Resize(msg.Width, msg.Height)
		d.changes.Resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		d.changes.SetColorProfile(msg.Profile)
	case tea.ModeReportMsg:
		switch {
		case msg.Mode == ansi.ModeSynchronizedOutput:
			d.atOnce = msg.Value == ansi.ModeReset
		case msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset():
			d.cells.Method = ansi.GraphemeWidth // Bubble Tea switches it on
		}
	}
	d.cells.Clear()
	d.lines = make([]string, d.cells.Height())
	return msg
}

// Write passes on what Bubble Tea writes to the terminal, and writes the frame again.
func (d *display) Write(said []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	entered := bytes.LastIndex(said, []byte(ansi.SetModeAltScreenSaveCursor))
	left := bytes.LastIndex(said, []byte(ansi.ResetModeAltScreenSaveCursor))
	if entered != left {
		d.alternate = entered > left
	}
	d.out.Write(said)
	d.changes.Erase()
	d.cursor = true
	return len(said), d.write()
}

// write writes out and, to the screen that Bubble Tea has entered, what differs from the frame.
func (d *display) write() error {
	if d.alternate {
		d.draw()
	}
	defer d.out.Reset()
	_, err := d.File.Write(d.out.Bytes())
	return err
}

func (d *display) draw() {
	if d.atOnce {
		d.out.WriteString(ansi.SetModeSynchronizedOutput)
	}
	if d.cursor {
		d.out.WriteString(ansi.ResetModeTextCursorEnable)
	}
	for y, line := range strings.Split(d.frame.Content, "\n") {
		if y < len(d.lines) && line != d.lines[y] {
			uv.NewStyledString(line).Draw(d.cells, uv.Rect(0, y, d.cells.Width(), 1))
			d.lines[y] = line
		}
	}
	d.changes.Render(d.cells.RenderBuffer)
	d.cursor = d.frame.Cursor != nil
	if d.cursor {
		d.changes.MoveTo(d.frame.Cursor.X, d.frame.Cursor.Y)
		_, _ = d.changes.WriteString(ansi.SetModeTextCursorEnable)
	}
	_ = d.changes.Flush() // to out
	if d.atOnce {
		d.out.WriteString(ansi.ResetModeSynchronizedOutput)
	}
}
