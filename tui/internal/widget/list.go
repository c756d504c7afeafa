package widget

import "cupelscope/tui/internal/draw"

// List is a cursor in a list of rows of which only some fit on the screen. The cursor is
// always within the rows, and the list scrolls with it. The zero List has no rows.
type List struct {
	// Skip reports whether the cursor skips a row, such as a heading; nil skips none.
	Skip func(row int) bool
	// Fixed is how many rows at the beginning do not scroll.
	Fixed int

	n, cursor int
	top       int       // first row on the screen
	pushed    int       // how many more rows are above that since the screen has fewer than it had
	at        draw.Rect // where the rows were last drawn
}

func (l *List) Len() int { return l.n }

// SetLen changes the number of rows. The cursor keeps its row, or goes to the last if
// there are fewer.
func (l *List) SetLen(n int) {
	l.n = n
	l.To(l.cursor)
}

// Cursor returns the index of the row under the cursor; 0 in an empty list.
func (l *List) Cursor() int { return l.cursor }

// To puts the cursor on a row, or on the first or last row if row is out of bounds. If that
// row is skipped, it takes the nearest row below that is not, or else above.
func (l *List) To(row int) {
	l.cursor = min(max(0, row), max(0, l.n-1))
	if l.skips(l.cursor) && !l.step(1) {
		l.step(-1)
	}
}

// Move moves the cursor down by that many rows, or up if by is negative, and stops at the
// ends of the list.
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

// step moves the cursor to the next row in a direction that is not skipped. It returns
// false if there is none.
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

// Page moves the cursor down (dir 1) or up (-1) by one row less than the screen has.
func (l *List) Page(dir int) { l.Move(dir * max(1, l.at.H-1)) }

// Key handles a key that moves the cursor beside a line that is typed, and reports whether it is one.
func (l *List) Key(name string) bool { return MoveKey(name, l.Move, l.Page) }
func (l *List) Top()                 { l.To(0) }
func (l *List) Bottom()              { l.To(l.n - 1) }

// Show scrolls so that the cursor is within r, in which each row takes a line. It returns
// the rows to draw there, first to end-1, below the rows that do not scroll.
func (l *List) Show(r draw.Rect) (first, end int) {
	grown, was := r.H-l.at.H, l.top
	if grown > 0 { // as when a notice goes: back to where it came
		l.top, l.pushed = max(0, l.top-min(grown, max(0, l.pushed))), 0
	}
	l.at = r
	rows, fixed := r.H, l.fixed()
	if fixed > 0 {
		rows -= fixed
		l.top = fixed + Scroll(l.top-fixed, max(0, l.cursor-fixed), rows, l.n-fixed)
	} else {
		l.top = Scroll(l.top, l.cursor, rows, l.n)
		if l.top == 1 && l.skips(0) && l.cursor < rows { // the first screen shows the first heading
			l.top = 0
		}
		if l.top == l.cursor && l.top > 0 && rows > 1 && l.skips(l.top-1) { // a heading stays with the first row below it
			l.top--
		}
	}
	if grown < 0 {
		l.pushed = l.top - was
	}
	return l.top, min(l.top+rows, l.n)
}

// Hide records that no row is on the screen, so that RowAt finds none.
func (l *List) Hide() { l.at = draw.Rect{} }

// RowAt returns the row that was last drawn at a cell, or false if there is none.
func (l *List) RowAt(x, y int) (int, bool) {
	row := y - l.at.Y
	if fixed := l.fixed(); row >= fixed {
		row += l.top - fixed
	}
	return row, l.at.Contains(x, y) && row < l.n
}

// ClickRow puts the cursor on the row that was last drawn at a cell, and reports whether there is one.
func (l *List) ClickRow(x, y int) bool {
	row, ok := l.RowAt(x, y)
	if ok {
		l.To(row)
	}
	return ok
}

// fixed returns how many rows do not scroll: none if there is no room for others too.
func (l *List) fixed() int {
	if l.at.H <= l.Fixed {
		return 0
	}
	return min(l.Fixed, l.n)
}

// Scroll returns the first row to show, as near to top as possible, so that cursor is
// among the rows rows on the screen. The list has n rows.
func Scroll(top, cursor, rows, n int) int {
	top = max(min(top, cursor), cursor-rows+1)
	return min(max(0, top), max(0, n-rows))
}
