package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
)

// This file finds a setup in which wishes hold. Shares of the room and numbers of items exclude
// each other in one policy, and a first share divides the room among all kinds. So where a share
// is wished, numbers of items become shares, and a kind that would lose items gets one as well.
// Which shares do it is found by trying: every try is a run, and what is offered held in its run.

// way is how wishes are granted.
type way struct {
	shares bool // by shares of the room in place of numbers of items
	pins   bool // by pins in place of shares for least numbers of items
	filled bool // and the room that quotas leave free goes to the kinds that no wish limits
	exact  bool // by the quota that is typed
	held   bool // and so that a share holds what is wished where it holds without
}

// basis is the result beside which wishes are granted.
type basis struct {
	exp  *experiment.Experiment
	side experiment.Side
	now  *experiment.Outcome
}

// granting finds a setup in which wishes hold.
type granting struct {
	way
	basis
	keep    *model.Report // what is in there is to be in, of the kinds that no wish limits
	asked   []wish
	wishes  []wish           // and the numbers that are set, where shares take their place
	typed   *palette.Command // of a way that is exact
	pinned  []int
	policy  model.Policy // of the next attempt
	raised  map[model.Kind]int
	lowered bool
	found   *attempt // the best
	err     error    // why the wishes hold in none
}

// attempt is a setup that was tried, and its result.
type attempt struct {
	setup  experiment.Setup
	report *model.Report
	unmet  int     // how many wishes do not hold
	lost   []int32 // what was in and is out, of kinds that no wish limits
}

// Attempts together visit at most maxGrantWork items, or table cells of a knapsack, of which
// cellsAnItem cost as much as an item; and there are at most maxAttempts.
const (
	maxGrantWork = 200_000
	cellsAnItem  = 16
	maxAttempts  = 300
)

// grantings returns the ways in which wishes hold, at most four:
//   - quotas;
//   - quotas, and the room that they leave free is filled;
//   - pins in place of a least number of items, where a share is wished as well;
//   - a share in place of a largest number of items, where the room is then filled.
//
// Where wishes cannot hold, quotas are the only way, and their error says why.
func (b basis) grantings(ctx context.Context, wishes []wish) []*granting {
	first := b.granting(wishes, way{})
	first.find(ctx)
	all := []*granting{first}
	if first.err != nil {
		return all
	}
	if fill := first.fill(ctx); fill.err == nil {
		all = append(all, fill)
	}
	for _, w := range [...]way{{pins: true}, {shares: true}} {
		g := b.granting(wishes, w)
		if w.pins && len(g.pinned) == 0 || w.shares && first.shares {
			continue
		}
		if g.find(ctx); g.err != nil {
			continue
		}
		if fill := g.fill(ctx); fill.err == nil {
			all = append(all, fill)
		} else if w.pins {
			all = append(all, g)
		}
	}
	return all
}

// exactly returns the way of a command that is typed, which makes the setup set for what is wished.
func (b basis) exactly(ctx context.Context, typed palette.Command, wishes []wish, set experiment.Setup) *granting {
	g := &granting{way: way{exact: true}, basis: b, wishes: wishes, typed: &typed, err: errors.New(typed.Why), found: &attempt{setup: set}}
	if trial, ok := b.exp.Try(b.side, set); ok && typed.Why == "" {
		g.found.report, g.err = trial.Report(ctx)
	}
	return g
}

// granting returns what finds a way in which wishes hold.
func (b basis) granting(wishes []wish, w way) *granting {
	policy := b.exp.Setup().Policy[b.side].Clone()
	g := &granting{way: w, basis: b, keep: b.now.Report, asked: wishes, wishes: slices.Clone(wishes), policy: policy, raised: map[model.Kind]int{}}
	g.shares = w.shares || len(policy.Quotas) > 0 || slices.ContainsFunc(wishes, func(w wish) bool { return w.percent })
	if !g.shares {
		return g
	}
	for _, q := range policy.CountQuotas { // numbers that are set become wishes
		if q.Require > 0 {
			g.wishes = append(g.wishes, wish{kind: q.Kind, n: float64(q.Require)})
		}
		if q.Cap < len(competing(b.now, q.Kind)) {
			g.wishes = append(g.wishes, wish{kind: q.Kind, most: true, n: float64(q.Cap)})
		}
	}
	for _, w := range g.wishes {
		if g.pins && w.kind != "" && !w.percent && !w.most {
			g.pinned = append(g.pinned, g.best(w)...)
		}
	}
	return g
}

