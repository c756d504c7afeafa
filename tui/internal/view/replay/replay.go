// Package replay is the Replay view: how the slicer arrives at its selection,
// step by step.
package replay

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// View is the view of how the slicer arrives at its selection. It shows one step
// per row, with the cursor on the step that has just been done.
type View struct {
	replayed
	of          *experiment.Outcome // the outcome whose steps are shown; nil before the first
	want        *experiment.Outcome // the outcome whose steps should be shown
	err         error               // why there are no steps
	widget.List                     // the rows of the steps

	seek     int // 1 + the item that the cursor goes to once the steps are made
	absent   int // 1 + the sought item that has no step, until the cursor moves
	absentAt int // where the cursor was then
	search   query.Query
	asked    string          // the search that the cursor has followed
	spare    []pipeline.Step // memory of the previous steps, reused for the next ones

	app  screen.App
	play play

	filling bool        // shows how the table of a knapsack is filled
	left    int         // the step of the walk back that was left for the filling
	zoom    axis        // how wide its columns are; wide is 0 if they fit the rows
	drawn   axis        // the columns that were last drawn
	cells   int         // their width
	opened  bool        // was shown before
	taught  bool        // a table was shown before
	begun   int         // 1 + the step that it showed first, until the cursor moves; -1: the steps are not made
	chosen  bool        // that step decides on the item that was selected
	other   *View       // the steps of the other side, beside these; nil: they are not shown
	shared  int         // 1 + the step at which the other side stands at its step on the same item; 0: at none
	parts   parting     // what only one of both takes
	why     widget.Lead // why one of them is worth more; asks nothing without the other
}

// Arrange asks for the steps of a side's newest outcome, and goes to the first
// step that a new filter matches.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	was := p.want
	if p.want = exp.Result(side); p.want == nil {
		p.Leave()
	}
	if p.want != was {
		p.shared = 0
	}
	if p.other != nil {
		p.other.want = exp.Result(side.Other())
		p.why.Ask(exp)
	}
	if p.Cursor() != p.absentAt {
		p.absent = 0
	}
	if p.begun > 0 && p.Cursor() != p.begun-1 {
		p.begun = 0
	}
	if text := p.search.String(); text != p.asked && p.ready() {
		p.asked = text
		if text != "" && !p.find(p.Cursor(), 1) {
			p.find(0, 1)
		}
	}
}

// Forget drops the steps. Call it when the items have changed.
func (p *View) Forget() {
	*p = View{app: p.app, play: p.play, search: p.search, filling: p.filling, zoom: p.zoom, opened: p.opened, taught: p.taught, begun: min(0, p.begun), other: p.other}
	if p.other != nil {
		p.other.Forget()
	}
}

// Enter goes to the step that decided on the item that was selected.
func (p *View) Enter(item int) {
	if !p.opened {
		p.opened, p.begun = true, -1
	}
	p.Select(item)
	if p.ready() {
		p.begin()
	}
}

// begin goes, where the view is shown for the first time and no step decides on the item that was
// selected, to the first item that is left out, before which all rows are faint. The first table begins
// with what is asked, beside its example, and then is filled: nobody understands a walk back
// through it before.
func (p *View) begin() {
	if p.opened && !p.taught && p.other == nil && p.hasTable() {
		p.taught = true
		if p.filling || p.toggleFilling() == "" {
			p.begun, p.absent = 0, 0
		}
		return
	}
	if p.begun >= 0 {
		return
	}
	if p.chosen = p.absent == 0; !p.chosen {
		p.absent = 0
		p.find(0, 1)
	}
	p.begun = p.Cursor() + 1
}

// Release drops the steps, whose table may be large. The view makes them again when it
// is shown, and keeps its item.
func (p *View) Release() {
	item, on := p.Selected()
	asked := p.asked
	p.Forget()
	p.asked = asked
	if on {
		p.seek = item + 1
	}
}

// ready reports whether the steps belong to the newest outcome.
func (p *View) ready() bool {
	return p.want != nil && p.of != nil && p.of.Report == p.want.Report
}

// stepsKey is the key of the job that makes the steps of a report; of is the view that shows
// them, or the one beside it.
type stepsKey struct {
	of     *View
	report *model.Report
}

