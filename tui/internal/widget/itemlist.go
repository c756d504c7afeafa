package widget

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// ItemList is the sorted list of the items that pass the filter, with a cursor.
type ItemList struct {
	List
	rows     []int32 // item indexes, a row each
	selected int     // item that the cursor was on when the rows were made

	sort sorting
	// labelled says that items are marked as needed.
	labelled bool
	filter   query.Query
	// staying is the item under the cursor, if it no longer matches the filter. It has a row
	// until the cursor leaves it.
	staying model.Option[int]
	out     *experiment.Outcome // which the rows list
	ranges  ranges
	over    *Over             // in place of budgets; nil: budgets
	extents []simulate.Extent // along over
	made    made              // what rows was made from
	passed  passed            // of the filter and those that it narrows
	version int               // counts up when rows are made anew
}

// Rows returns the index of the item in each row. The slice must not be changed. Later
// changes of the list make a new one, so that work in the background may keep it.
func (p *ItemList) Rows() []int32 { return p.rows }

// Version returns a number that grows whenever the rows change.
func (p *ItemList) Version() int { return p.version }

// Selected returns the index of the item under the cursor, or false if there is none.
func (p *ItemList) Selected() (int, bool) {
	if p.cursor < len(p.rows) {
		return int(p.rows[p.cursor]), true
	}
	return 0, false
}

// Select puts the cursor on an item. It returns false if the filter hides the item. A list
// without rows remembers the item until it has rows.
func (p *ItemList) Select(item int) bool {
	if len(p.rows) == 0 {
		p.selected = item
	}
	row := slices.Index(p.rows, int32(item))
	if row < 0 {
		return false
	}
	p.To(row)
	return true
}

// Filter sets the query that items must match. It takes effect with the next Arrange.
func (p *ItemList) Filter(q query.Query) { p.filter = q }

// Along makes the columns about budgets show the values of a knob instead; nil: budgets again.
// It takes effect with the next Arrange.
func (p *ItemList) Along(o *Over) {
	if o == nil {
		p.over, p.extents = nil, nil
		return
	}
	if p.over == nil || p.over.Values != o.Values {
		p.extents = o.Values.Extents()
	}
	p.over = o
}

// Extents returns where each item is in along a knob, nil for budgets.
func (p *ItemList) Extents() []simulate.Extent { return p.extents }

// Matching returns how many items match the filter.
func (p *ItemList) Matching() int {
	if p.staying.Set {
		return p.Len() - 1
	}
	return p.Len()
}

// StayingText names the item that has a row though it does not match; "" if none does.
func (p *ItemList) StayingText() string {
	if !p.staying.Set {
		return ""
	}
	return " and #" + strconv.Itoa(p.staying.Value)
}

// Filtered reports whether there is a filter.
func (p *ItemList) Filtered() bool { return !p.filter.IsZero() }

// DrawEmpty draws why there are no rows.
func (p *ItemList) DrawEmpty(f *Frame, r draw.Rect) {
	lines := []string{"The set has no items."}
	if f.Exp.Items().Len() > 0 {
		lines = []string{"No item matches the filter " + plain.Line(p.filter.String(), max(8, r.W-30)) + ".", "esc clears it, / changes it."}
		if f.NoResult && !f.pending() && p.filter.NeedsResult() {
			lines = append(lines, "Nothing is in or out: there is "+f.NoResultText()+".")
		}
	}
	for y, s := range lines {
		f.Text(r.X+2, r.Y+1+y, r.W-4, s, theme.Dim)
	}
}
