package widget

import "cupelscope/tui/draw"

// List is a cursor in rows of which only some are on the screen. The cursor
// stays within the rows; the part on the screen follows it.
type List struct {
	// Skip reports whether the cursor passes over a row, as over a heading; nil:
	// over none.
	Skip func(row int) bool
	// Fixed is how many rows at the beginning are always on the screen.
	Fixed int

	n, cursor int
	top       int       // first row on the screen
	at        draw.Rect // where the rows were last drawn
}

// Len is the number of rows.
func (l *List) Len() int { return l.n }

// SetLen changes the number of rows. The cursor stays in its place while there
// is such a row.
func (l *List) SetLen(n int) {
	l.n = n
	l.To(l.cursor)
}

// Cursor is the row that has the cursor, 0 in an empty list.
func (l *List) Cursor() int { return l.cursor }

// To puts the cursor on a row, or on the first or last where there is no such
// row. Where that is passed over, it takes the next row below, else above.
func (l *List) To(row int) {
	l.cursor = min(max(0, row), max(0, l.n-1))
	if l.skips(l.cursor) && !l.step(1) {
		l.step(-1)
	}
}

// Move moves the cursor by rows, stopping at both ends.
func (l *List) Move(by int) {
	if l.Skip == nil {
		l.To(l.cursor + by)
		return
	}
	for ; by > 0 && l.step(1); by-- {
	}
	for ; by < 0 && l.step(-1); by++ {
	}
}

// step moves the cursor to the next row in a direction; false: there is none.
func (l *List) step(dir int) bool {
	for row := l.cursor + dir; row >= 0 && row < l.n; row += dir {
		if !l.skips(row) {
			l.cursor = row
			return true
		}
	}
	return false
}

func (l *List) skips(row int) bool { return l.Skip != nil && row < l.n && l.Skip(row) }

// Page moves the cursor by the rows on the screen, less one.
func (l *List) Page(dir int) { l.Move(dir * max(1, l.at.H-1)) }

// Top moves the cursor to the first row.
func (l *List) Top() { l.To(0) }

// Bottom moves the cursor to the last row.
func (l *List) Bottom() { l.To(l.n - 1) }

// Show scrolls so that the cursor is within r, where the rows are to be drawn
// one a line, and returns the rows first to end-1 that are there, below those
// that are fixed.
func (l *List) Show(r draw.Rect) (first, end int) {
	l.at = r
	if fixed := l.fixed(); fixed > 0 {
		l.top = fixed + Scroll(l.top-fixed, max(0, l.cursor-fixed), r.H-fixed, l.n-fixed)
		return l.top, min(l.top+r.H-fixed, l.n)
	}
	l.top = Scroll(l.top, l.cursor, r.H, l.n)
	if l.top == 1 && l.skips(0) && l.cursor < r.H { // the first heading belongs to the first screen
		l.top = 0
	}
	return l.top, min(l.top+r.H, l.n)
}

// Hide says that no row is on the screen, so that none can be clicked.
func (l *List) Hide() { l.at = draw.Rect{} }

// RowAt is the row that was last drawn at a cell; false: there is none.
func (l *List) RowAt(x, y int) (int, bool) {
	row := y - l.at.Y
	if fixed := l.fixed(); row >= fixed {
		row += l.top - fixed
	}
	return row, l.at.Contains(x, y) && row < l.n
}

// fixed is how many rows are, where there is room for others too.
func (l *List) fixed() int {
	if l.at.H <= l.Fixed {
		return 0
	}
	return min(l.Fixed, l.n)
}

// Scroll returns the first visible row so that cursor is among rows of n.
func Scroll(top, cursor, rows, n int) int {
	if cursor < top {
		top = cursor
	}
	if cursor >= top+rows {
		top = cursor - rows + 1
	}
	return min(max(0, top), max(0, n-rows))
}
