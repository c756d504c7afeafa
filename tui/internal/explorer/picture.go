package explorer

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"cupelscope/tui/internal/theme"
)

// The size of a cell, in pixels.
const (
	cellW, cellH = 9, 19
	baseline     = 14
)

// picture draws a frame as SVG: text in runs of one look, frames, blocks and
// braille as shapes, so that they meet whatever the font.
func picture(v tea.View, w, h int, light bool, depth theme.Depth) []byte {
	ground, ink := grounds(light, depth)
	buf := screenOf(v.Content, w, h)
	var b bytes.Buffer
	openPicture(&b, w, h, ground)
	for y := range h {
		pictureRow(&b, buf, y, ground, ink)
	}
	if v.Cursor != nil {
		fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"2\" height=\"%d\" fill=\"%s\"/>\n", (v.Cursor.X+1)*cellW, (v.Cursor.Y+1)*cellH, cellH, ink)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// grounds are the colours of a terminal where a cell names none.
func grounds(light bool, depth theme.Depth) (ground, ink string) {
	switch few := depth == theme.Colours16; {
	case few && light:
		return theme.XTerm[15], theme.XTerm[0]
	case few:
		return theme.XTerm[0], theme.XTerm[7]
	case light:
		return "#fcfcfa", "#26282e"
	}
	return "#17171c", "#d8dbe2"
}

// screenOf returns the cells of a frame.
func screenOf(frame string, w, h int) uv.ScreenBuffer {
	buf := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(frame).Draw(buf, buf.Bounds())
	return buf
}

// openPicture begins a picture of w by h cells, with a cell around it.
func openPicture(b *bytes.Buffer, w, h int, ground string) {
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", (w+2)*cellW, (h+2)*cellH, (w+2)*cellW, (h+2)*cellH)
	fmt.Fprintf(b, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>\n", ground)
	fmt.Fprintf(b, "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n")
}

// pictureRow draws row y of buf.
func pictureRow(b *bytes.Buffer, buf uv.ScreenBuffer, y int, ground, ink string) {
	w := buf.Bounds().Dx()
	var run []rune
	var runAt int
	var look uv.Style
	flush := func() {
		fg, _ := colours(look, ground, ink)
		bold := ""
		if look.Attrs&uv.AttrBold != 0 {
			bold = " font-weight=\"bold\""
		}
		// No text begins or ends with a blank, or has two in a row: browsers make one
		// of them, and stretch the rest to the length that is asked for.
		at := runAt
		for part := range strings.SplitSeq(string(run), "  ") {
			cells := utf8.RuneCountInString(part)
			if text := strings.TrimLeft(part, " "); text != "" {
				x := at + cells - utf8.RuneCountInString(text)
				text = strings.TrimRight(text, " ")
				fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\"%s>%s</text>\n",
					(x+1)*cellW, (y+1)*cellH+baseline, utf8.RuneCountInString(text)*cellW, fg, bold, html.EscapeString(text))
			}
			at += cells + 2
		}
		run = run[:0]
	}
	for x := 0; x < w; x++ {
		c := buf.CellAt(x, y)
		if c == nil || c.Width == 0 {
			continue
		}
		r := ' '
		if c.Content != "" {
			r = []rune(c.Content)[0]
		}
		fg, bg := colours(c.Style, ground, ink)
		px, py := (x+1)*cellW, (y+1)*cellH
		wide := 1 // of a row of the same blocks
		for x+wide < w {
			next := buf.CellAt(x+wide, y)
			if next == nil || next.Content != c.Content || next.Style != c.Style {
				break
			}
			wide++
		}
		if bg != ground {
			fmt.Fprintf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", px, py, max(wide, c.Width)*cellW, cellH, bg)
		}
		if c.Style.Underline != ansi.UnderlineNone {
			fmt.Fprintf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"1\" fill=\"%s\"/>\n", px, py+cellH-3, max(wide, c.Width)*cellW, fg)
		}
		if drawn := shape(b, r, px, py, wide, fg); drawn > 0 {
			flush()
			x += drawn - 1
			continue
		}
		if len(run) == 0 || c.Style != look || runAt+len(run) != x || c.Width != 1 {
			flush()
			runAt, look = x, c.Style
		}
		run = append(run, r)
		if c.Width != 1 {
			flush()
		}
	}
	flush()
}

