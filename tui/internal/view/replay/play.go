package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/screen"
)

// speeds lists the speeds of the replay, in steps per second.
var speeds = [...]int{1, 2, 4, 8, 16, 32, 100, 300, 1000, 3000, 10_000}

// firstSpeed is the index in speeds to begin with: four steps per second can be
// read.
const firstSpeed = 2

// playFrames is the most often that the screen changes per second of playing.
const playFrames = 32

// Spec returns the name of the view and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Replay, Text: "what the slicer does, step by step",
		Words:   "how algorithm step by step explain slicer knapsack",
		Actions: p.actions(), Hinted: []string{"replay.play", "replay.next", "replay.next other", "replay.fill", "replay.beside", "policy.B", "policy.A"},
		Worker: p, Filter: p.Filter, Zoom: p.Zoom, WhyNone: p.noItem, Aside: p.aside,
		Enter: p.Enter, Paired: p.Paired, Escape: p.Escape, Leave: p.Leave, Hidden: p.Release, DropStale: p.Release, Forget: p.Forget,
	}
}

// New returns the view. It calls app for what the program does.
func New(app screen.App) *View { return &View{app: app, play: play{speed: firstSpeed}} }

// Reset stops the playing and forgets everything except the speed.
func (p *View) Reset() {
	p.Leave()
	*p = View{app: p.app, play: p.play}
}

// play holds whether the cursor moves on by itself, and how fast.
type play struct {
	screen.Ticks
	speed int // index in speeds
}

// Moving the cursor ends the playing: a user who moves it wants it to stay there.

func (p *View) Move(by int)  { p.Leave(); p.List.Move(by) }
func (p *View) Page(dir int) { p.Leave(); p.List.Page(dir) }
func (p *View) Top()         { p.Leave(); p.List.Top() }
func (p *View) Bottom()      { p.Leave(); p.List.Bottom() }
func (p *View) To(step int)  { p.Leave(); p.List.To(step) }

// actions returns the keys of the view. What turns a knob elsewhere goes through the
// steps here: a replay is a film, and the budget has [ and ].
func (p *View) actions() []screen.Action {
	needsSteps := func() string {
		if p.Steps() == 0 {
			return "there are no steps"
		}
		return ""
	}
	step := func(name, label, hint, text string, by int, keys ...string) screen.Action {
		return screen.Action{Name: "replay." + name, Keys: keys, Label: label, Hint: hint, Text: "in Replay: " + text, Why: needsSteps, Run: screen.Do(func() { p.Move(by) })}
	}
	switches := func(on func() bool, off, to string) func() string {
		return func() string {
			if on() {
				return off
			}
			return to
		}
	}
	return []screen.Action{
		{Name: "replay.play", Keys: []string{"space", "P"}, Hint: "play", HintNow: switches(p.play.On, "stop", "play"), Text: "in Replay: play the steps, or stop", Words: "pause", Why: needsSteps, Run: p.playOrPause},
		step("next", "h/l", "step", "one step forward; the budget keeps [ and ]", 1, "l", "right"),
		step("back", "", "", "one step back", -1, "h", "left"),
		step("far on", "", "", "ten steps forward", 10, "L", "shift+right"),
		step("far back", "", "", "ten steps back", -10, "H", "shift+left"),
		{Name: "replay.next other", Keys: []string{"n"}, Label: "n/N", Hint: "next out", HintNow: p.finds, Text: "in Replay: to the next item that goes the other way, out after in or in after out; with a filter, to the next that matches",
			Words: "skipped misfit does not fit taken", Why: needsSteps, Try: func() string { return p.next(1) }},
		{Name: "replay.previous other", Keys: []string{"N"}, Text: "in Replay: to the previous such item", Why: needsSteps, Try: func() string { return p.next(-1) }},
		{Name: "replay.fill", Keys: []string{"b"}, Hint: "fill it", HintNow: switches(func() bool { return p.filling }, "read it back", "fill the table"), Text: "in Replay: how the table of a knapsack is filled, or how it is read back", Why: p.needsFilling, Try: p.toggleFilling},
		{Name: "replay.beside", Keys: []string{"d"}, Hint: "A and B", HintNow: switches(p.Paired, "one side", "A and B"), Text: "in Replay: A and B beside each other, in step by the tokens that are placed; n then goes, on both sides, to the next item that only one takes",
			Words: "both compare side by side greedy knapsack demo difference", Run: screen.Do(p.toggleBeside)},
		{Name: "replay.zoom in", Keys: []string{"+"}, Label: "+ -", Hint: "zoom", Text: "in Replay: half as many buckets a column of the table", Why: p.needsTable, Try: func() string { return p.Zoom(true) }},
		{Name: "replay.zoom out", Keys: []string{"-"}, Text: "in Replay: twice as many buckets a column", Why: p.needsTable, Try: func() string { return p.Zoom(false) }},
		{Name: "replay.fit", Keys: []string{"z"}, Hint: "fit", Text: "in Replay: as many buckets as the rows pass", Why: p.needsTable, Try: p.fit},
		{Name: "replay.fit too", Keys: []string{"0"}, Text: "in Replay: the same as z", Why: p.needsTable, Try: p.fit},
		{Name: "replay.faster", Keys: []string{">"}, Label: "< >", Hint: "speed", Text: "in Replay: play faster", Why: needsSteps, Run: func() tea.Cmd { return p.faster(1) }},
		{Name: "replay.slower", Keys: []string{"<"}, Text: "in Replay: play slower", Why: needsSteps, Run: func() tea.Cmd { return p.faster(-1) }},
	}
}

