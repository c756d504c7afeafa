package simulate

import (
	"context"
	"math"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// wild is a scorer of a caller's own, which may return anything: negative
// numbers, infinite ones, none at all. It takes its scores from a list, by index.
type wild []float64

func (w wild) Score(_ context.Context, l scorer.List, dst []float64) error {
	for k, item := range l.Items {
		dst[k] = w[int(item)%len(w)]
	}
	return nil
}

// wildScores are all that a score can be; some of them twice, so that they tie.
var wildScores = wild{
	0.5, -1, math.NaN(), 0, math.Inf(1), 0.25, math.Inf(-1), 1e300, math.Copysign(0, -1), 0.5, -1e-300, 1e-320, -0.25, 3e9,
}

// rankWild ranks under a policy whose scorers are replaced by wild scores.
func rankWild(t *testing.T, p model.Policy, set *model.Set, scores wild) *pipeline.Ranking {
	t.Helper()
	slicer := musttest.Of(slicer.FromPolicy(p))(t)
	parts := pipeline.Parts{Scorer: scores, Slicer: slicer, Placer: placer.Chronological{}, Deduplicate: p.Deduplicate, Overflow: p.Overflow}
	if p.Placer == model.UShaped {
		parts.Placer = placer.UShaped{}
	}
	pipe := musttest.Of(pipeline.Assemble(parts))(t)
	return musttest.Of(pipe.Rank(context.Background(), set))(t)
}
