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
		head = append(head, draw.Span{Text: draw.PadLeft(c.head, c.width()), Role: theme.Dim})
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
				line = append(line, widget.Plain(draw.PadLeft(c.cells[s], c.width())))
			}
		}
		lines = append(lines, line)
	}
	f.Lines(r, lines)
	if f.AnyOld() {
		f.Mark(r, theme.Old)
	}
}

// fitted returns how wide the names of the sides are and which columns there is room for: a
// column is left out only if it does not fit beside the shortest names.
func (p *View) fitted(columns []tableColumn, width int) (names int, fit []tableColumn) {
	for rank := 4; ; rank-- {
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

// tableColumns returns the columns that have something to show: of the measures beside the value
// only the measure that is drawn.
func (p *View) tableColumns(f *widget.Frame) []tableColumn {
	setup := f.Exp.Setup()
	value, drawn := tableColumn{head: "value"}, tableColumn{head: p.measure.String()}
	below, from := tableColumn{head: plain.BelowBest, rank: 2}, tableColumn{head: p.wanted(setup, "") + " from", rank: 3}
	var falls [kinds]tableColumn
	if p.measure == byRecall {
		from.head = "all from"
	}
	compared := false
	for s := range p.tracks {
		t := &p.tracks[s]
		if t.curve == nil {
			continue
		}
		a, end := t.at(setup.Budget.MaxTokens), p.tracks[s].profile.Axis().End()
		value.cells[s] = f.About() + widget.Value(a.Value)
		if below.cells[s], _ = f.OffBest(p.outs[s], a.Value, a.Target); below.cells[s] == "0 %" {
			below.cells[s] = "best"
		}
		compared = compared || below.cells[s] != ""
		if below.cells[s] != "" && p.outs[s].Policy.KeepPairs { // another best than without them
			below.cells[s] += " with pairs"
		}
		stays, held := model.Tokens(0), false
		switch p.measure {
		case byItems:
			drawn.cells[s] = plain.Thousands(a.Items)
		case byFilled:
			drawn.cells[s] = "no room"
			if a.Room() > 0 {
				drawn.cells[s] = plain.Percent(a.Filled())
			}
		}
		if recall := t.curve.recall; p.measure == byRecall && recall != nil {
			m := recall.At(setup.Budget.MaxTokens)
			drawn.cells[s] = plain.Thousands(m.In) + " of " + plain.Thousands(m.Needed) + ", " + plain.Percent(m.Recall.Value)
			if p.outs[s].Items.HasSizes() {
				drawn.cells[s] += ", whole " + plain.Percent(m.WholeRecall.Value)
			}
			stays, held = recall.Holds(1)
		} else {
			enough := t.enough(setup.Wanted / 100)
			stays, held = enough.stays, enough.ok
		}
		from.cells[s] = "above " + f.BudgetText(end)
		switch {
		case held:
			from.cells[s] = f.BudgetText(stays)
		case p.measure == byRecall && p.never(experiment.Side(s)) >= 0:
			from.cells[s] = "never"
		}
		for k, n := range t.curve.falls {
			falls[k].cells[s] = "never"
			if n > 0 {
				falls[k].cells[s], falls[k].rank = "at "+plain.Count(n, "budget"), 4
			}
		}
	}
	columns := []tableColumn{value}
	if p.measure > byBelow && drawn.cells != [2]string{} {
		columns = []tableColumn{drawn, value}
	}
	if compared {
		columns = append(columns, below)
	}
	columns = append(columns, from)
	for _, k := range p.measure.relevant() {
		falls[k].head = k.less()
		if falls[k].rank > 0 { // else no side ever has less
			columns = append(columns, falls[k])
		}
	}
	return columns
}

// sentence returns what the current budget gives of the measure: of the value, what share of what
// the largest budget gives.
func (p *View) sentence(f *widget.Frame, width int) []draw.Span {
	strong := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	t := &p.tracks[p.side]
	if t.curve == nil {
		return nil
	}
	setup := f.Exp.Setup()
	now, name := setup.Budget.MaxTokens, p.side.String()
	here, enough, end := t.at(now), t.enough(setup.Wanted/100), t.curve.all
	switch {
	case p.measure == byRecall:
		return p.answer(f, width)
	case !here.Runs:
		return strong(name + " has no result at " + now.String() + ".")
	case p.measure == byItems:
		return strong(widget.Fitting(width, "At "+now.String()+" "+name+" has "+plain.Count(here.Items, "item")+"; "+f.BudgetText(end.Budget)+" tokens would have "+plain.Thousands(end.Items)+".", name+" has "+plain.Count(here.Items, "item")+"."))
	case p.measure == byFilled && here.Room() <= 0:
		return strong("At " + now.String() + " there is no room for " + name + " to fill.")
	case p.measure == byFilled:
		fills := name + " fills " + plain.Percent(here.Filled()) + " of the room of " + f.Sum(here.Room()) + "."
		return strong(widget.Fitting(width, "At "+now.String()+" "+fills, fills))
	case p.measure == byBelow:
		return strong(p.offBest(f, width))
	case !enough.ok:
		return strong("No budget up to " + f.BudgetText(end.Budget) + " gives " + name + " any value.")
	}
	return p.holds(f, width)
}

// holds returns which share of the most value, which either side has somewhere, both hold at the
// current budget, and what a larger one gives.
func (p *View) holds(f *widget.Frame, width int) []draw.Span {
	now, most := f.Exp.Setup().Budget.MaxTokens, p.most()
	t, o := &p.tracks[p.side], &p.tracks[p.side.Other()]
	strong := func(text string) draw.Span { return draw.Span{Text: text, Role: theme.Strong} }
	name := func(s experiment.Side) draw.Span { return draw.Span{Text: s.String(), Role: widget.SideRole(s)} }
	of := func(t *track) string { return plain.Percent(t.at(now).Value / most.Value) }
	form := func(at, all, more string) []draw.Span {
		spans := []draw.Span{strong(at), name(p.side), strong(" holds " + of(t) + all)}
		if o.curve != nil && o.at(now).Runs && !alike(o.at(now).Value, t.at(now).Value) {
			spans = append(spans, strong(", "), name(p.side.Other()), strong(" "+of(o)))
		}
		return append(spans, strong(more+"."))
	}
	at, gives, here := "At "+now.String()+" ", f.BudgetText(most.Budget)+" gives", " here"
	switch {
	case most.Budget == now:
		gives = "any budget gives"
	case !p.reaches(p.side):
		gives, here = p.side.Other().String()+" has at "+f.BudgetText(most.Budget), " of what "+p.side.Other().String()+" reaches"
	}
	long, short := " of the value that "+gives, " of what "+gives
	return draw.FirstThatFits(width, form(at, long, p.larger(now)), form(at, long, ""), form(at, short, ""), form("", short, ""), form("", here, ""))
}

// larger returns how much more value a tenth more budget than now gives the edited side; "" beyond
// the end of the axis, and where there is no value now.
func (p *View) larger(now model.Tokens) string {
	t, tenth, text := &p.tracks[p.side], now+now/10, "; 10 % more budget gives "+p.side.String()
	here, then := t.at(now).Value, t.at(tenth)
	switch {
	case tenth > t.profile.Axis().End() || here <= 0 || !then.Runs:
		return ""
	case alike(then.Value, here):
		return text + " no more"
	case then.Value < here:
		return text + " " + plain.Percent(1-then.Value/here) + " less"
	}
	return text + " " + plain.Percent(then.Value/here-1) + " more"
}

// offBest returns how far the sides are below the best possible at the current budget.
func (p *View) offBest(f *widget.Frame, width int) string {
	now := f.Exp.Setup().Budget.MaxTokens
	text := ""
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		t := &p.tracks[s]
		if t.curve == nil || !t.at(now).Runs {
			continue
		}
		switch off, _ := f.OffBest(p.outs[s], t.at(now).Value, t.at(now).Target); {
		case off == "":
		case text == "":
			text = s.String() + " is " + off + " " + plain.BelowBest
		default:
			text += ", " + s.String() + " " + off
		}
	}
	if text == "" {
		return ""
	}
	without := ""
	for _, o := range p.outs {
		if o != nil && len(o.Policy.Quotas) > 0 {
			without = "; the best possible is without quotas"
		}
	}
	return widget.Fitting(width, "At "+now.String()+" "+text+without+".", "At "+now.String()+" "+text+".", text+".")
}

// second says below it how the sides compare; nil where the measure has no such line.
func (p *View) second(f *widget.Frame, width int) []draw.Span {
	switch p.measure {
	case byValue, byBelow:
		return p.aheadSpans(f.Exp.Setup(), width)
	case byRecall:
		return p.neededHere(f, width)
	}
	return nil
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-draw.Width(text)))
}
