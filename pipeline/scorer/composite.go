package scorer

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"

	"cupelscope/model/relay"
	"cupelscope/pipeline/scratch"
)

// Part is one scorer of a Composite.
type Part struct {
	Name   string  // as shown by pipeline.Ranking.ScorerParts
	Weight float64 // finite and above 0; Composite.Parts returns it normalised
	Scorer Scorer
}

// Composite rates an item by the weighted mean of the scores of its parts. The
// products are added in the order of the parts. It costs what its parts cost
// together. See the Cupel specification, chapter CompositeScorer.
type Composite struct{ parts []Part } // weights normalised

var _ Scorer = (*Composite)(nil)

// NewComposite returns the Composite of parts and divides their weights by the
// sum of all weights. It is an error if there are no parts, if a Scorer is nil,
// or if a weight is not finite and above 0; the sum of the weights must be
// finite too. Names may repeat or be empty.
func NewComposite(parts ...Part) (*Composite, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("a composite scorer needs at least one scorer")
	}
	weights := make([]float64, len(parts))
	for i, p := range parts {
		if p.Scorer == nil {
			return nil, fmt.Errorf("scorer %d of a composite is missing", i)
		}
		weights[i] = p.Weight
	}
	sum, err := total(weights)
	if err != nil {
		return nil, err
	}
	c := &Composite{make([]Part, len(parts))}
	for i, p := range parts {
		c.parts[i] = Part{p.Name, p.Weight / sum, p.Scorer}
	}
	return c, nil
}

// total returns the sum of the weights of a composite. It is an error if it cannot have one of them, or all
// together.
func total(weights []float64) (sum float64, err error) {
	for i, w := range weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return 0, fmt.Errorf("scorer %d of a composite has weight %v, must be a finite number above 0", i, w)
		}
		sum += w
	}
	if math.IsInf(sum, 0) {
		return 0, fmt.Errorf("the weights of a composite add up to more than a float64 can hold")
	}
	return sum, nil
}

// Parts returns the scorers with their normalised weights, which sum to 1 up to
// rounding. Read only.
func (c *Composite) Parts() []Part { return c.parts }

// columns are lent to growing composites.
var columns scratch.Pool[float64]

// Score implements Scorer. An error of a part ends it.
func (c *Composite) Score(ctx context.Context, l List, dst []float64) error {
	_, err := c.Columns(ctx, l, dst, nil, nil)
	return err
}

// Columns does what Score does and also returns the scores that each part gave,
// unweighted: columns[i][k] is the score of part i for item l.Items[k]. They
// take 8 bytes per part and item. If like has a part too, whatever its weight, its column
// comes from known, the columns of like for the same list; like may be nil.
func (c *Composite) Columns(ctx context.Context, l List, dst []float64, like *Composite, known [][]float64) ([][]float64, error) {
	columns := make([][]float64, len(c.parts))
	clear(dst)
	for i, p := range c.parts {
		if k := like.has(p.Scorer); k >= 0 {
			columns[i] = known[k]
		} else {
			columns[i] = make([]float64, l.Len())
			if err := p.Scorer.Score(ctx, l, columns[i]); err != nil {
				return nil, err
			}
		}
		accumulate(dst, p.Weight, columns[i])
	}
	return columns, nil
}

// Reweigh sets dst to what Score gives if the parts have other weights, bit for bit. The
// columns come from Columns. The error is as from NewComposite.
func (c *Composite) Reweigh(weights []float64, columns [][]float64, dst []float64) error {
	sum, err := total(weights)
	if err != nil {
		return err
	}
	clear(dst)
	for i, w := range weights {
		accumulate(dst, w/sum, columns[i])
	}
	return nil
}

// has returns which part has an equal scorer, or -1.
func (c *Composite) has(s Scorer) int {
	if c == nil {
		return -1
	}
	return slices.IndexFunc(c.parts, func(p Part) bool { return reflect.DeepEqual(p.Scorer, s) })
}

// accumulate adds weight*x to dst. The conversion rounds each product, which
// forbids a fused multiply-add, so that scores are the same on every platform.
func accumulate(dst []float64, weight float64, x []float64) {
	if len(dst) < 1<<12 { // a closure would take longer
		accumulateRange(dst, weight, x)
		return
	}
	relay.SpreadEven(len(dst), func(from, to int) { accumulateRange(dst[from:to], weight, x[from:to]) })
}

func accumulateRange(dst []float64, weight float64, x []float64) {
	for k := range dst {
		dst[k] += float64(weight * x[k])
	}
}
