package draw

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

func TestEvenScale(t *testing.T) {
	for _, c := range []struct {
		lo, hi model.Tokens
		width  int
	}{{1, 1, 5}, {1, 10, 5}, {7, 16, 3}, {1, 1 << 40, 200}, {1<<40 - 3, 1 << 40, 50}, {5, 9, 9}} {
		s := NewEvenScale(c.lo, c.hi, c.width)
		if s.Edges[0] != c.lo || s.Edges[s.Columns()] != c.hi+1 {
			t.Errorf("%v: covers %d to %d", c, s.Edges[0], s.Edges[s.Columns()]-1)
		}
		least, most := model.Tokens(1)<<50, model.Tokens(0)
		for k := range s.Columns() {
			n := s.Edges[k+1] - s.Edges[k]
			least, most = min(least, n), max(most, n)
		}
		if least < 1 || most > least+1 {
			t.Errorf("%v: columns of %d to %d budgets", c, least, most)
		}
	}
}

// Of one item a cover says what Levels says, of several what counting says.
func TestCoverAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var c Cover
	partly := 0
	for range 3000 {
		lo := 1 + model.Tokens(rng.IntN(50))
		hi := lo + model.Tokens(rng.IntN(120))
		width := 1 + rng.IntN(40)
		s := NewScale(lo, hi, width)
		if rng.IntN(2) == 0 {
			s = NewEvenScale(lo, hi, width)
		}
		c.Reset(s)
		counted := map[model.Tokens]model.Tokens{}
		items := 1 + rng.IntN(4)
		var one []uint8
		for range items {
			bands := randomBands(rng, 200)
			c.Add(s, bands)
			one = s.Levels(one, bands)
			for _, b := range bands {
				for at := b.From; at <= b.To; at++ {
					counted[at]++
				}
			}
		}
		got := c.Levels(nil, s)
		if items == 1 && !slices.Equal(got, one) {
			t.Fatalf("%v, Levels says %v", got, one)
		}
		for k := range s.Columns() {
			var sum model.Tokens
			for at := s.Edges[k]; at < s.Edges[k+1]; at++ {
				sum += counted[at]
			}
			all := model.Tokens(items) * (s.Edges[k+1] - s.Edges[k])
			if (sum == 0) != (got[k] == 0) || (sum == all) != (got[k] == 4) || got[k] != level(sum, all) {
				t.Fatalf("column %d: %d of %d is level %d", k, sum, all, got[k])
			}
			if got[k] > 0 && got[k] < 4 {
				partly++
			}
		}
	}
	if partly < 1000 {
		t.Errorf("only %d columns are in in part", partly)
	}
}

func TestHalves(t *testing.T) {
	var c Canvas
	c.Reset(4, 1, theme.New(theme.Dark, false))
	c.Halves(0, 0, theme.ToneIn, theme.ToneOut)
	c.Halves(1, 0, theme.NoTone, theme.ToneIn)
	c.Halves(2, 0, theme.ToneIn, theme.NoTone)
	c.Halves(3, 0, theme.ToneIn, theme.ToneIn)
	c.Text(3, 0, 1, "x", theme.Plain)
	c.Halves(9, 0, theme.ToneIn, theme.ToneIn)
	got := c.String()
	in := c.Theme().Halves(theme.ToneIn, theme.NoTone, 0)
	want := c.Theme().Halves(theme.ToneIn, theme.ToneOut, 0) + "▀\x1b[m" + in + "▄▀\x1b[mx"
	musttest.Is(t, got, want)
	for _, name := range []theme.Name{theme.NoColor, theme.Dark} {
		c.Reset(1, 1, theme.New(name, name == theme.Dark))
		c.Halves(0, 0, theme.ToneIn, theme.ToneOut)
		musttest.Is(t, strings.TrimSpace(c.String()), "", "without colours or half blocks")
	}
}
