// Package trace is the Trace view: what each stage of the pipeline did, and
// where the tokens went.
package trace

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// View is the view of what the pipeline did: the budget as a calculation, the
// items that leave at each step, the kinds, and the quotas.
// A row may lead to the items behind it or to the knob that changes it.
type View struct {
	app  screen.App
	sums traceSums
	widget.List
	lines  []line // the rows of the list
	folded bool   // it is too narrow for headings and notes
	split  int    // the first line of the column on the right; 0: there is one column
	right  int    // where that column begins
	behind behind
}

// traceSums holds the counts and tokens of a report, made once per report and
// again when its reasons are known.
type traceSums struct {
	of     *model.Report
	why    bool         // its reasons are known
	byCode []tally      // by code
	unfit  []unfitTally // what model.BudgetExceeded stands for, in the order of the items
	byKind []kindTally  // by kind number

	cut, notes tally        // the cut items that are in, and the notes, with the tokens taken
	cutOf      model.Tokens // the items that are in cut, as a whole
}

type tally struct {
	items  int
	tokens model.Tokens
}

func (t *tally) add(more tally) {
	t.items += more.items
	t.tokens += more.tokens
}

// unfitTally counts the items that are out for one reason, as widget.Unfit names it.
type unfitTally struct {
	name, share string
	tally
}

// kindTally counts the items of a kind.
type kindTally struct {
	pinned, selected, out tally
	notes                 tally // in place of items that are out
}

func (t kindTally) all() tally {
	return tally{t.pinned.items + t.selected.items + t.out.items, t.pinned.tokens + t.selected.tokens + t.out.tokens}
}

// count makes the sums of an outcome, on all processors.
func (s *traceSums) count(o *experiment.Outcome) {
	rep, why := o.Report, o.Reasons != nil
	if s.of == rep && s.why == why {
		return
	}
	*s = newSums(rep, why)
	for _, part := range inParts(rep.Items.Len(), func(part *traceSums, from, to int) {
		*part = newSums(rep, why)
		part.countItems(o, from, to)
	}) {
		s.join(part)
	}
}

func newSums(rep *model.Report, why bool) traceSums {
	return traceSums{of: rep, why: why, byCode: make([]tally, model.Filtered+1), byKind: make([]kindTally, len(rep.Items.Kinds()))}
}

// inParts calls f on all processors, with as many parts of what is found and stretches of n items. The
// parts are in the order of the items.
func inParts[T any](n int, f func(part *T, from, to int)) []T {
	parts := make([]T, relay.Workers())
	relay.Spread(len(parts), func(int) int { return 64 * n / len(parts) }, func(from, to int) {
		for k := from; k < to; k++ {
			f(&parts[k], k*n/len(parts), (k+1)*n/len(parts))
		}
	})
	return parts
}

// countItems adds the items from <= i < to.
func (s *traceSums) countItems(o *experiment.Outcome, from, to int) {
	rep := o.Report
	tokens, unfit := rep.Items.TokenColumn(), widget.Unfit(o)
	for i := from; i < to; i++ {
		code, kind, whole := rep.Codes[i], &s.byKind[rep.Items.KindID(i)], tally{1, tokens[i]}
		one := whole
		if rep.Shrunk(i) {
			one.tokens = rep.Taken(i)
			s.cut.add(one)
			s.cutOf += whole.tokens
			kind.out.tokens += whole.tokens - one.tokens // what was left out of it
		} else if rep.Noted(i) {
			note := tally{1, rep.Taken(i)}
			s.notes.add(note)
			kind.notes.add(note)
		}
		s.byCode[code].add(one)
		if code == model.BudgetExceeded {
			name, share := unfit(i)
			s.unfit = counted(s.unfit, unfitTally{name, share, whole})
		}
		switch {
		case code == model.Pinned:
			kind.pinned.add(one)
		case code.Included():
			kind.selected.add(one)
		default:
			kind.out.add(one)
		}
	}
}

// join adds the sums of items that follow.
func (s *traceSums) join(next traceSums) {
	for code, t := range next.byCode {
		s.byCode[code].add(t)
	}
	for k, t := range next.byKind {
		kind := &s.byKind[k]
		kind.pinned.add(t.pinned)
		kind.selected.add(t.selected)
		kind.out.add(t.out)
		kind.notes.add(t.notes)
	}
	for _, t := range next.unfit {
		s.unfit = counted(s.unfit, t)
	}
	s.cut.add(next.cut)
	s.notes.add(next.notes)
	s.cutOf += next.cutOf
}

// selected counts what the slicer lets in; items without tokens need no room.
func (s *traceSums) selected() tally {
	in := s.byCode[model.Scored]
	in.items += s.byCode[model.ZeroToken].items
	return in
}

// counted returns the tallies with more items that are out for one reason.
func counted(all []unfitTally, more unfitTally) []unfitTally {
	k := slices.IndexFunc(all, func(t unfitTally) bool { return t.name == more.name && t.share == more.share })
	if k < 0 {
		return append(all, more)
	}
	all[k].add(more.tally)
	return all
}

// Arrange brings the sums up to date with a side's newest result.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	if o := exp.Result(side); o != nil {
		p.sums.count(o)
	}
}

// Lead returns where the row under the cursor leads, or the zero Lead if there
// are no rows.
func (p *View) Lead() Lead {
	if p.Cursor() >= len(p.lines) || p.lines[p.Cursor()].row == nil {
		return Lead{}
	}
	return p.lines[p.Cursor()].row.lead
}

// Selected returns false: no row is an item.
func (p *View) Selected() (int, bool) { return 0, false }

// Select returns false: no row is an item.
func (p *View) Select(int) bool { return false }

// Hit returns the row that was last drawn at the cell (x, y), or the zero Hit if
// there is none.
func (p *View) Hit(x, y int) widget.Hit {
	row, ok := p.RowAt(x, y)
	switch {
	case p.split == 0:
	case x >= p.right:
		row += p.split
	case row >= p.split:
		ok = false
	}
	if !ok || row >= p.Len() || p.lines[row].row == nil {
		return widget.Hit{}
	}
	return widget.Hit{Here: row == p.Cursor(), Click: func() { p.To(row) }}
}
