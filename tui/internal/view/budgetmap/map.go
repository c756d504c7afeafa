// Package budgetmap is the Map view: all items by all budgets.
package budgetmap

import (
	"context"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// View is the view of all items by all budgets: each item has a line of cells,
// coloured at the budgets where the item is in. It can be zoomed in until a
// column is one budget, and out until all items are on the screen, several on a
// line.
type View struct {
	app      screen.App
	rows     widget.ItemList // the items, their order, and the cursor among them
	viewport widget.Viewport // the budgets
	level    int             // zoom level over items: up to 2^level share a line; -1 is one named line per text row
	top      int             // first line on the screen
	cells    mapCells
	now      model.Tokens    // the budget that the view followed last
	over     *widget.Over    // in place of budgets; nil: budgets
	overs    widget.Viewport // the values of over
	began    bool

	out     *experiment.Outcome
	rect    draw.Rect // the main area
	boxed   bool
	focused bool // whether it had the focus when it was last drawn
	shades  bool // the theme can draw two lines in a text row

	moving  int // how many items of counted come and go
	counted *simulate.Profile
	fate    fate // of the item under the cursor
	run     run
}

// A map of more than manyRows items begins with all of them on the screen, a map of fewer
// with a named row for each.
const manyRows = 400

// mapSorts lists the orders of a map.
var mapSorts = []widget.Sort{widget.ByRanges, widget.ByFirst, widget.ByStays, widget.ByScore, widget.ByInput}

// Fit tells the view where it will be drawn. Call it before Arrange.
func (p *View) Fit(r draw.Rect, boxed bool, t *theme.Theme) {
	p.rect, p.boxed, p.shades = r, boxed, t.Shades()
}

// Arrange brings the map up to date with a side of the experiment.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	o, _ := exp.Listable(side)
	if o == nil || o.Report == nil || o.Profile == nil {
		p.out, p.over = nil, nil
		p.rows.Arrange(nil)
		return
	}
	fresh := !p.began
	if fresh {
		p.began = true
		p.rows.SortBy(mapSorts[0])
	}
	p.out = o
	p.rows.Arrange(o)
	p.viewport.SetLimits(widget.StripRange(o))
	p.level = min(p.level, p.overview())
	switch {
	case !fresh:
	case p.rows.Len() > manyRows:
		p.level = p.overview() // begin with all items on the screen
	case p.shades:
		p.level = -1 // begin with a row for each item, and its name
	}
	if now := exp.Setup().Budget.MaxTokens; now != p.now {
		p.now = now
		p.viewport.Reveal(now, p.body().W)
	}
	p.follow()
}

// follow scrolls to the cursor and drops cells that are of other rows.
func (p *View) follow() {
	line := p.rows.Cursor() / p.group()
	if line < p.top-1 || line > p.top+p.lines() { // a jump, not a step over the edge
		p.top = line - p.lines()/2
	}
	p.top = widget.Scroll(p.top, line, p.lines(), p.lineCount())
	p.cells.along(p.out.Profile, p.over, p.axis().Scale(p.body().W), p.rows.Version(), p.group())
}

// setOver sets what the columns stand for: values of a knob, or budgets if o is nil. It returns
// false if nothing changes.
func (p *View) setOver(o *widget.Over) bool {
	was := p.over
	if was.Same(o) {
		return false
	}
	p.rows.Along(o)
	p.over = o
	if o != nil {
		if was == nil || was.Values != o.Values {
			p.overs = widget.Viewport{Even: o.Even()}
			p.overs.SetLimits(o.Limits())
		}
		p.overs.Reveal(o.Here(), p.body().W)
	}
	if p.out != nil {
		p.rows.Arrange(p.out)
		p.follow()
	}
	return true
}

// axis returns the range that is shown, of budgets or of values. here returns the current budget
// or value.
func (p *View) axis() *widget.Viewport {
	if p.over != nil {
		return &p.overs
	}
	return &p.viewport
}

func (p *View) here() model.Tokens {
	if p.over != nil {
		return p.over.Here()
	}
	return p.now
}

// DropStale drops the cells and the rows, which are out of date. The cursor stays with
// its item.
func (p *View) DropStale() {
	generation := p.cells.generation + 1 // answers that still come have an older one
	p.over = nil
	p.out, p.cells, p.counted, p.fate = nil, mapCells{generation: generation}, nil, fate{}
	p.rows.Arrange(nil)
}

