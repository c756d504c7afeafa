package simulate

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
)

// weighed knows at which weights of a scorer the slicer has to run: it computes the scores
// at every weight, and compares their order with that at the weight before.
//
// That is exact for slicers that only compare: which duplicate stays, and what greedy, rank,
// prefix and stream take with quotas or without, depends on scores through comparisons of two
// scores, and greedy's also on those of two densities. If every pair compares as before, so
// does everything that follows.
type weighed struct {
	ranking *pipeline.Ranking
	at      int // which weight it is
	weights []float64

	scores, densities []float64 // of the items that are scored, and of those of them that have tokens
	having            []int32   // these, by position among those that are scored
	tokens            []float64
	byScore, byDense  sorted
}

// newWeighed returns nil where the number is no weight of one of several scorers, or where
// the result depends on more than comparisons.
func newWeighed(o *over) *weighed {
	at := len(o.policy.Scorers) - 1
	for at >= 0 && o.number.Field != fmt.Sprintf("scorers[%d].weight", at) {
		at--
	}
	r, set := o.ranking, o.ranking.Items()
	overflows := commits(r) || r.PinnedTokens() > o.budget.TargetTokens()
	if at < 0 || len(o.policy.Scorers) < 2 || o.policy.Slicer.Order() == model.OrderByTotal || o.policy.KeepPairs || set.HasSizes() || overflows {
		return nil
	}
	w := &weighed{ranking: r, at: at, scores: make([]float64, len(r.Scored()))}
	for _, s := range o.policy.Scorers {
		w.weights = append(w.weights, s.Weight)
	}
	for k, item := range r.Scored() {
		if t := set.Tokens(int(item)); t > 0 && o.policy.Slicer.Order() == model.OrderByDensity {
			w.having, w.tokens = append(w.having, int32(k)), append(w.tokens, float64(t))
		}
	}
	w.densities = make([]float64, len(w.having))
	return w
}

// to goes to a weight and reports whether all comparisons come out as at the one before.
func (w *weighed) to(weight float64) (same bool, err error) {
	w.weights[w.at] = weight
	if err := w.ranking.Reweigh(w.weights, w.scores); err != nil {
		return false, err
	}
	for n, k := range w.having {
		w.densities[n] = w.scores[k] / w.tokens[n]
	}
	same = w.byScore.sorts(w.scores)
	return w.byDense.sorts(w.densities) && same, nil
}

// sorted is an order of keys, the largest first, ties in their order, and which are tied.
type sorted struct {
	at   []int32 // nil: there is none yet
	tied []bool  // with the one before
}

// sorts reports whether keys have this order; otherwise it becomes theirs. Those with a NaN
// never have.
func (s *sorted) sorts(keys []float64) bool {
	if s.at != nil && s.holds(keys) {
		return true
	}
	s.at, s.tied = order.Descending(keys), make([]bool, len(keys))
	for k := 1; k < len(keys); k++ {
		s.tied[k] = keys[s.at[k-1]] == keys[s.at[k]]
	}
	return false
}

func (s *sorted) holds(keys []float64) bool {
	for k := 1; k < len(s.at); k++ {
		before, here := keys[s.at[k-1]], keys[s.at[k]]
		if !(before >= here) || (before == here) != s.tied[k] {
			return false
		}
	}
	return true
}
