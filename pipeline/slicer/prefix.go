package slicer

import (
	"context"
	"iter"

	"cupelscope/model"
)

// Prefix takes candidates by score, the best first, and stops at the first that
// does not fit. It takes all candidates without tokens. It is not one of Cupel's
// slicers, but the simplest baseline for them: a candidate that is in at a
// target is in at every larger one.
type Prefix struct{}

// Traits implements Slicer.
func (Prefix) Traits() Traits { return Traits{ByScore: true, Sizes: true, Key: scoreKey, Stops: true} }

// Prepare implements Slicer in O(1).
func (Prefix) Prepare(in *Input) Prepared {
	if in.Cuts != nil {
		return inSizesByScore(in, true)
	}
	return &prefix{in: in}
}

type prefix struct {
	Defaults
	in *Input
}

// Slice implements Prepared: O(n).
func (p *prefix) Slice(_ context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, p.in.Len())
	if t <= 0 {
		return dst, nil
	}
	room, stopped := model.Tokens(t), false
	for i, tokens := range p.in.Tokens {
		if stopped = stopped || tokens > room; tokens > 0 && stopped {
			continue
		}
		room -= tokens
		dst.Add(i)
	}
	return dst, nil
}

// Profile implements Prepared: an odometer that never goes back. The item at
// position i is in from the target that equals the sum of the tokens up to i.
func (p *prefix) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, p.in, upTo); err != nil {
		return nil, err
	}
	f := &front{upTo: upTo}
	var free []int32
	sum, stopped := Target(0), false
	for i, tokens := range p.in.Tokens {
		if tokens == 0 {
			free = append(free, int32(i))
			continue
		}
		if stopped = stopped || Target(tokens) > upTo-sum; !stopped {
			sum += Target(tokens)
			f.at, f.tok = append(f.at, int32(i)), append(f.tok, tokens)
		}
	}
	return newOdometer(p.in, f, free, upTo, pile)
}

// pile is the records of items that enter one after the other and stay.
func pile(p *odometer) error {
	p.records = make([]record, len(p.front.tok))
	from := Target(0)
	for rank, tokens := range p.front.tok {
		from += Target(tokens)
		p.records[rank] = record{from: from, end: p.upTo + 1, rank: int32(rank), parent: int32(rank) - 1}
		p.first[rank], p.stays[rank] = from, from
	}
	return nil
}

// Steps implements Prepared: all candidates by score, up to the one that stops it.
func (p *prefix) Steps(_ context.Context, t Target) iter.Seq2[Step, error] {
	return stepsByScore(p.in, t, true)
}
