package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
)

// Named is a policy with the name under which results show it.
type Named struct {
	Name   string
	Policy model.Policy
}

// DefaultWanted is the wanted recall if no other is set.
const DefaultWanted = 0.9

// Options says what to evaluate.
type Options struct {
	// Policies are the policies to compare, at least one; the first is the
	// baseline. Policies named rank and prefix, with the scorers of the
	// baseline, are added if no policy has that name.
	Policies []Named
	At       []Amount     // budgets, at least one
	Wanted   float64      // the recall whose budgets are Reaches and Holds, above 0 to 1; 0: DefaultWanted
	Ceiling  model.Tokens // the largest budget that Reaches and Holds consider; 0: chosen by simulate.Ceiling
	Best     bool         // also compute the best possible value, for Result.BelowBest
	Seed     uint64       // the seed for drawing sign flips; see Comparison
	// Processors is the number of cases that are worked on at once; 0: one for
	// each processor.
	Processors int
	// Progress, if not nil, is called with the number of cases done. The calls
	// come from another goroutine, one after the other.
	Progress func(cases int)
}

// withBaselines returns the policies that Evaluate compares: those asked for, then
// rank and prefix unless a policy has that name. Those two equal the baseline except
// for its slicer and quotas, and added is true for them.
func (o Options) withBaselines() (all []Named, added []bool) {
	all, added = slices.Clone(o.Policies), make([]bool, len(o.Policies))
	for _, s := range model.SlicerTypes() {
		if !s.Ours() || slices.ContainsFunc(all, func(n Named) bool { return n.Name == string(s) }) {
			continue
		}
		all, added = append(all, Named{string(s), withSlicer(o.Policies[0].Policy, s, 0)}), append(added, true)
	}
	return all, added
}

// withSlicer returns p with another slicer and without quotas.
func withSlicer(p model.Policy, s model.SlicerType, bucket model.Tokens) model.Policy {
	p = p.Clone()
	p.Slicer, p.BucketSize, p.BatchSize = s, bucket, 0
	p.Quotas, p.CountQuotas, p.Scarcity = nil, nil, ""
	return p
}

// Evaluate runs all policies over all cases at all budgets. A case is dropped
// once it is measured. The error names the invalid option, or the case and the
// policy that failed; or it is ctx's, or from the source of the cases.
func Evaluate(ctx context.Context, cases Cases, o Options) (*Evaluation, error) {
	e, err := newEvaluator(o)
	if err != nil {
		return nil, err
	}
	var all []caseResult
	err = each(ctx, cases, o.Processors, e.measure, func(index int, c *Case, r caseResult) {
		r.name, r.question, r.group, r.index = c.Name, c.Question, c.group(index), index
		all = append(all, r)
		if o.Progress != nil {
			o.Progress(len(all))
		}
	})
	if err != nil {
		return nil, err
	}
	return e.evaluation(ctx, all)
}

// evaluator is Options prepared for measuring cases.
type evaluator struct {
	Options
	named []Named
	added []bool
	pipes []*pipeline.Pipeline
	like  []int // by policy: the first policy that ranks like it
}

func newEvaluator(o Options) (*evaluator, error) {
	o.Wanted = cmp.Or(o.Wanted, DefaultWanted)
	switch {
	case len(o.Policies) == 0:
		return nil, errors.New("evaluate: at least one policy is required")
	case len(o.At) == 0:
		return nil, errors.New("evaluate: at least one budget is required")
	case !(o.Wanted > 0 && o.Wanted <= 1):
		return nil, fmt.Errorf("evaluate: the wanted recall is %v, must be above 0 and at most 1", o.Wanted)
	}
	if err := model.ValidateCeiling(o.Ceiling); err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
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
			return m.Policy.RanksLike(n.Policy)
		}))
	}
	return e, nil
}

