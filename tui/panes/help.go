package panes

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/widget/input"
)

// HelpEntry is one line of the help: made from the same bindings as the keys.
type HelpEntry struct {
	Keys  string // "j/k", "ctrl+r"
	Group string
	Text  string
	Why   string // not empty: why it does nothing now
}

// Help is the searchable list of all keys.
type Help struct {
	line    input.Line // what is searched for
	entries []HelpEntry
	found   []int
	cursor  int
	top     int
	at      draw.Rect // where the rows were drawn
}

// Open starts the help with nothing searched.
func (p *Help) Open(entries []HelpEntry) {
	*p = Help{line: input.New("", nil), entries: entries}
	p.find()
}

// Key takes a key that edits what is searched for.
func (p *Help) Key(msg tea.KeyPressMsg) { p.typed(p.line.Key(msg)) }

// Paste adds to what is searched for.
func (p *Help) Paste(text string) { p.typed(p.line.Paste(text)) }

func (p *Help) typed(changed bool) {
	if changed {
		p.cursor = 0
		p.find()
	}
}

func (p *Help) find() {
	p.found = p.found[:0]
	words := strings.Fields(strings.ToLower(p.line.Value()))
next:
	for i, e := range p.entries {
		hay := strings.ToLower(e.Keys + " " + e.Group + " " + e.Text)
		for _, w := range words {
			if !strings.Contains(hay, w) {
				continue next
			}
		}
		p.found = append(p.found, i)
	}
	p.cursor = min(p.cursor, max(0, len(p.found)-1))
}

// Move moves the cursor.
func (p *Help) Move(by int) { p.cursor = min(max(0, p.cursor+by), max(0, len(p.found)-1)) }

// Selected is the entry under the cursor: its position in what Open was given.
func (p *Help) Selected() (int, bool) {
	if p.cursor < len(p.found) {
		return p.found[p.cursor], true
	}
	return 0, false
}

// Draw draws the help over r.
func (p *Help) Draw(f *widget.Frame, r draw.Rect) {
	f.Fill(r, ' ', theme.Plain)
	in := f.Box(r, "Help  type to search, enter runs the line, esc closes", true)
	if in.H < 3 {
		return
	}
	x := in.X + 1
	x += f.Text(x, in.Y, in.W-2, "search ", theme.Dim)
	p.line.Draw(f.Canvas, draw.Rect{X: x, Y: in.Y, W: in.W - 9, H: 1})
	rows := in.H - 1
	p.top = widget.Scroll(p.top, p.cursor, rows, len(p.found))
	p.at = draw.Rect{X: in.X, Y: in.Y + 1, W: in.W, H: rows}
	if len(p.found) == 0 {
		f.Text(in.X+1, in.Y+1, in.W-2, "No key does that here.", theme.Dim)
	}
	group := ""
	if p.top > 0 && p.top <= len(p.found) {
		group = p.entries[p.found[p.top-1]].Group
	}
	for y := 0; y < rows && p.top+y < len(p.found); y++ {
		e := p.entries[p.found[p.top+y]]
		row := draw.Rect{X: in.X, Y: in.Y + 1 + y, W: in.W, H: 1}
		if e.Group != group {
			group = e.Group
			f.Text(row.X+1, row.Y, 9, group, theme.Strong)
		}
		f.Text(row.X+11, row.Y, 14, e.Keys, theme.Key)
		role, text := theme.Plain, e.Text
		if e.Why != "" {
			role, text = theme.Dim, text+" ("+e.Why+")"
		}
		f.Text(row.X+26, row.Y, row.W-27, draw.Fit(text, row.W-27, f.Glyphs()), role)
		if p.top+y == p.cursor {
			f.Set(row.X, row.Y, f.Glyphs().Cursor, theme.Focus)
			f.Mark(row, theme.Selected)
		}
	}
}

// Hit is the entry that was last drawn at a cell.
func (p *Help) Hit(x, y int) bool {
	row := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || row >= len(p.found) {
		return false
	}
	p.cursor = row
	return true
}
