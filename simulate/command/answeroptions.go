package command

import (
	"fmt"
	"io"
	"time"

	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// AnswerOptions say how an answer is written: the flags of every verb that
// gives one about a single source.
type AnswerOptions struct {
	Output string // see export.Forms; "" is a table
	ASCII  bool   // Table, Markdown: no marks of ours outside ASCII
	// NoContent leaves the texts of items out, and their beginnings.
	NoContent bool
	Verbose   bool // say on standard error what was loaded
	Timings   bool // say how long the work took, which is otherwise the same in every run
	Quiet     bool // say nothing on standard error but errors
}

func (a AnswerOptions) form() (export.Form, error) {
	form, err := session.ParseName("output", a.Output, export.Forms())
	if err != nil || !form.Set {
		return export.AsTable, err
	}
	return form.Value, nil
}

// say writes a line to w, which is for people. Foreign text may be in it.
func say(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintln(w, "cupelscope: "+plain.Line(fmt.Sprintf(format, args...), 400))
	return err
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
