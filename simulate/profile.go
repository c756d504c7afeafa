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

// Bands appends the maximal ranges of budgets at which the item is in, in any size but its
// note, to dst, in ascending order. It panics if the set has no such item or p is nil, as do
// all methods of a Profile that take an item, except BinarySearch.
func (p *Profile) Bands(dst []Band, item int) []Band {
	if pos, ok := p.ranking.Position(item); ok {
		return p.bands(dst, pos)
	}
	if p.pinned(item) {
		dst = p.running(dst)
	}
	return dst
}

// SizeBands appends the maximal ranges of budgets at which the item is in, in that size, to
// dst, in ascending order: 0 is the whole, the next ones are the sizes of model.Set.Sizes,
// the note among them. Of a pair that is one item the call is whole in all sizes.
func (p *Profile) SizeBands(dst []Band, item, size int) []Band {
	pos, ok := p.ranking.Position(item)
	in := p.ranking.Input()
	switch {
	case ok && size == 0 && p.ranking.SizedMember(pos) == item:
		return p.bandsAt(dst, pos)
	case ok && size > 0:
		if p.ranking.SizedMember(pos) == item {
			return p.bandsAt(dst, in.Len()+int(in.CutFrom[pos])+size-1)
		}
	case size == p.ranking.PinnedSize(item): // pinned, or a call
		return p.Bands(dst, item)
	}
	return dst
}

// bands is Bands for the candidate at a position.
func (p *Profile) bands(dst []Band, pos int) []Band {
	from, to, _ := p.ranking.Input().CutsOf(pos)
	if from == to {
		return p.bandsAt(dst, pos)
	}
	all := p.bandsAt(nil, pos)
	for ; from < to; from++ {
		all = p.bandsAt(all, from)
	}
	return append(dst, merged(all)...)
}

// bandsAt returns the ranges at which a position of the Input is selected.
func (p *Profile) bandsAt(dst []Band, pos int) []Band {
	old := len(dst)
	dst = p.excess.bands(dst, pos, p.axis.End())
	var room [8]slicer.Band
	for _, band := range p.inner.Bands(room[:0], pos) {
		from, ok := p.axis.Least(band.From)
		if !ok {
			break // and so for all later ones
		}
		from = max(from, p.excess.to+1) // below it the slicer's answer does not hold
		to := p.axis.End()
		if beyond, ok := p.axis.Least(band.To + 1); ok {
			to = beyond - 1
		}
		switch {
		case to < from: // no budget has a target in this band
		case len(dst) > old && dst[len(dst)-1].To == from-1: // none has one in the gap
			dst[len(dst)-1].To = to
		default:
			dst = append(dst, Band{from, to})
		}
	}
	return dst
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
