package experiment

import (
	"context"
	"errors"
	"reflect"
	"time"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// Outcome is what came of a Setup on one side. It is immutable.
type Outcome struct {
	Setup   Setup
	Items   *model.Set
	Policy  model.Policy
	Ranking *pipeline.Ranking
	Profile *simulate.Profile
	Report  *model.Report
	// Lost and Gained are what a budget smaller by the slack would change:
	// items now in and then out, and the reverse. Ascending. They are unset,
	// with the reason in SlackErr, where that smaller budget cannot be run.
	Lost, Gained []int32
	SlackErr     error
	// Pairs is which items belong together, Parted those pairs of which one is
	// in and the other is not.
	Pairs  simulate.Pairs
	Parted []simulate.Pair
	// Times is how long the parts took when they were made last.
	Times Times
	// Err says why there is no Report.
	Err error

	standsIn bool
}

// Times are durations of work that outcomes share, 0 where there is no clock.
// Those of the other stages are in the Report.
type Times struct {
	Rank    time.Duration // Classify to Sort
	Profile time.Duration // the selection at every budget
}

// standIn is what to look at where an experiment begins with a setup that has
// no result: the result at the least budget that works. Nil if there is none.
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
	at.Setup, at.Err, at.standsIn = o.Setup.WithBudget(b), nil, true
	at.Parted = at.Pairs.Parted(at.Report)
	return &at
}

// AtRisk reports whether item i is in, but would be lost within the slack.
func (o *Outcome) AtRisk(i int) bool {
	lo, hi := 0, len(o.Lost)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(o.Lost[mid]) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(o.Lost) && int(o.Lost[lo]) == i
}

// Alone reports whether item i is in while the item that it belongs to is not,
// or the reverse; partner is that item, -1 if there is none.
func (o *Outcome) Alone(i int) (partner int, parted bool) { return o.Pairs.Alone(o.Report, i) }

// Request describes the work that leads to an Outcome. It refers to immutable
// values only, so that it may be run anywhere.
type Request struct {
	Side     Side
	Setup    Setup
	Items    *model.Set // edits applied
	Pairs    simulate.Pairs
	Previous *Outcome // reused where it still holds; may be nil
	Other    *Outcome // of the other side: two policies often rank alike; may be nil
	// Now is the clock that measures Times and the stages; nil: there is none.
	Now func() time.Time
}

func (q *Request) now() time.Time {
	if q.Now == nil {
		return time.Time{}
	}
	return q.Now()
}

// Same reports whether two requests ask for the same outcome.
func (q *Request) Same(o Request) bool {
	return q.Side == o.Side && q.Items == o.Items && sameSetup(q.Setup, o.Setup, q.Side)
}

// reusesRanking reports whether the previous outcome's ranking, and with it
// its slicer's profile, still holds.
func (q *Request) reusesRanking() bool {
	p := q.Previous
	return p != nil && p.Ranking != nil && p.Items == q.Items && reflect.DeepEqual(p.Policy, q.Setup.Policy[q.Side])
}

// RanksAlike reports whether both sides' policies rank items in the same way,
// so that the second to be computed shares the ranking of the first.
func (q *Request) RanksAlike() bool {
	a, b := q.Setup.Policy[A], q.Setup.Policy[B]
	return a.Deduplicate == b.Deduplicate && reflect.DeepEqual(a.Scorers, b.Scorers)
}

// like is an outcome with a ranking that the policy of this request would
// share, or nil.
func (q *Request) like() *Outcome {
	policy := q.Setup.Policy[q.Side]
	for _, o := range [...]*Outcome{q.Other, q.Previous} {
		if o != nil && o.Ranking != nil && o.Items == q.Items && o.Policy.Deduplicate == policy.Deduplicate &&
			reflect.DeepEqual(o.Policy.Scorers, policy.Scorers) {
			return o
		}
	}
	return nil
}