// best returns the items of a kind to pin so that as many are in as are wished, beside those that
// are pinned: first those that are in, of these the densest.
func (g *granting) best(w wish) []int {
	all := densest(g.now, w.kind)
	out := func(i int) bool { return !g.now.Report.In(i) }
	all = slices.Concat(slices.DeleteFunc(slices.Clone(all), out), slices.DeleteFunc(all, g.now.Report.In))
	more := int(w.n) - len(pinnedOf(g.now.Items, w.kind))
	return all[:min(max(0, more), len(all))]
}

// find tries until the wishes hold and nothing is lost, and keeps the attempt that came nearest.
func (g *granting) find(ctx context.Context) {
	tries, err := g.tries()
	if err == nil {
		err = g.begin()
	}
	g.found, g.err = nil, err
	if err != nil {
		return
	}
	for range tries {
		a := g.attempt(ctx)
		if a == nil {
			break
		}
		if g.found == nil || g.compare(a, g.found) < 0 {
			g.found = a
		}
		if a.unmet == 0 && len(a.lost) == 0 || !g.adjust(a) {
			break
		}
	}
	switch {
	case g.found == nil:
		g.err = errors.New("there would be no result")
	case g.found.unmet > 0:
		g.err = errors.New("not possible at this budget; nearest: " + g.comesTo(g.found.report))
	}
}

// compare orders attempts, the better first.
func (g *granting) compare(a, b *attempt) int {
	least := cmp.Compare(len(a.lost), len(b.lost))
	if g.filled {
		least = cmp.Compare(b.report.Value, a.report.Value)
	}
	return cmp.Or(cmp.Compare(a.unmet, b.unmet), least)
}

// tries returns how many attempts there may be. The error says why there are none.
func (g *granting) tries() (int, error) {
	n, slicer := g.now.Items.Len(), g.policy.Slicer
	if slices.ContainsFunc(g.wishes, func(w wish) bool { return w.kind != "" }) && !slicer.Divisible() {
		return 0, errors.New(experiment.Undivided(slicer))
	}
	work := n + 1
	if slicer.InBuckets() {
		cells := float64(n) * float64(g.now.Report.Effective.Target) / float64(max(1, g.policy.Bucket()))
		work += int(min(maxGrantWork*cellsAnItem, cells)) / cellsAnItem
	}
	if maxGrantWork/work < 2 {
		return 0, fmt.Errorf("trying takes long with %s: type one wish at a time", plain.Count(n, "item"))
	}
	return min(maxAttempts, maxGrantWork/work), nil
}

// begin sets the policy of the first attempt: what is wished, and no more.
func (g *granting) begin() error {
	if g.shares {
		g.policy.CountQuotas, g.policy.Scarcity = nil, ""
	}
	for _, w := range g.wishes {
		there := len(ofKind(g.now.Items, w.kind))
		switch {
		case w.kind == "":
		case w.percent && w.most:
			g.share(w.kind).MaxPercent = model.Some(w.n)
		case w.percent:
			g.share(w.kind).MinPercent = model.Some(w.n)
		case !w.most && int(w.n) > there:
			return errors.New("there are only " + plain.Count(there, w.kind.Noun()+" item"))
		case g.shares && g.held:
			g.raise(w.kind, shareOfDensest(g.now, w.kind, int(w.n)))
		case g.shares:
		default:
			k := slices.IndexFunc(g.policy.CountQuotas, func(q model.CountQuota) bool { return q.Kind.Is(w.kind) })
			if k < 0 {
				k = len(g.policy.CountQuotas)
				g.policy.CountQuotas = append(g.policy.CountQuotas, model.CountQuota{Kind: w.kind, Cap: there})
			}
			n := max(0, int(w.n)-len(pinnedOf(g.now.Items, w.kind))) // a quota counts none that are pinned
			q := &g.policy.CountQuotas[k]
			if w.most {
				q.Cap, q.Require = n, min(n, q.Require)
			} else {
				q.Require, q.Cap = n, max(n, q.Cap)
			}
		}
	}
	return nil
}

// share returns the shares of a kind in the next attempt.
func (g *granting) share(kind model.Kind) *model.Quota {
	k := slices.IndexFunc(g.policy.Quotas, func(q model.Quota) bool { return q.Kind.Is(kind) })
	if k < 0 {
		k = len(g.policy.Quotas)
		g.policy.Quotas = append(g.policy.Quotas, model.Quota{Kind: kind})
	}
	return &g.policy.Quotas[k]
}

