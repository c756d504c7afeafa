package replay

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// example is a knapsack small enough to work out by looking at it: three items of the table, by
// falling value, and as many buckets as the first one takes. The other two fit as well and are
// worth more together, so that the item with the highest value stays out.
type example struct {
	rows    [3]*pipeline.Step
	values  [3]float64
	buckets slicer.Target
	best    [3][maxExampleBuckets + 1]float64 // by row and buckets: the most that the items so far are worth
}

// maxExampleBuckets bounds the columns of an example, maxExampleItems how many items are tried.
const maxExampleBuckets, maxExampleItems = 4, 16

// example returns the first example among the most valuable items of a table, and false if there
// is none.
func (p *View) example(t *walkTable) (example, bool) {
	few := make([]*pipeline.Step, 0, maxExampleItems)
	for k := t.open + 1; k < t.end && len(few) < maxExampleItems; k++ {
		s := &p.steps[k]
		if !p.filling { // the last row has the highest value
			s = &p.steps[t.end+t.open-k]
		}
		if s.Row > 0 && s.Need <= maxExampleBuckets {
			few = append(few, s)
		}
	}
	for i, a := range few {
		for j := i + 1; j < len(few); j++ {
			for _, c := range few[j+1:] {
				if e, ok := exampleOf(t, a, few[j], c); ok {
					return e, true
				}
			}
		}
	}
	return example{}, false
}

// exampleOf makes an example of three items, if they are one and the sums that it shows add up.
func exampleOf(t *walkTable, rows ...*pipeline.Step) (e example, ok bool) {
	var shown [3]int // in hundredths
	hundredths := func(v float64) int { return int(math.Round(100 * v)) }
	for k, s := range rows {
		e.rows[k], e.values[k] = s, t.Value(s.Row)
		shown[k] = hundredths(e.values[k])
	}
	e.buckets = rows[0].Need
	both := e.values[1] + e.values[2]
	if rows[1].Need+rows[2].Need > e.buckets || shown[0] <= shown[1] || shown[1] < shown[2] || hundredths(both) <= shown[0] ||
		shown[1]+shown[2] != hundredths(both) || both >= 100 {
		return e, false
	}
	var above [maxExampleBuckets + 1]float64
	for k, s := range rows {
		for c := range e.buckets + 1 {
			e.best[k][c] = above[c]
			if s.Need <= c {
				e.best[k][c] = max(above[c], above[c-s.Need]+e.values[k])
			}
		}
		above = e.best[k]
	}
	return e, true
}

// lines draws the example with its table, beside each row what reading back says there, and says
// how a cell is found and how they are read back.
func (e *example) lines(g *theme.Glyphs, width, rows int) [][]draw.Span {
	line := []draw.Span{{Text: fmt.Sprintf("  %-24s", "best total, by buckets"), Role: theme.Dim}}
	for c := range e.buckets + 1 {
		line = append(line, draw.Span{Text: fmt.Sprintf("%6d", c), Role: theme.Dim})
	}
	room := width - draw.SpansWidth(line)
	all := [][]draw.Span{append(line, draw.Span{Text: widget.Fitting(room, "   read back, last row first", "   read back"), Role: theme.Dim})}
	left := [3]slicer.Target{2: e.buckets} // the way back passes these numbers of buckets
	for k := 1; k >= 0; k-- {
		left[k] = left[k+1] - e.rows[k+1].Need
	}
	for k, s := range e.rows {
		mark, says := draw.Span{Text: string(g.Out) + " ", Role: theme.Out}, []string{"   out: " + are(left[0]) + " left", "   out"}
		if k > 0 {
			in, without, then := fmt.Sprintf("   in: %.2f, ", e.best[k][left[k]]), fmt.Sprintf("%.2f; ", e.best[k-1][left[k]]), left[k-1]
			mark, says = draw.Span{Text: string(g.In) + " ", Role: theme.In}, []string{in + "without it " + without + are(then) + " left", in + "not " + without + tokens(then) + " left", in + "not " + without[:len(without)-2], "   in"}
		}
		takes := fmt.Sprintf("#%d takes %s, worth", s.Item, tokens(s.Need))
		line := []draw.Span{mark, {Text: fmt.Sprintf("%-19s%5.2f", takes, e.values[k])}}
		for c := range e.buckets + 1 {
			role := theme.Plain
			if c == left[k] {
				role = theme.Strong
			}
			line = append(line, draw.Span{Text: fmt.Sprintf("%6.2f", e.best[k][c]), Role: role})
		}
		all = append(all, append(line, draw.Span{Text: widget.Fitting(room, says...), Role: theme.Dim}))
	}
	for _, said := range []string{
		fmt.Sprintf("A cell keeps the larger: the one above it or, with the item, its worth plus the one above as many buckets to the left as it takes: "+
			"%.2f, or %.2f + %.2f = %.2f.", e.values[0], e.values[2], e.values[1], e.best[2][e.buckets]),
		fmt.Sprintf("Reading back begins with all %s. An item is in if its cell is larger than the cell above, and the buckets that it takes are then spent.",
			plain.Count(int(e.buckets), "bucket")),
	} {
		if lines := draw.Paragraph(width, draw.Span{Text: said, Role: theme.Dim}); len(all)+len(lines) <= rows {
			all = append(all, lines...)
		}
	}
	return all
}

