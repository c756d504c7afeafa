// Package scorer rates items: one file an algorithm. A scorer rates a whole
// list at once, so that none of them needs a pass over the list for each item.
package scorer

import (
	"context"

	"cupelscope/model"
)

// List is what a scorer rates: the scoreable items of a set, in input order.
// Read only.
type List struct {
	Set   *model.Set
	Items []int32 // index in Set
}

// Len is the number of items.
func (l List) Len() int { return len(l.Items) }

// Scorer rates each item of a list against the whole list. Implementations
// hold parameters only and are safe for concurrent use.
type Scorer interface {
	// Score sets dst[k] to the score of item l.Items[k]; dst has l.Len()
	// elements. The only error is ctx's.
	Score(ctx context.Context, l List, dst []float64) error
}
