package experiment

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Squeeze is a kind without a percentage that the percentages of others limit: it may have Share of
// the room, 0 to 1, and Is of Was items are in. The zero value says that there is none.
type Squeeze struct {
	Kind    model.Kind
	Share   float64
	Was, Is int
}

// Squeezed returns the kind that quotas do not name and of which the largest part is out, by
// tokens: of what was in, or of all that compete if was is nil.
func Squeezed(was, is *model.Report, r *pipeline.Ranking, quotas []model.Quota) (worst Squeeze) {
	if len(quotas) == 0 || r == nil || is.Effective.Target <= 0 {
		return Squeeze{}
	}
	items, kinds := is.Items, is.Items.Kinds()
	type sum struct {
		Squeeze
		before, after model.Tokens
	}
	sums := make([]sum, len(kinds))
	for i := range items.Len() {
		s := &sums[items.KindID(i)]
		if items.Pinned(i) {
			continue
		}
		_, competes := r.Position(i)
		if was != nil && was.In(i) || was == nil && competes {
			s.Was, s.before = s.Was+1, s.before+items.Tokens(i)
		}
		if is.In(i) {
			s.Is, s.after = s.Is+1, s.after+items.Tokens(i)
		}
	}
	least := 1.0
	for id, s := range sums {
		s.Kind = kinds[id]
		if s.before <= 0 || slices.ContainsFunc(quotas, func(q model.Quota) bool { return q.Kind.Is(s.Kind) }) {
			continue
		}
		if left := float64(s.after) / float64(s.before); left < least {
			least, worst = left, s.Squeeze
		}
	}
	for _, s := range r.Shares(is.Budget) {
		if s.Kind.Is(worst.Kind) {
			worst.Share = float64(s.Target) / float64(is.Effective.Target)
			return worst
		}
	}
	return Squeeze{}
}
