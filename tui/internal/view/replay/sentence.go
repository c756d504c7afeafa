package replay

import (
	"fmt"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// rowsBelow is how many lines the pane of the item has at least, below text of a width.
func rowsBelow(width int) int {
	if width < 70 {
		return 2
	}
	return 3
}

// say writes what the step under the cursor does, in whole sentences. The sentences that do not
// fit go to the pane of the item, if the step is about no item.
func (p *View) say(f *widget.Frame, r draw.Rect, t *walkTable) {
	forms, role, below := p.ended(p.sentence(t)), theme.Plain, 0
	if _, ok := p.Selected(); !ok {
		below = rowsBelow(r.W)
	}
	if p.absent > 0 {
		forms, role = []string{p.undecided()}, theme.Warn
	}
	var lines [][]draw.Span
	for _, text := range forms {
		lines, p.rest = nil, text
		for end := 0; end < len(text); {
			if next := strings.IndexAny(text[end:], ".?"); next < 0 {
				end = len(text)
			} else if end += next + 1; end < len(text) && text[end] != ' ' {
				continue // within a number
			}
			more := draw.Paragraph(r.W, draw.Span{Text: text[:end], Role: role})
			if len(more) > r.H {
				break
			}
			lines, p.rest = more, strings.TrimSpace(text[end:])
		}
		if p.rest == "" || len(draw.Paragraph(r.W, draw.Span{Text: p.NoItem()})) <= below {
			break
		}
	}
	f.Lines(r, lines)
}

// sentence says what the step under the cursor does, for a reader who does not
// know dynamic programming, the longest form first.
func (p *View) sentence(t *walkTable) []string {
	s := &p.steps[p.Cursor()]
	need := plain.Count(int(s.Need), "bucket")
	switch {
	case s.Opens != nil && s.Phase == slicer.InOutline:
		return p.aim(t)
	case s.Opens != nil && p.filling:
		return []string{
			"It goes from the highest score to the lowest. For every number of buckets from 0 to " + tokens(t.capacity) +
				" a row compares the best value of the items so far with its item and without it, and keeps the larger.",
			"From the highest score down. A row keeps, for every number of buckets, the larger of both values.",
		}
	case s.Opens != nil:
		return []string{
			"Now the table is read back, from the last row to the first, beginning with all " + plain.Count(int(t.capacity), "bucket") +
				". If the best value is larger with the item of a row than without it, the item is in and takes its buckets.",
			"Now it is read back, from " + plain.Count(int(t.capacity), "bucket") + ": if the best value is larger with an item, it is in.",
		}
	case s.Verdict == slicer.Free:
		return []string{fmt.Sprintf("#%d is in: it has no tokens, so it takes no bucket.", s.Item)}
	case s.Why == slicer.NoValue && p.filling:
		return []string{fmt.Sprintf("#%d has no row: its score is below 0.0001, so it adds nothing.", s.Item)}
	case s.Why == slicer.NoValue:
		return []string{fmt.Sprintf("#%d stays out: its score is below 0.0001, so it adds nothing.", s.Item)}
	case p.filling && s.Need > t.capacity:
		return []string{fmt.Sprintf("#%d takes %s, and there are only %s: no set has it.", s.Item, need, tokens(t.capacity))}
	case s.Why == slicer.NoRoom && !p.filling:
		return []string{fmt.Sprintf("#%d stays out: it takes %s, and %s left.", s.Item, need, are(s.Left))}
	}
	return p.weighed(s, t)
}

// aim says what a knapsack looks for, with an item as an example of a price, what its table
// holds, and what the steps to come show of it.
func (p *View) aim(t *walkTable) []string {
	text := "Knapsack looks for the items with the largest value that fit into " + plain.Count(int(t.capacity), "bucket") + " of " + plain.Count(t.bucket, "token") + "."
	long := text
	if t.open+1 < t.end {
		s := &p.steps[t.open+1]
		long += fmt.Sprintf(" Sizes round up: the %v of #%d take %v.", p.about()+plain.Count(p.of.Ranking.Input().Tokens[s.At], "token"), s.Item, tokens(s.Need))
	}
	if p.filling {
		return []string{
			long + " It fills a table with the best value for every number of buckets, a row per item. Then it reads from the table which items the best set has (b shows that).",
			text + " It fills a table with the best value for each number of buckets.", text,
		}
	}
	return []string{
		long + " Its table holds the best value for every number of buckets (b shows the filling). Here it is read back: row by row, it tells whether the best set has the item.",
		text + " Its table holds the best value for each number of buckets (b).", text,
	}
}

// weighed compares the best value with an item to the best without it: from here in the buckets
// that are left, or while the table is filled from the items so far in all buckets.
func (p *View) weighed(s *pipeline.Step, t *walkTable) []string {
	buckets, a, b := p.weigh(s, t)
	with, without := worth(a, b)
	of, from, in, out := " left", "", "is in", "stays out"
	if p.filling {
		of, in, out = "", "is in the best set so far", "is not in the best set so far"
		if s.Row > 1 {
			from = " from the " + plain.Count(int(s.Row)-1, "item") + " above"
		}
	}
	need, compared := plain.Count(int(s.Need), "bucket"), "less"
	so := fmt.Sprintf("#%d, which takes %s, %s.", s.Item, need, out)
	switch {
	case a > b:
		compared, so = "more", fmt.Sprintf("#%d %s and takes %s.", s.Item, in, need)
	case with == without:
		compared = "no more"
	}
	return []string{
		fmt.Sprintf("Without #%d, the %s%s %s a value of at most %s%s; with it %s, which is %s: %s",
			s.Item, plain.Count(int(buckets), "bucket"), of, widget.Verb(int(buckets), "holds", "hold"), without, from, with, compared, so),
		fmt.Sprintf("Without #%d the value is at most %s, with it %s: %s", s.Item, without, with, so),
	}
}

// weigh returns the values of the best sets of the items up to the row of a step, with its item,
// which must fit, and without it, and for how many buckets: those that are left, or while the
// table is filled all.
func (p *View) weigh(s *pipeline.Step, t *walkTable) (buckets slicer.Target, with, without float64) {
	if buckets = s.Left; p.filling {
		buckets = t.capacity
	}
	return buckets, t.Best(s.Row-1, buckets-s.Need) + t.Value(s.Row), t.Best(s.Row-1, buckets)
}

// decided says what a step of a slicer without a table decides about its item, and why, the
// longest form first.
func (p *View) decided(s *pipeline.Step) []string {
	name := fmt.Sprintf("#%d", s.Item)
	if pair := strings.TrimSpace(p.with(s)); pair != "" {
		name += " with " + strings.TrimPrefix(pair, "+")
	}
	because := p.because(s)[0]
	if _, words := p.sized(&theme.Glyphs{}, s); words != nil {
		return []string{name + ": " + words[0] + "."}
	}
	next := name + " is next" + p.ordered(s) + ". "
	need, left := p.tokens(s.Need), p.tokens(s.Left)
	switch {
	case s.Verdict == slicer.Taken:
		return []string{
			fmt.Sprintf("%sIt takes %v of the %v tokens left: it fits, so it is in, and %v are left.", next, need, left, p.tokens(s.After)),
			fmt.Sprintf("%s fits: it takes %v of the %v left.", name, need, left),
		}
	case s.Verdict == slicer.Skipped && s.Why == slicer.NoRoom:
		return []string{
			fmt.Sprintf("%sIt needs %v tokens, and %v are left: %v too few, so it stays out.", next, need, left, p.tokens(s.Need-s.Left)),
			fmt.Sprintf("%s does not fit: it needs %v, and %v are left.", name, need, left),
		}
	case s.Verdict == slicer.Free:
		return []string{name + " has no tokens, so it is in and takes no room.", name + " is in: " + because + "."}
	case s.Verdict.In():
		return []string{name + " is in: " + because + "."}
	}
	return []string{name + " is out: " + because + "."}
}

// ordered says by what the item of a step is next; "" where the slicer takes its items as they
// come or no longer by its order.
func (p *View) ordered(s *pipeline.Step) string {
	switch order := p.of.Policy.Slicer.Order(); {
	case s.Phase == slicer.Truncation || s.At < 0:
	case order == model.OrderByDensity && p.takes(s) > 0:
		return " by score per token, with " + p.about() + p.density(s, 5) + " per 1,000"
	case order == model.OrderByScore:
		return " by score, with " + widget.Score(p.worth(s), 5)
	}
	return ""
}

// are returns a count with its verb: "no bucket is", "1 bucket is", "180 buckets are".
func are(n slicer.Target) string {
	if n == 0 {
		return "no bucket is"
	}
	return plain.Count(int(n), "bucket") + widget.Verb(int(n), " is", " are")
}

// worth formats two values of the knapsack, which counts in ten-thousandths, with as few decimals
// as tell them apart, but at least two.
func worth(a, b float64) (string, string) {
	format := func(v float64, decimals int) string {
		if v >= 1e9 {
			return strconv.FormatFloat(v, 'g', 12, 64)
		}
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	for decimals := 2; decimals < 4; decimals++ {
		if x, y := format(a, decimals), format(b, decimals); x != y || format(a, 4) == format(b, 4) {
			return x, y
		}
	}
	return format(a, 4), format(b, 4)
}
