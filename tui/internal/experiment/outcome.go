package experiment

import (
	"context"
	"errors"
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
)

// Outcome is the result of a Setup on one side. It is immutable.
type Outcome struct {
	Setup   Setup
	Items   *model.Set
	Policy  model.Policy
	Ranking *pipeline.Ranking
	Profile *simulate.Profile
	Report  *model.Report
	// Smallest is the least number of tokens that an item takes of those that compete: with less
	// room no item with tokens is in. It is 1 if none has any.
	Smallest model.Tokens
	// Settled is the budget from which on nothing changes up to the ceiling; 0 if nothing changes at all.
	Settled model.Tokens
	// reach is where all items are in with the Policy and the rest of the budget; see Search.
	reach model.Tokens
	// Lost and Gained are what a budget smaller by the slack would change: the
	// items that are in and would be out, and the reverse, ascending. They are nil,
	// with the reason in SlackErr, if the pipeline cannot run at that budget.
	Lost, Gained []int32
	SlackErr     error
	// Pairs is how many pairs Items has. Split lists the pairs of which one
	// item is in and the other is not.
	Pairs int
	Split []model.Pair
	// Judge knows which items are needed, and Quality is how much of that is in the
	// Report. They are nil and unset if nothing is labelled.
	Judge   *quality.Judge
	Quality quality.Measure
	// Reasons says why each item of the Report is in or out. It is nil until Explain
	// has computed it, and stays nil if the slicer's steps cannot be listed.
	Reasons *simulate.Reasons
	// Err says why the Setup has no result. The Report is then nil, or of an earlier
	// setup; see Experiment.Listable.
	Err error

	explained bool // Reasons is what there is
	early     bool // it was asked for AtBudget
	text      quality.Text
}

// standIn returns the outcome to show if an experiment begins with a setup that has no result:
// the outcome at the least budget that works, or nil if no budget works.
func (o *Outcome) standIn() *Outcome {
	if o.Profile == nil {
		return nil
	}
	start, ok := o.Profile.Axis().Start()
	if !ok {
		return nil
	}
	b, err := o.Profile.Axis().Budget(start)
	if err != nil {
		return nil
	}
	at := *o
	if at.Report, err = o.Profile.Report(b); err != nil {
		return nil
	}
	at.Setup, at.Err = o.Setup.WithBudget(b), nil
	at.Split = at.Report.Split()
	at.measure()
	return &at
}

// measure sets Quality: how much of what is needed is in the Report.
func (o *Outcome) measure() {
	if o.Judge != nil {
		o.Quality = o.Judge.Measure(o.Report)
	}
}

// judge joins labels with the ranking. It leaves out labels of items that had not arrived
// at the moment.
func (o *Outcome) judge(l model.Labels) (err error) {
	if l = l.First(o.Items.Len()); !l.IsZero() {
		o.Judge, err = quality.NewJudge(o.Ranking, l, o.text)
	}
	return err
}

// relabelled returns a copy of an outcome with a report, measured against other labels.
func (o *Outcome) relabelled(l model.Labels) *Outcome {
	with := *o
	with.Setup.Labels, with.Judge, with.Quality = l, nil, quality.Measure{}
	_ = with.judge(l) // they are valid: they were loaded, or marked
	with.measure()
	return &with
}

// Explain computes the reasons of an outcome that has a report. The error comes from ctx, or
// says why there are no reasons.
func (o *Outcome) Explain(ctx context.Context) (*simulate.Reasons, error) {
	return simulate.NewReasons(ctx, o.Ranking, o.Report)
}

// AtRisk reports whether item i is in, but would be out at a budget smaller by the slack.
func (o *Outcome) AtRisk(i int) bool {
	_, lost := slices.BinarySearch(o.Lost, int32(i))
	return lost
}

// Alone returns the item that item i belongs to, or -1 if there is none, and whether
// exactly one of the two is in.
func (o *Outcome) Alone(i int) (partner int, split bool) { return o.Report.Alone(i) }

// Request is the input from which Run computes an Outcome. It refers to immutable values
// only, so Run may be called on any goroutine.
type Request struct {
	Side     Side
	Setup    Setup
	Moment   model.Option[Moment]
	Items    *model.Set // at that moment, edits applied
	Pairs    int
	Previous *Outcome         // reused where it still holds; may be nil
	Replaced *Outcome         // the one before Previous, which a change may lead back to; may be nil
	Other    *Outcome         // of the other side: two policies often rank alike; may be nil
	tried    *attempt         // the newest, which may be of this setup; may be nil
	Text     quality.Text     // Sizer.Text
	AtBudget bool             // the outcome needs no Profile, which takes longer than the rest
	Now      func() time.Time // the clock that measures the stages; nil: there is none
}

