package export

import (
	"slices"

	"cupelscope/model/plain"
)

// gapCells stand between two columns.
const gapCells = 2

// fit makes columns, as wide as their widest cells, fit into s.Width. Columns
// that flow are narrowed, the widest first; where they come to their least and
// that does not do, those that can be spared are left out, the last first: their
// width becomes 0, and their headings are returned. A table that is too wide all
// the same stays so.
func (s *Sheet) fit(columns, widths []int) (spared []string) {
	slack := func(k int) int { // cells that column k can do without
		column := s.Columns[columns[k]]
		if column.Flows == 0 {
			return 0
		}
		return max(widths[k]-max(column.Flows, plain.Width(column.Heading)), 0)
	}
	over := -gapCells - s.Width // how many cells too wide
	short := over               // and how many once what flows is at its least
	for k := range columns {
		if widths[k] > 0 {
			over += widths[k] + gapCells
			short += widths[k] + gapCells - slack(k)
		}
	}
	for k := len(columns) - 1; k >= 0 && short > 0; k-- {
		if column := s.Columns[columns[k]]; column.Spare && widths[k] > 0 {
			over -= widths[k] + gapCells
			short -= widths[k] + gapCells - slack(k)
			widths[k] = 0
			spared = append(spared, column.Heading)
		}
	}
	slices.Reverse(spared)
	for ; over > 0; over-- {
		widest := -1
		for k := range columns {
			if slack(k) > 0 && (widest < 0 || widths[k] > widths[widest]) {
				widest = k
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return spared
}

// wrapped is a line around a table, broken where the table has a width.
func (s *Sheet) wrapped(text string) []string {
	text = plain.Line(text, titleCells)
	if s.Width <= 0 || text == "" {
		return []string{text}
	}
	return plain.Wrap(text, s.Width, titleCells)
}
