package command

import (
	"context"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/simulate"
)

// belowBest judges how far the value is below the best possible value: the largest
// value of any selection of the candidates that fits, regardless of quotas. It is
// computed exactly. If that takes too much memory, or the scores are too far apart,
// Dantzig's bound takes its place.
// The bound is never below the best possible value, so a result that is close
// enough to the bound passes; otherwise the verdict is unknown.
func (j *judge) belowBest(ctx context.Context, v *verdict, r *model.Report) error {
	target := j.target(r)
	best, err := simulate.NewOptimum(ctx, j.ranking, target)
	if _, large := errors.AsType[*simulate.OptimumError](err); large {
		j.belowBound(v, r, err)
		return nil
	}
	if err != nil {
		return err
	}
	below := best.BelowBest(r.Value, target)
	if !below.Set {
		j.belowBound(v, r, errors.New("the scores are too far apart"))
		return nil
	}
	v.measured = below
	v.says = fmt.Sprintf("%s below the best possible: value %.3f of %.3f", belowBest(below.Value), r.Value, max(r.Value, best.At(target)))
	if !(below.Value <= v.check.Share) {
		v.verdict = failing
	}
	return nil
}

// belowBound judges by the distance to Dantzig's bound, which is at least the
// distance to the best possible value.
func (j *judge) belowBound(v *verdict, r *model.Report, why error) {
	target := j.target(r)
	below, most := 0.0, simulate.NewBound(j.ranking, target).At(target)
	if most > 0 && most > r.Value {
		below = (most - r.Value) / most
	}
	v.measured = model.Some(below)
	v.says = fmt.Sprintf("at most %s below the best possible, by a bound", belowBest(below))
	if !(below <= v.check.Share) {
		v.verdict = undecidable
		v.says += fmt.Sprintf("; how far exactly is not known: %v", why)
	}
}
