// Package trace is the Trace view: what each stage of the pipeline did, and
// where the tokens went.
package trace

import (
	"slices"

	"cupelscope/model"
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
	shares []unfitTally // and which kind's share of the room keeps items out
	byKind []kindTally  // by kind number

	cut, notes tally        // the cut items that are in, and the notes, with the tokens taken
	cutOf      model.Tokens // the items that are in cut, as a whole
}

type tally struct {
	items  int
	tokens model.Tokens
}

func (t *tally) add(tokens model.Tokens) {
	t.items++
	t.tokens += tokens
}

// unfitTally counts the items that are out for one reason, as widget.Unfit names it.
type unfitTally struct {
	name string
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

func (s *traceSums) count(o *experiment.Outcome) {
	rep, why := o.Report, o.Reasons != nil
	if s.of == rep && s.why == why {
		return
	}
	*s = traceSums{of: rep, why: why, byCode: make([]tally, model.Filtered+1), byKind: make([]kindTally, len(rep.Items.Kinds()))}
	tokens, unfit := rep.Items.TokenColumn(), widget.Unfit(o)
	for i, code := range rep.Codes {
		taken := tokens[i]
		if rep.Shrunk(i) {
			taken = rep.Taken(i)
			s.cut.add(taken)
			s.cutOf += tokens[i]
		} else if rep.Noted(i) {
			s.notes.add(rep.Taken(i))
			s.byKind[rep.Items.KindID(i)].notes.add(rep.Taken(i))
		}
		s.byCode[code].add(taken)
		if code == model.BudgetExceeded {
			if name, share := unfit(i); share != "" {
				s.shares = counted(s.shares, share, tokens[i])
			} else {
				s.unfit = counted(s.unfit, name, tokens[i])
			}
		}
		kind := &s.byKind[rep.Items.KindID(i)]
		switch {
		case code == model.Pinned:
			kind.pinned.add(taken)
		case code.Included():
			kind.selected.add(taken)
		default:
			kind.out.add(taken)
		}
		s.byKind[rep.Items.KindID(i)].out.tokens += tokens[i] - taken // what was left out of it
	}
}

// selected counts what the slicer lets in; items without tokens need no room.
func (s *traceSums) selected() tally {
	in := s.byCode[model.Scored]
	in.items += s.byCode[model.ZeroToken].items
	return in
}

// counted returns the tallies with one more item of a name.
func counted(all []unfitTally, name string, tokens model.Tokens) []unfitTally {
	k := slices.IndexFunc(all, func(t unfitTally) bool { return t.name == name })
	if k < 0 {
		k, all = len(all), append(all, unfitTally{name: name})
	}
	all[k].add(tokens)
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
