package export

import (
	"bytes"
	"encoding/csv"
)

// CSVHeadings returns the names of the columns as a line of CSV.
func CSVHeadings[T any](columns []Column[T]) []byte {
	row := make([]Cell, len(columns))
	for k, c := range columns {
		row[k] = Word(c.Name)
	}
	return appendCSV(nil, row)
}

// AppendRow appends a row of CSV with the cells of columns, all of which have a name.
func AppendRow[T any](dst []byte, columns []Column[T], of T) []byte {
	row := make([]Cell, len(columns))
	for k, c := range columns {
		row[k] = c.Cell(of)
	}
	return appendCSV(dst, row)
}

// appendCSV appends a row as a line of CSV, and returns the extended buffer.
func appendCSV(dst []byte, row []Cell) []byte {
	line := bytes.NewBuffer(dst)
	out := csv.NewWriter(line)
	_ = out.Write(appendFields(nil, row)) // a buffer has no errors
	out.Flush()
	return line.Bytes()
}
