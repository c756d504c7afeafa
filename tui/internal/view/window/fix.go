package window

import (
	"context"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// pairRemedies holds what is known about the split pairs of a report.
type pairRemedies struct {
	report *model.Report
	ways   map[model.Pair][]simulate.Remedy
	// splitting holds the budgets at which some pair is split, along profile.
	profile   *simulate.Profile
	splitting []simulate.Band
}

// fixKey identifies the work for one pair.
type fixKey struct {
	report *model.Report
	pair   model.Pair
}

// forgetRemedies drops what was found for an earlier report.
func (p *View) forgetRemedies() {
	if m := &p.remedies; m.report != p.out.Report {
		m.report, m.ways = p.out.Report, make(map[model.Pair][]simulate.Remedy)
	}
}

// fixJob returns the work of finding the remedies for the first split pair on the
// screen that has none known yet, and after that the budgets at which no pair is
// split.
func (p *View) fixJob() (work.Job, bool) {
	o := p.out
	if len(o.Split) == 0 {
		return work.Job{}, false
	}
	// No more items are on the screen than lines.
	for place := p.at.place; place < min(p.len(), p.at.place+p.body().H); place++ {
		i := p.item(place)
		if _, split := o.Alone(i); !split {
			continue
		}
		pair, _ := o.Items.PairOf(i)
		if _, known := p.remedies.ways[pair]; known {
			continue
		}
		return work.Job{Key: fixKey{o.Report, pair}, Run: work.Pass(func(ctx context.Context) ([]simulate.Remedy, error) {
			return o.Profile.Remedies(ctx, o.Report, pair)
		}, func(ways []simulate.Remedy, err error) {
			if err == nil {
				p.remedies.ways[pair] = ways
			}
		})}, true
	}
	if p.remedies.profile.Same(o.Profile) {
		return work.Job{}, false
	}
	return work.Job{Key: o.Profile, CanWait: true, Run: work.Pass(func(ctx context.Context) ([]simulate.Band, error) {
		return o.Profile.Splitting(ctx)
	}, func(bands []simulate.Band, err error) {
		if err == nil {
			p.remedies.profile, p.remedies.splitting = o.Profile, bands
		}
	})}, true
}

// splitLines returns which partner an item that is in alone misses, and the way to fix that which
// is the cheapest: in one line, or with the other ways in as many as that takes.
func (p *View) splitLines(i, partner, width int) [][]draw.Span {
	mark, number := string(p.glyphs.Split), "#"+strconv.Itoa(partner)+" is out"
	said := []draw.Span{{Text: mark + " its " + widget.PartName(i, partner) + " " + number + ". ", Role: theme.Warn}, {Role: theme.Dim}}
	way, brief := &said[1], ""
	pair, _ := p.out.Items.PairOf(i)
	ways, known := p.remedies.ways[pair]
	switch {
	case !known:
		way.Text = "Looking for the cheapest way" + p.glyphs.Ellipsis
	case len(ways) == 0:
		way.Text = "There is no single way to have both or neither."
	default:
		text := p.wayText(ways[0])
		brief, _, _ = strings.Cut(": "+text, " (")
		way.Text, way.Role = "Cheapest: "+text+". ", theme.Strong
	}
	if !p.allWays || len(ways) < 2 {
		return [][]draw.Span{draw.FirstThatFits(width, said, []draw.Span{{Text: mark + " " + number + brief, Role: theme.Warn}})}
	}
	for _, w := range ways[1:] {
		said = append(said, draw.Span{Text: "Or " + p.wayText(w) + ". ", Role: theme.Dim})
	}
	return draw.Paragraph(width, said...)
}

// wayText returns a remedy in words.
func (p *View) wayText(w simulate.Remedy) string {
	about := export.Mark(p.out.Items, false)
	s, item, cost := "", strconv.Itoa(w.Item), about+w.Cost.String()
	switch w.Way {
	case simulate.ByRaise:
		s = "both are in at " + about + w.Budget.String() + " (" + cost + " more)"
	case simulate.ByPin:
		s = "pin #" + item
		if len(w.Out) == 0 {
			s += " (nothing leaves)"
		} else {
			s += " (" + widget.Indexes(w.Out, 30) + widget.Verb(len(w.Out), " leaves", " leave") + ", " + cost + " tok)"
		}
	case simulate.ByDrop:
		s = "exclude #" + item + " (" + cost + " tok leave)"
	}
	if w.Split > 0 {
		s += ", then " + plain.Count(w.Split, "split pair")
	}
	return s
}

// wholeText says at which budgets no pair is split. It returns "" while that is
// not known.
func (p *View) wholeText() string {
	o := p.out
	if len(o.Split) == 0 || !p.remedies.profile.Same(o.Profile) {
		return ""
	}
	now, end := o.Report.Budget.MaxTokens(), o.Profile.Axis().End()
	b, ok := simulate.MinOutside(p.remedies.splitting, now, end)
	if !ok {
		return "some pair is split at every budget up to " + end.String()
	}
	about := export.Mark(o.Items, false)
	return "none at " + about + b.String() + " (" + about + (b - now).String() + " more)"
}
