package main

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
)

// endings are the signals that end the program in order.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// signalError is why a context ended: a signal came.
type signalError struct{ syscall.Signal }

func (e signalError) Error() string { return fmt.Sprintf("stopped by a signal (%v)", e.Signal) }

// ExitCode is the one that a shell gives a program that a signal ended.
func (e signalError) ExitCode() int { return 128 + int(e.Signal) }

// untilSignal returns a context that ends with the first signal. A second one
// ends the program at once, as if nobody listened.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	came := make(chan os.Signal, 1)
	signal.Notify(came, endings...)
	go func() {
		select {
		case s := <-came:
			cancel(signalError{s.(syscall.Signal)})
		case <-ctx.Done():
		}
		signal.Stop(came)
	}()
	return ctx, func() { cancel(nil) }
}

// patience is how long after a first signal another one is taken for a part of
// the same: a closing terminal sends several.
const patience = time.Second

// restoring holds that no signal leaves the terminal as the explorer needs it,
// until stop is called. The explorer itself ends with the first signal; where
// it does not, a later one restores the terminal and ends the program. SIGHUP
// never does: with the terminal gone there is nothing to restore, and what the
// explorer keeps of the user's changes takes its time.
func restoring(terminal *os.File) (stop func()) {
	state, err := term.GetState(terminal.Fd())
	if err != nil {
		return func() {} // no terminal
	}
	came, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(came, endings...)
	go func() {
		var first time.Time
		for {
			select {
			case s := <-came:
				now := time.Now()
				if first.IsZero() {
					first = now
				}
				if s != syscall.SIGHUP && now.Sub(first) > patience {
					_, _ = io.WriteString(terminal, asBefore)
					_ = term.Restore(terminal.Fd(), state)
					os.Exit(signalError{s.(syscall.Signal)}.ExitCode())
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(came)
		close(done)
	}
}

// asBefore undoes what the explorer asked of the terminal.
var asBefore = strings.Join([]string{
	ansi.ResetModifyOtherKeys, ansi.PopKittyKeyboard(1), ansi.ResetModeAltScreenSaveCursor, ansi.SetModeTextCursorEnable,
	ansi.ResetModeBracketedPaste, ansi.ResetModeMouseButtonEvent, ansi.ResetModeMouseAnyEvent, ansi.ResetModeMouseExtSgr,
	ansi.ResetModeSynchronizedOutput, ansi.ResetModeUnicodeCore, ansi.ResetStyle,
}, "")
