// Package replay is the Replay view: how the slicer arrives at its selection,
// step by step.
package replay

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
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

// replayed holds all steps of an outcome. It is made in one go. After that only the
// view changes it.
type replayed struct {
	steps  []pipeline.Step
	opens  []int32  // indexes of the steps that open a phase
	packs  []packed // by index in opens: what the walk back takes in all
	marks  []total  // before each markEvery-th step
	cut    bool     // there are more steps than are kept
	short  []int32  // steps that leave an item out for want of room, those that miss by least first
	shorts int      // how many such steps there are
	final  int      // the last step that changes what is in
}

// total sums up the items that are in after some steps.
type total struct {
	items  int
	tokens model.Tokens
	value  float64
}

// maxSteps bounds the memory of the steps, at 90 bytes each. Nobody looks through
// more of them.
const maxSteps = 2_000_000

// markEvery is the distance between marks: at most so many steps are added up
// again when the cursor moves.
const markEvery = 512

// add adds what a step takes, and takes off what it drops.
func (t *total) add(in *slicer.Input, s *pipeline.Step) {
	if s.At < 0 {
		return
	}
	sign := 1
	switch s.Verdict {
	case slicer.Taken, slicer.Free, slicer.Committed:
	case slicer.Dropped:
		sign = -1
	default:
		return
	}
	t.items += sign * int(in.Size(int(s.At)))
	t.tokens += model.Tokens(sign) * in.TokensAt(int(s.At))
	t.value += float64(sign) * in.ScoreAt(int(s.At))
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
// with what is asked, beside its example, and then is filled: nobody understands a walk back through it before.
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

// replay collects the steps of an outcome. It leaves out the phase that the greedy
// slicer opens within a share or within the rest of count quotas, because that
// says nothing new.
func replay(ctx context.Context, o *experiment.Outcome, steps []pipeline.Step) (replayed, error) {
	in := o.Ranking.Input()
	made := replayed{steps: slices.Grow(steps, min(in.Len()+1, maxSteps))} // a step a candidate, or more
	err := o.Ranking.Steps(ctx, o.Report.Budget, func(s pipeline.Step) {
		if made.cut || s.Opens != nil && s.Depth > 0 && (s.Phase == slicer.ByDensity || s.Phase == slicer.ByScore) {
			return
		}
		n := len(made.steps)
		if made.cut = n == maxSteps; made.cut {
			return
		}
		if s.Opens != nil {
			made.opens, made.packs = append(made.opens, int32(n)), append(made.packs, packed{})
		}
		if s.Phase == slicer.WalkBack && s.Verdict == slicer.Taken {
			pack := &made.packs[len(made.packs)-1]
			pack.tokens += in.TokensAt(int(s.At))
			pack.charged += model.Tokens(s.Need) * s.Unit
		}
		made.steps = append(made.steps, s)
		if s.Verdict == slicer.Skipped && s.Why == slicer.NoRoom {
			made.miss(n)
		}
	})
	if err != nil {
		return replayed{}, err
	}
	made.mark(in)
	return made, nil
}

// miss takes up a step that leaves an item out for want of room.
func (r *replayed) miss(step int) {
	r.shorts++
	r.short = widget.Most(r.short, int32(step), maxMisses, func(k int32) float64 { return float64(r.steps[k].Left - r.steps[k].Need) })
}

// mark sums up the items that are in before every markEvery-th step.
func (r *replayed) mark(in *slicer.Input) {
	r.marks, r.final = r.marks[:0], 0
	var now total
	for n := range r.steps {
		if n%markEvery == 0 {
			r.marks = append(r.marks, now)
		}
		was := now
		if now.add(in, &r.steps[n]); now != was {
			r.final = n
		}
	}
}

// after returns the sums of the items that are in when a step has been done.
func (p *View) after(step int) total {
	if step >= len(p.steps) {
		return total{}
	}
	mark := step / markEvery
	now, in := p.marks[mark], p.of.Ranking.Input()
	for k := mark * markEvery; k <= step; k++ {
		now.add(in, &p.steps[k])
	}
	return now
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

// opening returns the index in opens of the phase of a step, or -1 if there is
// none.
func (p *View) opening(step int) int {
	k := sort.Search(len(p.opens), func(k int) bool { return int(p.opens[k]) > step })
	return k - 1
}

// same returns the step that corresponds to step cursor of the steps before: the one that
// decides on the same item, or opens the phase of the same number.
func (p *View) same(before replayed, cursor int) int {
	last := max(0, len(p.steps)-1)
	if cursor >= len(before.steps) {
		return 0
	}
	was := &before.steps[cursor]
	if was.Item >= 0 {
		if cursor <= last && len(p.steps) > 0 && p.steps[cursor].Item == was.Item && p.steps[cursor].Phase == was.Phase {
			return cursor // the order of the steps rarely changes
		}
		if at, ok := p.decides(int(was.Item)); ok {
			return at
		}
		return min(cursor, last)
	}
	nth := 0 // how many phases open before the cursor
	for nth < len(before.opens) && int(before.opens[nth]) < cursor {
		nth++
	}
	if nth < len(p.opens) {
		return int(p.opens[nth])
	}
	return min(cursor, last)
}

// decides returns the step that finally decided on an item: the last one that took it,
// skipped it or dropped it. ok is false if there is none.
func (p *View) decides(item int) (step int, ok bool) {
	if pairs := p.of.Report.Pairs; pairs != nil && pairs[item] >= 0 {
		item = min(item, int(pairs[item])) // the steps name the first of a pair
	}
	for k := len(p.steps) - 1; k >= 0; k-- {
		s := &p.steps[k]
		if int(s.Item) != item {
			continue
		}
		if !ok {
			step, ok = k, true
		}
		if s.Verdict != slicer.Kept {
			return k, true
		}
	}
	return step, ok
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
