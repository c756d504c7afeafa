package widget

// Scroller is the scroll position in a text that may be longer than the screen. The zero
// Scroller is at the first line.
type Scroller struct{ top, height int }

// Move scrolls down by that many lines, or up if by is negative.
func (s *Scroller) Move(by int) { s.top = max(0, s.top+by) }

// Page scrolls down (dir 1) or up (-1) by one line less than the screen has.
func (s *Scroller) Page(dir int) { s.Move(dir * max(1, s.height-1)) }
func (s *Scroller) Top()         { s.top = 0 }

// Bottom scrolls to the last line. The next Show determines which that is.
func (s *Scroller) Bottom() { s.top = 1 << 30 }

// First returns the index of the first line on the screen. It may be beyond the text until
// the next Show.
func (s *Scroller) First() int { return s.top }

// Show returns the index of the first line to draw on a screen of height lines, and limits
// the position to a text of that many lines.
func (s *Scroller) Show(height, lines int) int {
	s.height = height
	s.top = min(s.top, max(0, lines-height))
	return s.top
}

// MoveKey moves with the keys that do so beside a line that is typed, and reports whether name is one.
func MoveKey(name string, move, page func(by int)) bool {
	switch name {
	case "up", "ctrl+p":
		move(-1)
	case "down", "ctrl+n":
		move(1)
	case "pgup":
		page(-1)
	case "pgdown":
		page(1)
	default:
		return false
	}
	return true
}
