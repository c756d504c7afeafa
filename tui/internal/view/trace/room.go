package trace

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// problems lists in width cells the errors and what was tolerated, each with what fixes or shows it.
func (p *View) problems(f *widget.Frame, width int) section {
	s := section{named: true, title: "What to know"}
	told := func(text string, role theme.Role, lead Lead) {
		for k, spans := range draw.Paragraph(width-4, draw.Span{Text: text, Role: role}) {
			if k > 0 {
				spans = append([]draw.Span{{Text: "  "}}, spans...)
			}
			s.rows = append(s.rows, traceRow{spans: spans, lead: lead})
		}
	}
	add := func(text string, role theme.Role, knob experiment.KnobID) { told(text, role, Lead{Knob: knob}) }
	fixes := func(err error) experiment.KnobID {
		if all := experiment.Fixes(err, f.Exp.Setup().Budget); len(all) > 0 {
			return all[0]
		}
		return ""
	}
	if err := f.Exp.Err(f.Side); err != nil { // the notice above says why
		add(f.NoResultText(), theme.Error, fixes(err))
	}
	if f.Out == nil || f.Out.Report == nil || f.NoResult {
		return s
	}
	rep := f.Out.Report
	if o := rep.Overflow; o != nil {
		add("overflow: "+f.SumTokens(o.TokensOver)+" over the target of "+rep.Budget.TargetTokens().String()+widget.Verb(int(o.TokensOver), " was", " were")+" let through", theme.Warn, experiment.Overflow)
	}
	if n := len(rep.Truncated); n > 0 {
		add("overflow: Place dropped "+plain.Count(n, "item")+" that the slicer had selected", theme.Warn, experiment.Overflow)
	}
	for _, short := range rep.Shortfalls {
		add(short.Kind.Noun()+" requires "+strconv.Itoa(short.Required)+", only "+strconv.Itoa(short.Satisfied)+" there", theme.Warn, experiment.Quotas)
	}
	if err := f.Out.SlackErr; err != nil {
		add(plain.AtRisk+": not known, "+experiment.Words(err), theme.Warn, experiment.Slack)
	}
	if n := f.Exp.Items().Estimates(); n > 0 {
		told(plain.Count(n, "token count")+" of "+plain.Thousands(f.Exp.Items().Len())+" estimated", theme.Warn, Lead{Filter: "is:estimated"})
	}
	return s
}

