// This file ends the program properly when a signal arrives: with the exit code that a
// shell expects and the terminal as it was before.
//
// SIGKILL and fatal errors of the Go runtime (a stack overflow, concurrent writes to a
// map, no memory left) run no more code of the process, so they leave the terminal in
// raw mode and on the alternate screen, and unsaved changes are lost. The command reset,
// typed blind, restores the terminal.

package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"cupelscope/tui/internal/explorer"
)

// endings lists the signals that end the program properly. Without this, the signals of the last
// line would end it with a trace of all goroutines, as a mistake of the program still does.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT,
	syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV, badCall}

// signalError is the cause of a context that a signal canceled.
type signalError syscall.Signal

// Error returns the message, which names the signal.
func (e signalError) Error() string {
	return fmt.Sprintf("stopped by a signal (%v)", syscall.Signal(e))
}

// ExitCode returns 128 plus the number of the signal, as shells do.
func (e signalError) ExitCode() int { return 128 + int(e) }

// untilSignal returns a context that the first of endings cancels, with a signalError as its
// cause. A second signal ends the program at once, as it does by default. Call stop when the
// work is done: it cancels the context and restores the default handling of signals.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	came := make(chan os.Signal, 1)
	signal.Notify(came, endings...)
	go func() {
		select {
		case s := <-came:
			cancel(signalError(s.(syscall.Signal)))
		case <-ctx.Done():
		}
		signal.Stop(came)
	}()
	return ctx, func() { cancel(nil) }
}

// patience is how long further signals count as part of the first one, because a
// closing terminal sends several.
const patience = time.Second

// restoring makes sure, until stop is called, that no signal leaves the terminal
// in raw mode or on the alternate screen. The explorer ends by itself at the
// first signal; if it does not, a later one restores the terminal and ends the
// program. A signal within a second of the first does not count as a later one.
// SIGHUP never ends the program here: the terminal is gone, so there is nothing
// to restore, and the explorer needs time to save unsaved changes. If terminal is
// not a terminal, restoring does nothing.
//
// stop sets the modes of the terminal as they were. After a signal it also ends the
// program if that still runs explorer.TerminalWait later, because the terminal does not read its
// last words. stop must be called only once.
func restoring(terminal *os.File) (stop func()) {
	state, err := term.GetState(terminal.Fd())
	if err != nil {
		return func() {} // not a terminal
	}
	came, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(came, endings...)
	go func() {
		var first time.Time
		var code int
		for {
			select {
			case s := <-came:
				now := time.Now()
				code = signalError(s.(syscall.Signal)).ExitCode()
				if first.IsZero() {
					first = now
				}
				if s != syscall.SIGHUP && now.Sub(first) > patience {
					restore(terminal, state)
					os.Exit(code)
				}
			case <-done:
				if !first.IsZero() {
					time.Sleep(explorer.TerminalWait)
					os.Exit(code)
				}
				return
			}
		}
	}()
	return func() {
		signal.Stop(came)
		_ = term.Restore(terminal.Fd(), state)
		close(done)
	}
}

// restore leaves the alternate screen and raw mode. It waits for a terminal that does not
// read for explorer.TerminalWait at most.
func restore(terminal *os.File, state *term.State) {
	written := make(chan struct{})
	go func() {
		_, _ = io.WriteString(terminal, asBefore)
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(explorer.TerminalWait):
	}
	_ = term.Restore(terminal.Fd(), state)
}

// asBefore is the sequence that undoes every mode that the explorer switches on.
var asBefore = strings.Join([]string{
	ansi.ResetModifyOtherKeys, ansi.PopKittyKeyboard(1), ansi.ResetModeAltScreenSaveCursor, ansi.SetModeTextCursorEnable, ansi.SetModeAutoWrap,
	ansi.ResetModeBracketedPaste, ansi.ResetModeMouseButtonEvent, ansi.ResetModeMouseAnyEvent, ansi.ResetModeMouseExtSgr,
	ansi.ResetModeSynchronizedOutput, ansi.ResetModeUnicodeCore, ansi.ResetStyle,
}, "")
