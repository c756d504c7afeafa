package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// Score formats a score in at most n cells, where n is at least 5: "0.53", "1.00", "12.3",
// "12.3k", "1.2e9". It drops digits if it must, but never the order of magnitude.
func Score(v float64, n int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	var s string
	if math.Abs(v) < 1e15 {
		for decimals := 2; decimals >= 0; decimals-- {
			s = decimal(v, decimals)
			if len(s) <= n {
				return s
			}
		}
	}
	if math.Abs(v) < 1e5 {
		if s = model.Tokens(math.Round(v)).Short(); len(s) <= n {
			return s
		}
	}
	for decimals := 1; decimals >= 0; decimals-- {
		s = strconv.FormatFloat(v, 'e', decimals, 64)
		s = strings.Replace(strings.Replace(s, "e+0", "e", 1), "e+", "e", 1)
		if len(s) <= n {
			break
		}
	}
	return s
}

// ExactScore formats a score with three decimals, or from 1e6 with six digits. Its width
// is not bounded.
func ExactScore(v float64) string { return upToMillion(v, 3) }

// upToMillion formats a number with so many decimals, or from 1e6 with six digits.
func upToMillion(v float64, decimals int) string {
	if math.Abs(v) >= 1e6 || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return decimal(v, decimals)
}

// decimal formats a number with so many decimals, at most three. Halves are rounded away from
// zero, even if a billionth is missing, so that sums of the same scores in another order give
// the same text.
func decimal(v float64, decimals int) string {
	if math.Abs(v) < 1e6 {
		step := math.Pow10(decimals)
		v = math.Round(math.Round(v*1e9)/(1e9/step)) / step
	}
	return separated(v, decimals)
}

