package itemset

import (
	"bytes"
	"encoding/csv"
	"slices"

	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/record"
)

// A table is a file named .csv or .tsv, whose first row names its columns. Each further row
// is read as an object, of which a column is the text: the one that --text names or that
// is called as texts are, else the one that holds half of the text or more; without one it is a
// text.

// separators are what separates the columns of a table, by the ending of its name.
var separators = map[string]rune{".csv": ',', ".tsv": '\t'}

// rowsOf returns the rows of a table as an array of objects; ok is false if it has no
// second row, no second column, or no column that is the text. column is the one that is the text, where neither its
// name nor a flag says so. The error is a *csv.ParseError with line and column.
func rowsOf(data []byte, separator rune, fields Fields) (rows []byte, column string, ok bool, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.LazyQuotes = separator, separator == '\t'
	all, err := r.ReadAll()
	if err != nil || len(all) < 2 || len(all[0]) < 2 {
		return nil, "", false, err
	}
	names := all[0]
	held := make([]int, len(names))
	objects := make([][]byte, len(all)-1)
	for i, row := range all[1:] {
		var o record.Object
		for k, cell := range row {
			held[k] += len(cell)
			o = append(o, record.Member{Key: names[k], Value: record.JSON(cell)})
		}
		objects[i] = o.JSON()
	}
	rows = record.Array(objects)
	known := fields.Text != "" || slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(record.Texts, name) || slices.Contains(record.Said, name)
	})
	if known || chat.HasRuns(record.Open(objects[0])) {
		return rows, "", true, nil
	}
	sum := 0
	for _, size := range held {
		sum += size
	}
	most := slices.Max(held)
	return rows, names[slices.Index(held, most)], 2*most >= sum, nil
}
