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

// each sets dst to what rate gives for each item, by index in the set. A call
// counts as so many steps. The error is ctx's.
func (l List) each(ctx context.Context, steps int, dst []float64, rate func(item int) float64) error {
	polls := poller{ctx: ctx}
	if err := ctx.Err(); err != nil {
		return err
	}
	for k, item := range l.Items {
		dst[k] = rate(int(item))
		if err := polls.add(steps); err != nil {
			return err
		}
	}
	return nil
}

// poller asks a context whether to go on, about every pollSteps steps.
type poller struct {
	ctx   context.Context
	steps int
}

// pollSteps is below a millisecond of the steps that scorers count.
const pollSteps = 1 << 16

// lookUp is the steps of a look-up in a map, which may miss the caches.
const lookUp = 64

// add counts steps. The error is the context's.
func (p *poller) add(steps int) error {
	if p.steps += steps; p.steps < pollSteps {
		return nil
	}
	p.steps = 0
	return p.ctx.Err()
}
