package curve

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// drawLines draws as many lines as there is room for.
func (p *View) drawLines(f *widget.Frame, r draw.Rect, lines [][]draw.Span) {
	f.Lines(r, lines)
	if f.AnyOld() {
		f.Mark(r, theme.Old)
	}
}

// at returns the point of a budget. Budgets beyond the end of the axis count as
// the end.
func (t *track) at(b model.Tokens) simulate.Point { return t.profile.PointAt(b) }

// tableColumn is a column of the table, with the cell of each side.
type tableColumn struct {
	head  string
	cells [2]string
	rank  int // columns of a higher rank go first where there is no room
}

func (c *tableColumn) width() int {
	return 2 + max(draw.Width(c.head), draw.Width(c.cells[0]), draw.Width(c.cells[1]))
}

// table draws in numbers what the budget at the cursor gives: a row for each side, the edited
// side first.
func (p *View) table(f *widget.Frame, r draw.Rect) {
	names, columns := p.fitted(p.tableColumns(f), r.W)
	head := []draw.Span{{Text: pad("", names)}}
	for _, c := range columns {
		head = append(head, draw.Span{Text: padLeft(c.head, c.width()), Role: theme.Dim})
	}
	lines := [][]draw.Span{head}
	now := f.Exp.Setup().Budget.MaxTokens
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		name := ""
		if o := p.outs[s]; o != nil {
			name = widget.Fitting(names, widget.PolicyNames(s, o.Policy)...)
		}
		line := []draw.Span{{Text: pad(name, names), Role: widget.SideRole(s)}}
		switch t := &p.tracks[s]; {
		case t.curve == nil:
			line = append(line, draw.Span{Text: "  " + t.waiting(f), Role: theme.Warn})
		case !t.at(now).Runs:
			line = append(line, widget.Plain("  no result at "+now.String()))
		default:
			for _, c := range columns {
				line = append(line, widget.Plain(padLeft(c.cells[s], c.width())))
			}
		}
		lines = append(lines, line)
	}
	p.drawLines(f, r, lines)
}

// fitted returns how wide the names of the sides are and which columns there is room for: a
// column is left out only if it does not fit beside the shortest names.
func (p *View) fitted(columns []tableColumn, width int) (names int, fit []tableColumn) {
	for rank := 8; ; rank-- {
		columns = slices.DeleteFunc(columns, func(c tableColumn) bool { return c.rank > rank })
		taken := 0
		for _, c := range columns {
			taken += c.width()
		}
		for form := range 3 {
			names = 0
			for s, o := range p.outs {
				if o != nil {
					names = max(names, draw.Width(widget.PolicyNames(experiment.Side(s), o.Policy)[form]))
				}
			}
			if names+taken <= width {
				return names, columns
			}
		}
		if rank == 0 {
			return names, columns
		}
	}
}

// tableColumns returns the columns that have something to show.
func (p *View) tableColumns(f *widget.Frame) []tableColumn {
	setup := f.Exp.Setup()
	wanted := widget.Share(setup.Wanted)
	value, below := tableColumn{head: "value"}, tableColumn{head: plain.BelowBest, rank: 2}
	items, tokens := tableColumn{head: "items", rank: 1}, tableColumn{head: "tokens", rank: 5}
	filled, from := tableColumn{head: "filled", rank: 7}, tableColumn{head: wanted + " from", rank: 3}
	all := tableColumn{head: "all from", rank: 8}
	fewer, less := tableColumn{head: "fewer items", rank: 4}, tableColumn{head: "less value", rank: 6}
	falling, compared := false, false
	for s := range p.tracks {
		t := &p.tracks[s]
		if t.curve == nil {
			continue
		}
		a := t.at(setup.Budget.MaxTokens)
		value.cells[s], items.cells[s] = f.About()+widget.ExactScore(a.Value), plain.Thousands(a.Items)
		tokens.cells[s], filled.cells[s] = f.Sum(a.Tokens), "no room"
		if a.Room() > 0 {
			filled.cells[s] = plain.Percent(a.Filled())
		}
		below.cells[s], _ = f.OffBest(p.outs[s], a.Value, a.Target)
		compared = compared || below.cells[s] != ""
		from.cells[s], all.cells[s] = "never", "never"
		if enough := t.enough(setup.Wanted / 100); enough.ok {
			from.cells[s], all.cells[s] = f.BudgetText(enough.stays), f.BudgetText(t.curve.whole.stays)
		}
		fewer.cells[s], less.cells[s] = times(t.curve.falls[fewerItems].n), times(t.curve.falls[lessValue].n)
		falling = falling || t.curve.falls[lessValue].n > 0
	}
	columns := []tableColumn{value}
	if compared {
		columns = append(columns, below)
	}
	columns = append(columns, items, tokens, filled, from)
	if setup.Wanted < 100 {
		columns = append(columns, all)
	}
	columns = append(columns, fewer)
	if falling {
		columns = append(columns, less)
	}
	return columns
}

// sentence says what the current budget gives of the measure: of the value, what share of what
// the largest budget gives, and from where on the wanted share is held.
func (p *View) sentence(f *widget.Frame, width int) string {
	t := &p.tracks[p.side]
	if t.curve == nil || p.measure == byRecall {
		return ""
	}
	setup := f.Exp.Setup()
	now, wanted, name := setup.Budget.MaxTokens, widget.Share(setup.Wanted), p.side.String()
	here, enough, end := t.at(now), t.enough(setup.Wanted/100), t.curve.all
	switch {
	case !here.Runs:
		return name + " has no result at " + now.String() + "."
	case p.measure == byItems:
		return widget.Fitting(width, "At "+now.String()+" "+name+" has "+plain.Count(here.Items, "item")+"; "+f.BudgetText(end.Budget)+" tokens would have "+plain.Thousands(end.Items)+".", name+" has "+plain.Count(here.Items, "item")+".")
	case p.measure == byFilled && here.Room() <= 0:
		return "At " + now.String() + " there is no room for " + name + " to fill."
	case p.measure == byFilled:
		fills := name + " fills " + plain.Percent(here.Filled()) + " of the room of " + f.Sum(here.Room()) + "."
		return widget.Fitting(width, "At "+now.String()+" "+fills, fills)
	case !enough.ok:
		return "No budget up to " + f.BudgetText(end.Budget) + " gives " + name + " any value."
	}
	holds := name + " holds " + plain.Percent(here.Value/end.Value)
	from := "; " + f.BudgetText(enough.stays) + " tokens would hold " + wanted
	if now >= enough.stays {
		from = "; it holds " + wanted + " from " + f.BudgetText(enough.stays) + " on"
	}
	long, of, short := "At "+now.String()+" "+holds, " of the value that "+f.BudgetText(end.Budget)+" gives", holds+" of all value here"
	return widget.Fitting(width, long+of+from+".", long+" of all value"+from+".", short+", "+wanted+" from "+f.BudgetText(enough.stays)+".", short+".")
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-draw.Width(text)))
}

func padLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-draw.Width(text))) + text
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return plain.Thousands(n) + " times"
}
