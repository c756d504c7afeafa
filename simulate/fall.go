package simulate

import (
	"context"

	"cupelscope/model"
)

// Fall is a budget at which more is worse: the point there, and the one at the budget
// smaller by 1.
type Fall struct{ At, Below Point }

// NextFall returns the fall at the least budget above b at which worse holds of the
// point there and of the one just below; false if there is none up to the end of the
// axis. A negative b finds the first fall of all. Point.Fewer, Point.Less and
// quality.Curve.Less are made to be worse.
//
// It takes a pass over the points. The only error is ctx's.
func (p *Profile) NextFall(ctx context.Context, b model.Tokens, worse func(at, below Point) bool) (Fall, bool, error) {
	var last Point
	n := 0
	for at := range p.Points() {
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return Fall{}, false, ctx.Err()
		}
		if n > 1 && at.Budget > b && worse(at, last) {
			return Fall{At: at, Below: p.PointAt(at.Budget - 1)}, true, nil
		}
		last = at
	}
	return Fall{}, false, ctx.Err()
}
