package overlay

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Choice is one choice of a menu.
type Choice struct {
	Key, Text string
	Short     string         // replaces Text where the menu is too long; "" keeps Text
	Run       func() tea.Cmd // called after the menu has closed; must not be nil
}

// Menu is the overlay that offers a few choices, each with its own key. It stands in the last two lines of the screen.
type Menu struct {
	app     screen.App
	label   string
	choices []Choice
}

// NewMenu returns a menu of the choices for a verb such as "copy", which is its label.
func NewMenu(app screen.App, verb string, choices []Choice) *Menu { return &Menu{app, verb, choices} }

// Spec says that the menu stands in the last two lines.
func (m *Menu) Spec() screen.Spec {
	return screen.Spec{Place: screen.Footer, Key: m.Key, Paste: m.Paste}
}

// Key closes the menu and runs the choice with that key. If there is none, a
// message says so.
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

// Paste does nothing: a menu waits for a single key.
func (m *Menu) Paste(string) tea.Cmd { return nil }

// rows is how many lines the choices may take.
const rows = 2

// Draw draws the choices in two lines. If they do not fit, it uses their short
// forms, and then leaves out the hint about esc.
func (m *Menu) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	esc := Choice{Key: "esc", Text: "cancels"}
	lines := m.lines(r.W-2, false, esc)
	if len(lines) > rows {
		lines = m.lines(r.W-2, true, esc)
	}
	if len(lines) > rows {
		lines = m.lines(r.W-2, true)
	}
	f.Lines(draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: rows}, lines)
}

// lines breaks the choices, followed by more, into lines of a width.
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
