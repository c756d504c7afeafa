package turns

// grid is how requests lie in columns: so many a column, and so many cells from
// one column to the next.
type grid struct{ per, pitch int }

// widest is the level at which columns are widest, 0 the one of a cell each.
const widest = 5

// fullPitch is from how many cells a column has its tokens and its break in words.
const fullPitch = 5

// gridAt is the grid of a level of zoom: below 0 twice as many requests a column
// with each, else one, wider with each.
func gridAt(level int) grid {
	if level < 0 {
		return grid{1 << -level, 1}
	}
	return grid{1, level + 1}
}

// fitting is the level at which n requests just fit into so many cells.
func fitting(n, width int) int {
	level := widest
	for level > -30 && gridAt(level).cells(n) > width {
		level--
	}
	return level
}

// all is how many columns n requests take, cells how many cells.
func (g grid) all(n int) int { return (n + g.per - 1) / g.per }

func (g grid) cells(n int) int { return g.all(n) * g.pitch }

// columns is how many columns there are in so many cells.
func (g grid) columns(width int) int { return max(1, width/max(1, g.pitch)) }

// requests is the requests of a column, of n.
func (g grid) requests(column, n int) (from, to int) {
	return min(column*g.per, n), min((column+1)*g.per, n)
}

// bar is how many cells of a column are drawn.
func (g grid) bar() int {
	switch {
	case g.pitch == 1:
		return 1
	case g.pitch > widest:
		return g.pitch - 2
	}
	return g.pitch - 1
}

// before is how many blank cells a column begins with: it ends above its numbers.
func (g grid) before() int { return max(0, g.pitch-1-g.bar()) }

// fit lays out the requests in so many cells, with the one under the cursor on the
// screen.
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

// Zoom shows half as many requests, or twice as many; the answer says why not.
func (p *View) Zoom(in bool) string {
	p.fit(p.bars.W)
	switch {
	case in && p.level >= widest:
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

// Pan shows later requests or earlier ones; the answer says why not.
func (p *View) Pan(dir int) string {
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

// Whole shows all requests.
func (p *View) Whole() string {
	if !p.zoomed {
		return "all requests are shown already"
	}
	p.zoomed = false
	return ""
}
