package window

import (
	"context"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/work"
)

// pairRemedies is what is known of the parted pairs of a report.
type pairRemedies struct {
	report *model.Report
	ways   map[simulate.Pair][]simulate.Remedy
	// parting is the budgets at which some pair is parted, of a profile.
	profile *simulate.Profile
	parting []simulate.Band
}

// mendKey names the work for a pair, partingKey that for all.
type (
	mendKey struct {
		report *model.Report
		pair   simulate.Pair
	}
	partingKey struct{ profile *simulate.Profile }
)

// forgetRemedies drops what was found for an earlier report.
func (p *View) forgetRemedies() {
	if m := &p.remedies; m.report != p.out.Report {
		m.report, m.ways = p.out.Report, make(map[simulate.Pair][]simulate.Remedy)
	}
}

// mendJob finds the ways for the first parted pair on the screen of which they
// are not known, and then at which budgets none is parted.
func (p *View) mendJob() (work.Job, bool) {
	o := p.out
	if len(o.Parted) == 0 {
		return work.Job{}, false
	}
	// No more items are on the screen than lines.
	for place := p.at.place; place < min(p.len(), p.at.place+p.body().H); place++ {
		i := p.item(place)
		if _, parted := o.Alone(i); !parted {
			continue
		}
		pair, _ := o.Pairs.Of(i)
		if _, known := p.remedies.ways[pair]; known {
			continue
		}
		return work.Job{Key: mendKey{o.Report, pair}, Cost: o.MendCost(), Run: func(ctx context.Context) (any, error) {
			return o.Profile.Mend(ctx, o.Report, o.Pairs, pair)
		}}, true
	}
	if p.remedies.profile.Same(o.Profile) {
		return work.Job{}, false
	}
	return work.Job{Key: partingKey{o.Profile}, Cost: o.PartingCost(), Run: func(ctx context.Context) (any, error) {
		return o.Profile.Parting(ctx, o.Pairs)
	}}, true
}

// mended takes what a job found.
func (p *View) mended(key, result any, err error) {
	switch key := key.(type) {
	case mendKey:
		if ways, ok := result.([]simulate.Remedy); ok && err == nil && key.report == p.remedies.report {
			p.remedies.ways[key.pair] = ways
		}
	case partingKey:
		if bands, ok := result.([]simulate.Band); ok && err == nil {
			p.remedies.profile, p.remedies.parting = key.profile, bands
		}
	}
}

// partedSpans says of an item that is in alone what is missing, and the ways
// to mend that, the cheapest first.
func (p *View) partedSpans(i, partner int) []draw.Span {
	sp := func(text string, role theme.Role) draw.Span { return draw.Span{Text: text, Role: role} }
	items := p.out.Items
	said := []draw.Span{sp(string(p.glyphs.Parted)+" its "+widget.PartName(i, partner)+" #"+strconv.Itoa(partner)+
		" ("+items.Tokens(partner).String()+" tok) is out. ", theme.Warn)}
	pair, _ := p.out.Pairs.Of(i)
	ways, known := p.remedies.ways[pair]
	switch {
	case !known:
		return append(said, sp("Looking for the cheapest way"+p.glyphs.Ellipsis, theme.Dim))
	case len(ways) == 0:
		return append(said, sp("There is no single way to have both or neither.", theme.Dim))
	}
	for k, w := range ways {
		head, role := "Or ", theme.Dim
		if k == 0 {
			head, role = "Cheapest: ", theme.Strong
		}
		said = append(said, sp(head+wayText(w)+". ", role))
	}
	return said
}

// wayText is a remedy in words.
func wayText(w simulate.Remedy) string {
	s := ""
	switch w.Way {
	case simulate.ByRaise:
		s = "both are in at " + w.Budget.String() + " (" + w.Cost.String() + " more)"
	case simulate.ByPin:
		s = "pin #" + strconv.Itoa(w.Item)
		if len(w.Out) == 0 {
			s += " (nothing leaves)"
		} else {
			s += " (" + leaving(w.Out) + ", " + w.Cost.String() + " tok)"
		}
	case simulate.ByDrop:
		s = "exclude #" + strconv.Itoa(w.Item) + " (" + w.Cost.String() + " tok leave)"
	}
	if w.Parted > 0 {
		s += ", then " + plain.Count(w.Parted, "split pair")
	}
	return s
}

func leaving(list []int32) string {
	if len(list) == 1 {
		return widget.Indexes(list, 30) + " leaves"
	}
	return widget.Indexes(list, 30) + " leave"
}

// wholeText says where no pair is parted; "" while that is not known.
func (p *View) wholeText() string {
	o := p.out
	if len(o.Parted) == 0 || !p.remedies.profile.Same(o.Profile) {
		return ""
	}
	now, end := o.Report.Budget.MaxTokens(), o.Profile.Axis().End()
	b, ok := simulate.LeastOutside(p.remedies.parting, now, end)
	if !ok {
		return "some pair is split at every budget up to " + end.String()
	}
	return "none at " + b.String() + " (" + (b - now).String() + " more)"
}
