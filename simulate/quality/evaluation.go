package quality

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sort"

	"cupelscope/model"
)

// Evaluation is the result of Evaluate: several policies over many cases.
type Evaluation struct {
	Cases       int
	Labelled    int // cases in which something was needed
	Answerable  int // cases with answers
	Groups      int // groups of the labelled cases
	Unreachable int // labels that name no item
	Policies    []Evaluated
	At          []At
	cases       []caseResult
}

// Evaluated is a policy, with the budgets that it needs for the wanted recall.
type Evaluated struct {
	Named
	Added    bool     // Evaluate added it as a baseline; it is not in Options.Policies
	NotCupel []string // the parts of the policy that are not Cupel's; see model.Policy.NotCupel
	Reaches  Spread
	Holds    Spread
}

// Spread summarizes budgets over the labelled cases. A case that has no such
// budget counts as infinite: Median or P90 is not set if it is infinite.
type Spread struct {
	Median, P90 model.Option[model.Tokens] // the smallest budget that is enough for 50 and 90 percent of the cases
	Never       int                        // cases without such a budget
}

// At is the results of all policies at one budget, in the order of
// Evaluation.Policies.
type At struct {
	Amount   Amount
	Policies []Result
}

// Result is the result of a policy at one budget: means over the cases.
type Result struct {
	Recall, Complete, Answered, ShareNeeded Mean
	WholeRecall                             Mean // the same as Recall where no item may be cut
	Tokens, Value                           Mean
	BelowBest                               Mean // how far Value is below the best possible, as a share of the best
	// Versus compares the recall with the baseline's; it is not set for
	// the baseline.
	Versus model.Option[Comparison]
}

// Mean is the mean of a measure over the cases to which it applies.
type Mean struct {
	Value float64 // 0 without cases
	Cases int
}

func (m *Mean) add(v model.Option[float64]) {
	if v.Set {
		m.Cases++
		m.Value += (v.Value - m.Value) / float64(m.Cases)
	}
}

// caseResult holds the results of a case.
type caseResult struct {
	name, group string
	question    string
	index       int
	labelled    bool
	answerable  bool
	unreachable int
	budgets     []model.Tokens // by Options.At
	at          [][]measured   // by Options.At and policy
	reaches     []model.Option[model.Tokens]
	holds       []model.Option[model.Tokens]
}

type measured struct {
	Measure
	below model.Option[float64]
}

// evaluation sums up all cases.
func (e *evaluator) evaluation(ctx context.Context, all []caseResult) (*Evaluation, error) {
	sum := &Evaluation{Cases: len(all), cases: all}
	groups := map[string]bool{}
	for _, r := range all {
		sum.Unreachable += r.unreachable
		if r.answerable {
			sum.Answerable++
		}
		if r.labelled {
			sum.Labelled++
			groups[r.group] = true
		}
	}
	sum.Groups = len(groups)
	for k, n := range e.named {
		sum.Policies = append(sum.Policies, Evaluated{
			Named: n, Added: e.added[k], NotCupel: n.Policy.NotCupel(),
			Reaches: spread(all, func(r *caseResult) model.Option[model.Tokens] { return r.reaches[k] }),
			Holds:   spread(all, func(r *caseResult) model.Option[model.Tokens] { return r.holds[k] }),
		})
	}
	for i, amount := range e.At {
		at := At{Amount: amount}
		var ps []float64
		for k := range e.named {
			result := meansOf(all, i, k)
			if k > 0 {
				versus, err := drawnFlips.compare(ctx, differences(all, i, k), e.Seed)
				if err != nil {
					return nil, err
				}
				result.Versus = model.Some(versus)
				ps = append(ps, versus.P)
			}
			at.Policies = append(at.Policies, result)
		}
		for k, p := range holm(ps) {
			at.Policies[k+1].Versus.Value.Adjusted = p
		}
		sum.At = append(sum.At, at)
	}
	return sum, nil
}

