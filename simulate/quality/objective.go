package quality

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// Objective is what a policy is tuned for. Tune makes its mean over the cases
// as large as possible, or for ForBudget as small as possible.
type Objective string

// The objectives.
const (
	ForRecall   Objective = "recall"
	ForComplete Objective = "complete"
	ForAnswered Objective = "answered"
	ForValue    Objective = "value" // searches only slicers and buckets
	// ForBudget is the smallest budget that holds the wanted recall. A case in
	// which no budget holds it counts as twice the ceiling.
	ForBudget Objective = "budget"
)

// Objectives returns all objectives.
func Objectives() []Objective {
	return []Objective{ForRecall, ForComplete, ForAnswered, ForValue, ForBudget}
}

// Says returns a mean of the objective as a person reads it, as in "71.2 %" or "3,200
// tokens".
func (o Objective) Says(mean float64) string {
	switch o {
	case ForBudget:
		return plain.Thousands(int(math.Round(mean))) + " tokens"
	case ForValue:
		return fmt.Sprintf("%.3f", mean)
	}
	return fmt.Sprintf("%.1f %%", 100*mean)
}

// applies reports whether the objective can be measured in a case.
func (t *tuner) applies(c *Case) bool {
	switch t.Objective {
	case ForAnswered:
		return len(c.Labels.Answers) > 0
	case ForValue:
		return true
	}
	return c.Labels.NeededCount() > 0
}

// figure returns a mean of the objective as it is reported. A mean of budgets is in
// tokens; the search keeps it negative.
func (t *tuner) figure(mean float64) float64 {
	if t.Objective == ForBudget {
		return -mean
	}
	return mean
}

// comparable returns the candidates that the objective can compare: the value is a sum
// of scores, so candidates that score otherwise have another unit.
func (t *tuner) comparable(all []candidate) []candidate {
	if t.Objective != ForValue {
		return all
	}
	first := start(t.Current)
	return slices.DeleteFunc(all, func(c candidate) bool { return c.exponent > 1 || !slices.Equal(c.weights, first.weights) })
}

// measure returns the objective of candidates, which are made of parts, in one case;
// nil where it does not apply. The set is ranked once for each weighting.
func (t *tuner) measure(ctx context.Context, c *Case, all []candidate, made []pipeline.Parts) ([]float64, error) {
	if !t.applies(c) {
		return nil, nil
	}
	scores, err := scoredBy(t.Current)
	if err != nil {
		return nil, err
	}
	answers := newAnswers(c.Items, c.Labels.Answers, c.Text)
	tokens := t.At.Of(c)
	rankings := map[string]*pipeline.Ranking{}
	values := make([]float64, len(all))
	for k, one := range all {
		parts := made[k]
		parts.Scorer = reweighted{scores, one.weights, one.exponent}
		pipe, err := pipeline.Assemble(parts)
		if err != nil {
			return nil, err
		}
		key := fmt.Sprint(one.weights, one.exponent)
		ranking, err := pipe.RankLike(ctx, rankings[key], c.Items)
		if err != nil {
			return nil, err
		}
		rankings[key] = ranking
		if values[k], err = t.value(ctx, c, ranking, newJudge(ranking, c.Labels, answers), tokens); err != nil {
			return nil, fmt.Errorf("%s: %w", one.describe(t.Current), err)
		}
	}
	return values, nil
}

// value returns the objective of one candidate in one case.
func (t *tuner) value(ctx context.Context, c *Case, r *pipeline.Ranking, j *Judge, tokens model.Tokens) (float64, error) {
	if t.Objective == ForBudget {
		return t.budget(ctx, c, r, j, tokens)
	}
	report, err := simulate.DryRunAt(ctx, r, c.Budget, tokens)
	if err != nil {
		return 0, err
	}
	m := j.Measure(report)
	switch t.Objective {
	case ForComplete:
		return Share(m.Complete).Value, nil
	case ForAnswered:
		return Share(m.Answered).Value, nil
	case ForValue:
		return m.Value, nil
	}
	return m.Recall.Value, nil
}

// budget returns the budget that holds the wanted recall, negated because less is
// better.
func (t *tuner) budget(ctx context.Context, c *Case, r *pipeline.Ranking, j *Judge, tokens model.Tokens) (float64, error) {
	b, err := c.Budget.At(max(tokens, c.Budget.Least()))
	if err != nil {
		return 0, err
	}
	coarsest := withSlicer(t.Current, model.Knapsack, buckets[len(buckets)-1])
	end := simulate.Ceiling(c.Items, coarsest, b) // the same for all candidates
	curve, err := curveUpTo(ctx, r, c, j, end)
	if err != nil {
		return 0, err
	}
	if b, ok := curve.Holds(t.Wanted); ok {
		return -float64(b), nil
	}
	return -2 * float64(end), nil
}
