package widget

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// CompactTable is the least width, in cells, of a table with strips and scores.
const CompactTable = 78

// AnyOld reports whether the numbers of any side belong to an earlier setup.
func (f *Frame) AnyOld() bool {
	return f.Exp.State(experiment.A) != experiment.Current || f.Exp.State(experiment.B) != experiment.Current
}

// Frame is the canvas that panes draw on, with the state that they show.
type Frame struct {
	*draw.Canvas
	Exp  *experiment.Experiment
	Side experiment.Side // that is shown and edited
	Out  *experiment.Outcome
	// Old says that what is shown of Out belongs to an earlier setup.
	Old bool
	// NoResult says that there is no result to show, see experiment.Result: the Report
	// of Out does not say of any item whether it is in. If Profiled is set, its Profile belongs
	// to the setup without a result.
	NoResult, Profiled bool
	// Source is the name of what was loaded, cleaned; Unsaved says that it was changed since
	// it was saved.
	Source  string
	Unsaved bool
	// View is the keys of all views and the name of the one on the screen, as "1-8 Items", if
	// neither a tab nor the line of knobs shows it.
	View string
	// Chosen are the items that keys act on together.
	Chosen map[int]bool
	// First says that no key was pressed yet.
	First bool
	// Tip says that the tip for a source that fits is about this view.
	Tip bool
	// Typing is the knob whose value is typed, "" for none, and Typed the text so far.
	Typing experiment.KnobID
	Typed  string
	// Intro says what was opened, until the first key, in forms from long to short, and
	// IntroKeys the keys that lead on from there; nil and "" after it.
	Intro     []string
	IntroKeys string
	// Following says that the source is followed, and how many items arrived last;
	// "" if it is not.
	Following string
	// Counting says that tokens are being counted; Counted is the progress in percent.
	Counting bool
	Counted  int
	// Computing is the progress of the work in the background.
	Computing Computing
	// Below is where a view that draws no result has room for why; empty in any other.
	Below draw.Rect
	// Waiting draws the spinner and progress bar of that work; nil draws nothing.
	Waiting *Waiting
	// Best holds the best possible values; nil if none are known.
	Best *Best
}

// ValueOf returns the value of a knob under the cursor, or what is typed in its place, for at
// most width cells, and its role.
func (f *Frame) ValueOf(k *experiment.Knob, value string, width int) (string, theme.Role) {
	if f.Typing != k.ID || k.ID == "" {
		return value, theme.Strong
	}
	typed := plain.Line(f.Typed, len(f.Typed)) + "_"
	for draw.Width(typed) > max(1, width) { // its end is what is typed now
		_, size := utf8.DecodeRuneInString(typed)
		typed = typed[size:]
	}
	return typed, theme.Input
}

// Needed reports whether an item is marked as needed.
func (f *Frame) Needed(item int) bool { return f.Exp.Setup().Labels.Needs(item) }

// approx reports whether budgets rest on estimated token counts.
func (f *Frame) approx() bool { return f.Exp.Items().Estimates() > 0 || f.Exp.EstimatesSizes() }

// About returns the mark of numbers that rest on estimated token counts, "" while there
// are none.
func (f *Frame) About() string {
	if f.approx() {
		return f.Glyphs().About
	}
	return ""
}

// BudgetText formats a budget as precisely as it is known: exactly, or as "≈17.9k" while
// any token count is an estimate.
func (f *Frame) BudgetText(t model.Tokens) string {
	if f.approx() {
		return f.Glyphs().About + t.Short()
	}
	return t.String()
}

// NoBudget says of item i that no budget up to the ceiling has it: "above 93.2k" or, in fewer
// than its cells, ">93.2k", unless no larger budget has it either.
func (f *Frame) NoBudget(i, width int) string {
	if NeverIn(f.Out.Items, i) != "" || !f.NoResult && f.Out.Reasons != nil && f.Out.Reasons.Of(i).Obstacle == simulate.OverCap {
		return "never"
	}
	end := f.Out.Profile.Axis().End().Short()
	return Fitting(width, "above "+end, ">"+end)
}

// Sum writes tokens that items of the result take or leave: marked while any count is an
// estimate.
func (f *Frame) Sum(t model.Tokens) string { return f.About() + Tokens(t) }

// SumTokens is Sum with its word: "1 token".
func (f *Frame) SumTokens(t model.Tokens) string { return f.About() + plain.Count(t, "token") }

// Change writes a difference of such tokens, with its sign.
func (f *Frame) Change(t model.Tokens) string { return f.About() + Signed(t) }

// Program is who estimates, where a source gives no count.
const Program = "cupelscope"

// TokensText returns the token count of an item, with how it was estimated if it was.
func (f *Frame) TokensText(i int) string {
	items := f.Exp.Items()
	text := ItemTokens(items, i) + " tok"
	if c := items.Count(i); !c.IsExact() {
		text += " (" + c.String()
		if c == model.Estimated {
			text += " by " + Program
		}
		text += ")"
	}
	return text
}

