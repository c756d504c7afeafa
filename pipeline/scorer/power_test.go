package scorer

import (
	"context"
	"math"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestPower(t *testing.T) {
	l := listOf(t, hinted(0), hinted(0.1), hinted(0.5), hinted(1))
	for exponent, want := range map[int][]float64{
		1:  {0, 0.1, 0.5, 1},
		2:  {0, 0.010000000000000002, 0.25, 1}, // the product is rounded
		3:  {0, leftProduct(0.1, 3), 0.125, 1},
		64: {0, leftProduct(0.1, 64), math.Ldexp(1, -64), 1},
	} {
		p := musttest.Of(NewPower(Reflexive{}, exponent))(t)
		got := make([]float64, l.Len())
		musttest.Do(t, p.Score(context.Background(), l, got))
		if !slices.Equal(got, want) {
			t.Errorf("to the power %d: %v, want %v", exponent, got, want)
		}
	}
	for _, exponent := range []int{0, -1, model.MaxExponent + 1} {
		if _, err := NewPower(Reflexive{}, exponent); err == nil {
			t.Errorf("exponent %d is taken", exponent)
		}
	}
	if _, err := NewPower(nil, 2); err == nil {
		t.Error("no inner scorer is taken")
	}
}

func leftProduct(x float64, n int) float64 {
	product := x
	for range n - 1 {
		product = float64(product * x)
	}
	return product
}
