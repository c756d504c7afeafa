package pane

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// verdict says why an item is in or out, and at which other budgets that changes: all
// numbers in the sentence about it.
type verdict struct {
	simulate.Reason
	now model.Tokens
	// next is the least budget above this one at which the item changes between in
	// and out, and below the largest one below it.
	next, below model.Option[model.Tokens]
	// displacedBy lists the items that come in if this one goes out at next.
	displacedBy []int32
	// others says that the item is still out where the room is larger by what it is
	// short, because items before it take that.
	others bool
}

// verdictOf returns the verdict on item i of an outcome.
func verdictOf(o *experiment.Outcome, i int) verdict {
	v := verdict{now: o.Report.Budget.MaxTokens()}
	if o.Reasons != nil {
		v.Reason = o.Reasons.Of(i)
	}
	if b, ok := o.Profile.NextFor(i, v.now); ok {
		v.next = model.Some(b)
	}
	if b, ok := o.Profile.PrevFor(i, v.now); ok {
		v.below = model.Some(b)
	}
	if v.Obstacle == simulate.Short && v.Kind == "" && v.next.Set {
		if b, err := o.Profile.Axis().Budget(v.next.Value - 1); err == nil {
			v.others = b.Effective(o.Items.PinnedTokens()).Target >= o.Report.Effective.Target+v.Short
		}
	}
	if o.Report.In(i) && v.next.Set {
		lost, _ := o.Profile.LostNext(i, v.now)
		v.displacedBy = lost.In
	}
	return v
}

// ReasonForms returns why the item is in or out, and the next budget at which that changes,
// in several forms, the longest first.
func ReasonForms(f *widget.Frame, i int) [][]draw.Span {
	_, role, _ := widget.State(f.Glyphs(), f.Out, i)
	if !f.Out.Report.In(i) {
		role = theme.Strong // what is out steps back in a table, not where it is explained
	}
	v := verdictOf(f.Out, i)
	lead := func(text string) draw.Span { return draw.Span{Text: text, Role: role} }
	var forms [][]draw.Span
	if f.Out.Report.In(i) {
		forms = insideForms(f, i, v, lead)
	} else {
		short, numbers, more := outsideWords(f.Out, v)
		next := v.nextWords(f)
		full := next
		if v.others {
			full += ", as others come first"
		}
		join := func(s ...string) []draw.Span {
			spans := []draw.Span{lead(s[0])}
			for _, t := range s[1:] {
				if t != "" {
					spans = append(spans, widget.Plain(t))
				}
			}
			return spans
		}
		forms = [][]draw.Span{join("out, "+short, numbers, more, full), join("out, "+short, numbers, full), join("out, "+short, numbers, next), join("out, "+short, next), join("out, " + short)}
	}
	if grade := f.Exp.Setup().Labels.Grades[i]; grade > 0 {
		needed := draw.Span{Text: "needed; ", Role: theme.Needed}
		if grade > 1 {
			needed.Text = "needed (grade " + strconv.Itoa(grade) + "); "
		}
		for k := range forms {
			forms[k] = append([]draw.Span{needed}, forms[k]...)
		}
	}
	if partner, split := f.Out.Alone(i); split {
		state := "in"
		if f.Out.Report.In(i) {
			state = "out"
		}
		said := draw.Span{Text: "; its " + widget.PartName(i, partner) + " #" + strconv.Itoa(partner) + " is " + state, Role: theme.Warn}
		for k := range forms {
			forms[k] = append(forms[k], said)
		}
	}
	return forms
}

