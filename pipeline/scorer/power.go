package scorer

import (
	"context"
	"fmt"

	"cupelscope/model"
)

// Power raises the scores of another scorer to a whole power. It is not one of
// Cupel's scorers. Under slicer.Greedy, which divides scores by tokens, it keeps
// short items that match weakly from coming before long ones that match well.
//
// It multiplies from the left, ((x * x) * x) * ..., and rounds each product, so
// that scores are the same on every platform. Make one with NewPower. O(n *
// exponent) on top of the inner scorer.
type Power struct {
	inner    Scorer
	exponent int
}

var _ Scorer = Power{}

// NewPower returns a Power of the scores of inner. It is an error if inner is
// nil or exponent is not 1 to model.MaxExponent.
func NewPower(inner Scorer, exponent int) (Power, error) {
	switch {
	case inner == nil:
		return Power{}, fmt.Errorf("power: an inner scorer is required")
	case exponent < 1 || exponent > model.MaxExponent:
		return Power{}, fmt.Errorf("power: the exponent is %d, must be 1 to %d", exponent, model.MaxExponent)
	}
	return Power{inner, exponent}, nil
}

// Score implements Scorer.
func (p Power) Score(ctx context.Context, l List, dst []float64) error {
	if err := p.inner.Score(ctx, l, dst); err != nil {
		return err
	}
	polls := poller{ctx: ctx}
	for k, x := range dst {
		power := x
		for range p.exponent - 1 {
			power = float64(power * x)
		}
		dst[k] = power
		if err := polls.add(p.exponent); err != nil {
			return err
		}
	}
	return nil
}

func (s Power) ratesAlone(set *model.Set) bool { return ratesAlone(s.inner, set) }
