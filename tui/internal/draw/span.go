package draw

import "cupelscope/tui/internal/theme"

// Span is a piece of clean text in one role.
type Span struct {
	Text string
	Role theme.Role
}

// SpansWidth returns how many cells the spans take together.
func SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += Width(s.Text)
	}
	return n
}

// FirstThatFits returns the first variant that is at most width cells wide. If
// none is, it returns the last one, and nil if there are no variants.
func FirstThatFits(width int, variants ...[]Span) (variant []Span) {
	for _, variant = range variants {
		if SpansWidth(variant) <= width {
			break
		}
	}
	return variant
}
