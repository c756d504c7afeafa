// Package panes draws the parts of the screen, one struct or function a pane,
// and keeps what belongs to a pane alone: cursors, scroll positions, sorting.
// Panes change nothing in the experiment.
package panes

import (
	"context"
	"math"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// Frame is what every pane draws from.
type Frame struct {
	*draw.Canvas
	Exp   *experiment.Experiment
	Side  experiment.Side // the one that is shown and edited
	Out   *experiment.Outcome
	Other *experiment.Outcome
	// Old: Out is not of the current setup, because it is being computed or failed.
	Old bool
	// Source is the name of what was loaded, cleaned.
	Source, Format string
	// Chosen are the items that keys act on together.
	Chosen map[int]bool
	// If is what would come of the selected items otherwise; nil: not asked.
	If *WhatIf
	// Counting: tokens are being counted, and Counted percent are.
	Counting bool
	Counted  int
	// Computing is how far work in the background is.
	Computing Computing
	// Best is what is known of the best possible value; nil: nothing.
	Best *Best
}

// Job is work that a pane needs done, which may take longer than a frame.
type Job struct {
	Key  any // comparable: what is worked on
	Cost int // microseconds on one core, as predicted
	// Run does it. It refers to immutable values only, polls ctx, and may be
	// run anywhere.
	Run func(ctx context.Context) (any, error)
}

// approx reports whether budgets rest on estimated token counts.
func (f *Frame) approx() bool { return f.Exp.Items().Estimates() > 0 }

// budget writes a budget as it may be believed: exactly, or as "≈17.9k" while
// any token count is an estimate.
func (f *Frame) budget(t model.Tokens) string {
	if f.approx() {
		return f.Glyphs().About + t.Short()
	}
	return t.String()
}

// oldText says of which setup an old result is.
func (f *Frame) oldText() string {
	now, was := f.Exp.Setup(), f.Out.Setup
	switch {
	case was.Budget.MaxTokens != now.Budget.MaxTokens:
		return "old: of maxTokens " + was.Budget.MaxTokens.String()
	case SlicerName(f.Out.Policy) != SlicerName(now.Policy[f.Side]):
		return "old: by " + SlicerName(f.Out.Policy)
	}
	return "old: before the last change"
}

// score writes a score in at most n cells, n being at least 5: ".53", "1.00",
// "12.3", "1.2e9". It gives up digits, never the order of magnitude.
func score(v float64, n int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	var s string
	if math.Abs(v) < 1e15 {
		for decimals := 2; decimals >= 0; decimals-- {
			s = strconv.FormatFloat(v, 'f', decimals, 64)
			if rest, ok := strings.CutPrefix(s, "0."); ok {
				s = "." + rest
			} else if rest, ok := strings.CutPrefix(s, "-0."); ok {
				s = "-." + rest
			}
			if len(s) <= n {
				return s
			}
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

// exactScore writes a score with three decimals for reading, not for a column.
func exactScore(v float64) string {
	if math.Abs(v) >= 1e6 || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

func percent(part float64) string {
	if math.IsNaN(part) {
		return "-"
	}
	if part > 0 && part < 0.005 { // nor is a little nothing
		return "<1 %"
	}
	if part < 1 && part > 0.995 { // nearly all is not all
		return strconv.FormatFloat(math.Floor(1000*part)/10, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(100*part, 'f', 0, 64) + " %"
}

// kindName is the kind in at most four cells.
func kindName(k model.Kind) string { return query.ShortKind(k) }

// state is how an item fares in an outcome: its glyph, its role, one word.
func state(g *theme.Glyphs, o *experiment.Outcome, i int) (rune, theme.Role, string) {
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned:
		return g.Pinned, theme.Pin, "pinned"
	case code.Included() && o.AtRisk(i):
		return g.Risk, theme.Risk, "at risk"
	case code == model.ZeroToken:
		return g.In, theme.In, "costs nothing"
	case code.Included():
		return g.In, theme.In, "fits"
	case code == model.Deduplicated:
		return g.Dup, theme.Dup, "duplicate"
	case code == model.NegativeTokens:
		return g.Negative, theme.Out, "negative"
	case code == model.Filtered:
		return g.Excluded, theme.Out, "excluded"
	}
	return g.Out, theme.Out, "out"
}

// why is the reason in the few cells of a table: the longest of its forms that fits.
func why(g *theme.Glyphs, o *experiment.Outcome, i, width int) string {
	var forms []string
	switch r := o.Report.Reason(i); r.Code {
	case model.BudgetExceeded:
		need := r.Tokens.String()
		switch {
		case o.Report.Effective.Target <= 0:
			forms = []string{"no room"}
		case r.Available >= r.Tokens: // it would have fitted
			forms = []string{"not chosen, " + r.Available.String() + " left", "not chosen"}
		}
		if forms != nil {
			break
		}
		forms = []string{"needs " + need + ", " + r.Available.String() + " left", "needs " + need, "needs " + r.Tokens.Short(), "no room"}
	case model.Deduplicated:
		forms = []string{"duplicate of #" + strconv.Itoa(r.By), "dup of #" + strconv.Itoa(r.By), "dup #" + strconv.Itoa(r.By), "dup"}
	case model.PinnedOverride:
		forms = []string{"displaced by pinned #" + strconv.Itoa(r.By), "displaced by #" + strconv.Itoa(r.By), "displ. #" + strconv.Itoa(r.By), "displaced"}
	case model.NegativeTokens:
		forms = []string{"negative tokens", "negative", "neg."}
	case model.Filtered:
		forms = []string{"excluded by you", "excluded", "excl."}
	case model.CountCapExceeded:
		forms = []string{cleanName(string(r.Kind)) + " cap " + strconv.Itoa(r.Cap) + " reached", "cap reached", "cap"}
	case model.ZeroToken:
		forms = []string{"costs nothing", "free"}
	default:
		_, _, word := state(g, o, i)
		forms = []string{word}
	}
	for _, f := range forms {
		if len(f) <= width {
			return f
		}
	}
	return draw.Fit(forms[len(forms)-1], width, g)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return model.Tokens(n).String() + " " + thing + "s"
}

// indexes writes "#44 #39" in at most width cells, ending in "+3 more" if they do not all fit.
func indexes(list []int32, width int) string {
	var b strings.Builder
	whole := len(list) - 1 // the spaces
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
			more = " +" + strconv.Itoa(rest) + " more"
		}
		if b.Len()+len(s)+len(more) > width {
			left := " +" + strconv.Itoa(len(list)-n) + " more"
			if n > 0 && b.Len()+len(left) <= width {
				b.WriteString(left)
			}
			return b.String()
		}
		b.WriteString(s)
	}
	return b.String()
}
