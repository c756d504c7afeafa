package explorer

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"sync"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/clipperhouse/displaywidth"
)

// display is a terminal that shows each frame as soon as it is drawn. Bubble Tea's renderer looks
// for a new one 120 times a second at most, so that the effect of a key would wait for the next
// look, up to 8 ms, and compares frames cell by cell, which takes longer than drawing them.
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
	lines     []string   // of frame, as the terminal shows them; "" where it is blank
	erase     bool       // the terminal may show anything
	out       bytes.Buffer
	alternate bool // Bubble Tea has entered the screen
	atOnce    bool // the terminal can show all of a write at once
	cursor    bool // it may show its cursor
}

func newDisplay(f term.File) *display { return &display{File: f, frames: make(chan tea.View, 1)} }

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
	for {
		select {
		case <-ctx.Done():
			return
		case frame := <-d.frames:
			d.mu.Lock()
			d.frame = frame
			_ = d.write() // to a terminal that is gone; reading it tells so
			d.mu.Unlock()
		}
	}
}

// heed takes what a message tells of the terminal, and returns the message.
func (d *display) heed(msg tea.Msg) tea.Msg {
	switch msg := msg.(type) { // a key does not wait for the terminal
	case tea.WindowSizeMsg:
		d.mu.Lock()
		defer d.mu.Unlock()
		d.lines = make([]string, msg.Height)
		d.erase = true
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeSynchronizedOutput {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.atOnce = msg.Value == ansi.ModeReset
		}
	}
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
	d.erase, d.cursor = true, true
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
	d.out.WriteString(ansi.ResetModeAutoWrap) // what is wider than the terminal disturbs no other line
	if d.erase {
		d.out.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
		clear(d.lines)
		d.erase = false
	}
	n := 0
	for line := range strings.SplitSeq(d.frame.Content, "\n") {
		if n == len(d.lines) {
			break
		}
		if was := d.lines[n]; line != was {
			d.change(n, was, line)
			d.lines[n] = line
		}
		n++
	}
	d.out.WriteString(ansi.SetModeAutoWrap)
	if d.cursor = d.frame.Cursor != nil; d.cursor {
		d.out.WriteString(ansi.CursorPosition(d.frame.Cursor.X+1, d.frame.Cursor.Y+1))
		d.out.WriteString(ansi.SetModeTextCursorEnable)
	}
	if d.atOnce {
		d.out.WriteString(ansi.ResetModeSynchronizedOutput)
	}
}

// change writes line y in place of what was there: what lies between the parts of them that are the same, or
// all of it if the lines are not as long as each other, or where terminals differ about the width of a
// character. What goes beyond the edge of a terminal stands in its last column.
func (d *display) change(y int, was, line string) {
	before, even := cellsOf(was)
	after, too := cellsOf(line)
	if before != after || !even || !too {
		d.out.WriteString(ansi.CursorPosition(1, y+1) + ansi.EraseEntireLine)
		d.place(line)
		return
	}
	from, to, x := differs(was, line)
	d.out.WriteString(ansi.CursorPosition(x+1, y+1))
	d.out.WriteString(line[from:to])
}

// place writes a line, and says in which column what follows characters of doubtful width stands.
func (d *display) place(line string) {
	x, doubtful := 0, false
	for text, escape := range parts(line) {
		if escape {
			d.out.WriteString(text)
			continue
		}
		r, _ := utf8.DecodeRuneInString(text)
		was := doubtful
		if doubtful = !sure(r); was && !doubtful {
			d.out.WriteString(ansi.CursorHorizontalAbsolute(x + 1))
		}
		d.out.WriteString(text)
		x += displaywidth.Rune(r)
	}
}

// differs returns the bytes of line that have to be written where was stands, on both sides of which the
// terminal's own look holds, and their first column. Both lines have as many cells, and each character one.
func differs(was, line string) (from, to, column int) {
	same, end := 0, 0
	for same < min(len(was), len(line)) && was[same] == line[same] {
		same++
	}
	for end < min(len(was), len(line))-same && was[len(was)-1-end] == line[len(line)-1-end] {
		end++
	}
	at, x, plain := 0, 0, true
	for text, escape := range parts(line) {
		switch {
		case plain && at <= same:
			from, column = at, x
		case plain && at >= len(line)-end:
			return from, at, column
		}
		at += len(text)
		if escape {
			plain = text == ansi.ResetStyle
		} else {
			x++
		}
	}
	return from, len(line), column
}

// parts yields the escape sequences of a line, all of which end in m, and its characters.
func parts(line string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for line != "" {
			escape, size := line[0] == ansi.ESC, 0
			if escape {
				size = strings.IndexByte(line, 'm') + 1
			} else {
				_, size = utf8.DecodeRuneInString(line)
			}
			if !yield(line[:size], escape) {
				return
			}
			line = line[size:]
		}
	}
}

// cellsOf returns how many cells a line has, and whether all terminals say so.
func cellsOf(line string) (n int, even bool) {
	even = true
	for text, escape := range parts(line) {
		if !escape {
			r, _ := utf8.DecodeRuneInString(text)
			n, even = n+1, even && sure(r)
		}
	}
	return n, even
}

// sure reports whether a character takes one cell: in every terminal that gives one to the lines of boxes.
func sure(r rune) bool {
	return r < 0x7f || (r > 0xad && r < 0x300 || r >= 0x2010 && r < 0x2c00) && displaywidth.Rune(r) == 1
}
