package widget

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// SearchBox is a search line with the rows that it finds below it, and the cursor in them.
// Use NewSearchBox to make one.
type SearchBox struct {
	List
	line Input
}

// NewSearchBox returns a box with an empty line and no rows.
func NewSearchBox() SearchBox { return SearchBox{line: NewInput("", nil)} }

func (b *SearchBox) Text() string { return b.line.Value() }

// Key handles a key that moves the cursor or edits the line, and reports whether
// the line changed.
func (b *SearchBox) Key(msg tea.KeyPressMsg) (changed bool) {
	return !b.List.Key(msg.String()) && b.line.Key(msg)
}

func (b *SearchBox) SetText(text string)               { b.line = NewInput(text, nil) }
func (b *SearchBox) Insert(text string) (changed bool) { return b.line.Paste(text) }

// SearchTexts holds the texts of a box: Title stands in its frame, Label before the
// line, State at the end of the line, and None in place of the rows if there are
// none. Above and Below are how many lines below the line and at the bottom of the box stay
// free of rows.
type SearchTexts struct {
	Title, Label, State, None string
	Above, Below              int
}

// Draw draws the box over r and calls row for each visible row i with its
// rectangle. It returns the rectangle of all rows, or the zero Rect if r is too
// low for any.
func (b *SearchBox) Draw(f *Frame, r draw.Rect, w SearchTexts, row func(r draw.Rect, i int)) draw.Rect {
	in := f.Overlay(r, w.Title)
	if in.Y+in.H == r.Y+r.H { // beside the title stands what OverlayRows says
		in = f.Overlay(r, draw.FitWords(w.Title, r.W-len("─ 1,000 above, 1,000 below "), f.Glyphs()))
	}
	if in.H < 3+w.Above {
		return draw.Rect{}
	}
	x := in.X + 1
	x += f.Text(x, in.Y, in.W-2, w.Label+" ", theme.Dim)
	room := in.W - 3 - len(w.Label)
	if w.State != "" {
		room -= len("the best 1,000 ")
		f.Right(in.X, in.Y, in.W-1, w.State, theme.Dim)
	}
	b.line.Draw(f.Canvas, draw.Rect{X: x, Y: in.Y, W: room, H: 1})
	rows := draw.Rect{X: in.X, Y: in.Y + 1 + w.Above, W: in.W, H: max(1, in.H-1-w.Above-w.Below)}
	if b.Len() == 0 {
		f.Text(rows.X+1, rows.Y, rows.W-2, w.None, theme.Dim)
	}
	first, end := b.Show(rows)
	for i := first; i < end; i++ {
		at := rows.Row(i - first)
		row(at, i)
		f.CursorRow(at, i == b.Cursor(), true)
	}
	f.OverlayRows(r, in, first, end, b.Len())
	return rows
}
