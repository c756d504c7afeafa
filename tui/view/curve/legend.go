package curve

import (
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// rowsOf returns the first and the last row that lines take in w cells of the plot from
// cell x on: plot.H and -1 if they take none.
func (p *View) rowsOf(f *widget.Frame, lines []plotLine, plot draw.Rect, x, w int, low, high float64) (top, bottom int) {
	top, bottom = plot.H, -1
	row := func(v float64) int { return draw.CurveRow((v-low)/(high-low), plot.H, f.Glyphs()) }
	for _, l := range lines {
		n := len(l.high)
		// A steep curve fills the rows between two columns, so the ones beside count too.
		for k := max(0, x*n/plot.W-1); k <= min(n-1, (x+w)*n/plot.W); k++ {
			if l.high[k] >= 0 {
				top, bottom = min(top, row(l.high[k])), max(bottom, row(l.low[k]))
			}
		}
	}
	return top, bottom
}

// legend says what the colours of the curves and the marks below the axis mean: at the
// right end of the last rows of the plot, where the curves leave them free.
func (p *View) legend(f *widget.Frame, plot draw.Rect, lines []plotLine, low, high float64) {
	g := f.Glyphs()
	sample := func(letter rune, role theme.Role, text string) []draw.Span {
		switch {
		case g.Braille: // curves are dots, not letters
			letter = g.Horizontal
		case text == string(letter):
			text = "only"
		}
		return []draw.Span{{Text: string(letter), Role: role}, {Text: " " + text + "  ", Role: theme.Dim}}
	}
	var curves, falls []draw.Span
	sides := 0
	for k := len(lines) - 1; k >= 0; k-- { // the edited side first
		text := lines[k].name
		if lines[k].under {
			text = "best possible"
		} else {
			sides++
		}
		curves = append(curves, sample(lines[k].letter, lines[k].role, text)...)
	}
	if sides > 1 {
		curves = append(curves, sample('*', theme.Strong, "both")...)
	}
	marked := map[kind]bool{}
	if p.fallRows() > 0 {
		_, what := p.marked()
		for _, k := range what {
			marked[k] = true
		}
	}
	if marked[fewerItems] {
		falls = append(falls, draw.Span{Text: string(g.Strip[1:]), Role: theme.Plain}, draw.Span{Text: " below: fewer items than at the budget before  ", Role: theme.Dim})
	}
	if marked[lessValue] || marked[lessRecall] {
		falls = append(falls, draw.Span{Text: string(g.Fall), Role: theme.Loss}, draw.Span{Text: " less " + map[bool]string{true: "recall", false: "value"}[marked[lessRecall]] + "  ", Role: theme.Dim})
	}
	y := plot.H
	for _, spans := range [][]draw.Span{falls, curves} {
		w := draw.SpansWidth(spans)
		if w == 0 || w > plot.W {
			continue
		}
		if _, bottom := p.rowsOf(f, lines, plot, plot.W-w, w, low, high); bottom >= y-1 || y < 3 {
			return
		}
		y--
		f.Spans(plot.X+plot.W-w, plot.Y+y, w, spans...)
	}
}
