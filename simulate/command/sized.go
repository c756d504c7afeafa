package command

import (
	"cupelscope/model"
	"cupelscope/simulate/export"
)

// sizedResult is a result whose sizes a table shows, under a heading and names that end in a
// suffix.
type sizedResult struct {
	suffix, heading string
	report          *model.Report
}

// sizedColumns returns columns for each result with the tokens that an item, given by its
// index, takes there, and with its size; none if it is out. There is no column if no item may
// be cut.
func sizedColumns(set *model.Set, reports ...sizedResult) (columns []export.Column[int]) {
	if !set.HasSizes() {
		return nil
	}
	for _, r := range reports {
		columns = append(columns,
			export.Column[int]{Name: "taken" + r.suffix, Heading: r.heading, Right: true, Cell: func(i int) export.Cell { return export.Tokens(r.report.Taken(i)).If(r.report.In(i)) }},
			export.Column[int]{Name: "size" + r.suffix, Cell: func(i int) export.Cell { return export.SizeOf(r.report, i) }})
	}
	return append(columns, export.Column[int]{Name: "sizeCount", Cell: func(i int) export.Cell { return export.SizeCount(set, i) }})
}
