package turns

import (
	"math"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

// Heights are exact to a step, tokens above 0 are seen, and only what reaches the limit
// fills the row of its line.
func TestTheHeightOfABar(t *testing.T) {
	for s, heights := range map[scale]map[float64]int{
		{top: 24_000, limit: 24_000, rows: 3, steps: 8}: {0: 0, 1: 1, 1_000: 1, 3_000: 3, 12_000: 12, 23_999: 23, 24_000: 24, 30_000: 24},
		{top: 48_000, limit: 20_000, rows: 4, steps: 8}: {19_999: 13, 20_000: 16, 48_000: 32},    // the line is in the second row, 13 steps high
		{top: 24_000, limit: 24_000, rows: 3, steps: 1}: {1: 1, 12_000: 2, 23_999: 2, 24_000: 3}, // ASCII
	} {
		for tokens, want := range heights {
			musttest.Is(t, s.height(tokens), want, s, tokens, "tokens")
		}
	}
}

// The limit is the upper edge of a row, below another for its line if there is room: a bar that
// reaches it exactly touches its line.
func TestTheLimitIsTheUpperEdgeOfARow(t *testing.T) {
	for _, c := range []struct {
		most, limit float64
		rows, line  int
	}{{22_000, 24_000, 3, 3}, {22_000, 24_000, 4, 3}, {24_000, 24_000, 4, 3}, {80_000, 24_000, 17, 5}, {30_000, 24_000, 4, 3}, {80_000, 24_000, 4, 1}, {80_000, 1_000, 4, 1}, {5_000, 24_000, 4, 20}, {0, 0, 4, 0}} {
		s := scaleTo(c.most, c.limit, c.rows, 8)
		if got := s.limitRow(); got != c.line || s.top < c.most {
			t.Errorf("%v tokens, limit %v: line %d, top %v; want line %d", c.most, c.limit, got, s.top, c.line)
		}
		if edge := s.limit / s.top * float64(c.rows); c.line > 0 && c.limit < 3*c.most && c.limit > c.most/float64(c.rows) && math.Abs(edge-math.Round(edge)) > 1e-9 {
			t.Errorf("%v tokens, limit %v: the limit is at row %v", c.most, c.limit, edge)
		}
	}
}

// Of each part that a bar has a step shows, at every height that has room for all.
func TestNoPartOfABarDrawsAsNothing(t *testing.T) {
	for _, c := range []column{
		{read: 1, written: 10_000}, {read: 10_000, written: 1}, {written: 5}, {read: 5}, {uncached: 5},
		{read: 1, uncached: 10_000}, {written: 10_000, uncached: 1}, {read: 1, written: 10_000, uncached: 1}, {read: 10_000, written: 1, uncached: 1},
	} {
		c.billed = true
		parts := 0
		for _, tokens := range []float64{c.read, c.written, c.uncached} {
			if tokens > 0 {
				parts++
			}
		}
		for height := parts; height <= 40; height++ {
			read, cached := c.split(height)
			if (c.read > 0) != (read > 0) || (c.written > 0) != (cached > read) || (c.uncached > 0) != (height > cached) {
				t.Errorf("%+v in %d steps: read to %d, written to %d", c, height, read, cached)
			}
		}
	}
}

// Bars of one row have at least three heights, also in ASCII.
func TestRowsHaveHeightsInASCII(t *testing.T) {
	for ascii, least := range map[bool]int{true: 3, false: 8} {
		if g := theme.New(theme.Dark, ascii).Glyphs; len(filled(g)) < least || filled(g)[len(filled(g))-1] != g.BarSelected {
			t.Errorf("ASCII %v: %q", ascii, filled(g))
		}
	}
}

// A bar of 17 % kept has a row of both tones, and its top is an eighth block.
func TestARowOfABar(t *testing.T) {
	g := theme.New(theme.Dark, false).Glyphs
	c := column{read: 17, written: 83, billed: true}
	for _, row := range []struct {
		name                 string
		filled, read, cached int
		glyph                rune
		role                 theme.Role
	}{
		{"read below, written above", 8, 4, 20, '▄', theme.CacheSplit},
		{"all read", 8, 9, 20, g.Cached, theme.CacheRead},
		{"all written", 8, -4, 8, g.BarSelected, theme.CacheWritten},
		{"the top", 3, -4, 3, '▃', theme.CacheWritten},
		{"the top of what is read", 3, 3, 3, '▃', theme.CacheRead},
		{"one row with both: what costs more", 3, 1, 3, '▃', theme.CacheWritten},
		{"not cached", 8, -8, -8, g.Uncached, theme.Uncached},
		{"the top of what is not cached", 3, -8, -8, '▃', theme.Uncached},
		{"one row with all three: what is written", 5, 2, 4, '▅', theme.CacheWritten},
		{"what is written, below what is not cached", 8, -2, 3, g.Uncached, theme.Uncached},
	} {
		if glyph, role := c.cell(g, row.filled, row.read, row.cached, 8); glyph != row.glyph || role != row.role {
			t.Errorf("%s: %c %v", row.name, glyph, role)
		}
	}
	if percent(.001) != "<1" || percent(0) != "0" || percent(.999) != "99" || percent(1) != "100" {
		t.Error("a share that is not 0 is written as 0, or one below 1 as 100")
	}
}
