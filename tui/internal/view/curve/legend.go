package curve

import (
	"slices"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// legend says which side is the area and which the line, or that the line is nowhere a row away,
// and what the marks below the axis mean that no label explains.
func (p *View) legend(f *widget.Frame) []draw.Span {
	g := f.Glyphs()
	filled := []rune(g.Filled)
	other := p.side.Other()
	letter, name := other.String(), "" // of the side, of which the line is made
	if g.Braille {
		letter, name = string(g.Horizontal), " "+letter
	}
	spans := []draw.Span{{Text: " " + string(filled[len(filled)-1]), Role: theme.StripIn}, widget.Plain(" " + p.side.String() + " ")}
	where := " "
	if p.rect.W >= 100 {
		where = " where a row away "
	}
	switch {
	case p.apart:
		spans = append(spans, draw.Span{Text: " " + letter, Role: widget.SideRole(other)}, widget.Plain(name+where))
	case p.near:
		spans = append(spans, draw.Span{Text: " " + other.String(), Role: widget.SideRole(other)}, widget.Plain(" within a row "))
	}
	_, what := p.marked()
	if p.fallRows() > 0 && slices.Contains(what, fewerItems) {
		spans = append(spans, draw.Span{Text: " " + string(g.Strip[1]), Role: theme.Dim}, widget.Plain(" fewer items "))
	}
	if p.fallRows() > 0 && slices.Contains(what, lessValue) {
		spans = append(spans, draw.Span{Text: " " + string(g.Fall), Role: theme.Loss}, widget.Plain(" less value "))
	}
	if p.fallRows() > 0 && slices.Contains(what, lessRecall) {
		spans = append(spans, draw.Span{Text: " " + string(g.Fall), Role: theme.Loss}, widget.Plain(" less recall "))
	}
	return spans
}
