package command

import (
	"fmt"
	"io"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
)

// AnswerOptions say how an answer is written: the flags of every verb that
// gives one about a single source.
type AnswerOptions struct {
	Output  string // see export.Forms; "" is a table
	ASCII   bool   // Table, Markdown: no marks of ours outside ASCII
	Verbose bool   // say on standard error what was loaded and how long it took
}

func (a AnswerOptions) form() (export.Form, error) {
	form, err := named("output", a.Output, export.Forms())
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

// amount says how many of something: "1 item", "1,200 items".
func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return model.Tokens(n).String() + " " + what + "s"
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
