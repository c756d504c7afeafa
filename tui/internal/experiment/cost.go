package experiment

// All predictions of how long work takes, in microseconds on one core. They
// decide what Update does at once and what runs in the background, so being off
// by half does no harm. Their rates were measured on a 3 GHz core.

import (
	"context"
	"reflect"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/simulate/turns"
)

// reusesProfile reports whether the whole axis is already profiled.
func (q *Request) reusesProfile() bool {
	if !q.reusesRanking() || q.Previous.Profile == nil {
		return false
	}
	a, err := q.axis(q.Previous.Ranking)
	if err != nil {
		return true // nothing will be computed
	}
	_, ok := q.Previous.Profile.Along(a)
	return ok
}

// Cost returns how long Run is predicted to take, in microseconds on one core. It decides
// between doing the work at once and in the background, so it need not be exact.
func (q *Request) Cost() int {
	n := q.Items.Len()
	cost := n/50 + q.judgeCost() // report, differences
	if q.relabels() != nil {
		return cost
	}
	if !q.reusesRanking() && q.like() == nil {
		cost += n / 8
	}
	if !q.reusesProfile() {
		cost += q.slicingCost()
	}
	return cost
}

// judgeCost predicts the cost of joining the labels: a pass over the contents if there are
// answers to look for, in microseconds.
func (q *Request) judgeCost() int {
	l, p := q.Setup.Labels, q.Previous
	if len(l.Answers) == 0 || p != nil && p.Judge != nil && p.Items == q.Items && p.Setup.Labels.Equal(l) {
		return 0
	}
	return int(q.Items.Total()) / 10 // some four bytes a token, normalised at 40 MB/s
}

// slicingCost predicts the cost of the profile, in microseconds. It counts the cells to
// compute if a similar ranking is known and small enough to count them at once, and
// otherwise uses a rule of thumb.
func (q *Request) slicingCost() int {
	policy, n := q.policy(), q.Items.Len()
	rough := slicingCost(policy, q.Items, q.Setup.End())
	ranking := q.similar()
	if !policy.Slicer.InBuckets() || n > countedItems || ranking == nil {
		return rough
	}
	axis, err := q.axis(ranking)
	if err != nil {
		return rough
	}
	upTo, _ := axis.Target(axis.End())
	return rough - tableCost(policy, q.Items, q.Setup.End()) + n/8 + int(ranking.ProfileCost(upTo)/cellsPerMicrosecond)
}

const (
	// countedItems is the largest number of items for which the cells of a knapsack
	// are counted first, which takes less than half a millisecond.
	countedItems = 5000
	// cellsPerMicrosecond is how many cells are computed in a microsecond.
	cellsPerMicrosecond = 1000
)

// similar returns a ranking with the slicer of this request and the same items except for
// a few edits. It returns nil if there is none without scoring the items.
func (q *Request) similar() *pipeline.Ranking {
	policy := q.policy()
	if p := q.Previous; p != nil && p.Ranking != nil && p.Policy.Slicer == policy.Slicer && p.Policy.Bucket() == policy.Bucket() &&
		reflect.DeepEqual(p.Policy.Quotas, policy.Quotas) && reflect.DeepEqual(p.Policy.CountQuotas, policy.CountQuotas) {
		return p.Ranking
	}
	like := q.like()
	if like == nil {
		return nil
	}
	p, err := pipeline.New(policy)
	if err != nil {
		return nil
	}
	r, err := p.RankLike(context.Background(), like.Ranking, q.Items)
	if err != nil {
		return nil
	}
	return r
}

// TrialCost returns how long it is predicted to take to run the pipeline again at the
// budget of the outcome with other edits, in microseconds on one core.
func (o *Outcome) TrialCost() int {
	return trialCost(o.Policy, o.Items, o.Setup.Budget.MaxTokens)
}

// trialCost predicts the cost of running a policy anew at one budget, in microseconds.
func trialCost(policy model.Policy, items *model.Set, at model.Tokens) int {
	n := items.Len()
	cost := 20 + n/50 + n/8
	if policy.Slicer.InBuckets() {
		return cost + tableCost(policy, items, at)
	}
	return cost + n/20
}

// AdvantageCost returns how long it is predicted to take to explain why another result is
// worth more, in microseconds on one core: some runs of the pipeline, one of them with
// buckets of 1.
func (o *Outcome) AdvantageCost() int {
	cost := 10 * o.TrialCost()
	if o.Policy.Slicer.InBuckets() {
		fine := o.Policy.Clone()
		fine.BucketSize = 1
		cost += tableCost(fine, o.Items, o.Setup.Budget.MaxTokens)
	}
	return cost
}

