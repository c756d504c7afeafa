package itemset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/record"
)

// A table is a file named .csv or .tsv, whose first row names its columns. Each further row is
// read as an object, of which one column is the text: the column that --text names or whose
// name is usual for a text, else the column with at least half of all text. A file without such
// a column is read as a text.

// separators are what separates the columns of a table, by the ending of its name.
var separators = map[string]rune{".csv": ',', ".tsv": '\t'}

// table is what was read of a table.
type table struct {
	rows   []byte // an array of objects
	column string // the column that is the text, where neither its name nor a flag says so
	ok     bool   // it has a second row, a second column, and one that is the text
	ragged []int  // the numbers of rows with more or fewer cells than there are columns
	cut    bool   // it ends within a cell
}

// tableOf reads a table. A row with fewer cells than there are columns lacks the last members.
// In a row with more cells the last ones are joined to one text. If most rows have fewer or
// more, it is no table. The error is a *csv.ParseError with line and column.
func tableOf(data []byte, separator rune, fields Fields) (t table, err error) {
	all, cut, err := cellsOf(data, separator)
	t.cut = cut
	if err != nil || len(all) < 2 || len(all[0]) < 2 {
		return t, err
	}
	names := all[0]
	sum, held := 0, make([]int, len(names))
	objects := make([][]byte, len(all)-1)
	for i, row := range all[1:] {
		if len(row) != len(names) {
			t.ragged = append(t.ragged, i+1)
		}
		if len(row) > len(names) {
			last := len(names) - 1
			row = append(row[:last:last], strings.Join(row[last:], string(separator)))
		}
		var o record.Object
		for k, cell := range row {
			held[k] += len(cell)
			sum += len(cell)
			o = append(o, record.Member{Key: names[k], Value: record.JSON(cell)})
		}
		objects[i] = o.JSON()
	}
	if 2*len(t.ragged) > len(objects) {
		return t, nil
	}
	t.rows = record.Array(objects)
	known := fields.Text != "" || slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(record.Texts, name) || slices.Contains(record.Said, name)
	})
	if known || chat.HasRuns(record.Open(objects[0])) {
		t.ok = true
		return t, nil
	}
	most := slices.Max(held)
	t.column, t.ok = names[slices.Index(held, most)], 2*most >= sum
	return t, nil
}

// cellsOf returns the cells of each row. A table that ends within a cell in quotes has been
// cut: that cell is what there is of it.
func cellsOf(data []byte, separator rune) (rows [][]string, cut bool, err error) {
	reader := func(data []byte, lazy bool) *csv.Reader {
		r := csv.NewReader(bytes.NewReader(data))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator, lazy, -1
		return r
	}
	r := reader(data, separator == '\t')
	for {
		from := r.InputOffset()
		row, err := r.Read()
		if rest := data[min(from, int64(len(data))):]; errors.Is(err, csv.ErrQuote) && r.InputOffset() == int64(len(data)) && bytes.Count(rest, []byte(`"`))%2 == 1 {
			cut = true
			row, err = reader(rest, true).Read()
		}
		if err == io.EOF {
			return rows, cut, nil
		}
		if err != nil {
			return nil, false, err
		}
		rows = append(rows, row)
		if cut {
			return rows, cut, nil
		}
	}
}
