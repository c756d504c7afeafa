package experiment

import (
	"context"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Trial predicts what a change of the setup would do, without making it. It refers to
// immutable values only, so it is safe for concurrent use.
type Trial struct {
	Side   Side  // the side whose result is compared
	next   Setup // its items are named by keys
	now    Setup // likewise; before is its outcome
	moment model.Option[Moment]
	loaded *model.Set
	before *Outcome // without a report where the setup has no result
	back   *Outcome // the outcome that before replaced; may be nil
	tried  *atomic.Pointer[attempt]
	sizer  Sizer
}

// attempt is what a Trial has made that the change itself would make again.
type attempt struct {
	ranking *pipeline.Ranking
	made    edition          // the zero value where the trial changed no item, and at a moment
	counts  []model.ItemSize // of the cuts and notes of made
}

// Try returns a trial of what the setup next would do to side s, or to the other side if
// it changes only that. It returns false while that side waits for its result, and where its
// items cannot be ranked.
func (e *Experiment) Try(s Side, next Setup) (Trial, bool) {
	next = e.numbers.kept(next, e.setup)
	if e.setup.sameFor(next, s) && !e.setup.sameFor(next, s.Other()) {
		s = s.Other()
	}
	before := e.Outcome(s)
	if e.Err(s) != nil {
		before = e.sides[s].current
	}
	return Trial{Side: s, next: next, now: e.setup, moment: e.moment, loaded: e.loaded, before: before, back: e.sides[s].replaced, tried: e.tried, sizer: e.sizer}, e.State(s) != Pending && before != nil && before.Ranking != nil
}

// Frozen returns the experiment as it is now, for work in the background that tries setups: what
// changes later does not reach it.
func (e *Experiment) Frozen() *Experiment {
	frozen := *e
	return &frozen
}

// Run computes what the change would do. If the change has no result, for example because
// pinned items do not fit, the reason is in Impact.Err; the returned error is ctx's.
func (t Trial) Run(ctx context.Context) (Impact, error) {
	im := Impact{Side: t.Side}
	ranking, after, err := t.report(ctx)
	if ctx.Err() != nil {
		return im, ctx.Err()
	}
	im.Err = err
	if err != nil {
		return im, nil
	}
	before := t.before.Report
	if before == nil {
		im.anew(after)
		return im, nil
	}
	policy := t.next.Policy[t.Side]
	im.compare(before, after, sameIndex, t.before.Policy, policy, t.now.Edits.Query, t.next.Edits.Query)
	im.Squeezed = Squeezed(before, after, ranking, policy.Quotas)
	if free := after.Effective.Target - after.SlicedTokens; len(policy.Quotas)+len(policy.CountQuotas) > 0 && free > before.Effective.Target-before.SlicedTokens {
		im.Unused = free
	}
	return im, nil
}

// known returns the outcome that the change leads back to; nil if it does not.
func (t Trial) known() *Outcome {
	next, back := t.next, t.back
	if back == nil || back.Items != t.before.Items || !next.SameEdits(t.now) {
		return nil
	}
	next.Edits = back.Setup.Edits // by number, not by key
	if !back.Setup.sameResult(next, t.Side) {
		return nil
	}
	return back
}

// Report returns the result of the setup that is tried.
func (t Trial) Report(ctx context.Context) (*model.Report, error) {
	_, rep, err := t.report(ctx)
	return rep, err
}

func (t Trial) report(ctx context.Context) (*pipeline.Ranking, *model.Report, error) {
	items, tried := t.before.Items, attempt{}
	if back := t.known(); back != nil {
		return back.Ranking, back.Report, nil
	}
	if !t.next.SameEdits(t.now) {
		edits, err := t.next.Edits, error(nil)
		if q := edits.Query; !q.Scored() {
			if q, err = Score(ctx, q.Text, t.loaded); err != nil {
				return nil, nil, err
			}
			edits = edits.WithQuery(q)
		}
		whole, err := edited(t.loaded, edits)
		if err != nil {
			return nil, nil, err
		}
		if items, err = itemsAt(t.loaded, whole, edits, t.moment); err != nil {
			return nil, nil, err
		}
		if items, tried.counts, err = t.sizer.Counted(ctx, items); err != nil {
			return nil, nil, err
		}
		if !t.moment.Set {
			tried.made = edition{t.loaded, items, edits}
		}
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	p, err := pipeline.New(policyAt(t.next.Policy[t.Side], t.moment))
	if err != nil {
		return nil, nil, err
	}
	r, err := p.RankLike(ctx, t.before.Ranking, items)
	if err != nil {
		return nil, nil, err
	}
	if tried.made.whole != nil || items == t.before.Items && !p.RanksLike(t.before.Ranking.Pipeline()) {
		tried.ranking = r
		t.tried.Store(&tried)
	}
	b, err := newBudget(t.next.Budget)
	if err != nil {
		return nil, nil, err
	}
	rep, err := r.DryRunContext(ctx, b)
	return r, rep, err
}
