package explorer

import (
	"context"
	"errors"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file fills the room that quotas leave free. A largest share or number takes room from its
// kind, and Cupel gives it to no other kind; a least share of another kind does. Which least
// shares are worth most is found as in grant.go, by trying.

// errFilled is why nothing is done where quotas do not keep room free.
var errFilled = errors.New("quotas leave no room that another item could have")

// fill returns the way that also gives the room that g leaves free to the kinds that no wish
// limits; its error says why that is worth no more. What these kinds would have without quotas,
// beside what is in of the others, is what their least shares are to hold.
func (g *granting) fill(ctx context.Context) *granting {
	fill := *g
	fill.filled, fill.policy, fill.raised = true, g.exp.Setup().Policy[g.side].Clone(), map[model.Kind]int{}
	open, limited, out := g.found.setup.Policy[g.side].Clone(), g.limited(), []int(nil)
	open.Quotas = nil
	for i := range g.now.Items.Len() {
		if !g.found.report.In(i) && limited[g.now.Items.KindID(i)] {
			out = append(out, i)
		}
	}
	trial, ok := g.exp.Try(g.side, g.found.setup.WithPolicy(g.side, open).WithExcluded(out, true))
	if fill.err = errFilled; !ok || !g.shares {
		return &fill
	}
	if fill.keep, fill.err = trial.Report(ctx); fill.err != nil {
		return &fill
	}
	switch fill.find(ctx); {
	case fill.err != nil:
	case fill.found.report.Value > g.found.report.Value && fill.found.report.SlicedTokens >= g.found.report.SlicedTokens:
		fill.found.lost = fill.missing(g.now.Report, fill.found.report)
	case g.exhausted():
		fill.err = errors.New(allIn)
	case fill.keep.SlicedTokens <= g.found.report.SlicedTokens:
		fill.err = errFilled
	default:
		fill.err = errors.New("no least shares that were tried bring in more")
	}
	return &fill
}

// limited returns which kinds have a largest share or number.
func (g *granting) limited() []bool {
	kinds := make([]bool, len(g.now.Items.Kinds()))
	limit := func(kind model.Kind) {
		if id := kindID(g.now.Items, kind); id >= 0 {
			kinds[id] = true
		}
	}
	for _, w := range g.wishes {
		if w.most {
			limit(w.kind)
		}
	}
	for _, q := range g.found.setup.Policy[g.side].Quotas {
		if q.MaxPercent.Set {
			limit(q.Kind)
		}
	}
	return kinds
}

// allIn is why room stays free where no item is left for it.
const allIn = "all items of other kinds are in"

// exhausted reports whether that is so.
func (g *granting) exhausted() bool {
	limited := g.limited()
	for i := range g.now.Items.Len() {
		if _, competes := g.now.Ranking.Position(i); competes && !g.found.report.In(i) && !limited[g.now.Items.KindID(i)] {
			return false
		}
	}
	return true
}

// fillCommand gives the room that the quotas of the policy leave free to the kinds that none limits.
func (s *sessionState) fillCommand() palette.Command {
	c := palette.Command{Group: "set", Text: "fill the room: what quotas leave free goes to other kinds", Words: "idle give use spread wasted", Why: s.needsResult()}
	if policy := s.exp.Setup().Policy[s.side]; c.Why == "" && len(policy.Quotas)+len(policy.CountQuotas) == 0 {
		c.Why = "no quota is set (p)"
	}
	if c.Why != "" {
		return c
	}
	exp, side, o := s.exp.Frozen(), s.side, s.exp.Result(s.side)
	made := func(g *granting) (screen.Change, error) {
		if g.err != nil {
			return screen.Change{}, g.err
		}
		return screen.To(g.found.setup, experiment.Label{Name: "fill the room"}), nil
	}
	c.Plan = func() (screen.Change, error) {
		if why := s.needsResult(); why != "" {
			return screen.Change{}, errors.New(why)
		}
		return made(filled(context.Background(), s.exp, s.side, s.exp.Result(s.side)))
	}
	c.Later = func(ctx context.Context) func() []palette.Command {
		g := filled(ctx, exp, side, o)
		return func() []palette.Command {
			c.Later = nil
			if g.err != nil {
				c.Why, c.Done = g.err.Error(), g.err == errFilled
				return []palette.Command{c}
			}
			c.Text += ": " + g.sets(g.found)
			c.Effect = totals(g.found.report)
			if s.exp.Result(s.side) == o {
				c.Plan = func() (screen.Change, error) { return made(g) }
			}
			return []palette.Command{c}
		}
	}
	return c
}

// filled fills the room within the quotas of a policy. The error says why no more goes in.
func filled(ctx context.Context, exp *experiment.Experiment, side experiment.Side, o *experiment.Outcome) *granting {
	g := newGranting(exp, side, o, nil, way{shares: true})
	if g.find(ctx); g.err != nil {
		return g
	}
	return g.fill(ctx)
}
