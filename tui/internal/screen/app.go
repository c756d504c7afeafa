package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
)

// App is what a screen can read and call of the program.
type App interface {
	// What is shown and edited.

	Experiment() *experiment.Experiment
	Side() experiment.Side
	Filter() query.Query // of the view that is shown
	// Turns returns what plans do over the requests of the conversation.
	Turns() *plans.Runs
	// Recorded returns the result that the source contains, or nil if it has none.
	Recorded() *itemset.Recorded
	// Original returns the setup that the session began with.
	Original() experiment.Setup

	// Changes of the experiment. The message line shows why one cannot be made.

	// Make makes a change that was planned, unless err says why there is none.
	Make(c Change, err error)
	// Turn turns a knob by one step, down (dir -1) or up (1).
	Turn(k experiment.Knob, dir int)
	// Type opens the prompt for a value of the knob that keys turn, with text in it.
	Type(text string) tea.Cmd
	// SetList has Items alone show what q matches, in place of the filter; the zero query ends that.
	SetList(q query.Query)
	// Choose adds items to those that keys act on, or removes them if all are chosen
	// already.
	Choose(items []int32)

	// Other screens.

	// Edit shows and edits a side.
	Edit(s experiment.Side)

	// LookAt shows an earlier moment of the conversation in all views; ToEnd shows
	// its end again.
	LookAt(at experiment.Moment)
	ToEnd()
	// Say puts a message on the line that answers the last key.
	Say(message string)
	// Refuse is Say for what was asked for and is not done.
	Refuse(why string)
	// Show shows the view of that name, with the selected item where it can.
	Show(view string)
	// Visit is like Show, but esc leads back to the view before.
	Visit(view string)
	// GoTo selects an item in the view that is shown, or else in Items.
	GoTo(item int)
	// Open puts a screen on top; Close removes it.
	Open(s Screen)
	Close(s Screen)
	// Opened reports whether a screen that was on top is open still.
	Opened(s Screen) bool
	// Ask asks for a line of text.
	Ask(q Question) tea.Cmd
	// HasKnob reports whether there is a knob with that id. ToKnob moves the cursor
	// to it, for Quotas in the policy editor.
	HasKnob(id experiment.KnobID) bool
	ToKnob(id experiment.KnobID)
	// After returns the command that has then called after d.
	After(d time.Duration, then func() tea.Cmd) tea.Cmd
}

// Question is a prompt for a line of text, such as a value, a filter or a file name.
type Question struct {
	Label string
	Help  string
	// Hint returns what to say of the text in place of the help, "" for nothing; it may be nil.
	Hint func(text string) string
	Text string // the initial text
	// Knob is the knob whose value is typed, "" for another question: its row shows the text.
	Knob experiment.KnobID
	// Plan returns the change that a text stands for. It is in place of Typed and Done,
	// and is asked after each key; its error is shown, unless the text is blank or the
	// error is an Idle. Enter makes the change.
	Plan func(text string) (Change, error)
	// Typed is called after each key with the text so far; its error is shown.
	// It may be nil.
	Typed func(text string) error
	// Done is called on enter. An error keeps the question open.
	Done func(text string) (tea.Cmd, error)
	// Cancel is called on esc; it may be nil.
	Cancel func()
	// Suggest returns completions of the text; it may be nil. Path says that the
	// text is a path, which is completed with the names in its folder.
	Suggest func(text string) []string
	Path    bool
	// Offered says that Text is a proposal, which the first character typed replaces; a path is.
	Offered bool
}
