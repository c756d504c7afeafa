package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/pane"
)

// restAfter is how long the cursor stays on an item before what costs more than
// passing it is worked out.
const restAfter = 150 * time.Millisecond

// whatIf asks what would come of other items, and puts off what takes long until
// the cursor stays.
type whatIf struct {
	pane.WhatIf
	resting int // the question that waits for that
}

// restMsg says that the cursor may have stayed where a question was asked.
type restMsg struct{ question int }

// rest waits for the cursor to stay, where a question is put off until then.
func (w *whatIf) rest(after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	question, waits := w.Waits()
	if !waits || question == w.resting {
		return nil
	}
	w.resting = question
	return after(restAfter, restMsg{question})
}
