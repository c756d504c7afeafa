package window

import (
	"context"
	"strings"
	"unicode/utf8"

	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/work"
)

// finding is the search for a text in the window. It ignores the case of A to Z.
type finding struct {
	text    string      // "" if there is no search
	needle  query.Query // matches the text
	request findKey     // the search that was asked for last
	pending bool        // the search is not done yet
	hit     hit
	found   bool // hit is valid
	none    bool // the text is not in the window
}

// hit is where a text was found: a place, the range of bytes in its content, and the line and the
// column of its beginning, from 1.
type hit struct{ place, from, to, line, column int }

func newHit(place, from, to int, content string) hit {
	before := content[:from]
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return hit{place, from, to, 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(last)}
}

// findKey identifies a search: it begins at a byte of a place and goes forwards
// or backwards.
type findKey struct {
	place  int
	from   int
	dir    int
	number int // of the search
}

// forget drops what was found in another report. It keeps the text to search for.
func (f *finding) forget() { f.hit, f.found, f.none, f.pending = hit{}, false, false, false }

// Find starts to search for a text from the top of the screen on; "" ends the
// search.
func (p *View) Find(text string) {
	p.find.text = text
	p.find.forget()
	if text == "" {
		return
	}
	p.find.needle, _ = query.Parse(query.Quote(text))
	p.findNext(1)
}

// findNext starts to search for the next match, or for the previous one if dir is
// negative. It returns why there is none where that is known, or "".
func (p *View) findNext(dir int) string {
	h := p.find.hit
	switch {
	case p.find.text == "" || p.len() == 0:
	case p.find.none:
		return plain.Line(p.find.text, 24) + " is not in the window"
	case !p.find.found:
		p.seek(p.at.place, 0, dir)
	case dir > 0:
		p.seek(h.place, h.from+1, dir)
	default:
		p.seek(h.place, h.from, dir)
	}
	return ""
}

func (p *View) seek(place, from, dir int) {
	p.find.request = findKey{place, from, dir, p.find.request.number + 1}
	p.find.pending, p.find.none = true, false
}

// Job returns the search that was asked for, and after that the work of finding
// out how to fix split pairs. It returns false if neither is needed.
func (p *View) Job() (work.Job, bool) {
	if p.out == nil {
		return work.Job{}, false
	}
	if !p.find.pending {
		return p.fixJob()
	}
	rep, sizer, needle, key := p.out.Report, p.exp.Sizer(), p.find.needle, p.find.request
	return work.Job{Key: key, Run: func(ctx context.Context) func() {
		n := len(rep.Placed())
		for k := 0; k <= n; k++ { // the first place is searched twice: from its byte on, and up to it
			if k%64 == 0 && ctx.Err() != nil {
				break
			}
			place := ((key.place+key.dir*k)%n + n) % n
			content := sizer.Sent(rep, int(rep.Placed()[place]))
			from, to := 0, len(content)
			switch {
			case k == 0 && key.dir > 0:
				from = min(key.from, len(content))
			case k == 0:
				to = min(key.from, len(content))
			}
			if at, length, ok := search(needle, content, from, to, key.dir); ok {
				h := newHit(place, at, at+length, content)
				return func() { p.takeHit(&h) }
			}
		}
		return func() { p.takeHit(nil) }
	}}, true
}

// search returns the first match that begins at a byte from from to to-1, or the
// last one if dir is negative.
func search(needle query.Query, content string, from, to, dir int) (at, length int, ok bool) {
	for from < to {
		a, b, found := needle.Find(content[from:])
		if !found || from+a >= to {
			break
		}
		at, length, ok = from+a, b-a, true
		if dir > 0 {
			break
		}
		from += a + 1
	}
	return at, length, ok
}

// takeHit takes the answer of a search; nil: the text is not there.
func (p *View) takeHit(h *hit) {
	p.find.pending, p.find.found, p.find.none = false, h != nil, h == nil
	if h == nil {
		return
	}
	p.find.hit = *h
	piece, line := p.text.lineOf(p.key(h.place), p.content(h.place), h.to)
	p.show(anchor{h.place, piece + 1, line})
}

// show scrolls as little as it takes to bring a line onto the screen.
func (p *View) show(a anchor) {
	rows := p.body().H
	for at, k := p.at, 0; k < rows; k++ {
		if at == a {
			return
		}
		below, ok := p.next(at)
		if !ok {
			break
		}
		at = below
	}
	p.at = a
	for range rows / 3 {
		up, ok := p.prev(p.at)
		if !ok {
			break
		}
		p.at = up
	}
	p.clamp()
}

// findText returns the state of the search in words.
func (p *View) findText() string {
	f := &p.find
	if f.text == "" {
		return ""
	}
	s := "find " + plain.Line(f.text, 24)
	switch {
	case f.pending:
		return s + ": looking" + p.glyphs.Ellipsis
	case f.none:
		return s + ": not in the window"
	case f.found:
		return s + ": " + name(p.item(f.hit.place)) + ", line " + plain.Thousands(f.hit.line) + ", column " + plain.Thousands(f.hit.column)
	}
	return s
}
