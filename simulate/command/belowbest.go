package command

import (
	"context"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/simulate"
)

// belowBest judges how far the value is below the best possible: the most that any
// selection of the candidates can be worth in the room, whatever quotas ask
// for. That is computed exactly. Only where that takes too much memory Dantzig's
// bound is used, which is never below it: a result near enough to the bound is
// near enough to the best, and where it is not, nothing can be told.
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
	v.measured = model.Some(below)
	v.says = fmt.Sprintf("%s below the best possible: value %.3f of %.3f", belowBest(below), r.Value, max(r.Value, best.At(target)))
	if !(below <= v.check.Share) {
		v.verdict = failing
	}
	return nil
}

// belowBound judges by a share that is at least the true one.
func (j *judge) belowBound(v *verdict, r *model.Report, why error) {
	below, most := 0.0, simulate.NewBound(j.ranking).At(j.target(r))
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
