package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Ticks let a view go on by itself, one tick after the other. Only the newest comes: the
// clock cancels none, so one that was asked for earlier is dropped. The zero Ticks are stopped.
type Ticks struct {
	due *byte // names the newest; nil: stopped
}

// After returns the command that does then after d, unless Stop or another After comes first.
func (t *Ticks) After(app App, d time.Duration, then func() tea.Cmd) tea.Cmd {
	due := new(byte)
	t.due = due
	return app.After(d, func() tea.Cmd {
		if t.due != due {
			return nil
		}
		return then()
	})
}

// Stop drops the tick that is due.
func (t *Ticks) Stop() { t.due = nil }

// On reports whether a tick is due, or is being done.
func (t *Ticks) On() bool { return t.due != nil }
