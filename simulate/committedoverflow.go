package simulate

import (
	"context"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// excess is the range of budgets at which the items that a slicer commits,
// regardless of their cost, overflow the target together with the pinned items. See
// the chapter Place of the Cupel specification.
//
//	budget   Start ..  | from ..                     to | to+1 ..
//	         T = 0     | T > 0, committed > target      | committed fit
//	         pinned    | throw: does not run            | pinned and
//	                   | truncate: pinned and as many   | what the
//	                   | committed as fit, in order     | slicer selects
//
// If the overflow strategy lets overflow through, there is no excess: the committed
// items are in. Between from and to nothing else is selected: the committed items
// cost more than target - pinned, so more than the effective target, which is no
// larger.
type excess struct {
	from, to  model.Tokens // both included, at most MaxTokens; 0 to -1: none
	truncates bool
	base      model.Tokens   // pinned items and gap: what a budget has beside them is room
	committed []int32        // positions in the Input, ascending
	tokens    model.Tokens   // of the committed
	fitted    slicer.Profile // by room: the committed that fit; nil: none on the axis, or it throws
}

// excessOf returns the excess along an axis. Its profile is not yet computed.
func excessOf(r *pipeline.Ranking, a Axis) excess {
	none := excess{to: -1}
	committed, tokens := r.Committed()
	overflow := r.Policy().Overflow
	from := a.least(1)
	if tokens == 0 || overflow == model.Proceed || from > model.MaxTokens {
		return none
	}
	e := excess{
		from: from, truncates: overflow == model.Truncate,
		base: r.PinnedTokens() + a.template.Gap(), committed: committed, tokens: tokens,
	}
	e.to = min(e.base+min(tokens, model.MaxTokens+1)-1, model.MaxTokens)
	if e.to < e.from {
		return none
	}
	return e
}

// any reports whether there is an excess at all.
func (e *excess) any() bool { return e.to >= 0 }

// has reports whether the committed items overflow at budget b.
func (e *excess) has(b model.Tokens) bool { return e.from <= b && b <= e.to }

// reaches returns the largest room that a profile up to end needs; 0: none.
func (e *excess) reaches(end model.Tokens) slicer.Target {
	if !e.any() || !e.truncates || e.from > end {
		return 0
	}
	return slicer.Target(min(e.to, end) - e.base)
}

// fill computes the profile of the committed items that fit, up to a budget of end:
// first fit in sorted order.
func (e *excess) fill(ctx context.Context, r *pipeline.Ranking, end model.Tokens) (err error) {
	upTo := e.reaches(end)
	if upTo == 0 {
		return nil
	}
	all, in := r.Input(), &slicer.Input{}
	for k, pos := range e.committed {
		in.Items = append(in.Items, int32(k))
		in.Tokens = append(in.Tokens, all.Tokens[pos])
		in.Scores = append(in.Scores, all.Scores[pos])
		in.Kinds = append(in.Kinds, 0)
	}
	e.fitted, err = slicer.Rank{}.Prepare(in).Profile(ctx, upTo)
	return err
}

// refill takes over the profile of another excess of the same ranking. It returns
// false if that profile does not reach far enough.
func (e *excess) refill(other excess, end model.Tokens) bool {
	upTo := e.reaches(end)
	if upTo == 0 {
		return true
	}
	e.fitted = other.fitted
	return e.fitted != nil && e.fitted.UpTo() >= upTo
}

// add adds the items that are in at b, a budget within the excess, to dst. It
// returns false if the pipeline does not run at b.
func (e *excess) add(b model.Tokens, dst slicer.Selection) bool {
	if !e.truncates || e.fitted == nil {
		return false
	}
	sel := e.fitted.At(slicer.Target(b-e.base), nil)
	for k, pos := range e.committed {
		if sel.Has(k) {
			dst.Add(int(pos))
		}
	}
	return true
}

// bands appends the ranges within the excess, up to end, at which position pos
// is in.
func (e *excess) bands(dst []Band, pos int, end model.Tokens) []Band {
	if e.fitted == nil {
		return dst
	}
	k, found := slices.BinarySearch(e.committed, int32(pos))
	if !found {
		return dst
	}
	for _, band := range e.fitted.Bands(nil, k) {
		from := max(e.base+model.Tokens(band.From), e.from)
		if to := min(e.base+model.Tokens(band.To), e.to, end); from <= to {
			dst = append(dst, Band{from, to})
		}
	}
	return dst
}

// running appends the ranges of budgets of the axis at which the pipeline runs.
func (p *Profile) running(dst []Band) []Band {
	start, ok := p.axis.Start()
	end := p.axis.End()
	switch e := &p.excess; {
	case !ok:
	case !e.any() || e.truncates || e.from > end:
		dst = append(dst, Band{start, end})
	default:
		dst = append(dst, Band{start, e.from - 1})
		if e.to < end {
			dst = append(dst, Band{e.to + 1, end})
		}
	}
	return dst
}

// runsFrom returns the smallest budget from which the pipeline runs at every budget up
// to the end of the axis, or false if it does not run at the end.
func (p *Profile) runsFrom() (model.Tokens, bool) {
	var room [2]Band
	bands := p.running(room[:0])
	if len(bands) == 0 || bands[len(bands)-1].To != p.axis.End() {
		return 0, false
	}
	return bands[len(bands)-1].From, true
}
