package trace

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// kinds counts the items and tokens that are in, of all of a kind, the largest kind first.
func (p *View) kinds(f *widget.Frame) section {
	s := section{title: "Kinds", heads: []string{"tokens"}, scale: 1}
	if p.folded { // there are no notes
		s.heads = []string{"items in", "tokens in", "of"}
	}
	kinds := f.Out.Report.Items.Kinds()
	order := make([]int, len(kinds))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.sums.byKind[b].all().tokens, p.sums.byKind[a].all().tokens) })
	for _, k := range order {
		t := p.sums.byKind[k]
		all, in := t.all(), t.pinned.tokens+t.selected.tokens+t.notes.tokens
		s.scale = max(s.scale, all.tokens)
		items := plain.Thousands(t.pinned.items+t.selected.items) + " of " + plain.Thousands(all.items)
		row := traceRow{name: kinds[k].Noun(), lead: kindLead(kinds[k]), bars: widget.InOf(f.Glyphs(), in, all.tokens)}
		if p.folded {
			row.cells = plainCells(items, f.Sum(in), f.Sum(all.tokens))
		} else {
			row.cells, row.note = plainCells(f.Sum(all.tokens)), items+" in, "+onlyIf(t.notes.items > 0, plain.Count(t.notes.items, "note")+", ")+f.Sum(in)+" tok"
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// kindLead returns the lead to the items of a kind.
func kindLead(k model.Kind) Lead {
	name := string(k)
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		name = query.Quote(name)
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

// quotas shows of each kind with a share its bounds, how many tokens its share of the room is, how many it got
// and how many its pinned items, which have no part in quotas, take besides; and what is in no share.
func (p *View) quotas(f *widget.Frame) section {
	s := section{named: true, title: "Quotas", heads: []string{"min %", "max %", "share", "got"}, scale: 1}
	rep := f.Out.Report
	room := model.Tokens(rep.Effective.Target)
	rest := room
	of := func(t model.Tokens) string { return f.Sum(t) + " (" + plain.Percent(float64(t)/float64(room)) + ")" }
	for _, share := range f.Out.Ranking.Shares(rep.Budget) {
		got, pinned, may := model.Tokens(0), model.Tokens(0), model.Tokens(share.Target)
		for k, t := range p.sums.byKind {
			if rep.Items.Kinds()[k].Is(share.Kind) {
				got, pinned = got+t.selected.tokens, pinned+t.pinned.tokens
			}
		}
		s.scale = max(s.scale, may)
		bound := func(percent float64) string { return strings.TrimSuffix(widget.Share(percent), " %") }
		cells := plainCells(bound(share.Quota.Require()), bound(share.Quota.Cap()), of(may), f.Sum(got))
		rest -= may
		if pinned > 0 {
			s.heads, cells = append(s.heads[:len(cells)], "+ "+plain.Pinned), append(cells, widget.Plain(f.Sum(pinned)))
		}
		s.rows = append(s.rows, traceRow{name: share.Kind.Noun(), lead: Lead{Knob: experiment.Quotas}, bars: widget.InOf(f.Glyphs(), got, may), cells: cells})
	}
	if len(s.rows) > 0 && rest > 0 {
		s.rows = append(s.rows, traceRow{name: "in no share", lead: Lead{Knob: experiment.Quotas}, cells: plainCells("", "", of(rest))})
	}
	return s
}

// counts shows how many items the count quotas require and allow, how many are selected, and how
// many are pinned, which count for none of them.
func (p *View) counts(f *widget.Frame) section {
	s := section{named: true, title: "Counts", heads: []string{"require", "cap", "in", "tokens"}}
	rep := f.Out.Report
	for _, q := range f.Out.Policy.CountQuotas {
		var in, pinned tally
		for k, t := range p.sums.byKind {
			if rep.Items.Kinds()[k].Is(q.Kind) {
				in, pinned = t.selected, t.pinned
			}
		}
		role := theme.Plain
		if in.items < q.Require {
			role = theme.Warn
		}
		cells := plainCells(plain.Thousands(q.Require), plain.Thousands(q.Cap), plain.Thousands(in.items), f.Sum(in.tokens))
		if pinned.items > 0 {
			s.heads, cells = append(s.heads[:len(cells)], "+ "+plain.Pinned), append(cells, widget.Plain(plain.Thousands(pinned.items)))
		}
		s.rows = append(s.rows, traceRow{name: q.Kind.Noun(), role: role, lead: kindLead(q.Kind), cells: cells})
	}
	return s
}
