package budgetmap

import (
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// fate is what the map says of an item. A search for the item may take runs of the pipeline, so the
// words stay as long as the item and the profile do.
type fate struct {
	profile *simulate.Profile
	item    int
	says    []string // the longest form first
}

// fateOf returns what happens to an item while the budget grows up to the end of the axis, and
// where a binary search for its least budget errs: what comes as one expects is not told.
func fateOf(f *widget.Frame, item int) fate {
	p, name := f.Out.Profile, "#"+strconv.Itoa(item)
	end, bands := p.Axis().End(), p.Bands(nil, item)
	if len(bands) == 0 {
		return fate{p, item, []string{"no budget up to " + f.BudgetText(end) + " lets " + name + " in"}}
	}
	drops := len(bands)
	if bands[drops-1].To == end {
		drops--
	}
	var parts []string
	if drops > 0 {
		parts = append(parts, "as the budget grows, "+name+" drops out "+plain.Count(drops, "time"))
	}
	switch answer := f.Search(item); {
	case answer.Refused:
		parts = append(parts, answer.Text)
	case answer.Errs && answer.Least.Set:
		least := ", but its least budget is "
		if len(f.Out.Items.Sizes(item)) > 0 { // it is in before, cut
			least = ", but the whole needs "
		}
		parts = append(parts, answer.Text+least+f.BudgetText(answer.Least.Value))
	}
	return fate{p, item, []string{strings.Join(parts, "; "), strings.Join(parts[:min(1, len(parts))], "")}}
}

// drawFate says how often a bigger budget drops item i, or the item that it repeats, and what a
// binary search for its least budget makes of that.
func (p *View) drawFate(f *widget.Frame, r draw.Rect, i int) {
	i = f.Out.Report.Survivor(i)
	if p.fate.item != i || !p.fate.profile.Same(f.Out.Profile) {
		p.fate = fateOf(f, i)
	}
	f.Text(r.X, r.Y, r.W, widget.Fitting(r.W, p.fate.says...), theme.Plain)
}

// drawValues says at which values item i is in.
func (p *View) drawValues(f *widget.Frame, r draw.Rect, i int) {
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
