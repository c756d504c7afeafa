package tui

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// CrashError says that a mistake of the program ended the explorer.
type CrashError struct {
	value any // of the panic
	stack []byte
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("crashed: %v; this is a mistake of the program, please report it with these lines:\n%s", e.value, e.stack)
}

// ExitCode is that of a program that SIGABRT ended.
func (e *CrashError) ExitCode() int { return 128 + 6 }

// guard ends the program in order where the model or one of its commands
// panics. Bubble Tea restores the terminal after a panic as well, but may lose
// what it says of one in a command.
type guard struct {
	*Model
	crash atomic.Pointer[CrashError] // the first
}

// crashMsg says that a command crashed.
type crashMsg struct{}

// caught notes a panic; it is deferred.
func (g *guard) caught(then func()) {
	if r := recover(); r != nil {
		g.crash.CompareAndSwap(nil, &CrashError{r, debug.Stack()})
		then()
	}
}

// Init is the model's.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	return g.command(g.Model.Init())
}

// Update is the model's, until there was a crash.
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	if g.crash.Load() != nil {
		return g, tea.Quit
	}
	_, cmd = g.Model.Update(msg)
	return g, g.command(cmd)
}

// View is the model's, and an empty one after a crash.
func (g *guard) View() (v tea.View) {
	defer g.caught(func() { v = tea.View{AltScreen: true} })
	if g.crash.Load() != nil {
		return tea.View{AltScreen: true}
	}
	return g.Model.View()
}

// command is cmd, after whose panic the program quits.
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