// policy returns the policy of the side, as it is at the moment.
func (q *Request) policy() model.Policy { return policyAt(q.Setup.Policy[q.Side], q.Moment) }

// Same reports whether two requests ask for the same outcome.
func (q *Request) Same(o Request) bool {
	return q.Side == o.Side && q.Items == o.Items && q.Setup.sameFor(o.Setup, q.Side) && q.AtBudget == o.AtBudget
}

// Halves reports whether to ask for the outcome at the budget before the profile: neither is
// known, and the profile takes much longer.
func (q *Request) Halves() bool {
	known := q.ranked()
	return !q.answered() && (known == nil || known.Profile == nil) && largeTable(q.Setup.Policy[q.Side], q.Items, q.Setup.End())
}

// answered reports whether the previous outcome is the answer at this budget.
func (q *Request) answered() bool {
	p := q.Previous
	return p != nil && p.early && p.Items == q.Items && p.Setup.sameFor(q.Setup, q.Side)
}

// ranked returns a known outcome whose ranking, and with it its slicer's profile, holds for the
// request; nil if there is none. The policy may have become the policy of the other side.
func (q *Request) ranked() (known *Outcome) {
	for _, o := range [...]*Outcome{q.Previous, q.Replaced, q.Other} {
		if o != nil && o.Ranking != nil && o.Items == q.Items && o.Policy.Same(q.policy()) && (known == nil || known.Profile == nil) {
			known = o
		}
	}
	return known
}

// RanksAlike reports whether both sides' policies rank items in the same way,
// so that the second to be computed shares the ranking of the first.
func (q *Request) RanksAlike() bool {
	return q.Setup.Policy[A].RanksLike(q.Setup.Policy[B])
}

// like returns a ranking that the policy of this request can share, or nil.
func (q *Request) like() *pipeline.Ranking {
	policy := q.policy()
	for _, o := range [...]*Outcome{q.Other, q.Previous, q.Replaced} {
		if o != nil && o.Ranking != nil && o.Items == q.Items && o.Policy.RanksLike(policy) {
			return o.Ranking
		}
	}
	if t := q.tried; t != nil && t.ranking.Items() == q.Items && t.ranking.Policy().RanksLike(policy) {
		return t.ranking
	}
	return nil
}

// Run computes the outcome. An error of the experiment itself (pinned items
// that do not fit, an invalid budget, ...) is in Outcome.Err; the returned
// error can only be ctx's.
func (q *Request) Run(ctx context.Context) (*Outcome, error) {
	if p := q.relabels(); p != nil {
		o := p.relabelled(q.Setup.Labels)
		o.Setup = q.Setup
		return o, nil
	}
	o := &Outcome{Setup: q.Setup, Items: q.Items, Pairs: q.Pairs, Policy: q.policy(), text: q.Text, early: q.AtBudget}
	if known := q.ranked(); known != nil {
		o.Ranking, o.Profile, o.Smallest, o.Settled = known.Ranking, known.Profile, known.Smallest, known.Settled
	}
	if err := q.run(ctx, o); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o.Report, o.Err = nil, err
	}
	return o, nil
}

// relabels returns a known outcome that differs from the requested one in its labels at most;
// nil if there is none.
func (q *Request) relabels() *Outcome {
	for _, p := range [...]*Outcome{q.Previous, q.Replaced} {
		if p != nil && !p.early && p.Err == nil && p.Report != nil && p.Items == q.Items && p.Setup.sameResult(q.Setup, q.Side) {
			return p
		}
	}
	return nil
}

// Search returns what Cupel's FindMinBudgetFor answers of an item. It looks as far as all items
// need with the Policy, as the command min-budget does: the axis goes on to where they are in
// with the other policy, too. A ceiling that the user chose is its end.
func (o *Outcome) Search(item int) (model.Option[model.Tokens], error) {
	end := o.Profile.Axis().End()
	if o.reach > 0 && !o.Setup.CeilingAsked {
		end = min(end, o.reach)
	}
	return o.Profile.BinarySearch(item, end)
}

// smallest returns the least of some numbers of tokens above 0, and 1 if there is none.
func smallest(tokens []model.Tokens) model.Tokens {
	least := model.Tokens(0)
	for _, t := range tokens {
		if t > 0 && (least == 0 || t < least) {
			least = t
		}
	}
	return max(1, least)
}

