package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
)

// benched is a ranking of n items of log-normal size, as retrieval sets and
// transcripts have them.
func benched(b *testing.B, n int) *pipeline.Ranking {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content:             fmt.Sprint(i),
			Tokens:              model.Tokens(min(8000, max(5, 300*math.Exp(rng.NormFloat64())))),
			FutureRelevanceHint: model.Some(rng.Float64()),
		}
	}
	set := musttest.Of(model.NewSet(items))(b)
	pipe := musttest.Of(pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})))(b)
	return musttest.Of(pipe.Rank(context.Background(), set))(b)
}
