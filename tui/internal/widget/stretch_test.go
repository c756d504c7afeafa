package widget_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// However small a part of a waterfall is beside the whole, its bar begins in the cell in which the next
// one ends, and all of them together fill the width.
func TestBarsOfAWaterfallJoin(t *testing.T) {
	f := widgettest.Frame(t, 1, false)
	rng := rand.New(rand.NewPCG(7, 8))
	for range 400 {
		var all []widget.Stretch
		left, there := model.Tokens(0), 0
		for range 1 + rng.IntN(6) {
			to := left + model.Tokens(rng.IntN(3)*rng.IntN(1+rng.IntN(20_000)))
			all = append(all, widget.Stretch{From: left, To: to, Glyph: 'x', Role: theme.Plain})
			if to > left {
				there++
			}
			left = to
		}
		if left == 0 {
			continue
		}
		width, end := 6+rng.IntN(110), 0
		for k, bar := range all {
			f.Reset(120, 1, theme.New(theme.NoColor, false))
			f.DrawJoined(draw.Rect{X: 2, W: width, H: 1}, left, all, []widget.Stretch{bar})
			row := widgettest.Text(f)
			n := strings.Count(row, "x")
			if from := strings.Index(row, "x") - 2; n > 0 && from != end {
				t.Fatalf("%v in %d cells: bar %d begins at %d, the one before ended at %d", all, width, k, from, end)
			}
			end += n
			if n == 0 && bar.To > bar.From && width >= there {
				t.Fatalf("%v in %d cells: bar %d is not drawn", all, width, k)
			}
		}
		musttest.Is(t, end, width, all, "in")
	}
}
