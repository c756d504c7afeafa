package items

import (
	"slices"
	"strconv"

	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// requestStrips holds the strips over the requests of the conversation: which of
// them carry an item under the policy that is shown.
type requestStrips struct {
	on     bool // shown in place of the strips over budgets
	course *turns.Course
	old    bool
	items  []int32        // the items of came and in
	moment int            // the number of the request at which they have these numbers; 0: the end
	came   map[int][]bool // by item and request: the item was there to be sent
	in     map[int][]bool // by item and request: the request carries the item
}

// plansWanted returns which courses of requests the table needs.
func (p *View) plansWanted() plans.Wanted {
	return plans.Wanted{Courses: p.turns.on, Row: plans.RowOf(p.app.Side())}
}

// overRequests switches between strips over budgets and over requests, or says
// why it cannot.
func (p *View) overRequests() string {
	if _, err := p.app.Turns().History(); err != nil && !p.turns.on {
		return err.Error()
	}
	p.turns.on = !p.turns.on
	return ""
}

// follow finds the requests that carry some items. If anything has changed, that
// costs a pass over all windows.
func (s *requestStrips) follow(exp *experiment.Experiment, t *plans.Runs, side experiment.Side, items []int32) {
	c, old, _ := t.Course(plans.RowOf(side))
	s.old = old
	if c == nil {
		s.course, s.in = nil, nil
		return
	}
	at, _ := exp.Moment()
	if c == s.course && at.Number == s.moment && slices.Equal(items, s.items) {
		return
	}
	history, _ := t.History()
	s.course, s.items, s.moment = c, slices.Clone(items), at.Number
	s.in, s.came = make(map[int][]bool, len(items)), make(map[int][]bool, len(items))
	shown := make(map[int32]int, len(items)) // by item of the history
	for _, i := range items {
		s.in[int(i)], s.came[int(i)] = make([]bool, len(c.Windows)), make([]bool, len(c.Windows))
		shown[int32(history.Shown(exp, int(i)))] = int(i)
	}
	for k, w := range c.Windows {
		for j, item := range shown {
			s.came[item][k] = history.There(history.Requests()[k], int(j))
		}
		for _, j := range w.Items {
			if item, ok := shown[j]; ok {
				s.in[item][k] = true
			}
		}
	}
}

// draw draws the strip of an item, blank at requests before the item existed.
func (s *requestStrips) draw(f *widget.Frame, r draw.Rect, i int) {
	in := s.in[i]
	if in == nil {
		return
	}
	here := len(in) - 1
	if at, ok := f.Exp.Moment(); ok {
		here = min(at.Number-1, here) // the strip may be of a history that had fewer requests
	}
	g := f.Glyphs()
	for x := range r.W {
		// Several requests where there are more than cells, the same one in several cells where there are fewer.
		from := x * len(in) / r.W
		to := max((x+1)*len(in)/r.W, from+1)
		came, has := 0, 0
		for k := from; k < to; k++ {
			if s.came[i][k] {
				came++
				if in[k] {
					has++
				}
			}
		}
		now := from <= here && here < to
		switch {
		case now && came > 0 && in[here]:
			f.Set(r.X+x, r.Y, g.StripHereIn, theme.StripHere)
		case now:
			f.Set(r.X+x, r.Y, g.StripHere, theme.StripHere)
		case came == 0:
		case has == 0:
			f.Set(r.X+x, r.Y, g.Strip[0], theme.StripOut)
		case has == came:
			f.Set(r.X+x, r.Y, g.Strip[4], theme.StripIn)
		default:
			f.Set(r.X+x, r.Y, g.Strip[min(3, 1+3*has/came)], theme.StripSome)
		}
	}
	if s.old {
		f.Mark(r, theme.Old)
	}
}

// head names the requests, or says why there are no strips.
func (s *requestStrips) head(f *widget.Frame, t *plans.Runs, r draw.Rect) {
	history, err := t.History()
	text, role := "in at request 1 to "+strconv.Itoa(t.Requests()), theme.Dim
	switch {
	case err != nil:
		text, role = "no turns, b: budgets", theme.Warn
	case history == nil || s.course == nil:
		text = "computing requests" + f.Glyphs().Ellipsis
	}
	f.Text(r.X, r.Y, r.W, widget.FirstFitting([]string{text, "requests"}, r.W, f.Glyphs()), role)
}
