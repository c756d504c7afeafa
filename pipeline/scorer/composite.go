package scorer

import (
	"context"
	"fmt"
	"math"

	"cupelscope/pipeline/scratch"
)

// Part is one scorer of a Composite.
type Part struct {
	Name   string
	Weight float64
	Scorer Scorer
}

// Composite is the weighted mean of other scorers, in the order given. Cupel
// specification, chapter CompositeScorer.
type Composite struct{ parts []Part } // weights normalised

var _ Scorer = (*Composite)(nil)

// NewComposite returns the weighted mean of parts. Weights must be finite and
// above 0 and so must be their sum; at least one part is needed. A composite
// holds finished scorers only, so a cycle cannot be made.
func NewComposite(parts ...Part) (*Composite, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("a composite scorer needs at least one scorer")
	}
	sum := 0.0
	for i, p := range parts {
		if p.Scorer == nil {
			return nil, fmt.Errorf("scorer %d of a composite is missing", i)
		}
		if !(p.Weight > 0) || math.IsInf(p.Weight, 0) {
			return nil, fmt.Errorf("scorer %d of a composite has weight %v, must be a finite number above 0", i, p.Weight)
		}
		sum += p.Weight
	}
	if math.IsInf(sum, 0) {
		return nil, fmt.Errorf("the weights of a composite add up to more than a float64 can hold")
	}
	c := &Composite{make([]Part, len(parts))}
	for i, p := range parts {
		c.parts[i] = Part{p.Name, p.Weight / sum, p.Scorer}
	}
	return c, nil
}

// Parts are the scorers with their normalised weights. Read only.
func (c *Composite) Parts() []Part { return c.parts }

// columns are lent to composites.
var columns scratch.Pool[float64]

// Score implements Scorer.
func (c *Composite) Score(ctx context.Context, l List, dst []float64) error {
	column := columns.Lend(l.Len())
	defer column.Return()
	clear(dst)
	for _, p := range c.parts {
		if err := p.Scorer.Score(ctx, l, column.Of); err != nil {
			return err
		}
		accumulate(dst, p.Weight, column.Of)
	}
	return nil
}

// Columns is Score that also returns what each part gave, by part and then by
// position in the list.
func (c *Composite) Columns(ctx context.Context, l List, dst []float64) ([][]float64, error) {
	columns := make([][]float64, len(c.parts))
	clear(dst)
	for i, p := range c.parts {
		columns[i] = make([]float64, l.Len())
		if err := p.Scorer.Score(ctx, l, columns[i]); err != nil {
			return nil, err
		}
		accumulate(dst, p.Weight, columns[i])
	}
	return columns, nil
}

// accumulate adds weight*x to dst. The conversion rounds each product, which
// forbids a fused multiply-add: scores are the same on every platform.
func accumulate(dst []float64, weight float64, x []float64) {
	for k := range dst {
		dst[k] += float64(weight * x[k])
	}
}
