// Package pane has the parts of the screen around a view: header, budget bar, knobs, next
// changes, detail of an item, hints and messages. WhatIf and Ways also find in the background
// what the detail says of an item.
package pane

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Header draws the first line, which is the answer: how many items are in, how many of
// them are at risk, what they are worth, and under which policy. What does not fit is
// shortened or left out, the least important first. At its end stands the key of the help or,
// where nothing else shows it, the view with the keys of all views: the footer has the key of the help too.
func Header(f *widget.Frame, r draw.Rect) {
	end, role := headerEnd(f)
	width := r.W - draw.Width(end) - 1
	line := headerSpans(f, width-1)
	name := line[len(line)-1]
	for i := 0; i < len(line)-1 && (i == 0 || line[i-1].Text == ""); i++ {
		line[i].Text = strings.TrimLeft(line[i].Text, " ") // what is first needs no gap
	}
	f.Spans(r.X+1, r.Y, width-1, line[:len(line)-1]...)
	f.Right(r.X, r.Y, r.W, end, role)
	f.Right(r.X, r.Y, width-2, strings.TrimSpace(name.Text), name.Role)
}

// headerEnd returns what stands at the end of the header.
func headerEnd(f *widget.Frame) (string, theme.Role) {
	if f.View != "" {
		return f.View + " ", theme.Focus
	}
	return "? help ", theme.Key
}

// HeaderSaysWhy reports whether a header of so many cells says why there is no result.
func HeaderSaysWhy(f *widget.Frame, width int) bool {
	end, _ := headerEnd(f)
	return slices.ContainsFunc(headerSpans(f, width-draw.Width(end)-2), func(s draw.Span) bool { return strings.HasPrefix(s.Text, "  no result: ") })
}

// headerSpans returns the parts of the first line in width cells, the policy last.
func headerSpans(f *widget.Frame, width int) []draw.Span {
	forms := plain.Texts(widget.PolicyNames(f.Side, f.Exp.Setup().Policy[f.Side]), func(name string) string { return "   " + name })
	left := append(nameParts(f, width), answerParts(f)...)
	left = append(left, momentParts(f)...)
	return shorten(width, append(left, headerPart{role: widget.SideRole(f.Side), forms: append(forms, ""), order: 3}))
}

// headerPart is a part of the first line, with its gap before it.
type headerPart struct {
	role  theme.Role
	forms []string // the longest first; an empty one leaves it out
	order int      // parts with a lower order are shortened first; each step adds two to it
}

// shorten takes shorter forms, part by part, until all fit into width cells. Then it takes longer forms again
// where there is room, beginning with the parts that are shortened last.
func shorten(width int, parts []headerPart) []draw.Span {
	at := make([]int, len(parts))
	used := 0
	for _, p := range parts {
		used += draw.Width(p.forms[0])
	}
	set := func(i, form int) {
		used += draw.Width(parts[i].forms[form]) - draw.Width(parts[i].forms[at[i]])
		at[i] = form
	}
	for used > width {
		next := -1
		for i, p := range parts {
			if at[i] < len(p.forms)-1 && (next < 0 || p.order+2*at[i] < parts[next].order+2*at[next]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		set(next, at[next]+1)
	}
	all := make([]int, len(parts))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return parts[b].order - parts[a].order })
	for _, i := range all { // what was left out of the answer comes first
		if short := at[i] - 1; parts[i].order >= 5 && parts[i].forms[at[i]] == "" && used+draw.Width(parts[i].forms[short]) <= width {
			set(i, short)
		}
	}
	for _, i := range all {
		for form := range at[i] {
			if used-draw.Width(parts[i].forms[at[i]])+draw.Width(parts[i].forms[form]) <= width {
				set(i, form)
				break
			}
		}
	}
	spans := make([]draw.Span, len(parts))
	for i, p := range parts {
		spans[i] = draw.Span{Text: p.forms[at[i]], Role: p.role}
	}
	return spans
}

