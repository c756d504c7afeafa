package simulate

import (
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/scratch"
	"cupelscope/pipeline/slicer"
)

// Change is how the result at budget At differs from the result at another budget:
// the indexes of the items that come in and go out, and that change their size, ascending.
type Change struct {
	At      model.Tokens
	In, Out []int32
	// Resized are the items that are in at both budgets in other sizes, and the items that
	// are out at both and have a note at one.
	Resized []int32

	shrunk, grown []int32 // of Resized, those that are in at both
}

// any reports whether anything changes.
func (c Change) any() bool { return len(c.In)+len(c.Out)+len(c.Resized) > 0 }

// Next returns the change at the smallest budget above b at which the result
// differs from the result at the budget just below it. Nothing is in where the
// pipeline does not run. It returns false if there is no change up to the end of
// the axis.
func (p *Profile) Next(b model.Tokens) (Change, bool) {
	b = max(b, 0)
	for {
		var ok bool
		if b, ok = p.above(b); !ok {
			return Change{}, false
		}
		// Where targets jump, a selection may come and go between two budgets.
		if c := p.change(b-1, b); c.any() {
			return c, true
		}
	}
}

// Prev returns the change at the largest budget below b whose result differs
// from the result at b: In and Out are what changes going down to it. A b beyond the
// ceiling counts as the end. It returns false if all results below are the
// same as at b.
func (p *Profile) Prev(b model.Tokens) (Change, bool) {
	b = min(b, p.axis.End())
	low := b
	for {
		at, ok := p.upTo(low)
		if !ok {
			return Change{}, false
		}
		low = at - 1
		if c := p.change(b, low); c.any() {
			return c, true
		}
	}
}

// above returns the smallest budget above b at which the result may differ from
// the result just below it, or false if there is none.
func (p *Profile) above(b model.Tokens) (model.Tokens, bool) {
	s := p.stretchOf(b)
	least := s.to + 1
	if s.profile != nil {
		if t, ok := s.profile.Next(s.target(b)); ok {
			least = min(least, s.minBudget(t))
		}
	}
	return least, least <= p.axis.End()
}

// upTo returns the largest budget up to b at which the result may differ from
// the result just below it, or false if there is none.
func (p *Profile) upTo(b model.Tokens) (model.Tokens, bool) {
	s := p.stretchOf(b)
	most := s.from
	if s.profile != nil {
		if t, ok := s.profile.Prev(s.target(b)); ok {
			most = max(most, s.minBudget(t))
		}
	}
	return most, most > 0
}

// NextFor returns the smallest budget above b at which the item enters or leaves,
// compared with the budget just below it, or false if there is none up to the
// ceiling.
func (p *Profile) NextFor(item int, b model.Tokens) (model.Tokens, bool) {
	return p.nextOf(p.Bands(nil, item), b)
}

func (p *Profile) nextOf(bands []Band, b model.Tokens) (model.Tokens, bool) {
	b = max(b, 0)
	for _, band := range bands {
		switch {
		case band.From > b:
			return band.From, true
		case band.To >= b && band.To < p.axis.End():
			return band.To + 1, true
		}
	}
	return 0, false
}

// PrevFor returns the largest budget below b at which the item is out if it is
// in at b, or in if it is out at b. It returns false if there is none. A b
// beyond the ceiling counts as the end.
func (p *Profile) PrevFor(item int, b model.Tokens) (model.Tokens, bool) {
	return p.prevOf(p.Bands(nil, item), b)
}

func (p *Profile) prevOf(bands []Band, b model.Tokens) (model.Tokens, bool) {
	b = min(b, p.axis.End())
	for _, band := range slices.Backward(bands) {
		switch {
		case band.To < b:
			return band.To, true
		case band.From <= b:
			return band.From - 1, band.From > 0
		}
	}
	return 0, false
}

// NextSizeFor is NextFor that stops at changes of size too, the note included.
func (p *Profile) NextSizeFor(item int, b model.Tokens) (least model.Tokens, found bool) {
	for size := range len(p.ranking.Items().Sizes(item)) + 1 {
		if at, ok := p.nextOf(p.SizeBands(nil, item, size), b); ok && (!found || at < least) {
			least, found = at, true
		}
	}
	return least, found
}

