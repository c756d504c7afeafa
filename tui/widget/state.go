package widget

import (
	"strconv"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// MarkChosen marks a row whose item is chosen.
func (f *Frame) MarkChosen(x, y, item int) {
	if f.Chosen[item] {
		f.Set(x, y, f.Glyphs().Chosen, theme.Match)
	}
}

// Shade is the role of a row's text: what is out steps back.
func Shade(f *Frame, i int) theme.Role {
	if f.Out.Report.In(i) {
		return theme.Plain
	}
	return theme.Dim
}

// ScoreOf writes the score of an item of a report; pinned items and those that
// were left out before scoring have none.
func ScoreOf(rep *model.Report, i, width int) string {
	switch rep.Codes[i] {
	case model.Pinned:
		return "pin"
	case model.NegativeTokens, model.Filtered:
		return "-"
	}
	return Score(rep.Scores[i], width)
}

// KindName is the kind in at most four cells.
func KindName(k model.Kind) string { return query.ShortKind(k) }

// State is how an item fares in an outcome: its glyph, its role, one word.
func State(g *theme.Glyphs, o *experiment.Outcome, i int) (rune, theme.Role, string) {
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

// Why is the reason in the few cells of a table: the longest of its forms that fits.
func Why(g *theme.Glyphs, o *experiment.Outcome, i, width int) string {
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
		forms = []string{CleanName(string(r.Kind)) + " cap " + strconv.Itoa(r.Cap) + " reached", "cap reached", "cap"}
	case model.ZeroToken:
		forms = []string{"costs nothing", "free"}
	default:
		_, _, word := State(g, o, i)
		forms = []string{word}
	}
	for _, f := range forms {
		if len(f) <= width {
			return f
		}
	}
	return draw.Fit(forms[len(forms)-1], width, g)
}

// FactsOf is what a filter can ask about the items of an outcome.
func FactsOf(o *experiment.Outcome) query.Facts {
	return query.Facts{Report: o.Report, Profile: o.Profile, Risk: o.AtRisk, Parted: func(i int) bool {
		_, parted := o.Alone(i)
		return parted
	}}
}

// PartName is what the partner of item i is to it.
func PartName(i, partner int) string {
	if partner < i {
		return "call"
	}
	return "result"
}
