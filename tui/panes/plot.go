package panes

import (
	"context"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// Plot is the curves of both policies at full size: what every budget gives.
// Nothing is sampled: a column shows the least and the most that any of its
// budgets has. It can be zoomed until a column is one budget. Its cursor is
// maxTokens.
type Plot struct {
	span    span
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
	curve   *curve // nil: not known yet
	err     error  // why it cannot be known
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
}

// Fit tells the pane where it will be drawn, before it is arranged.
func (p *Plot) Fit(r draw.Rect, boxed bool, t *theme.Theme) {
	p.rect, p.boxed, p.dots = r, boxed, draw.Dots(1, t.Glyphs)
}

// Arrange brings the plot up to date with both sides of the experiment.
func (p *Plot) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.side = side
	for s := range p.tracks {
		o := exp.Outcome(experiment.Side(s))
		if o != nil && (o.Report == nil || o.Profile == nil) {
			o = nil
		}
		p.outs[s] = o
		if t := &p.tracks[s]; o == nil {
			*t = track{}
		} else if !sameProfile(t.profile, o.Profile) {
			*t = track{profile: o.Profile}
		}
	}
	o := p.outs[side]
	if o == nil {
		return
	}
	p.span.reach(stripRange(o))
	if now := exp.Setup().Budget.MaxTokens; now != p.now {
		p.now = now
		p.span.reveal(now, p.width())
	}
}

// sameProfile reports whether two profiles give the same result at every budget.
func sameProfile(a, b *simulate.Profile) bool {
	return a != nil && b != nil && a.Targets() == b.Targets() && a.Axis().Same(b.Axis())
}

// Job finds the curve of a side, the one that is shown first.
func (p *Plot) Job() (Job, bool) {
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		t := &p.tracks[s]
		if t.profile == nil || t.curve != nil || t.err != nil {
			continue
		}
		profile := t.profile
		return Job{Key: plotKey{s, profile}, Cost: p.outs[s].CurveCost(), Run: func(ctx context.Context) (any, error) {
			return curveOf(ctx, profile)
		}}, true
	}
	return Job{}, false
}

// Done takes the curve of a side.
func (p *Plot) Done(key, result any, err error) {
	k, ok := key.(plotKey)
	if !ok {
		return
	}
	if t := &p.tracks[k.side]; t.profile == k.profile {
		if t.err = err; err == nil {
			t.curve = result.(*curve)
		}
	}
}

// width is how many cells the plot is wide.
func (p *Plot) width() int { return max(1, p.plotRect().W) }

// Selected is the item that was selected in the view before.
func (p *Plot) Selected() (int, bool) { return p.kept - 1, p.kept > 0 }

// Select keeps an item for the views after.
func (p *Plot) Select(item int) bool { p.kept = item + 1; return true }

// Forget keeps none.
func (p *Plot) Forget() { p.kept = 0 }

// Move changes what is drawn over the budgets: value, items, share of the room.
func (p *Plot) Move(by int) {
	p.measure = measure(((int(p.measure)+by)%int(measures) + int(measures)) % int(measures))
}

// Page shows smaller or larger budgets.
func (p *Plot) Page(dir int) { p.span.pan(dir, p.width()) }

// Top shows the smallest budgets, at the present zoom; Bottom the largest.
func (p *Plot) Top() { p.span.reveal(p.span.least, p.width()) }

// Bottom: see Top.
func (p *Plot) Bottom() { p.span.reveal(p.span.end, p.width()) }

// Zoom shows half as many budgets, or twice as many; the answer says why not.
func (p *Plot) Zoom(in bool) string {
	if p.span.zoom(in, p.now, p.width()) {
		return ""
	}
	if in {
		return "each column is one budget already"
	}
	return "all budgets are shown"
}

// Pan shows budgets further up or down; the answer says why not.
func (p *Plot) Pan(dir int) string {
	switch {
	case p.span.pan(dir, p.width()):
		return ""
	case p.span.whole():
		return "all budgets are shown; + zooms in"
	case dir > 0:
		return "the axis ends here; the knob axis end moves it"
	}
	return "there are no smaller budgets"
}

// Whole shows all budgets.
func (p *Plot) Whole() { p.span.fit() }

// Even changes between columns of as many budgets each and columns that grow
// with the budget.
func (p *Plot) Even() { p.span.even = !p.span.even }

// Step is the budget a column beside b, or ten.
func (p *Plot) Step(b model.Tokens, dir int, big bool) model.Tokens {
	if big {
		dir *= 10
	}
	return p.span.step(b, dir, p.width())
}

// Hit is the budget that was last drawn in a column of the plot.
func (p *Plot) Hit(x, y int) Hit {
	if !p.at.Contains(x, y) {
		return Hit{}
	}
	return Hit{Budget: budgetOf(p.cells, x-p.at.X)}
}