// PrevSizeFor is PrevFor that stops at changes of size too, the note included.
func (p *Profile) PrevSizeFor(item int, b model.Tokens) (most model.Tokens, found bool) {
	for size := range len(p.ranking.Items().Sizes(item)) + 1 {
		if at, ok := p.prevOf(p.SizeBands(nil, item, size), b); ok && (!found || at > most) {
			most, found = at, true
		}
	}
	return most, found
}

// SizeAt returns the size in which the item is in at b, see model.Set.Sizes, or the size of its
// note; false if neither is in. A b beyond the ceiling counts as the end.
func (p *Profile) SizeAt(item int, b model.Tokens) (size int, ok bool) {
	b = min(b, p.axis.End())
	for size := range len(p.ranking.Items().Sizes(item)) + 1 {
		for _, band := range p.SizeBands(nil, item, size) {
			if band.From <= b && b <= band.To {
				return size, true
			}
		}
	}
	return 0, false
}

// change compares the results at two budgets of the axis. It costs one
// selection each and a pass over their words.
func (p *Profile) change(from, to model.Tokens) Change {
	c := Change{At: to}
	one, other := selections.Lend(0), selections.Lend(0)
	defer one.Return()
	defer other.Return()
	before, ranBefore := p.Selection(from, one.Of)
	after, runsAfter := p.Selection(to, other.Of)
	one.Of, other.Of = before, after
	for w := range before {
		for diff := before[w] ^ after[w]; diff != 0; diff &= diff - 1 {
			p.compare(&c, w<<6+bits.TrailingZeros64(diff), before, after)
		}
	}
	switch {
	case runsAfter && !ranBefore:
		c.In = append(c.In, p.ranking.Pinned()...)
	case ranBefore && !runsAfter:
		c.Out = append(c.Out, p.ranking.Pinned()...)
	}
	slices.Sort(c.In)
	slices.Sort(c.Out)
	slices.Sort(c.Resized)
	c.Resized = slices.Compact(c.Resized) // named by both of its positions
	return c
}

// selections are lent to change.
var selections scratch.Pool[uint64]

// compare adds to a change the candidate of a position that only one of two selections
// has.
func (p *Profile) compare(c *Change, pos int, before, after slicer.Selection) {
	in := p.ranking.Input()
	candidate := in.Whole(pos)
	was, is := in.Taken(before, candidate), in.Taken(after, candidate)
	wasIn, isIn := was >= 0 && !in.IsNote(was), is >= 0 && !in.IsNote(is)
	switch {
	case wasIn == isIn:
		member := int32(p.ranking.SizedMember(candidate))
		c.Resized = append(c.Resized, member)
		switch {
		case !isIn || is != pos:
		case in.TokensAt(is) < in.TokensAt(was):
			c.shrunk = append(c.shrunk, member)
		default:
			c.grown = append(c.grown, member)
		}
	case isIn && is == pos:
		c.In = p.ranking.Members(c.In, candidate)
	case wasIn && was == pos:
		c.Out = p.ranking.Members(c.Out, candidate)
	}
}

// Selection returns the candidates that are in at b, by position in the
// ranking's Input, without the pinned items. It returns false, and an empty
// selection, if the pipeline does not run at b. b must be at most the axis
// end. The result reuses dst's memory if that is large enough.
func (p *Profile) Selection(b model.Tokens, dst slicer.Selection) (slicer.Selection, bool) {
	t, runs := p.axis.Target(b)
	if runs && !p.excess.has(b) {
		return p.inner.At(t, dst), true
	}
	dst = slicer.NewSelection(dst, p.ranking.Input().Positions())
	return dst, runs && p.excess.add(b, dst)
}

// Nearest reports whether an item is in at b and, if it is not, returns the
// largest budget below b and the least above it at which it is; either is
// unset if there is none. If the item is in at b, both are unset. A b outside
// the axis counts as its nearest end.
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
