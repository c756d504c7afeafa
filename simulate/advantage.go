package simulate

import (
	"context"
	"errors"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Cause is a single reason why one policy is worth less than another.
type Cause uint8

// The causes. Each is proven by a dry run of the worse policy without it.
const (
	NoSingleCause  Cause = iota
	BucketRounding       // sizes are rounded up to buckets
	ShareQuotas          // shares of the room are left unused
	CountQuotas          // counts by kind force items in, or keep them out
	LargeItem            // one item takes the room of others that are worth more together
)

// Advantage says why a result is worth more than another result of the same
// items at the same budget.
type Advantage struct {
	Cause Cause
	// Tokens is the part of the room that the worse result leaves unused
	// (BucketRounding, ShareQuotas), or the size of the item. It is 0 for
	// CountQuotas.
	Tokens model.Tokens
	Item   int // the index of the item; LargeItem only
	// Remove takes the cause away from a policy; nil for LargeItem and NoSingleCause.
	Remove func(p *model.Policy)
	// Without is the value that the worse policy reaches without the cause,
	// which is at least the value of the better one. All items count with the
	// scores they had before, because scorers that rate items against each
	// other give other scores once an item is missing.
	Without float64
}

// ErrScoredDifferently is returned if the values of two results cannot be
// compared because their policies score some item differently.
var ErrScoredDifferently = errors.New("the policies score the items differently: their values cannot be compared")

// triedItems bounds the items that ExplainAdvantage takes for the large one.
const triedItems = 8

// ExplainAdvantage finds the single cause of the lower value of worse,
// which must be a report of the given ranking. It takes away one possible
// cause after the other, in the order of the constants, runs the pipeline
// again, and returns the first without which worse is at least as good as
// better. If there is none, the Cause is NoSingleCause.
//
// It ranks and runs up to ten times, and passes over a cause without which the
// run fails, for example because a knapsack's table is too large. The error is
// ErrScoredDifferently, ctx's, or an error of ranking again.
func ExplainAdvantage(ctx context.Context, better, worse *model.Report, of *pipeline.Ranking) (Advantage, error) {
	if !slices.Equal(better.Scores, worse.Scores) {
		return Advantage{}, ErrScoredDifferently
	}
	p, unused := of.Policy(), max(0, worse.Effective.Target-worse.SlicedTokens)
	var tries []Advantage
	if p.Slicer.InBuckets() && p.Bucket() > 1 {
		tries = append(tries, Advantage{Cause: BucketRounding, Tokens: unused, Remove: func(p *model.Policy) { p.BucketSize = 1 }})
	}
	if len(p.Quotas) > 0 {
		tries = append(tries, Advantage{Cause: ShareQuotas, Tokens: unused, Remove: func(p *model.Policy) { p.Quotas = nil }})
	}
	if len(p.CountQuotas) > 0 {
		tries = append(tries, Advantage{Cause: CountQuotas, Remove: func(p *model.Policy) { p.CountQuotas, p.Scarcity = nil, "" }})
	}
	only := Compare(better, worse).OnlyB
	sort.SliceStable(only, func(i, k int) bool {
		return worse.Taken(int(only[i])) > worse.Taken(int(only[k]))
	})
	for _, i := range only[:min(len(only), triedItems)] {
		if !worse.Items.Pinned(int(i)) {
			tries = append(tries, Advantage{Cause: LargeItem, Tokens: worse.Taken(int(i)), Item: int(i)})
		}
	}
	for _, try := range tries {
		value, ok, err := valueWithout(ctx, worse, of, try)
		if err != nil {
			return Advantage{}, err
		}
		if ok && value >= better.Value {
			try.Without = value
			return try, nil
		}
	}
	return Advantage{}, nil
}

// valueWithout returns the value that worse has without the cause, or false if that run fails.
func valueWithout(ctx context.Context, worse *model.Report, of *pipeline.Ranking, a Advantage) (float64, bool, error) {
	r := of
	var err error
	if a.Cause == LargeItem {
		r, err = Edited(ctx, of, Dropping(of.Items(), a.Item))
	} else {
		p := of.Policy().Clone()
		a.Remove(&p)
		var pipe *pipeline.Pipeline
		if pipe, err = pipeline.New(p); err == nil {
			r, err = pipe.RankLike(ctx, of, of.Items())
		}
	}
	if err != nil {
		return 0, false, err
	}
	report, err := r.DryRunContext(ctx, worse.Budget)
	if ctx.Err() != nil {
		return 0, false, ctx.Err()
	}
	if err != nil {
		return 0, false, nil // a table that is too large, an overflow: no proof
	}
	if a.Cause != LargeItem {
		return report.Value, true, nil // no scorer sees the difference
	}
	sum := 0.0
	for i := range report.Codes {
		if report.In(i) && worse.Codes[i] != model.Pinned {
			sum += worse.Scores[i] * report.Share(i)
		}
	}
	return sum, true, nil
}
