package widget

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// impact returns the newest change of the side that is shown; the zero Impact where it is not
// known what the change did to items that were there before, and for better counts, which would
// look like something that the user did.
func (f *Frame) impact() experiment.Impact {
	im, ok := f.Exp.Impact()
	if !ok || im.Side != f.Side || im.Pending || im.Err != nil || im.Anew || im.Counted || f.NoResult {
		return experiment.Impact{}
	}
	return im
}

// Moved returns which items the newest change brought in and took out on the side that is
// shown; none where that is not known.
func (f *Frame) Moved() (in, out []int32) {
	im := f.impact()
	return im.In, im.Out
}

// Resized returns which items the newest change left in or out in another size.
func (f *Frame) Resized() []experiment.Resize { return f.impact().Resized }

// ItemMoved reports whether the newest change brought an item in, or took it out.
func (f *Frame) ItemMoved(i int) (came, went bool) {
	in, out := f.Moved()
	_, came = slices.BinarySearch(in, int32(i))
	_, went = slices.BinarySearch(out, int32(i))
	return came, went
}

// MovedText returns what the newest change did to item i, and its role: Plain where it did
// nothing, or brought or took a note.
func (f *Frame) MovedText(i int) (string, theme.Role) {
	switch came, went := f.ItemMoved(i); {
	case came:
		return "+ came in", theme.Gain
	case went && f.Out.Report.Codes[i] == model.Filtered:
		return theme.Minus + " " + export.CodeWord(model.Filtered), theme.Loss
	case went:
		return theme.Minus + " went out", theme.Loss
	}
	all := f.Resized()
	at, found := slices.BinarySearchFunc(all, i, func(r experiment.Resize, i int) int { return int(r.Item) - i })
	switch {
	case !found || all[at].Note():
		return "", theme.Plain
	case all[at].To > all[at].From:
		return "+ grew", theme.Gain
	}
	return theme.Minus + " shrank", theme.Loss
}

// MarkItem marks the row of an item that is needed or chosen. An item that is both has the
// role of the chosen.
func (f *Frame) MarkItem(x, y, item int) {
	glyph, role := f.Glyphs().Needed, theme.Needed
	if f.Chosen[item] {
		role = theme.Match
	}
	switch {
	case f.Needed(item):
	case f.Chosen[item]:
		glyph = f.Glyphs().Chosen
	default:
		return
	}
	f.Set(x, y, glyph, role)
}

// ItemStrip draws the levels of item i along the first row of r; see draw.Canvas.Strip. A duplicate is never
// in itself: where the item that it repeats is, its mark stands.
func (f *Frame) ItemStrip(r draw.Rect, levels []uint8, here, i int) {
	if f.Out.Report.Survivor(i) == i {
		f.Strip(r, levels, here, f.Out.Report.In(i) && !f.NoResult)
		return
	}
	f.Strip(r, make([]uint8, len(levels)), here, false)
	for k, level := range levels[:min(len(levels), max(0, r.W))] {
		if level > 0 && k != here {
			f.Set(r.X+k, r.Y, f.Glyphs().Dup, theme.Dim)
		}
	}
}

// Cursor draws the mark of the row under the cursor: solid if focused, else hollow.
func (f *Frame) Cursor(x, y int, focused bool) {
	if focused {
		f.Set(x, y, f.Glyphs().Cursor, theme.Focus)
	} else {
		f.Set(x, y, f.Glyphs().Idle, theme.Dim)
	}
}

// CursorRow marks a row that was drawn, if the cursor is on it: with Cursor, and if
// focused as a whole.
func (f *Frame) CursorRow(r draw.Rect, on, focused bool) {
	if !on {
		return
	}
	f.Cursor(r.X, r.Y, focused)
	if focused {
		f.Mark(r, theme.Selected)
	}
}

// Shade returns the role of a row's text: items that are out are dimmed.
func Shade(f *Frame, i int) theme.Role {
	if f.NoResult || f.Out.Report.In(i) {
		return theme.Plain
	}
	return theme.Dim
}

// ScoreOf formats the score of item i of a report in at most width cells. It returns "pin"
// for a pinned item and "-" for one that was left out before scoring.
func ScoreOf(rep *model.Report, i, width int) string {
	switch rep.Codes[i] {
	case model.Pinned:
		return "pin"
	case model.NegativeTokens, model.Filtered:
		return "-"
	}
	return Score(rep.Scores[i], width)
}

// KindName returns the name of a kind in at most four cells: the short name if Cupel knows
// the kind, else its first letters.
func KindName(k model.Kind) string {
	if short := k.Short(); short != string(k) {
		return short
	}
	return draw.Fit(CleanName(strings.ToLower(string(k))), kindWidth, &theme.Glyphs{})
}

// kindWidth is the cells of a kind in a table.
const kindWidth = 4

// State returns the state of item i in an outcome: its glyph, its role and one word.
func State(g *theme.Glyphs, o *experiment.Outcome, i int) (rune, theme.Role, string) {
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned:
		return g.Pinned, theme.Pin, export.CodeWord(code)
	case code.Included() && o.AtRisk(i):
		return g.Risk, theme.Risk, plain.AtRisk
	case o.Report.Shrunk(i):
		return g.Cut, theme.In, "cut"
	case code.Included():
		return g.In, theme.In, "in"
	case o.Report.Noted(i):
		return g.Note, theme.Out, "note"
	case code == model.Deduplicated:
		return g.Dup, theme.Dup, export.CodeWord(code)
	case code == model.NegativeTokens:
		return g.Negative, theme.Out, export.CodeWord(code)
	case code == model.Filtered:
		return g.Excluded, theme.Out, export.CodeWord(code)
	}
	return g.Out, theme.Out, "out"
}

// WhyRole returns the role of why item i is in or out: the mark of its row tells its state, so that
// the reason is bright only where it is a warning.
func WhyRole(o *experiment.Outcome, i int) theme.Role {
	if o.AtRisk(i) {
		return theme.Risk
	}
	return theme.Dim
}

// FactsOf returns the facts that a filter can ask about the items of an outcome. A duplicate has
// the budgets of the item that it repeats.
func FactsOf(o *experiment.Outcome) query.Facts {
	f := query.Facts{Report: o.Report, Needed: o.Setup.Labels.Needs}
	if o.Profile != nil {
		f.FirstIn = func(i int) (model.Tokens, bool) { return o.Profile.FirstIn(o.Report.Survivor(i)) }
		f.StaysFrom = func(i int) (model.Tokens, bool) { return o.Profile.StaysFrom(o.Report.Survivor(i)) }
	}
	if o.Err != nil {
		rep := *o.Report
		rep.Items = o.Items
		f.Report, f.NoResult = &rep, true
		return f
	}
	f.Risk = o.AtRisk
	f.Split = func(i int) bool {
		_, split := o.Alone(i)
		return split
	}
	return f
}

// PartName returns what the partner of item i is: its call or its result.
func PartName(i, partner int) string {
	if partner < i {
		return "call"
	}
	return "result"
}
