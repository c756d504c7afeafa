package widget

import (
	"context"

	"cupelscope/simulate"
	"cupelscope/tui/internal/work"
)

// ranges holds at how many ranges of budgets each item is in. Counting them takes a pass
// over the bands of all items, so the list does it as a work.Worker, and keeps the previous
// order for as long.
type ranges struct {
	profile *simulate.Profile // where they were counted; nil: nowhere yet
	counts  []int32           // by item
}

// rangesKey identifies the count of the ranges.
type rangesKey struct{ profile *simulate.Profile }

// Job returns the work of counting the ranges, if the rows are sorted by them and they are
// not counted yet.
func (p *ItemList) Job() (work.Job, bool) {
	if p.sort.by != ByRanges || p.over != nil || p.out == nil || p.out.Profile == nil || p.out.Profile.Same(p.ranges.profile) {
		return work.Job{}, false
	}
	profile := p.out.Profile
	return work.Job{Key: rangesKey{profile}, Run: func(ctx context.Context) (any, error) {
		counts := make([]int32, profile.Ranking().Items().Len())
		var bands []simulate.Band
		for i := range counts {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			bands = profile.Bands(bands[:0], i)
			counts[i] = int32(len(bands))
		}
		return counts, nil
	}}, true
}

// Done takes the counted ranges, and orders the rows by them.
func (p *ItemList) Done(key, result any, err error) {
	of, ok := key.(rangesKey)
	if ok && err == nil && p.out != nil && of.profile.Same(p.out.Profile) {
		p.ranges = ranges{of.profile, result.([]int32)}
		p.Arrange(p.out)
	}
}
