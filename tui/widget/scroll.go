package widget

// Scroller is the place in a text that is longer than the screen.
type Scroller struct{ top, height int }

// Move scrolls by lines.
func (s *Scroller) Move(by int) { s.top = max(0, s.top+by) }

// Page scrolls by the lines on the screen, less one.
func (s *Scroller) Page(dir int) { s.Move(dir * max(1, s.height-1)) }

// Top shows the first line.
func (s *Scroller) Top() { s.top = 0 }

// Bottom shows the last line, of those that are there when it is drawn.
func (s *Scroller) Bottom() { s.top = 1 << 30 }

// First is the first line on the screen, as last scrolled.
func (s *Scroller) First() int { return s.top }

// Show is the first line to draw on a screen of height lines, of so many.
func (s *Scroller) Show(height, lines int) int {
	s.height = height
	s.top = min(s.top, max(0, lines-height))
	return s.top
}
