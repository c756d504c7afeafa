package tui

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// CrashError reports that a panic ended the explorer. Its text includes the stack trace.
type CrashError struct {
	value any // the value of the panic
	stack []byte
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("crashed: %v; this is a mistake of the program, please report it with these lines:\n%s", e.value, e.stack)
}

// ExitCode returns 134, the exit status that shells report for a program that SIGABRT
// ended.
func (e *CrashError) ExitCode() int { return 128 + 6 }

// guard wraps the model so that the program quits in order after a panic in the model
// or in one of its commands. Bubble Tea restores the terminal after a panic as well, but
// may lose the message of a panic in a command.
type guard struct {
	*Model
	crash atomic.Pointer[CrashError] // the first crash; nil if there was none
}

// crashMsg says that a command panicked.
type crashMsg struct{}

// caught recovers from a panic, stores it if it is the first, and calls then. It must be
// deferred directly.
func (g *guard) caught(then func()) {
	if r := recover(); r != nil {
		g.crash.CompareAndSwap(nil, &CrashError{r, debug.Stack()})
		then()
	}
}

// Init calls Init of the model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	return g.command(g.Model.Init())
}

// Update calls Update of the model; after a crash it only quits.
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	if g.crash.Load() != nil {
		return g, tea.Quit
	}
	_, cmd = g.Model.Update(msg)
	return g, g.command(cmd)
}

// View returns the view of the model, or an empty one after a crash.
func (g *guard) View() (v tea.View) {
	defer g.caught(func() { v = tea.View{AltScreen: true} })
	if g.crash.Load() != nil {
		return tea.View{AltScreen: true}
	}
	return g.Model.View()
}

// command wraps cmd, and the commands of the batch it may return, so that the program
// quits if one of them panics. It returns nil for nil.
func (g *guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.caught(func() { msg = crashMsg{} })
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = g.command(c)
			}
		}
		return msg
	}
}
