// Package window is the Window view: what the model will read.
package window

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// View is what the model will read: the items that are in, in placed order,
// as one text with a line before each. Keys act on the item at the top of the screen.
type View struct {
	app        screen.App
	exp        *experiment.Experiment
	out        *experiment.Outcome // nil: there is no result
	last       *experiment.Outcome // the newest that was shown, while there is none
	before     []model.Tokens      // by place: tokens of the items before it; the last element is their sum
	most       float64             // the largest weight of a place
	places     []place
	gaps       []gap         // what is left out between places, in their order
	of         *model.Report // that places are of
	shown      against       // likewise
	diff       difference
	at         anchor // first line on the screen
	begun      int    // the place where the difference began
	returnTo   anchor // where its end leads back to in the whole text, within returnItem
	returnItem int
	text       lineCache
	items      *model.Set // the set whose contents text holds
	find       finding
	remedies   pairRemedies
	allWays    bool // all ways to fix a split pair are told, not the cheapest alone

	rect    draw.Rect // the main area
	boxed   bool
	focused bool // whether it had the focus when it was last drawn
	glyphs  *theme.Glyphs
}

// Fit tells the view where it will be drawn. Call it before Arrange.
func (p *View) Fit(r draw.Rect, boxed bool, t *theme.Theme) {
	p.rect, p.boxed, p.glyphs = r, boxed, t.Glyphs
}

// Arrange brings the window up to date with a side of the experiment. The item at
// the top stays there; if it went out, the item that was placed after it takes
// its place.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.exp = exp
	o := exp.Result(side)
	if o == nil {
		if p.out != nil {
			p.out, p.last = nil, p.out
		}
		return
	}
	if p.out == nil { // the top goes on from where it was
		p.out, p.last = p.last, nil
	}
	if width := p.body().W - 2; p.items != o.Items && (o.Items.HasSizes() || !sameContents(p.items, o.Items)) || p.text.width != width {
		p.text.reset(width)
	}
	p.items = o.Items
	was := p.out
	p.out = o
	if was == nil || was.Report != o.Report {
		p.diff.key = nil
		p.find.forget()
	}
	p.rebuild(exp, side)
	p.forgetRemedies()
}

// rebuild makes the places anew if the window or what it is compared with has changed. The
// item at the top stays there; if it is gone, the item that was placed after it takes its
// place.
func (p *View) rebuild(exp *experiment.Experiment, side experiment.Side) {
	if p.out == nil {
		return
	}
	other := p.diff.read(exp, side, p.app)
	if p.of != p.out.Report || p.shown != p.diff.with || other {
		was, here := p.places, p.out.Report.Placed()
		p.places, p.of, p.shown = p.diff.placesOf(here, p.out.Items), p.out.Report, p.diff.with
		p.before = append(p.before[:0], 0)
		for k, i := range here {
			p.before = append(p.before, p.before[k]+p.out.Report.Taken(int(i)))
		}
		p.gaps = nil
		if p.diff.with == nothing {
			p.gaps = gapsOf(p.out)
		}
		p.most = 0
		for k := range p.places {
			if w := p.weight(k); w > p.most { // a score may be no number
				p.most = w
			}
		}
		p.follow(was)
		if len(was) == 0 && p.diff.with != nothing { // what it is compared with is known only now
			p.toDifference()
		}
	}
	p.clamp()
}

// DropStale drops the result, which is out of date, except for its report, which says where
// the top was.
func (p *View) DropStale() {
	p.remedies = pairRemedies{}
	for _, o := range [...]**experiment.Outcome{&p.out, &p.last} {
		if *o != nil {
			*o = &experiment.Outcome{Items: (*o).Items, Report: (*o).Report}
		}
	}
}

// sameContents reports whether two sets come from the same load: edited sets
// share their items with the original.
func sameContents(a, b *model.Set) bool {
	return a != nil && a.Len() == b.Len() && (a.Len() == 0 || a.Loaded(0) == b.Loaded(0))
}

// follow moves the top to the item that it was on among the places before.
func (p *View) follow(was []place) {
	for k := p.at.place; k < len(was); k++ {
		to := p.placeOf(was[k].item)
		switch {
		case to < 0:
			continue
		case k == p.at.place && was[k].mark == p.places[to].mark:
			p.at.place = to
		default:
			p.at = anchor{place: to}
		}
		return
	}
	if len(was) == 0 {
		p.at = anchor{}
		return
	}
	p.at = anchor{place: max(0, p.len()-1)}
}

// placeOf returns the place of an item, or -1 if it has none.
func (p *View) placeOf(item int) int {
	rep := p.out.Report
	in := item < len(rep.Codes) && (rep.In(item) || rep.Noted(item))
	if !in && p.diff.with == nothing {
		return -1
	}
	first := func(item int) int { return slices.IndexFunc(p.places, func(at place) bool { return at.item == item }) }
	found := first(item)
	for k := slices.Index(rep.Placed(), int32(item)); found < 0 && k > 0; k-- { // within those that both hold
		found = first(int(rep.Placed()[k-1]))
	}
	return found
}

// len returns how many places there are: items in the window, if no difference is shown.
func (p *View) len() int {
	if p.out == nil {
		return 0
	}
	return len(p.places)
}

// item returns the item at a place, content its text as the model reads it, and key its
// number in the cache of lines, which is another in each size.
func (p *View) item(place int) int { return p.places[place].item }

func (p *View) content(place int) string { return p.exp.Sent(p.out.Report, p.item(place)) }

func (p *View) key(place int) int {
	i := p.item(place)
	return i*(model.MaxSizes+1) + p.out.Report.Size(i)
}

// Selected returns the item at the top of the screen, and false if no item is in.
func (p *View) Selected() (int, bool) {
	if p.at.place < p.len() {
		return p.item(p.at.place), true
	}
	return 0, false
}

// Enter puts the item that was selected at the top. If it is out, the first item that comes
// after it in the input takes its place, and a message says so.
func (p *View) Enter(item int) {
	if p.out == nil || p.len() == 0 || p.Select(item) {
		return
	}
	next := p.len() - 1
	for place := range p.len() {
		if i := p.item(place); i > item && (p.item(next) < item || i < p.item(next)) {
			next = place
		}
	}
	p.at = anchor{place: next}
	p.app.Say("#" + strconv.Itoa(item) + " is out, so the model does not read it; shown from #" + strconv.Itoa(p.item(next)))
}

// Select puts an item at the top and reports whether it is in. If it is at the top
// already, nothing scrolls.
func (p *View) Select(item int) bool {
	if p.out == nil {
		return false
	}
	place := p.placeOf(item)
	switch {
	case place < 0:
		return false
	case place != p.at.place:
		p.at = anchor{place: place}
	}
	return true
}

// Hit returns the item that the cell (x, y) belongs to, or the zero Hit if there is
// none.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	in, body, list := p.inner(), p.body(), p.outline()
	switch {
	case p.len() == 0 || !in.Contains(x, y):
	case list.Contains(x, y):
		if place, _ := p.outlined(p.outlineTop(list.H) + y - list.Y); place < p.len() {
			h.Item = model.Some(p.item(place))
		}
	case body.Contains(x, y):
		at, ok := p.at, true
		for range y - body.Y {
			if at, ok = p.next(at); !ok {
				return h
			}
		}
		h.Item = model.Some(p.item(at.place))
	}
	return h
}
