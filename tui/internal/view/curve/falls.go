package curve

import (
	"slices"
	"sort"
	"strconv"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// kind is a quantity that can fall as the budget grows.
type kind int

const (
	fewerItems kind = iota
	lessValue
	lessRecall
	kinds
)

// less names what a fall of the quantity is.
func (k kind) less() string { return [...]string{"fewer items", "less value", "less recall"}[k] }

// mark returns the name in at most five cells; the legend says what the marks mean.
func (k kind) mark() string { return [...]string{"fewer", "value", "rec."}[k] }

// fallsAt reports whether something is less at point k than at the point before it.
func (c *curve) fallsAt(k int, what kind) bool { return c.lower[k]>>what&1 != 0 }

// findFalls compares each point with the one before it, and finds the point with the most value.
func (c *curve) findFalls() {
	c.lower, c.most = make([]uint8, len(c.points)), c.all
	for _, a := range c.points {
		if a.Value > c.most.Value && !alike(a.Value, c.most.Value) {
			c.most = a
		}
	}
	for k := 1; k < len(c.points); k++ {
		a, before := c.points[k], c.points[k-1]
		for what, less := range [kinds]bool{a.Fewer(before), a.Less(before), c.recall != nil && c.recall.Less(a, before)} {
			if less {
				c.lower[k] |= 1 << what
				c.falls[what]++
			}
		}
	}
}

// relevant returns the kinds of falls that are marked while a measure is drawn, and that
// n and N go to.
func (m measure) relevant() []kind {
	if m == byRecall {
		return []kind{lessRecall}
	}
	return []kind{fewerItems, lessValue}
}

// nextFall returns the next larger budget (dir 1), or smaller one (-1), at which a marked
// quantity of the edited side falls, or why there is none.
func (p *View) nextFall(dir int) (b model.Tokens, why string) {
	c, why := p.edited()
	if c == nil {
		return 0, why
	}
	if p.measure == byRecall && c.recall == nil {
		return 0, "nothing is marked as needed yet"
	}
	now := p.app.Experiment().Setup().Budget.MaxTokens
	if b, ok := c.fallFrom(now, dir, p.measure.relevant()); ok {
		return b, ""
	}
	what, where, back := "fewer items or less value", "above ", "N goes back to "
	if p.measure == byRecall {
		what = lessRecall.less()
	}
	if dir < 0 {
		where, back = "below ", "n goes on to "
	}
	why = where + now.String() + " " + p.app.Side().String() + " never gets " + what
	other, falls := c.fallFrom(now, -dir, p.measure.relevant())
	if at, item, lost := widget.NearestLoss(p.tracks[p.app.Side()].profile, now, dir); lost {
		why += ", though #" + strconv.Itoa(item) + " leaves at " + at.String()
	}
	if falls {
		why += "; " + back + other.String()
	}
	return 0, why
}

// fallFrom returns the next budget above now (dir 1), or below it (-1), at which any of
// these quantities falls.
func (c *curve) fallFrom(now model.Tokens, dir int, of []kind) (model.Tokens, bool) {
	k := sort.Search(len(c.points), func(k int) bool { return c.points[k].Budget > now }) // the first above
	if dir < 0 {
		if k--; k >= 0 && c.points[k].Budget == now {
			k--
		}
	}
	for ; k > 0 && k < len(c.points); k += dir {
		if slices.ContainsFunc(of, func(what kind) bool { return c.fallsAt(k, what) }) {
			return c.points[k].Budget, true
		}
	}
	return 0, false
}

// marked returns the rows of marks below the plot, as the side and the kind of each. A
// quantity that never falls has no row.
func (p *View) marked() (sides []experiment.Side, what []kind) {
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		if c := p.tracks[s].curve; c != nil {
			for _, k := range p.measure.relevant() {
				if c.falls[k] > 0 {
					sides, what = append(sides, s), append(what, k)
				}
			}
		}
	}
	return sides, what
}

// fallRows returns how many rows mark falls: none until a key has gone to one.
func (p *View) fallRows() int {
	if !p.marksFalls || p.inner().H < 14 {
		return 0
	}
	sides, _ := p.marked()
	return len(sides)
}

// drawFalls marks the columns in which something is less at some budget than at the budget
// below it. It returns the row below the marks.
func (p *View) drawFalls(f *widget.Frame, r draw.Rect) int {
	y, g := r.Y, f.Glyphs()
	sides, what := p.marked()
	for k, side := range sides {
		list, role := p.tracks[side].columns.falls[what[k]], widget.SideRole(side)
		if what[k] != fewerItems {
			role = theme.Loss
		}
		if y == r.Y+r.H || list == nil {
			break
		}
		f.Right(r.X-plotGutter, y, plotGutter-1, what[k].mark()+" "+side.String(), role)
		f.Set(r.X-1, y, g.Vertical, theme.Frame)
		for x := range r.W {
			n := int32(0)
			for k := x * len(list) / r.W; k < (x+1)*len(list)/r.W; k++ {
				n += list[k]
			}
			glyph := g.Fall
			if what[k] == fewerItems {
				switch {
				case n == 1:
					glyph = g.Strip[1]
				case n < 10:
					glyph = g.Strip[2]
				case n < 100:
					glyph = g.Strip[3]
				default:
					glyph = g.Strip[4]
				}
			}
			if n > 0 {
				f.Set(r.X+x, y, glyph, role)
			}
		}
		y++
	}
	return y
}
