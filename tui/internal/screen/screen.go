// Package screen says what the explorer's program and its screens know of each other. A
// Screen draws itself and says in its Spec what else it can do; an App is the program as
// screens see it. Views and overlays are screens. The program keeps them on a stack and
// passes keys to the topmost.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// Screen is a view or an overlay.
type Screen interface {
	// Spec says what the screen is and what it can do. It is called once, when the
	// program takes up the screen, so that its functions may be methods of the screen.
	Spec() Spec
	// Draw draws the screen into r. Boxed says that there is room for a frame
	// around it, focused that it gets the keys.
	Draw(f *widget.Frame, r draw.Rect, boxed, focused bool)
}

// View is a screen that fills the main area and follows the experiment.
type View interface {
	Screen
	Cursor
	// Arrange updates the view for a side of the experiment. It is called after every
	// change while the view is shown, and should do nothing if nothing that the view
	// shows has changed.
	Arrange(exp *experiment.Experiment, side experiment.Side)
	// Selected returns the index of the item that keys act on, or false if there is none.
	Selected() (int, bool)
	// Select puts the cursor on an item. It returns false if the item is not shown.
	Select(item int) bool
	// Hit returns what was last drawn at a cell of the screen.
	Hit(x, y int) widget.Hit
	// Reset returns the view to its first state, for a new session.
	Reset()
}

// Cursor is what the keys for moving move.
type Cursor interface {
	Move(by int)  // down by that many rows, or up if negative
	Page(dir int) // down (1) or up (-1) by about a screen
	Top()
	Bottom()
}

// Spec is what the program knows of a screen besides its methods. A function that is nil
// says that the screen does not do that.
type Spec struct {
	Actions []Action    // keys of its own, which come before those that work everywhere
	Worker  work.Worker // has work to do while the screen is open; nil: none

	// Whole says that the screen also takes the room of the panes beside the main area.
	Whole bool
	// Dense says that at 80x24 it has the line of knobs too, until they have the focus.
	Dense bool

	// Of a view.

	Name  string // the name on its tab, and in lower case the value of the flag --view
	Text  string // what the view shows, for the help
	Words string // what people type to find the view and Text does not say
	// Bare says that the detail of an item is not shown below it.
	Bare bool
	// NoItem says that the view selects no item, so that keys that act on one do
	// nothing while it is shown.
	NoItem bool
	// Best says that the view compares results with the best possible value, which
	// may then take long to compute.
	Best bool
	// Both says that the view also shows the reasons of the side that is not edited.
	Both bool
	// Hinted are the names of the actions to show hints for, the most useful first. Nil means
	// the actions of the view, followed by the actions that work everywhere.
	Hinted []string
	// List is the list whose order the view shows; nil: the list of Items.
	List *widget.ItemList

	// Paired reports whether the view now shows both sides beside each other, which takes
	// the room of the knobs too.
	Paired func() bool
	// Filter makes the rows follow the filter.
	Filter func(q query.Query)
	// Fit tells the view where it will be drawn, before Arrange.
	Fit func(r draw.Rect, boxed bool, t *theme.Theme)
	// Over tells the view the knob whose values are the axis of its strips, nil for budgets. It
	// returns false if nothing changes.
	Over func(o *widget.Over) bool
	// NextItem moves on to the next item (1) or the one before (-1), where rows are not
	// items.
	NextItem func(dir int)
	// Zoom returns why the view cannot be zoomed further, or "".
	Zoom func(in bool) string
	// Effect returns the effect of the newest change, for the line below the view.
	Effect func(f *widget.Frame, width int) []draw.Span
	// Typed returns the value that is typed so far, and its knob; nil where none is typed.
	Typed func() (experiment.KnobID, string)
	// WhyNone returns what the pane of the item shows while no item is selected: with a title,
	// and lines for so many cells and rows.
	WhyNone func(f *widget.Frame, width, rows int) (title string, lines [][]draw.Span)
	// Aside returns likewise what it shows in place of the item that is selected; the title "": nothing.
	Aside func(f *widget.Frame, width, rows int) (title string, lines [][]draw.Span)
	// Escape takes something back on esc. It returns false if there is nothing to take
	// back.
	Escape func() bool
	// Enter places the cursor when the view is shown. Item is the item that was selected in
	// the view before.
	Enter func(item int)
	// Leave is called when the view loses the keys: it is no longer shown, or an overlay
	// covers it.
	Leave func()
	// Rows returns how many rows the view needs, so that the pane of the item has the others; 0: all
	// that there are.
	Rows func() int
	// Fold returns what enter does to the group of rows under the cursor, in a word, and does it; nil if
	// there is none.
	Fold func() (hint string, fold func())
	// Interrupt stops what the view does by itself, before a key or a click is handled. It
	// returns false if it does nothing.
	Interrupt func() bool
	// Hidden drops what is large and can be made again. It is called when the view is no
	// longer shown.
	Hidden func()
	// DropStale drops all results. It is called when the view is not shown and the
	// experiment has other results.
	DropStale func()
	// Forget is called when the items are loaded again.
	Forget func()
	// PlansWanted returns which results of plans.Runs the view needs, or a screen over it with the
	// view.
	PlansWanted func() plans.Wanted

	// Of a screen that is no view.

	Place  Place
	Cursor Cursor       // what the keys for moving and the wheel move
	Wheel  func(by int) // moves by that many rows with the wheel, where keys are the screen's own
	// Arrange is as for a view.
	Arrange func(exp *experiment.Experiment, side experiment.Side)
	// Hints returns hints that are not made from the actions.
	Hints func() []Hint
	// Key gets every key, as a text field does, and Paste what is pasted; there are both
	// or neither.
	Key   func(msg tea.KeyPressMsg) tea.Cmd
	Paste func(text string) tea.Cmd
	// Click handles clicks of the left button.
	Click func(x, y int) tea.Cmd
	// Knob returns the knob under the cursor, which the keys for turning knobs turn, or
	// false if there is none.
	Knob func() (experiment.Knob, bool)
	// Reading returns the item that the screen shows, which keys act on. Read changes to
	// another item. There are both or neither.
	Reading func() int
	Read    func(item int)
}

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

// The names of the views that something outside of them knows.
const (
	Items   = "Items"
	Compare = "Compare"
	Map     = "Map"
	Replay  = "Replay"
	Window  = "Window"
	Curve   = "Curve"
	Turns   = "Turns"
)

// Pairs reports whether the screen shows both sides beside each other now.
func (s *Spec) Pairs() bool { return s.Paired != nil && s.Paired() }