// group returns how many items share a line: a power of two, or as many as it
// takes to have all of them on the screen.
func (p *View) group() int {
	if p.level <= 0 {
		return 1
	}
	most := p.most()
	return max(1, min(1<<p.level, (p.rows.Len()+most-1)/most))
}

// perRow returns how many lines a text row shows: 1 or 2.
func (p *View) perRow() int {
	if p.shades && p.level >= 0 {
		return 2
	}
	return 1
}

// named reports whether the names of the items stand beside their lines.
func (p *View) named() bool { return p.perRow() == 1 && p.group() == 1 }

// lines returns how many lines fit on the screen. lineCount returns how many lines the map
// has.
func (p *View) lines() int { return p.height() * p.perRow() }

func (p *View) lineCount() int { return (p.rows.Len() + p.group() - 1) / p.group() }

// most returns how many lines fit on the screen at the densest zoom.
func (p *View) most() int {
	if p.shades {
		return 2 * p.height()
	}
	return p.height()
}

// overview returns the lowest level at which all items are on the screen.
func (p *View) overview() int {
	lines, level := p.most(), 0
	for (p.rows.Len()+1<<level-1)>>level > lines {
		level++
	}
	return level
}

func (p *View) Selected() (int, bool) { return p.rows.Selected() }

// Select puts the cursor on an item. It returns false if the filter hides the
// item.
func (p *View) Select(item int) bool { return p.rows.Select(item) }

// Move moves the cursor by lines.
func (p *View) Move(by int) { p.rows.Move(by * p.group()) }

// Page moves by the visible lines less one: down if dir is 1, up if it is -1.
func (p *View) Page(dir int) { p.Move(dir * max(1, p.lines()-1)) }
func (p *View) Top()         { p.rows.Top() }
func (p *View) Bottom()      { p.rows.Bottom() }

// SortNext sorts the items by the next order of a map, in turn.
func (p *View) SortNext() {
	p.rows.SortBy(mapSorts[(slices.Index(mapSorts, p.rows.SortedBy())+1)%len(mapSorts)]) // the first if they are sorted by another column
}

// unit returns what a column holds.
func (p *View) unit() string {
	if p.over != nil {
		return "value"
	}
	return "budget"
}

// Zoom shows half as many budgets if in is set, twice as many otherwise. It
// returns "" or the reason why it cannot.
func (p *View) Zoom(in bool) string {
	switch {
	case p.out == nil || p.axis().Zoom(in, p.here(), p.body().W):
		return ""
	case in:
		return "each column is one " + p.unit() + " already"
	}
	return "all " + p.unit() + "s are shown already"
}

// gather puts twice as many items on a line if more is set, half as many
// otherwise. It returns "" or the reason why it cannot.
func (p *View) gather(more bool) string {
	least := 0
	if p.shades {
		least = -1
	}
	switch {
	case more && p.level >= p.overview():
		return "all items are shown already"
	case more:
		p.level++
	case p.level <= least:
		return "each item has a row of its own already"
	default:
		p.level--
	}
	return ""
}

// Pan shows budgets further up or down and leaves maxTokens where it is. It
// returns "" or the reason why it cannot.
func (p *View) Pan(dir int) string {
	switch {
	case p.out == nil || p.axis().Pan(dir, p.body().W):
		return ""
	case p.over != nil:
		return "there are no values beyond"
	case dir > 0:
		return "there are no budgets above, up to the ceiling"
	}
	return "there are no budgets below that let anything in"
}

// Whole shows all budgets, with one item per line. It returns "" or the reason why
// nothing changes.
func (p *View) Whole() string {
	if p.axis().ShowsAll() && p.level == 0 {
		return "all " + p.unit() + "s are shown already, an item a row"
	}
	p.axis().ShowAll()
	p.level = 0
	return ""
}

// Even switches between columns that hold equally many budgets and columns that
// grow with the budget.
func (p *View) Even() { p.axis().Even = !p.axis().Even }

// Step returns the budget that is by columns beside now. Without a result it returns now.
func (p *View) Step(now model.Tokens, by int) model.Tokens {
	if p.out == nil {
		return now
	}
	return p.viewport.Step(now, by, p.body().W)
}

