// Package menu is a choice between a few things, each by one key.
package menu

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Choice is one of the things.
type Choice struct {
	Key, Text string
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

// Draw draws the choices over both lines.
func (m *Menu) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	spans := []draw.Span{{Text: m.label + ": ", Role: theme.Focus}}
	var lines [][]draw.Span
	room := r.W - 2
	for _, c := range append(m.choices, Choice{Key: "esc", Text: "cancels"}) {
		add := []draw.Span{{Text: " " + c.Key, Role: theme.Key}, {Text: " " + c.Text + " ", Role: theme.Dim}}
		if draw.SpansWidth(spans)+draw.SpansWidth(add) > room && len(lines) == 0 {
			lines, spans = append(lines, spans), nil
		}
		spans = append(spans, add...)
	}
	for y, line := range append(lines, spans) {
		f.Spans(r.X+1, r.Y+y, room, line...)
	}
}
