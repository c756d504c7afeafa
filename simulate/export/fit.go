package export

import (
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// gapCells is the number of cells between two columns.
const gapCells = 2

// fit makes columns, which are as wide as their widest cells, fit into s.Width. It
// narrows columns that flow, the widest first. If that is not enough, it leaves out
// columns that can be spared, the last first: their widths become 0, and it returns
// their headings. A table that is still too wide stays so.
func (s *Sheet) fit(columns, widths []int) (spared []string) {
	slack := func(k int) int { // cells that column k can do without
		column := s.Columns[columns[k]]
		if column.Flows == 0 {
			return 0
		}
		return max(widths[k]-max(column.Flows, plain.Width(column.Heading)), 0)
	}
	over := -gapCells - s.Width // the number of cells by which the table is too wide
	short := over               // the same with the columns that flow at their least width
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

// command is what a line around a table begins with if it is a command line to be copied.
const command = "cupelscope "

// lineAround returns a line around a table, safe to print. A command line keeps its
// length.
func lineAround(text string) string {
	if strings.HasPrefix(text, command) {
		return plain.Line(text, 1<<16)
	}
	return plain.Line(text, titleCells)
}

// wrapped returns the lines of a text around a table, wrapped if the table has a
// width.
func (s *Sheet) wrapped(text string) []string {
	text = lineAround(text)
	if s.Width <= 0 || text == "" || strings.HasPrefix(text, command) {
		return []string{text}
	}
	return plain.Wrap(text, s.Width, titleCells)
}
