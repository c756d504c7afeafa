package trace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Lead is where a row leads: to the items that a filter shows, or to a knob. The
// zero Lead opens nothing.
type Lead struct {
	Filter string
	Knob   experiment.KnobID
	Name   string // of the knob, where its id is not what a person reads
}

// section is a table with a heading. Every column but the notes is as wide as its widest text.
type section struct {
	says  []string // in a line above the table, the longest form first
	title string
	named bool         // its numbers need names: it has its heading even where others have none
	heads []string     // of the cells
	note  string       // heading of the notes
	scale model.Tokens // what a bar over all of its width stands for; 0 for a table without bars
	rows  []traceRow
}

// traceRow is a row of a section: its name, its numbers, a bar and a note.
type traceRow struct {
	name  string
	spans []draw.Span // drawn in place of name and all else, if set
	cells []draw.Span
	bars  []stretch
	note  string
	role  theme.Role // of the name
	old   bool       // the row belongs to an older setup
	lead  Lead
}

// stretch is a part of a bar. Tokens from to to have a cell at least, unless there are none.
type stretch struct {
	from, to model.Tokens
	glyph    rune
	role     theme.Role
}

// problems lists the errors and what was tolerated, each with the knob that fixes it.
func (p *View) problems(f *widget.Frame) section {
	s := section{named: true, title: "What to know"}
	add := func(text string, role theme.Role, knob experiment.KnobID) {
		s.rows = append(s.rows, traceRow{name: text, role: role, lead: Lead{Knob: knob}})
	}
	fixes := func(err error) experiment.KnobID {
		if all := experiment.Fixes(err); len(all) > 0 {
			return all[0]
		}
		return ""
	}
	if state, err := f.Exp.State(f.Side); state == experiment.Failed { // the notice above says why
		add("no result at "+f.Exp.Setup().Budget.MaxTokens.String(), theme.Error, fixes(err))
	}
	if f.Out == nil || f.Out.Report == nil || f.NoResult {
		return s
	}
	rep := f.Out.Report
	if o := rep.Overflow; o != nil {
		add("overflow: "+f.Sum(o.TokensOver)+" tokens over the target of "+rep.Budget.TargetTokens().String()+" were let through", theme.Warn, experiment.Overflow)
	}
	if n := len(rep.Truncated); n > 0 {
		add("overflow: Place dropped "+plain.Count(n, "item")+" that the slicer had selected", theme.Warn, experiment.Overflow)
	}
	for _, short := range rep.Shortfalls {
		add(short.Kind.Noun()+" requires "+strconv.Itoa(short.Required)+", only "+strconv.Itoa(short.Satisfied)+" there", theme.Warn, experiment.Quotas)
	}
	if err := f.Out.SlackErr; err != nil {
		add(plain.AtRisk+": not known, "+err.Error(), theme.Warn, experiment.Slack)
	}
	if n := f.Exp.Items().Estimates(); n > 0 {
		s.rows = append(s.rows, traceRow{name: plain.Count(n, "token count") + " of " + plain.Thousands(f.Exp.Items().Len()) + " estimated",
			role: theme.Warn, lead: Lead{Filter: "is:estimated"}})
	}
	return s
}

