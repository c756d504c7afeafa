package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset/record"
	"cupelscope/simulate/query"
	"cupelscope/tui/course"
	"cupelscope/tui/experiment"
)

// App is what a screen may ask of the program.
type App interface {
	State
	Changer
	Navigator
}

// State is what is shown and edited.
type State interface {
	Experiment() *experiment.Experiment
	Side() experiment.Side
	// Loaded is the items without the edits.
	Loaded() *model.Set
	Filter() query.Query
	// Turns is what plans do over the requests of the conversation.
	Turns() *course.Turns
	// Recorded is the result that the source holds; nil: it holds none.
	Recorded() *record.Recorded
	// Original is the setup that the session began with.
	Original() experiment.Setup
}

// Changer changes the experiment, and says so.
type Changer interface {
	// Apply makes a change that can be undone, or says why there is none. Runs
	// of changes with the same merge are one; "" never merges.
	Apply(next experiment.Setup, label experiment.Label, merge experiment.KnobID)
	// ToBudget moves maxTokens.
	ToBudget(b model.Tokens)
	// Slide moves maxTokens as part of one long change; false if it is there.
	Slide(b model.Tokens) bool
	// Turn turns a knob by a step, down or up by dir.
	Turn(k experiment.Knob, dir int, big bool)
	// Type asks for a value of the knob that keys turn, beginning with text.
	Type(text string) tea.Cmd
	SetFilter(q query.Query)
	// Choose chooses items for keys to act on, or clears them where all
	// are chosen.
	Choose(items []int32)
}

// Navigator leads to other screens.
type Navigator interface {
	// LookAt shows what had come before a request, in all views, ToEnd all items.
	LookAt(at experiment.Moment)
	ToEnd()
	// Say puts a message on the line that answers the last key.
	Say(message string)
	// Show shows the view of that name, with the selected item where it can.
	Show(view string)
	// Visit is Show with esc leading back.
	Visit(view string)
	// GoTo selects an item: in the view that is shown, else in Items.
	GoTo(item int)
	// Open puts a screen on top, and Close takes it away.
	Open(s Screen)
	Close(s Screen)
	// Ask asks for a line of text.
	Ask(q Question) tea.Cmd
	// HasKnob reports whether there is a knob with that id, and ToKnob puts
	// the keys on it: in the policy editor for Quotas.
	HasKnob(id experiment.KnobID) bool
	ToKnob(id experiment.KnobID)
	// After sends a message when that time has passed.
	After(d time.Duration, msg tea.Msg) tea.Cmd
}

// Question is a line to be typed: a value, a filter, a file name.
type Question struct {
	Label string
	Help  string
	Text  string // to begin with
	// Typed is called after each key with the text so far; its error is shown.
	// It may be nil.
	Typed func(text string) error
	// Done is called on enter. An error keeps the question open.
	Done func(text string) (tea.Cmd, error)
	// Cancel is called on esc; it may be nil.
	Cancel func()
	// Suggest offers what the text may become; it may be nil. Path says that
	// the text is a path, whose folders are read for what it may become.
	Suggest func(text string) []string
	Path    bool
}

// SlideTo moves maxTokens to where a step along the budgets leads, up or down
// by dir, or says why there is none.
func SlideTo(app App, b model.Tokens, dir int) {
	switch {
	case app.Slide(b):
	case dir > 0:
		app.Say("the axis ends at " + app.Experiment().Setup().End().String() + "; the knob axis end moves it")
	default:
		app.Say("maxTokens is 1 at least")
	}
}

// KnobList is knobs that the mouse can point at.
type KnobList interface {
	Knobbed
	// Hit is the knob at a cell, and what a click does to it: a step down or up.
	Hit(x, y int) (knob, step int, ok bool)
	To(knob int)
}

// ClickKnob puts the cursor on the knob at a cell, or turns the one that has it.
func ClickKnob(app App, list KnobList, x, y int) {
	knob, step, ok := list.Hit(x, y)
	if !ok {
		return
	}
	list.To(knob)
	if k, ok := list.Current(); ok && step != 0 {
		app.Turn(k, step, false)
	}
}
