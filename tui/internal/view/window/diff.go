package window

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// A window can be shown as the difference to another one. Windows differ by whole items, so
// the difference is made of these, and is exact: their texts need not be compared.

// against is what the window is compared with.
type against int

const (
	nothing       against = iota
	otherSide             // the window of the policy that is not edited
	requestBefore         // the window of the same policy one request earlier
	againsts
)

// place is an item in the window or, in a difference, the first of count items that both windows
// hold.
type place struct {
	item, count int
	mark        mark
}

type mark int

const (
	unmarked mark = iota // no difference is shown
	inBoth
	onlyHere
	onlyThere
)

// differs reports whether only one window holds the item.
func (at place) differs() bool { return at.mark >= onlyHere }

// countDiffering returns how many of places differ.
func countDiffering(places []place) (n int) {
	for _, at := range places {
		if at.differs() {
			n++
		}
	}
	return n
}

// difference is what the window is compared with.
type difference struct {
	with      against
	key       any    // the report or the course that has the items of there
	why       string // why there is nothing to compare with; "": there is
	there     []int32
	gone      int  // items of there that were removed since
	reordered bool // what both hold is placed in another order
	in, out   sum
}

type sum struct {
	items  int
	tokens model.Tokens
}

// nextAgainst returns the other window to compare with next; after the last, none.
func (p *View) nextAgainst() against {
	with := (p.diff.with + 1) % againsts
	if _, err := p.app.Turns().History(); with == requestBefore && err != nil {
		with = nothing // there are no requests
	}
	return with
}

// nextText returns what the next difference shows.
func (p *View) nextText() string {
	return [...]string{"the whole text", "what differs from " + p.app.Side().Other().String(), "against the request before"}[p.nextAgainst()]
}

// nextDifference compares with the next other window.
func (p *View) nextDifference() string {
	p.Find("")
	p.compare(p.nextAgainst())
	return ""
}

// compare shows the difference to another window from the next item that only one of them holds,
// or no difference any more: then from the item where the text was left, unless the user has
// scrolled since.
func (p *View) compare(with against) {
	item, _ := p.Selected()
	if p.diff.with == nothing {
		p.returnTo, p.returnItem = p.at, item
	}
	moved := p.at.place != p.begun
	p.diff.with, p.diff.key = with, nil
	p.rebuild(p.app.Experiment(), p.app.Side())
	if p.out == nil {
		return
	}
	if with != nothing {
		p.toDifference()
		return
	}
	if k := p.placeOf(p.returnItem); k >= 0 && !moved {
		p.at = anchor{k, p.returnTo.piece, p.returnTo.line}
	}
}

// toDifference puts the next item at the top that only one of the windows holds, or else the first.
func (p *View) toDifference() {
	from := min(p.at.place, len(p.places))
	if next := slices.IndexFunc(p.places[from:], place.differs); next >= 0 {
		p.at = anchor{place: from + next}
	} else {
		p.at = anchor{place: max(0, slices.IndexFunc(p.places, place.differs))}
	}
	p.begun = p.at.place
}

// plansWanted returns that the courses of requests are needed, while requests are compared.
func (p *View) plansWanted() plans.Wanted {
	return plans.Wanted{Courses: p.diff.with == requestBefore, Row: plans.RowOf(p.app.Side())}
}

// read finds the window to compare with, and reports whether it has changed.
func (d *difference) read(exp *experiment.Experiment, side experiment.Side, app screen.App) bool {
	next := difference{with: d.with}
	switch {
	case d.with != nothing && exp.Items().HasSizes():
		next.why = "a difference is of whole items, and some here may be cut (shrink, sizes)"
	case d.with == otherSide:
		if o := exp.Result(side.Other()); o != nil {
			next.key, next.there = o.Report, o.Report.Included
		} else {
			next.why = side.Other().String() + " has no result"
		}
	case d.with == requestBefore:
		next.readBefore(exp, side, app.Turns())
	}
	if next.key == d.key && next.why == d.why {
		return false
	}
	*d = next
	return true
}

// readBefore finds the window of the request before the request that is shown.
func (d *difference) readBefore(exp *experiment.Experiment, side experiment.Side, runs *plans.Runs) {
	history, err := runs.History()
	course, _, failed := runs.Course(plans.RowOf(side))
	switch {
	case err != nil:
		d.why = err.Error()
	case failed != nil:
		d.why = failed.Error()
	case history == nil || course == nil:
		d.why = "the requests are being computed"
	default:
		all := history.Requests()
		t := len(all) - 1
		before := t
		if at, earlier := exp.Moment(); earlier {
			t, _ = history.Find(at)
			before = t - 1
		} else if all[t].IsNow() {
			before--
		}
		if before < 0 {
			d.why = "this is the first request"
			return
		}
		d.key = course
		for _, i := range course.Windows[before].Items {
			if now, there := history.ItemAt(t, i); there {
				d.there = append(d.there, int32(now))
			} else {
				d.gone++
			}
		}
	}
}

