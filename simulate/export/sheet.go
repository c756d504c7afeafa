package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
)

// Form is a format in which answers are written.
type Form string

const (
	AsTable    Form = "table" // for a person; also ""
	AsJSON     Form = "json"
	AsCSV      Form = "csv"      // for a spreadsheet or a plot
	AsMarkdown Form = "markdown" // a table to paste
)

// Forms returns all forms.
func Forms() []Form { return []Form{AsTable, AsJSON, AsCSV, AsMarkdown} }

// Sheet is an answer that consists of rows. A table and Markdown, which people
// read, have the title, the notes and the closing lines around the rows. JSON
// is an object of the facts and the rows. CSV is the rows only, with the facts
// that are InRows.
type Sheet struct {
	Title   string
	Notes   []string // before the rows
	Closing []string // after them

	// Width is the greatest width of a table in terminal cells; 0: unlimited.
	Width int
	// Colour lets a table colour the cells that are Judged.
	Colour bool

	Facts []Fact
	Name  string // the name of the array of rows in JSON

	Columns []head
	// Rows yields rows with a cell for each column. It may be iterated several
	// times, and it may reuse the memory of a row for the next.
	Rows iter.Seq[[]Cell]
}

// Column is a column of rows that are about a T each.
type Column[T any] struct {
	Name    string // in JSON and CSV; "": they leave the column out
	Heading string // in a table and in Markdown; "": they leave the column out
	Right   bool
	Flows   int  // the least width, in cells, to which a table with a Width cuts its texts; 0: they are not cut
	Spare   bool // a table leaves the column out if it is too narrow
	Cell    func(of T) Cell
}

// SheetOf returns s with columns and a row for each of rows.
func SheetOf[T any](s Sheet, columns []Column[T], rows iter.Seq[T]) *Sheet {
	for _, c := range columns { // by hand, as Of would be compiled once more for each T: 60 kB in all
		s.Columns = append(s.Columns, head{Name: c.Name, Heading: c.Heading, Right: c.Right, Flows: c.Flows, Spare: c.Spare})
	}
	s.Rows = func(yield func([]Cell) bool) {
		row := make([]Cell, len(columns))
		for of := range rows {
			for k, c := range columns {
				row[k] = c.Cell(of)
			}
			if !yield(row) {
				return
			}
		}
	}
	return &s
}

// Upto yields 0 to n-1, for columns about an index.
func Upto(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

// Of returns columns for rows about a T, from columns about a part of it.
func Of[T, U any](part func(T) U, columns ...Column[U]) []Column[T] {
	all := make([]Column[T], len(columns))
	for k, c := range columns {
		all[k] = Column[T]{c.Name, c.Heading, c.Right, c.Flows, c.Spare, func(of T) Cell { return c.Cell(part(of)) }}
	}
	return all
}

// Known returns columns that have no value in the rows for which known is false.
func Known[T any](known func(T) bool, columns ...Column[T]) []Column[T] {
	all := slices.Clone(columns)
	for k, c := range columns {
		all[k].Cell = func(of T) Cell {
			if !known(of) {
				return None
			}
			return c.Cell(of)
		}
	}
	return all
}

// head is a column without its cells.
type head = Column[struct{}]

// Fact is a value in JSON that concerns the whole answer.
type Fact struct {
	Name   string
	InRows bool // also in CSV, as a last column with the same value in each row
	Value  Cell
}

// Write writes an answer of one or several sheets in a form: as one object in JSON, of which
// only the first sheet has facts, and else one after the other. The error is w's, or ctx's if
// that ends before all rows are made, or says that the form is not known.
func Write(ctx context.Context, w io.Writer, f Form, sheets ...*Sheet) error {
	write := map[Form]func(*bufio.Writer, ...*Sheet) error{
		"": each((*Sheet).table), AsTable: each((*Sheet).table), AsMarkdown: each((*Sheet).markdown), AsCSV: each((*Sheet).csv), AsJSON: writeObject,
	}[f]
	if write == nil {
		return fmt.Errorf("the form %q is not known", string(f))
	}
	all, out := make([]*Sheet, len(sheets)), bufio.NewWriterSize(w, writeBytes)
	for k, s := range sheets {
		all[k] = s.until(ctx)
	}
	err := write(out, all...)
	return cmp.Or(ctx.Err(), err, out.Flush())
}

// writeBytes is the number of bytes that are written at a time.
const writeBytes = 64 << 10

// each writes sheets one after the other, with an empty line between two.
func each(write func(*Sheet, *bufio.Writer) error) func(*bufio.Writer, ...*Sheet) error {
	return func(out *bufio.Writer, sheets ...*Sheet) error {
		for k, s := range sheets {
			if k > 0 {
				out.WriteString("\n") // Flush reports the error
			}
			if err := write(s, out); err != nil {
				return err
			}
		}
		return nil
	}
}

// until returns a sheet whose rows end once ctx is done: a table takes them all before it
// writes the first.
func (s *Sheet) until(ctx context.Context) *Sheet {
	ends := *s
	ends.Rows = func(yield func([]Cell) bool) {
		for row := range s.Rows {
			if ctx.Err() != nil || !yield(row) {
				return
			}
		}
	}
	return &ends
}

// headed returns the numbers of the columns that a person sees.
func (s *Sheet) headed() []int { return s.columns(func(c head) string { return c.Heading }) }

// named returns the numbers of the columns of the output for programs.
func (s *Sheet) named() []int { return s.columns(func(c head) string { return c.Name }) }

// columns returns the numbers of the columns that have a text.
func (s *Sheet) columns(text func(head) string) []int {
	var all []int
	for c, column := range s.Columns {
		if text(column) != "" {
			all = append(all, c)
		}
	}
	return all
}