// separated formats a number with so many decimals and with separators of thousands.
func separated(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	whole, _, _ := strings.Cut(text, ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && (n >= 1000 || n <= -1000) {
		return plain.Thousands(n) + text[len(whole):]
	}
	return text
}

// Value formats a sum of scores with two decimals, or from 1e6 with six digits.
func Value(v float64) string { return upToMillion(v, 2) }

// Parts rounds the parts of a sum to hundredths that add up to the sum as Value shows it: those that lose
// the most by it are rounded up, the others down.
func Parts(sum float64, parts ...float64) []float64 {
	if !(math.Abs(sum) < 1e6) { // Value shows no hundredths
		return slices.Clone(parts)
	}
	hundredths := func(v float64) float64 { return math.Round(v*1e9) / 1e7 } // as decimal rounds
	rounded := make([]float64, len(parts))
	for k, v := range parts {
		rounded[k] = hundredths(v)
	}
	rounded = AddUp(hundredths(sum), rounded)
	for k := range rounded {
		rounded[k] /= 100
	}
	return rounded
}

// AddUp is Parts for whole numbers.
func AddUp(sum float64, parts []float64) []float64 {
	rounded, lost, left := slices.Clone(parts), slices.Clone(parts), int(math.Round(sum))
	for k, v := range parts {
		rounded[k] = math.Floor(v)
		lost[k] = v - rounded[k]
		left -= int(rounded[k])
	}
	for range min(left, len(parts)) {
		k := slices.Index(lost, slices.Max(lost))
		rounded[k], lost[k] = rounded[k]+1, -1
	}
	return rounded
}

// Apart returns what only a side has is worth, and then what it has in another size than the other side: in
// hundredths that, with those of what both have, make the value of the side.
func Apart(a, b *model.Report, c *simulate.Comparison) (ofA, ofB []float64) {
	shown := func(v float64) float64 { return Parts(v, v)[0] }
	side := func(all, both, only, sized float64) []float64 {
		sum := only + sized
		if math.Abs(all-both-sum) < 1e-6 { // else notes are worth something too
			sum = shown(all) - shown(both)
		}
		return Parts(sum, only, sized)
	}
	return side(a.Value, c.BothValueA, c.OnlyAValue, c.SizedValueA), side(b.Value, c.BothValueB, c.OnlyBValue, c.SizedValueB)
}

// NoneHolds says that no budget holds all that is needed, and because of which items.
func NoneHolds(items *model.Set, recall *quality.Curve) string {
	out, _ := recall.Blockers()
	if i := slices.IndexFunc(out, func(i int32) bool { return NeverIn(items, int(i)) != "" }); i >= 0 {
		return "no budget holds all that is needed: " + StayOut(items, out[i:i+1])
	}
	text := "no budget up to the ceiling holds all that is needed"
	if len(out) > 0 {
		text += ": " + StayOut(items, out)
	}
	return text
}

// StayOut says of items that they stay out, and why if one of them is in at no budget.
func StayOut(items *model.Set, out []int32) string {
	text := Indexes(out, 30) + Verb(len(out), " stays", " stay") + " out"
	for _, i := range out {
		switch why := NeverIn(items, int(i)); {
		case why == "":
		case len(out) == 1:
			return text + ": " + why
		default:
			return text + " (#" + strconv.Itoa(int(i)) + ": " + why + ")"
		}
	}
	return text
}

// Indexes formats item indexes as "#44 #39" in at most width cells, ending in "and 3 more" if
// they do not all fit. It returns "" if not even the first fits.
func Indexes(list []int32, width int) string {
	var b strings.Builder
	whole := len(list) - 1 // cells of the blanks between
	for _, i := range list {
		if whole += 1 + len(strconv.Itoa(int(i))); whole > width {
			break
		}
	}
	for n, i := range list {
		s := "#" + strconv.Itoa(int(i))
		if n > 0 {
			s = " " + s
		}
		more := ""
		if rest := len(list) - n - 1; rest > 0 && whole > width {
			more = " and " + plain.Thousands(rest) + " more"
		}
		if b.Len()+len(s)+len(more) > width {
			left := " and " + plain.Thousands(len(list)-n) + " more"
			if n > 0 && b.Len()+len(left) <= width {
				b.WriteString(left)
			}
			return b.String()
		}
		b.WriteString(s)
	}
	return b.String()
}

// CleanName returns a name from a file so that it is safe to draw, in at most 40 cells.
func CleanName(s string) string { return plain.Line(s, 40) }

// Plain returns text in the plain role.
func Plain(text string) draw.Span { return draw.Span{Text: text, Role: theme.Plain} }

// Verb returns one if n is 1, else many.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Pack arranges parts, in order, in lines of at most width cells: as many beside each
// other as fit. A part that is wider than a line is broken into several lines.
func Pack(width int, parts [][]draw.Span) [][]draw.Span {
	const gap = "   "
	var lines [][]draw.Span
	used := 0
	for _, part := range parts {
		w := draw.SpansWidth(part)
		switch n := len(lines); {
		case w > width:
			lines, used = append(lines, draw.Paragraph(width, part...)...), width
		case n > 0 && used > 0 && used+len(gap)+w <= width:
			lines[n-1] = append(append(lines[n-1], Plain(gap)), part...)
			used += len(gap) + w
		default:
			lines, used = append(lines, slices.Clone(part)), w
		}
	}
	return lines
}

// Signed formats tokens with a sign; 0 is "+0".
func Signed(t model.Tokens) string {
	if t >= 0 {
		return "+" + t.String()
	}
	return theme.Minus + (-t).String()
}

// SignedValue formats a value with a sign and two decimals. What rounds to 0 has a plus: "+0.00".
// The same difference reads the same both ways, though sums in another order have other last bits.
func SignedValue(v float64) string {
	v = math.Round(math.Round(v*1e9)/1e7) / 100
	s := strings.TrimPrefix(separated(v, 2), "-")
	if v >= 0 || strings.Trim(s, "0.") == "" {
		return "+" + s
	}
	return theme.Minus + s
}

// ByNewScores returns what the items that were in would be worth by the scores now, what the items
// that are in are worth, and the gain.
func ByNewScores(about string, now, gain float64, g *theme.Glyphs) string {
	was := math.Round(100*now)/100 - math.Round(100*gain)/100 // so that what is shown adds up
	return "by the new scores " + about + Value(was) + " " + g.Arrow + " " + about + Value(now) + " (" + about + SignedValue(gain) + ")"
}

// Fitting returns the first of texts that fits into width cells, or the last if none does.
// It panics without texts.
func Fitting(width int, texts ...string) string {
	for _, t := range texts[:len(texts)-1] {
		if draw.Width(t) <= width {
			return t
		}
	}
	return texts[len(texts)-1]
}

// FirstFitting is like Fitting, but shortens the last text if it does not fit either.
func FirstFitting(texts []string, width int, g *theme.Glyphs) string {
	return draw.Fit(Fitting(width, texts...), width, g)
}

// Share formats a percentage with all its digits: "62.5 %".
func Share(percent float64) string { return strconv.FormatFloat(percent, 'f', -1, 64) + " %" }
