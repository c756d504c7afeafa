package widget

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// This file has the words for what a change moves, wherever it is told: before it is made, in the
// palette, a pane or a wish, and afterwards.

// What is said where nothing comes in, goes out or changes its size, of all items or of all but
// those that are asked about.
const (
	NothingMoves = "no item moves"
	NoOtherMoves = "no other item moves"
)

// Moved returns what comes in and what goes out, with sep behind each: by name, as in "+ #32 #40",
// where the names take at most room cells, else how many and the first, "+12 in (#44 #39 and 10 more)".
func Moved(in, out []int32, room int, sep string) (spans []draw.Span) {
	for _, part := range [...]struct {
		list       []int32
		sign, word string
		role       theme.Role
	}{{in, "+", " in", theme.Gain}, {out, theme.Minus, " out", theme.Loss}} {
		names := Indexes(part.list, room)
		text := part.sign + " " + names
		if names == "" || strings.Contains(names, "more") {
			text = part.sign + plain.Thousands(len(part.list)) + part.word + InParentheses(part.list, room)
		}
		if len(part.list) > 0 {
			spans = append(spans, draw.Span{Text: text + sep, Role: part.role})
		}
	}
	return spans
}

// Moves is Moved as a text: "+ #32 − #15".
func Moves(in, out []int32, room int) string {
	return strings.Join(plain.Texts(Moved(in, out, room, ""), func(s draw.Span) string { return s.Text }), " ")
}

// MovedLines names the items of a report that come in or go out, the largest first, with their tokens, in
// at most so many lines. Where that is not all, the last line says how many more there are.
func MovedLines(g *theme.Glyphs, report *model.Report, in, out []int32, width, maxLines int) (lines [][]draw.Span) {
	const widest, tok = 100, 9 // cells; wider, and the numbers stand far from the names
	all := slices.Concat(in, out)
	named := len(all)
	if named > maxLines {
		named = max(0, maxLines-1)
	}
	for _, i := range Largest(report.Items, all, named) {
		sign := draw.Span{Text: "+ ", Role: theme.Gain}
		if slices.Contains(out, i) {
			sign = draw.Span{Text: theme.Minus + " ", Role: theme.Loss}
		}
		lines = append(lines, []draw.Span{sign, {Text: ItemName(g, report, int(i), min(width, widest)-2-tok)},
			{Text: fmt.Sprintf("%*s", tok, ItemTokens(report.Items, int(i))), Role: theme.Dim}})
	}
	if more := len(all) - named; more > 0 {
		lines = append(lines, []draw.Span{{Text: "and " + plain.Thousands(more) + " more", Role: theme.Dim}})
	}
	return lines
}

// InParentheses formats item indexes in parentheses after a blank: " (#44 #39)". The indexes take
// at most room cells, see Indexes. It returns "" for an empty list or if none fits.
func InParentheses(list []int32, room int) string {
	if s := Indexes(list, room); s != "" {
		return " (" + s + ")"
	}
	return ""
}

// ChangeSpans returns "+ #40 − #9" in at most width cells, or the numbers of items if they
// do not fit.
func ChangeSpans(g *theme.Glyphs, in, out []int32, resized []experiment.Resize, width int) []draw.Span {
	counted := Moved(in, out, 0, " ")
	named := counted
	if len(in) <= 6 && len(out) <= 6 {
		named = Moved(in, out, math.MaxInt, " ")
	}
	sizes := ResizeSpans(resized, " ")
	noteless := ResizeSpans(slices.DeleteFunc(slices.Clone(resized), experiment.Resize.Note), " ")
	forms := [][]draw.Span{andSizes(named, sizes), andSizes(named, noteless), andSizes(counted, sizes), andSizes(counted, noteless), named, counted}
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