// arithmetic shows how the room is computed for the current budget, by the
// formulas of the chapter Stage 5: Slice, as a waterfall: the bar of each row that
// takes tokens ends where the one before began. It needs no result. The target has a
// column, and the bars, only where it is the smaller limit; else one sentence.
func (p *View) arithmetic(f *widget.Frame) section {
	s := section{title: "Tokens"}
	g := f.Glyphs()
	minus := theme.Minus + " "
	fields := f.Exp.Setup().Budget
	pinned := f.Exp.Items().PinnedTokens()
	most, target := fields.MaxTokens, fields.Target()
	s.scale = max(most, target, 1)
	deductions := fields.Deductions(pinned)
	mostLeft, targetLeft := most, target
	for _, d := range deductions {
		mostLeft -= d.Tokens
		if !d.OnlyMax {
			targetLeft -= d.Tokens
		}
	}
	second := max(0, targetLeft) < max(0, mostLeft)
	left := most // of the smaller limit
	if second {
		s.named, s.heads, left = true, []string{"maximum", "target"}, target
	}
	line := func(name string, a, b string, role theme.Role, lead Lead, note string, bars ...stretch) {
		cells := []draw.Span{{Text: a, Role: role}}
		if second {
			cells = append(cells, draw.Span{Text: b, Role: role})
		}
		s.rows = append(s.rows, traceRow{name: name, cells: cells, role: role, lead: lead, note: note, bars: bars})
	}
	whole := func(t model.Tokens) stretch { return stretch{to: t, glyph: g.BarSelected, role: theme.BarAbove} } // large areas are calm
	line("budget", most.String(), target.String(), theme.Strong, Lead{Knob: experiment.MaxTokens}, "", whole(left), stretch{from: left, to: most, glyph: g.BarAbove, role: theme.BarAbove})
	for _, d := range deductions {
		name, lead, note := d.Label(), Lead{Filter: "is:pinned"}, ""
		if d.Field == "" && p.sums.of != nil {
			note = plain.Count(p.sums.byCode[model.Pinned].items, "item")
		}
		bar := stretch{glyph: g.BarPinned, role: theme.BarPinned}
		switch {
		case d.Kind != "":
			name += " for " + d.Kind.Noun()
			lead, note = Lead{Knob: experiment.KnobOf(d.Field, d.Kind), Name: name}, "knob"
			bar.glyph, bar.role = g.BarHeld, theme.BarHeld
		case d.Field != "":
			lead, note = Lead{Knob: experiment.KnobOf(d.Field, "")}, "knob"
			bar.glyph, bar.role = g.BarOutput, theme.BarOutput
		}
		taken, ofTarget := d.Tokens.String(), ""
		if d.Field == "" { // no knob sets it
			taken = f.Sum(d.Tokens)
		}
		if !d.OnlyMax {
			ofTarget = taken
		}
		if !second || !d.OnlyMax {
			bar.from, bar.to = left-d.Tokens, left
			left -= d.Tokens
		}
		line(minus+name, taken, ofTarget, theme.Plain, lead, note, bar)
	}
	if left < 0 || second {
		line("= left", f.Sum(mostLeft), f.Sum(targetLeft), theme.Plain, Lead{}, "")
	}
	b, err := model.NewBudget(fields)
	if err != nil {
		s.rows = append(s.rows, traceRow{name: "no room: the budget is invalid", role: theme.Error})
		return s
	}
	e := b.Effective(pinned)
	left = max(0, left)
	if m := b.Fields().SafetyMargin; m > 0 {
		line(minus+"safety "+widget.Share(m), f.Sum(max(0, mostLeft)-e.Max), f.Sum(e.Margin), theme.Plain, Lead{Knob: experiment.SafetyMargin},
			widget.Share(m)+" of "+f.Sum(left), stretch{from: e.Target, to: left, glyph: g.BarSafety, role: theme.BarSafety})
	}
	line("= room", onlyIf(!second, f.Sum(e.Target)), f.Sum(e.Target), theme.Strong, Lead{}, "", whole(e.Target))
	if f.Out != nil && f.Out.Report != nil && p.sums.of == f.Out.Report && !f.Old && !f.NoResult {
		s.says = p.headline(f, most, e.Target, second)
		taken := f.Out.Report.SlicedTokens
		free := e.Target - taken
		line(minus+"selected", onlyIf(!second, f.Sum(taken)), f.Sum(taken), theme.Plain, Lead{Filter: "is:in -is:pinned"},
			plain.Count(p.sums.byCode[model.Scored].items, "item")+", "+plain.Percent(f.Out.Report.Filled()), stretch{from: max(0, free), to: e.Target, glyph: g.BarSelected, role: theme.BarSelected})
		if free < 0 { // count quotas may commit more than the room
			line("= over the room", onlyIf(!second, f.Sum(-free)), f.Sum(-free), theme.Warn, Lead{Knob: experiment.Quotas}, "")
		} else {
			line("= free", onlyIf(!second, f.Sum(free)), f.Sum(free), theme.Strong, Lead{}, "", stretch{to: free, glyph: g.BarFree, role: theme.BarFree})
		}
	}
	if fields.TargetTokens.Set && !second && !p.folded {
		s.rows = append(s.rows, traceRow{name: "the budget is the limit: the target of " + target.String() + " would leave " + f.Sum(targetLeft), role: theme.Dim, lead: Lead{Knob: experiment.TargetTokens}})
	}
	return s
}

