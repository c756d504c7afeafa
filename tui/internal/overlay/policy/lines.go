package policy

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// arrangeLines makes the lines to draw in so many rows: with a blank line between sections if
// there is room, and where even the lines themselves have none, with one line for each section
// that the cursor is not in.
func (p *Editor) arrangeLines(rows int) {
	p.drawn = p.drawn[:0]
	apart, fold := len(p.lines) < rows, len(p.lines) > rows
	for n := 0; n < len(p.lines); {
		end := n + 1
		for end < len(p.lines) && p.lines[end].heading == "" {
			end++
		}
		section := p.lines[n:end]
		if apart && n > 0 {
			p.drawn = append(p.drawn, line{})
		}
		if fold && !slices.ContainsFunc(section[1:], func(l line) bool { return slices.Contains(l.knobs, p.Cursor()) }) {
			section = []line{{heading: nameOf(section[0].heading), knobs: section[0].knobs, folded: p.summary(section)}}
		}
		p.drawn = append(p.drawn, section...)
		n = end
	}
}

// nameOf returns the name in the heading of a section.
func nameOf(heading string) string {
	name, _, _ := strings.Cut(heading, ":")
	return name
}

// summary names what is set in a section: the share of each weight, and each limit.
func (p *Editor) summary(section []line) string {
	var set []string
	for _, l := range section[1:] {
		for _, i := range l.knobs {
			switch k := p.All[i]; {
			case k.Share:
				set = append(set, k.Label+" "+plain.Percent(k.Bar.Value))
			case isSet(k):
				set = append(set, k.Called()+" "+k.Value)
			}
		}
	}
	if len(set) == 0 {
		return "none set"
	}
	return strings.Join(set, ", ")
}

// isSet reports whether a knob is a quota that limits its kind.
func isSet(k experiment.Knob) bool {
	return k.Column != "" && k.Excluded == "" && k.Value != experiment.Unset
}

// minRanked is the number of items below which the list by score is not drawn.
const minRanked = 4

// drawRest draws what is set elsewhere, and below it, where there is room, the items by
// score: there one sees what a weight does while it changes. It returns how many it lists.
func (p *Editor) drawRest(f *widget.Frame, r draw.Rect) int {
	policy := f.Exp.Setup().Policy[f.Side]
	text := "placer " + string(policy.Placer) + "   duplicates "
	if policy.Deduplicate {
		text += "dropped"
	} else {
		text += "kept"
	}
	f.Text(r.X, r.Y, r.W, draw.FitWords(text, r.W, f.Glyphs()), theme.Dim)
	return p.drawRanked(f, draw.Rect{X: r.X, Y: r.Y + 2, W: r.W, H: r.H - 3}, 0)
}

// drawRanked lists the items by score, after so many of them, and returns how many it lists.
func (p *Editor) drawRanked(f *widget.Frame, r draw.Rect, after int) int {
	if r.H < minRanked+2 || f.Out == nil || f.NoResult {
		return 0
	}
	p.ranked.read(f.Out)
	items := p.ranked.items[min(after, len(p.ranked.items)):]
	items = items[:min(len(items), r.H-1)]
	if len(items) == 0 {
		return 0
	}
	f.Text(r.X, r.Y, r.W, [...]string{"Items by score", "The next items by score"}[min(after, 1)], theme.Strong)
	parts := max(0, r.W-minRankedName-tokensCell-scoreCell) / partCell
	head := []widget.Cell{{Width: tokensCell, Text: "tok", Role: theme.Dim}, {Width: scoreCell, Text: "score", Role: theme.Dim}}
	for k, part := range p.parts(f, int(items[0]), parts) {
		head = append(head, widget.Cell{Width: partCell, Text: []string{"= ", "+ "}[min(k, 1)] + widget.CleanName(part.Name), Role: theme.Dim})
	}
	f.DrawCells(r.Row(0), head...)
	for k, item := range items {
		i, role := int(item), widget.Shade(f, int(item))
		cells := []widget.Cell{{Width: tokensCell, Text: widget.ItemTokens(f.Exp.Items(), i), Role: role}, {Width: scoreCell, Text: widget.Score(f.Out.Report.Scores[i], 5), Role: role}}
		for _, part := range p.parts(f, i, parts) {
			cells = append(cells, widget.Cell{Width: partCell, Text: widget.Score(part.Weight*part.Score, 5), Role: theme.Dim})
		}
		f.DrawItem(r.Row(1+k), i, cells...)
	}
	return len(items)
}

// The cells of the columns of the list by score, and the least for a name.
const tokensCell, scoreCell, partCell, minRankedName = 9, 7, 12, 36

// parts returns what each scorer adds to the score of an item; nil if there is one scorer, or
// more than max.
func (p *Editor) parts(f *widget.Frame, i, max int) []pipeline.ScorePart {
	parts := f.Out.Ranking.ScorerParts(i)
	if len(parts) == 1 || len(parts) > max {
		return nil
	}
	return parts
}

// maxRanked bounds the list by score: no screen has more rows.
const maxRanked = 200

// ranking lists the items of a report that were scored, the highest score first.
type ranking struct {
	of    *model.Report
	items []int32
}

func (r *ranking) read(o *experiment.Outcome) {
	if r.of == o.Report {
		return
	}
	*r = ranking{of: o.Report}
	for _, i := range o.Ranking.Scored() {
		r.items = widget.Most(r.items, i, maxRanked, func(i int32) float64 { return o.Report.Scores[i] })
	}
}
