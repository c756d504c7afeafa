// Package menu is a choice between a few things, each by one key.
package menu

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Choice is one of the things.
type Choice struct {
	Key, Text string
	Short     string // in place of Text where the menu is too long; "": the same
	Run       func() tea.Cmd
}

// Menu is the overlay, in the last two lines.
type Menu struct {
	app     screen.App
	label   string
	choices []Choice
}

// New offers choices of what a verb is done with: "copy".
func New(app screen.App, verb string, choices []Choice) *Menu { return &Menu{app, verb, choices} }

// Area is the last two lines.
func (m *Menu) Area() screen.Place { return screen.Footer }

// Key takes the key that is waited for; one that there is not closes the menu.
func (m *Menu) Key(msg tea.KeyPressMsg) tea.Cmd {
	m.app.Close(m)
	m.app.Say("")
	for _, c := range m.choices {
		if c.Key == msg.String() {
			return c.Run()
		}
	}
	if msg.String() == "esc" || msg.String() == "ctrl+c" {
		m.app.Say("cancelled: " + m.label)
	} else {
		m.app.Say("nothing to " + m.label + " with that key")
	}
	return nil
}

// Paste does nothing: one key is waited for.
func (m *Menu) Paste(string) tea.Cmd { return nil }

// rows is how many lines there are for the choices.
const rows = 2

// Draw draws the choices over both lines: in short forms where they are too
// long, then without what esc does.
func (m *Menu) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	esc := Choice{Key: "esc", Text: "cancels"}
	lines := m.lines(r.W-2, false, esc)
	if len(lines) > rows {
		lines = m.lines(r.W-2, true, esc)
	}
	if len(lines) > rows {
		lines = m.lines(r.W-2, true)
	}
	for y, line := range lines[:min(rows, len(lines))] {
		f.Spans(r.X+1, r.Y+y, r.W-2, line...)
	}
}

// lines are the choices, and those that follow them, in lines of a width.
func (m *Menu) lines(width int, short bool, more ...Choice) [][]draw.Span {
	line := []draw.Span{{Text: m.label + ": ", Role: theme.Focus}}
	var lines [][]draw.Span
	for _, c := range slices.Concat(m.choices, more) {
		text := c.Text
		if short {
			text = cmp.Or(c.Short, c.Text)
		}
		add := []draw.Span{{Text: " " + c.Key, Role: theme.Key}, {Text: " " + text + " ", Role: theme.Dim}}
		if draw.SpansWidth(line)+draw.SpansWidth(add) > width {
			lines, line = append(lines, line), nil
		}
		line = append(line, add...)
	}
	return append(lines, line)
}
