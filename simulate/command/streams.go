package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// Streams holds the standard streams of a verb and describes them.
type Streams struct {
	In       io.Reader // read for the source "-", and if there is no source
	Typed    bool      // In is a terminal: it is read only for the source "-"
	Out, Err io.Writer
	Now      func() time.Time // the clock that times the stages of a run; nil: nothing is timed
	Progress bool             // Err is a terminal that can show a line of progress
	Width    int              // cells in a line of Out if it is a terminal; 0: lines have no limit
	Colour   bool             // Out is a terminal that shows colours, and they are wanted

	loud io.Writer     // what Err was before it was muted, for what was skipped; nil: it is not muted
	line *progressLine // of the verb that runs; nil: it makes its own
}

// now returns the time, or the zero time if nothing is timed.
func (s Streams) now() time.Time {
	if s.Now == nil {
		return time.Time{}
	}
	return s.Now()
}

// clock returns the option of a pipeline whose stages are timed; none if nothing is timed.
func (s Streams) clock() []pipeline.Option {
	if s.Now == nil {
		return nil
	}
	return []pipeline.Option{pipeline.WithClock(s.Now)}
}

// input returns s as the input of a session.
func (s Streams) input() session.Input { return session.Input{Reader: s.In, Typed: s.Typed} }

// write writes an answer to Out, unless ctx ends before.
func (s Streams) write(ctx context.Context, f export.Form, sheets ...*export.Sheet) error {
	for _, sheet := range sheets {
		sheet.Width, sheet.Colour = s.Width, s.Colour
	}
	return export.Write(ctx, until(ctx, s.Out), f, sheets...)
}

// say writes a line for people to Err. The line may contain text from files.
func (s Streams) say(format string, args ...any) {
	fmt.Fprintln(s.Err, "cupelscope: "+plain.Line(fmt.Sprintf(format, args...), 400)) // it is lost where Err takes nothing
}

func (s Streams) sayAll(lines []string) {
	for _, line := range lines {
		s.say("%s", line)
	}
}

// until returns a writer to w that returns the error of a context once that is done, so
// that a long answer ends early.
func until(ctx context.Context, w io.Writer) io.Writer {
	return writer(func(text []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return w.Write(text)
	})
}

// writer is a function that writes.
type writer func(text []byte) (int, error)

func (w writer) Write(text []byte) (int, error) { return w(text) }
