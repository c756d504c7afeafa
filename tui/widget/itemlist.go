package widget

import (
	"slices"

	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
)

// ItemList is the items that pass the filter, in the order they are sorted by,
// with a cursor.
type ItemList struct {
	List
	rows     []int32 // item indexes, a row each
	selected int     // item that the cursor was on when the rows were made

	sort sorting
	// labelled: it is known what is needed.
	labelled bool
	filter   query.Query
	made     made // what rows was made from
	version  int  // counts up when rows are made anew
}

// Rows are the items of the rows. Read only; it never changes, so work in the
// background may keep it.
func (p *ItemList) Rows() []int32 { return p.rows }

// Version is a number that changes when the rows do.
func (p *ItemList) Version() int { return p.version }

// Selected is the index of the item under the cursor; false if there is none.
func (p *ItemList) Selected() (int, bool) {
	if p.cursor < len(p.rows) {
		return int(p.rows[p.cursor]), true
	}
	return 0, false
}

// Select puts the cursor on an item; false if the filter hides it. A list
// without rows remembers the item for when there are some.
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

// Filter shows only what the query matches.
func (p *ItemList) Filter(q query.Query) { p.filter = q }

// FilterText is the query as typed, "" if there is none.
func (p *ItemList) FilterText() string { return p.filter.String() }

// Filtered reports whether there is a filter.
func (p *ItemList) Filtered() bool { return !p.filter.IsZero() }

// DrawEmpty says in the place of rows why there are none.
func (p *ItemList) DrawEmpty(f *Frame, r draw.Rect) {
	lines := []string{"The set has no items."}
	if f.Exp.Items().Len() > 0 {
		lines = []string{"No item matches the filter " + plain.Line(p.filter.String(), max(8, r.W-30)) + ".", "esc clears it, / changes it."}
	}
	for y, s := range lines {
		f.Text(r.X+2, r.Y+1+y, r.W-4, s, theme.Dim)
	}
}
