package turns

// grid is the layout of the columns: per requests share a column, and the columns are
// pitch cells apart.
type grid struct{ per, pitch int }

// maxPer is the highest zoom level.
const maxPer = 9

// fullPitch is the least pitch, in cells, at which a column shows its tokens and its break
// as text.
const fullPitch = 5

// numberPitch is the pitch, in cells, at which a column shows its break as the number of an item alone.
const numberPitch = 4

// gridAt returns the grid of a zoom level. At level 0 each request has a column of one
// cell. Each level above makes the columns a cell wider; each level below doubles the
// requests in a column.
func gridAt(level int) grid {
	if level < 0 {
		return grid{1 << -level, 1}
	}
	return grid{1, level + 1}
}

// fitting returns the highest zoom level at which n requests fit into width cells.
func fitting(n, width int) int {
	level := maxPer
	for level > -30 && gridAt(level).cells(n) > width {
		level--
	}
	return level
}

// all returns how many columns n requests take.
func (g grid) all(n int) int { return (n + g.per - 1) / g.per }

// cells returns how many cells n requests take.
func (g grid) cells(n int) int { return g.all(n) * g.pitch }

// columns returns how many columns fit into width cells, at least 1.
func (g grid) columns(width int) int { return max(1, width/max(1, g.pitch)) }

// requests returns the requests of a column, from to to-1, of n requests in all. They are
// none for a column beyond the last.
func (g grid) requests(column, n int) (from, to int) {
	return min(column*g.per, n), min((column+1)*g.per, n)
}

// bar returns the width of the bar of a column, in cells.
func (g grid) bar() int {
	switch {
	case g.pitch == 1:
		return 1
	case g.pitch > maxPer:
		return g.pitch - 2
	}
	return g.pitch - 1
}

// before returns how many blank cells are to the left of the bar, so that its right edge
// is above the right edge of the numbers.
func (g grid) before() int { return max(0, g.pitch-1-g.bar()) }

// fit lays out the requests in width cells. If the cursor has moved, it scrolls so that
// the cursor is on the screen.
func (p *View) fit(width int) {
	n, now := p.count(), p.current()
	if !p.zoomed {
		p.level = fitting(n, width)
	}
	p.grid = gridAt(p.level)
	columns := p.grid.columns(width)
	if at := now / p.grid.per; now != p.shown && (at < p.left || at >= p.left+columns) {
		p.left = at - columns/2
	}
	p.shown = now
	p.left = max(0, min(p.left, p.grid.all(n)-columns))
}

// notDrawn says why columns that are not on the screen cannot be zoomed or scrolled.
const notDrawn = "no requests are shown"

// Zoom goes one zoom level in or out, around the cursor. It returns why it cannot, or "".
func (p *View) Zoom(in bool) string {
	if p.bars.W == 0 {
		return notDrawn
	}
	p.fit(p.bars.W)
	switch {
	case in && p.level >= maxPer:
		return "columns are as wide as they can be"
	case !in && p.grid.cells(p.count()) <= p.bars.W:
		return "all requests are shown"
	case in:
		p.level++
	default:
		p.level--
	}
	p.zoomed, p.shown = true, -1 // reveals the cursor
	return ""
}

// Pan scrolls by half a screen to later requests (dir 1) or earlier ones (-1); the cursor
// stays. It returns why it cannot, or "".
func (p *View) Pan(dir int) string {
	if p.bars.W == 0 {
		return notDrawn
	}
	p.fit(p.bars.W) // as it will be drawn
	n, columns := p.count(), p.grid.columns(p.bars.W)
	left := max(0, min(p.left+dir*max(1, columns/2), p.grid.all(n)-columns))
	switch {
	case left != p.left:
		p.left = left
		return ""
	case p.grid.all(n) <= columns:
		return "all requests are shown; + zooms in"
	case dir > 0:
		return "there are no later requests"
	}
	return "there are no earlier requests"
}

// Whole zooms out until all requests are shown. It returns a message if they are shown
// already, or "".
func (p *View) Whole() string {
	if !p.zoomed {
		return "all requests are shown already"
	}
	p.zoomed = false
	return ""
}
