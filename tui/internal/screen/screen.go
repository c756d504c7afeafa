// Package screen defines the interfaces between the explorer's program and its screens. A
// Screen draws itself and handles its keys; an App is the program as screens see it. Views
// and overlays are screens. The program keeps them on a stack and passes keys to the
// topmost.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Screen is a view or an overlay. It may also implement the optional interfaces below.
type Screen interface {
	// Draw draws the screen into r. Boxed says that there is room for a frame
	// around it, focused that it gets the keys.
	Draw(f *widget.Frame, r draw.Rect, boxed, focused bool)
}

// View is a screen that fills the main area and follows the experiment.
type View interface {
	Screen
	Cursor
	Actor
	Arranger
	Selecter
	Spec() Spec
	// Reset returns the view to its first state, for a new session.
	Reset()
}

// Spec describes a view to the program.
type Spec struct {
	Name string // the name on its tab, and in lower case that of the flag --view
	Text string // what the view shows, for the help
	// Whole says that the view also takes the room of the knobs and the curve. Bare
	// says that the detail of an item is not shown below it.
	Whole, Bare bool
	// NoItem says that the view selects no item, so that keys that act on one do
	// nothing while it is shown.
	NoItem bool
	// Best says that the view compares results with the best possible value, which
	// may then take long to compute.
	Best bool
	// Both says that the view also tells the reasons of the side that is not edited.
	Both bool
	// Keys are what to show hints for, the most useful first: keys of the view, and names
	// of actions that work everywhere. Nil means those of the view, followed by those that
	// work everywhere.
	Keys []string
}

// The names of the views that other views open.
const (
	Items   = "Items"
	Compare = "Compare"
)

// Cursor is a screen with a cursor, which the keys for moving move.
type Cursor interface {
	Mover
	Page(dir int) // down (1) or up (-1) by about a screen
	Top()
	Bottom()
}

// Mover is a screen that the mouse wheel moves.
type Mover interface {
	Move(by int) // down by that many rows, or up if negative
}

// The optional interfaces of a screen. So are Cursor, for a screen that is not a view, and
// work.Worker, whose work goes on while the screen is open.
type (
	// Actor is a screen with keys of its own. They come before those that work
	// everywhere.
	Actor interface{ Actions() []Action }
	// Arranger is a screen that follows the experiment, as every view does.
	Arranger interface {
		// Arrange updates the screen for a side of the experiment. It is called
		// after every change while the screen is open, and should do nothing if
		// nothing that the screen shows has changed.
		Arrange(exp *experiment.Experiment, side experiment.Side)
	}
	// Selecter is a screen with an item that keys act on, as every view is.
	Selecter interface {
		// Selected returns the index of that item, or false if there is none.
		Selected() (int, bool)
		// Select puts the cursor on an item. It returns false if the item is not
		// shown.
		Select(item int) bool
	}
	// Area is a screen that is not drawn in the main area beside the knobs.
	Area interface{ Area() Place }
	// Hinter is a screen whose hints are not made from its actions.
	Hinter interface{ Hints() []Hint }
	// Typist is a screen with a text field. It gets every key.
	Typist interface {
		Key(msg tea.KeyPressMsg) tea.Cmd
		Paste(text string) tea.Cmd
	}
	// Affected is a view that tells the effect of the newest change itself, in the line
	// below it.
	Affected interface {
		Effect(f *widget.Frame, width int) []draw.Span
	}
	// Phased is a view that says itself why no item is selected.
	Phased interface{ NoItem() string }
	// Updater is a screen that gets messages of its own commands. It also gets those
	// of others, and must ignore them.
	Updater interface{ Update(msg tea.Msg) tea.Cmd }
	// Clicker is a screen that handles clicks of the left button itself.
	Clicker interface{ Click(x, y int) tea.Cmd }
	// Knobbed is a screen with knobs of its own: the keys for turning knobs turn
	// these.
	Knobbed interface {
		// Current returns the knob under the cursor, or false if there is none.
		Current() (experiment.Knob, bool)
	}
)

// Place is where a screen is drawn.
type Place int

const (
	// Main is the main area. Keys go to the screen or to the knobs beside it.
	Main Place = iota
	// Over is the main area too, but all keys go to the screen.
	Over
	// Footer is the last two lines.
	Footer
)

// The optional interfaces of a view.
type (
	// Filterer is a view whose rows follow the filter.
	Filterer interface{ Filter(q query.Query) }
	// Fitter is a view that needs to know where it will be drawn before Arrange is
	// called.
	Fitter interface {
		Fit(r draw.Rect, boxed bool, t *theme.Theme)
	}
	// Pointed is a view in which the program handles clicks.
	Pointed interface {
		// Hit returns what was last drawn at a cell of the screen.
		Hit(x, y int) widget.Hit
	}
	// Rowed is a view whose rows are not, or not only, items.
	Rowed interface {
		Cursor() int // the row under the cursor
		To(row int)  // moves the cursor to a row
	}
	// Pager is a view whose lines are not items.
	Pager interface{ Item(dir int) }
	// Zoomer is a view that can be zoomed. Zoom returns why it cannot zoom further,
	// or "".
	Zoomer interface{ Zoom(in bool) string }
	// Sorted is a view that says how it is sorted.
	Sorted interface{ SortText() string }
	// Escaper is a view in which esc takes something back. Escape returns false if
	// there is nothing to take back.
	Escaper interface{ Escape() bool }
	// Enterer is a view that places its cursor itself when it is shown. Item is the
	// one that was selected in the view before.
	Enterer interface{ Enter(item int) }
	// Leaver is a view that must be told when it loses the keys: it is no longer
	// shown, or an overlay covers it.
	Leaver interface{ Leave() }
	// Releaser is a view that keeps results, which may be large. Release is called when
	// the view is no longer shown, and also, with stale set, when it is not shown and
	// the experiment has other results: then it must keep none.
	Releaser interface{ Release(stale bool) }
	// Turned is a view that needs results of plans.Runs. Look returns which.
	Turned interface{ Look() plans.Look }
	// Player is a view whose cursor may move by itself. Playing reports whether it
	// does now.
	Player interface{ Playing() bool }
	// Forgetter is a view that must be told when its items are loaded again.
	Forgetter interface{ Forget() }
)
