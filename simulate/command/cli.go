package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
)

// The exit codes that Run returns. An error with a method ExitCode() int
// determines its own.
const (
	Fine   = 0
	Failed = 1 // a check failed, a count is wrong, or a batch could not be answered
	Input  = 2 // wrong usage, or input that cannot be used
)

// ExitCodes says what the exit codes mean, for people.
const ExitCodes = "0: done. 1: a check failed, a count is wrong, or a batch could not be answered. 2: wrong usage, or a source, budget or policy that cannot be used. " +
	"128 and the number of a signal: that ended it."

// Screen is the interactive explorer, which the caller supplies.
type Screen struct {
	// Flags returns the flags that only the explorer has. The flags that say
	// what to open store their values in o.
	Flags func(o *session.Options) []session.Flag
	// Check returns an error if a flag has an unknown value. It is also called
	// when standard output is not a terminal.
	Check func() error
	// Unattended reports whether the flags ask for something that needs no terminal.
	Unattended func() bool
	// Show runs the explorer until the user quits. It is called only after
	// Check has returned nil.
	Show func(ctx context.Context, o session.Options, ascii bool, s Streams) error
}

// Program holds everything that the command line needs from its caller.
type Program struct {
	Streams Streams
	Version string // what --version prints
	Screen  Screen
	// Terminal reports whether standard output can show the screen. If it is
	// false, the program prints the report instead.
	Terminal bool
	// Opts are flags for every run, as OptsVariable holds them.
	Opts string
	// Sessions are the places whose sessions of agents are listed.
	Sessions sessions.Places
}

// Run executes the command line args, without the program's name, and returns
// the exit code. It writes errors to Streams.Err; what cannot be written there is lost
// and changes no exit code. If the verb fails because ctx is canceled, as by a signal,
// Run writes the cause of the cancellation. A cause that has a method ExitCode() int
// determines the exit code, unless it is Failed.
func (p Program) Run(ctx context.Context, args []string) int {
	var lost atomic.Pointer[error] // of a write of the answer
	to := p.Streams.Out
	p.Streams.Out = writer(func(text []byte) (int, error) {
		n, err := to.Write(text)
		if err != nil {
			lost.Store(&err)
		}
		return n, err
	})
	root, flags := p.commands()
	if len(args) > 0 && p.Opts == "" && flags[args[0]] != nil {
		flags[args[0]]()
	} else {
		addAll(flags)
	}
	root.SetArgs(args)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		plainUsages(root)
	}
	root.SetIn(p.Streams.In)
	root.SetErr(p.Streams.Err)
	err := preset(root, p.Opts)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err != nil {
		shown := err
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			shown = fmt.Errorf("%w; what was not answered until then is missing", context.Cause(ctx))
		}
		fmt.Fprintln(p.Streams.Err, "cupelscope: "+plain.Text(words(shown)))
	}
	answered, hasCode := errors.AsType[*answeredError](err)
	if of := lost.Load(); of != nil && (err == nil || hasCode) { // help ignores its write errors
		err = *of
		fmt.Fprintln(p.Streams.Err, "cupelscope: "+plain.Text(err.Error()))
	} else if hasCode {
		return answered.code
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

// answeredError reports that the answer, which has been written, is that something is not
// as it should be.
type answeredError struct {
	code int // the exit code
	says string
}

func (e *answeredError) Error() string { return e.says }

// words returns the text of an error. For an fs.PathError it leaves out the name
// of the operation.
func words(err error) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, path.Error(), path.Path+": "+path.Err.Error(), 1)
	}
	return text
}
