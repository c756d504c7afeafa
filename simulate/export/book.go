package export

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"sync"
)

// Book is an answer of several sheets: one object in JSON, and one table after
// the other for a person. It has no CSV.
type Book struct {
	Facts  []Fact // only in JSON, before the sheets; the Facts of the sheets are ignored
	Sheets []*Sheet
}

// Write writes the answer in a form. The error is w's, ctx's as in Sheet.Write, or
// says that a Book has no such form.
func (b *Book) Write(ctx context.Context, w io.Writer, f Form) error {
	switch f {
	case AsJSON:
		sheets := make([]*Sheet, len(b.Sheets))
		for k, s := range b.Sheets {
			sheets[k] = s.until(ctx)
		}
		err := writeObject(w, b.Facts, sheets...)
		return cmp.Or(ctx.Err(), err)
	case AsTable, AsMarkdown, "":
		for k, s := range b.Sheets {
			if k > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := s.Write(ctx, w, f); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("several sheets cannot be written as %s", f)
}

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
	w := csvLines.Get().(*csvLine)
	defer csvLines.Put(w)
	w.line.Reset()
	w.fields = appendFields(w.fields[:0], row)
	_ = w.out.Write(w.fields) // a buffer has no errors
	w.out.Flush()
	return append(dst, w.line.Bytes()...)
}

// csvLine makes a line of CSV. A csv.Writer has a buffer that is larger than most lines, so
// lines share one.
type csvLine struct {
	line   bytes.Buffer
	out    *csv.Writer
	fields []string
}

var csvLines = sync.Pool{New: func() any {
	w := &csvLine{}
	w.out = csv.NewWriter(&w.line)
	return w
}}
