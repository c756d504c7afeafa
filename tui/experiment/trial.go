package experiment

import (
	"context"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// Trial is a change that is tried without being made. It refers to immutable
// values only, so that it may be run anywhere.
type Trial struct {
	Side   Side // whose result it is about
	next   Setup
	moment model.Option[Moment]
	loaded *model.Set
	before *Outcome
}

// Try makes a trial of what a change would do to side s, or to the other side
// where it changes that alone. False: that side has no result of the current
// setup to compare with.
func (e *Experiment) Try(s Side, next Setup) (Trial, bool) {
	if e.setup.sameFor(next, s) && !e.setup.sameFor(next, s.Other()) {
		s = s.Other()
	}
	state, _ := e.State(s)
	return Trial{Side: s, next: next, moment: e.moment, loaded: e.loaded, before: e.Outcome(s)}, state == Current && e.Outcome(s) != nil
}

// Cost predicts, in microseconds on one core, how long Run takes.
func (t Trial) Cost() int {
	cost := trialCost(t.next.Policy[t.Side], t.loaded, t.next.Budget.MaxTokens)
	if !t.next.Edits.Query.Scored() {
		cost += ScoreCost(t.loaded)
	}
	return cost
}

// Run tells what the change does. An error of the change itself, as of pinned
// items that do not fit, is in the Impact; the returned one is that of ctx.
func (t Trial) Run(ctx context.Context) (Impact, error) {
	im := Impact{Side: t.Side}
	after, err := t.report(ctx)
	if ctx.Err() != nil {
		return im, ctx.Err()
	}
	if im.Err = err; err != nil {
		return im, nil
	}
	before := t.before.Report
	im.In, im.Out = simulate.Diff(before, after)
	im.Tokens, im.Value = after.Kept-before.Kept, after.Value-before.Value
	return im, nil
}

func (t Trial) report(ctx context.Context) (*model.Report, error) {
	items := t.before.Items
	if !t.next.SameEdits(t.before.Setup) {
		edits, err := t.next.Edits, error(nil)
		if q := edits.Query; !q.Scored() {
			if q, err = Score(ctx, q.Text, t.loaded); err != nil {
				return nil, err
			}
			edits = edits.WithQuery(q)
		}
		if items, err = t.loaded.With(edits); err != nil {
			return nil, err
		}
		items = itemsAt(items, t.moment)
	}
	p, err := pipeline.New(policyAt(t.next.Policy[t.Side], t.moment))
	if err != nil {
		return nil, err
	}
	r, err := p.RankLike(ctx, t.before.Ranking, items)
	if err != nil {
		return nil, err
	}
	b, err := model.NewBudget(t.next.Budget)
	if err != nil {
		return nil, err
	}
	return r.DryRunContext(ctx, b)
}
