package quality

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Tuning a policy, and whether to believe it.
//
// The search is a coarse grid over slicers, buckets, power and weights, and then
// coordinate descent from its best: all policies that differ in one coordinate are
// tried, the best becomes the next to start from, until none is better.
//
// A policy that was chosen for some cases does better on these than on new ones. So the
// cases are dealt into folds, by group. For every fold the whole search is done on
// the other folds alone, and what it chose is measured on the fold. All figures
// shown are measured so: they judge the search, not the one policy that it finds from all
// cases in the end, which has no figure of its own. One test decides whether that
// policy is recommended: the figures held out against the current policy's on the
// same cases (pairedtest.go).

// minGroups and minCases are the fewest measurable groups and cases that Tune takes. With
// fewer, no difference could be distinguished from chance.
const (
	minGroups = 8
	minCases  = 30
)

// DefaultFolds is the number of folds if no other is set.
const DefaultFolds = 5

// maxRounds bounds the rounds of descent.
const maxRounds = 6

// TuneOptions says what to tune.
type TuneOptions struct {
	Current   model.Policy // the policy where the search starts, and with which the result is compared; without quotas
	Objective Objective    // "": ForRecall
	At        Amount       // the budget; for ForBudget it only determines where the axis ends
	Wanted    float64      // the recall for ForBudget, above 0 to 1; 0: DefaultWanted
	Folds     int          // at least 2; 0: DefaultFolds
	Seed      uint64       // the seed for the folds and for drawing sign flips
	Data      string       // where the cases come from, for the description of the policies; may be empty
	// CupelOnly searches only policies that Cupel can load.
	CupelOnly bool
	// Processors is the number of cases that are worked on at once; 0: one for
	// each processor.
	Processors int
	// Begin, if not nil, is called with what is to be searched once the cases
	// are counted. An error that it returns ends the search.
	Begin func(context.Context, Space) error
	// Progress, if not nil, is called with how far the search is. The calls
	// come from another goroutine, one after the other.
	Progress func(TuneProgress)
}

// TuneProgress is how far a search has come.
type TuneProgress struct {
	Round       int // 0: the cases are counted; 1: the grid; then rounds of descent
	Done, Cases int // cases in this round
	Policies    int // policies that are tried on each case in this round
	Best        string
	BestMean    float64 // mean of the objective of Best over all cases, in round 1 over those done; NaN before there is a Best
}

// Words returns the progress of a search for an objective as text.
func (p TuneProgress) Words(o Objective) string {
	if p.Round == 0 {
		return plain.Count(p.Done, "case") + " read"
	}
	text := fmt.Sprintf("round %d: %v of %s, %v policies", p.Round, plain.Thousands(p.Done), plain.Count(p.Cases, "case"), plain.Thousands(p.Policies))
	if p.Best != "" {
		text += fmt.Sprintf("; best so far %s with %s", o.Says(p.BestMean), p.Best)
	}
	return text
}

// TooFewError is returned if too few cases or groups can be measured to tune
// on. It holds their numbers.
type TooFewError struct{ Cases, Groups int }

func (e *TooFewError) Error() string {
	return fmt.Sprintf("tune: %s in %s can be measured, but %d cases in %d groups are needed to tell a difference from chance",
		plain.Count(e.Cases, "case"), plain.Count(e.Groups, "group"), minCases, minGroups)
}

// Space is what Tune is going to search.
type Space struct {
	Cases, Groups int // the numbers that can be measured
	Folds         int
	Grid          []string // the policies of the grid, in a line each
	// Round is the largest number of policies that a round of descent tries
	// in addition, and Rounds the largest number of rounds. A round tries the neighbours of
	// the best policy on all cases, and of the best policy without each fold;
	// these are mostly the same.
	Round, Rounds int
	// Sample is the number of cases that Try measures.
	Sample int

	try func(context.Context) error
}

// Try measures the grid on the first Sample cases, one after the other, so
// that a caller with a clock can estimate how long the search takes. The error
// is as for Tune.
func (s Space) Try(ctx context.Context) error { return s.try(ctx) }

// Tune searches for a policy that is better for the cases. It iterates over
// them once to count them, once for the grid, and once for each round of
// descent. The error is a *TooFewError, from Begin, about an invalid option, or
// as for Evaluate.
//
// If ctx ends during the grid, the result is the best policy on the cases
// measured so far, provided they are enough to tune on. If it ends later, the
// result is the best policy so far, compared with fewer flips than in an Evaluation.
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
			break
		}
	}
	made, err := t.tuning(ctx)
	if err != nil && ctx.Err() != nil {
		return t.tuning(ctx)
	}
	return made, err
}

// deal distributes cases over k folds so that all cases of a group are in the
// same fold. groups holds the group of each case, and the result the fold of
// each, 0 to k-1. The groups are shuffled by seed, and each goes to the fold
// with the fewest cases so far. A k below 1 counts as 1, and one above the
// number of groups as that number.
func deal(groups []string, k int, seed uint64) []int {
	size := map[string]int{}
	var names []string // in order of first appearance
	for _, g := range groups {
		if size[g]++; size[g] == 1 {
			names = append(names, g)
		}
	}
	k = max(1, min(k, len(names)))
	rng := rand.New(rand.NewPCG(seed, uint64(k)))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	cases, foldOf := make([]int, k), map[string]int{}
	for _, g := range names {
		f := slices.Index(cases, slices.Min(cases))
		foldOf[g] = f
		cases[f] += size[g]
	}
	all := make([]int, len(groups))
	for i, g := range groups {
		all[i] = foldOf[g]
	}
	return all
}
