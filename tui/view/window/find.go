package window

import (
	"context"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
	"cupelscope/tui/work"
)

// finding is the search for a text in the window, upper and lower case of ASCII
// alike.
type finding struct {
	text    string
	needle  query.Query // that finds it
	request findKey     // what is to be looked for
	pending bool
	hit     hit
	found   bool // hit is one
	none    bool // the text is not in the window
}

// hit is where a text was found: a place and the bytes of its content.
type hit struct{ place, from, to int }

// findKey names a search: from a byte of a place on, forwards or back.
type findKey struct {
	text   string
	report *model.Report
	place  int
	byte   int
	dir    int
	number int
}

// forget drops what was found in another report, not what is looked for.
func (f *finding) forget() { f.hit, f.found, f.none, f.pending = hit{}, false, false, false }

// Find looks for a text from the top of the screen on; "" ends that.
func (p *View) Find(text string) {
	p.find.text = text
	p.find.forget()
	if text == "" || p.len() == 0 {
		return
	}
	p.find.needle, _ = query.Parse(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`)
	p.seek(p.at.place, 0, 1)
}

// Finding is the text that is looked for, "" if there is none.
func (p *View) Finding() string { return p.find.text }

// FindNext goes to the next place where the text is found, or the one before.
func (p *View) FindNext(dir int) {
	switch h := p.find.hit; {
	case p.find.text == "" || p.len() == 0:
	case !p.find.found:
		p.seek(p.at.place, 0, dir)
	case dir > 0:
		p.seek(h.place, h.from+1, dir)
	default:
		p.seek(h.place, h.from, dir)
	}
}

func (p *View) seek(place, byte, dir int) {
	p.find.request = findKey{p.find.text, p.out.Report, place, byte, dir, p.find.request.number + 1}
	p.find.pending, p.find.none = true, false
}

// Job is the search that was asked for, and then how split pairs are fixed.
func (p *View) Job() (work.Job, bool) {
	if p.out == nil {
		return work.Job{}, false
	}
	if !p.find.pending {
		return p.fixJob()
	}
	items, rep, needle, key := p.out.Items, p.out.Report, p.find.needle, p.find.request
	return work.Job{Key: key, Cost: experiment.FindCost(p.len(), p.bytes), Run: func(ctx context.Context) (any, error) {
		n := len(rep.Included)
		for k := 0; k <= n; k++ { // the first place is looked at twice: from its byte, and up to it
			if k%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			place := ((key.place+key.dir*k)%n + n) % n
			content := items.Loaded(int(rep.Included[place])).Content
			from, to := 0, len(content)
			switch {
			case k == 0 && key.dir > 0:
				from = min(key.byte, len(content))
			case k == 0:
				to = min(key.byte, len(content))
			}
			if at, length, ok := search(needle, content, from, to, key.dir); ok {
				return hit{place, at, at + length}, nil
			}
		}
		return nil, nil
	}}, true
}

// search is the first match that begins within from..to-1, or the last one.
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

// Done takes what a job found.
func (p *View) Done(key, result any, err error) {
	k, ok := key.(findKey)
	if !ok {
		p.fixed(key, result, err)
		return
	}
	if k != p.find.request || p.out == nil || k.report != p.out.Report {
		return
	}
	p.find.pending = false
	h, found := result.(hit)
	p.find.hit, p.find.found, p.find.none = h, found, !found
	if !found {
		return
	}
	piece, line := p.text.lineOf(p.item(h.place), p.content(h.place), h.to)
	p.show(anchor{h.place, piece + 1, line})
}

// show scrolls so that a line is on the screen, as little as that takes.
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

// findText says how the search stands.
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
		return s + ": in item " + plain.Thousands(f.hit.place+1)
	}
	return s
}
