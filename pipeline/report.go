package pipeline

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/placer"
)

// makePlan does the part of Place that no selection changes.
func (r *Ranking) makePlan() {
	n := r.set.Len()
	merged := &placer.Merged{Set: r.set, Items: r.input.Items, Scores: r.input.Scores}
	if len(r.pinned) > 0 {
		merged.Items = slices.Concat(r.pinned, r.input.Items)
		merged.Scores = make([]float64, len(r.pinned), len(merged.Items))
		for i := range merged.Scores {
			merged.Scores[i] = pinnedScore
		}
		merged.Scores = append(merged.Scores, r.input.Scores...)
	}
	r.plan.placer = r.pipeline.parts.Placer.Prepare(merged)

	r.plan.codes = make([]model.Code, n)
	for _, group := range [...]struct {
		items []int32
		code  model.Code
	}{
		{r.filtered, model.Filtered},
		{r.negative, model.NegativeTokens},
		{r.pinned, model.Pinned},
		{r.duplicates, model.Deduplicated},
		{r.input.Items, model.BudgetExceeded},
	} {
		for _, item := range group.items {
			r.plan.codes[item] = group.code
		}
	}

	// By score, and within a score in the order of exclusion. The candidates
	// are sorted already: with the sorted others before them they make two
	// runs, which order.Descending merges.
	early := slices.Concat(r.filtered, r.negative, r.duplicates)
	scores := make([]float64, len(early), n)
	for k, item := range early {
		scores[k] = r.scores[item]
	}
	all := make([]int32, 0, n)
	for _, p := range order.Descending(scores) {
		all = append(all, early[p])
	}
	for k, item := range all {
		scores[k] = r.scores[item]
	}
	all = append(all, r.input.Items...)
	scores = append(scores, r.input.Scores...)
	r.plan.excluded = make([]int32, len(all))
	for k, p := range order.Descending(scores) {
		r.plan.excluded[k] = all[p]
	}
}

// considered is the sum of the tokens of all items, negative ones included.
func (r *Ranking) considered() model.Tokens { return r.set.Total() }

// exclude appends the excluded items to dst in report order.
func (r *Ranking) exclude(report *model.Report, dst []int32) []int32 {
	for _, item := range r.plan.excluded {
		if !report.Codes[item].Included() {
			dst = append(dst, item)
		}
	}
	if len(report.Truncated) > 0 {
		r.truncatedLast(report, dst)
	}
	return dst
}

// truncatedLast moves the items that Truncate dropped behind those that the
// slicer left out with the same score: they were excluded later.
func (r *Ranking) truncatedLast(report *model.Report, excluded []int32) {
	late := make(map[int32]bool, len(report.Truncated))
	for _, item := range report.Truncated {
		late[item] = true
	}
	var held []int32
	for start := 0; start < len(excluded); {
		key := order.Key(r.scores[excluded[start]])
		end := start
		held = held[:0]
		at := start
		for ; end < len(excluded) && order.Key(r.scores[excluded[end]]) == key; end++ {
			if item := excluded[end]; late[item] {
				held = append(held, item)
			} else {
				excluded[at] = item
				at++
			}
		}
		copy(excluded[at:end], held)
		start = end
	}
}
