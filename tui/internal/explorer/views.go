package explorer

import (
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/view/budgetmap"
	"cupelscope/tui/internal/view/compare"
	"cupelscope/tui/internal/view/curve"
	"cupelscope/tui/internal/view/items"
	"cupelscope/tui/internal/view/replay"
	"cupelscope/tui/internal/view/trace"
	"cupelscope/tui/internal/view/turns"
	"cupelscope/tui/internal/view/window"
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
		turns.New(app),
	}
}

// ViewNames returns the names of the views for the flag --view.
func ViewNames() []string {
	return plain.Texts(newViews(nil), func(v screen.View) string { return strings.ToLower(v.Spec().Name) })
}
