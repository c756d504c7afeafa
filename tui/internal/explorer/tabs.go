package explorer

import (
	"strconv"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// besideTabs is the least room beside the tabs, in cells. It shows that a
// filter hides items.
const besideTabs = 8

// tabNames returns the text of each tab, with the blanks after it: the number and the name of
// the view. If room, in cells, is short of that and besideTabs, the tabs are closer; if it is
// still short, only the tab of the view that is shown has a name.
func tabNames(names []string, shown, room int) []string {
	tabs := make([]string, len(names))
	width := 0
	for v, name := range names {
		tabs[v] = strconv.Itoa(v+1) + " " + name
		if v == shown {
			tabs[v] = "[" + tabs[v] + "]"
		}
		width += len(tabs[v])
	}
	gap := "  "
	switch n := len(names); {
	case width+2*n+besideTabs <= room:
	case width+n+besideTabs <= room:
		gap = " "
	default:
		for v := range tabs {
			if v != shown {
				tabs[v] = strconv.Itoa(v + 1)
			}
		}
	}
	for v := range tabs {
		tabs[v] += gap
	}
	return tabs
}

// tabs draws the views, and the filter where one hides items.
func (m *Model) tabs(f *widget.Frame, r draw.Rect) {
	m.drawn.tabAt = make([]draw.Rect, len(m.views))
	if r.Empty() {
		return
	}
	x := r.X + 1
	names := plain.Texts(m.views, func(v screen.View) string { return m.specOf(v).Name })
	for v, name := range tabNames(names, m.shown, r.W-1) {
		role := theme.Dim
		if v == m.shown {
			role = theme.Focus
		}
		n := f.Text(x, r.Y, r.W, name, role)
		m.drawn.tabAt[v] = draw.Rect{X: x, Y: r.Y, W: n, H: 1}
		x += n
	}
	if m.filterHere().IsZero() {
		return
	}
	room := r.X + r.W - x - 1
	f.Right(x, r.Y, room, widget.Fitting(room, "filter "+plain.Line(m.filterHere().String(), 30), "filtered"), theme.Warn)
}