// colours returns the colours that a terminal shows for a style: reverse and faint are worked into them.
func colours(s uv.Style, ground, ink string) (fg, bg string) {
	fg, bg = ink, ground
	if s.Fg != nil {
		fg = hex(s.Fg)
	}
	if s.Bg != nil {
		bg = hex(s.Bg)
	}
	if s.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if s.Attrs&uv.AttrFaint != 0 {
		fg = between(fg, bg)
	}
	return fg, bg
}

// between returns two thirds of colour a and a third of colour b: so XTerm, VTE and
// Alacritty draw what is faint.
func between(a, b string) string {
	var x, y [3]int
	fmt.Sscanf(a, "#%02x%02x%02x", &x[0], &x[1], &x[2])
	fmt.Sscanf(b, "#%02x%02x%02x", &y[0], &y[1], &y[2])
	return fmt.Sprintf("#%02x%02x%02x", (2*x[0]+y[0])/3, (2*x[1]+y[1])/3, (2*x[2]+y[2])/3)
}

func hex(c color.Color) string {
	if basic, ok := c.(ansi.BasicColor); ok {
		return theme.XTerm[basic]
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// arms are where the lines of a frame go from the middle of a cell: left, right, up, down.
var arms = map[rune]string{'│': "ud", '┌': "rd", '┐': "ld", '└': "ru", '┘': "lu", '├': "rud", '┤': "lud", '┬': "lrd", '┴': "lru", '┼': "lrud", '╵': "u"}

// strokes are the place and the size of each arm in its cell.
var strokes = map[rune][4]float64{
	'l': {0, cellH / 2.0, cellW/2.0 + 1, 1}, 'r': {cellW / 2.0, cellH / 2.0, cellW / 2.0, 1},
	'u': {cellW / 2.0, 0, 1, cellH/2.0 + 1}, 'd': {cellW / 2.0, cellH / 2.0, 1, cellH / 2.0},
}

// shape draws frames, blocks and braille, blocks as many as stand side by side, and
// returns how many; 0: the character is text.
func shape(b *bytes.Buffer, r rune, x, y, wide int, fill string) int {
	row := float64(wide * cellW)
	rect := func(dx, dy, w, h float64, opacity string) {
		fmt.Fprintf(b, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"%s/>\n", float64(x)+dx, float64(y)+dy, w, h, fill, opacity)
	}
	switch {
	case r == '▀':
		rect(0, 0, row, cellH/2.0, "")
	case r >= '▁' && r <= '█':
		eighth := float64(r-'▁'+1) / 8 * cellH
		rect(0, cellH-eighth, row, eighth, "")
	case r >= '▉' && r <= '▏': // the fewer eighths the later
		rect(0, 0, float64('▏'-r+1)/8*cellW, cellH, "")
		return 1
	case r == '▐':
		rect(cellW/2.0, 0, cellW/2.0, cellH, "")
		return 1
	case r >= '░' && r <= '▓':
		rect(0, 0, row, cellH, fmt.Sprintf(" opacity=\"0.%d\"", 25+25*int(r-'░')))
	case r == '─':
		rect(0, cellH/2.0, row, 1, "")
	case arms[r] != "":
		for _, arm := range arms[r] {
			line := strokes[arm]
			rect(line[0], line[1], line[2], line[3], "")
		}
		return 1
	case r > 0x2800 && r <= 0x28ff:
		for dot, at := range [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
			if r>>dot&1 != 0 {
				rect(1.25+at[0]*cellW/2, 1.5+at[1]*cellH/4, 2.2, 2.2, "")
			}
		}
		return 1
	default:
		return 0
	}
	return wide
}
