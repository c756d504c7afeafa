package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/pipeline/scorer"
)

// candidate is a policy in the space that Tune searches: the policy that it starts
// from, with another slicer, bucket, scorer weights and power.
type candidate struct {
	slicer   model.SlicerType
	bucket   model.Tokens // knapsack only
	exponent int          // 1: no power
	weights  []float64    // by scorer of the policy; they sum to 1
}

// The steps of the search.
var (
	exponents = [...]int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}
	buckets   = [...]model.Tokens{1, 10, 100}
	factors   = [...]float64{0, 0.5, 2} // of one weight
)

// coarse is the step between the exponents in the grid.
const coarse = 2

func (c candidate) key() string { return fmt.Sprint(c) }

// weighted returns c with other weights, scaled to a sum of 1.
func (c candidate) weighted(weights []float64) candidate {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	c.weights = slices.Clone(weights)
	for i := range c.weights {
		c.weights[i] /= sum
	}
	return c
}

// start returns the policy itself as a candidate.
func start(p model.Policy) candidate {
	c := candidate{slicer: p.Slicer, exponent: 1}
	if p.Slicer.InBuckets() {
		c.bucket = p.Bucket()
	}
	weights := make([]float64, len(p.Scorers))
	for i, s := range p.Scorers {
		weights[i] = s.Weight
	}
	return c.weighted(weights)
}

// slicings returns c with each slicer that the search tries: the slicers that choose by
// score. It combines powers only with an order by density: a power does not change an
// order by score, and under a knapsack small powers round to no value.
func (c candidate) slicings(power bool) []candidate {
	var all []candidate
	with := func(s model.SlicerType, bucket model.Tokens, exponent int) {
		all = append(all, candidate{s, bucket, exponent, c.weights})
	}
	for _, s := range model.SlicerTypes() {
		switch s.Order() {
		case model.OrderByDensity:
			for i, e := range exponents {
				if i == 0 || power && i%coarse == 1 {
					with(s, 0, e)
				}
			}
		case model.OrderByTotal:
			for _, b := range buckets {
				with(s, b, 1)
			}
		case model.OrderByScore:
			with(s, 0, 1)
		}
	}
	return all
}

// grid returns the candidates that the search begins with: all slicers with the
// weights of the policy, with equal weights, and with each scorer alone.
func grid(p model.Policy) []candidate {
	first := start(p)
	n := len(first.weights)
	equal := make([]float64, n)
	weights := [][]float64{first.weights, equal}
	for i := range equal {
		equal[i] = 1
		alone := make([]float64, n)
		alone[i] = 1
		weights = append(weights, alone)
	}
	all := []candidate{first}
	for _, w := range weights {
		all = append(all, first.weighted(w).slicings(true)...)
	}
	return distinct(all)
}

func distinct(all []candidate) []candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c candidate) bool {
		key := c.key()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// neighbours returns the candidates that differ from c in one coordinate.
func (c candidate) neighbours() []candidate {
	all := c.slicings(false)
	if c.slicer.Order() == model.OrderByDensity {
		at := slices.Index(exponents[:], c.exponent)
		for _, k := range [...]int{at - 1, at + 1} {
			if k >= 0 && k < len(exponents) {
				next := c
				next.exponent = exponents[k]
				all = append(all, next)
			}
		}
	}
	for i, w := range c.weights {
		for _, f := range factors {
			weights := slices.Clone(c.weights)
			weights[i] = f * w
			if w == 0 {
				weights[i] = f / 2 / float64(len(weights)) // back in, with at most an equal weight
			}
			if slices.Max(weights) > 0 {
				all = append(all, c.weighted(weights))
			}
		}
	}
	return distinct(all)
}

// policy returns the policy that c stands for, with everything else as in p.
func (c candidate) policy(p model.Policy) model.Policy {
	p = p.Clone()
	p.SetSlicer(c.slicer)
	p.BucketSize = c.bucket
	var scorers []model.Scorer
	for i, s := range p.Scorers {
		if s.Weight = c.weights[i]; s.Weight > 0 {
			scorers = append(scorers, s)
		}
	}
	if c.exponent > 1 {
		inner := scorers[0]
		if len(scorers) > 1 {
			inner = model.Scorer{Type: model.ScoreComposite, Weight: 1, Scorers: scorers}
		}
		scorers = []model.Scorer{{Type: model.ScorePower, Weight: 1, Inner: &inner, Exponent: c.exponent}}
	}
	p.Scorers = scorers
	return p
}

// describe returns a description of the candidate in one line.
func (c candidate) describe(p model.Policy) string {
	var parts []string
	for i, s := range p.Scorers {
		switch w := c.weights[i]; {
		case w == 1:
			parts = append(parts, string(s.Type))
		case w > 0:
			parts = append(parts, fmt.Sprintf("%s %.3g", s.Type, w))
		}
	}
	text := string(c.slicer)
	if c.bucket > 0 {
		text += fmt.Sprintf(":%d", int64(c.bucket))
	}
	text += ", "
	if c.exponent > 1 {
		text += fmt.Sprintf("power %d of ", c.exponent)
	}
	return text + strings.Join(parts, " + ")
}

// scored holds the results of a policy's scorers over one set: each scorer rates the
// items once, and candidates only weight the results.
type scored struct {
	scorers []scorer.Scorer
	columns [][]float64
}

func scoredBy(p model.Policy) (*scored, error) {
	s := &scored{}
	for _, one := range p.Scorers {
		made, err := scorer.FromPolicy([]model.Scorer{one})
		if err != nil {
			return nil, err
		}
		s.scorers = append(s.scorers, made)
	}
	return s, nil
}

// reweighted is a candidate as a scorer. Its scores are identical to the scores of the
// candidate's policy. It is for one list of items and a single goroutine.
type reweighted struct {
	of       *scored
	weights  []float64
	exponent int
}

var _ scorer.Scorer = reweighted{}

// Score implements scorer.Scorer.
func (r reweighted) Score(ctx context.Context, l scorer.List, dst []float64) error {
	if r.of.columns == nil {
		columns := make([][]float64, len(r.of.scorers))
		for i, s := range r.of.scorers {
			columns[i] = make([]float64, l.Len())
			if err := s.Score(ctx, l, columns[i]); err != nil {
				return err
			}
		}
		r.of.columns = columns
	}
	var parts []scorer.Part
	for i, w := range r.weights {
		if w > 0 {
			parts = append(parts, scorer.Part{Weight: w, Scorer: column(r.of.columns[i])})
		}
	}
	made := parts[0].Scorer
	if len(parts) > 1 {
		composite, err := scorer.NewComposite(parts...)
		if err != nil {
			return err
		}
		made = composite
	}
	if r.exponent > 1 {
		power, err := scorer.NewPower(made, r.exponent)
		if err != nil {
			return err
		}
		made = power
	}
	return made.Score(ctx, l, dst)
}

// column is a scorer that returns known scores.
type column []float64

// Score implements scorer.Scorer.
func (c column) Score(_ context.Context, _ scorer.List, dst []float64) error {
	copy(dst, c)
	return nil
}
