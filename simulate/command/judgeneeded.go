package command

import (
	"context"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
)

// measured returns the quality of the result at the budget.
func (j *judge) measured(ctx context.Context) (quality.Measure, error) {
	if j.quality.Set {
		return j.quality.Value, nil
	}
	of, err := quality.NewJudge(j.ranking, j.Labels, j.SizeText)
	if err != nil {
		return quality.Measure{}, err
	}
	report, err := j.report(ctx)
	if err != nil {
		return quality.Measure{}, err
	}
	j.quality = model.Some(of.Measure(report))
	return j.quality.Value, nil
}

// recall judges how much of what was needed is in.
func (j *judge) recall(ctx context.Context, v *verdict, r *model.Report) error {
	m, err := j.measured(ctx)
	if err != nil {
		return err
	}
	needed := j.Labels.Needed()
	v.named = len(needed)
	if !m.Recall.Set {
		v.verdict, v.says = undecidable, "there are no labels, so nothing is known to be needed"
		return nil
	}
	v.measured = m.Recall
	survivors := j.ranking.Survivors()
	for _, i := range needed {
		if !r.In(int(i)) && (survivors == nil || survivors[i] < 0 || !r.In(int(survivors[i]))) {
			v.items = append(v.items, i)
		}
	}
	v.says = fmt.Sprintf("recall %s: %v of %s in", atLeast(m.Recall.Value), plain.Thousands(m.In), plain.Count(m.Needed, "needed item"))
	if n := len(j.Labels.Missed); n > 0 {
		v.says += fmt.Sprintf(", %s not found", plain.Thousands(n))
	}
	if n := j.Labels.Unreachable; n > 0 {
		v.says += fmt.Sprintf(", and %s without an item", plain.Count(n, "label"))
	}
	if m.Recall.Value < v.check.Share {
		v.verdict = failing
		v.says += "; out: " + list(v.items, number)
	} else {
		v.items = slices.Clip(v.items[:0])
	}
	return nil
}

// answered judges whether at least one of the answers is in.
func (j *judge) answered(ctx context.Context, v *verdict, _ *model.Report) error {
	m, err := j.measured(ctx)
	switch {
	case err != nil:
		return err
	case !m.Answered.Set && len(j.Labels.Answers) > 0:
		v.verdict, v.says = undecidable, "an item is cut to a text that the source does not give"
	case !m.Answered.Set:
		v.verdict, v.says = undecidable, "no answer is known"
	case m.Answered.Value:
		v.says = "an item with an answer is in"
	default:
		v.verdict, v.says = failing, fmt.Sprintf("none of %s is in an item that is in", plain.Count(len(j.Labels.Answers), "answer"))
	}
	return nil
}
