package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// answerOptions control how an answer is written. Most verbs have these flags.
type answerOptions struct {
	Output export.Form
	ASCII  bool // in tables and Markdown, marks are ASCII; the texts of items stay as they are
	// NoContent leaves out the texts of items, and also their beginnings.
	NoContent bool
	Verbose   bool // write on standard error what was loaded
	Timings   bool // write how long the work took; without it, equal runs write equal bytes
	Quiet     bool // write only errors, and what was skipped, to standard error
}

// muted returns s or, with Quiet, s without progress and without notes, except about what was
// skipped. Errors are written to s itself.
func (a answerOptions) muted(s Streams) Streams {
	if a.Quiet {
		s.Err, s.loud, s.Progress = io.Discard, s.Err, false
		if s.line != nil {
			s.line.on = false
		}
	}
	return s
}

// canWrite refuses a path that a flag gives for a file to be written after work that may
// take long, or that is also read; "" is none.
func canWrite(ctx context.Context, o session.Options, flag, path string, read ...string) error {
	if path == "" {
		return nil
	}
	if err := o.CheckWritable(ctx, path, read...); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// lineIf returns the line if holds is true, for the lines around a table.
func lineIf(holds bool, line string) []string {
	if holds {
		return []string{line}
	}
	return nil
}

// count returns how many of all are so.
func count[T any](all []T, so func(T) bool) (n int) {
	for _, one := range all {
		if so(one) {
			n++
		}
	}
	return n
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
