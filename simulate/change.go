package simulate

import (
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Change is what happens when the budget reaches At, seen from the budget it
// was compared with: item indexes, ascending.
type Change struct {
	At      model.Tokens
	In, Out []int32
}

// Next is the least budget above b, up to the axis end, at which the result
// differs from the one at the budget just below it; In and Out say how. A
// budget that does not run includes nothing. False: there is none.
func (p *Profile) Next(b model.Tokens) (Change, bool) {
	b = max(b, 0)
	if start, ok := p.axis.Start(); !ok {
		return Change{}, false
	} else if b < start {
		if p.includesAny(start) {
			return p.change(start-1, start), true
		}
		b = start
	}
	for {
		t, _ := p.axis.Target(b)
		t, ok := p.inner.Next(t)
		if !ok {
			return Change{}, false
		}
		if b, ok = p.axis.Least(t); !ok {
			return Change{}, false
		}
		// Where targets jump, a selection may come and go between two budgets.
		if c := p.change(b-1, b); len(c.In)+len(c.Out) > 0 {
			return c, true
		}
	}
}

// Prev is the largest budget below b whose result differs from the one at b;
// In and Out say what changes going down to it. A b beyond the axis end counts
// as the end. False: all results below are the same as at b.
func (p *Profile) Prev(b model.Tokens) (Change, bool) {
	b = min(b, p.axis.End())
	low := b
	for {
		t, runs := p.axis.Target(low)
		if !runs {
			return Change{}, false // nothing is in at b, nor anywhere below
		}
		t, ok := p.inner.Prev(t)
		if !ok {
			t = 0
		}
		low = p.axis.least(t) - 1 // t was reached, so there is such a budget
		if low < 0 {
			return Change{}, false
		}
		if c := p.change(b, low); len(c.In)+len(c.Out) > 0 {
			return c, true
		}
	}
}

// NextFor is the least budget above b, up to the axis end, at which the item
// enters or leaves, compared with the budget just below it; false: none.
func (p *Profile) NextFor(item int, b model.Tokens) (model.Tokens, bool) {
	b = max(b, 0)
	for _, band := range p.Bands(nil, item) {
		switch {
		case band.From > b:
			return band.From, true
		case band.To >= b && band.To < p.axis.End():
			return band.To + 1, true
		}
	}
	return 0, false
}

// PrevFor is the largest budget below b at which the item is out while it is
// in at b, or in while it is out at b; false: none. A b beyond the axis end
// counts as the end.
func (p *Profile) PrevFor(item int, b model.Tokens) (model.Tokens, bool) {
	b = min(b, p.axis.End())
	for _, band := range slices.Backward(p.Bands(nil, item)) {
		switch {
		case band.To < b:
			return band.To, true
		case band.From <= b:
			return band.From - 1, band.From > 0
		}
	}
	return 0, false
}

// includesAny reports whether the result at a running budget holds anything.
func (p *Profile) includesAny(b model.Tokens) bool {
	t, _ := p.axis.Target(b)
	return len(p.ranking.Pinned()) > 0 || p.inner.At(t, nil).Count() > 0
}

// change compares the results at two budgets of the axis. It costs one
// selection each and a pass over their words.
func (p *Profile) change(from, to model.Tokens) Change {
	c := Change{At: to}
	before, ranBefore := p.selection(from)
	after, runsAfter := p.selection(to)
	items := p.ranking.Input().Items
	for w := range before {
		for diff := before[w] ^ after[w]; diff != 0; diff &= diff - 1 {
			bit := bits.TrailingZeros64(diff)
			if item := items[w<<6+bit]; after[w]>>bit&1 != 0 {
				c.In = append(c.In, item)
			} else {
				c.Out = append(c.Out, item)
			}
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
	return c
}

// selection is what the slicer selects at b: nothing where the pipeline does
// not run.
func (p *Profile) selection(b model.Tokens) (slicer.Selection, bool) {
	t, runs := p.axis.Target(b)
	if !runs {
		return slicer.NewSelection(nil, p.ranking.Input().Len()), false
	}
	return p.inner.At(t, nil), true
}
