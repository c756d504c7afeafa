//go:build unix

package budgetmap

import (
	"testing"

	"cupelscope/simulate/growthtest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// BenchmarkGrowth reports how the first picture of a map grows with the items.
func BenchmarkGrowth(b *testing.B) {
	growthtest.Run(b, growthtest.Action{Name: "map", From: 12_500}, func(b *testing.B, n int) func() error {
		exp, _ := experimenttest.Large(b, n)
		f := &widget.Frame{Exp: exp}
		return func() error {
			p := &View{}
			p.Fit(draw.Rect{W: 120, H: 36}, true, theme.New(theme.Dark, false))
			settleMap(b, p, f)
			return nil
		}
	})
}
