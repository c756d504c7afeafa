// Package screen is what the explorer's program and its screens know of each
// other: a Screen draws itself and owns its keys, an App is what a screen may
// ask of the program. Views and overlays are screens; the program keeps them on
// a stack and hands keys to the topmost.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate/query"
	"cupelscope/tui/course"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Screen is a view, or what lies over one. Besides this interface the program
// looks for the optional ones below.
type Screen interface {
	// Draw draws the screen into r. Boxed says that there is room for a frame
	// around it, focused that keys go to it.
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
	// Reset forgets everything that belongs to the session before.
	Reset()
}

// Spec is what the program knows of a view without drawing it.
type Spec struct {
	Name string // on its tab, and of the flag --view in lower case
	Text string // what it shows, for the help
	// Whole says that it takes the place of knobs and curve too, Bare that the
	// detail of an item is not shown below it.
	Whole, Bare bool
	// NoItem says that it names no item, so that keys that act on one do
	// nothing while it is shown.
	NoItem bool
	// Best says that it measures results against the best possible, which may
	// then take long to compute.
	Best bool
	// Keys are those worth a hint while it is shown, the best first; nil: those
	// of the view, then those that work everywhere.
	Keys []string
}

// The names of views that others lead to.
const (
	Items   = "Items"
	Compare = "Compare"
)

// Cursor is what the keys that move do.
type Cursor interface {
	Mover
	Page(dir int) // by what is visible
	Top()
	Bottom()
}

// Mover is what the wheel does.
type Mover interface {
	Move(by int) // by rows
}

// The optional interfaces of a screen. Cursor is one of them where it is no view,
// and work.Worker: that work goes on while the screen is there.
type (
	// Actor is a screen with keys of its own. They are looked at before those
	// that work everywhere.
	Actor interface{ Actions() []Action }
	// Arranger is a screen that follows the experiment, as every view does.
	Arranger interface {
		// Arrange brings the screen up to date with a side of the experiment.
		// It is called after every change while the screen is there, and does
		// nothing where nothing that it shows has changed.
		Arrange(exp *experiment.Experiment, side experiment.Side)
	}
	// Selecter is a screen with an item that keys act on, as every view is.
	Selecter interface {
		// Selected is that item; false if there is none.
		Selected() (int, bool)
		// Select puts the cursor on an item; false if it is not shown.
		Select(item int) bool
	}
	// Area is a screen that is not drawn in the main area beside the knobs.
	Area interface{ Area() Place }
	// Hinter is a screen whose hints are not made from its actions.
	Hinter interface{ Hints() []Hint }
	// Typist is a screen that is typed into. It takes every key.
	Typist interface {
		Key(msg tea.KeyPressMsg) tea.Cmd
		Paste(text string) tea.Cmd
	}
	// Updater is a screen that waits for messages of its own commands. It
	// gets those of others too, and ignores them.
	Updater interface{ Update(msg tea.Msg) tea.Cmd }
	// Clicker is a screen that takes clicks of the left button itself.
	Clicker interface{ Click(x, y int) tea.Cmd }
	// Knobbed is a screen with knobs of its own, which the keys that turn
	// knobs then turn.
	Knobbed interface {
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
	// Fitter is a view that has to know where it will be drawn before it is
	// arranged.
	Fitter interface {
		Fit(r draw.Rect, boxed bool, t *theme.Theme)
	}
	// Pointed is a view that the mouse can point into.
	Pointed interface {
		// Hit is what was last drawn at a cell of the screen.
		Hit(x, y int) widget.Hit
	}
	// Rowed is a view with rows that are not just items.
	Rowed interface {
		Cursor() int // the row that has it
		To(row int)
	}
	// Pager is a view whose lines are not items.
	Pager interface{ Item(dir int) }
	// Zoomer is a view that can be zoomed; the answer says why it is not.
	Zoomer interface{ Zoom(in bool) string }
	// Sorted is a view that says how it is sorted.
	Sorted interface{ SortText() string }
	// Escaper is a view of which esc takes something back; false: there is nothing.
	Escaper interface{ Escape() bool }
	// Enterer is a view that decides itself where its cursor is when it is
	// shown: item had it in the view before.
	Enterer interface{ Enter(item int) }
	// Leaver is a view that has to know when keys go elsewhere: it is no
	// longer shown, or something lies over it.
	Leaver interface{ Leave() }
	// Turned is a view that shows what requests carry.
	Turned interface{ Look() course.Look }
	// Player is a view whose cursor may move on by itself.
	Player interface{ Playing() bool }
	// Forgetter is a view that has to know when its items are loaded again.
	Forgetter interface{ Forget() }
)
