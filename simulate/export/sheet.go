package export

import (
	"fmt"
	"io"
	"iter"
)

// Form is how an answer is written.
type Form string

const (
	AsTable    Form = "table" // for a person
	AsJSON     Form = "json"
	AsCSV      Form = "csv"      // for a spreadsheet or a plot
	AsMarkdown Form = "markdown" // a table to paste
)

// Forms lists the forms that every answer has.
func Forms() []Form { return []Form{AsTable, AsJSON, AsCSV, AsMarkdown} }

// Sheet is an answer made of rows, in any form. What a person reads, a table or
// Markdown, has the title, the notes and the closing lines around the rows; JSON
// is an object of the facts and the rows; CSV is the rows alone.
type Sheet struct {
	Title   string
	Notes   []string // before the rows
	Closing []string // after them

	// Width is how many cells a line of a table may take; 0: as many as it does.
	Width int

	Facts []Fact
	Name  string // of the array of rows in JSON

	Columns []Column
	// Rows yields a cell for each column. They may be walked more than once, and
	// the memory of a row may be used for the next.
	Rows iter.Seq[[]Cell]
}

// RowsOf are the rows of a sheet that has one for each of a list; cells appends
// the cells of the k-th to row.
func RowsOf[T any](list []T, cells func(row []Cell, k int, of T) []Cell) iter.Seq[[]Cell] {
	return func(yield func([]Cell) bool) {
		var row []Cell
		for k, of := range list {
			if row = cells(row[:0], k, of); !yield(row) {
				return
			}
		}
	}
}

// Column is what the cells below each other have in common.
type Column struct {
	Name    string // in JSON and CSV; "": it is not in them
	Was     string // its name up to 0.1.0, under which it stands there a second time; "": it had none
	Heading string // in a table and in Markdown; "": it is not in them
	Right   bool
	Flows   int  // a table of a width cuts its texts, to no fewer cells than these; 0: they stay
	Spare   bool // a table that is too narrow for it is without it
}

// Fact is one thing that an answer in JSON says as a whole.
type Fact struct {
	Name   string
	Was    string // as of Column
	InRows bool   // CSV has it too, as a last column with the same value in each row
	Value  Cell
}

// Write writes the answer in a form. The error is that of w.
func (s *Sheet) Write(w io.Writer, f Form) error {
	switch f {
	case AsTable:
		return s.Table(w)
	case AsJSON:
		return s.JSON(w)
	case AsCSV:
		return s.CSV(w)
	case AsMarkdown:
		return s.Markdown(w)
	}
	return fmt.Errorf("the form %q is not known", string(f))
}

// shown picks the columns that a person sees and the ones that a program gets.
func (s *Sheet) columns(in func(Column) bool) []int {
	var all []int
	for c, column := range s.Columns {
		if in(column) {
			all = append(all, c)
		}
	}
	return all
}

func hasHeading(c Column) bool { return c.Heading != "" }

// field is a column as programs get it.
type field struct {
	name   string
	column int
}

// fields are the columns that programs get, each under its name, and again under
// the one that it had.
func (s *Sheet) fields() []field {
	var all []field
	for c, column := range s.Columns {
		if column.Name != "" {
			all = append(all, field{column.Name, c})
		}
		if column.Was != "" {
			all = append(all, field{column.Was, c})
		}
	}
	return all
}
