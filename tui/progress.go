package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/widget"
)

// progressEvery is how often the screen tells how far work is.
const progressEvery = 150 * time.Millisecond

// progressMsg says that it is time to look how far work is.
type progressMsg struct{}

// progress has the screen drawn now and then while work is running.
type progress struct {
	*widget.Waiting
	watching bool // a message is on its way
}

// watch asks for the next message while anything is running.
func (p *progress) watch(running bool, after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	if p.watching || !running {
		return nil
	}
	p.watching = true
	return after(progressEvery, progressMsg{})
}