// movingKey identifies the count of the items that come and go.
type movingKey struct{ profile *simulate.Profile }

// Job returns the work that the order needs, then of computing the next missing lines on the
// screen, from the top, and then of counting the items that come and go: an item does unless it
// stays from the budget where it is first in.
func (p *View) Job() (work.Job, bool) {
	if p.out == nil {
		return work.Job{}, false
	}
	if job, needed := p.rows.Job(); needed {
		run := job.Run
		job.Run = func(ctx context.Context) func() {
			take := run(ctx)
			return func() {
				take()
				p.follow()
			}
		}
		return job, true
	}
	if job, needed := p.cells.job(p.out, p.rows.Rows(), p.top, min(p.top+p.lines(), p.lineCount())); needed {
		return job, true
	}
	if p.counted.Same(p.out.Profile) {
		return work.Job{}, false
	}
	profile, n := p.out.Profile, p.out.Items.Len()
	return work.Job{Key: movingKey{profile}, CanWait: true, Run: func(ctx context.Context) func() {
		moving := 0
		for i := 0; i < n && ctx.Err() == nil; i++ {
			first, in := profile.FirstIn(i)
			stays, ok := profile.StaysFrom(i)
			if in && (!ok || stays != first) {
				moving++
			}
		}
		return func() { p.moving, p.counted = moving, profile }
	}}, true
}

// title returns how many items come and go, once they are counted, and what is shown.
func (p *View) title(f *widget.Frame) string {
	s := "Map  " + plain.Count(p.rows.Len(), "item")
	switch {
	case p.rows.Filtered():
		s = "Map  " + plain.Thousands(p.rows.Matching()) + " of " + plain.Count(p.out.Items.Len(), "item")
	case p.over != nil:
		s = p.comeAndGo(p.movingOver()) + " over " + widget.CleanName(p.over.Name)
	case p.counted.Same(p.out.Profile):
		s = p.comeAndGo(p.moving)
		if p.rect.W >= 70 && p.named() {
			s += " while the budget grows"
		}
	}
	if n := p.group() * p.perRow(); n > 1 {
		s += ", " + strconv.Itoa(p.group()) + [...]string{" a row", " a half row"}[p.perRow()-1]
	}
	text := "  " + p.budgetsText()
	if !p.boxed { // else the lower edge says it
		s = draw.FitParts(s+text, p.rect.W-4, f.Glyphs())
	}
	if f.Old {
		s += "  (" + f.OldText() + ")"
	}
	return s
}

// comeAndGo returns how many of the items come and go.
func (p *View) comeAndGo(n int) string {
	return "Map  " + plain.Thousands(n) + " of " + plain.Count(p.rows.Len(), "item") + widget.Verb(n, " comes and goes", " come and go")
}

// movingOver returns how many items change more than once while the value grows.
func (p *View) movingOver() (n int) {
	for _, e := range p.rows.Extents() {
		if e.Ranges > 1 || e.First > 0 && e.Stays < 0 {
			n++
		}
	}
	return n
}

// budgetsText returns which budgets are shown, and how the columns divide them.
func (p *View) budgetsText() string {
	axis := "later columns span more"
	if p.axis().Even {
		axis = "equal columns"
	}
	if o := p.over; o != nil {
		return "values " + o.Text(p.overs.Lo) + " to " + o.Text(p.overs.Hi) + "  " + axis
	}
	return "budgets " + p.viewport.Lo.String() + " to " + p.viewport.Hi.String() + "  " + axis
}

// Hit returns the item and the budget that the cell (x, y) shows, or the zero Hit
// outside the map.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	body, in := p.body(), p.inner()
	if p.out == nil || y < body.Y-1 || y >= body.Y+body.H || x < in.X || x >= in.X+in.W {
		return h
	}
	// The upper of the two lines, unless the lower one has the cursor.
	line := p.top + (y-body.Y)*p.perRow()
	if cursor := p.rows.Cursor() / p.group(); p.perRow() == 2 && cursor == line+1 {
		line = cursor
	}
	if y >= body.Y && line < p.lineCount() {
		h.Item = model.Some(int(p.rows.Rows()[line*p.group()]))
	}
	if k := x - body.X; k >= 0 && k < p.cells.scale.Columns() && p.over == nil {
		h.Budget = model.Some(p.cells.scale.Edges[k])
	}
	return h
}
