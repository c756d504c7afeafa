// Package window is the Window view: what the model will read.
package window

import (
	"cmp"
	"slices"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// View is what the model will read: the items that are in, in placed order,
// as one text with a line before each. The item at the top of the screen is
// the one that keys act on.
type View struct {
	app      screen.App
	out      *experiment.Outcome
	before   []model.Tokens // by place: tokens of the items before it; one more than there are
	bytes    int            // of all contents
	at       anchor         // first line on the screen
	text     lineCache
	items    *model.Set // that text is of
	find     finding
	remedies pairRemedies
	plot     plot

	rect    draw.Rect // of the main area
	boxed   bool
	focused bool // when it was last drawn
	glyphs  *theme.Glyphs
}

// anchor is a line of the window: of the item at a place, the lines about it
// are piece 0, those of its content the pieces from 1.
type anchor struct{ place, piece, line int }

func (a anchor) before(b anchor) bool {
	switch {
	case a.place != b.place:
		return a.place < b.place
	case a.piece != b.piece:
		return a.piece < b.piece
	}
	return a.line < b.line
}

// Fit tells the pane where it will be drawn, before it is arranged.
func (p *View) Fit(r draw.Rect, boxed bool, t *theme.Theme) {
	p.rect, p.boxed, p.glyphs = r, boxed, t.Glyphs
}

// Arrange brings the window up to date with a side of the experiment. The item
// at the top stays there; where it went out, the one that was placed next.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	o := exp.Outcome(side)
	if o == nil || o.Report == nil {
		p.out = nil
		return
	}
	if width := p.body().W - 2; p.items != o.Items && !sameContents(p.items, o.Items) || p.text.width != width {
		p.text.reset(width)
	}
	p.items = o.Items
	if p.out != nil && p.out.Report == o.Report {
		p.out = o
		p.choosePlot()
		p.forgetRemedies()
		p.clamp()
		return
	}
	p.follow(o.Report)
	p.out = o
	in := o.Report.Included
	p.before, p.bytes = append(p.before[:0], 0), 0
	for k, i := range in {
		p.before = append(p.before, p.before[k]+o.Items.Tokens(int(i)))
		p.bytes += len(o.Items.Loaded(int(i)).Content)
	}
	p.choosePlot()
	p.find.forget()
	p.forgetRemedies()
	p.clamp()
}

// sameContents reports whether two sets are of the same loading: edits share it.
func sameContents(a, b *model.Set) bool {
	return a != nil && a.Len() == b.Len() && (a.Len() == 0 || a.Loaded(0) == b.Loaded(0))
}

// follow moves the top to where its item is in another report.
func (p *View) follow(next *model.Report) {
	if p.out == nil {
		p.at = anchor{}
		return
	}
	was := p.out.Report.Included
	for k := p.at.place; k < len(was) && next.Items.Len() > int(was[k]); k++ {
		if !next.In(int(was[k])) {
			continue
		}
		place := slices.Index(next.Included, was[k])
		if k == p.at.place {
			p.at.place = place
		} else {
			p.at = anchor{place: place}
		}
		return
	}
	p.at = anchor{place: max(0, len(next.Included)-1)}
}

// len is how many items are in the window.
func (p *View) len() int {
	if p.out == nil {
		return 0
	}
	return len(p.out.Report.Included)
}

// item is the one at a place, content its text.
func (p *View) item(place int) int { return int(p.out.Report.Included[place]) }

func (p *View) content(place int) string { return p.out.Items.Loaded(p.item(place)).Content }

// height is how many lines a piece has.
func (p *View) height(place, piece int) int {
	if piece == 0 {
		return len(p.head(place))
	}
	return len(p.text.piece(p.item(place), p.content(place), piece-1))
}

// pieces is how many there are at a place, that of the lines about it included.
func (p *View) pieces(place int) int {
	return 1 + len(p.text.pieces(p.item(place), p.content(place)))
}

// next is the line below a; false: there is none.
func (p *View) next(a anchor) (anchor, bool) {
	if a.line++; a.line < p.height(a.place, a.piece) {
		return a, true
	}
	for {
		if a.piece++; a.piece >= p.pieces(a.place) {
			a.place, a.piece = a.place+1, 0
		}
		switch {
		case a.place >= p.len():
			return a, false
		case p.height(a.place, a.piece) > 0:
			a.line = 0
			return a, true
		}
	}
}

// prev is the line above a; false: there is none.
func (p *View) prev(a anchor) (anchor, bool) {
	if a.line > 0 {
		a.line--
		return a, true
	}
	for {
		if a.piece--; a.piece < 0 {
			if a.place--; a.place < 0 {
				return anchor{}, false
			}
			a.piece = p.pieces(a.place) - 1
		}
		if h := p.height(a.place, a.piece); h > 0 {
			a.line = h - 1
			return a, true
		}
	}
}

