package command

import (
	"context"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/simulate"
)

// gap judges how far the value is below the best possible: the most that any
// selection of the candidates can be worth in the room, whatever quotas ask
// for. Dantzig's bound is never below it: a result near enough to the bound is
// near enough to the best, and where it is not, nothing can be told.
func (j *judge) gap(_ context.Context, v *verdict, r *model.Report) error {
	j.gapByBound(v, r, errors.New("only the bound is"))
	return nil
}

// gapByBound judges by a gap that is at least the true one.
func (j *judge) gapByBound(v *verdict, r *model.Report, why error) {
	gap, most := 0.0, simulate.NewBound(j.ranking).At(j.target(r))
	if most > 0 && most > r.Value {
		gap = 100 * (most - r.Value) / most
	}
	v.measured = model.Some(gap)
	v.says = fmt.Sprintf("at most %s below the best possible, by a bound", sayGap(gap))
	if !(gap <= v.check.Percent) {
		v.verdict = undecidable
		v.says += fmt.Sprintf("; how far exactly is not known: %v", why)
	}
}
