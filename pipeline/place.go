package pipeline

import (
	"fmt"
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline/slicer"
)

// place merges the pinned items with the selected ones, handles an overflow of
// the target, has the placer order the result and writes the report: a pass
// over the selection, one over the candidates, one over the excluded order.
func (r *Ranking) place(b model.Budget, sel slicer.Selection, watch stopwatch) (*model.Report, error) {
	if want := (r.input.Positions() + 63) / 64; len(sel) != want {
		return nil, fmt.Errorf("place: a selection of %d words for %d candidates: must be %d", len(sel), r.input.Len(), want)
	}
	report := &model.Report{
		Items: r.set, Budget: b, Effective: b.Effective(r.pinnedSum),
		Codes: slices.Clone(r.outlined().codes), Scores: r.scores, Survivors: r.survivors, Pairs: r.mates,
		PinnedTokens: r.pinnedSum, FirstPinned: -1, Considered: r.set.Total(),
	}
	if len(r.pinned) > 0 {
		report.FirstPinned = int(r.pinned[0])
	}
	if r.set.HasSizes() {
		report.Sizes = make([]uint8, r.set.Len())
		for _, item := range r.pinned {
			report.Sizes[item] = uint8(r.PinnedSize(int(item)))
		}
	}
	taken, sliced := r.mark(report, sel)
	slicing := watch.event(model.Slice, r.candidates(), sliced)
	report.Kept = r.pinnedSum + report.SlicedTokens
	if target := b.TargetTokens(); report.Kept > target {
		switch r.pipeline.parts.Overflow {
		case model.Truncate:
			r.truncate(report, sel)
		case model.Proceed:
			report.Overflow = &model.Overflow{TokensOver: report.Kept - target, Items: r.selected(sel)}
		default:
			return nil, &model.OverflowError{Merged: report.Kept, Target: target}
		}
	}
	merged := len(r.pinned) + sliced
	report.Included = r.members(r.placed(report.Codes, taken))
	if report.Sizes != nil {
		r.placeNotes(report, taken)
	}
	report.Excluded = r.exclude(report)
	report.Stages = []model.StageEvent{
		r.stages[0], r.stages[1], r.stages[2], slicing, watch.event(model.Place, merged, len(report.Included)),
	}
	return report, nil
}

// mark sets the codes of all candidates, and adds up the tokens and scores of the selected
// ones. It returns in order the positions of the selected candidates and of the candidates
// whose notes are selected, and how many items were selected.
func (r *Ranking) mark(report *model.Report, sel slicer.Selection) (taken []int32, count int) {
	in := &r.input
	for w, word := range sel {
		if rest := in.Positions() - 64*w; rest < 64 {
			word &= 1<<rest - 1 // beyond the last position there is nothing
		}
		for ; word != 0; word &= word - 1 {
			k := 64*w + bits.TrailingZeros64(word)
			report.SlicedTokens += in.TokensAt(k)
			report.Value += in.ScoreAt(k)
			if k >= in.Len() {
				r.markSize(report, k)
			}
			taken = append(taken, int32(in.Whole(k)))
			if in.IsNote(k) {
				continue
			}
			code := model.Scored
			if in.TokensAt(k) == 0 {
				code = model.ZeroToken
			}
			item := in.Items[in.Whole(k)]
			report.Codes[item] = code
			count++
			if mate := r.mate(item); mate >= 0 {
				report.Codes[mate] = code
				count++
			}
		}
	}
	if in.Cuts != nil { // which stand behind all candidates
		slices.Sort(taken)
	}
	r.override(report)
	if counts := r.slicer().Counts(); counts != nil {
		r.count(report, sel, counts)
	}
	return taken, count
}

// override gives the code PinnedOverride to the candidates that the pinned
// items displaced: they are left out and larger than the effective target, but
// would fit in the target less the output reserve and its like.
func (r *Ranking) override(report *model.Report) {
	if r.pinnedSum == 0 {
		return
	}
	in := &r.input
	room := report.Effective.Target
	ofMax, _ := report.Budget.Deducted()
	alone := report.Budget.TargetTokens() - ofMax
	relay.SpreadEven(in.Len(), func(from, to int) {
		for k := from; k < to; k++ {
			if in.Tokens[k] <= room {
				continue // nearly all
			}
			if tokens := in.MinTokens(k); tokens > room && tokens <= alone {
				if code := &report.Codes[in.Items[k]]; *code == model.BudgetExceeded {
					*code = model.PinnedOverride
					if mate := r.mate(in.Items[k]); mate >= 0 {
						report.Codes[mate] = model.PinnedOverride
					}
				}
			}
		}
	})
}

// selected returns the pinned items in input order, then the selected ones in
// sorted order.
func (r *Ranking) selected(sel slicer.Selection) []int32 {
	all := slices.Clone(r.firsts(r.pinned))
	for k, item := range r.input.Items {
		if at := r.input.Taken(sel, k); at >= 0 && !r.input.IsNote(at) {
			all = append(all, item)
		}
	}
	return r.members(all)
}

// truncate walks the merged list and drops each candidate that does not fit in
// the target. It never drops pinned items.
func (r *Ranking) truncate(report *model.Report, sel slicer.Selection) {
	in := &r.input
	report.Kept, report.Value = r.pinnedSum, 0
	for k := range in.Items {
		at := in.Taken(sel, k)
		switch {
		case at < 0:
		case report.Kept+in.TokensAt(at) <= report.Budget.TargetTokens():
			report.Kept += in.TokensAt(at)
			report.Value += in.ScoreAt(at)
		default:
			report.Truncated = r.Members(report.Truncated, k)
			for _, cut := range report.Truncated[len(report.Truncated)-int(in.Size(k)):] {
				report.Codes[cut] = model.BudgetExceeded
				if report.Sizes != nil {
					report.Sizes[cut] = 0
				}
			}
		}
	}
	slices.Sort(report.Truncated)
}
