package overlay

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Choice is one choice of a menu. Its key is a letter, but j and k move the cursor, as everywhere.
type Choice struct {
	Key, Text string
	Help      string         // what it gives, where there is room for it; may be ""
	Run       func() tea.Cmd // called after the menu has closed, unless it has a question to come; must not be nil
	// First returns the beginning of what Run gives; nil: there is none to show.
	First func(ctx context.Context) string
}

// Menu is the overlay that lists a few choices, each with its own key.
type Menu struct {
	widget.List
	app     screen.App
	verb    string
	then    string // the end of the title: what comes after the choice, which leaves the menu open below it; may be ""
	choices []Choice
	preview preview
}

// NewMenu returns a menu of the choices for a verb such as "copy", and what comes after a choice.
func NewMenu(app screen.App, verb, then string, choices []Choice) *Menu {
	m := &Menu{app: app, verb: verb, then: then, choices: choices}
	m.SetLen(len(choices))
	m.preview.marked = func() (string, func(context.Context) string) {
		at := &m.choices[m.Cursor()]
		if at.First == nil {
			return at.Text, nil
		}
		return at.Text, func(ctx context.Context) string { return at.Text + "\n" + at.First(ctx) }
	}
	return m
}

// Spec says that the menu covers the main area, and that letters are choices.
func (m *Menu) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Worker: &m.preview, Key: m.Key, Paste: m.Paste, Click: m.Click, Wheel: m.Move, Hints: m.Hints}
}

func (m *Menu) Hints() []screen.Hint {
	return []screen.Hint{{Key: "j/k", Text: "move"}, {Key: "enter", Text: m.verb}, {Key: "esc", Text: "close"}}
}

// Key moves the cursor, or closes the menu and runs the choice with that key. Any other key
// leaves the menu open, so that the key after it is not taken for a command; a message says so.
func (m *Menu) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "up", "k":
		m.Move(-1)
	case "down", "j":
		m.Move(1)
	case "enter":
		return m.run()
	case "esc", "ctrl+c":
		m.app.Close(m)
		m.app.Say("cancelled: " + m.verb)
	default:
		at := slices.IndexFunc(m.choices, func(c Choice) bool { return c.Key == name })
		if at >= 0 {
			m.To(at)
			return m.run()
		}
		m.app.Refuse("nothing to " + m.verb + " with " + plain.Line(name, 20) + ": a letter of the list, or esc")
	}
	return nil
}

// Paste does nothing: a menu waits for a single key.
func (m *Menu) Paste(string) tea.Cmd { return nil }

func (m *Menu) Click(x, y int) tea.Cmd {
	if !m.ClickRow(x, y) {
		return nil
	}
	return m.run()
}

// run runs the choice under the cursor.
func (m *Menu) run() tea.Cmd {
	if m.then == "" {
		m.app.Close(m)
	}
	m.app.Say("")
	return m.choices[m.Cursor()].Run()
}

func (m *Menu) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	box := f.Overlay(r, strings.ToUpper(m.verb[:1])+m.verb[1:]+"  a letter chooses, or enter"+m.then)
	in := m.preview.draw(f, box, len(m.choices))
	width := 0
	for _, c := range m.choices {
		width = max(width, draw.Width(c.Text))
	}
	first, end := m.Show(in)
	for k := first; k < end; k++ {
		c, row := m.choices[k], in.Row(k-first)
		f.Text(row.X+1, row.Y, 2, c.Key, theme.Key)
		f.Text(row.X+4, row.Y, row.W-4, c.Text, theme.Plain)
		if room := row.W - 4 - width - 3; room > 0 {
			f.Text(row.X+4+width+2, row.Y, room, widget.Fitting(room, c.Help, upTo(c.Help, ", "), upTo(c.Help, ": "), " "), theme.Dim)
		}
		f.CursorRow(row, k == m.Cursor(), true)
	}
	f.OverlayRows(r, box, first, end, len(m.choices))
}

// upTo returns a text up to the last mark in it.
func upTo(text, mark string) string {
	return text[:max(0, strings.LastIndex(text, mark))]
}
