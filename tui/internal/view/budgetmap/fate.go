package budgetmap

import (
	"errors"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// fate is what happens to an item while the budget grows up to the end of the axis.
type fate struct {
	profile *simulate.Profile
	item    int
	ranges  int // the ranges of budgets at which it is in
	drops   int // how many of them end before the axis does: there a bigger budget drops it

	// search is where Cupel's FindMinBudgetFor ends, unless
	// refused says why it does not begin. Missed is how many ranges end below that.
	search  model.Option[model.Tokens]
	refused error
	missed  int
}

// fateOf returns the fate of an item, with what a search for it answers. Under a knapsack it takes a pass over the table.
func fateOf(p *simulate.Profile, item int, search func(int) (model.Option[model.Tokens], error)) fate {
	end := p.Axis().End()
	bands := p.Bands(nil, item)
	s := fate{profile: p, item: item, ranges: len(bands)}
	s.search, s.refused = search(item)
	for _, b := range bands {
		if b.To < end {
			s.drops++
		}
		if !s.search.Set || b.To < s.search.Value {
			s.missed++
		}
	}
	return s
}

// drawFate says how often a bigger budget drops the item under the cursor, or the one that it
// repeats, and what a binary search for its least budget makes of that.
func (p *View) drawFate(f *widget.Frame, r draw.Rect) {
	i, ok := p.rows.Selected()
	if !ok {
		return
	}
	i = f.Out.Report.Survivor(i)
	if p.fate.item != i || !p.fate.profile.Same(f.Out.Profile) {
		p.fate = fateOf(f.Out.Profile, i, f.Out.Search)
	}
	f.Text(r.X, r.Y, r.W, widget.Fitting(r.W, p.fate.text(f.BudgetText)...), theme.Plain)
}

// drawValues says at which values the item under the cursor is in.
func (p *View) drawValues(f *widget.Frame, r draw.Rect) {
	i, ok := p.rows.Selected()
	if !ok {
		return
	}
	text := "#" + strconv.Itoa(i) + " is in with " + widget.CleanName(p.over.Name)
	bands := p.over.Bands(i)
	if len(bands) == 0 {
		text = "#" + strconv.Itoa(i) + " is in with no " + widget.CleanName(p.over.Name) + " that was tried"
	}
	for k, b := range bands {
		if k > 0 {
			text += ","
		}
		text += " " + p.over.Text(b.From)
		if b.To > b.From {
			text += " to " + p.over.Text(b.To)
		}
	}
	f.Text(r.X, r.Y, r.W, draw.FitWords(text, r.W, f.Glyphs()), theme.Plain)
}

// text returns the sentence about a fate, the longest form first: what comes as one expects is not told.
func (s *fate) text(budget func(model.Tokens) string) []string {
	name := "#" + strconv.Itoa(s.item)
	if s.ranges == 0 {
		return []string{"no budget up to " + budget(s.profile.Axis().End()) + " lets " + name + " in"}
	}
	var parts []string
	if s.drops > 0 {
		parts = append(parts, "as the budget grows, "+name+" drops out "+plain.Count(s.drops, "time"))
	}
	least, _ := s.profile.FirstIn(s.item)
	switch {
	case errors.Is(s.refused, simulate.ErrSearchNotMonotonic):
		parts = append(parts, "binary search has no answer under quotas")
	case s.refused != nil:
		parts = append(parts, "binary search is refused: "+plain.Line(s.refused.Error(), 80))
	case s.search.Set && s.missed > 0:
		parts = append(parts, "binary search says "+budget(s.search.Value)+" is its least budget, but "+budget(least)+" is enough")
	case s.missed > 0:
		parts = append(parts, "binary search finds no budget for it, but "+budget(least)+" is enough")
	}
	return []string{strings.Join(parts, "; "), strings.Join(parts[:min(1, len(parts))], "")}
}
