package quality

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Tuning a policy, and whether to believe it.
//
// The search is a coarse grid over slicers, buckets, power and weights, and then
// coordinate descent from its best: all policies that differ in one coordinate are
// tried, the best becomes the next to start from, until none is better.
//
// A policy that was chosen for some cases looks better on those than it is. So the
// cases are dealt into folds, by group. For every fold the whole search is done on
// the other folds alone, and what it chose is measured on the fold. All figures
// told are those: they judge the search, not the one policy that it finds from all
// cases in the end, which has no figure of its own. One test decides whether that
// policy is recommended: the figures held out against the current policy's on the
// same cases (flips.go).

// What Tune asks for at least: with less, no difference that there could be would
// be told from chance.
const (
	LeastGroups = 8
	LeastCases  = 30
)

// DefaultFolds is the number of folds unless another is asked for.
const DefaultFolds = 5

// maxRounds bounds the rounds of descent.
const maxRounds = 6

// TuneOptions say what to tune.
type TuneOptions struct {
	Current   model.Policy // where the search starts, and what it is compared with
	Objective Objective    // "": ForRecall
	At        Amount       // the budget; of ForBudget, only where the axis ends
	Wanted    float64      // recall of ForBudget, above 0 to 1; 0: DefaultWanted
	Folds     int          // 0: DefaultFolds
	Seed      uint64       // of the folds and the flips
	Data      string       // what the cases are from, for the description of the policies; "": it does not say
	// CupelOnly searches only policies that Cupel can load.
	CupelOnly bool
	// Processors that work at once; 0: all.
	Processors int
	// Begin is told what is to be searched, once the cases are counted; its error
	// ends the search. Nil: nobody is told.
	Begin func(context.Context, Space) error
	// Progress receives how far the search is; nil: progress is not reported. It is called from
	// another goroutine, one call after the other.
	Progress func(TuneProgress)
}

// TuneProgress is how far a search is.
type TuneProgress struct {
	Round       int // 0: the cases are counted; 1: the grid; then rounds of descent
	Done, Cases int // cases in this round
	Policies    int // that are tried on each case in this round
	Best        string
	BestMean    float64 // of the objective over all cases, in round 1 over those done, on which it was chosen; NaN before there is any
}

// TooFewError says that there is too little to tune on.
type TooFewError struct{ Cases, Groups int }

func (e *TooFewError) Error() string {
	return fmt.Sprintf("tune: %s in %s can be measured, at least %d in %d are required: no difference could be told from chance",
		plain.Count(e.Cases, "case"), plain.Count(e.Groups, "group"), LeastCases, LeastGroups)
}

// Space is what is to be searched.
type Space struct {
	Cases, Groups int // that can be measured
	Folds         int
	Grid          []string // the policies of the grid, a line each
	// Round is how many more policies a round of descent tries at most, and Rounds
	// how many rounds there are at most. A round tries the neighbours of the best
	// policy on all cases and of the best ones without each fold: mostly the same.
	Round, Rounds int
	// Sample is the number of cases that Try measures.
	Sample int

	t *tuner
}

// Try measures the grid on the first cases, one after the other, so that a caller
// who looks at a clock can tell how long the search takes. The error is that of
// Tune.
func (s Space) Try(ctx context.Context) error {
	parts, err := s.t.parts(s.t.grid)
	if err != nil {
		return err
	}
	for _, c := range s.t.sample {
		if _, err := s.t.measure(ctx, c, s.t.grid, parts); err != nil {
			return fmt.Errorf("case %.80q: %w", c.Name, err)
		}
	}
	return nil
}

// Tune searches for a policy that is better for the cases. It runs through them
// once to count, once for the grid, and once for each round of descent. Errors: a
// *TooFewError, an option that cannot be, those of Evaluate. Where ctx ends in
// the grid, the result is the best on the cases that were measured, if these are
// enough to tune on, and after it the best until then.
func Tune(ctx context.Context, cases Cases, o TuneOptions) (*Tuning, error) {
	t, err := newTuner(o)
	if err != nil {
		return nil, err
	}
	if err := t.count(ctx, cases); err != nil {
		return nil, err
	}
	if o.Begin != nil {
		if err := o.Begin(ctx, t.space()); err != nil {
			return nil, err
		}
	}
	t.sample = nil
	for round := 1; round <= 1+maxRounds; round++ {
		next := t.grid
		if round > 1 {
			next = t.propose()
		}
		if len(next) == 0 {
			break
		}
		if err := t.try(ctx, cases, round, next); err != nil {
			if ctx.Err() == nil || len(t.values) == 0 {
				return nil, err
			}
			return t.tuning(true)
		}
	}
	return t.tuning(false)
}
