package command

import (
	"bufio"
	"fmt"
	"io"

	"cupelscope/fixtures"
	"cupelscope/simulate/export"
)

// Fixtures lists the scenarios that come with the program: as a table the name
// and what it is, a line each and without a heading, in other forms the lesson
// too. The error is that of w.
func Fixtures(w io.Writer, a AnswerOptions) error {
	form, err := a.form()
	if err != nil {
		return err
	}
	if form != export.AsTable {
		return fixtureSheet().Write(w, form)
	}
	width := 0
	for _, name := range fixtures.Names() {
		width = max(width, len(name))
	}
	out := bufio.NewWriter(w)
	for _, f := range fixtures.All() {
		fmt.Fprintf(out, "%-*s  %s\n", width, f.Name, f.Title) // Flush reports the error
	}
	return out.Flush()
}

func fixtureSheet() *export.Sheet {
	return &export.Sheet{
		Name:    "fixtures",
		Facts:   []export.Fact{export.SchemaFact("fixtures")},
		Columns: []export.Column{{Name: "name", Heading: "name"}, {Name: "title", Heading: "what it is"}, {Name: "lesson", Heading: "what to try"}},
		Rows: export.RowsOf(fixtures.All(), func(row []export.Cell, _ int, f fixtures.Fixture) []export.Cell {
			return append(row, export.Word(f.Name), export.Text(f.Title, 400), export.Text(f.Lesson, 400))
		}),
	}
}
