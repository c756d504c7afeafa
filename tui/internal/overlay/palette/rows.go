package palette

import (
	"cmp"
	"slices"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// narrow is the width, in cells, below which names give way to texts.
const narrow = 70

// Draw draws the list over r, each group's name beside its first line, and at the
// bottom the command under the cursor in full, with its effect.
func (p *Palette) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	texts := widget.SearchTexts{Title: p.title, Label: "search", State: "type to search"}
	if p.guides() {
		lines := p.source.Guide.lines(f, r.W-4)
		texts.Title = p.source.Guide.title(r.W < narrow)
		if rows := p.SearchBox.Draw(f, r, texts, nil); !rows.Empty() {
			p.source.Guide.draw(f, rows, r, lines)
		}
		return
	}
	c, ok := p.current()
	const low = 12 // in fewer rows the part below the list has no rule, and no line that it does not need
	below := 4     // a rule, two lines of text, and one for the effect
	var text, effect [][]draw.Span
	if ok {
		text, effect = c.fullText(r.W-4), p.effectLines(f, c, r.W-4)
		if r.H < low {
			below = min(2, len(text)) + min(3, len(effect))
		} else {
			below = max(below, min(1+len(text)+max(1, len(effect)), r.H/2))
		}
	}
	const frame = 3 // and the typed line
	if free := r.H - frame - below - len(p.shown); ok && free > 0 && r.H >= low {
		moved := p.movedLines(f, r.W-4, free)
		text, below = append(text, moved...), below+len(moved)
	}
	if k := slices.IndexFunc(p.shown, func(c Command) bool { return c.Title != "" }); k >= 0 {
		texts.Title = p.shown[k].Title
	}
	texts.State, texts.Below = p.state(r.W-20), below
	indent, keys := 11, nameWidth // the name of the group, and the keys
	if r.W < narrow {
		indent, keys = 1, 10
	}
	if !slices.ContainsFunc(p.shown, func(c Command) bool { return c.Keys != "" }) {
		keys = 0
	}
	rows := p.SearchBox.Draw(f, r, texts, func(r draw.Rect, i int) {
		c := p.shown[i]
		if indent > 1 && (i == 0 || c.Group != p.shown[i-1].Group) {
			f.Text(r.X+1, r.Y, indent-2, c.Group, theme.Strong)
		}
		drawRow(f, draw.Rect{X: r.X + indent, Y: r.Y, W: r.W - indent - 1, H: 1}, c, keys)
	})
	if ok && !rows.Empty() && rows.Y+rows.H+below <= r.Y+r.H {
		at := draw.Rect{X: rows.X + 1, Y: rows.Y + rows.H, W: rows.W - 2, H: below}
		if r.H >= low {
			f.Fill(draw.Rect{X: rows.X, Y: at.Y, W: rows.W, H: 1}, f.Glyphs().Horizontal, theme.Frame)
			at.Y, at.H = at.Y+1, at.H-1
		}
		detail(f, at, effect, text)
	}
}

// state returns what stands beside the typed line: examples until something is typed, then what it finds.
func (p *Palette) state(width int) string {
	switch {
	case p.Text() == "":
		return widget.Fitting(width, "as in: 12000   pin 3   reserve 2000   at most 30 % tool, one memory", "as in: 12000   pin 3   at most 30 % tool", "as in: 12000   pin 3")
	case p.unknown != "":
		return widget.Fitting(min(width/2, width-draw.Width(p.Text())), plain.Line("not understood: "+p.unknown, width), "not understood")
	}
	return plain.Count(len(p.shown), "line")
}

// drawRow draws a command: its keys, its text from the column keys on, and the value that it
// changes.
func drawRow(f *widget.Frame, r draw.Rect, c Command, keys int) {
	names := plain.Line(c.Keys, 80)
	for at := strings.LastIndexByte(names, ' '); at > 0 && draw.Width(names) > keys-1; at = strings.LastIndexByte(names, ' ') {
		names = names[:at] // leave a key out rather than cut it
	}
	f.Text(r.X, r.Y, keys-1, names, theme.Key)
	role, text := theme.Plain, c.text()
	room := r.W - keys
	value := c.says(room, f.Glyphs())
	if c.Why != "" {
		role, text = theme.Dim, text+" ("+c.Why+")"
		if draw.Width(text+" "+value) > room { // the lines below have all of both
			text, value = c.text(), whyInRow(c, room)
		}
	}
	if value != "" {
		x, role := r.X+keys+room-draw.Width(value), theme.Dim
		for _, word := range strings.SplitAfter(value, " ") { // "+ #32 − #15" in the colours of both
			if !strings.HasPrefix(word, "#") {
				role = cmp.Or(map[string]theme.Role{"+": theme.Gain, theme.Minus: theme.Loss}[strings.TrimRight(word, " ,0123456789")], theme.Dim)
			}
			x += f.Text(x, r.Y, draw.Width(word), word, role)
		}
		room -= draw.Width(value) + 1
	}
	f.Text(r.X+keys, r.Y, room, firstWords(plain.Line(text, 600), room, f.Glyphs()), role)
}

// whyInRow returns why a command does nothing now in what its row has room for: clauses of the
// reason beside the whole text, else in half of the row if clauses of the text fit beside them,
// else that it does nothing, or "".
func whyInRow(c Command, room int) string {
	if name, reason, is := strings.Cut(c.Why, ": "); is && strings.Contains(c.Text, name) {
		c.Why = reason
	}
	why := plain.Line(c.no(), 600)
	beside := room - draw.Width(c.Text) - 1
	for _, width := range [...]int{beside, room / 2} {
		clause, ok := draw.FirstClause(why, width)
		_, fits := draw.FirstClause(withoutPlace(c.Text), room-draw.Width(clause)-1)
		if ok && fits && strings.Count(clause, " ") > 1 { // more than what it is about
			return clause
		}
	}
	return widget.Fitting(beside, "not now", "")
}

// firstWords returns a text that fits into width cells: all of it, or without its place ("in the
// curve: "), or what comes before a clause that does not fit. The lines below the list have the
// whole.
func firstWords(text string, width int, g *theme.Glyphs) string {
	if draw.Width(text) > width {
		text = withoutPlace(text)
	}
	return draw.FitClause(text, width, g)
}

func withoutPlace(text string) string {
	if place, rest, is := strings.Cut(text, ": "); is && strings.HasPrefix(place, "in ") {
		return rest
	}
	return text
}

// detail draws the effect of the command under the cursor, then its text. Where not all has room, a line
// of the text stays.
func detail(f *widget.Frame, r draw.Rect, effect, text [][]draw.Span) {
	effect = effect[:min(len(effect), max(1, r.H-1))]
	f.Lines(r, append(effect, text[:min(len(text), r.H-len(effect))]...))
}

// fullText returns the text of the command in full and what else is known of it, broken into lines.
func (c *Command) fullText(width int) [][]draw.Span {
	text := plain.Line(c.text(), 600)
	if c.Words != "" && c.Value != "" {
		text += " (now " + plain.Line(c.Value, 40) + ")"
	}
	parts := append([]string{text}, c.Notes...)
	if len(c.Notes) > 0 {
		parts[1] = text + ": " + c.Notes[0]
		parts = parts[1:]
	}
	var lines [][]draw.Span
	for _, part := range parts {
		lines = append(lines, draw.Paragraph(width, draw.Span{Text: plain.Line(part, 600)})...)
	}
	return lines
}
