package tui

import (
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
	"cupelscope/tui/view/items"
	"cupelscope/tui/widget"
)

// view is what the main area shows.
type view int

const (
	viewItems view = iota
	viewCompare
	viewMap
	viewWindow
	viewReplay
	viewTrace
	viewCurve
	views
)

// spec says how a view is shown.
type spec struct {
	name  string
	whole bool // takes the place of knobs and curve too
	bare  bool // has no detail of an item below it
}

var specs = [views]spec{
	viewItems:   {name: "Items"},
	viewCompare: {name: "Compare"},
	viewMap:     {name: "Map", whole: true, bare: true},
	viewWindow:  {name: "Window", bare: true},
	viewReplay:  {name: "Replay"},
	viewTrace:   {name: "Trace", bare: true},
	viewCurve:   {name: "Curve", whole: true, bare: true},
}

// mainPane is what a view draws in the main area. It keeps cursors and scroll
// positions, and changes nothing in the experiment.
type mainPane interface {
	// Arrange brings the pane up to date with a side of the experiment. It is
	// called after every change while the pane is shown, and does nothing
	// where nothing that it shows has changed.
	Arrange(exp *experiment.Experiment, side experiment.Side)
	Draw(f *widget.Frame, r draw.Rect, boxed, focused bool)
	// Selected is the item that keys act on; false if there is none.
	Selected() (int, bool)
	// Select puts the cursor on an item; false if it is not shown.
	Select(item int) bool
	Move(by int)  // by rows
	Page(dir int) // by what is visible
	Top()
	Bottom()
}

// itemsPane is the table as a view: it shows one side.
type itemsPane struct{ *items.View }

func (p itemsPane) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.View.Arrange(exp.Outcome(side))
}

// fitter is a pane that has to know where it will be drawn before it is
// arranged.
type fitter interface {
	Fit(r draw.Rect, boxed bool, t *theme.Theme)
}

// filterer is a pane whose rows follow the filter.
type filterer interface {
	Filter(q query.Query)
}

// setFilter shows in all views only the items that the query matches.
func (m *Model) setFilter(q query.Query) {
	m.filter = q
	for _, p := range m.views {
		if f, ok := p.(filterer); ok {
			f.Filter(q)
		}
	}
}

// filters says why the view that is shown follows no filter; "" if it does.
func filters(m *Model) string {
	if m.reading {
		return "an item is open; esc closes it"
	}
	if _, ok := m.pane().(filterer); !ok {
		return "this view has nothing to filter"
	}
	return ""
}

// newViews is the pane of every view there is; nil: there is none.
func (m *Model) newViews() [views]mainPane {
	return [views]mainPane{
		viewItems:   itemsPane{&m.items},
		viewCompare: &m.compare,
		viewMap:     &m.mapped,
		viewWindow:  &m.window,
		viewReplay:  &m.replay,
		viewTrace:   &m.trace,
		viewCurve:   &m.plot,
	}
}

// pane is the view that is shown.
func (m *Model) pane() mainPane { return m.views[m.view] }
