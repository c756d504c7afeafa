// Package placer puts the selected items in the order in which they are sent to
// the model, with one file for each rule.
//
// The place of an item depends on which others are selected; the rule does not.
// So a placer sorts all items that can be selected once, and then places each
// selection in a single pass.
package placer

import "cupelscope/model"

// Merged holds all items that can be in a result, in merged order: the pinned
// ones in input order with score 1.0, then the candidates by descending score.
// Its slices are indexed by position in that order. It must not be changed.
type Merged struct {
	Set    *model.Set
	Items  []int32 // index in Set
	Scores []float64
}

// Placer is a rule of placement. Implementations hold parameters only.
type Placer interface {
	// Prepare does all work that does not depend on the selection, and does not
	// change m.
	Prepare(m *Merged) Prepared
}

// Prepared places any selection. It never changes and is safe for concurrent
// use.
type Prepared interface {
	// Place appends the selected items to dst in placed order and returns the
	// extended slice. Item i is selected if codes[i].Included(). The codes are
	// indexed by item of the set, and may select only items of Merged. O(n) in the
	// items of Merged.
	Place(codes []model.Code, dst []int32) []int32
}