// attempt runs the next attempt; nil: it has no result.
func (g *granting) attempt(ctx context.Context) *attempt {
	a := &attempt{setup: g.exp.Setup().WithPolicy(g.side, g.policy.Clone()).WithPinned(g.exp.Items(), g.pinned, true)}
	for _, w := range g.wishes {
		if w.out {
			a.setup = a.setup.WithExcluded(w.items, true)
		} else {
			a.setup = a.setup.WithPinned(g.exp.Items(), w.items, true)
		}
	}
	trial, ok := g.exp.Try(g.side, a.setup)
	if !ok {
		return nil
	}
	rep, err := trial.Report(ctx)
	if err != nil {
		return nil
	}
	a.report = rep
	for _, w := range g.wishes {
		if !g.holds(rep, w) {
			a.unmet++
		}
	}
	a.lost = g.missing(g.keep, rep)
	return a
}

// missing returns what is in before and out after, but for what wishes name and limit.
func (g *granting) missing(before, after *model.Report) (lost []int32) {
	limited := make([]bool, len(g.now.Items.Kinds()))
	var named []int
	for _, w := range g.wishes {
		named = append(named, w.items...)
		if w.most && !g.holds(before, w) {
			limited[kindID(g.now.Items, w.kind)] = true
		}
	}
	for _, i := range before.Included {
		if !after.In(int(i)) && !limited[g.now.Items.KindID(int(i))] && !slices.Contains(named, int(i)) {
			lost = append(lost, i)
		}
	}
	slices.Sort(lost)
	return lost
}

// amount returns what a result has of what a wish counts: items, or percent of the room.
func (g *granting) amount(rep *model.Report, w wish) float64 {
	n, taken := 0, model.Tokens(0)
	for _, i := range ofKind(rep.Items, w.kind) {
		if rep.In(i) {
			n++
		}
		if rep.In(i) && rep.Codes[i] != model.Pinned {
			taken += rep.Taken(i)
		}
	}
	if w.percent {
		return 100 * float64(taken) / float64(max(1, rep.Effective.Target))
	}
	return float64(n)
}

// rounding is less than any difference between two amounts that differ.
const rounding = 1e-9

// holds reports whether a wish holds in a result. A least share holds too where all items of the
// kind that compete are in.
func (g *granting) holds(rep *model.Report, w wish) bool {
	out := func(i int) bool { return !rep.In(i) }
	n := g.amount(rep, w)
	switch {
	case w.items != nil:
		return !slices.ContainsFunc(w.items, func(i int) bool { return rep.In(i) == w.out })
	case w.most:
		return n <= w.n+rounding
	case w.percent:
		return n >= w.n-rounding || !slices.ContainsFunc(competing(g.now, w.kind), out)
	default:
		return n >= w.n
	}
}

// adjust changes the shares after an attempt that left something to wish. It returns false if
// nothing more can be changed.
func (g *granting) adjust(a *attempt) bool {
	if !g.shares {
		return false
	}
	changed := false
	for _, w := range g.wishes {
		switch {
		case w.kind == "" || w.percent || g.holds(a.report, w):
		case w.most: // first as many of the densest as are wished
			q := g.share(w.kind)
			next := shareOfDensest(g.now, w.kind, int(w.n))
			if q.MaxPercent.Set {
				next = min(next, math.Round(10*q.MaxPercent.Value-1)/10)
			}
			changed = changed || next >= 0
			q.MaxPercent = model.Some(max(0, next))
			if q.Require() > q.Cap() {
				q.MinPercent = q.MaxPercent
			}
		case len(g.pinned) == 0:
			changed = g.raise(w.kind, shareOfDensest(g.now, w.kind, int(w.n))) || changed
		}
	}
	for id, kind := range g.now.Items.Kinds() {
		if slices.ContainsFunc(a.lost, func(i int32) bool { return g.now.Items.KindID(int(i)) == id }) {
			held := g.amount(g.keep, wish{kind: kind, percent: true})
			changed = g.raise(kind, math.Ceil(10*held-rounding)/10) || changed
		}
	}
	over, largest := -100., &model.Quota{}
	for i := range g.policy.Quotas {
		q := &g.policy.Quotas[i]
		over += q.Require()
		if q.Require() > largest.Require() {
			largest = q
		}
	}
	if over > 0 && g.filled && !g.lowered { // as one kind can do with less
		g.lowered = true
		largest.MinPercent = model.Some(math.Floor(10*(largest.Require()-over)) / 10)
		return largest.Require() > 0
	}
	return changed && over <= 0
}

// raise sets the least share of a kind to least, or if it is that much already a step higher. It
// returns false where the largest share forbids that.
func (g *granting) raise(kind model.Kind, least float64) bool {
	q := g.share(kind)
	next := max(least, .1)
	if was := q.Require(); next <= was {
		step := .1
		if g.raised[kind]++; g.raised[kind] > 10 {
			step = 1
		}
		next = math.Round(10*(was+step)) / 10
	}
	if next > q.Cap() {
		return false
	}
	q.MinPercent = model.Some(next)
	return true
}
