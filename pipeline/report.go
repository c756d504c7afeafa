package pipeline

import (
	"slices"
	"sync"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/slicer"
)

// outline is what the reports of all selections have in common.
type outline struct {
	once sync.Once
	// codes by item as if nothing had been selected: candidates are BudgetExceeded.
	codes []model.Code
	// excluded is every item that is not pinned, in the order of a report in
	// which they are all excluded.
	excluded []int32
}

// Outline returns the code of every item as if nothing had been selected: candidates
// are BudgetExceeded. Read only.
func (r *Ranking) Outline() []model.Code { return r.outlined().codes }

func (r *ranked) outlined() *outline {
	r.outline.once.Do(r.makeOutline)
	return r.outline
}

func (r *ranked) makeOutline() {
	// Every item is in one of the groups, or a candidate.
	r.outline.codes = slices.Repeat([]model.Code{model.BudgetExceeded}, r.set.Len())
	for _, group := range [...]struct {
		items []int32
		code  model.Code
	}{
		{r.filtered, model.Filtered},
		{r.negative, model.NegativeTokens},
		{r.pinned, model.Pinned},
		{r.duplicates, model.Deduplicated},
	} {
		for _, item := range group.items {
			r.outline.codes[item] = group.code
		}
	}

	// By score, and within a score in the order of exclusion: a merge of the
	// candidates, which are sorted, with the sorted others before them.
	early := slices.Concat(r.filtered, r.negative, r.duplicates)
	if r.mates != nil { // the members of a pair have scores of their own
		r.outline.excluded = r.byScore(slices.Concat(early, r.members(r.input.Items)))
		return
	}
	excluded := make([]int32, 0, len(early)+r.input.Len())
	late := 0 // candidates before this position are in
	for _, item := range r.byScore(early) {
		for late < r.input.Len() && order.Before(r.input.Scores[late], r.scores[item]) {
			excluded = append(excluded, r.input.Items[late])
			late++
		}
		excluded = append(excluded, item)
	}
	r.outline.excluded = append(excluded, r.input.Items[late:]...)
}

// byScore returns items by descending score; items with equal scores stay in order.
func (r *ranked) byScore(items []int32) []int32 {
	scores := make([]float64, len(items))
	for k, item := range items {
		scores[k] = r.scores[item]
	}
	sorted := order.Descending(scores)
	for k, p := range sorted {
		sorted[k] = items[p]
	}
	return sorted
}

// placed returns in placed order the pinned items, and the candidates at the given positions
// that codes include.
func (r *Ranking) placed(codes []model.Code, positions []int32) []int32 {
	n := len(r.pinned) + len(positions)
	m := placer.Merged{Set: r.set, Items: make([]int32, 0, n), Scores: make([]float64, 0, n)}
	for _, item := range r.firsts(r.pinned) {
		m.Items, m.Scores = append(m.Items, item), append(m.Scores, pinnedScore)
	}
	for _, k := range positions {
		if item := r.input.Items[k]; codes[item].Included() {
			m.Items, m.Scores = append(m.Items, item), append(m.Scores, r.deciding[k])
		}
	}
	return r.pipeline.parts.Placer.Place(&m)
}

// exclude appends the excluded items to dst in report order.
func (r *ranked) exclude(report *model.Report, dst []int32) []int32 {
	in := slicer.NewSelection(nil, r.set.Len()) // an eighth of the size of the codes: items are looked up in any order
	for _, item := range report.Included {
		in.Add(int(item))
	}
	for _, item := range r.outlined().excluded {
		if !in.Has(int(item)) {
			dst = append(dst, item)
		}
	}
	if len(report.Truncated) > 0 {
		dst = r.truncatedLast(report, dst)
	}
	return dst
}

// truncatedLast moves the items that Truncate dropped behind the other excluded
// items with the same score, because they were excluded later.
func (r *ranked) truncatedLast(report *model.Report, excluded []int32) []int32 {
	early, late := excluded[:0], []int32(nil)
	for _, item := range excluded {
		if _, cut := slices.BinarySearch(report.Truncated, item); cut {
			late = append(late, item)
		} else {
			early = append(early, item)
		}
	}
	return r.byScore(append(early, late...))
}
