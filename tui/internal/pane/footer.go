package pane

import (
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Hints draws as many hints as fit, in order. The last is always shown, and so is the palette
// before it where there is the width for it. It returns the rectangle of each hint, which is
// empty if the hint is left out.
func Hints(f *widget.Frame, r draw.Rect, hints []screen.Hint) []draw.Rect {
	at := make([]draw.Rect, len(hints))
	if len(hints) == 0 {
		return at
	}
	width := func(h screen.Hint) int { return draw.Width(h.Key) + 1 + draw.Width(h.Text) + 2 }
	x, end := r.X+1, r.X+r.W
	kept := len(hints) - 1 // the hints from here on are always shown
	room := end - x - width(hints[kept])
	if kept > 0 && hints[kept-1].Key == ":" && r.W >= paletteWidth {
		kept--
		room -= width(hints[kept])
	}
	for i, h := range hints {
		switch {
		case i >= kept:
		case width(h) > room:
			continue // a later hint may be shorter
		default:
			room -= width(h)
		}
		n := f.Spans(x, r.Y, end-x, draw.Span{Text: h.Key + " ", Role: theme.Key}, draw.Span{Text: h.Text, Role: theme.Dim})
		at[i] = draw.Rect{X: x, Y: r.Y, W: n, H: 1}
		x += n + 2
	}
	return at
}

// paletteWidth is the width, in cells, from which on the palette is always among the hints.
const paletteWidth = 80

// Message draws the answer to a key in r, and in the row below it too, where it needs that. It
// returns how many rows it took. Where two rows do not hold it, the first breaks within a long
// path, because all of it counts.
func Message(f *widget.Frame, r draw.Rect, text string, refused bool) (rows int) {
	width, role := r.W-2, theme.Plain
	if refused {
		role = theme.Warn
	}
	text = plain.Line(text, 1000)
	lines := plain.Wrap(text, width, 3)
	if len(lines) > 2 {
		first := lines[0]
		if draw.Width(first) < width*2/3 {
			first = draw.Prefix(text, width)
		}
		lines = []string{first, draw.FitWords(strings.TrimLeft(text[len(first):], " "), width, f.Glyphs())}
	}
	for y, line := range lines {
		row := draw.Rect{X: r.X, Y: r.Y + y, W: r.W, H: 1}
		f.Fill(row, ' ', theme.Plain)
		f.Text(row.X+1, row.Y, width, line, role)
		f.Mark(row, theme.Selected) // it stands at the edge of the screen, and is not to be missed
	}
	return len(lines)
}

// NoticeLines breaks a notice into at most maxLines lines, for Notice to draw. The first line
// leaves room for the hint. Text that does not fit is replaced by an ellipsis after a
// whole word.
func NoticeLines(g *theme.Glyphs, text string, width, maxLines int, hint string) []string {
	text = strings.TrimSpace(plain.Line(text, 600))
	var lines []string
	for text != "" && len(lines) < maxLines {
		room := width - 2
		if len(lines) == 0 && hint != "" {
			room -= draw.Width(hint) + 2
		}
		line := draw.Paragraph(max(1, room), draw.Span{Text: text})[0][0].Text
		if len(lines) == maxLines-1 {
			line = draw.FitWords(text, max(1, room), g)
		}
		lines = append(lines, line)
		text = strings.TrimLeft(strings.TrimPrefix(text, line), " ")
	}
	return lines
}

// Notice draws the lines of advice, warning or error. What leads on, as the tour, stands on a ground of
// its own, as something laid over the screen.
func Notice(f *widget.Frame, r draw.Rect, lines []string, role theme.Role, hint string) {
	text, keys := role, theme.Dim
	if role == theme.Focus {
		text, keys = theme.Plain, theme.Key
	}
	for y, line := range lines {
		f.Text(r.X+1, r.Y+y, r.W-2, line, text)
	}
	if hint != "" {
		f.Right(r.X, r.Y, r.W, " "+hint+" ", keys)
	}
	if role == theme.Focus {
		f.Mark(r, theme.Selected)
	}
}
