package pipeline

import (
	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/slicer"
)

// sort orders the survivors by score descending, ties in input order, and lays
// out the columns that the slicer reads. Cupel specification, chapter Stage 4:
// Sort.
func (r *ranked) sort(survivors []int32) {
	n := len(survivors)
	scores := make([]float64, n)
	for k, item := range survivors {
		scores[k] = r.scores[item]
	}
	r.input = slicer.Input{
		Items:  make([]int32, n),
		Tokens: make([]model.Tokens, n),
		Scores: make([]float64, n),
		Kinds:  make([]uint32, n),
	}
	r.position = make([]int32, r.set.Len())
	for i := range r.position {
		r.position[i] = -1
	}
	for k, p := range order.Descending(scores) {
		item := survivors[p]
		r.input.Items[k] = item
		r.input.Tokens[k] = r.set.Tokens(int(item))
		r.input.Scores[k] = scores[p]
		r.input.Kinds[k] = uint32(r.set.KindID(int(item)))
		r.position[item] = int32(k)
	}
}
