package draw

import (
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

func partsOf(tokens ...model.Tokens) []Part {
	parts := make([]Part, len(tokens))
	for i, t := range tokens {
		parts[i] = Part{Tokens: t, Glyph: rune('a' + i)}
	}
	return parts
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens []model.Tokens
		width  int
		want   []int
	}{
		{"even halves", []model.Tokens{50, 50}, 10, []int{5, 5}},
		{"the larger remainder gets the cell that is left", []model.Tokens{60, 40}, 3, []int{2, 1}},
		{"a sliver still has its cell", []model.Tokens{1, 999}, 10, []int{1, 9}},
		{"nothing has none", []model.Tokens{0, 7, 0}, 4, []int{0, 4, 0}},
		{"all nothing draws nothing", []model.Tokens{0, 0}, 4, []int{0, 0}},
		{"no width", []model.Tokens{3, 4}, 0, []int{0, 0}},
		{"a width below zero", []model.Tokens{3, 4}, -2, []int{0, 0}},
		{"a negative part counts as nothing", []model.Tokens{-5, 5}, 4, []int{0, 4}},
		{"fewer cells than parts: the largest are kept", []model.Tokens{1, 100, 1}, 1, []int{0, 1, 0}},
		{"slivers take from the widest", []model.Tokens{1, 1 << 40, 1}, 5, []int{1, 3, 1}},
	} {
		musttest.Is(t, Cells(partsOf(c.tokens...), c.width), c.want, c.name, "Cells", c.tokens, c.width)
	}
}

func TestCellsAreAFairDivision(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		tokens := make([]model.Tokens, 1+rng.IntN(8))
		var total model.Tokens
		present := 0
		for i := range tokens {
			switch rng.IntN(4) {
			case 0: // nothing
			case 1:
				tokens[i] = model.Tokens(1 + rng.IntN(5))
			case 2:
				tokens[i] = model.Tokens(rng.IntN(100_000))
			default:
				tokens[i] = model.Tokens(rng.Int64N(1 << 40))
			}
			total += tokens[i]
			if tokens[i] > 0 {
				present++
			}
		}
		width := rng.IntN(200)
		cells := Cells(partsOf(tokens...), width)
		sum := 0
		for i, n := range cells {
			sum += n
			switch {
			case n < 0:
				t.Fatalf("Cells(%v, %d) = %v: below zero", tokens, width, cells)
			case tokens[i] == 0 && n != 0:
				t.Fatalf("Cells(%v, %d) = %v: part %d is nothing", tokens, width, cells, i)
			case tokens[i] > 0 && n == 0 && width >= present:
				t.Fatalf("Cells(%v, %d) = %v: part %d has no cell", tokens, width, cells, i)
			}
			// Largest remainder is within a cell of the exact share; what more
			// is missing went to the slivers.
			exact := float64(tokens[i]) / float64(max(1, total)) * float64(width)
			if float64(n) > exact+1 || float64(n) < exact-1-float64(present) {
				t.Fatalf("Cells(%v, %d) = %v: part %d should have about %.2f", tokens, width, cells, i, exact)
			}
		}
		if want := width; total > 0 && sum != want || total == 0 && sum != 0 {
			t.Fatalf("Cells(%v, %d) = %v: %d cells", tokens, width, cells, sum)
		}
	}
}

func TestBarDrawsItsCells(t *testing.T) {
	var c Canvas
	c.Reset(12, 3, theme.New(theme.NoColor, false))
	c.Bar(Rect{1, 1, 10, 1}, partsOf(30, 0, 70))
	musttest.Is(t, c.String(), "            \n aaaccccccc \n            ", "the bar")
}

func TestFirstThatFits(t *testing.T) {
	long, short, least := []Span{{Text: "eight "}, {Text: "世界"}}, []Span{{Text: "four"}}, []Span{{Text: "xx"}}
	for _, c := range []struct {
		name  string
		width int
		want  []Span
	}{
		{"all fits", 10, long},
		{"one cell short: wide characters count twice", 9, short},
		{"exactly", 4, short},
		{"the last but fits", 2, least},
		{"nothing fits: the last", 1, least},
		{"no room at all", -3, least},
	} {
		musttest.Is(t, FirstThatFits(c.width, long, short, least), c.want, c.name)
	}
	if got := FirstThatFits(3); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestSpansStayInTheirWidth(t *testing.T) {
	var c Canvas
	c.Reset(10, 1, theme.New(theme.NoColor, false))
	musttest.Is(t, c.Spans(2, 0, 5, Span{Text: "abc"}, Span{Text: "def"}, Span{Text: "ghi"}), 5, "took")
	musttest.Is(t, c.String(), "  abcde   ", "drew")
}