// arithmetic shows how the room is computed for the current budget, by the
// formulas of the chapter Stage 5: Slice, as a waterfall: the bar of each row that
// takes tokens ends where the one before began. It needs no result. The target has a
// column, and the bars, only where it is the smaller limit. Where the rows take more than there is,
// the bars go on to the right of each other, and what is beyond the budget is a loss. What is held gives
// way: the pipeline runs with what there is of it.
func (p *View) arithmetic(f *widget.Frame) section {
	s := section{title: "Tokens", joined: true}
	g := f.Glyphs()
	minus := theme.Minus + " "
	fields := f.Exp.Setup().Budget
	pinned := f.Exp.Items().PinnedTokens()
	maxTokens, target := fields.MaxTokens, fields.Target()
	deductions := fields.Deductions(pinned)
	maxLeft, targetLeft := maxTokens, target
	for _, d := range deductions {
		maxLeft -= d.From(maxLeft)
		if !d.OnlyMax {
			targetLeft -= d.From(targetLeft)
		}
	}
	second := max(0, targetLeft) < max(0, maxLeft)
	limit, beyond := maxTokens, max(0, -maxLeft) // of the smaller limit
	if second {
		s.named, s.heads, limit, beyond = true, []string{"maximum", "target"}, target, max(0, -targetLeft)
	}
	left, ofMost := limit, maxTokens
	s.scale = max(maxTokens, limit+beyond, 1)
	line := func(name string, a, b string, role theme.Role, lead Lead, note string, bars ...widget.Stretch) {
		cells := []draw.Span{{Text: a, Role: role}}
		if second {
			cells = append(cells, draw.Span{Text: b, Role: role})
		}
		s.rows = append(s.rows, traceRow{name: name, cells: cells, role: role, lead: lead, note: note, bars: bars})
	}
	whole := func(t model.Tokens) widget.Stretch {
		return widget.Stretch{To: t, Glyph: g.BarSelected, Role: theme.BarAbove}
	} // large areas are calm
	line("budget", maxTokens.String(), target.String(), theme.Strong, Lead{Knob: experiment.MaxTokens}, "", whole(left), widget.Stretch{From: left, To: maxTokens, Glyph: g.BarAbove, Role: theme.BarAbove})
	for _, d := range deductions {
		name, lead, note := d.Label(), Lead{Filter: "is:pinned"}, ""
		if d.Field == "" && p.sums.of != nil {
			note = plain.Count(p.sums.byCode[model.Pinned].items, "item")
		}
		bar := widget.Deducted(g, d)
		switch {
		case d.Kind != "":
			name += " for " + d.Kind.Noun()
			lead, note = Lead{Knob: experiment.KnobOf(d.Field, d.Kind), Name: name}, "knob, for later items"
		case d.Field != "":
			lead, note = Lead{Knob: experiment.KnobOf(d.Field, "")}, "knob"
		}
		text := func(left model.Tokens) string {
			switch there := d.From(left); {
			case d.Field == "": // no knob sets it
				return f.Sum(there)
			case there < d.Tokens:
				return there.String() + " of " + d.Tokens.String()
			}
			return d.Tokens.String()
		}
		taken, ofTarget := text(ofMost), ""
		ofMost -= d.From(ofMost)
		if !second || !d.OnlyMax {
			ofTarget = onlyIf(!d.OnlyMax, text(left))
			bar.From, bar.To = left-d.From(left), left
			left = bar.From
		}
		if beyond > 0 {
			bar.From, bar.To = limit-bar.To, limit-bar.From
		}
		line(minus+name, taken, ofTarget, theme.Plain, lead, note, bar)
	}
	b, err := model.NewBudget(fields)
	switch {
	case left < 0:
		name, a := "= left", f.Sum(maxLeft)
		if !second { // and no result
			name, a = "= missing", f.Sum(beyond)
		}
		line(name, a, f.Sum(targetLeft), theme.Error, Lead{}, "", widget.Stretch{From: limit, To: limit + beyond, Glyph: g.BarSelected, Role: theme.BarBeyond})
		if !second {
			return s
		}
	case second || err != nil:
		line("= left", f.Sum(maxLeft), f.Sum(targetLeft), theme.Plain, Lead{}, "")
	}
	if err != nil { // the notice above says why
		return s
	}
	e := b.Effective(pinned)
	left = max(0, left)
	if m := b.Fields().SafetyMargin; m > 0 {
		line(minus+"safety "+widget.Share(m), f.Sum(max(0, maxLeft)-e.Max), f.Sum(e.Margin), theme.Plain, Lead{Knob: experiment.SafetyMargin},
			widget.Share(m)+" of "+f.Sum(left), widget.Stretch{From: e.Target, To: left, Glyph: g.BarSafety, Role: theme.BarSafety})
	}
	line("= room", onlyIf(!second, f.Sum(e.Target)), f.Sum(e.Target), theme.Strong, Lead{}, "", whole(e.Target))
	if f.Out != nil && f.Out.Report != nil && p.sums.of == f.Out.Report && !f.Old && !f.NoResult {
		s.says = p.headline(f, maxTokens, e.Target, second)
		taken := f.Out.Report.SlicedTokens
		free := e.Target - taken
		line(minus+"selected", onlyIf(!second, f.Sum(taken)), f.Sum(taken), theme.Plain, Lead{Filter: "is:in -is:pinned"},
			plain.Count(p.sums.selected().items+len(f.Out.Report.Truncated), "item")+", "+plain.Percent(f.Out.Report.Filled()), widget.Stretch{From: max(0, free), To: e.Target, Glyph: g.BarSelected, Role: theme.BarSelected})
		if free < 0 { // count quotas may commit more than the room
			line("= too many", onlyIf(!second, f.Sum(-free)), f.Sum(-free), theme.Warn, Lead{Knob: experiment.Quotas}, "")
		} else {
			line("= free", onlyIf(!second, f.Sum(free)), f.Sum(free), theme.Strong, Lead{}, "", widget.Stretch{To: free, Glyph: g.BarFree, Role: theme.BarFree})
		}
	}
	return s
}

// headline returns what is left of the budget for the items that compete for it, what they need and
// how many get in, the longest form first. If the target is the smaller limit, nothing is said of
// what is kept from the budget.
func (p *View) headline(f *widget.Frame, budget, room model.Tokens, target bool) []string {
	in, out := p.sums.selected(), tally{}
	for _, code := range [...]model.Code{model.BudgetExceeded, model.PinnedOverride, model.CountCapExceeded} {
		out.items, out.tokens = out.items+p.sums.byCode[code].items, out.tokens+p.sums.byCode[code].tokens
	}
	all, need := in.items+out.items, f.Sum(in.tokens+out.tokens+p.sums.cutOf-p.sums.cut.tokens)
	if all == 0 {
		return nil
	}
	items := plain.Count(all, "item")
	got := ": " + plain.Thousands(in.items) + widget.Verb(in.items, " gets", " get") + " in."
	compete := items + widget.Verb(all, " that needs ", " that need ") + need + widget.Verb(all, " competes", " compete") + " for "
	forms := []string{compete + f.SumTokens(room) + got, compete + f.Sum(room) + got}
	if !target {
		forms = slices.Insert(forms, 0, f.Sum(budget-room)+" of "+budget.String()+" tokens "+widget.Verb(int(budget-room), "is", "are")+" kept back or "+plain.Pinned+"; "+compete+"the other "+f.Sum(room)+got)
	}
	return forms
}

// onlyIf returns text if there, else "".
func onlyIf(there bool, text string) string {
	if !there {
		return ""
	}
	return text
}
