package simulate

import "cupelscope/model"

// Displaced explains why an item is out at b: it returns the change at the
// largest budget up to b at which the item goes out. In holds the items that
// come in there. Under greedy that is exactly one item, the one that took the
// space, unless the axis jumps over targets. Displaced returns false if the
// item is in at b, or at no budget below.
//
// In may be empty: under quotas a share of the budget may shrink, and the
// items that count quotas commit may overflow the target.
func (p *Profile) Displaced(item int, b model.Tokens) (Change, bool) {
	below, _, in := p.Nearest(item, b)
	if in || !below.Set {
		return Change{}, false
	}
	return p.change(below.Value, below.Value+1), true
}

// LostNext explains where an item that is in at b is lost: it returns the
// change at the smallest budget above b at which the item is out. It returns
// false if the item is out at b, or stays in up to the ceiling.
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
