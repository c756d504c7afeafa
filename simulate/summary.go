package simulate

import "cupelscope/model"

// Summary holds the two budgets that describe an item, and what lies between
// them. Either alone misleads, because the first range of budgets at which an
// item is in is often only a few tokens wide.
type Summary struct {
	FirstIn, StaysFrom model.Option[model.Tokens]
	FirstWhole         model.Option[model.Tokens] // the least budget at which the item is in whole
	FirstWidth         model.Tokens               // the number of budgets in the first band
	Ranges             int                        // number of bands
	// Share is the share, 0 to 1, of the budgets from FirstIn to the one
	// before StaysFrom (or to End if the item does not stay) at which the item
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
