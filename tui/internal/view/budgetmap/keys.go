package budgetmap

import (
	"cupelscope/model/plain"
	"cupelscope/tui/internal/screen"
)

func New(app screen.App) *View { return &View{app: app} }

func (p *View) Reset() { *p = *New(p.app) }

func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Map, Text: "all items by all budgets",
		Words: "all budgets heat", Whole: true, Bare: true,
		Actions: p.actions(), Hinted: []string{"map.column up", "map.run", "map.zoom in", "map.gather", "map.sort", "map.open"},
		Worker: p, List: &p.rows, Filter: p.rows.Filter, Fit: p.Fit, Over: p.setOver, Zoom: p.Zoom, DropStale: p.DropStale,
		Interrupt: p.Interrupt, Leave: p.Leave,
	}
}

// actions returns the keys of the map. The cursor along the budgets is maxTokens.
func (p *View) actions() []screen.Action {
	return append(screen.Columns(p.app, "map", "in the map", p.Step), []screen.Action{
		{Name: "map.zoom in", Keys: []string{"+"}, Label: "+ -", Hint: "zoom", Text: "show half as many budgets, around the budget", Try: func() string { return p.Zoom(true) }},
		{Name: "map.zoom out", Keys: []string{"-"}, Text: "show twice as many budgets", Try: func() string { return p.Zoom(false) }},
		{Name: "map.gather", Keys: []string{")"}, Label: "( )", Hint: "items a row", Text: "twice as many items a row, up to all on the screen", Try: func() string { return p.gather(true) }},
		{Name: "map.spread", Keys: []string{"("}, Text: "half as many items a row, down to one with its name", Try: func() string { return p.gather(false) }},
		{Name: "map.pan up", Keys: []string{">"}, Label: "< >", Hint: "pan", Text: "show larger budgets, the budget stays", Try: func() string { return p.Pan(1) }},
		{Name: "map.pan down", Keys: []string{"<"}, Text: "show smaller budgets, the budget stays", Try: func() string { return p.Pan(-1) }},
		{Name: "map.all", Keys: []string{"z"}, Hint: "all", Text: "all budgets, one item a row", Try: p.Whole},
		{Name: "map.all too", Keys: []string{"0"}, Text: "the same as z", Try: p.Whole},
		{Name: "map.axis", Keys: []string{"a"}, Hint: "axis", Text: "columns of equal size, or growing with the budget", Run: screen.Do(p.Even)},
		{Name: "map.run", Keys: []string{"P"}, Hint: "run", Text: "let the budget run through all columns; any key stops it",
			Words: "play animate sweep film", Why: p.needsColumns, Run: p.startRun},
		{Name: "map.sort", Keys: []string{"s"}, Hint: "sort", Text: "order the map by ranges, first in, " + plain.StaysFrom + ", score or input", Run: screen.Do(p.SortNext)},
		{Name: "map.reverse", Keys: []string{"S"}, Text: "reverse the order of the map", Run: screen.Do(p.rows.Reverse)},
		{Name: "map.open", Keys: []string{"enter"}, Text: "show the item under the cursor in Items, at this budget", Hint: "to Items",
			Why: func() string {
				if _, ok := p.Selected(); !ok {
					return "no item is selected"
				}
				return ""
			},
			Run: screen.Do(func() { p.app.Show(screen.Items) })},
	}...)
}
