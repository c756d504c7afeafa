package simulate

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Displaced explains why an item is out at b: it returns the change at the budget
// at which the item last went out on the way up to b. In lists the items that
// came in there. Under greedy that is exactly one item, unless the axis jumps
// over targets: the one that took the space. False: the item is in at b, or at
// no budget below.
//
// In may be empty: under quotas a share of the budget may shrink, and what
// count quotas commit may overflow the target.
func (p *Profile) Displaced(item int, b model.Tokens) (Change, bool) {
	below, _, in := p.Nearest(item, b)
	if in || !below.Set {
		return Change{}, false
	}
	return p.change(below.Value, below.Value+1), true
}

// LostNext explains where an item that is in at b is lost: it returns the change
// at the next budget above b at which the item is out. False: the item is
// out at b, or stays up to the axis end.
func (p *Profile) LostNext(item int, b model.Tokens) (Change, bool) {
	if _, _, in := p.Nearest(item, b); !in {
		return Change{}, false
	}
	at, ok := p.NextFor(item, b)
	if !ok {
		return Change{}, false
	}
	return p.change(at-1, at), true
}

// Nearest is the largest budget below b and the least above it at which an
// item is in, and whether it is in at b; then the two are not set. b counts as
// the nearest budget of the axis.
func (p *Profile) Nearest(item int, b model.Tokens) (below, above model.Option[model.Tokens], in bool) {
	b = min(max(b, 0), p.axis.End())
	for _, band := range p.Bands(nil, item) {
		switch {
		case band.To < b:
			below = model.Some(band.To)
		case band.From <= b:
			return model.Option[model.Tokens]{}, model.Option[model.Tokens]{}, true
		default:
			return below, model.Some(band.From), false
		}
	}
	return below, above, false
}

// Drop is an item whose removal would bring another item in, and the change of
// tokens and value that the whole result would have: see Effect.
type Drop struct {
	Item   int32
	Tokens model.Tokens
	Value  float64
}

// Droppable lists the items that may keep item out: the one that it is
// a duplicate of, then all others that are in, those of the least score first,
// and pinned ones last. Items that are out are not listed, although under
// quotas, or with a scorer that rates items against each other, one of them may
// keep item out too.
func Droppable(r *pipeline.Ranking, before *model.Report, item int) []int32 {
	var all []int32
	survivor := int32(-1)
	if before.Codes[item] == model.Deduplicated {
		survivor = before.Survivors[item]
		all = append(all, survivor)
	}
	var items [2]int32
	for pos := range slices.Backward(r.Input().Items) {
		for _, i := range r.Members(items[:0], pos) {
			if before.In(int(i)) && int(i) != item && i != survivor {
				all = append(all, i)
			}
		}
	}
	for _, i := range r.Pinned() {
		if int(i) != item {
			all = append(all, i)
		}
	}
	return all
}