// placesOf returns the rows of the window here, or of its difference to there: an item that only
// there holds comes after the item before it there.
func (d *difference) placesOf(here []int32, items *model.Set) []place {
	places := make([]place, 0, len(here))
	if d.with == nothing {
		for _, i := range here {
			places = append(places, place{item: int(i), count: 1})
		}
		return places
	}
	d.in, d.out = sum{}, sum{}
	if d.why != "" {
		return nil
	}
	is := make(map[int32]bool, len(here))
	for _, i := range here {
		is[i] = true
	}
	left := map[int32][]int32{} // items of the other window alone, by the last item of both windows before them; -1: there is none
	was := make(map[int32]bool, len(d.there))
	var order []int32
	last := int32(-1)
	for _, i := range d.there {
		was[i] = true
		if is[i] {
			last = i
			order = append(order, i)
			continue
		}
		left[last] = append(left[last], i)
		d.out.items, d.out.tokens = d.out.items+1, d.out.tokens+items.Tokens(int(i))
	}
	leave := func(after int32) {
		for _, i := range left[after] {
			places = append(places, place{int(i), 1, onlyThere})
		}
	}
	leave(-1)
	var both []int32
	for _, i := range here {
		n := len(places)
		switch {
		case !was[i]:
			places = append(places, place{int(i), 1, onlyHere})
			d.in.items, d.in.tokens = d.in.items+1, d.in.tokens+items.Tokens(int(i))
			continue
		case n > 0 && places[n-1].mark == inBoth:
			places[n-1].count++
		default:
			places = append(places, place{int(i), 1, inBoth})
		}
		both = append(both, i)
		leave(i)
	}
	d.reordered = !slices.Equal(order, both)
	return places
}

// words returns how the window differs, for a title of at most width cells.
func (d *difference) words(f *widget.Frame, width int) string {
	what := f.Side.String() + " against " + f.Side.Other().String()
	if d.with == requestBefore {
		what = "against the request before"
	}
	if d.why != "" {
		return what + ": " + plain.Line(d.why, 80)
	}
	here, there := "+", theme.Minus
	if d.with == otherSide {
		here, there = "only "+f.Side.String()+":", "only "+f.Side.Other().String()+":"
	}
	part := func(sign string, s sum) string {
		return "  " + sign + " " + plain.Count(s.items, "item") + ", " + f.Sum(s.tokens) + " tok"
	}
	gone := ""
	if d.gone > 0 {
		gone = "  " + plain.Thousands(d.gone) + " removed since"
	}
	brief := what + "  " + here + " " + plain.Thousands(d.in.items) + "  " + there + " " + plain.Count(d.out.items, "item")
	return widget.Fitting(width, what+part(here, d.in)+part(there, d.out)+gone, brief+gone, brief)
}

// same says that nothing differs.
func (d *difference) same() string {
	switch {
	case d.why != "":
		return "There is nothing to compare with: " + plain.Line(d.why, 200) + ". d goes on."
	case d.reordered:
		return "Both windows hold the same items, placed in another order."
	}
	return "Both windows hold the same items."
}

// sign returns the mark of what only one window holds: of two policies, the letter of its own.
func (p *View) sign(m mark) (rune, theme.Role) {
	if p.diff.with == otherSide {
		side := p.app.Side()
		if m == onlyThere {
			side = side.Other()
		}
		return rune(side.String()[0]), widget.SideRole(side)
	}
	if m == onlyThere {
		return []rune(theme.Minus)[0], theme.Loss
	}
	return '+', theme.Gain
}

// diffHead returns the line about a place of a difference.
func (p *View) diffHead(at place) []draw.Span {
	if at.mark == inBoth {
		return []draw.Span{{Text: "   " + plain.Count(at.count, "item") + " in both", Role: theme.Dim}}
	}
	sign, role := p.sign(at.mark)
	it := p.out.Items.Loaded(at.item)
	return []draw.Span{{Text: "  "}, {Text: string(sign) + " " + name(at.item) + " " + plain.Line(widget.KindName(it.Kind), 12), Role: role},
		{Text: "  " + widget.ItemTokens(p.out.Items, at.item) + " tok ", Role: theme.Plain}}
}
