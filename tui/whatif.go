package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/pane"
)

// restDelay is how long the cursor must stay on an item before expensive what-if
// work starts.
const restDelay = 150 * time.Millisecond

// whatIf asks what would come of other items, and puts off what takes long until
// the cursor stays.
type whatIf struct {
	pane.WhatIf
	waitingFor int // the question that a rest timer is running for
}

// restMsg says that the cursor may have stayed where a question was asked.
type restMsg struct{ question int }

// rest waits for the cursor to stay, where a question is put off until then.
func (w *whatIf) rest(after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	question, waits := w.Waits()
	if !waits || question == w.waitingFor {
		return nil
	}
	w.waitingFor = question
	return after(restDelay, restMsg{question})
}
