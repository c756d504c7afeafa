// Package placer puts the selected items in the order in which they are sent to
// the model, with one file for each rule.
//
// The place of an item depends on which others are in the result. A placer gets the items
// of the result alone, which are few even where there are a million in all.
package placer

import "cupelscope/model"

// Merged holds the items of a result in merged order: the pinned ones in input order with
// score 1.0, then the selected candidates by descending score. Its slices are indexed by
// position in that order. It must not be changed.
type Merged struct {
	Set    *model.Set
	Items  []int32 // index in Set
	Scores []float64
}

// Placer is a rule of placement. Implementations hold parameters only.
type Placer interface {
	// Place returns the items of m in placed order, in a slice of its own.
	Place(m *Merged) []int32
}
