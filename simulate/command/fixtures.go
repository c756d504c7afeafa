package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cupelscope/fixtures"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// fixturesOptions holds the flags of the verb fixtures.
type fixturesOptions struct {
	answerOptions
	Write string // the folder to write the samples to; "": none
}

func (f *fixturesOptions) verbFlags() []session.Flag {
	return []session.Flag{
		f.outputFlag(),
		{Name: "write", Text: &f.Write, Usage: "write the files of the examples to `FOLDER` instead"},
	}
}

// writeFixtures writes the built-in scenarios. As a table, it writes one line for
// each, with the name and the title and without a heading; the other forms have
// the lesson too.
func writeFixtures(ctx context.Context, _ session.Options, a fixturesOptions, s Streams) error {
	if a.Write != "" {
		return writeSamples(s.Out, a.Write)
	}
	if a.Output != export.AsTable && a.Output != "" {
		return export.Write(ctx, s.Out, a.Output, fixtureSheet())
	}
	var rows [][2]string
	for _, f := range fixtures.All() {
		rows = append(rows, [2]string{f.Name, f.Title})
	}
	return titled(s.Out, rows)
}

// titled writes a line for each name and title.
func titled(w io.Writer, rows [][2]string) error {
	width := 0
	for k := range rows {
		rows[k][0] = plain.Line(rows[k][0], 400) // a folder may have any name
		width = max(width, len(rows[k][0]))
	}
	out := bufio.NewWriter(w)
	for _, row := range rows {
		fmt.Fprintf(out, "%-*s  %s\n", width, row[0], row[1]) // Flush reports the error
	}
	return out.Flush()
}

// writeSamples writes the files of the examples to a folder, which it makes, and their names
// to w. If a file of such a name with another content is there, nothing is written.
func writeSamples(w io.Writer, folder string) error {
	all, err := fixtures.Samples()
	if err != nil {
		return err
	}
	var rows [][2]string
	for _, s := range all {
		path := filepath.Join(folder, s.Name)
		rows = append(rows, [2]string{path, s.Title})
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		// A link that leads nowhere is no file, and a pipe is never opened.
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() {
			was, readErr := os.ReadFile(path)
			if readErr == nil && bytes.Equal(was, s.Bytes) {
				continue
			}
			err = readErr
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--write: %w", err)
		}
		return fmt.Errorf("--write: %s is there and holds something else: nothing is written", path)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	for k, s := range all {
		if err := os.WriteFile(rows[k][0], s.Bytes, 0o644); err != nil {
			return fmt.Errorf("--write: %w", err)
		}
	}
	return titled(w, rows)
}

func fixtureSheet() *export.Sheet {
	return export.SheetOf(export.Sheet{Name: "fixtures", Facts: []export.Fact{export.SchemaFact("fixtures")}}, []export.Column[fixtures.Fixture]{
		{Name: "name", Heading: "name", Cell: func(f fixtures.Fixture) export.Cell { return export.Word(f.Name) }},
		{Name: "title", Heading: "what it is", Cell: func(f fixtures.Fixture) export.Cell { return export.Text(f.Title, 400) }},
		{Name: "lesson", Heading: "what to try", Cell: func(f fixtures.Fixture) export.Cell { return export.Text(f.Lesson, 400) }},
	}, slices.Values(fixtures.All()))
}
