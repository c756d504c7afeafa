package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
)

// playing moves the replay on by itself. A tick is never cancelled: one of an
// older generation is ignored.
type playing struct {
	on         bool
	speed      int // index in speeds
	generation int
}

// speeds are in steps a second.
var speeds = [...]int{1, 2, 4, 8, 16, 32, 100, 300, 1000, 3000, 10_000}

// playSpeed is the speed to begin with: four steps a second can be read.
const playSpeed = 2

// playFrames is how often a second the screen moves at most while it plays.
const playFrames = 32

// playMsg says that the next step is due.
type playMsg struct{ generation int }

// playOrPause starts the replay from the cursor, or from the first step if all are
// done; while it plays, it stops it.
func (m *Model) playOrPause() tea.Cmd {
	if m.play.on {
		m.pause()
		return nil
	}
	if m.replay.AtEnd() {
		m.replay.Top()
	}
	m.play.on = true
	return m.tick()
}

func (m *Model) pause() {
	m.play.on = false
	m.play.generation++
	m.replay.Playing = ""
}

// tick waits for the next step.
func (m *Model) tick() tea.Cmd {
	m.play.generation++
	m.replay.Playing = speedText(m.play.speed)
	perSecond := min(speeds[m.play.speed], playFrames)
	return m.after(time.Second/time.Duration(perSecond), playMsg{m.play.generation})
}

// played does the steps that are due.
func (m *Model) played(msg playMsg) tea.Cmd {
	if !m.play.on || msg.generation != m.play.generation {
		return nil
	}
	if m.view != viewReplay || m.reading || m.overlay != noOverlay {
		m.pause()
		return nil
	}
	m.replay.Move(max(1, speeds[m.play.speed]/playFrames))
	if m.replay.AtEnd() {
		m.pause()
		return nil
	}
	return m.tick()
}

func (m *Model) faster(by int) tea.Cmd {
	m.play.speed = min(max(0, m.play.speed+by), len(speeds)-1)
	m.message = "replay plays " + speedText(m.play.speed)
	if m.play.on {
		return m.tick()
	}
	return nil
}

func speedText(speed int) string { return model.Tokens(speeds[speed]).String() + " a second" }

// nextStep goes to the next step that the filter matches or, without one, that
// lets an item in or drops one.
func (m *Model) nextStep(dir int) tea.Cmd {
	if m.replay.Next(dir) {
		return nil
	}
	what := "no step that lets an item in"
	if !m.filter.IsZero() {
		what = "no step that the filter matches"
	}
	if dir > 0 {
		m.message = "n: " + what + " comes after this one"
	} else {
		m.message = "N: " + what + " comes before this one"
	}
	return nil
}

func needsSteps(m *Model) string {
	if m.replay.Steps() == 0 {
		return "there are no steps"
	}
	return ""
}
