package curve

import (
	"slices"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// legend says what the area and the line are, and what the marks below the axis mean that no label
// explains. alone says that the side known is drawn alone, differs that there is a line.
func (p *View) legend(f *widget.Frame, known experiment.Side, alone, differs bool) []draw.Span {
	name := p.side.String()
	switch {
	case alone:
		name = known.String()
	case !differs:
		name = "A and B"
	}
	spans := sample(f, "█", theme.StripIn, name)
	if line, _ := widget.SideLine(p.side.Other()); differs && !alone {
		letter := p.side.Other().String()
		if f.Glyphs().Braille {
			letter = "▀"
		}
		spans = append(spans, sample(f, letter, line, p.side.Other().String())...)
	}
	return append(spans, p.fallLegend(f)...)
}

// legendBelow does so for areas of how far the sides are below the best: more and even are what Rivals
// reports.
func (p *View) legendBelow(f *widget.Frame, known experiment.Side, alone bool, more [2]bool, even bool) (spans []draw.Span) {
	area := func(glyph string, role theme.Role, name string) {
		spans = append(spans, sample(f, glyph, role, name)...)
	}
	for s, further := range more {
		side := experiment.Side(s)
		look := widget.SideRival(side)
		switch {
		case alone || more == [2]bool{}:
		case !f.Glyphs().Braille:
			area(side.String(), look.Front, side.String())
		case further:
			area("█", look.Behind, side.String())
		default:
			area("█", look.Front, side.String())
		}
	}
	glyph, both, name := "█", theme.Both, "A and B"
	if alone {
		both, name = widget.SideRival(known).Behind, known.String()
	}
	if !f.Glyphs().Braille {
		glyph = "="
	}
	if alone || even {
		area(glyph, both, name)
	}
	if p.measure == byBelow {
		spans = append(spans, p.fallLegend(f)...)
	}
	return spans
}

// sample is a glyph of a chart with what it is.
func sample(f *widget.Frame, glyph string, role theme.Role, text string) []draw.Span {
	if filled := []rune(f.Glyphs().Filled); glyph == "█" {
		glyph = string(filled[len(filled)-1])
	}
	return []draw.Span{{Text: " " + glyph, Role: role}, widget.Plain(" " + text + " ")}
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
