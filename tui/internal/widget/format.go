package widget

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
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
			more = " and " + strconv.Itoa(rest) + " more"
		}
		if b.Len()+len(s)+len(more) > width {
			left := " and " + strconv.Itoa(len(list)-n) + " more"
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

// SignedValue formats a value with a sign and two decimals, as signedDecimal does.
func SignedValue(v float64) string { return signedDecimal(v, 2) }

// signedDecimal formats a number with a sign and so many decimals. What rounds to 0 has a
// plus: "+0.0".
func signedDecimal(v float64, decimals int) string {
	s := strings.TrimPrefix(separated(v, decimals), "-")
	if v >= 0 || strings.Trim(s, "0.") == "" {
		return "+" + s
	}
	return theme.Minus + s
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

// Moves says what comes in and what goes out: "+ #32 − #15". Each list is named in at most width
// cells, or else counted.
func Moves(in, out []int32, width int) string {
	var parts []string
	add := func(sign string, list []int32) {
		if len(list) > 0 {
			parts = append(parts, sign+" "+cmp.Or(Indexes(list, width), plain.Count(len(list), "item")))
		}
	}
	add("+", in)
	add(theme.Minus, out)
	return strings.Join(parts, " ")
}

// InParentheses formats item indexes in parentheses after a blank: " (#44 #39)". The indexes take
// at most room cells, see Indexes. It returns "" for an empty list or if none fits.
func InParentheses(list []int32, room int) string {
	if len(list) == 0 || room == 0 {
		return ""
	}
	s := Indexes(list, room)
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// ChangeSpans returns "+ #40 − #9" in at most width cells, or the numbers of items if they
// do not fit.
func ChangeSpans(g *theme.Glyphs, in, out []int32, resized []experiment.Resize, width int) []draw.Span {
	var named, bare []draw.Span
	for _, part := range []struct {
		list []int32
		sign string
		role theme.Role
	}{{in, "+", theme.Gain}, {out, theme.Minus, theme.Loss}} {
		if len(part.list) == 0 {
			continue
		}
		text := part.sign + " "
		for _, i := range part.list[:min(6, len(part.list))] {
			text += "#" + strconv.Itoa(int(i)) + " "
		}
		named = append(named, draw.Span{Text: text, Role: part.role})
		bare = append(bare, draw.Span{Text: part.sign + plain.Thousands(len(part.list)) + " ", Role: part.role})
	}
	counted := slices.Clip(bare)
	if n := len(in) + len(out); n > 0 {
		counted = append(counted, draw.Span{Text: Verb(n, "item ", "items "), Role: theme.Plain})
	}
	if len(in) > 6 || len(out) > 6 {
		named = counted
	}
	sizes := ResizeSpans(resized, " ")
	noteless := ResizeSpans(slices.DeleteFunc(slices.Clone(resized), experiment.Resize.Note), " ")
	var forms [][]draw.Span
	for _, items := range [][]draw.Span{named, counted, bare} {
		forms = append(forms, andSizes(items, sizes), andSizes(items, noteless))
	}
	forms = append(forms, named, counted, bare)
	if len(resized) == 1 && !resized[0].Note() {
		r := resized[0]
		role, text := theme.Gain, fmt.Sprintf("#%d %v %s %v ", r.Item, r.From, g.Arrow, r.To)
		if r.To < r.From {
			role = theme.Loss
		}
		forms = append([][]draw.Span{andSizes(named, []draw.Span{{Text: text, Role: role}})}, forms...)
	}
	return draw.FirstThatFits(width+1, forms...)
}

// andSizes returns which items came in or went out and, behind a comma, which have another size.
func andSizes(items, sizes []draw.Span) []draw.Span {
	both := slices.Concat(items, sizes)
	if n := len(items); n > 0 && n < len(both) {
		both[n-1].Text = strings.TrimSuffix(both[n-1].Text, " ") + ", "
	}
	return both
}

// ResizeSpans returns what changed its size, in words: "2 grew 1 shrank +17 notes", sep
// behind each.
func ResizeSpans(resized []experiment.Resize, sep string) (spans []draw.Span) {
	var grew, shrank, came, went []int32
	for _, r := range resized {
		switch {
		case r.From == 0:
			came = append(came, r.Item)
		case r.To == 0:
			went = append(went, r.Item)
		case r.To > r.From:
			grew = append(grew, r.Item)
		default:
			shrank = append(shrank, r.Item)
		}
	}
	for _, part := range []struct {
		list []int32
		does string
		role theme.Role
	}{{grew, "grew", theme.Gain}, {shrank, "shrank", theme.Loss}} {
		switch n := len(part.list); n {
		case 0:
		case 1:
			spans = append(spans, draw.Span{Text: fmt.Sprintf("#%d %s", part.list[0], part.does) + sep, Role: part.role})
		default:
			spans = append(spans, draw.Span{Text: plain.Thousands(n) + " " + part.does + sep, Role: part.role})
		}
	}
	if n := len(came); n > 0 {
		spans = append(spans, draw.Span{Text: "+" + plain.Count(n, "note") + sep, Role: theme.Plain})
	}
	if n := len(went); n > 0 {
		spans = append(spans, draw.Span{Text: theme.Minus + plain.Count(n, "note") + sep, Role: theme.Plain})
	}
	return spans
}

// ResizeText returns what changed its size: "2 grew, 1 shrank, +17 notes"; "" for nothing.
func ResizeText(resized []experiment.Resize) string {
	return strings.Join(plain.Texts(ResizeSpans(resized, ""), func(s draw.Span) string { return s.Text }), ", ")
}