// nameParts returns the name of what is loaded, and a mark where it has unsaved changes.
func nameParts(f *widget.Frame, width int) []headerPart {
	name := f.Source
	if base := name[strings.LastIndexByte(name, '/')+1:]; base != "" { // the load report has the path
		name = base
	}
	third := plain.Tail(name, max(11, (width-1)/3)) // the end of a path says most
	if draw.Width(name) > width/2+1 {
		name = third
	}
	parts := []headerPart{{role: theme.Strong, forms: []string{name, third, plain.Tail(name, 11), plain.Tail(name, 7), ""}, order: 5}}
	if f.Unsaved {
		parts = append(parts, headerPart{role: theme.Warn, forms: []string{" " + f.Glyphs().Unsaved}})
	}
	return parts
}

// fitsText says that all items fit, and which are out all the same.
func fitsText(rep *model.Report) string {
	var out [model.Filtered + 1]int // by code
	for _, i := range rep.Excluded {
		out[rep.Codes[i]]++
	}
	var but []string
	if n := out[model.Deduplicated]; n > 0 {
		but = append(but, plain.Count(n, export.CodeWord(model.Deduplicated)))
	}
	if n := out[model.Filtered]; n > 0 {
		but = append(but, plain.Thousands(n)+" "+export.CodeWord(model.Filtered))
	}
	if n := out[model.NegativeTokens]; n > 0 {
		but = append(but, plain.Thousands(n)+" with "+export.CodeWord(model.NegativeTokens))
	}
	if len(but) == 0 {
		return "everything fits"
	}
	return "all fits but " + strings.Join(but, ", ")
}

// answerParts returns what is in and what it is worth, or why nothing is.
func answerParts(f *widget.Frame) []headerPart {
	var parts []headerPart
	estimated := f.Exp.Items().Estimates() > 0
	add := func(role theme.Role, order int, forms ...string) {
		parts = append(parts, headerPart{role, append(forms, ""), order})
	}
	if f.Exp.State(f.Side) == experiment.Pending {
		parts = append(parts, headerPart{role: theme.Warn, forms: []string{"  " + f.ComputingText(f.Side)}})
	}
	if err := f.Exp.Err(f.Side); f.NoResult && err != nil { // where there is no room to say why, the notice does
		forms := beyondForms(f)
		if forms == nil {
			forms = noResult(err)
		}
		if forms == nil {
			forms = []string{"no result: " + plain.Line(err.Error(), 600)}
		}
		forms = append(forms, "no result")
		parts = append(parts, headerPart{role: theme.Error, order: 12, forms: plain.Texts(forms, func(form string) string { return "  " + form })})
	}
	if f.Out != nil && !f.NoResult {
		g, rep := f.Glyphs(), f.Out.Report
		in, all := string(g.In)+" "+plain.Thousands(len(rep.Included)), plain.Thousands(f.Exp.Items().Len())
		cut, noted := rep.CountShrunk()
		add(theme.Plain, 8, " ") // gaps go before the name does
		add(theme.In, 14, " "+in+" of "+all+" in", " "+in+" in")
		if cut+noted > 0 {
			add(theme.In, 9, cutForms(g, cut, noted)...)
		}
		if n := len(f.Out.Lost); n > 0 {
			risk := string(g.Risk) + " " + plain.Thousands(n) + " " + plain.AtRisk
			add(theme.Risk, 10, "   "+risk, " "+risk, " "+risk) // twice: its gap goes long before it does
		} else if f.Out.SlackErr != nil { // nobody should read that nothing is at risk
			add(theme.Risk, 9, "   "+string(g.Risk)+" no result with "+f.Out.Setup.Slack.String()+" less", " "+string(g.Risk)+" all "+plain.AtRisk)
		}
		if forms := neededForms(f.Out); forms[0] != "" {
			order := 6 // the percentage says the same as two counts
			if f.Out.Items.HasSizes() {
				order = 10
			}
			add(theme.Needed, order, forms...)
		}
		value, forms := "value "+f.About()+widget.Value(rep.Value), f.BelowBestForms(f.Out, rep.Value, slicer.Target(rep.Effective.Target))
		switch {
		case len(f.Out.Policy.Quotas) == 0:
			forms = forms[len(forms)-1:] // how far its computing is says Compare
		case len(forms) > 1:
			forms = forms[:len(forms)-1] // it would not say that the best has no quotas
		}
		below, sooner := forms[len(forms)-1], 0
		if len(f.Out.Split) > 0 {
			sooner = 2 // than the warning below
		}
		switch {
		case allIn(f):
			all := "   " + fitsText(rep)
			fits := []string{all + ": " + f.About() + rep.Kept.Short() + " of " + rep.Budget.MaxTokens().Short(), all, "   all fits"}
			if estimated && !f.Counting {
				by := fits[0] + ", " + model.Estimated.String()
				fits = append([]string{by + " by " + widget.Program, by}, fits[1:]...)
			}
			add(theme.Plain, 3, fits...)
		case below != "":
			worth := plain.Texts(forms, func(form string) string { return "  " + value + ", " + form }) // alone the value says less
			add(theme.Plain, 8, " ")
			add(theme.Plain, 12-2*len(forms)-sooner, append(worth, " "+below)...)
		default:
			add(theme.Plain, 10-sooner, "   "+value, " "+value)
		}
		if f.First && !allIn(f) {
			add(theme.Dim, 0, " (value: sum of scores)")
		}
		if n := len(f.Out.Split); n > 0 {
			add(theme.Warn, 6, "   "+plain.Count(n, "split pair"), "   "+plain.Thousands(n)+" split", " "+plain.Thousands(n)+" split")
		}
	}
	// While tokens are counted all numbers move by themselves, so this is dropped last.
	items := f.Exp.Items()
	if f.Counting {
		about := f.Glyphs().About
		parts = append(parts, headerPart{role: theme.Warn, order: 10, forms: []string{
			fmt.Sprintf("   %s%s tok, %s counting %d %%", about, items.Total().Short(), f.Waiting.Spin(), f.Counted),
			fmt.Sprintf("  %s counting %d %%", about, f.Counted)}})
	} else if estimated && (f.NoResult || !allIn(f)) {
		e, about, word := items.Estimates(), "   "+f.Glyphs().About, " "+model.Estimated.String()
		add(theme.Warn, 1, about+plain.Count(e, "count")+word+" by "+widget.Program, about+plain.Thousands(e)+word)
	}
	return parts
}