// bottom is the top of the screen that shows the last line at its end.
func (p *View) bottom() anchor {
	last := p.len() - 1
	a := anchor{place: last, piece: p.pieces(last)}
	for range p.body().H {
		up, ok := p.prev(a)
		if !ok {
			break
		}
		a = up
	}
	return a
}

// clamp keeps the top where there are lines: no further down than to the end
// of the text, or to the last item.
func (p *View) clamp() {
	n := p.len()
	if n == 0 {
		p.at = anchor{}
		return
	}
	if p.at.place >= n {
		p.at = anchor{place: n - 1}
	}
	if p.at.piece >= p.pieces(p.at.place) {
		p.at.piece, p.at.line = p.pieces(p.at.place)-1, 0
	}
	p.at.line = max(0, min(p.at.line, p.height(p.at.place, p.at.piece)-1))
	if p.at.place < n-1 && p.at.place < n-p.body().H { // far from the end
		return
	}
	end := p.bottom()
	if last := (anchor{place: n - 1}); end.before(last) {
		end = last
	}
	if end.before(p.at) {
		p.at = end
	}
}

// Move scrolls by lines.
func (p *View) Move(by int) {
	if p.len() == 0 {
		return
	}
	for ; by != 0; by -= sign(by) {
		step := p.next
		if by < 0 {
			step = p.prev
		}
		to, ok := step(p.at)
		if !ok {
			break
		}
		p.at = to
	}
	p.clamp()
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// Page scrolls by the lines that are visible, less one.
func (p *View) Page(dir int) { p.Move(dir * max(1, p.body().H-1)) }

// Top goes to the first line of the text.
func (p *View) Top() { p.at = anchor{} }

// Bottom goes to the last screen of the text.
func (p *View) Bottom() {
	if p.len() > 0 {
		p.at = p.bottom()
	}
}

// Item puts the next or the previous item at the top; going back, first the
// one that is there.
func (p *View) Item(dir int) {
	if p.len() == 0 {
		return
	}
	if place := p.at.place; dir > 0 {
		p.at = anchor{place: min(place+1, p.len()-1)}
	} else if p.at == (anchor{place: place}) {
		p.at = anchor{place: max(0, place-1)}
	} else {
		p.at = anchor{place: place}
	}
}

// Selected is the item at the top of the screen; false if nothing is in.
func (p *View) Selected() (int, bool) {
	if p.at.place < p.len() {
		return p.item(p.at.place), true
	}
	return 0, false
}

// Select puts an item at the top, unless it is there; false if it is not in.
func (p *View) Select(item int) bool {
	if p.out == nil {
		return false
	}
	place := slices.Index(p.out.Report.Included, int32(item))
	switch {
	case place < 0:
		return false
	case place != p.at.place:
		p.at = anchor{place: place}
	}
	return true
}

// Hit is the item that a cell of the screen belongs to: of the text, or of the
// plot above it.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	in, body := p.inner(), p.body()
	switch plot := p.plotRows(in.H); {
	case p.len() == 0 || !in.Contains(x, y):
	case body.Contains(x, y):
		at, ok := p.at, true
		for range y - body.Y {
			if at, ok = p.next(at); !ok {
				return h
			}
		}
		h.Item = model.Some(p.item(at.place))
	case y < in.Y+plot-1:
		h.Item = model.Some(p.item(p.placeAt(float64(x-body.X) / float64(body.W))))
	}
	return h
}

// placeAt is the place that a share of the tokens reaches.
func (p *View) placeAt(share float64) int {
	total := p.before[p.len()]
	if total <= 0 {
		return min(max(0, int(share*float64(p.len()))), p.len()-1)
	}
	reached := model.Tokens(share * float64(total))
	place, _ := slices.BinarySearchFunc(p.before[1:], reached, func(before, t model.Tokens) int { return cmp.Compare(before, t+1) })
	return min(max(0, place), p.len()-1)
}

// Whole says why there is nothing to fix; "" if some pair is split.
func (p *View) Whole() string {
	switch {
	case p.out == nil || len(p.out.Split) > 0:
		return ""
	case p.out.Pairs.Len() == 0:
		return "no calls and results are linked here"
	}
	return "every call is in with its result, or out with it"
}

// Split puts the next item at the top that is in without what it belongs to;
// false: there is no other.
func (p *View) Split() bool {
	for k := range p.len() {
		place := (p.at.place + 1 + k) % p.len()
		if _, split := p.out.Alone(p.item(place)); split {
			moved := place != p.at.place
			p.at = anchor{place: place}
			return moved
		}
	}
	return false
}

// Cheapest is the cheapest way to have the pair of the item at the top whole;
// false: it is not split, or the ways are not known yet, or there is none.
func (p *View) Cheapest() (simulate.Remedy, bool) {
	i, ok := p.Selected()
	if !ok {
		return simulate.Remedy{}, false
	}
	pair, _ := p.out.Pairs.Of(i)
	ways := p.remedies.ways[pair]
	if len(ways) == 0 {
		return simulate.Remedy{}, false
	}
	return ways[0], true
}
