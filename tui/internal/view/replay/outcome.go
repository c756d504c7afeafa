package replay

import (
	"cmp"
	"fmt"
	"slices"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// ended adds to what is said of the last step how the steps end; the longest form first.
func (p *View) ended(said []string) []string {
	if !p.AtEnd() || p.filling || p.other != nil {
		return said
	}
	var forms []string
	end := "After the last step " + p.end()
	for _, end := range []string{end + p.sum() + "." + p.misses(), end + p.sum() + ".", end + ".", p.end() + "."} {
		forms = append(forms, said[0]+" "+end, said[len(said)-1]+" "+end, end)
	}
	return forms
}

// introduced puts what the slicer does before what is said of the step that the view begins with: as
// much of it as there is room for, the longest form first.
func (p *View) introduced(said []string) []string {
	if p.begun <= 0 || p.steps[p.Cursor()].Item < 0 {
		return said
	}
	var forms []string
	for _, does := range clauses(lesson(p.of.Policy)) {
		forms = append(forms, does+" "+said[0], does+" "+said[len(said)-1])
	}
	return append(forms, said...)
}

// verdict says which side is worth more, and by how much.
func (p *View) verdict(f *widget.Frame) string {
	side, more, less := p.app.Side(), p.of.Report.Value, p.other.of.Report.Value
	if more < less {
		side, more, less = side.Other(), less, more
	}
	switch {
	case !slices.Equal(p.of.Report.Scores, p.other.of.Report.Scores):
		return "A and B score the items differently, so their values cannot be compared"
	case more == less:
		return "A and B are worth the same, " + f.About() + widget.Value(more)
	case less > 0:
		return widget.Ahead(side, more, less) + ", " + f.About() + widget.ExactScore(more-less) + " in value"
	}
	return widget.Ahead(side, more, less)
}

// closing says at the last step of both what a side ends with, which side is worth more and what only it
// takes, the longest form first; nil before that.
func (p *View) closing(f *widget.Frame, side experiment.Side) []string {
	if !p.AtEnd() || !p.other.AtEnd() || !p.part() {
		return nil
	}
	of := p
	if side != p.app.Side() {
		of = p.other
	}
	won, only := p.verdict(f), "it takes nothing that "+side.Other().String()+" does not"
	switch items := p.parts.items[side]; {
	case len(items) > 0:
		only = "only " + side.String() + " takes " + cmp.Or(widget.Indexes(items, 40), plain.Count(len(items), "item"))
	case len(p.parts.items[side.Other()]) == 0:
		only = "both take the same items"
	}
	if less := p.parts.of[side.Other()].Value - p.parts.of[side].Value; less > 0 && slices.Equal(p.of.Report.Scores, p.other.of.Report.Scores) {
		won = side.String() + " is worth " + f.About() + widget.ExactScore(less) + " less"
	}
	said := won + ": " + only + "."
	return []string{of.end() + of.rounding(f) + ". " + said, of.end() + ". " + said, said, won + "."}
}

// rounding says what of the room stays free and what of that buckets lose; "" where none do.
func (p *View) rounding(f *widget.Frame) string {
	t, ok := p.tableOf(len(p.steps) - 1)
	if !ok || !t.whole {
		return ""
	}
	forms := p.packing(f, &t)
	return "; " + forms[len(forms)-1]
}

// sum says how what the steps select, what is pinned and what Place drops make all that are in; "" where
// the steps alone do.
func (p *View) sum() string {
	rep, pinned := p.of.Report, len(p.of.Ranking.Pinned())
	if pinned+len(rep.Truncated) == 0 || p.cut {
		return ""
	}
	text := "; "
	if pinned > 0 {
		text += "with the " + plain.Thousands(pinned) + " pinned "
	}
	if n := len(rep.Truncated); n > 0 {
		text += "less " + plain.Thousands(n) + " that Place drops "
	}
	return text + plain.Thousands(len(rep.Included)) + widget.Verb(len(rep.Included), " is in", " are in")
}

// maxMisses is how many items that find no room are named.
const maxMisses = 5

// misses says which items find no room, first those that lack least; "" under a knapsack,
// where an item is left out for the sake of others.
func (p *View) misses() string {
	if p.of.Policy.Slicer.InBuckets() || len(p.short) == 0 {
		return ""
	}
	text := " No room for " + plain.Count(p.shorts, "item")
	if p.shorts > 1 {
		text += ", the nearest first"
	}
	text += ":"
	for k, at := range p.short {
		s := &p.steps[at]
		text += fmt.Sprintf(" #%d lacks %s", s.Item, p.tokens(s.Need-s.Left))
		if k < len(p.short)-1 {
			text += ","
		}
	}
	return text + "."
}

// end says what is in after the last step.
func (p *View) end() string {
	last := p.after(len(p.steps) - 1)
	return plain.Count(last.items, "item") + widget.Verb(last.items, " fills ", " fill ") + p.about() + last.tokens.String() + " of " +
		p.about() + p.of.Report.Effective.Target.String() + " tokens, worth " + p.about() + widget.Value(last.value)
}