// headline says what is left of the budget for the items that compete for it, what they need and
// how many get in, the longest form first. If the target is the smaller limit, nothing is said of
// what is kept from the budget.
func (p *View) headline(f *widget.Frame, budget, room model.Tokens, target bool) []string {
	var in, out tally
	for code, sum := range p.sums.byCode {
		switch model.Code(code) {
		case model.Scored, model.ZeroToken:
			in.items, in.tokens = in.items+sum.items, in.tokens+sum.tokens
		case model.BudgetExceeded, model.PinnedOverride, model.CountCapExceeded:
			out.items, out.tokens = out.items+sum.items, out.tokens+sum.tokens
		}
	}
	all, need := in.items+out.items, f.Sum(in.tokens+out.tokens+p.sums.cutOf-p.sums.cut.tokens)
	if all == 0 {
		return nil
	}
	items := plain.Count(all, "item")
	got := ": " + plain.Thousands(in.items) + widget.Verb(in.items, " gets", " get") + " in."
	compete := items + widget.Verb(all, " that needs ", " that need ") + need + widget.Verb(all, " competes", " compete") + " for "
	forms := []string{compete + f.Sum(room) + " tokens" + got, compete + f.Sum(room) + got}
	if !target {
		forms = slices.Insert(forms, 0, f.Sum(budget-room)+" of "+budget.String()+" tokens are set aside or pinned; "+compete+"the other "+f.Sum(room)+got)
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

// step is what leaves at one step on the way from all items to the items in the prompt.
type step struct {
	name    string
	left    int // items after the step
	dropped int
	picks   bool        // it is a step of the slicer
	reasons []draw.Span // the numbers of items and, after each, the words
	lead    Lead
}

// steps returns the steps in their order. Exclusion and caps are left out where they drop no
// item; the other steps are there even if nothing leaves.
func (p *View) steps(f *widget.Frame) []step {
	rep := f.Out.Report
	all := []step{{name: "given", left: rep.Items.Len()}}
	picks := false
	add := func(name, filter string, otherwise Lead, reasons ...unfitTally) {
		s := step{name: name, lead: otherwise, picks: picks}
		for _, r := range reasons {
			if r.items == 0 {
				continue
			}
			if s.dropped > 0 {
				s.reasons = append(s.reasons, widget.Plain(", "))
			}
			s.dropped += r.items
			s.lead = Lead{Filter: filter}
			s.reasons = append(s.reasons, draw.Span{Text: plain.Thousands(r.items), Role: theme.Loss}, widget.Plain(" "+r.name))
			if r.tokens > 0 && !p.folded {
				s.reasons = append(s.reasons, widget.Plain(" ("+f.Sum(r.tokens)+" tok)"))
			}
		}
		s.left = all[len(all)-1].left - s.dropped
		all = append(all, s)
	}
	code := func(c model.Code, name string) unfitTally { return unfitTally{name, p.sums.byCode[c]} }
	if p.sums.byCode[model.Filtered].items > 0 {
		add("not excluded", "is:excluded", Lead{}, code(model.Filtered, "excluded"))
	}
	add("counted", "is:negative", Lead{}, code(model.NegativeTokens, "with a negative count"))
	twins := code(model.Deduplicated, "")
	twins.name = widget.Verb(twins.items, "duplicate", "duplicates")
	add("not duplicates", "is:dup", Lead{Knob: experiment.Dedup}, twins)
	picked, unfit := "picked by "+string(f.Out.Policy.Slicer), []unfitTally{}
	if rep.Given != nil {
		picked = "picked, as recorded"
	}
	for _, t := range p.sums.unfit {
		if t.name == "do not fit" && t.items == 1 {
			t.name = "does not fit"
		}
		unfit = append(unfit, t)
	}
	if len(p.sums.shares) > 0 {
		over, kinds := 0, []string{}
		for _, t := range slices.SortedStableFunc(slices.Values(p.sums.shares), func(a, b unfitTally) int { return cmp.Compare(b.items, a.items) }) {
			over += t.items
			kinds = append(kinds, plain.Thousands(t.items)+" "+t.name)
		}
		unfit = append(unfit, unfitTally{"over the quota (" + strings.Join(kinds, ", ") + ")", tally{items: over}})
	}
	picks = true
	filter := "is:unfit"
	if len(unfit) == 0 {
		filter = "is:overridden"
	}
	add(picked, filter, Lead{Knob: experiment.Slicer}, append(unfit, code(model.PinnedOverride, "over the room"))...)
	if t := code(model.CountCapExceeded, "as the cap is full"); t.items > 0 {
		add("within the caps", "is:capped", Lead{}, t)
	}
	return all
}

// items shows the way of the items into the prompt, a row a step; folded, two sentences.
func (p *View) items(f *widget.Frame, width int) section {
	steps := p.steps(f)
	in := plain.Thousands(steps[len(steps)-1].left)
	if p.folded {
		s := section{}
		way, out := []draw.Span{}, []draw.Span{widget.Plain("out: ")}
		for k, at := range steps {
			if k > 0 && !at.picks {
				way = append(way, widget.Plain("  "+f.Glyphs().Arrow+" "))
			}
			if !at.picks {
				way = append(way, widget.Plain(plain.Thousands(at.left)+" "+at.name))
			}
			if len(at.reasons) > 0 && len(out) > 1 {
				out = append(out, widget.Plain(", "))
			}
			out = append(out, at.reasons...)
		}
		way = append(way, widget.Plain("  "+f.Glyphs().Arrow+" "+in+" in"))
		if t := p.sums.cut; t.items > 0 {
			way = append(way, widget.Plain(", "+plain.Thousands(t.items)+" of them cut"))
		}
		if len(out) == 1 {
			out[0].Text = "no item is out"
		}
		for _, sentence := range []struct {
			spans  []draw.Span
			filter string
		}{{way, "is:in"}, {out, "is:out"}} {
			for _, spans := range draw.Paragraph(width-2, sentence.spans...) {
				s.rows = append(s.rows, traceRow{spans: spans, lead: Lead{Filter: sentence.filter}})
			}
		}
		return s
	}
	s := section{title: "Items", heads: []string{"left", "dropped"}, note: "why"}
	for _, at := range steps {
		dropped, why := "", ""
		if at.dropped > 0 {
			dropped = theme.Minus + plain.Thousands(at.dropped)
		}
		for _, r := range at.reasons {
			why += r.Text
		}
		s.rows = append(s.rows, traceRow{name: at.name, lead: at.lead, note: why,
			cells: []draw.Span{widget.Plain(plain.Thousands(at.left)), {Text: dropped, Role: theme.Loss}}})
	}
	var tokens model.Tokens
	var parts []string
	for _, c := range []struct {
		code model.Code
		name string
	}{{model.Pinned, "pinned"}, {model.Scored, "selected"}, {model.ZeroToken, "without tokens"}} {
		if t := p.sums.byCode[c.code]; t.items > 0 {
			tokens += t.tokens
			parts = append(parts, plain.Thousands(t.items)+" "+c.name)
		}
	}
	if t := p.sums.notes; t.items > 0 {
		tokens += t.tokens
		parts = append(parts, plain.Count(t.items, "note"))
	}
	note := strings.Join(parts, " + ") + ", " + f.Sum(tokens) + " tok, " + string(f.Out.Policy.Placer)
	s.rows = append(s.rows, traceRow{name: "in the prompt", role: theme.Strong, lead: Lead{Filter: "is:in"}, note: strings.TrimPrefix(note, ", "),
		cells: []draw.Span{{Text: in, Role: theme.Strong}}})
	if t := p.sums.cut; t.items > 0 {
		s.rows = append(s.rows, traceRow{name: "of them cut", lead: Lead{Filter: "is:cut"}, note: "to " + f.Sum(t.tokens) + " of " + f.Sum(p.sums.cutOf) + " tok (ours, not Cupel's)",
			cells: []draw.Span{widget.Plain(plain.Thousands(t.items))}})
	}
	return s
}

// kinds counts the items and tokens that are in, of all of a kind, the largest kind first.
func (p *View) kinds(f *widget.Frame) section {
	s := section{title: "Kinds", heads: []string{"items in", "tokens in", "of"}, scale: 1}
	g, out := f.Glyphs(), '░'
	if !g.Spark {
		out = g.BarFree
	}
	kinds := f.Out.Report.Items.Kinds()
	order := make([]int, len(kinds))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.sums.byKind[b].all().tokens, p.sums.byKind[a].all().tokens) })
	for _, k := range order {
		t := p.sums.byKind[k]
		all, in := t.all(), t.pinned.tokens+t.selected.tokens
		s.scale = max(s.scale, all.tokens)
		s.rows = append(s.rows, traceRow{name: kinds[k].Noun(), lead: kindLead(kinds[k]),
			cells: plainCells(plain.Thousands(t.pinned.items+t.selected.items)+" of "+plain.Thousands(all.items), f.Sum(in), f.Sum(all.tokens)),
			bars:  []stretch{{from: in, to: all.tokens, glyph: out, role: theme.StripOut}, {to: in, glyph: g.BarSelected, role: theme.BarSelected}}})
	}
	return s
}