// outsideWords returns what keeps an item out, the numbers that decide it, and further
// text.
func outsideWords(o *experiment.Outcome, v verdict) (short, numbers, more string) {
	if o.Reasons == nil {
		return "not selected", "", ""
	}
	kind := widget.CleanName(string(v.Kind))
	needs := ": needs " + v.Tokens.String()
	if v.Bucket > 1 {
		needs = ": costs " + v.Charged.String() + " in buckets of " + v.Bucket.String()
	}
	if v.With.Set {
		needs += " with #" + strconv.Itoa(v.With.Value)
	}
	switch v.Obstacle {
	case simulate.NoRoom:
		return "there is no room", "", ": nothing is left for items that compete"
	case simulate.OverRoom:
		return "larger than the room", needs + ", the room is " + o.Report.Effective.Target.String(), ""
	case simulate.OverShare:
		return "larger than " + kind + "'s share", needs + ", the share is " + v.Share.String(), unasked(o, v)
	case simulate.Short:
		if kind != "" {
			return kind + "'s share is full", needs + "; " + v.Left.String() + " of its " + v.Share.String() + widget.Verb(int(v.Left), " is", " are") + " left", unasked(o, v)
		}
		return v.Short.String() + " short", needs + ", " + v.Left.String() + " left at its turn", ""
	case simulate.NothingLeft:
		if kind != "" && v.Share == 0 {
			return kind + "'s share is 0", "", zeroShare(v) + unasked(o, v)
		}
		if kind != "" {
			return kind + "'s share is full", needs + "; 0 of its " + v.Share.String() + " are left", unasked(o, v)
		}
		return "nothing is left at its turn", needs, ""
	case simulate.OutsideBest:
		of := ""
		if kind != "" {
			of = " of " + kind + "'s share"
		}
		return "not in the best set", needs + ", the set leaves " + v.Left.String() + of, ""
	case simulate.Stopped:
		return "an item before it did not fit, which ended the selection", needs, ""
	case simulate.NoValue:
		return "its score is worth nothing to the knapsack", "", ""
	case simulate.OverCap:
		return "the cap of " + strconv.Itoa(v.Cap) + " is full", ": in with a cap of " + strconv.Itoa(v.Cap+v.Place), ""
	case simulate.CutOff:
		return "selected, then cut off by overflow truncate", needs + ", " + v.Left.String() + " left of the target", ""
	case simulate.IsDuplicate:
		return "same text as #" + strconv.Itoa(v.By), "", ", which scores higher or came first"
	case simulate.IsNegative:
		return "its token count is " + v.Tokens.String(), "", ""
	case simulate.IsExcluded:
		return "excluded by you", "", " (x undoes it)"
	}
	return "not selected by " + widget.SlicerName(o.Policy), "", ""
}

// unasked says why a kind that has no quota has a share; "" if it has one.
func unasked(o *experiment.Outcome, v verdict) string {
	if slices.ContainsFunc(o.Policy.Quotas, func(q model.Quota) bool { return q.Kind.Is(v.Kind) }) {
		return ""
	}
	return " (it has no quota, but where any kind has one, all have a share by their tokens)"
}

// zeroShare says why the share of an item without tokens is 0: what no kind requires is
// divided in proportion to the tokens of the kinds.
func zeroShare(v verdict) string {
	if v.Tokens > 0 {
		return ": needs " + v.Tokens.String()
	}
	return ": shares are divided by tokens, and it has none"
}

// nextWords returns at which budget an item that is out comes in.
func (v verdict) nextWords(f *widget.Frame) string {
	at := func(b model.Tokens) string { return f.BudgetText(b) + " (" + widget.Signed(b-v.now) + ")" }
	switch v.Obstacle {
	case simulate.IsDuplicate, simulate.IsNegative, simulate.IsExcluded:
		return ""
	}
	switch {
	case v.next.Set:
		return "; next in at " + at(v.next.Value)
	case v.below.Set:
		return "; in again only below, at " + at(v.below.Value)
	}
	return "; in at no budget up to " + f.BudgetText(f.Out.Profile.Axis().End())
}

// insideForms returns the forms for an item that is in.
func insideForms(f *widget.Frame, i int, v verdict, lead func(string) draw.Span) [][]draw.Span {
	o := f.Out
	head := "in"
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned:
		return [][]draw.Span{{lead("in, pinned")}}
	case o.AtRisk(i):
		head = "in, at risk"
	case code == model.ZeroToken:
		head = "in, no tokens"
	default:
		head = "in, selected by " + widget.SlicerName(o.Policy)
	}
	if v.With.Set {
		head += ", one item with #" + strconv.Itoa(v.With.Value)
	}
	var less, more, by []draw.Span
	if o.AtRisk(i) && v.below.Set {
		less = append(less, widget.Plain(": out with "+(v.now-v.below.Value).String()+" less ("+f.BudgetText(v.below.Value)+")"))
	}
	if v.next.Set {
		text := ": lost again"
		if less != nil {
			text = ", and out"
		}
		more = append(more, widget.Plain(text+" with "+(v.next.Value-v.now).String()+" more ("+f.BudgetText(v.next.Value)+")"))
		if len(v.displacedBy) > 0 {
			by = []draw.Span{widget.Plain(", displaced by "), {Text: widget.Indexes(v.displacedBy, 20), Role: theme.Loss}}
		}
	}
	join := func(parts ...[]draw.Span) []draw.Span {
		spans := []draw.Span{lead(head)}
		for _, p := range parts {
			spans = append(spans, p...)
		}
		return spans
	}
	first := less
	if first == nil {
		first = more
	}
	return [][]draw.Span{join(less, more, by), join(less, more), join(first), join()}
}

// ReasonSpans returns the longest of ReasonForms.
func ReasonSpans(f *widget.Frame, i int) []draw.Span { return ReasonForms(f, i)[0] }
