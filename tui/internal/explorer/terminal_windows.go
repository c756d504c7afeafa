package explorer

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// suspend tells that a shell of Windows continues no program.
func (m *Model) suspend() tea.Cmd { return func() tea.Msg { return m.notSuspended(errNoShell) } }

// input leaves the console to Bubble Tea, which reads whole events from it.
func input() []tea.ProgramOption { return nil }

// onResize does nothing: no console of Windows is that large.
func onResize(context.Context, func()) {}
