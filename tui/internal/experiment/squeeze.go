package experiment

import (
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Squeeze is a kind without a percentage that the percentages of others limit: it may have Share of
// the room, 0 to 1, and Is of Was items are in, with Left of their tokens; 1 is all.
type Squeeze struct {
	Kind        model.Kind
	Share, Left float64
	Was, Is     int
}

// Squeezed returns the kinds that quotas do not name, first the kinds of which the largest part is out, by
// tokens: of what was in, or of all that compete if was is nil.
func Squeezed(was, is *model.Report, r *pipeline.Ranking, quotas []model.Quota) []Squeeze {
	if len(quotas) == 0 || r == nil || is.Effective.Target <= 0 {
		return nil
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
	var all []Squeeze
	for _, share := range r.Shares(is.Budget) {
		at := slices.IndexFunc(kinds, share.Kind.Is)
		if at < 0 || slices.ContainsFunc(quotas, func(q model.Quota) bool { return q.Kind.Is(share.Kind) }) {
			continue
		}
		s := sums[at]
		s.Kind, s.Share, s.Left = kinds[at], float64(share.Target)/float64(is.Effective.Target), 1
		if s.before > 0 {
			s.Left = float64(s.after) / float64(s.before)
		}
		all = append(all, s.Squeeze)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Left < all[j].Left })
	return all
}

// Lost returns the first of all, which Squeezed returned, if any of its tokens are out; else the
// zero value.
func Lost(all []Squeeze) Squeeze {
	if len(all) == 0 || all[0].Left >= 1 {
		return Squeeze{}
	}
	return all[0]
}
