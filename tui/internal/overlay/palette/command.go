package palette

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
)

// Command is one line of the list.
type Command struct {
	Keys  string   // the keys that do the same, separated by spaces: "j down"
	Group string   // heading in the list
	Title string   // of the list that has the command; "": the palette's title
	Text  string   // what the command does
	Notes []string // what else is known of it: the first stands behind Text in full, others below
	Words string   // further words that a search finds it by
	Value string   // the current value, if the command sets a knob
	// Effect is what the command would do now, in a few words; "" if that is not known.
	Effect string
	Why    string // why the command does nothing now; "" if it does something
	Done   bool   // what it would do is done already
	Unread bool   // typed, and only of use where no command has all the words: it says which is no value
	// Line replaces the typed line when the user presses tab; "" leaves it as it
	// is.
	Line string
	// Plan returns the change of the setup that the command makes. Its effect is shown
	// before the command is run. Plan is nil for a command that does something else.
	Plan func() (screen.Change, error)
	// On returns what the command makes of a setup, for two commands in one line; nil: it
	// stands alone.
	On func(experiment.Setup) (experiment.Setup, error)
	// Later finds, in the background, the commands that take the place of this one; nil: it is
	// known. It uses immutable values only; what it returns makes the commands of what it found.
	Later func(ctx context.Context) func() []Command
	// Run carries out the command, in place of Plan if there are both. If both are nil,
	// the command still needs a value, and enter completes the line as tab does.
	Run func() tea.Cmd
}

// Then returns the command with f changing what takes its place later.
func (c Command) Then(f func(found []Command) []Command) Command {
	later := c.Later
	c.Later = func(ctx context.Context) func() []Command {
		found := later(ctx)
		return func() []Command { return f(found()) }
	}
	return c
}

// says returns what a row shows beside its text: what the command would do now, or the
// value that it changes.
func (c *Command) says(width int, g *theme.Glyphs) string {
	const text = 16 // at least that much of the text stays
	switch {
	case c.Later != nil:
		return "computing" + g.Ellipsis
	case c.Effect != "":
		room := max(width-text, width/3)
		head, rest, more := strings.Cut(plain.Line(c.Effect, 200), ": ")
		if more && draw.Width(head) <= room {
			return draw.FitReason(head, rest, room)
		}
		return draw.FitWords(plain.Line(c.Effect, 200), room, g)
	case c.Value != "":
		return plain.Line("now "+c.Value, width/3)
	}
	return ""
}

// no returns why the command does nothing now.
func (c *Command) no() string {
	return strings.Replace("no: "+c.Why, "no: only in", "works only in", 1)
}

// text returns what the command does, without its place where the reason says that it is only there.
func (c *Command) text() string {
	if strings.HasPrefix(c.Why, "only in ") {
		return withoutPlace(c.Text)
	}
	return c.Text
}
