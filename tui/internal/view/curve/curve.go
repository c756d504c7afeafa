// Package curve is the Curve view: what every budget gives, under both policies.
package curve

import (
	"context"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// View is the view of the curves of both policies: what every budget gives.
// Nothing is sampled: a column shows the most that any of its budgets gives. The view can be zoomed
// until a column is one budget. Its cursor is maxTokens.
type View struct {
	app      screen.App
	viewport widget.Viewport
	measure  measure
	chosen   bool         // the measure is the user's choice
	now      model.Tokens // the budget that was followed last
	tracks   [2]track
	points   int // of the curve that was computed last
	outs     [2]*experiment.Outcome
	side     experiment.Side

	rect  draw.Rect // the main area
	boxed bool
	at    draw.Rect  // where the plot was drawn
	lower draw.Rect  // where how far the value is below the best was drawn below it
	cells draw.Scale // the budgets of the cells of at
	lead  lead       // see leading
	// marksFalls says that a key has gone to a fall: rows mark them from then on.
	marksFalls bool
}

// track holds what is known about one side.
type track struct {
	profile *simulate.Profile
	judge   *quality.Judge // nil if nothing is marked as needed
	curve   *curve         // nil until it is computed
	err     error          // why the curve cannot be computed
	columns columns
	key     columnsKey // what columns was made for

	below    []float64  // how far the value is below the best possible, by column
	belowKey columnsKey // what below was made for
}

// columnsKey holds what columns depend on besides the points.
type columnsKey struct {
	viewport widget.Viewport
	n        int
	measure  measure
	optimum  *simulate.Optimum // of byBelow
}

// plotKey identifies the curve of a side. Profiles of different budgets on the
// same axis have the same curve.
type plotKey struct {
	side    experiment.Side
	profile *simulate.Profile
	judge   *quality.Judge
}

// Fit tells the view where it will be drawn. Call it before Arrange.
func (p *View) Fit(r draw.Rect, boxed bool, _ *theme.Theme) { p.rect, p.boxed = r, boxed }

// Arrange brings the plot up to date with both sides of the experiment.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.side = side
	for s := range p.tracks {
		o, profiled := exp.Listable(experiment.Side(s))
		if o != nil && (o.Report == nil || o.Profile == nil) {
			o = nil
		}
		if o != nil && profiled && exp.Err(experiment.Side(s)) != nil {
			o.Policy = exp.Setup().Policy[s] // whose curve is drawn; the report is of an older one
		}
		p.outs[s] = o
		t := &p.tracks[s]
		if o == nil {
			*t = track{}
		} else if !t.profile.Same(o.Profile) || t.judge != o.Judge {
			*t = track{profile: o.Profile, judge: o.Judge}
		}
	}
	o := p.outs[side]
	if o == nil {
		return
	}
	p.viewport.SetLimits(widget.StripRange(o))
	if !p.chosen {
		p.measure = byValue
		if len(exp.Setup().Labels.Grades) > 0 {
			p.measure = byRecall
		}
	}
	if now := exp.Setup().Budget.MaxTokens; now != p.now {
		p.now = now
		p.viewport.Reveal(now, p.width())
	}
}

// Job returns the work of computing the curve of a side, the edited side
// first. It returns false if none is needed.
func (p *View) Job() (work.Job, bool) {
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		t := &p.tracks[s]
		if t.profile == nil || t.curve != nil || t.err != nil {
			continue
		}
		profile, judge, room := t.profile, t.judge, p.points
		return work.Job{Key: plotKey{s, profile, judge}, Run: work.Pass(func(ctx context.Context) (*curve, error) {
			return curveOf(ctx, profile, judge, room)
		}, func(c *curve, err error) {
			t.curve, t.err = c, err
			if err == nil {
				p.points = len(c.points)
			}
		})}, true
	}
	return work.Job{}, false
}

// DropStale drops the curves, which are out of date.
func (p *View) DropStale() {
	p.tracks, p.outs = [2]track{}, [2]*experiment.Outcome{}
}

// edited returns the curve of the edited side, or nil and why it is not known.
func (p *View) edited() (c *curve, why string) {
	t := &p.tracks[p.app.Side()]
	if t.err != nil {
		return nil, t.err.Error()
	}
	return t.curve, "the budgets are still being computed"
}

// width returns the width of the plot in cells, at least 1.
func (p *View) width() int {
	plot, _ := p.plotRects()
	return max(1, plot.W)
}

// Selected returns false: the view shows no items.
func (p *View) Selected() (int, bool) { return 0, false }

// Select returns false: the view shows no items.
func (p *View) Select(int) bool { return false }

// Move changes the measure that is drawn over the budgets by so many steps, and
// wraps around at both ends. At first it is the recall if anything is needed.
func (p *View) Move(by int) {
	p.chosen = true
	p.measure = measure(((int(p.measure)+by)%int(measures) + int(measures)) % int(measures))
}

// Page shows larger budgets if dir is 1, smaller ones if it is -1.
func (p *View) Page(dir int) { p.viewport.Pan(dir, p.width()) }

// Top shows the smallest budgets at the current zoom.
func (p *View) Top() { p.viewport.Reveal(p.viewport.Start, p.width()) }

// Bottom shows the largest budgets at the current zoom.
func (p *View) Bottom() { p.viewport.Reveal(p.viewport.End, p.width()) }

// Zoom shows half as many budgets if in is set, twice as many otherwise. It
// returns "" or the reason why it cannot.
func (p *View) Zoom(in bool) string {
	if p.viewport.Zoom(in, p.now, p.width()) {
		return ""
	}
	if in {
		return "each column is one budget already"
	}
	return "all budgets are shown"
}

// Pan shows budgets further up or down. It returns "" or the reason why it
// cannot.
func (p *View) Pan(dir int) string {
	switch {
	case p.viewport.Pan(dir, p.width()):
		return ""
	case p.viewport.ShowsAll():
		return "all budgets are shown; + zooms in"
	case dir > 0:
		return "the axis ends here; the knob ceiling moves it"
	}
	return "there are no smaller budgets"
}

// Whole shows all budgets. It returns "" or the reason why nothing changes.
func (p *View) Whole() string {
	if p.viewport.ShowsAll() {
		return "all budgets are shown already"
	}
	p.viewport.ShowAll()
	return ""
}

// Even switches between columns that hold equally many budgets and columns that
// grow with the budget.
func (p *View) Even() { p.viewport.Even = !p.viewport.Even }

// Step returns the budget that is by columns beside b.
func (p *View) Step(b model.Tokens, by int) model.Tokens { return p.viewport.Step(b, by, p.width()) }

// Hit returns the budget that was last drawn at the cell (x, y), or the zero Hit
// outside the plot.
func (p *View) Hit(x, y int) widget.Hit {
	if !p.at.Contains(x, y) && !p.lower.Contains(x, y) {
		return widget.Hit{}
	}
	return widget.Hit{Budget: widget.BudgetOf(p.cells, x-p.at.X)}
}
