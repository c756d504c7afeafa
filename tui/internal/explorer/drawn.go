package explorer

import (
	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
)

// drawn holds where things are in the frame that is shown, for the mouse.
type drawn struct {
	layout layout
	tabAt  []draw.Rect // by view
	hinted []screen.Hint
	hintAt []draw.Rect // by hint
	drag   drag
}

// drag says what moving the mouse with the button pressed changes.
type drag int

const (
	noDrag     drag = iota
	dragBudget      // maxTokens, along an axis of budgets
	dragOutput      // output reserve, by the left edge of the last part of the bar
)

// hint returns the hint at a cell, or false if there is none.
func (d *drawn) hint(x, y int) (screen.Hint, bool) {
	if i := at(d.hintAt, x, y); i >= 0 {
		return d.hinted[i], true
	}
	return screen.Hint{}, false
}

// tab returns the view whose tab is at a cell, or false if there is none.
func (d *drawn) tab(x, y int) (view int, ok bool) {
	view = at(d.tabAt, x, y)
	return view, view >= 0
}

// at returns the index of the rectangle that contains a cell, or -1.
func at(rects []draw.Rect, x, y int) int {
	for i, r := range rects {
		if r.Contains(x, y) {
			return i
		}
	}
	return -1
}

// reserve returns how many tokens of a budget are kept for the answer if the last part
// of the bar begins at column x. It is a multiple of a round number of about one column.
func (d *drawn) reserve(x int, budget model.Tokens) model.Tokens {
	r := d.layout.Bar
	width := model.Tokens(max(1, r.W-2))
	kept := min(max(0, width-model.Tokens(x-r.X-1)), width)
	unit := experiment.NiceStep(max(1, budget/width), false)
	return min(kept*budget/width/unit*unit, budget)
}
