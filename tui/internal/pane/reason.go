package pane

import (
	"cmp"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// verdict says why an item is in or out, and at which other budgets that changes: all
// numbers in the sentence about it.
type verdict struct {
	simulate.Reason
	now model.Tokens
	// next is the least budget above now at which the item comes in or goes out, and below
	// the largest such budget below now; for a duplicate, the budgets of the item that it repeats.
	next, below model.Option[model.Tokens]
	// displacedBy lists the items that come in if this one goes out at next.
	displacedBy []int32
	// andMore says that the item is still out where the room is larger by what it is
	// short, because items before it take that.
	andMore bool
	// margin is the safety margin, in percent, for which the budget must grow by more than the item
	// is short; 0 where that is not why.
	margin float64
}

// verdictOf returns the verdict on item i of an outcome.
func verdictOf(o *experiment.Outcome, i int) verdict {
	v, survivor := verdict{now: o.Report.Budget.MaxTokens()}, o.Report.Survivor(i)
	if o.Reasons != nil {
		v.Reason = o.Reasons.Of(i)
	}
	if b, ok := o.Profile.NextFor(survivor, v.now); ok {
		v.next = model.Some(b)
	}
	if b, ok := o.Profile.PrevFor(survivor, v.now); ok {
		v.below = model.Some(b)
	}
	if v.Obstacle == simulate.Short && v.Kind == "" && v.next.Set {
		if b, err := o.Profile.Axis().Budget(v.next.Value - 1); err == nil {
			v.andMore = b.Effective(o.Items.PinnedTokens()).Target >= o.Report.Effective.Target+v.Short
		}
		if !v.andMore && v.next.Value-v.now > v.Short {
			v.margin = o.Report.Budget.Fields().SafetyMargin
		}
	}
	if o.Report.In(i) && v.next.Set {
		lost, _ := o.Profile.LostNext(i, v.now)
		v.displacedBy = lost.In
	}
	return v
}

// reasonForms returns why the item is in or out, and the next budget at which that changes,
// in several forms, the longest first. Beside the pane of the next changes, which has these
// budgets, it says only how far away they are.
func reasonForms(f *widget.Frame, i int, beside bool) [][]draw.Span {
	_, role, _ := widget.State(f.Glyphs(), f.Out, i)
	if !f.Out.Report.In(i) {
		role = theme.Strong // what is out steps back in a table, not where it is explained
	}
	join := func(lead string, more ...string) []draw.Span {
		return []draw.Span{{Text: lead, Role: role}, widget.Plain(strings.Join(more, ""))}
	}
	v := verdictOf(f.Out, i)
	var forms [][]draw.Span
	if f.Out.Report.In(i) {
		forms = insideForms(f, i, v, join, beside)
	} else {
		why := export.Why{Clause: "not selected"}
		if f.Out.Reasons != nil {
			why = widget.WhyOut(f.Out, i)
		}
		next := v.nextWords(f, beside)
		full := next
		if v.andMore {
			full += ", as others come first"
		}
		out := "out, " + why.Clause
		forms = [][]draw.Span{join(out, why.Numbers, why.More, full), join(out, why.Numbers, why.More, next),
			join(out, why.Numbers, full), join(out, why.Numbers, next), join(out, next), join(out)}
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

// nextWords returns at which budget an item that is out, or for a duplicate its text, comes in.
func (v verdict) nextWords(f *widget.Frame, beside bool) string {
	at := func(b model.Tokens) string { return "at " + f.BudgetText(b) + " (" + f.Change(b-v.now) + ")" }
	if beside {
		at = func(b model.Tokens) string { return "with " + apart(f, v.now, b, false) }
	}
	lead := "; "
	switch v.Obstacle {
	case simulate.IsNegative, simulate.IsExcluded:
		return ""
	case simulate.IsDuplicate:
		lead += "#" + strconv.Itoa(v.By) + " is "
		if f.Out.Report.In(v.By) {
			return lead + "in"
		}
	}
	switch {
	case v.next.Set && v.below.Set && v.now-v.below.Value < v.next.Value-v.now:
		return lead + "in " + at(v.below.Value) + " or " + at(v.next.Value)
	case v.next.Set && v.margin > 0 && beside:
		return lead + "with the " + widget.Share(v.margin) + " margin the budget must grow by " + f.Sum(v.next.Value-v.now)
	case v.next.Set && v.margin > 0:
		return lead + "with the " + widget.Share(v.margin) + " margin it is in " + at(v.next.Value)
	case v.next.Set:
		return lead + "next in " + at(v.next.Value)
	case v.below.Set:
		return lead + "in again only below, " + at(v.below.Value)
	}
	return lead + "in at no budget up to " + f.BudgetText(f.Out.Profile.Axis().End())
}

// saysNoBudget reports whether the whole reason of an item ends in that no budget has it.
func saysNoBudget(f *widget.Frame, i int) bool {
	_, ever := f.Out.Profile.FirstIn(i)
	return !ever && !f.Out.Report.Codes[i].NeverIn()
}

// apart returns how far a budget is from another: "48 more", with its unit if that is not known yet.
func apart(f *widget.Frame, from, to model.Tokens, unit bool) string {
	far, way := to-from, " more"
	if far < 0 {
		far, way = -far, " less"
	}
	if unit {
		way = widget.Verb(int(far), " token", " tokens") + way
	}
	return f.Sum(far) + way
}

// insideForms returns the forms for an item that is in, each joined from its state and what is said of that.
func insideForms(f *widget.Frame, i int, v verdict, join func(lead string, more ...string) []draw.Span, beside bool) [][]draw.Span {
	o := f.Out
	head := "in"
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned:
		return [][]draw.Span{join("in, " + plain.Pinned)}
	case o.AtRisk(i):
		head = "in, " + plain.AtRisk
		if o.Report.Shrunk(i) {
			head = "in, cut to " + widget.SizeText(o.Report, i, f.Sum) + ", " + plain.AtRisk
		}
	case o.Report.Shrunk(i):
		head = "in, cut to " + widget.SizeText(o.Report, i, f.Sum)
	case code == model.ZeroToken:
		head = "in, " + export.CodeWord(code)
	default:
		head = "in, selected by " + widget.SlicerName(o.Policy)
	}
	if v.With.Set {
		head += ", one item with #" + strconv.Itoa(v.With.Value)
	}
	with := func(text string, b model.Tokens, unit bool) string {
		text += " with " + apart(f, v.now, b, unit)
		if !beside {
			text += " (" + f.BudgetText(b) + ")"
		}
		return text
	}
	var less, more, by string
	if below, ok := o.Profile.PrevSizeFor(i, v.now); ok && (o.AtRisk(i) || v.now-below <= f.Exp.Setup().Slack) {
		less = with(": "+becomes(f, i, below), below, true)
	}
	if v.next.Set {
		more = with(": out again", v.next.Value, true)
		if less != "" {
			more = with(", and", v.next.Value, false)
		}
		if n := len(v.displacedBy); n > 0 {
			by = ", when " + widget.Indexes(v.displacedBy, 20) + widget.Verb(n, " takes its place", " take its place")
		}
	}
	if o.Report.Shrunk(i) {
		sizes := sizesFrom(f, i)
		return [][]draw.Span{join(head, sizes, " (not Cupel's)", less, more, by), join(head, sizes, less, more, by), join(head, sizes, less, more),
			join(head, sizes, less), join(head, sizes), join(head, less), join(head)}
	}
	return [][]draw.Span{join(head, less, more, by), join(head, less, more), join(head, cmp.Or(less, more)), join(head)}
}

// becomes returns what becomes of an item at a budget at which it is out or has another size.
func becomes(f *widget.Frame, i int, at model.Tokens) string {
	size, in := f.Out.Profile.SizeAt(i, at)
	switch sizes := f.Out.Items.Sizes(i); {
	case !in:
		return "out"
	case size == 0:
		return "whole"
	case sizes[size-1].Note:
		return "a note"
	default:
		return "cut to " + f.Sum(sizes[size-1].Tokens)
	}
}

// sizesFrom returns from which budgets an item that is cut is whole, and in at all:
// "; whole from 67,622; first in, as 500, from 31,204".
func sizesFrom(f *widget.Frame, i int) string {
	p := f.Out.Profile
	text := "; whole at no budget up to " + f.BudgetText(p.Axis().End())
	if whole := p.SizeBands(nil, i, 0); len(whole) > 0 {
		text = "; first whole at " + f.BudgetText(whole[0].From)
		if len(whole) == 1 && whole[0].To == p.Axis().End() {
			text = "; whole from " + f.BudgetText(whole[0].From)
		}
	}
	if first, ok := p.FirstIn(i); ok {
		size, _ := p.SizeAt(i, first)
		text += "; first in, as " + f.Sum(f.Out.Items.SizeTokens(i, size)) + ", from " + f.BudgetText(first)
	}
	return text
}
