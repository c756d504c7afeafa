// Package cli is the command line: the table of verbs, their flags, help, shell
// completions and exit codes. What a verb does stands in package command; what
// draws the explorer is handed in as a Screen.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate/command"
	"cupelscope/simulate/session"
)

// Exit codes; an error with a method ExitCode() int has its own.
const (
	Fine   = 0
	Failed = 1 // a check failed, or a count is wrong
	Input  = 2 // wrong usage, or input that cannot be used
)

// Screen is the explorer.
type Screen interface {
	// Flags are the flags that only the explorer has. Those that say what to open
	// go into o.
	Flags(o *session.Options) []command.Flag
	// Check reports a flag whose value is not known. It is called also where
	// standard output is no terminal.
	Check() error
	// Show runs the explorer until the user quits. Check has found nothing.
	Show(ctx context.Context, o session.Options, ascii bool, s command.Streams) error
}

// Program is everything that the command line needs from outside.
type Program struct {
	Streams command.Streams
	Version string // what --version prints
	Screen  Screen
	// Terminal says that standard output can show the screen; without one the
	// program prints the report.
	Terminal bool
}

// Run executes the command line args, without the program's name, and returns
// the exit code. Errors have been written to Streams.Err. Of what a signal ended
// the cause of the end of ctx is said, and has the exit code.
func (p Program) Run(ctx context.Context, args []string) int {
	out := &lastError{Writer: p.Streams.Out}
	p.Streams.Out = out
	root := p.Command()
	root.SetArgs(args)
	root.SetIn(p.Streams.In)
	root.SetErr(p.Streams.Err)
	err := root.ExecuteContext(ctx)
	if err != nil {
		told := err
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			told = fmt.Errorf("%w; what was not answered until then is missing", context.Cause(ctx))
		}
		fmt.Fprintln(p.Streams.Err, "cupelscope: "+plain.Text(words(told)))
	}
	_, failed := errors.AsType[*command.FailedError](err)
	_, differs := errors.AsType[*command.DifferingCountsError](err)
	if failed || differs {
		return Failed
	}
	if err == nil && out.err != nil { // of help, whose writing nobody looks at
		fmt.Fprintln(p.Streams.Err, "cupelscope: "+plain.Text(out.err.Error()))
		err = out.err
	}
	if err == nil {
		return Fine
	}
	for _, of := range []error{context.Cause(ctx), err} {
		if own, ok := errors.AsType[interface {
			error
			ExitCode() int
		}](of); ok {
			return own.ExitCode()
		}
	}
	return Input
}

// words says an error, of a file without the system call that found it.
func words(err error) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, path.Error(), path.Path+": "+path.Err.Error(), 1)
	}
	return text
}

// lastError remembers that something could not be written.
type lastError struct {
	io.Writer
	err error
}

func (w *lastError) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	if err != nil {
		w.err = err
	}
	return n, err
}
