package tui

import (
	"strings"

	"cupelscope/simulate/query"
	"cupelscope/tui/screen"
	"cupelscope/tui/view/budgetmap"
	"cupelscope/tui/view/compare"
	"cupelscope/tui/view/curve"
	"cupelscope/tui/view/items"
	"cupelscope/tui/view/replay"
	"cupelscope/tui/view/trace"
	"cupelscope/tui/view/window"
	"cupelscope/tui/widget"
)

// newViews lists all views in the order of their tabs, the keys 1 to 9 being
// theirs. The first is where a session begins. No other file knows them all.
func newViews(app screen.App) []screen.View {
	return []screen.View{
		items.New(app),
		compare.New(app),
		budgetmap.New(app),
		window.New(app),
		replay.New(app),
		trace.New(app),
		curve.New(app),
	}
}

// sortNames are the orders of Items, as --sort names them. The first is that
// of a new session.
func sortNames() []string { return widget.SortNames() }

// ViewNames are the views as --view names them.
func ViewNames() []string {
	var names []string
	for _, v := range newViews(nil) {
		names = append(names, strings.ToLower(v.Spec().Name))
	}
	return names
}

// view is the one that is shown.
func (m *Model) view() screen.View { return m.views[m.shown] }

// items is the view of all items.
func (m *Model) items() screen.View { return m.views[0] }

// viewNamed is the number of a view, -1 if there is none.
func (m *Model) viewNamed(name string) int {
	for v := range m.views {
		if strings.EqualFold(m.views[v].Spec().Name, name) {
			return v
		}
	}
	return -1
}

// sorted is a view whose order has a name.
type sorted interface {
	screen.Sorted
	SortNamed(name string) bool
	SortName() string
}

// setFilter shows in all views only the items that the query matches.
func (m *Model) setFilter(q query.Query) {
	m.filter = q
	for _, v := range m.views {
		if f, ok := v.(screen.Filterer); ok {
			f.Filter(q)
		}
	}
}

// filters says why the view that is shown follows no filter; "" if it does.
func (m *Model) filters() string {
	if m.reading() {
		return "an item is open; esc closes it"
	}
	if _, ok := m.view().(screen.Filterer); !ok {
		return "this view has nothing to filter"
	}
	return ""
}
