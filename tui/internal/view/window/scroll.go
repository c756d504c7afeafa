package window

import "cmp"

// anchor identifies a line of the window by the place of its item, the piece and
// the line in the piece. Piece 0 holds the lines about the item; its content has
// the pieces from 1 on.
type anchor struct{ place, piece, line int }

func (a anchor) before(b anchor) bool {
	return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.piece, b.piece), cmp.Compare(a.line, b.line)) < 0
}

// height returns how many lines a piece has.
func (p *View) height(place, piece int) int {
	switch {
	case piece == 0:
		return len(p.head(place))
	case p.isEnd(place, piece):
		return 1
	}
	return len(p.text.piece(p.key(place), p.content(place), piece-1))
}

// pieces returns how many pieces there are at a place, including the one with the
// lines about the item.
func (p *View) pieces(place int) int {
	if p.places[place].mark == inBoth {
		return 1
	}
	n := 1 + len(p.text.pieces(p.key(place), p.content(place)))
	if p.isEnd(place, n) {
		n++
	}
	return n
}

// isEnd reports whether a piece says what is left out after the last item.
func (p *View) isEnd(place, piece int) bool {
	if place < p.len()-1 {
		return false
	}
	_, left := p.gapsTo(place + 1)
	return left != nil && piece > len(p.text.pieces(p.key(place), p.content(place)))
}

// next returns the line below a, and false if there is none.
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

// prev returns the line above a, and false if there is none.
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

// bottom returns the first line of the screen that ends with the last line.
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

// clamp keeps the top within the text: no further down than the last screen or
// the last item.
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
	for ; by != 0; by -= cmp.Compare(by, 0) {
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

// Page scrolls by the visible lines less one: down if dir is 1, up if it is -1.
func (p *View) Page(dir int) { p.Move(dir * max(1, p.body().H-1)) }

// Top goes to the first line of the text.
func (p *View) Top() { p.at = anchor{} }

// Bottom goes to the last screen of the text, if there is any.
func (p *View) Bottom() {
	if p.len() > 0 {
		p.at = p.bottom()
	}
}

// Item puts the beginning of the next item at the top if dir is positive. If not,
// it goes back to the beginning of the current item or, from there, to the
// previous one.
func (p *View) Item(dir int) {
	if p.len() == 0 {
		return
	}
	place := p.at.place
	if dir > 0 {
		p.at = anchor{place: min(place+1, p.len()-1)}
	} else if p.at == (anchor{place: place}) {
		p.at = anchor{place: max(0, place-1)}
	} else {
		p.at = anchor{place: place}
	}
}
