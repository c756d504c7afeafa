package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// menu is a choice between a few things, each by one key.
type menu struct {
	label   string
	entries []choice
}

type choice struct {
	key, text string
	run       func(m *Model) tea.Cmd
}

// menuKey takes the key that a menu waits for; one that it does not have
// closes it.
func (m *Model) menuKey(msg tea.KeyPressMsg) tea.Cmd {
	open := m.menu
	m.menu, m.message = nil, ""
	for _, c := range open.entries {
		if c.key == msg.String() {
			return tea.Batch(c.run(m), m.settle())
		}
	}
	m.message = "nothing to " + strings.TrimSuffix(open.label, ":") + " with that key"
	if msg.String() == "esc" || msg.String() == "ctrl+c" {
		m.message = "cancelled: " + strings.TrimSuffix(open.label, ":")
	}
	return nil
}

// draw draws the choices over two lines.
func (c *menu) draw(f *widget.Frame, line, below draw.Rect) {
	spans := []draw.Span{{Text: c.label + " ", Role: theme.Focus}}
	var lines [][]draw.Span
	room := line.W - 2
	for _, e := range append(c.entries, choice{key: "esc", text: "cancels"}) {
		add := []draw.Span{{Text: " " + e.key, Role: theme.Key}, {Text: " " + e.text + " ", Role: theme.Dim}}
		if draw.SpansWidth(spans)+draw.SpansWidth(add) > room && len(lines) == 0 {
			lines, spans = append(lines, spans), nil
		}
		spans = append(spans, add...)
	}
	lines = append(lines, spans)
	for k, at := range []draw.Rect{line, below} {
		if k < len(lines) {
			f.Spans(at.X+1, at.Y, room, lines[k]...)
		}
	}
}
