package budgetmap

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// run lets the budget go from the first column to the last by itself.
type run struct {
	screen.Ticks
	flash  map[int]moved // by item
	change int           // the newest change that flash holds
}

// moved is an item that came in or went out during the run.
type moved struct {
	in     bool
	frames int // for how many it is still marked
}

// runEvery is the time between two steps, and flashFrames for how many of them an item that
// moved is marked.
const (
	runEvery    = 80 * time.Millisecond
	flashFrames = 3
)

// startRun sets the budget to the first column's and begins to run.
func (p *View) startRun() tea.Cmd {
	now := p.app.Experiment().Setup()
	if c, err := screen.SlideTo(now, p.cells.scale.Edges[0], -1); err == nil {
		p.app.Make(c, nil)
	}
	p.run = run{flash: map[int]moved{}, change: p.app.Experiment().Changes()}
	return p.tick()
}

// needsColumns returns why the budget cannot run, or "".
func (p *View) needsColumns() string {
	if p.over != nil {
		return "the columns are values of " + p.over.Name
	}
	if p.out == nil || p.cells.scale.Columns() < 2 {
		return "there are no budgets to run through"
	}
	return ""
}

// Interrupt stops the run and reports whether there was one.
func (p *View) Interrupt() bool {
	was := p.run.On()
	p.run = run{}
	return was
}

// Leave stops the run.
func (p *View) Leave() { p.Interrupt() }

func (p *View) tick() tea.Cmd { return p.run.After(p.app, runEvery, p.step) }

// step takes the step that is due, unless the result of the one before is not there yet.
func (p *View) step() tea.Cmd {
	exp := p.app.Experiment()
	if exp.State(p.app.Side()) == experiment.Pending {
		return p.tick()
	}
	p.fade()
	now := exp.Setup()
	next := p.Step(now.Budget.MaxTokens, 1)
	ended := next > p.viewport.Hi
	if !ended {
		c, err := screen.SlideTo(now, next, 1)
		if ended = err != nil; !ended {
			p.app.Make(c, nil)
		}
	}
	if ended && len(p.run.flash) == 0 {
		p.Interrupt()
		return nil
	}
	return p.tick()
}

// fade takes a frame from each mark, and marks the items that the newest step moved. These were
// shown for a frame already.
func (p *View) fade() {
	for i, m := range p.run.flash {
		if m.frames--; m.frames > 0 {
			p.run.flash[i] = m
		} else {
			delete(p.run.flash, i)
		}
	}
	im, ok := p.app.Experiment().Impact()
	if !ok || im.Change == p.run.change || im.Anew {
		return
	}
	p.run.change = im.Change
	for _, i := range im.In {
		p.run.flash[int(i)] = moved{true, flashFrames - 1}
	}
	for _, i := range im.Out {
		p.run.flash[int(i)] = moved{false, flashFrames - 1}
	}
}

// flashing returns the role of an item that moved lately during a run, or false.
func (p *View) flashing(f *widget.Frame, item int) (theme.Role, bool) {
	if !p.run.On() {
		return 0, false
	}
	came, went := f.ItemMoved(item)
	if m, marked := p.run.flash[item]; marked && !came && !went {
		came, went = m.in, !m.in
	}
	if came {
		return theme.CameIn, true
	}
	return theme.WentOut, went
}
