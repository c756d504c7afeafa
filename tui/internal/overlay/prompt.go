package overlay

import (
	"cmp"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Prompt is the overlay in which the user types the answer to a question. It stands in the last
// two lines of the screen.
type Prompt struct {
	screen.Question
	app  screen.App
	line widget.Input
	err  error // what is wrong with the line so far
}

// NewPrompt returns a prompt that asks q, and the command that looks for suggestions.
func NewPrompt(app screen.App, q screen.Question) (*Prompt, tea.Cmd) {
	p := &Prompt{Question: q, app: app}
	if q.Path {
		p.line = widget.NewPathInput(q.Text)
	} else {
		p.line = widget.NewInput(q.Text, q.Suggest)
	}
	if q.Path || q.Offered {
		p.line.Offer()
	}
	if q.Plan != nil {
		p.Typed, p.Question.Done = p.check, p.make
	}
	return p, p.line.ReadFolder()
}

// check returns what is wrong with a text that a change is planned from.
func (p *Prompt) check(text string) error {
	_, err := p.Plan(text)
	if idle := (screen.Idle{}); strings.TrimSpace(text) == "" || errors.As(err, &idle) {
		return nil
	}
	return err
}

// make makes the change that is planned from a text.
func (p *Prompt) make(text string) (tea.Cmd, error) {
	c, err := p.Plan(text)
	if idle := (screen.Idle{}); err != nil && !errors.As(err, &idle) {
		return nil, err
	}
	p.app.Make(c, err)
	return nil, nil
}

// Spec says that the prompt stands in the last two lines.
func (p *Prompt) Spec() screen.Spec {
	spec := screen.Spec{Place: screen.Footer, Key: p.Key, Paste: p.Paste}
	if p.Knob != "" {
		spec.Typed = func() (experiment.KnobID, string) { return p.Knob, p.line.Value() }
	}
	return spec
}

// Key handles a key: esc cancels, enter answers, and all others edit the line. An
// answer that the question refuses keeps the prompt open with its error.
func (p *Prompt) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "ctrl+c":
		p.app.Close(p)
		if p.Cancel != nil {
			p.Cancel()
		}
		p.app.Say("cancelled: " + strings.TrimSuffix(p.Label, ":"))
	case "enter":
		cmd, err := p.Question.Done(p.line.Value())
		p.err = err
		if err == nil {
			p.app.Close(p)
		}
		return cmd
	default:
		changed := p.line.Key(msg)
		if msg.String() == "tab" && !changed && p.err == nil {
			p.err = errNothingToComplete
		}
		return p.typed(changed)
	}
	return nil
}

// errNothingToComplete is shown for a tab that changes nothing.
var errNothingToComplete = errors.New("tab: there is nothing to complete; enter takes the line, esc cancels")

func (p *Prompt) Paste(text string) tea.Cmd { return p.typed(p.line.Paste(text)) }

func (p *Prompt) typed(changed bool) tea.Cmd {
	if !changed {
		return nil
	}
	p.err = nil
	if p.Typed != nil {
		p.err = p.Typed(p.line.Value())
	}
	if all, _ := p.line.Suggestions(); len(all) > 0 {
		p.err = nil // it is not complete yet
	}
	return p.line.ReadFolder()
}

// wrong returns what is wrong, for a line of width cells. Where that is too long it does
// not repeat the text that was typed, as a long path, because the reason comes after it.
func (p *Prompt) wrong(width int, ellipsis string) string {
	whole := func(s string) string { return plain.Line(s, len(s)) }
	text := whole(p.err.Error())
	if typed := whole(strings.TrimSpace(p.line.Value())); draw.Width(typed) > width/3 && draw.Width(text) > width {
		text = strings.Replace(text, typed, ellipsis, 1)
	}
	return text
}

// endKeys says, beside the line, how to end it.
var endKeys = []draw.Span{{Text: "enter", Role: theme.Key}, {Text: " takes it  ", Role: theme.Dim}, {Text: "esc", Role: theme.Key}, {Text: " cancels", Role: theme.Dim}}

// Draw draws the line, on the ground of what is under the cursor: keys go there now. Below it
// stands the error of the text, or its suggestions, or the question's help.
func (p *Prompt) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	line, below := r.Row(0), draw.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: 1}
	x := line.X + 1
	x += f.Text(x, line.Y, line.W, plain.Line(p.Label, max(line.W/2, line.W-24))+" ", theme.Focus)
	end := line.X + line.W - 1
	if keys := draw.SpansWidth(endKeys); end-x >= 2*keys+8 {
		end -= keys + 2
		f.Spans(end+2, line.Y, keys, endKeys...)
	}
	p.line.Draw(f.Canvas, draw.Rect{X: x, Y: line.Y, W: end - x, H: 1})
	f.Mark(line, theme.Selected)
	switch {
	case p.err != nil:
		f.Text(below.X, below.Y, below.W, draw.FitWords(p.wrong(below.W, f.Glyphs().Ellipsis), below.W, f.Glyphs()), theme.Error)
	case !p.line.DrawSuggestions(f.Canvas, below):
		help := p.Help
		if p.Hint != nil {
			help = cmp.Or(p.Hint(p.line.Value()), help)
		}
		f.Text(below.X, below.Y, below.W, draw.FitParts(plain.Line(help, len(help)), below.W, f.Glyphs()), theme.Dim)
	}
}