// ItemTokens writes the token count of an item, marked if it is an estimate.
func ItemTokens(items *model.Set, i int) string {
	if !items.Count(i).IsExact() {
		return about + Tokens(items.Tokens(i))
	}
	return Tokens(items.Tokens(i))
}

// about marks what rests on an estimate where no frame is at hand.
const about = "≈"

// Tokens returns a count as the screen writes it, with its minus.
func Tokens(t model.Tokens) string {
	return strings.Replace(t.String(), "-", theme.Minus, 1)
}

// NoResultText returns the text that says at which budget there is no result, or that it
// is being computed.
func (f *Frame) NoResultText() string {
	if f.pending() {
		return f.ComputingText(f.Side)
	}
	if f.Out == nil || !f.Profiled {
		return "no result at any budget"
	}
	return "no result at " + f.Exp.Setup().Budget.MaxTokens.String()
}

// pending reports whether the result of the side that is shown is being computed.
func (f *Frame) pending() bool {
	return f.Exp.State(f.Side) == experiment.Pending
}

// DrawNoResult draws, in a view that shows nothing but results, that there is none and, unless one
// is being computed, so: a clause that says what follows from that. The notice above the view says
// why there is none, and which keys help.
func (f *Frame) DrawNoResult(r draw.Rect, so string) {
	if !f.NoResult {
		return
	}
	text := f.NoResultText()
	if !f.pending() {
		text = "There is " + text + ", so " + so + "."
	}
	lines := draw.Paragraph(r.W-4, draw.Span{Text: text})
	f.Lines(draw.Rect{X: r.X + 2, Y: r.Y + 1, W: r.W - 4, H: r.H - 1}, lines)
	f.Below = draw.Rect{X: r.X, Y: r.Y + len(lines) + 2, W: r.W - 2, H: r.H - len(lines) - 2}
}

// DrawTitle draws the frame of a view with its title or, if it is not boxed, the title in
// the first row. Inside is r.Inner(boxed).
func (f *Frame) DrawTitle(r draw.Rect, title string, boxed, focused bool) {
	if boxed {
		f.Box(r, title, focused)
	} else {
		f.Text(r.X+1, r.Y, r.W-2, draw.FitParts(title, r.W-2, f.Glyphs()), theme.Focus)
	}
}

// OldText returns the text that says which setup an old result belongs to.
func (f *Frame) OldText() string {
	now, was := f.Exp.Setup(), f.Out.Setup
	switch {
	case f.NoResult:
		return "before the last change"
	case was.Budget.MaxTokens != now.Budget.MaxTokens:
		return "last result, at " + was.Budget.MaxTokens.String()
	case SlicerName(f.Out.Policy) != SlicerName(now.Policy[f.Side]):
		return "last result, by " + SlicerName(f.Out.Policy)
	}
	return "last result, before the change"
}

// Computing is the progress of the work in the background, in percent; -1 if none runs.
type Computing struct {
	Sides [2]int
	Best  int
}

// ComputingText returns the text that says that a side is being computed, with the
// progress if that is known.
func (f *Frame) ComputingText(s experiment.Side) string {
	if done := f.Computing.Sides[s]; done > 0 {
		return f.Spin() + "computing " + strconv.Itoa(done) + " %"
	}
	return f.Spin() + "computing" + f.Glyphs().Ellipsis
}

// Spin returns the spinner and a blank, to write before the text about running work.
func (f *Frame) Spin() string {
	if s := f.Waiting.Spin(); s != "" {
		return s + " "
	}
	return ""
}

// RowsShown says at the foot of a box how many rows there are beyond those that are shown, from
// first to end-1.
func (f *Frame) RowsShown(box draw.Rect, first, end, rows int) {
	if beyond := Beyond(first, end, rows); beyond[0] != "" {
		f.Right(box.X, box.Y+box.H-1, box.W-2, " "+beyond[0]+" ", theme.Dim)
	}
}

// OverlayRows is RowsShown for the frame of an overlay with rows within: where it has no foot, at its head.
func (f *Frame) OverlayRows(frame, within draw.Rect, first, end, rows int) {
	if within.Y+within.H == frame.Y+frame.H {
		frame.H = 1
	}
	f.RowsShown(frame, first, end, rows)
}

// Beyond returns how many rows there are beyond those that are shown, from first to end-1, in full
// and for less room: the rows below, or the rows above if that is the end. Rows have no numbers of
// their own, which would be taken for numbers of items.
func Beyond(first, end, rows int) [2]string {
	above, below := "", ""
	if first > 0 {
		above = plain.Thousands(first) + " above"
	}
	if end < rows {
		below = plain.Thousands(rows-end) + " below"
	}
	return [2]string{strings.Trim(above+", "+below, ", "), cmp.Or(below, above)}
}
