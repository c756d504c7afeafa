package tui

import (
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/view/items"
	"cupelscope/tui/widget"
)

// itemsView is the table of all items.
type itemsView struct {
	*items.View
	app screen.App
}

func newItems(app screen.App) screen.View {
	v := itemsView{new(items.View), app}
	v.SortBy(widget.ByInput)
	return v
}

func (v itemsView) Spec() screen.Spec {
	return screen.Spec{Name: screen.Items, Text: "every item, in and out"}
}

// Reset forgets all but the width of the strip.
func (v itemsView) Reset() {
	*v.View = items.View{Wide: v.Wide}
	v.SortBy(widget.ByInput)
}

// Arrange shows a side.
func (v itemsView) Arrange(exp *experiment.Experiment, side experiment.Side) {
	v.View.Arrange(exp.Outcome(side))
}

func (v itemsView) Actions() []screen.Action {
	return []screen.Action{
		{Binding: screen.Bind("", "sort by the next column", "s"), Group: "table", Hint: "sort", Later: true, Run: screen.Do(v.SortNext)},
		{Binding: screen.Bind("", "reverse the order", "S"), Group: "table", Run: screen.Do(v.Reverse)},
		{Binding: screen.Bind("", "a wide strip, or all columns", "z"), Group: "table", Run: screen.Do(func() { v.Wide = !v.Wide })},
		{Binding: screen.Bind("", "choose all items that the table shows, or none", "V"), Group: "table", Run: screen.Do(func() { v.app.Choose(v.Rows()) })},
	}
}