// measure runs all policies over one case.
func (e *evaluator) measure(ctx context.Context, c *Case) (caseResult, error) {
	r := caseResult{answerable: len(c.Labels.Answers) > 0, unreachable: c.Labels.Unreachable, labelled: c.Labels.NeededCount() > 0}
	if err := c.Labels.Validate(c.Items.Len()); err != nil {
		return r, err
	}
	answers := newAnswers(c.Items, c.Labels.Answers, c.Text)
	budgets := make([]model.Tokens, len(e.At))
	r.budgets, r.at = budgets, make([][]measured, len(e.At))
	for i, a := range e.At {
		budgets[i], r.at[i] = a.Of(c), make([]measured, len(e.pipes))
	}
	end, err := e.ceiling(c, slices.Max(budgets))
	if err != nil {
		return r, err
	}
	rankings, bests := make([]*pipeline.Ranking, len(e.pipes)), make([]*simulate.Optimum, len(e.pipes))
	for k, pipe := range e.pipes {
		fail := func(err error) (caseResult, error) {
			return r, fmt.Errorf("policy %.80q: %w", e.named[k].Name, err)
		}
		if rankings[k], err = pipe.RankLike(ctx, rankings[e.like[k]], c.Items); err != nil {
			return fail(err)
		}
		judge := newJudge(rankings[k], c.Labels, answers)
		if like := e.like[k]; like < k {
			bests[k] = bests[like] // it depends on the ranking alone
		} else if bests[k], err = e.best(ctx, rankings[k], c, slices.Max(budgets)); err != nil {
			return fail(err)
		}
		for i, b := range budgets {
			report, err := simulate.DryRunAt(ctx, rankings[k], c.Budget, b)
			if err != nil {
				return fail(err)
			}
			m := measured{Measure: judge.Measure(report)}
			if bests[k] != nil {
				m.below = model.Some(0.0)
				if report != nil {
					m.below = bests[k].BelowBest(report.Value, slicer.Target(report.Effective.Target))
				}
			}
			r.at[i][k] = m
		}
		if !r.labelled {
			continue
		}
		curve, err := curveUpTo(ctx, rankings[k], c, judge, end)
		if err != nil {
			return fail(err)
		}
		var reaches, holds model.Option[model.Tokens] // of the wanted recall
		reaches.Value, reaches.Set = curve.Reaches(e.Wanted)
		holds.Value, holds.Set = curve.Holds(e.Wanted)
		r.reaches, r.holds = append(r.reaches, reaches), append(r.holds, holds)
	}
	return r, nil
}

// ceiling returns the end of the axis, the same for all policies.
func (e *evaluator) ceiling(c *Case, largest model.Tokens) (model.Tokens, error) {
	if e.Ceiling > 0 {
		return e.Ceiling, nil
	}
	b, err := c.Budget.At(max(largest, c.Budget.Least()))
	if err != nil {
		return 0, err
	}
	end := model.Tokens(0)
	for _, n := range e.named {
		end = max(end, simulate.Ceiling(c.Items, n.Policy, b))
	}
	return end, nil
}

// best returns the best possible value at every target up to the target of a budget, or
// nil if it is not asked for, takes too much memory, or the budget does not run.
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

// curveUpTo returns the quality of a case at every budget up to end.
func curveUpTo(ctx context.Context, r *pipeline.Ranking, c *Case, j *Judge, end model.Tokens) (*Curve, error) {
	profile, err := simulate.NewProfile(ctx, r, c.Budget, end)
	if err != nil {
		return nil, err
	}
	return NewCurve(ctx, profile, j)
}

// Case is one set of items with labels for what was needed of it: for example
// a question about a conversation, or a query over documents.
type Case struct {
	Name     string
	Question string // what it is about, to show; "" where that is not known
	// Group names the cases that depend on each other, as questions about one
	// conversation do. They count as one in tests and are always in the same
	// fold. A case without a Group is a group of its own.
	Group string
	Items *model.Set
	// Budget is the template whose maxTokens an Amount sets, unless it is Own; its
	// reserve, slots, margin and gap are kept. The zero Budget has none of these.
	Budget model.Budget
	Labels model.Labels
	Text   Text // of sizes, see NewJudge; nil where no item may be cut
}

// group returns the name of the case's group. A case without a group is a group of
// its own, named after its index; such names differ from the names of all other groups.
func (c *Case) group(index int) string {
	if c.Group == "" {
		return "case " + strconv.Itoa(index)
	}
	return "group " + c.Group
}

// Cases is a source of cases. If a case cannot be read, the error ends the
// sequence. Tune iterates over it several times and expects the same cases
// each time.
type Cases = iter.Seq2[*Case, error]
