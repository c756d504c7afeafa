package explorer

import (
	"context"
	"errors"
	"slices"

	"cupelscope/model"
)

// This file fills the room that quotas leave free. A largest share or number takes room from its
// kind, and Cupel gives it to no other kind; a least share of another kind does. Which least
// shares are worth most is found as in wishways.go, by trying.

// errFilled is why nothing is done where quotas do not keep room free.
var errFilled = errors.New("quotas leave no room that another item could have")

// fill returns the way that also gives the room that g leaves free to the kinds that no wish
// limits; its error says why that is worth no more. What these kinds would have without quotas,
// beside what is in of the others, is what their least shares are to hold.
func (g *granting) fill(ctx context.Context) *granting {
	fill := *g
	fill.filled, fill.policy, fill.raised = true, g.exp.Setup().Policy[g.side].Clone(), map[model.Kind]int{}
	open := g.found.setup.Policy[g.side].Clone()
	open.Quotas = nil
	out := itemsThat(g.now.Items, func(i int) bool { return !g.found.report.In(i) && g.limited(i) })
	trial, ok := g.exp.Try(g.side, g.found.setup.WithPolicy(g.side, open).WithExcluded(out, true))
	fill.err = errFilled
	if !ok || !g.shares {
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

// limited reports whether the kind of an item has a largest share or number.
func (g *granting) limited(item int) bool {
	kind := g.now.Items.Loaded(item).Kind
	return slices.ContainsFunc(g.wishes, func(w wish) bool { return w.most && w.kind.Is(kind) }) ||
		slices.ContainsFunc(g.found.setup.Policy[g.side].Quotas, func(q model.Quota) bool { return q.MaxPercent.Set && q.Kind.Is(kind) })
}

// allIn is why room stays free where no item is left for it.
const allIn = "other kinds are all in"

// exhausted reports whether the other kinds are all in.
func (g *granting) exhausted() bool {
	return itemsThat(g.now.Items, func(i int) bool { return competes(g.now.Ranking, i) && !g.found.report.In(i) && !g.limited(i) }) == nil
}

// filling returns the way that fills the room within the quotas of the policy. The error says why no
// more goes in.
func (b basis) filling(ctx context.Context) []*granting {
	g := b.granting(nil, way{shares: true})
	if g.find(ctx); g.err == nil {
		g = g.fill(ctx)
	}
	return []*granting{g}
}
