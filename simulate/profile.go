package simulate

import (
	"context"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// Profile knows, for every item, all budgets of an axis at which it is in the
// result. It is the slicer's profile over effective targets, read through the
// axis, so a change of reserves, slots, margin or gap does not recompute it
// (see Along).
//
// Pinned items are in at every budget at which the pipeline runs. Negative
// items, duplicates and items that the user excluded are never in. Nothing is
// in where the pipeline does not run: below Axis.Start, and where the items
// that count quotas commit overflow the target, if overflow is an error. A
// Profile is immutable and safe for concurrent use.
type Profile struct {
	ranking *pipeline.Ranking
	axis    Axis
	inner   slicer.Profile
	last    slicer.Target // the target at the ceiling, <= inner.UpTo()
	excess  excess
}

// NewProfile profiles the ranking along the axis of a template, up to end. The error is a
// *model.BudgetError if end is not 0 to model.MaxTokens, slicer.ErrNoProfile for a slicer
// without a profile, a *model.TableError, a *model.ScarcityError if scarcity fails any budget
// of the axis, a *slicer.RecordsError, or ctx's.
func NewProfile(ctx context.Context, r *pipeline.Ranking, template model.Budget, end model.Tokens) (*Profile, error) {
	a, err := newAxis(r, template, end)
	if err != nil {
		return nil, err
	}
	last, _ := a.Target(end) // 0 if no budget of the axis runs
	inner, err := r.Profile(ctx, last)
	if err != nil {
		return nil, err
	}
	excess := excessOf(r, a)
	if err := excess.fill(ctx, r, end); err != nil {
		return nil, err
	}
	return &Profile{r, a, inner, last, excess}, nil
}

// Along returns the profile of the same ranking along the axis of another template, without
// recomputing anything. It returns false if the profile does not reach as far as the axis, or
// end is out of bounds; then call NewProfile.
func (p *Profile) Along(template model.Budget, end model.Tokens) (*Profile, bool) {
	a, err := newAxis(p.ranking, template, end)
	if err != nil {
		return nil, false
	}
	last, _ := a.Target(end)
	if last > p.inner.UpTo() {
		return nil, false
	}
	excess := excessOf(p.ranking, a)
	if !excess.refill(p.excess, end) {
		return nil, false
	}
	return &Profile{p.ranking, a, p.inner, last, excess}, true
}

// Ranking returns the ranking that was profiled.
func (p *Profile) Ranking() *pipeline.Ranking { return p.ranking }

// Axis returns the axis of the profile.
func (p *Profile) Axis() Axis { return p.axis }

// Same reports whether p and q are known, without comparing results, to give
// the same result at every budget: they share the slicer's profile, and their
// axes are the same. It returns false if either is nil.
func (p *Profile) Same(q *Profile) bool {
	return p != nil && q != nil && p.inner == q.inner && p.axis.same(q.axis)
}

// FirstIn returns the exact smallest budget at which the item is in, or false if
// it is not in at any budget of the axis.
func (p *Profile) FirstIn(item int) (model.Tokens, bool) {
	if pos, ok := p.ranking.Position(item); ok {
		return p.first(pos)
	}
	if !p.pinned(item) {
		return 0, false
	}
	return p.axis.Start()
}

// first is FirstIn for the candidate at a position, in any size but its note.
func (p *Profile) first(pos int) (model.Tokens, bool) {
	least, in := p.firstAt(pos)
	from, to, _ := p.ranking.Input().CutsOf(pos)
	for ; from < to; from++ {
		if b, ok := p.firstAt(from); ok && (!in || b < least) {
			least, in = b, true
		}
	}
	return least, in
}

// firstAt returns the smallest budget at which a position of the Input is selected.
func (p *Profile) firstAt(pos int) (model.Tokens, bool) {
	t, ok := p.inner.FirstIn(pos)
	if !ok {
		return 0, false
	}
	b, ok := p.axis.Least(t)
	if !ok { // beyond the ceiling
		return 0, false
	}
	if reached, _ := p.axis.Target(b); reached == t && b > p.excess.to {
		return b, true
	}
	// The axis jumps over t, perhaps over the whole band, or there is an excess.
	bands := p.bandsAt(nil, pos)
	if len(bands) == 0 {
		return 0, false
	}
	return bands[0].From, true
}

// StaysFrom returns the smallest budget from which the item is in at every budget
// up to the ceiling, or false if it is not in at the end.
func (p *Profile) StaysFrom(item int) (model.Tokens, bool) {
	if pos, ok := p.ranking.Position(item); ok {
		return p.stays(pos)
	}
	if !p.pinned(item) {
		return 0, false
	}
	return p.runsFrom()
}

func (p *Profile) stays(pos int) (model.Tokens, bool) {
	if from, to, _ := p.ranking.Input().CutsOf(pos); p.last == p.inner.UpTo() && from == to {
		t, ok := p.inner.StaysFrom(pos)
		if !ok {
			return 0, false
		}
		if b, ok := p.axis.Least(t); ok && b-1 > p.excess.to {
			below, runs := p.axis.Target(b - 1)
			if !runs || below == t-1 {
				return b, true
			}
		}
	}
	// The axis ends before the profile does, or jumps over the gap below, or
	// there is an excess below, or the candidate stays in several sizes.
	bands := p.bands(nil, pos)
	if len(bands) == 0 || bands[len(bands)-1].To != p.axis.End() {
		return 0, false
	}
	return bands[len(bands)-1].From, true
}

func (p *Profile) pinned(item int) bool {
	_, found := slices.BinarySearch(p.ranking.Pinned(), int32(item)) // input order is ascending
	return found
}

// Report returns what the ranking's DryRun(b) returns, read from the profile,
// so the slicer does not run. The budget need not lie on the axis. Where the
// profile does not reach the effective target, the slicer runs after all.
func (p *Profile) Report(b model.Budget) (*model.Report, error) {
	t := slicer.Target(b.Effective(p.ranking.PinnedTokens()).Target)
	if t > p.inner.UpTo() {
		return p.ranking.DryRun(b)
	}
	return p.ranking.Place(b, p.inner.At(t, nil))
}
