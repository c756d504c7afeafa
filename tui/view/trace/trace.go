// Package trace is the Trace view: what each stage of the pipeline did, and
// where the tokens went.
package trace

import (
	"cupelscope/model"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/widget"
)

// View is the view of what the pipeline did: the budget as a calculation, the
// stages with counts and times, what is in and out and why, quotas. Every row
// leads to where it can be looked into or changed.
type View struct {
	app      screen.App
	sums     traceSums
	sections []section // as last arranged
	widget.List
	rows   []place   // the rows of the list
	top    int       // first line on the screen
	at     draw.Rect // where it was last drawn
	column int       // from one column to the next
}

// Lead is where a row leads: items by a filter, or a knob. The zero Lead opens nothing.
type Lead struct {
	Filter string
	Knob   experiment.KnobID
}

// section is a small table with a heading.
type section struct {
	title  string
	heads  []string // of the columns
	widths []int    // of the columns, the name having the rest
	rows   []traceRow
}

// traceSums are counts and tokens of a report, made once a report.
type traceSums struct {
	of     *model.Report
	byCode []tally     // by code
	byKind []kindTally // by kind number
}

type tally struct {
	items  int
	tokens model.Tokens
}

func (t *tally) add(tokens model.Tokens) {
	t.items++
	t.tokens += tokens
}

// kindTally is how the items of a kind fared.
type kindTally struct{ pinned, selected, out tally }

func (s *traceSums) count(rep *model.Report) {
	if s.of == rep {
		return
	}
	*s = traceSums{of: rep, byCode: make([]tally, model.Filtered+1), byKind: make([]kindTally, len(rep.Items.Kinds()))}
	tokens := rep.Items.TokenColumn()
	for i, code := range rep.Codes {
		s.byCode[code].add(tokens[i])
		switch kind := &s.byKind[rep.Items.KindID(i)]; {
		case code == model.Pinned:
			kind.pinned.add(tokens[i])
		case code.Included():
			kind.selected.add(tokens[i])
		default:
			kind.out.add(tokens[i])
		}
	}
}

// Arrange brings the sums up to date with a side's newest report.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	if o := exp.Outcome(side); o != nil && o.Report != nil {
		p.sums.count(o.Report)
	}
}

// Lead is where the row under the cursor leads.
func (p *View) Lead() Lead {
	if p.Cursor() >= len(p.rows) {
		return Lead{}
	}
	at := p.rows[p.Cursor()]
	return p.sections[at.section].rows[at.row].lead
}

// Selected: no row is an item.
func (p *View) Selected() (int, bool) { return 0, false }

// Select: no row is an item.
func (p *View) Select(int) bool { return false }

// Page moves by the lines that are visible, less one.
func (p *View) Page(dir int) { p.Move(dir * max(1, p.at.H-1)) }

// Hit is what was last drawn at a cell: a row of a section.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	if !p.at.Contains(x, y) || p.column == 0 {
		return h
	}
	column := (x - p.at.X) / p.column
	for k, row := range p.rows {
		if row.column == column && row.y == p.top+y-p.at.Y {
			h.Row = model.Some(k)
		}
	}
	return h
}
