package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"cupelscope/tui/internal/theme"
)

// Width returns how many cells clean text takes.
func Width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return displaywidth.String(s)
		}
	}
	return len(s)
}

// Fit shortens clean text to at most width cells. A text that was cut ends in
// an ellipsis, or in its first character where the ellipsis does not fit. With a
// width of 0 or less Fit returns "".
func Fit(s string, width int, g *theme.Glyphs) string {
	if Width(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	dots := g.Ellipsis
	if Width(dots) > width {
		dots = dots[:1]
	}
	return Prefix(s, width-Width(dots)) + dots
}

// Prefix returns the longest beginning of clean text that takes at most width cells.
func Prefix(s string, width int) string {
	n := 0
	for i, r := range s {
		w := displaywidth.Rune(r)
		if n+w > width {
			return s[:i]
		}
		n += w
	}
	return s
}

// PadLeft puts blanks before s until it is width cells wide.
func PadLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(s))) + s
}
