package curve

import (
	"slices"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// sample is the glyphs of a chart with what they are.
func sample(glyphs string, role theme.Role, text string) []draw.Span {
	return []draw.Span{{Text: " " + glyphs, Role: role}, widget.Plain(" " + text + " ")}
}

// fallLegend returns what the marks below the axis mean.
func (p *View) fallLegend(f *widget.Frame) (spans []draw.Span) {
	g := f.Glyphs()
	if p.fallRows() == 0 {
		return spans
	}
	_, what := p.marked()
	more := " a bigger budget gives"
	for _, mark := range [...]struct {
		kind  kind
		glyph rune
		role  theme.Role
	}{{fewerItems, g.Strip[1], theme.Dim}, {lessValue, g.Fall, theme.Loss}, {lessRecall, g.Fall, theme.Loss}} {
		if !slices.Contains(what, mark.kind) {
			continue
		}
		if p.rect.W < 100 {
			more = ""
		}
		spans = append(spans, draw.Span{Text: " " + string(mark.glyph), Role: mark.role}, widget.Plain(more+" "+mark.kind.less()+" "))
		more = ""
	}
	return spans
}
