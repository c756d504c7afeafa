package widget

import (
	"context"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// ranges holds at how many ranges of budgets each item is in. Counting them takes a pass
// over the bands of all items, so the list does it as a work.Worker, and keeps the previous
// order for as long.
type ranges struct {
	profile *simulate.Profile // where they were counted; nil: nowhere yet
	counts  []int32           // by item
}

// Job returns the work of counting the ranges, if the rows are sorted by them and they are
// not counted yet.
func (p *ItemList) Job() (work.Job, bool) {
	if p.sort.by != ByRanges || p.over != nil || p.out == nil || p.out.Profile == nil || p.out.Profile.Same(p.ranges.profile) {
		return work.Job{}, false
	}
	profile := p.out.Profile
	return work.Job{Key: profile, Run: func(ctx context.Context) func() {
		counts := make([]int32, profile.Ranking().Items().Len())
		var bands []simulate.Band
		for i := 0; i < len(counts) && ctx.Err() == nil; i++ {
			bands = profile.Bands(bands[:0], i)
			counts[i] = int32(len(bands))
		}
		return func() {
			p.ranges = ranges{profile, counts}
			p.Arrange(p.out)
		}
	}}, true
}

// NearestLoss returns, of the budgets at which one token more takes an item out, the nearest to the
// budget to, and the item: only above (dir 1), only below (-1), or either (0).
func NearestLoss(p *simulate.Profile, to model.Tokens, dir int) (at model.Tokens, item int, ok bool) {
	var bands []simulate.Band
	for i := range p.Ranking().Items().Len() {
		bands = p.Bands(bands[:0], i)
		for _, b := range bands {
			if out := b.To + 1; out <= p.Axis().End() && (dir == 0 || model.Tokens(dir)*(out-to) > 0) && (!ok || max(out-to, to-out) < max(at-to, to-at)) {
				at, item, ok = out, i, true
			}
		}
	}
	return at, item, ok
}

// FallText returns what leaves and comes in at a budget, and what that does to the number of items and to the value,
// compared with the budget one token below; "" if nothing does.
func FallText(p *simulate.Profile, side experiment.Side, b model.Tokens) string {
	c, ok := p.Next(b - 1)
	if !ok || c.At != b {
		return ""
	}
	text := side.String() + ", from " + (b - 1).String() + " to " + b.String() + ": " + Moves(c.In, c.Out, 18)
	if before, after := p.PointAt(b-1), p.PointAt(b); before.Runs && after.Runs {
		if after.Fewer(before) {
			text += ", " + plain.Count(before.Items-after.Items, "item") + " fewer"
		}
		text += ", " + SignedValue(after.Value-before.Value) + " value"
	}
	return text
}
