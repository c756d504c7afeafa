package tui

import (
	"cupelscope/model"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// drawn is where things are in the frame that is shown, for the mouse.
type drawn struct {
	layout Layout
	tabAt  []draw.Rect // by view
	hinted []screen.Hint
	hintAt []draw.Rect // by hint
	drag   drag
}

// drag is what moving the mouse with its button down changes.
type drag int

const (
	noDrag     drag = iota
	dragBudget      // over what shows budgets: maxTokens
	dragOutput      // the left edge of the bar's last part: outReserve
)

// hint is the hint at a cell.
func (d *drawn) hint(x, y int) (screen.Hint, bool) {
	if i := at(d.hintAt, x, y); i >= 0 {
		return d.hinted[i], true
	}
	return screen.Hint{}, false
}

// tab is the view whose tab is at a cell.
func (d *drawn) tab(x, y int) (view int, ok bool) {
	view = at(d.tabAt, x, y)
	return view, view >= 0
}

// at is which of some rectangles a cell is in, -1 for none.
func at(rects []draw.Rect, x, y int) int {
	for i, r := range rects {
		if r.Contains(x, y) {
			return i
		}
	}
	return -1
}

// reserve is the tokens kept for the answer if the last part of the bar begins
// at a column, of a budget: a multiple of what is about a column.
func (d *drawn) reserve(x int, budget model.Tokens) model.Tokens {
	r := d.layout.Bar
	width := model.Tokens(max(1, r.W-2))
	kept := min(max(0, width-model.Tokens(x-r.X-1)), width)
	unit := experiment.NiceStep(max(1, budget/width), false)
	return min(kept*budget/width/unit*unit, budget)
}
