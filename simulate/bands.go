package simulate

import (
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Band is a range of budgets (maxTokens), both ends included.
type Band struct{ From, To model.Tokens }

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

// intersect appends what two ascending lists of bands share.
func intersect(dst, a, b []Band) []Band {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if from, to := max(a[i].From, b[j].From), min(a[i].To, b[j].To); from <= to {
			dst = append(dst, Band{from, to})
		}
		if a[i].To < b[j].To {
			i++
		} else {
			j++
		}
	}
	return dst
}

// exclusive appends the ranges that are in one of two lists of bands and not in the
// other. The bands of each list must not overlap.
func exclusive(dst, both []Band) []Band {
	edges := make([]model.Tokens, 0, 2*len(both)) // between two of them nothing changes
	for _, band := range both {
		edges = append(edges, band.From, band.To+1)
	}
	slices.Sort(edges)
	// A budget that has an odd number of edges up to it is in one list alone.
	for k := 0; k+1 < len(edges); k += 2 {
		if edges[k] < edges[k+1] {
			dst = append(dst, Band{edges[k], edges[k+1] - 1})
		}
	}
	return dst
}

// merged returns the union of bands as maximal bands, ascending, in the memory of bands.
func merged(bands []Band) []Band {
	sort.Slice(bands, func(i, j int) bool { return bands[i].From < bands[j].From })
	out := bands[:0]
	for _, b := range bands {
		if n := len(out); n > 0 && b.From <= out[n-1].To+1 {
			out[n-1].To = max(out[n-1].To, b.To)
			continue
		}
		out = append(out, b)
	}
	return out
}

// MinOutside returns the smallest budget from b to end that lies in none of the
// bands, or false if there is none. The bands must be ascending and must not
// overlap. For the bands that Splitting returns it is the smallest budget that
// splits no pair.
func MinOutside(bands []Band, b, end model.Tokens) (model.Tokens, bool) {
	for _, band := range bands {
		if b < band.From {
			break
		}
		b = max(b, band.To+1)
	}
	return b, b <= end
}

// minWithin returns the smallest budget from b on that lies in one of the
// bands, which must be ascending, or false if there is none.
func minWithin(bands []Band, b model.Tokens) (model.Tokens, bool) {
	for _, band := range bands {
		if b <= band.To {
			return max(b, band.From), true
		}
	}
	return 0, false
}

// Summary holds the two budgets that describe an item, and what lies between
// them. Either alone misleads, because the first range of budgets at which an
// item is in is often only a few tokens wide.
type Summary struct {
	FirstIn, StaysFrom model.Option[model.Tokens]
	FirstWhole         model.Option[model.Tokens] // the smallest budget at which the item is in whole
	FirstWidth         model.Tokens               // the number of budgets in the first band
	Ranges             int                        // number of bands
	// Share is the share, 0 to 1, of the budgets from FirstIn to just below
	// StaysFrom (or to End if the item does not stay) at which the item
	// is in. It is 1 if there are no budgets between, and 0 if the item is
	// never in.
	Share float64
}

// Summary returns the summary of the bands of an item. It is the zero Summary
// if the item is never in.
func (p *Profile) Summary(item int) Summary {
	var room [8]Band
	bands := p.Bands(room[:0], item)
	if len(bands) == 0 {
		return Summary{}
	}
	end := p.axis.End()
	first, last := bands[0], bands[len(bands)-1]
	s := Summary{
		FirstIn:    model.Some(first.From),
		FirstWidth: first.To - first.From + 1,
		Ranges:     len(bands),
		Share:      1,
	}
	whole := bands
	if p.ranking.Items().HasSizes() {
		whole = p.SizeBands(nil, item, 0)
	}
	if len(whole) > 0 {
		s.FirstWhole = model.Some(whole[0].From)
	}
	if last.To == end {
		s.StaysFrom = model.Some(last.From)
		end = last.From - 1
		bands = bands[:len(bands)-1]
	}
	if between := end - first.From + 1; between > 0 {
		var in model.Tokens
		for _, b := range bands {
			in += b.To - b.From + 1
		}
		s.Share = float64(in) / float64(between)
	}
	return s
}
