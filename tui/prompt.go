package tui

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// prompt is a line being typed: a value, a filter, a file name.
type prompt struct {
	label string
	help  string
	input line
	err   error // of what is typed so far
	// typed is called after each key with the text so far; its error is shown.
	typed func(text string) error
	// done is called on enter. An error keeps the prompt open.
	done func(text string) (tea.Cmd, error)
	// cancel is called on esc; may be nil.
	cancel func()
}

func (m *Model) open(p *prompt, text string) tea.Cmd {
	p.input = newLine(text)
	m.prompt = p
	m.message = ""
	return nil
}

func (m *Model) promptKey(msg tea.KeyPressMsg) tea.Cmd {
	p := m.prompt
	switch msg.String() {
	case "esc", "ctrl+c":
		m.prompt = nil
		if p.cancel != nil {
			p.cancel()
		}
		m.message = "cancelled: " + p.label
		return m.settle()
	case "enter":
		cmd, err := p.done(p.input.String())
		if err != nil {
			p.err = err
			return nil
		}
		if m.prompt == p {
			m.prompt = nil
		}
		return tea.Batch(cmd, m.settle())
	}
	before := p.input.String()
	p.input.key(msg)
	return m.typed(before)
}

// typed tells the prompt that its text may have changed.
func (m *Model) typed(before string) tea.Cmd {
	if text := m.prompt.input.String(); text != before {
		m.prompt.err = m.prompt.typed(text)
	}
	return m.settle()
}

// draw draws the prompt where the impact line is and its help below.
func (p *prompt) draw(f *widget.Frame, line, below draw.Rect) {
	x := line.X + 1
	x += f.Text(x, line.Y, line.W, plain.Line(p.label, line.W/2)+" ", theme.Focus)
	room := line.X + line.W - x - 1
	head, tail := plain.Line(string(p.input.text[:p.input.at]), maxLine), plain.Line(string(p.input.text[p.input.at:]), max(1, room))
	for over := draw.Width(head) - max(0, room-1); head != ""; { // keep the cursor in sight
		_, size := utf8.DecodeRuneInString(head)
		w := draw.Width(head[:size])
		if over <= 0 && w > 0 {
			break // a mark goes with its character
		}
		over -= w
		head = head[size:]
	}
	x += f.Text(x, line.Y, room, head, theme.Input)
	cursor := x
	if tail == "" {
		f.Set(x, line.Y, ' ', theme.Match)
	} else {
		f.Text(x, line.Y, line.X+line.W-x-1, tail, theme.Input)
		f.Mark(draw.Rect{X: cursor, Y: line.Y, W: 1, H: 1}, theme.Selected)
	}
	text, role := p.help, theme.Dim
	if p.err != nil {
		text, role = p.err.Error(), theme.Error
	}
	f.Text(below.X+1, below.Y, below.W-2, plain.Line(text, below.W-2), role)
}
