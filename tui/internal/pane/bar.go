package pane

import (
	"cmp"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Missing returns how many tokens more than maxTokens the pinned items take with the fields that reduce it alone.
func Missing(b model.BudgetFields, pinned model.Tokens) model.Tokens {
	over := pinned - b.MaxTokens
	for _, d := range b.Deductions(0) {
		if d.OnlyMax {
			over += d.Tokens
		}
	}
	return max(0, over)
}

// partsBeyond returns the parts of a budget that does not hold the pinned items and what is kept back of it, with
// what is missing; nil where something else is why there is no result.
func partsBeyond(f *widget.Frame) []draw.Part {
	g, budget, pinned := f.Glyphs(), f.Exp.Setup().Budget, f.Exp.Items().PinnedTokens()
	missing := Missing(budget, pinned)
	if missing == 0 {
		return nil
	}
	left := taker(budget.MaxTokens)
	there, text := left.take(pinned)
	parts := []draw.Part{{Label: plain.Pinned, Tokens: there, Glyph: g.BarPinned, Swatch: g.Swatch, Role: theme.BarPinned, Counted: true, Text: text}}
	return append(append(parts, reserveParts(g, budget, &left)...), draw.Part{Label: "missing", Tokens: missing, Glyph: g.BarSelected, Swatch: g.Swatch, Role: theme.BarBeyond, Counted: pinned > 0})
}

// beyondForms says what the pinned items and what is kept back of the budget need together and how much that is more
// than the budget, the longest form first; nil where something else is why there is no result.
func beyondForms(f *widget.Frame) []string {
	budget, pinned := f.Exp.Setup().Budget, f.Exp.Items().PinnedTokens()
	missing := Missing(budget, pinned)
	if missing == 0 {
		return nil
	}
	var parts []string
	for _, d := range budget.Deductions(pinned) {
		switch {
		case d.Tokens == 0:
		case d.OnlyMax:
			parts = append(parts, d.Label()+" "+d.Tokens.String())
		case d.Field == "":
			parts = append(parts, d.Label()+" "+f.Sum(d.Tokens))
		}
	}
	need := strings.Join(parts, " + ")
	if len(parts) > 1 {
		need += " need " + f.Sum(budget.MaxTokens+missing)
	}
	more := f.Sum(missing) + " more than the budget"
	return []string{"no result: " + need + ", " + more, "no result: needs " + more}
}

// taker divides a budget among its parts; it is what is left of it.
type taker model.Tokens

// take returns how many of t tokens there are, and a text that says so if there are fewer.
func (left *taker) take(t model.Tokens) (there model.Tokens, text string) {
	t = max(0, t)
	there = min(t, model.Tokens(*left))
	*left -= taker(there)
	if there < t {
		text = there.String() + " of " + t.String()
	}
	return there, text
}

// reserveParts returns the parts of the fields that reduce maxTokens alone: the output reserve, as
// the last, and its like.
func reserveParts(g *theme.Glyphs, b model.BudgetFields, left *taker) (parts []draw.Part) {
	for _, d := range b.Deductions(0) {
		if !d.OnlyMax {
			continue
		}
		field, _ := model.FieldOfBudget(d.Field)
		there, text := left.take(d.Tokens)
		look := widget.Deducted(g, d)
		parts = append(parts, draw.Part{Label: field.Short, Tokens: there, Glyph: look.Glyph, Swatch: g.KeptSwatch, Role: look.Role, Text: text, KeptBack: true})
	}
	slices.Reverse(parts)
	return parts
}

// Parts returns the parts of a report's budget, which add up to maxTokens. What is in
// comes before what is kept free: count quotas may commit more than the room, and then
// less is kept free than asked for. The text of a part says so.
func Parts(g *theme.Glyphs, rep *model.Report) []draw.Part {
	b, left := rep.Budget, taker(rep.Budget.MaxTokens())
	ofMax, ofBoth := b.Deducted()
	in := rep.Kept - rep.PinnedTokens
	pinned, _ := left.take(rep.PinnedTokens)
	selected, selectedText := left.take(in)
	if selected < in {
		selectedText = in.String() + ", " + (in - selected).String() + " too many"
	}
	reserves := reserveParts(g, b.Fields(), &left)
	above, _ := left.take(b.MaxTokens() - rep.PinnedTokens - ofMax - ofBoth - rep.Effective.Margin - rep.Effective.Target)
	held, heldText := left.take(ofBoth)
	safety, safetyText := left.take(rep.Effective.Margin)
	free, _ := left.take(rep.Effective.Target - in)
	more := ""
	if cut := cutTokens(rep); cut > 0 {
		more = ", " + cut.String() + " in cut items"
	}
	return append([]draw.Part{
		{Label: plain.Pinned, Tokens: pinned, Glyph: g.BarPinned, Swatch: g.Swatch, Role: theme.BarPinned, Counted: true},
		{Label: "selected", Tokens: selected, Glyph: g.BarSelected, Swatch: g.Swatch, Role: theme.BarSelected, Text: selectedText, More: more, Counted: true},
		{Label: "free", Tokens: free, Glyph: g.BarFree, Role: theme.BarFree, Counted: true},
		{Label: string(experiment.HeldBack), Tokens: held, Glyph: g.BarHeld, Swatch: g.KeptSwatch, Role: theme.BarHeld, Text: heldText, KeptBack: true},
		{Label: "safety", Tokens: safety, Glyph: g.BarSafety, Swatch: g.KeptSwatch, Role: theme.BarSafety, Text: safetyText, Counted: true, KeptBack: true},
		{Label: "above target", Tokens: above, Glyph: g.BarAbove, Role: theme.BarAbove, KeptBack: true},
	}, reserves...)
}

// cutTokens returns the tokens of the items that are in cut, and of notes.
func cutTokens(rep *model.Report) (sum model.Tokens) {
	for i, size := range rep.Sizes {
		if size > 0 && rep.Codes[i] != model.Pinned {
			sum += rep.Taken(i)
		}
	}
	return sum
}

// Bar draws the budget bar, and the legend below it where legend has a row.
func Bar(f *widget.Frame, bar, legend draw.Rect) {
	if f.Out == nil {
		return
	}
	var parts []draw.Part
	if f.NoResult { // nothing is in, and what was in before is not true now
		if parts = partsBeyond(f); parts == nil {
			return // the line above says that there is no result
		}
	} else {
		parts = Parts(f.Glyphs(), f.Out.Report)
	}
	inner := draw.Rect{X: bar.X + 1, Y: bar.Y, W: bar.W - 2, H: 1}
	f.Canvas.Bar(inner, parts)
	if f.NoResult { // the last part is beyond the budget
		f.Set(inner.X+inner.W-draw.Cells(parts, inner.W)[len(parts)-1], inner.Y, f.Glyphs().StripHere, theme.StripHere)
	}
	if !legend.Empty() {
		drawLegend(f, legend, parts)
	}
	if f.Old && !f.NoResult {
		f.Mark(inner, theme.Old)
		f.Mark(legend, theme.Old)
	}
}

// drawLegend names the parts of the bar, and the budget that they add up to. Where room is
// short, the parts that are kept back become one number, and are left out before the tokens of
// cut items are.
func drawLegend(f *widget.Frame, r draw.Rect, parts []draw.Part) {
	width := r.W - 2
	budget := "budget " + f.Out.Report.Budget.MaxTokens().String()
	if f.NoResult {
		budget = "budget " + f.Exp.Setup().Budget.MaxTokens.String()
	}
	build := func(parts []draw.Part, number func(model.Tokens) string, more bool, together string) []draw.Span { // together names what is kept back, as one part
		var s []draw.Span
		var back model.Tokens
		var swatches []draw.Span // of what is kept back
		add := func(label, number string, swatches ...draw.Span) {
			if len(s) > 0 {
				s = append(s, draw.Span{Text: "  "})
			}
			s = append(append(s, swatches...), draw.Span{Text: " " + label + " " + number, Role: theme.Dim})
		}
		for _, p := range parts {
			swatch := draw.Span{Text: string(p.LegendGlyph()), Role: p.Role}
			if p.KeptBack && p.Tokens > 0 {
				back += p.Tokens
				swatches = append(swatches, swatch)
			}
			if p.Tokens == 0 && p.Text == "" || p.KeptBack && together != "" {
				continue
			}
			says := cmp.Or(p.Text, number(p.Tokens))
			if p.Counted {
				says = f.About() + says
			}
			if more {
				says += p.More
			}
			add(p.Label, says, swatch)
		}
		if together != "" && back > 0 {
			add(together, number(back), swatches...)
		}
		return s
	}
	in := slices.DeleteFunc(slices.Clone(parts), func(p draw.Part) bool { return p.KeptBack })
	room := width - draw.Width(budget) - 2
	forms := [][]draw.Span{build(parts, model.Tokens.String, true, ""), build(parts, model.Tokens.String, true, "kept back"), build(parts, model.Tokens.Short, true, "kept back")}
	if slices.ContainsFunc(parts, func(p draw.Part) bool { return p.More != "" }) { // the knobs also show what is kept back
		forms = append(forms, build(in, model.Tokens.Short, true, ""))
	}
	forms = append(forms, build(parts, model.Tokens.String, false, ""), build(parts, model.Tokens.String, false, "kept back"), build(parts, model.Tokens.Short, false, "kept back"))
	tight := build(parts, model.Tokens.Short, false, "kept back")
	for i := range tight {
		if tight[i].Text == "  " {
			tight[i].Text = " "
		}
	}
	f.Spans(r.X+1, r.Y, room, draw.FirstThatFits(room, append(forms, tight)...)...)
	f.Right(r.X, r.Y, r.W-1, budget, theme.Strong)
}

// PartHit returns the part of the budget bar in a column, or false if there is none.
func PartHit(f *widget.Frame, bar draw.Rect, x int) (draw.Part, bool) {
	if f.Out == nil || f.NoResult {
		return draw.Part{}, false
	}
	parts := Parts(f.Glyphs(), f.Out.Report)
	left := bar.X + 1
	for i, n := range draw.Cells(parts, bar.W-2) {
		if x >= left && x < left+n {
			return parts[i], true
		}
		left += n
	}
	return draw.Part{}, false
}
