// Package curve is the Curve view: what every budget gives, under both policies.
package curve

import (
	"context"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/work"
)

// View is the curves of both policies at full size: what every budget gives.
// Nothing is sampled: a column shows the least and the most that any of its
// budgets has. It can be zoomed until a column is one budget. Its cursor is
// maxTokens.
type View struct {
	app     screen.App
	span    widget.Span
	measure measure
	now     model.Tokens // the budget that was followed last
	kept    int          // 1 + the selected item, for the other views; 0: none
	tracks  [2]track
	outs    [2]*experiment.Outcome
	side    experiment.Side

	rect  draw.Rect // of the main area
	boxed bool
	dots  int // columns of dots a cell
	at    draw.Rect
	cells draw.Scale // of the cells of at
}

// track is what is known of one side.
type track struct {
	profile *simulate.Profile
	judge   *quality.Judge // of what is needed; nil: nothing is
	curve   *curve         // nil: not known yet
	err     error          // why it cannot be known
	columns columns
	key     columnsKey // of columns
}

// columnsKey is what columns depend on besides the points.
type columnsKey struct {
	lo, hi  model.Tokens
	n       int
	even    bool
	measure measure
}

// plotKey names the curve of a side. Profiles of other budgets of one axis are
// the same for it.
type plotKey struct {
	side    experiment.Side
	profile *simulate.Profile
	judge   *quality.Judge
}

// Fit tells the pane where it will be drawn, before it is arranged.
func (p *View) Fit(r draw.Rect, boxed bool, t *theme.Theme) {
	p.rect, p.boxed, p.dots = r, boxed, draw.Dots(1, t.Glyphs)
}

// Arrange brings the plot up to date with both sides of the experiment.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.side = side
	for s := range p.tracks {
		o := exp.Outcome(experiment.Side(s))
		if o != nil && (o.Report == nil || o.Profile == nil) {
			o = nil
		}
		p.outs[s] = o
		if t := &p.tracks[s]; o == nil {
			*t = track{}
		} else if !t.profile.Same(o.Profile) || t.judge != o.Judge {
			*t = track{profile: o.Profile, judge: o.Judge}
		}
	}
	o := p.outs[side]
	if o == nil {
		return
	}
	p.span.SetLimits(widget.StripRange(o))
	if now := exp.Setup().Budget.MaxTokens; now != p.now {
		p.now = now
		p.span.Reveal(now, p.width())
	}
}

// Job finds the curve of a side, the one that is shown first.
func (p *View) Job() (work.Job, bool) {
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		t := &p.tracks[s]
		if t.profile == nil || t.curve != nil || t.err != nil {
			continue
		}
		profile, judge := t.profile, t.judge
		return work.Job{Key: plotKey{s, profile, judge}, Cost: p.outs[s].CurveCost(), Run: func(ctx context.Context) (any, error) {
			return curveOf(ctx, profile, judge)
		}}, true
	}
	return work.Job{}, false
}

// Done takes the curve of a side.
func (p *View) Done(key, result any, err error) {
	k, ok := key.(plotKey)
	if !ok {
		return
	}
	if t := &p.tracks[k.side]; t.profile == k.profile && t.judge == k.judge {
		if t.err = err; err == nil {
			t.curve = result.(*curve)
		}
	}
}

// width is how many cells the plot is wide.
func (p *View) width() int { return max(1, p.plotRect().W) }

// Selected is the item that was selected in the view before.
func (p *View) Selected() (int, bool) { return p.kept - 1, p.kept > 0 }

// Select keeps an item for the views after.
func (p *View) Select(item int) bool { p.kept = item + 1; return true }

// Forget keeps none.
func (p *View) Forget() { p.kept = 0 }

// Move changes what is drawn over the budgets: value, items, share of the room.
func (p *View) Move(by int) {
	p.measure = measure(((int(p.measure)+by)%int(measures) + int(measures)) % int(measures))
}

// Page shows smaller or larger budgets.
func (p *View) Page(dir int) { p.span.Pan(dir, p.width()) }

// Top shows the smallest budgets, at the present zoom.
func (p *View) Top() { p.span.Reveal(p.span.Least, p.width()) }

// Bottom shows the largest budgets, at the present zoom.
func (p *View) Bottom() { p.span.Reveal(p.span.End, p.width()) }

// Zoom shows half as many budgets, or twice as many; the answer says why not.
func (p *View) Zoom(in bool) string {
	if p.span.Zoom(in, p.now, p.width()) {
		return ""
	}
	if in {
		return "each column is one budget already"
	}
	return "all budgets are shown"
}

// Pan shows budgets further up or down; the answer says why not.
func (p *View) Pan(dir int) string {
	switch {
	case p.span.Pan(dir, p.width()):
		return ""
	case p.span.ShowsAll():
		return "all budgets are shown; + zooms in"
	case dir > 0:
		return "the axis ends here; the knob axis end moves it"
	}
	return "there are no smaller budgets"
}

// Whole shows all budgets.
func (p *View) Whole() string {
	if p.span.ShowsAll() {
		return "all budgets are shown already"
	}
	p.span.ShowAll()
	return ""
}

// Even changes between columns of as many budgets each and columns that grow
// with the budget.
func (p *View) Even() { p.span.Even = !p.span.Even }

// Step is the budget a column beside b, or ten.
func (p *View) Step(b model.Tokens, dir int, big bool) model.Tokens {
	if big {
		dir *= 10
	}
	return p.span.Step(b, dir, p.width())
}

// Hit is the budget that was last drawn in a column of the plot.
func (p *View) Hit(x, y int) widget.Hit {
	if !p.at.Contains(x, y) {
		return widget.Hit{}
	}
	return widget.Hit{Budget: widget.BudgetOf(p.cells, x-p.at.X)}
}
