// Package clitest runs command lines within a test. It is no part of the library: the tests of
// other folders use it too.
package clitest

import (
	"bytes"
	"context"
	"strings"

	"cupelscope/simulate/command"
	"cupelscope/simulate/session"
)

// Explorer is an explorer that draws nothing.
type Explorer struct {
	Flagged command.Screen                // supplies the flags and their check; zero: there are none
	Shown   func(o session.Options) error // called in place of Show; may be nil
}

// Screen returns the screen of e.
func (e Explorer) Screen() command.Screen {
	s := e.Flagged
	if s.Flags == nil {
		s.Flags = func(*session.Options) []session.Flag { return nil }
		s.Check = func() error { return nil }
		s.Unattended = func() bool { return false }
	}
	s.Show = func(_ context.Context, o session.Options, _ bool, _ command.Streams) error {
		if e.Shown == nil {
			return nil
		}
		return e.Shown(o)
	}
	return s
}

// Run runs a command line without the program's name. If terminal is true,
// standard output can show the explorer.
func (e Explorer) Run(terminal bool, stdin string, args ...string) (code int, out, diagnostics string) {
	var o, d bytes.Buffer
	p := command.Program{
		Streams:  command.Streams{In: strings.NewReader(stdin), Out: &o, Err: &d},
		Version:  "of a test",
		Screen:   e.Screen(),
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