// kindLead returns the lead to the items of a kind.
func kindLead(k model.Kind) Lead {
	name := string(k)
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		name = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	}
	return Lead{Filter: "kind:" + name}
}

// plainCells returns texts as cells of the plain role.
func plainCells(texts ...string) []draw.Span {
	cells := make([]draw.Span, len(texts))
	for k, t := range texts {
		cells[k] = widget.Plain(t)
	}
	return cells
}

// quotas shows how many tokens the percentages amount to and how much of each
// share is used.
func (p *View) quotas(f *widget.Frame) section {
	s := section{named: true, title: "Quotas", heads: []string{"min", "max", "share", "used"}}
	rep := f.Out.Report
	for _, share := range f.Out.Ranking.Shares(rep.Budget) {
		used := model.Tokens(0)
		for k, t := range p.sums.byKind {
			if rep.Items.Kinds()[k].Is(share.Kind) {
				used += t.selected.tokens
			}
		}
		s.rows = append(s.rows,
			traceRow{name: share.Kind.Noun(), lead: kindLead(share.Kind), cells: plainCells(
				f.Sum(model.Tokens(share.Require)), f.Sum(model.Tokens(share.Cap)), f.Sum(model.Tokens(share.Target)), f.Sum(used))},
			traceRow{name: "  %", role: theme.Dim, lead: Lead{Knob: experiment.Quotas}, cells: plainCells(
				widget.Share(share.Quota.Require()), widget.Share(share.Quota.Cap()), part(share.Target, rep), part(slicer.Target(used), rep))})
	}
	return s
}

// part formats t as a share of the room in percent.
func part(t slicer.Target, rep *model.Report) string {
	if rep.Effective.Target <= 0 {
		return "-"
	}
	return plain.Percent(float64(t) / float64(rep.Effective.Target))
}

// counts shows how many items the count quotas require and allow, and how many
// are in.
func (p *View) counts(f *widget.Frame) section {
	s := section{named: true, title: "Counts", heads: []string{"require", "cap", "in", "tokens"}}
	rep := f.Out.Report
	for _, q := range f.Out.Policy.CountQuotas {
		var in tally
		for k, t := range p.sums.byKind {
			if rep.Items.Kinds()[k].Is(q.Kind) {
				in = t.selected
			}
		}
		role := theme.Plain
		if in.items < q.Require {
			role = theme.Warn
		}
		s.rows = append(s.rows, traceRow{name: q.Kind.Noun(), role: role, lead: kindLead(q.Kind), cells: plainCells(
			plain.Thousands(q.Require), plain.Thousands(q.Cap), plain.Thousands(in.items), f.Sum(in.tokens))})
	}
	return s
}