// Job returns the work of making the steps, and false if they are made or there
// is no result.
func (p *View) Job() (work.Job, bool) {
	if p.want == nil || p.ready() {
		if p.other == nil {
			return work.Job{}, false
		}
		if job, ok := p.other.Job(); ok {
			return job, true
		}
		return p.why.Job()
	}
	o, spare := p.want, p.spare
	return work.Job{Key: stepsKey{p, o.Report}, Run: work.Pass(func(ctx context.Context) (replayed, error) {
		return replay(ctx, o, spare[:0]) // only one job of a view runs at a time
	}, p.take)}, true
}

// take takes the steps. The cursor stays with the item or phase that it was on.
func (p *View) take(made replayed, err error) {
	before, cursor := p.replayed, p.Cursor()
	p.of, p.err, p.replayed, p.spare = p.want, err, made, before.steps
	if err == nil && p.filling {
		p.turnRound(0)
	}
	p.left = 0
	p.SetLen(len(p.steps))
	p.List.To(p.same(before, cursor))
	for _, k := range before.opens {
		before.steps[k].Opens = nil // the steps are kept as spare memory, their table is not
	}
	if p.seek > 0 {
		p.Select(p.seek - 1)
	}
	p.seek = 0
	p.begin()
}

// worth returns the score of the item of a step, or of both items if a pair counts
// as one.
func (p *View) worth(s *pipeline.Step) float64 {
	if s.At >= 0 {
		return p.of.Ranking.Input().ScoreAt(int(s.At))
	}
	return p.of.Report.Scores[s.Item]
}

// with names the other item of a pair that counts as one item. It returns "" for a
// single item.
func (p *View) with(s *pipeline.Step) string {
	if pairs := p.of.Report.Pairs; pairs != nil && s.At >= 0 && pairs[s.Item] >= 0 {
		return fmt.Sprintf("+#%d ", pairs[s.Item])
	}
	return ""
}

// Selected returns the item of the step under the cursor, and false if the step
// has none.
func (p *View) Selected() (int, bool) {
	if p.Cursor() < p.Steps() && p.steps[p.Cursor()].Item >= 0 {
		return int(p.steps[p.Cursor()].Item), true
	}
	return 0, false
}

// Select puts the cursor on the step that decided on an item, on both sides. It returns false if
// no step did. While the steps are being made, it remembers the item until they
// are there and returns true.
func (p *View) Select(item int) bool {
	if !p.ready() {
		p.seek = item + 1
		return true
	}
	at, ok := p.Cursor(), true
	if i, on := p.Selected(); !on || i != item {
		at, ok = p.decides(item)
	}
	if !ok {
		p.absent, p.absentAt = item+1, p.Cursor()
		return false
	}
	p.List.To(at)
	p.shared = at + 1
	return true
}

// AtEnd reports whether the cursor is on the last step or there are no steps.
func (p *View) AtEnd() bool { return p.Cursor() >= len(p.steps)-1 }

// Steps returns the number of steps, 0 while there is no result. The steps of the last result
// stay, because they say where the cursor is.
func (p *View) Steps() int {
	if p.want == nil {
		return 0
	}
	return len(p.steps)
}

// Filter makes next look for items that q matches, or for changes if q is the zero
// query. It hides no steps, so the room that is left stays visible.
func (p *View) Filter(q query.Query) { p.search = q }

func (p *View) find(from, dir int) bool {
	if p.of == nil || p.want == nil {
		return false
	}
	facts, in := widget.FactsOf(p.of), p.letsIn()
	for k := from; k >= 0 && k < len(p.steps); k += dir {
		s := &p.steps[k]
		if s.Item < 0 {
			continue
		}
		found := s.Verdict.In() != in
		if !p.search.IsZero() {
			found = p.search.Match(&facts, int(s.Item))
		}
		if found {
			p.List.To(k)
			return true
		}
	}
	return false
}

// Hit returns the step that was last drawn at the cell (x, y), or the zero Hit if
// there is none.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	if row, ok := p.RowAt(x, y); ok {
		h.Here, h.Click = row == p.Cursor(), func() { p.To(row) }
	} else if p.other != nil {
		if row, ok := p.other.RowAt(x, y); ok {
			h.Click = func() { p.To(p.other.inStep(p, row)) }
		}
	}
	return h
}
