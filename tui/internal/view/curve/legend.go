package curve

import (
	"slices"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// legend says what the areas and lines are, and what the marks below the axis mean that no label
// explains. alone says that the side known is drawn alone; seen and even, what Rivals reports.
func (p *View) legend(f *widget.Frame, known experiment.Side, alone bool, seen [2]bool, even bool) (spans []draw.Span) {
	g := f.Glyphs()
	filled := []rune(g.Filled)
	full := string(filled[len(filled)-1])
	line := func(letter rune, role theme.Role, text string) {
		if g.Braille {
			letter = '▀'
		}
		spans = append(spans, draw.Span{Text: " " + string(letter), Role: role}, widget.Plain(text))
	}
	for s, is := range seen {
		if !is {
			continue
		}
		side := experiment.Side(s)
		look := widget.SideAhead(side)
		sample, name := draw.Span{Text: " " + full, Role: look.Role}, " "+side.String()
		if !g.Braille {
			sample, name = draw.Span{Text: " " + string(look.Letter), Role: look.Line}, ""
		}
		words := [...]string{" holds more ", " is nearer ", " has more ", " fills more ", " has more "}[p.measure]
		spans = append(spans, sample, widget.Plain(name+words))
		if g.Braille {
			line(0, widget.SideAhead(side.Other()).Line, " "+side.Other().String()+" ")
		}
	}
	switch {
	case alone:
		line('=', widget.SideAhead(known).Line, " "+known.String()+" ")
	case even:
		line('=', theme.LineBoth, " A and B ")
	}
	if p.fallRows() == 0 {
		return spans
	}
	_, what := p.marked()
	more := " a bigger budget gives"
	for _, mark := range [...]struct {
		kind  kind
		glyph rune
		role  theme.Role
		text  string
	}{{fewerItems, g.Strip[1], theme.Dim, " fewer items "}, {lessValue, g.Fall, theme.Loss, " less value "}, {lessRecall, g.Fall, theme.Loss, " less recall "}} {
		if !slices.Contains(what, mark.kind) {
			continue
		}
		if p.rect.W < 100 {
			more = ""
		}
		spans = append(spans, draw.Span{Text: " " + string(mark.glyph), Role: mark.role}, widget.Plain(more+mark.text))
		more = ""
	}
	return spans
}
