package panes

import (
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
)

// severalSources reports whether items come from several sources, and do not
// say so in their titles. Sources follow each other, so the ends tell.
func severalSources(items *model.Set) bool {
	if items.Len() < 2 {
		return false
	}
	first, last := items.Loaded(0), items.Loaded(items.Len()-1)
	return first.Metadata["file"] != nil && last.Metadata["file"] != nil && first.Origin() != last.Origin() &&
		(first.Metadata["title"] == nil || last.Metadata["title"] == nil)
}

// cellFile shows the end of the path, which tells most.
func (p *Items) cellFile(f *Frame, r draw.Rect, i int) {
	path := plain.Line(f.Exp.Items().Loaded(i).Origin(), 8*r.W)
	if over := draw.Width(path) - r.W; over > 0 {
		for over += draw.Width(f.Glyphs().Ellipsis); over > 0 && path != ""; {
			_, size := utf8.DecodeRuneInString(path)
			over -= draw.Width(path[:size])
			path = path[size:]
		}
		path = f.Glyphs().Ellipsis + path
	}
	f.Text(r.X, r.Y, r.W, path, theme.Dim)
}
