package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/pane"
)

// restDelay is how long the cursor must stay on an item before expensive what-if
// work starts.
const restDelay = 150 * time.Millisecond

// whatIf computes what pinning or excluding an item would change. What takes long waits
// until the cursor stays on the item.
type whatIf struct {
	pane.WhatIf
	waitingFor int // the question that a rest timer is running for
}

// restMsg says that the cursor may have stayed where a question was asked.
type restMsg struct{ question int }

// rest starts the timer of a question that waits for the cursor to stay.
func (w *whatIf) rest(after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	question, waits := w.Waits()
	if !waits || question == w.waitingFor {
		return nil
	}
	w.waitingFor = question
	return after(restDelay, restMsg{question})
}