// cutForms returns how many of the items that are in are cut, and how many items are out with a
// note, as forms of a part of the header: ", 6 of them cut, 17 notes". If any item is cut, the
// shorter forms leave the notes out.
func cutForms(g *theme.Glyphs, cut, noted int) []string {
	notes := ", " + plain.Count(noted, "note")
	if cut == 0 {
		return []string{notes, " " + string(g.Note) + " " + plain.Thousands(noted)}
	}
	if noted == 0 {
		notes = ""
	}
	n := plain.Thousands(cut)
	return []string{", " + n + " of them cut" + notes, ", " + n + " cut" + notes, ", " + n + " cut", " " + string(g.Cut) + " " + n}
}

// momentParts returns which moment of a conversation is shown, and that a source is followed.
func momentParts(f *widget.Frame) []headerPart {
	var parts []headerPart
	if at, ok := f.Exp.Moment(); ok {
		text := fmt.Sprintf("request %d of %d", at.Number, at.Of)
		parts = append(parts, headerPart{theme.Warn, []string{"   at " + text + "; esc: back to the end", "  " + text + ", esc ends", "  " + text}, 8})
	}
	if f.Following != "" {
		parts = append(parts, headerPart{theme.In, []string{"   " + f.Following}, 8})
	}
	return parts
}

// neededForms returns how much of what is needed is in, as forms of a part of the header: "needed 5
// of 7 in (71 %)", or "" alone where nothing is labelled.
func neededForms(o *experiment.Outcome) []string {
	q, answered := o.Quality, ""
	switch {
	case !q.Answered.Set:
	case q.Answered.Value:
		answered = "   answered"
	default:
		answered = "   not answered"
	}
	if !q.Recall.Set {
		return []string{answered}
	}
	in, all := plain.Thousands(q.In), plain.Thousands(q.Needed)
	of, share := "needed "+in+" of "+all, plain.Percent(q.Recall.Value)
	switch {
	case o.Items.HasSizes():
		share = " (" + share + ", whole " + plain.Percent(q.WholeRecall.Value) + ")"
	case q.In == 0 || q.In == q.Needed: // it would say the same
		share = ""
	default:
		share = " (" + share + ")"
	}
	return []string{"   " + of + " in" + share + answered, "   " + of + " in" + answered, "   " + of, "  " + of, "  needed " + in + "/" + all}
}
