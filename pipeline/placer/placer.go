// Package placer orders what was selected: one file an algorithm.
//
// Where an item stands depends on what else is in, but by which rule never
// does. So a placer sorts everything that could ever be in once, and answers
// each selection with a single pass.
package placer

import "cupelscope/model"

// Merged is every item that can be in a result, in merged order: the pinned
// ones in input order with score 1.0, then the candidates, score descending.
// Columns are by position in that order. Read only.
type Merged struct {
	Set    *model.Set
	Items  []int32 // index in Set
	Scores []float64
}

// Placer is a rule of placement. Implementations hold parameters only.
type Placer interface {
	// Prepare does all work that does not depend on the selection.
	Prepare(m *Merged) Prepared
}

// Prepared places any selection. It is immutable and safe for concurrent use.
type Prepared interface {
	// Place appends the selected items to dst in the order in which they are
	// sent to the model. Item i is selected when codes[i].Included(); codes is
	// by index in the set and selects items of Merged only.
	Place(codes []model.Code, dst []int32) []int32
}
