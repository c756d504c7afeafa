package explorer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/widget"
)

// progressEvery is how often the progress of work is drawn.
const progressEvery = 150 * time.Millisecond

// progressMsg says that it is time to draw the progress of work.
type progressMsg struct{}

// progress redraws the screen at intervals while work is running.
type progress struct {
	*widget.Waiting
	watching bool // a progressMsg is on its way
}

// watch returns the command for the next progressMsg, or nil if nothing is running or
// one is on its way.
func (p *progress) watch(running bool, after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	if p.watching || !running {
		return nil
	}
	p.watching = true
	return after(progressEvery, progressMsg{})
}