// title returns what the example shows.
func (e *example) title() string {
	return fmt.Sprintf("A small example, %s: #%d and #%d together are worth more than #%d", plain.Count(int(e.buckets), "bucket"), e.rows[1].Item, e.rows[2].Item, e.rows[0].Item)
}

// aside returns what the pane of the item has in its place: the example, as long as the table is
// filled like it. The title is "" where there is none.
func (p *View) aside(f *widget.Frame, width, rows int) (title string, lines [][]draw.Span) {
	if !p.filling {
		return "", nil
	}
	return p.exampleIn(f, width, rows)
}

// exampleIn returns the example, and the title "" where there is no table or too little room.
func (p *View) exampleIn(f *widget.Frame, width, rows int) (title string, lines [][]draw.Span) {
	if t, ok := p.table(); ok && p.other == nil && rows >= 4 && width >= minExampleWidth {
		if e, ok := p.example(&t); ok {
			lines = e.lines(f.Glyphs(), width, rows)
			if more := p.meanings(width); len(lines)+1+len(more) <= rows {
				lines = append(append(lines, nil), more...)
			}
			return e.title(), lines
		}
	}
	return "", nil
}

// noItem says, at a step that decides on no item, how the steps are read and how to go on: a
// knapsack has an example, where there is room for it.
func (p *View) noItem(f *widget.Frame, width, rows int) (title string, lines [][]draw.Span) {
	if p.Steps() == 0 {
		return "Item", draw.Paragraph(width, draw.Span{Text: "No item is selected.", Role: theme.Dim})
	}
	if title, lines := p.exampleIn(f, width, rows); title != "" {
		return title, lines
	}
	keys := "l does the next step, space plays them."
	switch {
	case p.AtEnd():
		keys = ""
	case p.play.On():
		keys = "space stops the playing."
	}
	lines = p.meanings(width)
	more := " n goes to the next item that goes the other way, d shows A and B beside each other."
	switch {
	case len(lines) >= rows:
		lines = nil
	case len(lines)+3 <= rows:
		lines, keys = append(lines, nil), keys+more
	}
	return "How to read it", append(lines, draw.Paragraph(width, draw.Span{Text: keys, Role: theme.Dim})...)
}

// meanings returns what the columns of the steps show, a line or more for each.
func (p *View) meanings(width int) (lines [][]draw.Span) {
	for _, column := range p.columnsMean() {
		name, means, _ := strings.Cut(column, ": ")
		lines = append(lines, draw.Paragraph(width, draw.Span{Text: fmt.Sprintf("%-8s", name), Role: theme.Strong}, draw.Span{Text: means, Role: theme.Dim})...)
	}
	return lines
}

// minExampleWidth is the least width in which an example is drawn.
const minExampleWidth = 66

// columnsMean returns what the columns of the steps show: name, colon, meaning.
func (p *View) columnsMean() []string {
	if p.hasTable() {
		return []string{
			"takes: buckets that the item takes", "with: the best total with the item",
			"without: the best total without it; the larger decides",
		}
	}
	var all []string
	switch p.of.Policy.Slicer.Order() {
	case model.OrderByDensity:
		density := "/1k: score per 1,000 tokens, the highest first"
		if k := slices.IndexFunc(p.steps, func(s pipeline.Step) bool { return s.At >= 0 && p.takes(&s) > 0 }); k >= 0 {
			s := &p.steps[k]
			density += fmt.Sprintf(": #%d has %s for %v", s.Item, widget.Score(p.worth(s), 5), p.tokens(slicer.Target(p.takes(s))))
		}
		all = append(all, density)
	case model.OrderByScore:
		all = append(all, "score: what the policy's scorers give an item, the highest first")
	}
	return append(all, "left: tokens that are left, before and after the step", "why: fits, or how many tokens it lacks")
}
