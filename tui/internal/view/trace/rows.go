package trace

import (
	"sort"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
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
	// joined says that its bars are a waterfall: each begins where another ends.
	joined bool
	rows   []traceRow
}

// traceRow is a row of a section: its name, its numbers, a bar and a note.
type traceRow struct {
	name  string
	spans []draw.Span // drawn in place of all else where there are no cells
	cells []draw.Span
	bars  []widget.Stretch
	note  string
	role  theme.Role // of the name
	old   bool       // the row belongs to an older setup
	lead  Lead
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
			if r.tokens != 0 && !p.folded {
				s.reasons = append(s.reasons, widget.Plain(" ("+f.Sum(r.tokens)+" tok)"))
			}
		}
		s.left = all[len(all)-1].left - s.dropped
		all = append(all, s)
	}
	code := func(before string, c model.Code) unfitTally {
		return unfitTally{name: before + export.CodeWord(c), tally: p.sums.byCode[c]}
	}
	if p.sums.byCode[model.Filtered].items > 0 {
		add("not "+export.CodeWord(model.Filtered), "is:excluded", Lead{}, code("", model.Filtered))
	}
	add("not "+strings.TrimSuffix(export.CodeWord(model.NegativeTokens), " tokens"), "is:negative", Lead{}, code("with ", model.NegativeTokens))
	twins := code("", model.Deduplicated)
	several := twins.name + "s"
	twins.name = widget.Verb(twins.items, twins.name, several)
	add("not "+several, "is:dup", Lead{Knob: experiment.Dedup}, twins)
	var unfit, shares []unfitTally
	picked := "selected by " + string(f.Out.Policy.Slicer)
	if rep.Given != nil {
		picked = "selected, as recorded"
	}
	for _, t := range p.sums.unfit {
		switch {
		case t.share != "":
			shares = append(shares, t)
			continue
		case t.name == "":
			t.name = widget.Verb(t.items, "does not fit", "do not fit")
		}
		unfit = append(unfit, t)
	}
	if len(shares) > 0 {
		over, kinds := 0, []string{}
		sort.SliceStable(shares, func(a, b int) bool { return shares[a].items > shares[b].items })
		for _, t := range shares {
			over += t.items
			kinds = append(kinds, plain.Thousands(t.items)+" "+t.share)
		}
		unfit = append(unfit, unfitTally{name: "over the quota (" + strings.Join(kinds, ", ") + ")", tally: tally{items: over}})
	}
	picks = true
	filter := "is:unfit"
	if len(unfit) == 0 {
		filter = "is:overridden"
	}
	add(picked, filter, Lead{Knob: experiment.Slicer}, append(unfit, code("", model.PinnedOverride))...)
	if t := code("as the ", model.CountCapExceeded); t.items > 0 {
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
		arrow := " " + f.Glyphs().Arrow + " "
		way = append(way, widget.Plain(" "+arrow+in+" in"))
		if draw.SpansWidth(way) > width-2 { // what leaves is said below
			way = way[:0]
			for _, at := range steps {
				if !at.picks {
					way = append(way, widget.Plain(plain.Thousands(at.left)+arrow))
				}
			}
			way = append(way, widget.Plain(in+" in"))
		}
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
	add := func(t tally, text string) {
		if t.items > 0 {
			tokens += t.tokens
			parts = append(parts, text)
		}
	}
	pinned, selected := p.sums.byCode[model.Pinned], p.sums.selected()
	add(pinned, plain.Thousands(pinned.items)+" "+plain.Pinned)
	n := len(f.Out.Report.Truncated)
	add(selected, plain.Thousands(selected.items+n)+" selected"+onlyIf(n > 0, " "+theme.Minus+" "+plain.Thousands(n)+" dropped by Place"))
	add(p.sums.notes, plain.Count(p.sums.notes.items, "note"))
	note := strings.Join(parts, " + ") + ", " + f.Sum(tokens) + " tok, " + string(f.Out.Policy.Placer)
	s.rows = append(s.rows, traceRow{name: "in the prompt", role: theme.Strong, lead: Lead{Filter: "is:in"}, note: strings.TrimPrefix(note, ", "),
		cells: []draw.Span{{Text: in, Role: theme.Strong}}})
	if t := p.sums.cut; t.items > 0 {
		s.rows = append(s.rows, traceRow{name: "of them cut", lead: Lead{Filter: "is:cut"}, note: "to " + f.Sum(t.tokens) + " of " + f.Sum(p.sums.cutOf) + " tok (not Cupel's)",
			cells: []draw.Span{widget.Plain(plain.Thousands(t.items))}})
	}
	return s
}