// reusesProfile reports whether the whole axis is already profiled.
func (q *Request) reusesProfile() bool {
	if !q.reusesRanking() || q.Previous.Profile == nil {
		return false
	}
	a, err := q.axis()
	if err != nil {
		return true // nothing will be computed
	}
	_, ok := q.Previous.Profile.Along(a)
	return ok
}

// Cost predicts, in microseconds on one core, how long Run takes. It decides
// between doing the work at once and in the background; it need not be exact.
func (q *Request) Cost() int {
	n := q.Items.Len()
	cost := n / 50 // report, differences
	if !q.reusesRanking() && q.like() == nil {
		cost += n / 8
	}
	if !q.reusesProfile() {
		cost += q.slicingCost()
	}
	return cost
}

// slicingCost is what the profile takes: by the cells that it computes, which
// are known where there is a ranking like the one to come and it is small
// enough to be counted at once; else by a rule of thumb.
func (q *Request) slicingCost() int {
	policy, n := q.Setup.Policy[q.Side], q.Items.Len()
	rough := slicingCost(policy, q.Items, q.Setup.End())
	axis, err := q.axis()
	if policy.Slicer != model.Knapsack || n > countedItems || err != nil {
		return rough
	}
	upTo, _ := axis.Target(axis.End())
	ranking := q.similar()
	if ranking == nil {
		return rough
	}
	return rough - tableCost(policy, q.Items, q.Setup.End()) + n/8 + int(ranking.ProfileCost(upTo)/cellsPerMicrosecond)
}

const (
	// countedItems is up to how many items the cells of a knapsack are counted
	// before they are computed: in less than half a millisecond.
	countedItems = 5000
	// cellsPerMicrosecond is how fast they are computed.
	cellsPerMicrosecond = 1000
)

// similar is a ranking with the slicer of this request and the same items but
// for a few edits; nil: there is none, or it would have to be scored.
func (q *Request) similar() *pipeline.Ranking {
	policy := q.Setup.Policy[q.Side]
	if p := q.Previous; p != nil && p.Ranking != nil && p.Policy.Slicer == policy.Slicer && p.Policy.Bucket() == policy.Bucket() &&
		reflect.DeepEqual(p.Policy.Quotas, policy.Quotas) && reflect.DeepEqual(p.Policy.CountQuotas, policy.CountQuotas) {
		return p.Ranking
	}
	like := q.like()
	if like == nil {
		return nil
	}
	p, err := pipeline.New(policy)
	if err != nil {
		return nil
	}
	r, err := p.RankLike(context.Background(), like.Ranking, q.Items)
	if err != nil {
		return nil
	}
	return r
}

// TrialCost predicts, in microseconds on one core, how long it takes to run the
// pipeline anew at the budget of the outcome, with other edits.
func (o *Outcome) TrialCost() int {
	n := o.Items.Len()
	cost := 20 + n/50 + n/8
	if o.Policy.Slicer == model.Knapsack {
		return cost + tableCost(o.Policy, o.Items, o.Setup.Budget.MaxTokens)
	}
	return cost + n/20
}

// CurveCost predicts, in microseconds on one core, how long it takes to list
// what all budgets of the outcome's profile give.
func (o *Outcome) CurveCost() int {
	return slicingCost(o.Policy, o.Items, o.Setup.End())
}

// slicingCost predicts what it takes to profile a slicer up to end.
func slicingCost(policy model.Policy, items *model.Set, end model.Tokens) int {
	n, upTo := items.Len(), int(min(end, items.Total(), 1<<32))
	cost := n/20 + min(upTo, 8*n)/50
	if policy.Slicer == model.Knapsack {
		cost = tableCost(policy, items, end)
	}
	if len(policy.Quotas) > 0 {
		cost += upTo / 30 * len(items.Kinds())
	}
	return cost
}

