package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
)

// Named is a policy by the name that results tell.
type Named struct {
	Name   string
	Policy model.Policy
}

// DefaultWanted is the recall for which budgets are told unless another is asked
// for.
const DefaultWanted = 0.9

// Options say what to evaluate.
type Options struct {
	// Policies to compare, the first being the baseline. Rank and Prefix with the
	// baseline's scorers are added where no policy has that name.
	Policies []Named
	At       []Amount     // budgets, at least one
	Wanted   float64      // recall for which budgets are told, above 0 to 1; 0: DefaultWanted
	AxisEnd  model.Tokens // how far budgets are looked at; 0: as simulate.AxisEnd says
	Best     bool         // also the best possible value
	Seed     uint64       // of the flips that are drawn
	// Processors that work at once; 0: all.
	Processors int
	// Progress receives how many cases are done; nil: progress is not reported. It is called from
	// another goroutine, one call after the other.
	Progress func(cases int)
}

// Evaluation is several policies over many cases.
type Evaluation struct {
	Cases       int
	Labelled    int // cases in which something was needed
	Answerable  int // cases with answers
	Groups      int // of the labelled cases
	Unreachable int // labels that name no item
	Policies    []Evaluated
	At          []At
	cases       []caseResult
}

// Evaluated is a policy and the budgets that it takes for the wanted recall.
type Evaluated struct {
	Named
	Added    bool     // it was not asked for: a baseline of ours
	NotCupel []string // what in it is not Cupel's; see model.Policy.NotCupel
	Reaches  Spread
	Holds    Spread
}

// Spread is budgets over the labelled cases. A case in which there is no such
// budget counts as infinite: Median or P90 is not set where it is.
type Spread struct {
	Median, P90 model.Option[model.Tokens] // the least budget that is enough for half, and 90 %, of the cases
	Never       int                        // cases without such a budget
}

// At is all policies at one budget, in the order of Evaluation.Policies.
type At struct {
	Amount   Amount
	Policies []Result
}

// Result is a policy at one budget: means over cases.
type Result struct {
	Recall, Complete, Answered, ShareNeeded Mean
	Tokens, Value                           Mean
	BelowBest                               Mean // by how much Value is below the best possible, as a share of that
	// Versus compares the recall with the baseline's; not set for the baseline.
	Versus model.Option[Comparison]
}

// Mean is the mean of a measure over the cases to which it applies.
type Mean struct {
	Value   float64 // 0 without cases
	Cases   int
	Without int // cases to which it does not apply
}

func (m *Mean) add(v float64, applies bool) {
	if !applies {
		m.Without++
		return
	}
	m.Cases++
	m.Value += (v - m.Value) / float64(m.Cases)
}

// caseResult is what is kept of a case.
type caseResult struct {
	name, group string
	index       int
	labelled    bool
	answerable  bool
	unreachable int
	at          [][]measured // by Options.At and policy
	reaches     []model.Option[model.Tokens]
	holds       []model.Option[model.Tokens]
}

type measured struct {
	Measure
	below model.Option[float64]
}

// withBaselines is the policies that Evaluate compares: those asked for, then rank and
// prefix where no policy has that name. These two have all of the baseline but
// its slicer and quotas, and added is true for them.
func (o Options) withBaselines() (all []Named, added []bool) {
	all, added = slices.Clone(o.Policies), make([]bool, len(o.Policies))
	for _, s := range []model.SlicerType{model.Rank, model.Prefix} {
		if slices.ContainsFunc(all, func(n Named) bool { return n.Name == string(s) }) {
			continue
		}
		all, added = append(all, Named{string(s), withSlicer(o.Policies[0].Policy, s, 0)}), append(added, true)
	}
	return all, added
}

// withSlicer is a policy with another slicer and without quotas.
func withSlicer(p model.Policy, s model.SlicerType, bucket model.Tokens) model.Policy {
	p = p.Clone()
	p.Slicer, p.BucketSize, p.BatchSize = s, bucket, 0
	p.Quotas, p.CountQuotas, p.Scarcity = nil, nil, ""
	return p
}

