// Package clitest runs command lines within a test.
package clitest

import (
	"bytes"
	"context"
	"strings"

	"cupelscope/simulate/command"
	"cupelscope/simulate/session"
)

// Explorer is a command.Screen that draws nothing. The zero value has no flags.
type Explorer struct {
	Flagged command.Screen                // supplies the flags and their check; may be nil
	Shown   func(o session.Options) error // called in place of Show; may be nil
}

// Flags implements command.Screen.
func (e Explorer) Flags(o *session.Options) []session.Flag {
	if e.Flagged == nil {
		return nil
	}
	return e.Flagged.Flags(o)
}

// Check implements command.Screen.
func (e Explorer) Check() error {
	if e.Flagged == nil {
		return nil
	}
	return e.Flagged.Check()
}

// Unattended implements command.Screen.
func (e Explorer) Unattended() bool { return e.Flagged != nil && e.Flagged.Unattended() }

// Show implements command.Screen.
func (e Explorer) Show(_ context.Context, o session.Options, _ bool, _ command.Streams) error {
	if e.Shown == nil {
		return nil
	}
	return e.Shown(o)
}

// Run runs a command line without the program's name. If terminal is true,
// standard output can show the explorer.
func (e Explorer) Run(terminal bool, stdin string, args ...string) (code int, out, diagnostics string) {
	var o, d bytes.Buffer
	p := command.Program{
		Streams:  command.Streams{In: strings.NewReader(stdin), Out: &o, Err: &d},
		Version:  "of a test",
		Screen:   e,
		Terminal: terminal,
	}
	code = p.Run(context.Background(), args)
	return code, o.String(), d.String()
}

// Run runs a command line without the program's name where standard output
// cannot show the explorer.
func Run(stdin string, args ...string) (code int, out, diagnostics string) {
	return Explorer{}.Run(false, stdin, args...)
}
