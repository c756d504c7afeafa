package replay

import (
	"fmt"
	"math"
	"slices"
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

// say writes what the step under the cursor does, in the longest form that fits.
func (p *View) say(f *widget.Frame, r draw.Rect, t *walkTable) {
	if p.absent > 0 {
		f.Lines(r, draw.Paragraph(r.W, draw.Span{Text: p.undecided(), Role: theme.Warn}))
		return
	}
	f.Lines(r, firstWithin(r.W, r.H, p.introduced(p.ended(p.sentence(t)))))
}

// sentence returns what the step under the cursor does, for a reader who does not
// know dynamic programming, the longest form first.
func (p *View) sentence(t *walkTable) []string {
	s := &p.steps[p.Cursor()]
	need := plain.Count(int(s.Need), "bucket")
	switch {
	case s.Opens != nil && s.Phase == slicer.InOutline:
		return p.question(t)
	case s.Opens != nil && p.filling:
		return []string{"The last row ends with the best total of these items in all " + plain.Count(int(t.capacity), "bucket") + "."}
	case s.Opens != nil:
		best, value := "The best set", p.after(t.end-1).value-t.before
		switch {
		case !t.whole:
			best += " of these items"
		case p.cut: // not all that is in is known
			value = p.of.Report.Value
		}
		best += " is worth " + p.about() + widget.Value(value)
		return []string{
			best + "; b shows how that is found. Item by item, the lowest score first: if a set without the item is worth as much, it stays out.",
			best + ". An item stays out if a set without it is worth as much.",
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
		said := fmt.Sprintf("#%d stays out: it takes %s, and %s left.", s.Item, need, are(s.Left))
		return []string{said + p.free(s, t), said}
	}
	return p.weighed(s, t)
}

// question returns what a knapsack looks for, and how a table answers it.
func (p *View) question(t *walkTable) []string {
	then := "; b reads back which are in."
	if !p.filling {
		then = "; b shows how it is filled."
	}
	asks := "Which items are worth the most together"
	return []string{
		asks + ", in " + plain.Count(int(t.capacity), "bucket") + " of " + plain.Count(t.bucket, "token") +
			"? Each row lets one more item in: is the best total larger with it, or without it? The last row has the answer" + then,
		asks + "? A row of the table adds an item and keeps the better total, with or without it" + then,
		asks + "? A table, a row for each item, answers" + then,
	}
}

// weighed compares what the best set is worth with an item to what it is without, after what the
// steps before have decided, or while the table is filled of the items so far in all buckets.
func (p *View) weighed(s *pipeline.Step, t *walkTable) []string {
	buckets, a, b := p.weigh(s, t)
	with, without := worth(a, b)
	of, reached, from, in, out := " left", "the best total is "+with, "", "is in", "stays out"
	if p.filling {
		of, in, out = "", "is in the best set so far", "is not in the best set so far"
		if s.Row > 1 {
			from = " by the " + plain.Count(int(s.Row)-1, "item") + " above"
		}
	}
	takes := fmt.Sprintf("#%d takes %s of %s%s", s.Item, tokens(s.Need), plain.Count(int(buckets), "bucket"), of)
	compared, so := "with it "+reached+", without it "+without, "it "+out
	switch {
	case a > b:
		so = "it " + in
	case with == without:
		compared = "with it " + reached + ", which is no more than without it"
	}
	short := fmt.Sprintf("#%d (%s): %s with it, %s without, so %s.", s.Item, plain.Count(int(s.Need), "bucket"), with, without, so)
	long := takes + ": " + compared + from + ", so " + so
	if p.filling {
		forms := []string{long + ".", takes + ": " + compared + ", so " + so + ".", short}
		if s.Row > 1 {
			forms = slices.Insert(forms, 0, takes+". "+added(t, s)+" so "+so+".")
		}
		return forms
	}
	if a > b {
		left := long + ", and " + are(s.After) + " left."
		if s.After > 0 {
			return []string{left, long + ".", short}
		}
		return []string{left + p.free(s, t), left, long + ".", short}
	}
	return []string{long + ".", short}
}

// free says, beside the buckets that a step of the walk back leaves, how many tokens are free and how many
// of them are lost because sizes are rounded up; "" where the table has a part of the room or none are lost.
func (p *View) free(s *pipeline.Step, t *walkTable) string {
	if !t.whole || p.cut {
		return ""
	}
	placed := p.after(p.Cursor()).tokens
	free, lost := slicer.Target(p.of.Report.Effective.Target-placed), (t.capacity-s.After)*slicer.Target(t.bucket)-slicer.Target(placed)
	if lost <= 0 {
		return ""
	}
	return " " + p.about() + plain.Count(int(free), "token") + widget.Verb(int(free), " is", " are") + " free: rounding up to buckets of " + t.bucket.String() + " loses " + p.tokens(lost) + " of them."
}

// added returns how the two values that a row of the table compares come about from the row above,
// in as few decimals as let the sum add up and tell the two apart.
func added(t *walkTable, s *pipeline.Step) string {
	other := t.capacity - s.Need
	exactly := func(v float64) int { return int(math.Round(10_000 * v)) } // the table counts in ten-thousandths
	own, rest, without := exactly(t.Value(s.Row)), exactly(t.Best(s.Row-1, other)), exactly(t.Best(s.Row-1, t.capacity))
	with, decimals, unit := own+rest, 2, 100
	in := func(n int) int { return (n + unit/2) / unit }
	for unit > 1 && (in(own)+in(rest) != in(with) || in(with) == in(without) && with != without) {
		decimals, unit = decimals+1, unit/10
	}
	write := func(n int) string { return inDecimals(float64(n)/10_000, decimals) }
	than := "less"
	if with <= without {
		than = "no less"
	}
	above := "the item above reaches"
	if s.Row > 2 {
		above = "the " + plain.Count(int(s.Row)-1, "item") + " above reach"
	}
	return fmt.Sprintf("With it: its %s and the %s that %s in the other %s make %s. Without it: %s in all %s, which is %s,",
		write(own), write(rest), above, tokens(other), write(with), write(without), tokens(t.capacity), than)
}

// weigh returns the values of the best sets with the item of a step, if it fits, and without it,
// and for how many buckets. These are the buckets that are left; the values then include what is in
// already, so that the larger one is the value of the whole set. While the table is filled, these
// are all buckets, and the values are of the items so far.
func (p *View) weigh(s *pipeline.Step, t *walkTable) (buckets slicer.Target, with, without float64) {
	buckets = s.Left
	if p.filling {
		buckets = t.capacity
	}
	without = t.Best(s.Row-1, buckets)
	if s.Need <= buckets {
		with = t.Best(s.Row-1, buckets-s.Need) + t.Value(s.Row)
	}
	if !p.filling && !p.cut { // else not all that is in is known
		already := p.after(t.end-1).value - t.before - max(with, without)
		with, without = with+already, without+already
	}
	return buckets, with, without
}

// decided returns what a step of a slicer without a table decides about its item, and why, the
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
	remain := func(n slicer.Target) string { return p.tokens(n) + widget.Verb(int(n), " is left", " are left") }
	switch {
	case s.Verdict == slicer.Taken && s.Left == 1:
		return []string{next + "It takes the last token: it fits, so it is in, and the room is full.", name + " fits: it takes the last token."}
	case s.Verdict == slicer.Taken:
		return []string{
			fmt.Sprintf("%sIt takes %v of the %v tokens left: it fits, so it is in, and %v.", next, need, left, remain(s.After)),
			fmt.Sprintf("%s fits: it takes %v of the %v tokens left.", name, need, left),
		}
	case s.Verdict == slicer.Skipped && s.Why == slicer.NoRoom:
		return []string{
			fmt.Sprintf("%sIt needs %v tokens, and %v: %v too few, so it stays out.", next, need, remain(s.Left), p.tokens(s.Need-s.Left)),
			fmt.Sprintf("%s does not fit: it needs %v, and %v.", name, need, remain(s.Left)),
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

// are returns a count with its verb: "0 buckets are", "1 bucket is".
func are(n slicer.Target) string {
	return plain.Count(int(n), "bucket") + widget.Verb(int(n), " is", " are")
}

// worth formats two values of the knapsack, which counts in ten-thousandths, with as few decimals
// as tell them apart, but at least two.
func worth(a, b float64) (string, string) {
	format := func(v float64, decimals int) string {
		if v >= 1e9 {
			return strconv.FormatFloat(v, 'g', 12, 64)
		}
		return inDecimals(v, decimals)
	}
	for decimals := 2; decimals < 4; decimals++ {
		if x, y := format(a, decimals), format(b, decimals); x != y || format(a, 4) == format(b, 4) {
			return x, y
		}
	}
	return format(a, 4), format(b, 4)
}

// inDecimals formats a value of the knapsack, halves rounded up as in widget.Value: the rows, the sums in
// sentences and the header then agree.
func inDecimals(v float64, decimals int) string {
	step := math.Pow10(decimals)
	return strconv.FormatFloat(math.Floor(v*step+0.5+1e-7)/step, 'f', decimals, 64)
}