// tableCost predicts what a knapsack's table up to end takes.
func tableCost(policy model.Policy, items *model.Set, end model.Tokens) int {
	n := items.Len()
	capacity := int(min(end, items.Total(), 1<<32)) / int(policy.Bucket())
	// Cells, of which the row cut leaves few where there are many rows.
	return capacity/8*min(n, 2000)/250 + n/8
}

// axis is the line of budgets on which the setup's own lies. It is made from
// the budget at its end, so that it exists, and profiles are kept, also where
// the setup's own budget is invalid.
func (q *Request) axis() (simulate.Axis, error) {
	end := q.Setup.End()
	b, err := model.NewBudget(q.Setup.WithMax(end).Budget)
	if err != nil {
		return simulate.Axis{}, err
	}
	return simulate.NewAxis(b, q.Items.PinnedTokens(), q.Setup.Policy[q.Side].Overflow, end)
}

// Run computes the outcome. An error of the experiment itself (pinned items
// that do not fit, an invalid budget, ...) is in Outcome.Err; the returned
// error is that of ctx alone.
func (q *Request) Run(ctx context.Context) (*Outcome, error) {
	o := &Outcome{Setup: q.Setup, Items: q.Items, Pairs: q.Pairs, Policy: q.Setup.Policy[q.Side]}
	if q.reusesRanking() {
		o.Ranking, o.Profile, o.Times = q.Previous.Ranking, q.Previous.Profile, q.Previous.Times
	}
	if err := q.run(ctx, o); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o.Report, o.Err = nil, err
	}
	return o, nil
}

func (q *Request) run(ctx context.Context, o *Outcome) error {
	if o.Ranking == nil {
		p, err := pipeline.New(o.Policy, pipeline.WithClock(q.now))
		if err != nil {
			return err
		}
		var shared *pipeline.Ranking
		start, like := q.now(), q.like()
		if like != nil {
			shared = like.Ranking
		}
		if o.Ranking, err = p.RankLike(ctx, shared, q.Items); err != nil {
			return err
		}
		if o.Times.Rank = q.now().Sub(start); like != nil {
			o.Times.Rank = like.Times.Rank
		}
	}
	axis, err := q.axis()
	if err != nil {
		return err
	}
	along, ok := (*simulate.Profile)(nil), false
	if o.Profile != nil {
		along, ok = o.Profile.Along(axis)
	}
	if !ok {
		start := q.now()
		if along, err = simulate.NewProfile(ctx, o.Ranking, axis); err != nil {
			return err
		}
		o.Times.Profile = q.now().Sub(start)
	}
	o.Profile = along
	budget, err := model.NewBudget(q.Setup.Budget)
	if err != nil {
		return err
	}
	if o.Report, err = o.Profile.Report(budget); err != nil {
		return err
	}
	o.Lost, o.Gained, o.SlackErr = o.Profile.Slack(budget, q.Setup.Slack)
	o.Parted = o.Pairs.Parted(o.Report)
	return nil
}

// Mends names the knobs that would mend err, the most likely first.
func Mends(err error) []KnobID {
	var pinned *model.PinnedError
	var over *model.OverflowError
	var budget *model.BudgetError
	var table *model.TableError
	var scarce *model.ScarcityError
	switch {
	case errors.As(err, &scarce):
		return []KnobID{Quotas}
	case errors.As(err, &pinned):
		return []KnobID{MaxTokens, OutputReserve}
	case errors.As(err, &over):
		return []KnobID{Overflow, MaxTokens, TargetTokens}
	case errors.As(err, &table):
		return []KnobID{Bucket, AxisEnd}
	case errors.As(err, &budget):
		switch budget.Field {
		case "maxTokens":
			return []KnobID{MaxTokens}
		case "targetTokens":
			return []KnobID{TargetTokens, MaxTokens}
		case "outputReserve":
			return []KnobID{OutputReserve, MaxTokens}
		case "estimationSafetyMarginPercent":
			return []KnobID{SafetyMargin}
		case "slackTokens":
			return []KnobID{Slack}
		}
		return []KnobID{HeldBack}
	}
	return nil
}
