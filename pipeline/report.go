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

	if r.ordered() {
		r.outline.excluded = r.input.Items
		return
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

// ordered reports whether every item that is not pinned is a candidate of its own.
func (r *ranked) ordered() bool {
	return r.mates == nil && len(r.filtered)+len(r.negative)+len(r.duplicates) == 0
}

// exclude returns the excluded items in report order.
func (r *ranked) exclude(report *model.Report) (excluded []int32) {
	if all := r.outlined().excluded; r.ordered() {
		var in splice
		for _, item := range report.Included {
			if at := r.position[item]; at >= 0 {
				in.out = append(in.out, int(at))
			}
		}
		slices.Sort(in.out)
		in.out = slices.Compact(in.out) // a placer may name an item twice
		excluded = spliced(all, in, nil)
	} else {
		in := slicer.NewSelection(nil, r.set.Len()) // an eighth of the size of the codes: items are looked up in any order
		for _, item := range report.Included {
			in.Add(int(item))
		}
		excluded = make([]int32, 0, r.set.Len()-len(report.Included))
		for _, item := range all {
			if !in.Has(int(item)) {
				excluded = append(excluded, item)
			}
		}
	}
	if len(report.Truncated) > 0 {
		excluded = r.truncatedLast(report, excluded)
	}
	return excluded
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