// CurveCost returns how long it is predicted to take to list the results at all budgets
// of the outcome's profile, in microseconds on one core.
func (o *Outcome) CurveCost() int {
	return slicingCost(o.Policy, o.Items, o.Setup.End()) + o.Quality.Needed*o.BandsCost()
}

// BandsCost returns how long the bands of one item are predicted to take, in microseconds
// on one core. For a knapsack that is a pass over its table.
func (o *Outcome) BandsCost() int {
	cost := 1
	if len(o.Policy.Quotas)+len(o.Policy.CountQuotas) > 0 {
		cost = 5 * max(1, len(o.Items.Kinds()))
	}
	if o.Policy.Slicer.InBuckets() {
		words := int(o.Profile.Axis().End()/o.Policy.Bucket())/64 + 1
		cost *= 1 + words*min(o.Items.Len(), 2000)/800
	}
	return cost
}

// AllBandsCost returns how long it is predicted to take to count the bands of every item,
// in microseconds on one core. Three of four items have a single band, which costs no
// look at the table.
func (o *Outcome) AllBandsCost() int { return o.Items.Len() / 4 * (3 + o.BandsCost()) / 4 }

// RemedyCost returns how long it is predicted to take to find the ways to fix a split
// pair, in microseconds on one core.
func (o *Outcome) RemedyCost() int { return 2*o.TrialCost() + 4*o.BandsCost() }

// SplittingCost returns how long it is predicted to take to find the budgets that split
// any pair, in microseconds on one core.
func (o *Outcome) SplittingCost() int { return o.Pairs.Len() * (2 + 2*o.BandsCost()) }

// PlanCost returns how long it is predicted to take to choose and compare the windows of
// that many requests under a plan, with maxTokens at, in microseconds on one core.
func (c Conversation) PlanCost(p turns.Plan, requests int, at model.Tokens) int {
	each := 1 + c.Items.Len()/100 // half of the items had come, on average
	if p.Strategy == turns.Stateless {
		each += trialCost(p.Policy, c.Items, at) / 2
	}
	return requests * each
}

// StepsCost returns how long it is predicted to take to list the slicer's steps, in
// microseconds on one core.
func (o *Outcome) StepsCost() int {
	cost := o.Items.Len() / 10
	if o.Policy.Slicer.InBuckets() {
		cost *= 2
	}
	return cost
}

// ReasonsCost returns how long Explain is predicted to take, in microseconds on one core:
// greedy selects once, the others list their steps.
func (o *Outcome) ReasonsCost() int {
	if o.Policy.Slicer.Order() == model.OrderByDensity && len(o.Policy.Quotas)+len(o.Policy.CountQuotas) == 0 {
		return 20
	}
	return o.StepsCost()
}

// FindCost returns how long it is predicted to take to search that many contents, of
// that many bytes in all, in microseconds on one core.
func FindCost(contents, bytes int) int { return 10 + bytes/3000 + contents/20 }

// BoundCost returns how long it is predicted to take to bound the best value of that many
// candidates, in microseconds on one core.
func BoundCost(candidates int) int { return 1 + candidates/25 }

// PlanCost returns how long it is predicted to take to plan the optimum of that many
// candidates, in microseconds on one core.
func PlanCost(candidates int) int { return 50 + candidates/2 }

// OptimumCost returns how long it is predicted to take to compute that many cells of an
// optimum, in microseconds on one core.
func OptimumCost(cells int64) int { return 50 + int(cells/cellsPerMicrosecond) }

// slicingCost predicts the cost of profiling a slicer up to end, in microseconds.
func slicingCost(policy model.Policy, items *model.Set, end model.Tokens) int {
	n, upTo := items.Len(), int(min(end, items.Total(), 1<<32))
	cost := n/20 + min(upTo, 8*n)/50
	if policy.Slicer.InBuckets() {
		cost = tableCost(policy, items, end)
	}
	if len(policy.Quotas) > 0 {
		cost += upTo / 30 * len(items.Kinds())
	}
	return cost
}

// tableCost predicts the cost of a knapsack's table up to end, in microseconds.
func tableCost(policy model.Policy, items *model.Set, end model.Tokens) int {
	return tableCells(policy, items, end)/cellsPerMicrosecond + items.Len()/8
}

// tableCells predicts the number of cells of a knapsack's table up to end. The row cut
// leaves few of them if there are many rows.
func tableCells(policy model.Policy, items *model.Set, end model.Tokens) int {
	capacity := int(min(end, items.Total(), 1<<32)) / int(policy.Bucket())
	return capacity / 2 * min(items.Len(), 2000)
}

// largeTable reports whether the profile of a policy up to end has a table of a megabyte
// or more.
func largeTable(policy model.Policy, items *model.Set, end model.Tokens) bool {
	return policy.Slicer.InBuckets() && tableCells(policy, items, end) > 8<<20
}
