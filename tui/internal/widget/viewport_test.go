package widget

import (
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// Whatever is pressed, what is shown lies within what there is, is never less
// than a budget a column, and holds the budget that was asked for.
func TestSpanStaysWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 400 {
		least := 1 + model.Tokens(rng.Int64N(1<<rng.IntN(20)))
		end := least + model.Tokens(rng.Int64N(1<<rng.IntN(40)))
		width := 1 + rng.IntN(200)
		s := Viewport{Even: rng.IntN(2) == 0}
		s.SetLimits(least, end)
		if !s.ShowsAll() {
			t.Fatalf("%+v does not begin with all", s)
		}
		for range 60 {
			before := s
			switch rng.IntN(6) {
			case 0, 1:
				around := least + model.Tokens(rng.Int64N(int64(end-least+1)))
				if !s.Zoom(true, around, width) && !before.Exact(width) {
					t.Fatalf("%+v, width %d: zooming in around %v does nothing", before, width, around)
				}
				if s.Hi-s.Lo > before.Hi-before.Lo {
					t.Fatalf("%+v is more than %+v", s, before)
				}
			case 2:
				if !s.Zoom(false, s.Lo, width) && !before.ShowsAll() {
					t.Fatalf("%+v, width %d: zooming out does nothing", before, width)
				}
				if s.Hi-s.Lo < before.Hi-before.Lo {
					t.Fatalf("%+v is less than %+v", s, before)
				}
			case 3:
				dir := 1 - 2*rng.IntN(2)
				moved := s.Pan(dir, width)
				if atEnd := dir > 0 && before.Hi == end || dir < 0 && before.Lo == least; !moved && !atEnd {
					t.Fatalf("%+v, width %d: does not pan by %d", before, width, dir)
				}
				if before.Exact(width) && s.Hi-s.Lo != before.Hi-before.Lo {
					t.Fatalf("%+v was exact, %+v is not as wide", before, s)
				}
			case 4:
				b := least + model.Tokens(rng.Int64N(int64(end-least+1)))
				if s.Reveal(b, width); b < s.Lo || b > s.Hi {
					t.Fatalf("%+v does not show %v", s, b)
				}
			case 5:
				s.Even = !s.Even
			}
			if s.Lo < least || s.Hi > end || s.Lo > s.Hi || s.Hi-s.Lo+1 < min(model.Tokens(width), end-least+1) {
				t.Fatalf("after %+v, %d columns: %+v shows %d budgets of %d", before, width, s, s.Hi-s.Lo+1, end-least+1)
			}
		}
	}
}

func TestSpanSteps(t *testing.T) {
	s := Viewport{Even: true}
	s.SetLimits(1, 100)
	for _, c := range []struct {
		b    model.Tokens
		by   int
		want model.Tokens
	}{{50, 1, 51}, {55, 1, 61}, {55, -1, 41}, {1, -1, 1}, {100, 1, 100}, {95, 10, 100}, {400, 1, 100}} {
		width := 100
		if c.b == 55 {
			width = 10
		}
		musttest.Is(t, s.Step(c.b, c.by, width), c.want, c.b, "by", c.by)
	}
	s.place(20, 10)
	musttest.Is(t, s.Step(29, 3, 10), 32, "three columns beyond the last")
	musttest.Is(t, s.Step(21, -3, 10), 18, "three columns below")
}
