package curve

import (
	"slices"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// legendBelow says what the areas are of how far the sides are below the best: more and even are what
// Rivals reports.
func (p *View) legendBelow(f *widget.Frame, known experiment.Side, alone bool, more [2]bool, even bool) (spans []draw.Span) {
	glyph, looks := full(f), p.looks(f)
	for s, further := range more {
		letter, role := looks[s].Letter, looks[s].Front
		if f.Glyphs().Braille {
			letter = glyph
			if further {
				role = looks[s].Behind
			}
		}
		if !alone && more != [2]bool{} {
			spans = append(spans, sample(letter, role, experiment.Side(s).String())...)
		}
	}
	both, name := theme.Both, "A and B"
	if alone {
		both, name = looks[known].Behind, known.String()
	}
	if !f.Glyphs().Braille {
		glyph = f.Glyphs().Sizes[1]
	}
	if alone || even {
		spans = append(spans, sample(glyph, both, name)...)
	}
	if p.measure == byBelow {
		spans = append(spans, p.fallLegend(f)...)
	}
	return spans
}

// sample is a glyph of a chart with what it is.
func sample(glyph rune, role theme.Role, text string) []draw.Span {
	return []draw.Span{{Text: " " + string(glyph), Role: role}, widget.Plain(" " + text + " ")}
}

// fallLegend says what the marks below the axis mean.
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