func (q *Request) run(ctx context.Context, o *Outcome) error {
	if o.Ranking == nil {
		p, err := pipeline.New(o.Policy, pipeline.WithClock(q.Now))
		if err != nil {
			return err
		}
		shared := q.like()
		if shared == nil && q.Previous != nil {
			shared = q.Previous.Ranking // an edit leaves most of it as it was
		}
		if o.Ranking, err = p.RankLike(ctx, shared, q.Items); err != nil {
			return err
		}
		o.Smallest = smallest(o.Ranking.Input().Tokens)
	}
	if p := q.Previous; p != nil && p.Ranking == o.Ranking && p.Setup.Labels.Equal(q.Setup.Labels) {
		o.Judge = p.Judge
	} else if err := o.judge(q.Setup.Labels); err != nil {
		return err
	}
	if q.AtBudget {
		o.Profile, o.Settled = nil, 0
	} else if err := q.profile(ctx, o); err != nil {
		return err
	}
	budget, err := newBudget(q.Setup.Budget)
	if err != nil {
		return err
	}
	o.reach = simulate.Ceiling(q.Items, o.Policy, budget)
	if p := q.Previous; q.answered() && p.Err == nil {
		o.Report, o.Lost, o.Gained, o.SlackErr, o.Split, o.Quality = p.Report, p.Lost, p.Gained, p.SlackErr, p.Split, p.Quality
		return nil
	}
	if q.AtBudget {
		err = o.atBudget(ctx, budget)
	} else if o.Report, err = o.Profile.Report(budget); err == nil {
		o.Lost, o.Gained, o.SlackErr = o.Profile.AtRisk(budget, q.Setup.Slack)
	}
	if err != nil {
		return err
	}
	o.Split = o.Report.Split()
	o.measure()
	return ctx.Err()
}

// atBudget sets the report at a budget, and what a budget smaller by the slack would change, by a run
// at each: both at once, since a knapsack takes long, unless their tables take more than 128 MB together.
func (o *Outcome) atBudget(ctx context.Context, b model.Budget) (err error) {
	work := 8 * o.Items.Len()
	if tableBits(o.Policy, o.Items, b.MaxTokens()) > 64<<23 {
		work = 0
	}
	slack := o.Setup.Slack
	reduced, slackErr := b.Less(slack)
	var small *model.Report
	relay.Spread(2, func(int) int { return work }, func(from, to int) {
		for run := from; run < to; run++ {
			if run == 0 {
				o.Report, err = o.Ranking.DryRunContext(ctx, b)
			} else if slack > 0 && slackErr == nil {
				small, slackErr = o.Ranking.DryRunContext(ctx, reduced)
			}
		}
	})
	if err != nil || slack == 0 {
		return err
	}
	if o.SlackErr = slackErr; slackErr == nil {
		o.Lost, o.Gained = simulate.Lost(o.Report, small)
		slices.Sort(o.Lost)
	}
	return nil
}

// profile sets the profile of an outcome that is ranked. Its axis is made from the budget at
// the end, so that it exists, and profiles are kept, even if the setup's own budget is invalid.
func (q *Request) profile(ctx context.Context, o *Outcome) error {
	end := q.Setup.End()
	template, err := newBudget(q.Setup.WithMax(end).Budget)
	if err != nil {
		return err
	}
	along, ok := (*simulate.Profile)(nil), false
	if o.Profile != nil {
		along, ok = o.Profile.Along(template, end)
	}
	if !ok {
		if along, err = simulate.NewProfile(ctx, o.Ranking, template, end); err != nil {
			return err
		}
	}
	if !along.Same(o.Profile) {
		o.Settled = 0
		if last, changes := along.Prev(end); changes {
			o.Settled = last.At + 1
		}
	}
	o.Profile = along
	return nil
}

// Fixes returns the knobs that could fix err at a budget, the most likely first.
func Fixes(err error, b model.BudgetFields) []KnobID {
	var pinned *model.PinnedError
	var over *model.OverflowError
	var budget *model.BudgetError
	var table *model.TableError
	var scarce *model.ScarcityError
	switch {
	case errors.As(err, &scarce):
		return []KnobID{Quotas}
	case errors.As(err, &pinned):
		fixes := []KnobID{MaxTokens}
		for _, d := range b.Deductions(0) {
			if d.OnlyMax && d.Tokens > 0 {
				fixes = append(fixes, KnobOf(d.Field, ""))
			}
		}
		return fixes
	case errors.As(err, &over):
		return []KnobID{Overflow, MaxTokens, TargetTokens}
	case errors.As(err, &table):
		return []KnobID{Bucket, Ceiling}
	case errors.As(err, &budget):
		id := KnobOf(budget.Field, "")
		switch field, ok := model.FieldOfBudget(budget.Field); {
		case budget.Field == string(Ceiling):
			return []KnobID{Ceiling}
		case !ok:
			return []KnobID{Slack}
		case field.Tokens != nil && id != MaxTokens: // at most the maximum
			return []KnobID{id, MaxTokens}
		}
		return []KnobID{id}
	}
	return nil
}
