package pipeline

import (
	"context"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline/slicer"
)

// Items that may be cut (model.Size). This is not part of Cupel.
//
//   - An item is scored, deduplicated and sorted as a whole. A size is worth the score
//     times its share of the tokens, unless the source says what share it is worth; a note
//     is worth 0.
//   - Of a pair that is one candidate the result may be cut; the call stays whole. Its note
//     stands for both.
//   - A pinned item is whole. Under model.Shrink.Pinned it is in its smallest size that is
//     no note, at every budget.
//   - A note is in place of an item that is out: the item counts as excluded, and the tokens
//     of the note count as tokens of the result.

// sizesFit returns a *model.PolicyError if items of a set may be cut and the slicer takes
// whole ones only.
func (p *Pipeline) sizesFit(s *model.Set) error {
	switch {
	case !s.HasSizes() || p.parts.Slicer.Traits().Sizes:
		return nil
	case p.policy.SizesFit() != nil:
		return p.policy.SizesFit()
	}
	return &model.PolicyError{Field: "slicerType", Reason: "takes whole items only, which cannot be combined with items that may be cut (shrink, sizes)"}
}

// PinnedSize returns the size in which an item is in if it is pinned, or the other member of
// its pair is: the whole, unless model.Shrink.Pinned cuts it. It is 0 for any other item.
func (r *ranked) PinnedSize(item int) int {
	if !r.set.Edits().Shrink.Pinned || r.position != nil && r.position[item] >= 0 {
		return 0
	}
	return r.set.PinnedSize(item)
}

// cut fills the cuts of the candidates. The error is ctx's.
func (r *ranked) cut(ctx context.Context) error {
	in := &r.input
	in.CutFrom, in.Cuts = nil, nil
	if !r.set.HasSizes() {
		return ctx.Err()
	}
	from := make([]int32, in.Len()+1)
	relay.SpreadEven(in.Len(), func(first, end int) {
		if ctx.Err() != nil {
			return
		}
		for k := first; k < end; k++ {
			from[k+1] = int32(len(r.set.Sizes(r.SizedMember(k))))
		}
	})
	for k := range in.Items {
		from[k+1] += from[k]
	}
	if ctx.Err() != nil || from[in.Len()] == 0 {
		return ctx.Err()
	}
	in.CutFrom, in.Cuts = from, make([]slicer.Cut, from[in.Len()])
	relay.SpreadEven(in.Len(), func(first, end int) {
		if ctx.Err() != nil {
			return
		}
		for k := first; k < end; k++ {
			item, whole, score := r.SizedMember(k), in.Tokens[k], in.Scores[k]
			call := r.mate(int32(item))
			if call >= 0 {
				whole, score = r.set.Tokens(item), r.scores[item]
			}
			sizes := r.set.Sizes(item)
			for i := range sizes {
				size := &sizes[i]
				c := slicer.Cut{Of: int32(k), Size: uint8(i) + 1, Note: size.Note, Tokens: size.Tokens}
				if !size.Note {
					share := size.Share(whole)
					c.Tokens = in.Tokens[k] - whole + size.Tokens
					if share > 0 { // an infinite score too is worth nothing then
						c.Score = score * share
					}
					if call >= 0 {
						c.Score += r.scores[call]
					}
				}
				in.Cuts[int(from[k])+i] = c
			}
		}
	})
	return ctx.Err()
}

// SizedMember returns the item whose sizes the candidate at a position has: of a pair the
// result.
func (r *ranked) SizedMember(position int) int {
	item := r.input.Items[position]
	return int(max(item, r.mate(item)))
}

// markSize notes in a report that a cut or a note is in.
func (r *Ranking) markSize(report *model.Report, position int) {
	if report.Sizes == nil {
		report.Sizes = make([]uint8, r.set.Len())
	}
	report.Sizes[r.SizedMember(r.input.Whole(position))] = r.input.Cuts[position-r.input.Len()].Size
}

// placeNotes puts what is in and the notes in placed order; taken are the positions of both. A note
// has a place like an item, so what is included is placed as it is among them.
func (r *Ranking) placeNotes(report *model.Report, taken []int32) {
	codes, noted := report.Codes, false
	for _, k := range taken {
		if member := r.SizedMember(int(k)); report.Noted(member) {
			if !noted {
				codes, noted = append([]model.Code(nil), codes...), true
			}
			codes[r.input.Items[k]] = model.Scored
		}
	}
	if !noted {
		return
	}
	placed := r.placed(codes, taken)
	report.Included = report.Included[:0]
	for _, first := range placed {
		if report.In(int(first)) {
			report.Included = append(report.Included, r.members([]int32{first})...)
			report.Sent = append(report.Sent, r.members([]int32{first})...)
		} else if position, ok := r.Position(int(first)); ok {
			report.Sent = append(report.Sent, int32(r.SizedMember(position)))
		}
	}
}
