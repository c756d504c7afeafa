// Package turns is the Turns view: what a policy costs over the requests of a
// conversation, a column a request.
package turns

import (
	"cupelscope/model"
	"cupelscope/simulate/turns"
	"cupelscope/tui/course"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/widget"
)

// View is a column a request: the tokens that are read from the prompt cache, and
// those that are written to it; below it what survives of the prompt and why it
// does not; beside it the totals of both policies and of the baselines. Its cursor
// is the moment that all views show: it is kept by the experiment alone.
type View struct {
	app   screen.App
	row   course.Row // whose requests are drawn
	side  experiment.Side
	sweep bool // the cost by how far the watermark cuts is drawn instead

	level  int  // how far it is zoomed in, see gridAt
	zoomed bool // else all requests are shown
	left   int  // the first column
	shown  int  // the request that was revealed last

	bars   draw.Rect // where the columns were drawn
	grid   grid      // and how
	totals draw.Rect // where the plans were drawn
	top    int       // the first of them
}

// Arrange follows the side that is edited.
func (p *View) Arrange(_ *experiment.Experiment, side experiment.Side) {
	if p.side != side && p.row <= course.B {
		p.row = course.RowOf(side)
	}
	p.side = side
}

// Look says what the view needs.
func (p *View) Look() course.Look {
	first, _ := p.grid.requests(p.left, p.count())
	return course.Look{Courses: true, Row: p.row, First: first, Sweep: p.sweep}
}

// count is how many requests there are.
func (p *View) count() int { return p.app.Turns().Requests() }

// current is the request under the cursor: the moment, or the last one at the end.
func (p *View) current() int {
	n := p.count()
	if m, ok := p.app.Experiment().Moment(); ok {
		return min(m.Number, n) - 1
	}
	return n - 1
}

// goTo looks at a request; the answer says why it does not.
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
	session, _ := p.app.Turns().Session()
	if session.Requests()[t].IsNow() {
		p.app.ToEnd()
	} else {
		p.app.LookAt(session.Moment(t))
	}
	return ""
}

// nextBreak looks at the next request, or the one before, of which the prefix
// breaks or that fails.
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

// breakFrom is the next request in a direction that breaks the prefix or fails.
func breakFrom(c *turns.Course, t, dir int) (int, bool) {
	for t += dir; t >= 0 && t < len(c.Windows); t += dir {
		if c.Windows[t].Err != nil || c.Changes[t].Cause != turns.NoBreak {
			return t, true
		}
	}
	return 0, false
}

// Selected: keys act on no item here.
func (p *View) Selected() (int, bool) { return 0, false }

// Select: no item is shown.
func (p *View) Select(int) bool { return false }

// Move goes to another plan.
func (p *View) Move(by int) { p.row = course.Row(min(max(0, int(p.row)+by), int(course.Rows)-1)) }

// Page goes on by what is shown, Top and Bottom to the first request and the last.
func (p *View) Page(dir int) { p.goTo(p.current() + dir*max(1, p.grid.columns(p.bars.W)*p.grid.per)) }

// Top goes to the first request.
func (p *View) Top() { p.goTo(0) }

// Bottom goes to the last request.
func (p *View) Bottom() { p.goTo(p.count() - 1) }

// Escape leaves the sweep.
func (p *View) Escape() bool {
	was := p.sweep
	p.sweep = false
	return was
}

// Cursor is the request under the cursor: those are the first rows, the plans the
// others.
func (p *View) Cursor() int { return p.current() }

// To goes to a request or a plan.
func (p *View) To(row int) {
	if n := p.count(); row < n {
		p.goTo(row)
	} else {
		p.row = course.Row(row - n)
	}
}

// Hit is the request or the plan that was last drawn at a cell.
func (p *View) Hit(x, y int) widget.Hit {
	n := p.count()
	switch {
	case n == 0:
	case p.bars.Contains(x, y) && p.grid.per > 0:
		if from, to := p.grid.requests(p.left+(x-p.bars.X)/p.grid.pitch, n); from < to {
			return widget.Hit{Row: model.Some(from)}
		}
	case p.totals.Contains(x, y):
		if r := p.top + y - p.totals.Y; r < int(course.Rows) {
			return widget.Hit{Row: model.Some(n + r)}
		}
	}
	return widget.Hit{}
}
