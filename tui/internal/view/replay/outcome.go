package replay

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/widget"
)

// ended adds to what is said of the last step how the steps end; the longest form first.
func (p *View) ended(said []string) []string {
	if !p.AtEnd() || p.filling || p.other != nil {
		return said
	}
	var forms []string
	end := "After the last step " + p.end()
	for _, end := range []string{end + p.sum() + "." + p.misses(maxMisses), end + p.sum() + ".", end + ".", p.end() + "."} {
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

// verdict returns which side is worth more, and by how much.
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
	case less > 0 && more-less >= .005:
		return widget.Ahead(side, more, less) + ", " + f.About() + widget.Value(more-less) + " in value"
	}
	return widget.Ahead(side, more, less)
}

// closing says at the last step of both what the room of one of them is left with: the items that find none,
// or what buckets lose of it; the longest form first, nil before that.
func (p *View) closing(f *widget.Frame, of *View) []string {
	if !p.AtEnd() || !p.other.AtEnd() || p.Steps() == 0 || p.other.Steps() == 0 {
		return nil
	}
	var forms []string
	if t, ok := of.tableOf(len(of.steps) - 1); ok && t.whole {
		for _, form := range of.packing(f, &t) {
			forms = append(forms, strings.ToUpper(form[:1])+form[1:]+".")
		}
	} else if of.misses(1) != "" {
		forms = append(forms, strings.TrimSpace(of.misses(maxMisses)), strings.TrimSpace(of.misses(1)))
	}
	return append(forms, of.end()+".")
}

// sum returns how many items are pinned and how many Place drops, and how many are in with these;
// "" where both are 0.
func (p *View) sum() string {
	rep, pinned := p.of.Report, len(p.of.Ranking.Pinned())
	if pinned+len(rep.Truncated) == 0 || p.cut {
		return ""
	}
	text := "; "
	if pinned > 0 {
		text += "with the " + plain.Thousands(pinned) + " " + plain.Pinned + " "
	}
	if n := len(rep.Truncated); n > 0 {
		text += "less " + plain.Thousands(n) + " that Place drops "
	}
	return text + plain.Thousands(len(rep.Included)) + widget.Verb(len(rep.Included), " is in", " are in")
}

// maxMisses is how many items that find no room are named.
const maxMisses = 5

// misses returns which items find no room, at most so many, first those that lack least; "" under a
// knapsack, where an item is left out for the sake of others.
func (p *View) misses(most int) string {
	if p.of.Policy.Slicer.InBuckets() || len(p.short) == 0 {
		return ""
	}
	text := " No room for " + plain.Count(p.shorts, "item")
	if p.shorts > 1 {
		text += ", the nearest first"
	}
	between := ": "
	for _, at := range p.short[:min(most, len(p.short))] {
		s := &p.steps[at]
		text += fmt.Sprintf("%s#%d lacks %s", between, s.Item, p.tokens(s.Need-s.Left))
		between = ", "
	}
	return text + "."
}

// end returns what is in after the last step.
func (p *View) end() string {
	last := p.after(len(p.steps) - 1)
	return plain.Count(last.items, "item") + widget.Verb(last.items, " fills ", " fill ") + p.about() + last.tokens.String() + " of " +
		p.about() + p.of.Report.Effective.Target.String() + " tokens, worth " + p.about() + widget.Value(last.value)
}
