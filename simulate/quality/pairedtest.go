package quality

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// The paired test of two policies over the same cases.
//
// If two policies are as good as each other, then the difference of each case
// could as well have had the other sign. Cases of one group, questions over one
// conversation, hang together, so that their differences flip sign together.
// With D_g the sum of the differences of group g and N_g its number of cases, a
// flip s of signs gives
//
//	S(s) = sum of s_g * D_g
//
// and p is the share of all flips with |S(s)| at least |S|, the sum as it was
// observed. All 2^n flips are taken up to exactGroups groups; beyond that,
// draws says how many are drawn, and p = (1 + b) / (1 + draws) (R. A. Fisher, The Design
// of Experiments, 1935, section 21; E. J. G. Pitman, 1937).
//
// The interval is all mean differences d that the same flips do not reject: those
// for which more than 5 % of the flips have |S(s) - d*N(s)| >= |S - d*N|. For one
// flip that holds between two values of d, where both sides are equal:
//
//	(S - S(s)) / (N - N(s))   and   (S + S(s)) / (N + N(s))
//
// with the observed mean between them. So the ends of the interval are order
// statistics of those values, and no search is needed.

// exactGroups is the largest number of groups for which drawnFlips takes all
// sign flips. With more groups it takes draws of them, chosen at random.
const exactGroups, draws = 20, 100_000

// Level is the accepted probability of error of intervals and recommendations:
// 5 percent.
const Level = 0.05

// difference is what one case adds to a comparison: the measure of the policy
// less the measure of the baseline, and the group of the case.
type difference struct {
	Group string
	By    float64
}

// Comparison compares a policy with the baseline over the same cases. Win, Tie
// and Loss count the cases in which the policy is better, equal or worse.
type Comparison struct {
	Win, Tie, Loss int
	Groups         int
	Mean           float64 // the mean difference over the cases
	// Low and High are the ends of the 95 % interval of Mean. They are -Inf
	// and +Inf if there are too few groups to reject any mean.
	Low, High float64
	P         float64 // two-sided
	MinP      float64 // the smallest value that P can take with this many groups
	Adjusted  float64 // P after Holm, over all policies that are compared; P if there is only one
}

// flipping says which flips a test takes: all flips of at most groups groups; of
// more groups, draws flips that are drawn at random.
type flipping struct{ groups, draws int }

var (
	drawnFlips = flipping{exactGroups, draws}
	exactFlips = flipping{8, 1000} // quick, however many groups there are
)

// compare tests differences by flipping signs, group by group. Flips that are
// drawn at random depend on seed only. The error is ctx's, or reports a
// difference that is not finite. Without differences P is 1. Up to f.groups
// groups it takes O(2^groups), beyond that O(f.draws * groups), and it sorts as many
// numbers as there are flips.
func (f flipping) compare(ctx context.Context, all []difference, seed uint64) (Comparison, error) {
	c := Comparison{P: 1, MinP: 1, Adjusted: 1, Low: math.Inf(-1), High: math.Inf(1)}
	at := map[string]int{}
	var groups []groupSum
	total := 0.0
	for i, d := range all {
		if math.IsNaN(d.By) || math.IsInf(d.By, 0) {
			return c, fmt.Errorf("difference %d is %v, must be finite", i, d.By)
		}
		switch {
		case d.By > 0:
			c.Win++
		case d.By < 0:
			c.Loss++
		default:
			c.Tie++
		}
		k, ok := at[d.Group]
		if !ok {
			k = len(groups)
			at[d.Group] = k
			groups = append(groups, groupSum{})
		}
		groups[k].sum += d.By
		groups[k].cases++
		total += d.By
	}
	if c.Groups = len(groups); c.Groups == 0 {
		return c, nil
	}
	c.Mean = total / float64(len(all))
	flips := f.of(ctx, groups, seed)
	if err := ctx.Err(); err != nil {
		return c, err
	}
	c.MinP = 2 / float64(2*len(flips))
	c.P, c.Low, c.High = evaluate(groups, flips)
	c.Adjusted = c.P
	return c, ctx.Err()
}

// groupSum holds the sums over a group: D_g and N_g.
type groupSum struct{ sum, cases float64 }

func (a groupSum) plus(b groupSum, sign float64) groupSum {
	return groupSum{a.sum + sign*b.sum, a.cases + sign*b.cases}
}

// of returns S(s) and N(s) for the flips taken, the observed one first, and fewer
// once ctx is cancelled. A flip and its opposite always count alike, so where all flips
// are taken, only the half that does not flip the first group is listed.
func (f flipping) of(ctx context.Context, groups []groupSum, seed uint64) []groupSum {
	if len(groups) > f.groups {
		return f.drawn(ctx, groups, seed)
	}
	// All flips of a half of the groups, twice, so that no sum is added up from
	// more than a few roundings.
	half := len(groups) / 2
	left, right := allFlips(groups[:half], half > 0), allFlips(groups[half:], half == 0)
	all := make([]groupSum, 0, len(left)*len(right))
	for _, a := range left {
		for _, b := range right {
			all = append(all, a.plus(b, 1))
		}
	}
	return all
}

// allFlips returns all flips of some groups, or with fixed only the half that does not
// flip the first group.
func allFlips(groups []groupSum, fixed bool) []groupSum {
	all := []groupSum{{}}
	for i, g := range groups {
		n := len(all)
		if fixed && i == 0 {
			all[0] = all[0].plus(g, 1)
			continue
		}
		for k := range n {
			all = append(all, all[k].plus(g, -1))
			all[k] = all[k].plus(g, 1)
		}
	}
	return all
}

func (f flipping) drawn(ctx context.Context, groups []groupSum, seed uint64) []groupSum {
	rng := rand.New(rand.NewPCG(seed, uint64(len(groups))))
	all := make([]groupSum, 1, 1+f.draws)
	for _, g := range groups {
		all[0] = all[0].plus(g, 1)
	}
	for i := range f.draws {
		if i%64 == 0 && ctx.Err() != nil {
			break
		}
		var s groupSum
		bits := uint64(0)
		for i, g := range groups {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			s = s.plus(g, 1-2*float64(bits&1))
			bits >>= 1
		}
		all = append(all, s)
	}
	return all
}

// evaluate returns p and the interval. The first of the flips is the observed one.
func evaluate(groups []groupSum, flips []groupSum) (p, low, high float64) {
	observed := flips[0]
	noise := 0.0 // sums that differ by less are equal but for rounding
	for _, g := range groups {
		noise += math.Abs(g.sum) * 1e-12
	}
	mean := observed.sum / observed.cases
	as := 0
	lows, highs := make([]float64, len(flips)), make([]float64, len(flips))
	for i, s := range flips {
		if math.Abs(s.sum) >= math.Abs(observed.sum)-noise {
			as++
		}
		a := (observed.sum - s.sum) / (observed.cases - s.cases)
		b := (observed.sum + s.sum) / (observed.cases + s.cases)
		if both := a + b; math.IsInf(both, 0) || math.IsNaN(both) { // never rejected
			lows[i], highs[i] = math.Inf(-1), math.Inf(1)
			continue
		}
		lows[i], highs[i] = min(a, b, mean), max(a, b, mean)
	}
	slices.Sort(lows)
	slices.Sort(highs)
	k := int(Level * float64(len(flips)))
	return float64(as) / float64(len(flips)), lows[k], highs[len(highs)-1-k]
}

// holm adjusts p-values that are tested together, so that the probability of
// any error at all stays what it is for a single test (S. Holm, 1979). The
// result is in the order of p.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	last := 0.0
	for rank, i := range order {
		last = max(last, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = last
	}
	return adjusted
}
