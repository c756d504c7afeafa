// Package scorer rates items. Each scorer has a file of its own.
//
// A scorer rates a whole list at once, so that it can compare each item with
// the others without a pass over the list for each of them. A higher score is
// better. Most scorers return 0 to 1, but scores need not lie in that range: the
// stages after Score accept any float64 and sort NaN last.
//
// A custom scorer implements Scorer. pipeline.Assemble runs it, NewComposite
// combines it with others.
package scorer

import (
	"context"

	"cupelscope/model"
	"cupelscope/model/relay"
)

// List is the list of items that a scorer rates: the scoreable items of a set,
// in input order. These are the items that are neither excluded, nor pinned,
// nor have negative tokens. Read only.
type List struct {
	Set   *model.Set
	Items []int32 // index in Set
}

// Len returns the number of items in the list.
func (l List) Len() int { return len(l.Items) }

// Scorer rates each item of a list against the whole list. Implementations
// hold only parameters, and must be safe for concurrent use.
type Scorer interface {
	// Score sets dst[k] to the score of item l.Items[k] for every k. dst has
	// l.Len() elements, whose previous values are arbitrary; Score must not
	// keep it. The scorers of this package return no error but ctx's.
	Score(ctx context.Context, l List, dst []float64) error
}

// each sets dst[k] to the result of rate for item l.Items[k], on all processors where they are
// many. Each call of rate counts as the given number of steps. The error is ctx's.
func (l List) each(ctx context.Context, steps int, dst []float64, rate func(item int) float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	relay.SpreadEven(l.Len(), func(from, to int) {
		polls := poller{ctx: ctx}
		for k := from; k < to && polls.add(steps) == nil; k++ {
			dst[k] = rate(int(l.Items[k]))
		}
	})
	return ctx.Err()
}

// poller polls a context about every pollSteps steps.
type poller struct {
	ctx   context.Context
	steps int
}

// pollSteps is the number of steps between two polls, which take less than a
// millisecond.
const pollSteps = 1 << 16

// lookUp is the number of steps that a look-up in a map counts as, because it
// may miss the caches.
const lookUp = 64

// add counts steps, and polls the context when enough have been counted. The
// error is the context's.
func (p *poller) add(steps int) error {
	if p.steps += steps; p.steps < pollSteps {
		return nil
	}
	p.steps = 0
	return p.ctx.Err()
}
