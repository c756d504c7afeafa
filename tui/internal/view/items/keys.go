package items

import (
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// New returns the view, sorted by input order. It calls app for what the program
// does.
func New(app screen.App) *View {
	p := &View{app: app}
	p.SortBy(widget.ByInput)
	return p
}

// Reset forgets everything except the choice of columns.
func (p *View) Reset() {
	numbers, requests, by := p.Numbers, p.turns.on, p.tree.by
	*p = *New(p.app)
	p.Numbers, p.turns.on = numbers, requests
	p.tree = tree{by: by, open: map[string]bool{}}
}

// Spec returns the name of the view and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Items, Text: "every item, in and out",
		Words:   "list table home",
		Actions: p.actions(), Hinted: []string{"budget.next", "budget.back", "item.next", "item.back", "items.group", "item.stays", "items.moved", "item.pin", "item.exclude", "item.needed", "open"},
		List: &p.ItemList, Filter: p.Filter, Over: p.setOver, DropStale: p.DropStale, PlansWanted: p.plansWanted, Worker: p, WhyNone: p.noItem, Rows: p.rows, Fold: p.fold,
	}
}

// Arrange brings the table up to date with a side of the experiment.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	if p.onlyMoved() {
		_, told := exp.Impact()
		switch since, follows := exp.Since(side); {
		case !told && side == p.only.side: // the numbers are of other items now
			p.app.SetList(query.Query{})
		case p.only.at != exp.Changes() && follows && since.Newest:
			p.list(p.only.since) // the list follows the source too
			p.app.Say("")        // the line says what arrived
		}
	}
	o, _ := exp.Listable(side)
	p.ItemList.Arrange(o)
	p.group(exp, side)
}

// actions returns the keys of the view.
func (p *View) actions() []screen.Action {
	return []screen.Action{
		{Name: "items.sort", Keys: []string{"s"}, Text: "sort by the next column", Group: "table", Run: screen.Do(p.SortNext)},
		{Name: "items.reverse", Keys: []string{"S"}, Text: "reverse the order", Group: "table", Run: screen.Do(p.Reverse)},
		{Name: "items.numbers", Keys: []string{"#"}, Text: "more numbers: score, per 1k tokens, first in", Group: "table", Run: screen.Do(func() { p.Numbers = !p.Numbers })},
		{Name: "items.group", Keys: []string{"d"}, Group: "table", Text: "divide into groups: by kind, by tool or server, by file, or none; enter opens one, V chooses all of it",
			Words: "tree fold group tokens server mcp", Try: p.divide, HintNow: p.groupHint},
		{Name: "items.strips", Keys: []string{"b"}, Text: "strips over the requests that carry an item, or over budgets", Group: "table", Try: p.overRequests},
		{Name: "items.moved", Keys: []string{"D"}, Text: "only what the last step brought in and took out; of a source that is followed then all since the start; then all items again", Group: "table",
			Words: "fell left gone lost came changed follow", Try: p.showMoved, HintNow: p.movedHint},
		{Name: "items.choose all", Keys: []string{"V"}, Text: "choose all items that the table shows, or none", Group: "table", Run: screen.Do(func() { p.app.Choose(p.all()) })},
	}
}
