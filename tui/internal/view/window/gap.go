package window

import (
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// gap is a run of items that are out, between two items that are placed one after the other. It stands before
// a place; the last one may stand after all of them.
type gap struct {
	place, first, count int
	tokens              model.Tokens
}

// gapsOf returns what is left out between the items that are placed as in the input. Where all that
// is between two of them in the input is not out, or the best are placed at both ends, nothing
// belongs between them.
func gapsOf(o *experiment.Outcome) (gaps []gap) {
	if o.Policy.Placer == model.UShaped {
		return nil
	}
	from := 0
	for k, item := range append(slices.Clip(o.Report.Placed()), int32(o.Items.Len())) {
		end, left := int(item), gap{place: k, first: from}
		for i := from; i < end && !o.Report.In(i) && !o.Report.Noted(i); i++ {
			left.count, left.tokens = left.count+1, left.tokens+max(0, o.Items.Tokens(i)) // a negative size takes no room
		}
		if left.count > 0 && from+left.count == end {
			gaps = append(gaps, left)
		}
		from = end + 1
	}
	return gaps
}

// gapsTo returns how many gaps stand before the item at a place, and the one right before it, nil
// if there is none.
func (p *View) gapsTo(place int) (n int, left *gap) {
	n = sort.Search(len(p.gaps), func(k int) bool { return p.gaps[k].place > place })
	if n > 0 && p.gaps[n-1].place == place {
		left = &p.gaps[n-1]
	}
	return n, left
}

// text returns how many items are left out.
func (g *gap) text() string { return plain.Thousands(g.count) + " left out" }

// leftOut returns what is left out, for a line of the text.
func (p *View) leftOut(g *gap) []draw.Span {
	which := name(g.first)
	if g.count > 1 {
		which += " to " + name(g.first+g.count-1)
	}
	return []draw.Span{{Text: "   " + string(p.glyphs.Out), Role: theme.Out}, {Text: " " + g.text() + ": " + which + ", " + export.Mark(p.out.Items, false) + g.tokens.String() + " tok", Role: theme.Dim}}
}
