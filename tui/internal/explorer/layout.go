package explorer

import (
	"fmt"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// The sizes at which the layout changes, in cells. Below the least of them
// the program only says what size it needs.
const (
	minWidth, minHeight         = 60, 16
	compactWidth, compactHeight = 80, 24 // with strips
	fullWidth, fullHeight       = 110, 30
)

// Shape says how much fits on the screen.
type Shape int

const (
	tooSmall Shape = iota
	small          // no strips, no tabs of their own
	compact        // a line of knobs instead of a pane
	full
)

// showing is what the layout depends on besides the size.
type showing struct {
	NoBar  bool // there is no result, and nothing to draw a bar of
	Notice int  // lines of advice, warning or error that are up, 0 to 3
	Reader bool // no pane of the detail: an item is open, or the view needs none
	Dense  bool // below the full shape, the main area has the line of knobs too
	Whole  bool // the main area takes the place of the panes beside it; one line of knobs stays
	Knobs  int  // rows that the pane of knobs has to show
	List   bool // the main area lists the items, which leads: the detail is lower
	Rows   int  // that the main area needs at most, without its frame; 0: all that there are
}

// layout holds the rectangle of each part of the screen, in cells. A part that is not shown has
// an empty one; the others cover the screen without overlap.
type layout struct {
	Shape                       Shape
	Header, Bar, Legend, Tabs   draw.Rect
	Notice                      draw.Rect
	Knobs, KnobLine             draw.Rect // a pane, or one line
	Next                        draw.Rect // changes along the budget axis
	Main, Detail, Impact, Hints draw.Rect
}

// arrange returns the layout of a screen of w by h cells.
func arrange(w, h int, s showing) layout {
	var l layout
	switch {
	case w < minWidth || h < minHeight:
		return layout{Shape: tooSmall}
	case w >= fullWidth && h >= fullHeight:
		l.Shape = full
	case w >= compactWidth && h >= compactHeight:
		l.Shape = compact
	default:
		l.Shape = small
	}
	top, bottom := 0, h
	take := func(n int) draw.Rect { top += n; return draw.Rect{X: 0, Y: top - n, W: w, H: n} }
	last := func(n int) draw.Rect { bottom -= n; return draw.Rect{X: 0, Y: bottom, W: w, H: n} }

	l.Header = take(1)
	l.Hints, l.Impact = last(1), last(1)
	if !s.NoBar {
		l.Bar = take(1)
	}
	if l.Shape != small {
		if !s.NoBar {
			l.Legend = take(1)
		}
		l.Tabs = take(1)
	}
	if s.Notice > 0 {
		l.Notice = take(min(s.Notice, noticeRows))
	}
	left := 0
	switch {
	case l.Shape == full && !s.Whole:
		left = 28
		l.Knobs = draw.Rect{X: 0, Y: top, W: left, H: bottom - top}
		next := max(nextRows, l.Knobs.H-s.Knobs-2)
		l.Knobs.H -= next
		l.Next = draw.Rect{X: 0, Y: top + l.Knobs.H, W: left, H: next}
	case l.Shape == full || !s.Dense:
		l.KnobLine = take(1)
	}
	if !s.Reader {
		detail := detailHeight(l.Shape, bottom-top, s.List)
		if s.Rows > 0 {
			rows := s.Rows
			if l.Shape == full {
				rows += 2 // the frame
			}
			detail = max(detail, bottom-top-max(minMain, rows))
		}
		l.Detail = draw.Rect{X: left, Y: bottom - detail, W: w - left, H: detail}
		bottom -= detail
	}
	l.Main = draw.Rect{X: left, Y: top, W: w - left, H: bottom - top}
	return l
}

// noticeRows bounds the lines of a notice.
const noticeRows = 3

// nextRows is the least height of the pane of the next changes: a line for each of the keys, the
// line of the value with its axis, and the frame. It has all rows that the knobs leave, and knobs are
// folded for it to have roomyNextRows.
const nextRows, roomyNextRows = 10, 15

// minMain is the least height of the main area.
const minMain = 5

// detailHeight shares the rows between table and detail: the table grows first.
func detailHeight(s Shape, rows int, list bool) int {
	switch s {
	case small:
		return 2
	case compact:
		return min(5+max(0, rows-16)/3, 9)
	}
	if list {
		return min(max(8, rows*3/10), 16)
	}
	return min(max(8, rows*3/8), 16)
}

// tooSmall says how large the screen must be, in the words that have room.
func (m *Model) tooSmall(c *draw.Canvas) {
	lines := []string{
		fmt.Sprintf("cupelscope needs %dx%d, this is %dx%d", minWidth, minHeight, m.width, m.height),
		fmt.Sprintf("needs %dx%d, has %dx%d", minWidth, minHeight, m.width, m.height),
		fmt.Sprintf("needs %dx%d", minWidth, minHeight),
		fmt.Sprintf("%dx%d", minWidth, minHeight),
	}
	if m.messages.quitting {
		lines = []string{"unsaved changes: q quits without them, esc stays", "unsaved: q quits, esc stays", "unsaved: q quits", "q quits"}
	}
	c.Text(0, m.height/2, m.width, widget.FirstFitting(lines, m.width, c.Glyphs()), theme.Warn)
}
