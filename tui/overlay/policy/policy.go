// Package policy is the policy editor: the knobs of a policy in sections.
package policy

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/pane"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Editor is the overlay.
type Editor struct {
	pane.Knobs
	app   screen.App
	lines []int     // the knob of a line, or -1-i: the heading before knob i
	top   int       // first line on the screen
	at    draw.Rect // where the lines were drawn
}

// New edits the policy of the side that is edited.
func New(app screen.App) *Editor { return &Editor{app: app} }

// Area is over the main area.
func (p *Editor) Area() screen.Place { return screen.Over }

// Hints are the keys that are of use here.
func (p *Editor) Hints() []screen.Hint {
	return []screen.Hint{{Key: "j/k", Text: "move"}, {Key: "h/l", Text: "turn"}, {Key: "enter", Text: "type"}, {Key: "esc", Text: "close"},
		{Key: "backspace", Text: "unset"}, {Key: "x", Text: "remove"}, {Key: "u", Text: "undo"}, {Key: "W", Text: "write"}, {Key: "O", Text: "open"}, {Key: "?", Text: "all keys"}}
}

// Actions are what keys do here alone.
func (p *Editor) Actions() []screen.Action {
	return []screen.Action{{Binding: screen.Bind("", "take away what the row stands for", "x"), Run: screen.Do(p.remove)}}
}

// Arrange brings the rows up to date.
func (p *Editor) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.Set(exp.PolicyKnobs(side, p.app.Original()))
}

// Page moves by ten rows.
func (p *Editor) Page(dir int) { p.Move(10 * dir) }

// Click puts the cursor on a knob, or turns the one that has it.
func (p *Editor) Click(x, y int) tea.Cmd { screen.ClickKnob(p.app, p, x, y); return nil }

// Hit is the knob that was last drawn at a cell, and what a click does to it.
func (p *Editor) Hit(x, y int) (knob, step int, ok bool) {
	line := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || line >= len(p.lines) || p.lines[line] < 0 {
		return 0, 0, false
	}
	knob = p.lines[line]
	return knob, p.StepAt(knob, x), true
}

// remove takes away what the row stands for.
func (p *Editor) remove() {
	k, ok := p.Current()
	if !ok {
		return
	}
	next, err := k.Remove()
	if err != nil {
		p.app.Say(err.Error())
		return
	}
	p.app.Apply(next, experiment.Label{Name: "remove " + strings.TrimSpace(k.Label)}, "")
}

// Draw draws the editor over r, each section under its heading, and what the
// row under the cursor means at the bottom.
func (p *Editor) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	f.Fill(r, ' ', theme.Plain)
	in := f.Box(r, "Policy "+widget.PolicyName(f.Side, f.Exp.Setup().Policy[f.Side]), true)
	if in.H < 4 {
		return
	}
	lines, cursor := p.lines[:0], 0
	for i, k := range p.All {
		if i == 0 || k.Section != p.All[i-1].Section {
			lines = append(lines, -1-i)
		}
		if i == p.Cursor() {
			cursor = len(lines)
		}
		lines = append(lines, i)
	}
	rows := in.H - 1
	p.lines, p.at = lines, draw.Rect{X: in.X, Y: in.Y, W: in.W, H: rows}
	p.top = widget.Scroll(p.top, cursor, rows, len(lines))
	if p.Cursor() == 0 {
		p.top = 0
	}
	columns := min(in.W, 60)
	for y := 0; y < rows && p.top+y < len(lines); y++ {
		row := draw.Rect{X: in.X, Y: in.Y + y, W: columns, H: 1}
		if i := lines[p.top+y]; i < 0 {
			f.Text(row.X+1, row.Y, in.W-2, p.All[-1-i].Section, theme.Strong)
		} else {
			p.DrawKnob(f, row, i, true)
		}
	}
	if k, ok := p.Current(); ok {
		help, role := k.Help, theme.Dim
		if k.Excluded != "" {
			help, role = k.Excluded, theme.Warn
		}
		f.Text(in.X+1, in.Y+in.H-1, in.W-2, draw.Fit(plain.Line(help, 300), in.W-2, f.Glyphs()), role)
	}
}