func meansOf(all []caseResult, at, policy int) Result {
	var r Result
	for i := range all {
		m := &all[i].at[at][policy]
		r.Recall.add(m.Recall)
		r.WholeRecall.add(m.WholeRecall)
		r.Complete.add(Share(m.Complete))
		r.Answered.add(Share(m.Answered))
		r.ShareNeeded.add(m.ShareNeeded)
		r.Tokens.add(model.Some(float64(m.Tokens)))
		r.Value.add(model.Some(m.Value))
		r.BelowBest.add(m.below)
	}
	return r
}

// differences returns the recall of a policy less the baseline's, for each labelled
// case.
func differences(all []caseResult, at, policy int) []difference {
	var list []difference
	for i := range all {
		r := &all[i]
		if own := r.at[at][policy].Recall; own.Set {
			list = append(list, difference{r.group, own.Value - r.at[at][0].Recall.Value})
		}
	}
	return list
}

func spread(all []caseResult, of func(*caseResult) model.Option[model.Tokens]) Spread {
	var s Spread
	var known []model.Tokens
	cases := 0
	for i := range all {
		if !all[i].labelled {
			continue
		}
		cases++
		if b := of(&all[i]); b.Set {
			known = append(known, b.Value)
		} else {
			s.Never++
		}
	}
	slices.Sort(known)
	percentile := func(share float64) model.Option[model.Tokens] {
		k := int(math.Ceil(share*float64(cases))) - 1
		if k < 0 || k >= len(known) {
			return model.Option[model.Tokens]{}
		}
		return model.Some(known[k])
	}
	s.Median, s.P90 = percentile(0.5), percentile(0.9)
	return s
}

// CaseResult is the result of a policy in a case, at one budget.
type CaseResult struct {
	Case, Question string
	Group          string       // the same for cases that depend on each other
	Index          int          // of the case, from 0, among those that were evaluated
	At, Policy     int          // in Evaluation.At and Evaluation.Policies
	Budget         model.Tokens // the maxTokens that it was evaluated at
	Measure
	BelowBest  model.Option[float64]
	Difference float64 // the recall less the baseline's; 0 where nothing was needed
}

// result returns the result of case i.
func (e *Evaluation) result(i, at, policy int) CaseResult {
	r := &e.cases[i]
	m := r.at[at][policy]
	return CaseResult{
		Case: r.name, Question: r.question, Group: r.group, Index: r.index, At: at, Policy: policy, Budget: r.budgets[at],
		Measure: m.Measure, BelowBest: m.below, Difference: m.Recall.Value - r.at[at][0].Recall.Value,
	}
}

// ByCase yields every result of every case: by case, then by budget, then by policy. Means
// over cases of several evaluations put together equal the means of one over all.
func (e *Evaluation) ByCase() iter.Seq[CaseResult] {
	return func(yield func(CaseResult) bool) {
		for i := range e.cases {
			for at := range e.At {
				for policy := range e.Policies {
					if !yield(e.result(i, at, policy)) {
						return
					}
				}
			}
		}
	}
}

// Worst returns up to n labelled cases, the worst first, for the budget
// Options.At[at] and the policy Policies[policy]. Cases are in order of
// recall, then of the loss against the baseline, then of their position. It
// panics if an index is out of range.
func (e *Evaluation) Worst(at, policy, n int) []CaseResult {
	return e.minCases(at, policy, n, func(r CaseResult) bool { return true }, func(a, b CaseResult) int {
		return cmp.Or(cmp.Compare(a.Recall.Value, b.Recall.Value), cmp.Compare(a.Difference, b.Difference))
	})
}

// Worse returns up to n labelled cases in which a policy has a lower recall than the
// baseline, as Worst does: in order of the loss, then of their position.
func (e *Evaluation) Worse(at, policy, n int) []CaseResult {
	return e.minCases(at, policy, n, func(r CaseResult) bool { return r.Difference < 0 }, func(a, b CaseResult) int {
		return cmp.Compare(a.Difference, b.Difference)
	})
}

// minCases returns the first n of the labelled cases that keep holds for, in order.
func (e *Evaluation) minCases(at, policy, n int, keep func(CaseResult) bool, order func(a, b CaseResult) int) []CaseResult {
	var all []CaseResult
	for i := range e.cases {
		if r := e.result(i, at, policy); r.Recall.Set && keep(r) {
			all = append(all, r)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return order(all[i], all[j]) < 0 })
	return all[:min(n, len(all))]
}
