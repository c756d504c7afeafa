package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/widget/input"
)

// prompt is a line being typed: a value, a filter, a file name.
type prompt struct {
	label string
	help  string
	input input.Line
	err   error // of what is typed so far
	// typed is called after each key with the text so far; its error is shown.
	typed func(text string) error
	// done is called on enter. An error keeps the prompt open.
	done func(text string) (tea.Cmd, error)
	// cancel is called on esc; may be nil.
	cancel func()
	// suggest offers what the text may become; may be nil.
	suggest input.Suggest
}

func (m *Model) open(p *prompt, text string) tea.Cmd {
	p.input = input.New(text, p.suggest)
	m.prompt = p
	m.message = ""
	return nil
}

// ask asks a question of a screen.
func (m *Model) ask(q screen.Question) tea.Cmd {
	return m.open(&prompt{label: q.Label, help: q.Help, typed: q.Typed, done: q.Done, cancel: q.Cancel}, q.Text)
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
		cmd, err := p.done(p.input.Value())
		if err != nil {
			p.err = err
			return nil
		}
		if m.prompt == p {
			m.prompt = nil
		}
		return tea.Batch(cmd, m.settle())
	}
	return m.typed(p.input.Key(msg))
}

// typed tells the prompt whether its text has changed.
func (m *Model) typed(changed bool) tea.Cmd {
	if p := m.prompt; changed {
		p.err = nil
		if p.typed != nil {
			p.err = p.typed(p.input.Value())
		}
		if all, _ := p.input.Suggestions(); len(all) > 0 {
			p.err = nil // it is not complete yet
		}
	}
	return m.settle()
}

// draw draws the prompt where the impact line is. Below stands what is wrong
// with the text, else what it may become, else its help.
func (p *prompt) draw(f *widget.Frame, line, below draw.Rect) {
	x := line.X + 1
	x += f.Text(x, line.Y, line.W, plain.Line(p.label, line.W/2)+" ", theme.Focus)
	p.input.Draw(f.Canvas, draw.Rect{X: x, Y: line.Y, W: line.X + line.W - x - 1, H: 1})
	switch {
	case p.err != nil:
		f.Text(below.X+1, below.Y, below.W-2, plain.Line(p.err.Error(), below.W-2), theme.Error)
	case !p.input.DrawSuggestions(f.Canvas, draw.Rect{X: below.X + 1, Y: below.Y, W: below.W - 2, H: 1}):
		f.Text(below.X+1, below.Y, below.W-2, plain.Line(p.help, below.W-2), theme.Dim)
	}
}
