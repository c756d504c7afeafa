package command

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
)

// turns judges the policy over all requests of a session, with the cache of the session's
// model, or else the first preset: how much of the prefix survives, or how much it costs.
func (j *judge) turns(ctx context.Context, v *verdict) error {
	if j.course == nil {
		if err := j.takeTurns(ctx); err != nil {
			return err
		}
	}
	total := j.course.Totals
	fails := ""
	if total.Failed > 0 {
		fails = fmt.Sprintf(", %s fail", plain.Count(total.Failed, "request"))
	}
	if v.check.Kind == model.CheckMinPrefix {
		share, ok := total.SurvivingPrefix()
		if !ok {
			v.verdict, v.says = undecidable, fmt.Sprintf("nothing can be kept: %s sent%s", plain.Count(total.Requests, "request"), fails)
			return nil
		}
		v.measured = model.Some(share)
		v.says = fmt.Sprintf("%s of the previous prompt kept over %s%s", atLeast(share), plain.Count(total.Requests, "request"), fails)
		if share < v.check.Share {
			v.verdict = failing
		}
		return nil
	}
	ratio, ok := ratioToAll(total, j.everything)
	if !ok {
		v.verdict, v.says = undecidable, fmt.Sprintf("nothing is sent: %s%s", plain.Count(total.Requests, "request"), fails)
		if over := j.everything.Over; over > 0 {
			v.says = fmt.Sprintf("sending everything does not fit in %v of %s, so there is no ratio; turns compares policies", plain.Thousands(over), plain.Count(j.everything.Requests, "request"))
		}
		return nil
	}
	v.measured = model.Some(ratio)
	digits := 3
	if !(ratio <= v.check.Ratio) {
		v.verdict = failing
		if math.Round(ratio*1000)/1000 <= v.check.Ratio {
			digits = -1 // all, or it would read like the bound
		}
	}
	v.says = fmt.Sprintf("%s times the cost of sending everything, estimated with %s%s", strconv.FormatFloat(ratio, 'f', digits, 64), sayCache(j.billing.Cache), fails)
	return nil
}

// takeTurns opens the sources again, including what a session no longer
// holds, and takes the policy through all requests.
func (j *judge) takeTurns(ctx context.Context) error {
	choices := *j.Choices
	choices.Reading.History, choices.Reading.Stdin = true, j.again
	loaded, err := choices.Load(ctx)
	if err != nil {
		return err
	}
	opened, err := choices.OpenCounted(ctx, loaded.Loaded)
	if err != nil {
		return err
	}
	s, err := turns.FromItems(opened.Set, opened.Messages)
	if err != nil {
		return err
	}
	plan := turns.Plan{Strategy: turns.Stateless, Policy: j.Policy}
	var by turns.Billing
	if by.Cache, err = (turnsOptions{}).cacheOf(cmp.Or(choices.Options.Model, opened.Model)); err != nil {
		return err
	}
	courses, by, err := turns.Run(ctx, s, []turns.Plan{plan}, j.Budget, by, turns.Options{})
	if err != nil {
		return err
	}
	j.everything, j.course, j.billing = courses[0].Totals, courses[1], by
	return nil
}
