package turns

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"cupelscope/model"
	"cupelscope/model/relay"
)

// Run runs plans over a history under one budget and one billing, which it returns: a
// fixed part that is not given is taken from the record. The first
// course it returns sends everything; the plans follow in order. The
// error is from Windows or Billing.validate. Options.Each is called for
// the windows of all plans, and Options.MaxItems bounds the items of each.
func Run(ctx context.Context, s *History, plans []Plan, b model.Budget, by Billing, o Options) ([]*Course, Billing, error) {
	if err := by.validate(); err != nil {
		return nil, by, err
	}
	courses := make([]*Course, 0, len(plans)+1)
	for _, p := range slices.Concat([]Plan{{Name: string(All), Strategy: All}}, plans) {
		p.Fixed, p.Cuts = by.Fixed.Tokens, s.Items().HasSizes() && (p.Strategy == Stateless || p.Strategy == Watermark)
		keeps := o.Keeps == nil || o.Keeps(p)
		windows, changes, err := s.windows(ctx, p, b, o, keeps)
		if err != nil {
			return nil, by, err
		}
		var all *Course
		if len(courses) > 0 {
			all = courses[0]
		} else if by.Fixed.From == FixedUnknown {
			by.Fixed = s.FixedPart(windows)
		}
		courses = append(courses, s.Bill(p, windows, changes, b.TargetTokens(), by, all))
		if keeps {
			continue
		}
		for t := range windows {
			windows[t].Items, windows[t].parts, windows[t].Asked = nil, nil, nil
		}
	}
	return courses, by, nil
}

// windows returns the windows of a plan and their changes. Where their items are not kept,
// Clear and Drop hold one window at a time; recall looks at the items of each.
func (s *History) windows(ctx context.Context, p Plan, b model.Budget, o Options, keeps bool) ([]Window, []Change, error) {
	if !keeps && s.needed == nil && (p.Strategy == Clear || p.Strategy == Drop) {
		if err := p.validate(); err != nil {
			return nil, nil, err
		}
		return s.relief(p, b).follow(ctx, o.Each)
	}
	windows, err := Windows(ctx, s, p, b, o)
	if err != nil {
		return nil, nil, err
	}
	changes, err := s.Compare(ctx, windows)
	return windows, changes, err
}

// Sweep returns the totals of each of many plans, as Lows and MapPlans make them, on all
// processors. all is the first course of Run, and o is for the windows of each plan. The
// error is from Windows.
func Sweep(ctx context.Context, s *History, plans []Plan, b model.Budget, by Billing, all *Course, o Options) ([]Totals, error) {
	totals := make([]Totals, len(plans))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(relay.Workers())
	for k, plan := range plans {
		group.Go(func() error {
			plan.Fixed = by.Fixed.Tokens
			windows, changes, err := s.windows(ctx, plan, b, o, false)
			if err == nil {
				totals[k] = s.Bill(plan, windows, changes, b.TargetTokens(), by, all).Totals
			}
			return err
		})
	}
	return totals, group.Wait()
}

// Lows returns the plan with each of the values of Plan.Low, in percent.
func Lows(p Plan, lows []float64) []Plan {
	plans := make([]Plan, len(lows))
	for k, low := range lows {
		plans[k] = p
		plans[k].Low = low
	}
	return plans
}

// SweepLows returns the values of Plan.Low for a sweep: 30 to 100 percent in
// steps of 5.
func SweepLows() []float64 {
	var lows []float64
	for low := 30.0; low <= 100; low += 5 {
		lows = append(lows, low)
	}
	return lows
}

// SweepEnds follows the lowest mark in words where BelowLows is true.
const SweepEnds = ", the deepest tried"

// BelowLows reports whether the totals of a sweep still fall at its lowest mark: what costs
// least may then lie below all marks.
func BelowLows(totals []Totals) bool {
	if Least(totals) != 0 || len(totals) < 2 {
		return false
	}
	lowest, _ := totals[0].CostRatio()
	next, ok := totals[1].CostRatio()
	return ok && lowest < next
}

// Least returns the index of the totals with the lowest cost ratio, the first
// of equals, or -1 if no ratio is known.
func Least(totals []Totals) int {
	least, lowest := -1, 0.0
	for k, t := range totals {
		if ratio, ok := t.CostRatio(); ok && (least < 0 || ratio < lowest) {
			least, lowest = k, ratio
		}
	}
	return least
}