// Evaluate runs all policies over all cases at all budgets. Cases are dropped
// once they are measured. The error names the option, or the case and the
// policy; or it is ctx's, or that of the source of cases.
func Evaluate(ctx context.Context, cases Cases, o Options) (*Evaluation, error) {
	e, err := newEvaluator(o)
	if err != nil {
		return nil, err
	}
	var all []caseResult
	err = each(ctx, cases, o.Processors, e.measure, func(index int, c *Case, r caseResult) {
		r.name, r.group, r.index = c.Name, c.group(index), index
		if all = append(all, r); o.Progress != nil {
			o.Progress(len(all))
		}
	})
	if err != nil {
		return nil, err
	}
	return e.evaluation(all)
}

// evaluator is Options made ready.
type evaluator struct {
	Options
	named []Named
	added []bool
	pipes []*pipeline.Pipeline
	like  []int // by policy: the first one with its scorers
}

func newEvaluator(o Options) (*evaluator, error) {
	switch {
	case len(o.Policies) == 0:
		return nil, errors.New("evaluate: at least one policy is required")
	case len(o.At) == 0:
		return nil, errors.New("evaluate: at least one budget is required")
	case o.Wanted == 0:
		o.Wanted = DefaultWanted
	case !(o.Wanted > 0 && o.Wanted <= 1):
		return nil, fmt.Errorf("evaluate: the wanted recall is %v, must be above 0 and at most 1", o.Wanted)
	}
	if o.AxisEnd < 0 || o.AxisEnd > model.MaxTokens {
		return nil, fmt.Errorf("evaluate: the axis end is %d, must be 0 to %v", int64(o.AxisEnd), model.MaxTokens)
	}
	e := &evaluator{Options: o}
	e.named, e.added = o.withBaselines()
	for i, n := range e.named {
		pipe, err := pipeline.New(n.Policy)
		if err != nil {
			return nil, fmt.Errorf("policy %.80q: %w", n.Name, err)
		}
		e.pipes = append(e.pipes, pipe)
		e.like = append(e.like, slices.IndexFunc(e.named[:i+1], func(m Named) bool {
			return m.Policy.Deduplicate == n.Policy.Deduplicate && reflect.DeepEqual(m.Policy.Scorers, n.Policy.Scorers)
		}))
	}
	return e, nil
}

// measure runs all policies over one case.
func (e *evaluator) measure(ctx context.Context, c *Case) (caseResult, error) {
	r := caseResult{answerable: len(c.Labels.Answers) > 0, unreachable: c.Labels.Unreachable, labelled: len(c.Labels.Needed()) > 0}
	if err := c.Labels.Validate(c.Items.Len()); err != nil {
		return r, err
	}
	answering := answersIn(c.Items, c.Labels.Answers)
	budgets := make([]model.Tokens, len(e.At))
	r.at = make([][]measured, len(e.At))
	for i, a := range e.At {
		budgets[i], r.at[i] = a.Of(c.Items), make([]measured, len(e.pipes))
	}
	end, err := e.axisEnd(c, slices.Max(budgets))
	if err != nil {
		return r, err
	}
	rankings := make([]*pipeline.Ranking, len(e.pipes))
	for k, pipe := range e.pipes {
		fail := func(err error) (caseResult, error) {
			return r, fmt.Errorf("policy %.80q: %w", e.named[k].Name, err)
		}
		if rankings[k], err = pipe.RankLike(ctx, rankings[e.like[k]], c.Items); err != nil {
			return fail(err)
		}
		judge := newJudge(rankings[k], c.Labels, answering)
		best, err := e.best(ctx, rankings[k], c, slices.Max(budgets))
		if err != nil {
			return fail(err)
		}
		for i, b := range budgets {
			report, err := dryRun(ctx, rankings[k], c.Budget, b)
			if err != nil {
				return fail(err)
			}
			m := measured{Measure: judge.Measure(report)}
			if best != nil {
				m.below = model.Some(0.0)
				if report != nil {
					m.below = model.Some(best.BelowBest(report.Value, slicer.Target(report.Effective.Target)))
				}
			}
			r.at[i][k] = m
		}
		if !r.labelled {
			continue
		}
		reaches, holds, err := e.budgetsFor(ctx, rankings[k], judge, c, end)
		if err != nil {
			return fail(err)
		}
		r.reaches, r.holds = append(r.reaches, reaches), append(r.holds, holds)
	}
	return r, nil
}

// dryRun is the report at a budget; nil where nothing runs.
func dryRun(ctx context.Context, r *pipeline.Ranking, template model.Budget, tokens model.Tokens) (*model.Report, error) {
	b, err := template.At(tokens)
	if err == nil {
		var report *model.Report
		if report, err = r.DryRunContext(ctx, b); err == nil {
			return report, nil
		}
	}
	if runs(err) {
		return nil, err
	}
	return nil, nil
}

