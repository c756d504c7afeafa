package turns

import (
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// multiple names a budget beside the one in force.
func (p *View) multiple(o plans.OtherBudget) string {
	if o.Budget < p.app.Experiment().Setup().Budget.MaxTokens {
		return "half"
	}
	return "double"
}

// compared says in a few words what the plan costs at another budget, against sending everything,
// or that it does not fit there.
func (p *View) compared(f *widget.Frame, o plans.OtherBudget) draw.Span {
	t := o.Totals
	ratio, ok := t.CostRatio()
	switch {
	case !o.Known && p.app.Turns().Stopped():
		return draw.Span{Text: "stopped", Role: theme.Dim}
	case !o.Known:
		return draw.Span{Text: f.Glyphs().Ellipsis, Role: theme.Dim}
	case t.Failed > 0:
		return draw.Span{Text: plain.Thousands(t.Failed) + widget.Verb(t.Failed, " fails", " fail"), Role: theme.Error}
	case t.Over > 0:
		return draw.Span{Text: plain.Thousands(t.Over) + widget.Verb(t.Over, " does not fit", " do not fit"), Role: theme.Warn}
	case !ok:
		return draw.Span{Text: "no cost", Role: theme.Dim}
	}
	return draw.Span{Text: moreOrLess(ratio) + thanAll(ratio), Role: costRole(ratio)}
}

// otherBudgets says in one line what the plan that is drawn costs at half the budget and at double.
func (p *View) otherBudgets(f *widget.Frame, width int) []draw.Span {
	form := func(long bool) (line []draw.Span) {
		for k, o := range p.app.Turns().OtherBudgets() {
			head := "; at "
			if k == 0 {
				head = " at "
				line = append(line, draw.Span{Text: p.short(), Role: role(p.row)})
			}
			head += p.multiple(o)
			if long {
				head += ", " + o.Budget.String()
			}
			line = append(line, widget.Plain(head+": "), p.compared(f, o))
		}
		return line
	}
	return draw.FirstThatFits(width, form(true), form(false))
}

// atOtherBudgets returns the same as a line for each budget, with its amounts in the column of
// the plans' amounts.
func (p *View) atOtherBudgets(f *widget.Frame, width int) (lines [][]draw.Span) {
	for _, o := range p.app.Turns().OtherBudgets() {
		at := p.short() + " at " + p.multiple(o)
		name := widget.Fitting(width-costWidth-ratioWidth, at+" the budget, "+o.Budget.String(), at+", "+o.Budget.String(), at)
		says := p.compared(f, o)
		if ratio, ok := o.Totals.CostRatio(); ok && o.Totals.Failed+o.Totals.Over == 0 && o.Known {
			says.Text = padLeft(p.cost(o.Totals.Cost), costWidth) + padLeft(ratioText(ratio), ratioWidth)
		}
		room := width - draw.Width(name)
		says.Text = padLeft(strings.TrimLeft(says.Text, " "), room)
		lines = append(lines, []draw.Span{{Text: name, Role: theme.Dim}, says})
	}
	if lines != nil {
		lines = append([][]draw.Span{nil}, lines...)
	}
	return lines
}
