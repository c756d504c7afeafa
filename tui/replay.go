package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/tui/screen"
	"cupelscope/tui/view/replay"
)

// replayView is the steps of the slicer. It moves on by itself while it plays.
type replayView struct {
	*replay.View
	app   screen.App
	on    bool
	speed int // index in speeds
	// generation counts ticks: one of an older generation is ignored, as a
	// tick is never cancelled.
	generation int
}

// speeds are in steps a second.
var speeds = [...]int{1, 2, 4, 8, 16, 32, 100, 300, 1000, 3000, 10_000}

// firstSpeed is where speeds begin: four steps a second can be read.
const firstSpeed = 2

// playFrames is how often a second the screen moves at most while it plays.
const playFrames = 32

// playMsg says that the next step is due.
type playMsg struct{ generation int }

func newReplay(app screen.App) screen.View {
	return &replayView{View: new(replay.View), app: app, speed: firstSpeed}
}

func (v *replayView) Spec() screen.Spec {
	return screen.Spec{Name: "Replay", Text: "what the slicer does, step by step"}
}

// Reset forgets all but the speed.
func (v *replayView) Reset() {
	v.Leave()
	*v.View = replay.View{}
}

// Whoever moves the cursor wants it to stay.

func (v *replayView) Move(by int)   { v.Leave(); v.View.Move(by) }
func (v *replayView) Page(dir int)  { v.Leave(); v.View.Page(dir) }
func (v *replayView) Top()          { v.Leave(); v.View.Top() }
func (v *replayView) Bottom()       { v.Leave(); v.View.Bottom() }
func (v *replayView) ToRow(row int) { v.Leave(); v.View.ToRow(row) }

func (v *replayView) Actions() []screen.Action {
	do := func(label, hint, text string, run func() tea.Cmd, key string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, text, key), Hint: hint, Run: run, Why: func() string {
			if v.Steps() == 0 {
				return "there are no steps"
			}
			return ""
		}}
	}
	return []screen.Action{
		do("", "play", "in Replay: play the steps one after the other, or stop", v.playOrPause, "space"),
		do("+/-", "speed", "in Replay: play faster", func() tea.Cmd { return v.faster(1) }, "+"),
		do("", "", "in Replay: play slower", func() tea.Cmd { return v.faster(-1) }, "-"),
		do("n/N", "next taken", "in Replay: to the next step that lets an item in or drops one; with a filter: that matches it",
			screen.Do(func() { v.next(1) }), "n"),
		do("", "", "in Replay: back to such a step", screen.Do(func() { v.next(-1) }), "N"),
	}
}

// playOrPause starts the replay from the cursor, or from the first step if all are
// done; while it plays, it stops it.
func (v *replayView) playOrPause() tea.Cmd {
	if v.on {
		v.Leave()
		return nil
	}
	if v.AtEnd() {
		v.Top()
	}
	v.on = true
	return v.tick()
}

// Playing reports whether the cursor moves on by itself.
func (v *replayView) Playing() bool { return v.on }

// Escape stops the playing.
func (v *replayView) Escape() bool {
	on := v.on
	v.Leave()
	return on
}

// Leave stops the playing.
func (v *replayView) Leave() {
	v.on = false
	v.generation++
	v.View.Playing = ""
}

// tick waits for the next step.
func (v *replayView) tick() tea.Cmd {
	v.generation++
	v.View.Playing = speedText(v.speed)
	perSecond := min(speeds[v.speed], playFrames)
	return v.app.After(time.Second/time.Duration(perSecond), playMsg{v.generation})
}

// Update does the steps that are due.
func (v *replayView) Update(msg tea.Msg) tea.Cmd {
	if due, ok := msg.(playMsg); !ok || !v.on || due.generation != v.generation {
		return nil
	}
	v.View.Move(max(1, speeds[v.speed]/playFrames))
	if v.AtEnd() {
		v.Leave()
		return nil
	}
	return v.tick()
}

func (v *replayView) faster(by int) tea.Cmd {
	v.speed = min(max(0, v.speed+by), len(speeds)-1)
	v.app.Say("replay plays " + speedText(v.speed))
	if v.on {
		return v.tick()
	}
	return nil
}

func speedText(speed int) string { return model.Tokens(speeds[speed]).String() + " a second" }

// next goes to the next step that the filter matches or, without one, that lets
// an item in or drops one.
func (v *replayView) next(dir int) {
	if v.Next(dir) {
		return
	}
	what := "no step that lets an item in"
	if !v.app.Filter().IsZero() {
		what = "no step that the filter matches"
	}
	if dir > 0 {
		v.app.Say("n: " + what + " comes after this one")
	} else {
		v.app.Say("N: " + what + " comes before this one")
	}
}
