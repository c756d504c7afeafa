// Package command is the program's verbs that need no screen, one file each:
// options in, answers to a writer. It knows no flags and no terminal.
//
// Answers go to Streams.Out alone; what else there is to say goes to
// Streams.Err. Everything from a file that is printed for a person is made safe
// for a terminal first.
package command

import (
	"io"
	"time"

	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// Streams are what a verb reads from and writes to.
type Streams struct {
	In       io.Reader // what the source "-" reads, and what is read without a source
	Typed    bool      // In is a terminal: it is read only for the source "-"
	Out, Err io.Writer
	Now      func() time.Time // times the stages of a run; nil: they are 0
	Progress bool             // Err is a terminal, on which a line may come and go
	Width    int              // cells of a line of Out, where that is a terminal; 0: as many as a line takes
}

// input is what a session reads.
func (s Streams) input() session.Input { return session.Input{Reader: s.In, Typed: s.Typed} }

// write writes an answer to Out.
func (s Streams) write(sheet *export.Sheet, f export.Form) error {
	sheet.Width = s.Width
	return sheet.Write(s.Out, f)
}

// writeBook is write for an answer of several tables.
func (s Streams) writeBook(b *export.Book, f export.Form) error {
	for _, sheet := range b.Sheets {
		sheet.Width = s.Width
	}
	return b.Write(s.Out, f)
}