// playOrPause starts the replay from the cursor, or from the first step if all are
// done or the cursor is where the view began. While the replay is playing, it stops it.
func (p *View) playOrPause() tea.Cmd {
	if p.play.On() {
		p.Leave()
		return nil
	}
	if p.AtEnd() || p.begun > 0 {
		p.Top()
	}
	return p.tick()
}

// Escape stops the playing or, if nothing plays, leaves the other side, or goes from the
// filling of the table to the walk back. It returns false if there is none of these.
func (p *View) Escape() bool {
	if p.play.On() {
		p.Leave()
		return true
	}
	if p.other != nil {
		p.toggleBeside()
		return true
	}
	return p.filling && p.toggleFilling() == ""
}

// Leave stops the playing.
func (p *View) Leave() { p.play.Stop() }

// tick waits for the next steps, and does them.
func (p *View) tick() tea.Cmd {
	perSecond := min(speeds[p.play.speed], playFrames)
	return p.play.After(p.app, time.Second/time.Duration(perSecond), func() tea.Cmd {
		p.List.Move(max(1, speeds[p.play.speed]/playFrames))
		if p.AtEnd() {
			p.Leave()
			return nil
		}
		return p.tick()
	})
}

func (p *View) faster(by int) tea.Cmd {
	p.play.speed = min(max(0, p.play.speed+by), len(speeds)-1)
	p.app.Say("replay plays " + speedText(p.play.speed))
	if p.play.On() {
		return p.tick()
	}
	return nil
}

func speedText(speed int) string { return plain.Thousands(speeds[speed]) + " a second" }

// finds returns what n looks for, in a word or two.
func (p *View) finds() string {
	switch {
	case !p.app.Filter().IsZero():
		return "next match"
	case p.other != nil:
		return "difference"
	case p.letsIn():
		return "next out"
	}
	return "next in"
}

// letsIn reports whether the step under the cursor lets its item in. A step without an item
// counts as one that does: most phases begin with items that fit.
func (p *View) letsIn() bool {
	at := p.Cursor()
	return at >= len(p.steps) || p.steps[at].Item < 0 || p.steps[at].Verdict.In()
}

// next goes to the next step that the filter matches or, without one, whose item goes the other
// way than the one under the cursor. It returns why there is none, or "".
func (p *View) next(dir int) (why string) {
	if p.other != nil && p.app.Filter().IsZero() {
		return p.nextDifference(dir)
	}
	if p.find(p.Cursor()+dir, dir) {
		return ""
	}
	switch {
	case !p.app.Filter().IsZero():
		why = "no step that the filter matches"
	case p.letsIn():
		why = "no step that leaves an item out"
	default:
		why = "no step that lets an item in"
	}
	if dir > 0 {
		return why + " comes after this one"
	}
	return why + " comes before this one"
}
