package curve

import (
	"slices"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// legend says which side is the area and which the line, where there is one, and what the marks
// below the axis mean that no label explains.
func (p *View) legend(f *widget.Frame) []draw.Span {
	g := f.Glyphs()
	filled := []rune(g.Filled)
	other := p.side.Other()
	letter, name := other.String(), "" // of the side, of which the line is made
	if g.Braille {
		letter, name = string(g.Horizontal), " "+letter
	}
	spans := []draw.Span{{Text: " " + string(filled[len(filled)-1]), Role: theme.StripIn}, widget.Plain(" " + p.side.String() + " ")}
	if p.apart {
		spans = append(spans, draw.Span{Text: " " + letter, Role: widget.SideRole(other)}, widget.Plain(name+" "))
	}
	_, what := p.marked()
	more := ""
	if p.rect.W >= 100 {
		more = "a bigger budget gives "
	}
	if p.fallRows() > 0 && slices.Contains(what, fewerItems) {
		spans = append(spans, draw.Span{Text: " " + string(g.Strip[1]), Role: theme.Dim}, widget.Plain(" "+more+"fewer items "))
	}
	if p.fallRows() > 0 && slices.Contains(what, lessValue) {
		spans = append(spans, draw.Span{Text: " " + string(g.Fall), Role: theme.Loss}, widget.Plain(" "+more+"less value "))
	}
	if p.fallRows() > 0 && slices.Contains(what, lessRecall) {
		spans = append(spans, draw.Span{Text: " " + string(g.Fall), Role: theme.Loss}, widget.Plain(" "+more+"less recall "))
	}
	return spans
}