// axisEnd is how far budgets are looked at: for all policies alike.
func (e *evaluator) axisEnd(c *Case, largest model.Tokens) (model.Tokens, error) {
	if e.AxisEnd > 0 {
		return e.AxisEnd, nil
	}
	b, err := c.Budget.At(max(largest, c.Budget.OutputReserve()))
	if err != nil {
		return 0, err
	}
	end := model.Tokens(0)
	for _, n := range e.named {
		one, err := simulate.AxisEnd(c.Items, n.Policy, b)
		if err != nil {
			return 0, err
		}
		end = max(end, one)
	}
	return end, nil
}

// best is the best possible value at every target up to that of a budget; nil
// where it is not asked for or takes too much memory.
func (e *evaluator) best(ctx context.Context, r *pipeline.Ranking, c *Case, largest model.Tokens) (*simulate.Optimum, error) {
	b, err := c.Budget.At(largest)
	if !e.Best || err != nil {
		return nil, nil // the budget does not run
	}
	best, err := simulate.NewOptimum(ctx, r, slicer.Target(b.Effective(r.PinnedTokens()).Target))
	if _, large := errors.AsType[*simulate.OptimumError](err); large {
		return nil, nil
	}
	return best, err
}

// budgetsFor is the budgets that reach and hold the wanted recall.
func (e *evaluator) budgetsFor(ctx context.Context, r *pipeline.Ranking, j *Judge, c *Case, end model.Tokens) (reaches, holds model.Option[model.Tokens], err error) {
	axis, err := simulate.NewAxis(c.Budget, r.PinnedTokens(), r.Policy().Overflow, end)
	if err != nil {
		return reaches, holds, err
	}
	profile, err := simulate.NewProfile(ctx, r, axis)
	if err != nil {
		return reaches, holds, err
	}
	curve := NewCurve(profile, j)
	if b, ok := curve.Reaches(e.Wanted); ok {
		reaches = model.Some(b)
	}
	if b, ok := curve.Holds(e.Wanted); ok {
		holds = model.Some(b)
	}
	return reaches, holds, nil
}

// evaluation sums up all cases.
func (e *evaluator) evaluation(all []caseResult) (*Evaluation, error) {
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
				versus, err := Compare(differences(all, i, k), e.Seed)
				if err != nil {
					return nil, err
				}
				result.Versus = model.Some(versus)
				ps = append(ps, versus.P)
			}
			at.Policies = append(at.Policies, result)
		}
		for k, p := range Holm(ps) {
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
		r.Recall.add(m.Recall.Value, m.Recall.Set)
		r.Complete.add(fraction(m.Complete.Value), m.Complete.Set)
		r.Answered.add(fraction(m.Answered.Value), m.Answered.Set)
		r.ShareNeeded.add(m.ShareNeeded.Value, m.ShareNeeded.Set)
		r.Tokens.add(float64(m.Tokens), true)
		r.Value.add(m.Value, true)
		r.BelowBest.add(m.below.Value, m.below.Set)
	}
	return r
}

func fraction(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// differences is the recall of a policy less the baseline's, by labelled case.
func differences(all []caseResult, at, policy int) []Difference {
	var list []Difference
	for i := range all {
		r := &all[i]
		if own := r.at[at][policy].Recall; own.Set {
			list = append(list, Difference{r.group, own.Value - r.at[at][0].Recall.Value})
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

// Worst is a case in which a policy does badly.
type Worst struct {
	Case       string
	Recall     float64
	Difference float64 // to the baseline's recall
}

// Worst lists up to n labelled cases at a budget of Options.At, those with the
// least recall under a policy first, of equal recall those that lose the most
// against the baseline, and then in the order of the cases.
func (e *Evaluation) Worst(at, policy, n int) []Worst {
	var all []Worst
	for i := range e.cases {
		r := &e.cases[i]
		if own := r.at[at][policy].Recall; own.Set {
			all = append(all, Worst{r.name, own.Value, own.Value - r.at[at][0].Recall.Value})
		}
	}
	slices.SortStableFunc(all, func(a, b Worst) int {
		return cmp.Or(cmp.Compare(a.Recall, b.Recall), cmp.Compare(a.Difference, b.Difference))
	})
	return all[:min(n, len(all))]
}
