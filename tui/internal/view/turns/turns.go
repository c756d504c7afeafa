// Package turns is the Turns view: what a policy costs over the requests of a
// conversation, with one column for each request.
package turns

import (
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// View draws a column for each request: the tokens that are read from the prompt cache and the
// tokens that are written to it, and below them how much of the prompt before is reused and
// what breaks it. Beside the columns are the totals of both policies and of
// the baselines. The cursor is the moment that all views show; only the experiment
// stores it.
type View struct {
	app   screen.App
	row   plans.Row // the plan whose requests are drawn
	side  experiment.Side
	sweep bool      // the sweep of swept is drawn instead of the requests
	swept plans.Row // a plan that cuts a full window
	// mapped says that the map of the agent's plan is drawn instead of them. axes are the
	// numbers of its keys among turns.Axes, cell is the pair under the cursor, -1: see cursor.
	mapped bool
	plan   string    // of the agent, when Arrange ran last
	seeks  bool      // the plan that costs least is to be drawn, once that is known
	change int       // the newest of the experiment, as Changes counts
	told   plans.Row // what the line below tells of that change: the plan that was drawn then
	axes   [2]int
	cell   int

	level  int  // the zoom level, see gridAt
	zoomed bool // the user chose the level; else it follows the number of requests
	left   int  // the index of the first column on the screen
	shown  int  // the request that was under the cursor when fit ran last; -1: reveal the cursor

	alongside bool      // the plans stand beside the requests
	compact   bool      // there is no title, which names the cache
	bars      draw.Rect // where the columns were drawn
	grid      grid      // how they were laid out
	totals    draw.Rect // where the plans were drawn
	pairs     pairGrid  // where the pairs of the map were drawn
	top       int       // the index of the first plan around the plan that is drawn
	listed    []plans.Row
	pitch     int // rows of a plan
}

// Arrange takes over the side that is edited. If the policy of the other side was
// drawn, the policy of this side is drawn from now on. A plan of an agent that has changed
// is drawn.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	if p.side != side && p.row <= plans.B {
		p.row = plans.RowOf(side)
	}
	p.side = side
	if n := exp.Changes(); n != p.change {
		defer func() { p.change, p.told = n, p.row }()
	}
	if plan := exp.Setup().Plan; plan != p.plan {
		p.plan, p.row, p.cell = plan, plans.Rule, -1
	}
	p.seek()
}

// plansWanted returns which results the view needs.
func (p *View) plansWanted() plans.Wanted {
	return plans.Wanted{Courses: true, Row: p.row, Sweep: p.sweep, Map: p.mapped, Axes: p.keys()}
}

// count returns the number of requests.
func (p *View) count() int { return p.app.Turns().Requests() }

// current returns the index of the request under the cursor: the request of the moment, or
// the last one while the end is shown; -1 if there are no requests.
func (p *View) current() int {
	n := p.count()
	if at, ok := p.app.Experiment().Moment(); ok && n > 0 {
		history, _ := p.app.Turns().History()
		t, _ := history.Find(at)
		return t
	}
	return n - 1
}

// goTo puts the cursor on a request, or on the first or last one if t is out of bounds.
// It returns why the cursor cannot move, or "".
func (p *View) goTo(t int) string {
	n := p.count()
	switch {
	case n == 0:
		return "there are no requests"
	case t < 0 && p.current() == 0:
		return "this is the first request"
	case t >= n && p.current() == n-1:
		return "this is the last"
	}
	t = min(max(0, t), n-1)
	history, _ := p.app.Turns().History()
	if history.Requests()[t].IsNow() {
		p.app.ToEnd()
	} else {
		p.app.LookAt(history.Moment(t))
	}
	return ""
}

// nextBreak puts the cursor on the nearest later request (dir 1), or earlier one (-1),
// that breaks the prefix or fails. It returns why it does not, or "".
func (p *View) nextBreak(dir int) string {
	c, _, _ := p.app.Turns().Course(p.row)
	if c == nil {
		return "the requests are still being computed"
	}
	if t, ok := breakFrom(c, p.current(), dir); ok {
		return p.goTo(t)
	}
	if dir > 0 {
		return "no break after this request"
	}
	return "no break before this request"
}

// breakFrom returns the nearest request after t (dir 1) or before it (-1) that breaks the
// prefix or fails; false if there is none.
func breakFrom(c *turns.Course, t, dir int) (int, bool) {
	for t += dir; t >= 0 && t < len(c.Windows); t += dir {
		if c.Windows[t].Err != nil || c.Changes[t].Cause != turns.NoBreak {
			return t, true
		}
	}
	return 0, false
}

// Selected returns false: this view has no item that keys act on.
func (p *View) Selected() (int, bool) { return 0, false }

// Select returns false: this view shows no items.
func (p *View) Select(int) bool { return false }

// Move shows the plan that is by rows further down the list, and stops at its ends.
func (p *View) Move(by int) {
	if p.mapped {
		p.moveCell(by, 0)
		return
	}
	p.row = plans.Row(min(max(0, int(p.row)+by), int(plans.Rows)-1))
}

// Page moves the cursor by as many requests as fit on the screen.
func (p *View) Page(dir int) { p.goTo(p.current() + dir*max(1, p.grid.columns(p.bars.W)*p.grid.per)) }

// Top puts the cursor on the first request.
func (p *View) Top() { p.goTo(0) }

// Bottom puts the cursor on the last request.
func (p *View) Bottom() { p.goTo(p.count() - 1) }

// Escape leaves the sweep or the map. It returns false if neither is shown.
func (p *View) Escape() bool {
	was := p.sweep || p.mapped
	p.sweep, p.mapped = false, false
	return was
}

// Hit returns what a click does at a cell: it puts the cursor on the request, or shows the
// plan, that was last drawn there.
func (p *View) Hit(x, y int) widget.Hit {
	n := p.count()
	switch {
	case n == 0:
	case p.mapped:
		if k, on := p.pairs.at(x, y); on {
			return widget.Hit{Here: k == p.cursor(), Click: func() { p.cell = k }}
		}
	case p.bars.Contains(x, y) && p.grid.per > 0:
		if from, to := p.grid.requests(p.left+(x-p.bars.X)/p.grid.pitch, n); from < to {
			return widget.Hit{Here: from == p.current(), Click: func() { p.goTo(from) }}
		}
	case p.totals.Contains(x, y):
		row := p.listed[(y-p.totals.Y)/p.pitch]
		return widget.Hit{Click: func() { p.row = row }}
	}
	return widget.Hit{}
}
