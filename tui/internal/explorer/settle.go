package explorer

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// This file decides what is computed after a change, and in which lane.

// settle brings everything up to date after a change. What takes longer than the frame
// allows is left to the command that it returns.
func (m *Model) settle() tea.Cmd {
	switch {
	case m.ctx.Err() != nil:
		return nil
	case m.exp == nil: // what a source is chosen from reads what it previews
		return m.startScreens()
	}
	asked := tea.Batch(m.pool.Do(queryScoring{&m.workspaceState}), m.pool.Do(sizing{m}))
	m.exp.SetHidden(m.side, false)
	m.exp.SetHidden(m.side.Other(), !m.spec().Best && !m.spec().Pairs()) // nothing shows it, and its table may be large
	if m.exp.State(m.side) == experiment.Pending {
		for _, w := range [...]work.Worker{&m.whatIf, m.whatIf.Search(), &m.ways} {
			m.pool.Cancel(w) // what explains the older result takes no processor from the next
		}
	}
	cmd := m.outcomes.settle(m.exp, m.side, m.later(), m.spec().Both)
	m.refresh()
	m.releaseOld()
	m.takeTour()
	return tea.Batch(asked, cmd, m.work(), m.watch())
}

// releaseOld frees what nothing shows: results of past setups that hidden views and panes
// keep.
func (m *Model) releaseOld() {
	for s, was := range m.profiles {
		var now *simulate.Profile
		if o := m.exp.Outcome(experiment.Side(s)); o != nil {
			now = o.Profile
		}
		m.profiles[s] = now
		if now != was && !now.Same(was) {
			m.screens.release()
			m.fits, m.nearest, m.next = fits{}, [2]nearest{}, pane.NextChanges{}
		}
	}
}

// work starts what the screen needs: the work of the view and of the screens over it first, the
// best possible value last.
func (m *Model) work() tea.Cmd {
	m.askPanes()
	cmds := []tea.Cmd{m.startView(), m.startScreens()}
	m.pool.Hurry()
	cmds = append(cmds, m.startTurns(), m.pool.Do(&m.whatIf), m.startSearch(), m.tryNow())
	if m.drawOver() {
		cmds = append(cmds, m.startView())
	}
	return tea.Batch(append(cmds, m.pool.Do(&m.ways), m.startBest())...)
}

// startScreens starts the work of the screens over the view.
func (m *Model) startScreens() tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range m.stack {
		if w := m.specOf(s).Worker; w != nil {
			cmds = append(cmds, m.pool.Do(w))
		}
	}
	return tea.Batch(cmds...)
}

// askPanes tells the panes what the screen asks them about.
func (m *Model) askPanes() {
	out, items, patient := m.whatIfInput()
	m.whatIf.Arrange(out, items, patient)
	if len(items) == 1 {
		m.ways.Arrange(out, items[0], patient, m.exp.Sizer(), m.allKnobs)
	} else {
		m.ways.Arrange(nil, 0, false, experiment.Sizer{}, nil)
	}
	if m.computes(m.side) && m.best.Knows(m.exp.Items()) {
		return // the result that is being computed may well have the same candidates: work on them goes on
	}
	measured := []*experiment.Outcome{m.current(m.side)} // which the header compares with the best possible value
	if m.spec().Best {
		measured = append(measured, m.current(m.side.Other()))
	}
	m.best.Arrange(m.spec().Best, measured...)
}

// startView starts the work of the view, which may move its cursor.
func (m *Model) startView() (cmd tea.Cmd) {
	if w := m.spec().Worker; w != nil {
		m.keepingSelected(func() { cmd = m.pool.Do(w) })
	}
	return cmd
}

// startTurns starts the work over the requests of the conversation.
func (m *Model) startTurns() tea.Cmd {
	m.turns.Want(m.plansWanted())
	m.turns.Arrange(m.exp, m.side)
	cmd := m.pool.Do(&m.turns)
	if m.spec().PlansWanted != nil { // a plan may be known already
		m.keepingSelected(func() { m.view().Arrange(m.exp, m.side) })
	}
	if m.keepMoment() {
		cmd = tea.Batch(cmd, m.settle())
	}
	return cmd
}

// startSearch starts the search for what keeps the selected item out, where its answer has room:
// the two lines of a small screen's detail have none.
func (m *Model) startSearch() tea.Cmd {
	search := m.whatIf.Search()
	if m.reading() || arrange(m.width, m.height, showing{}).Shape > small {
		return m.pool.Do(search)
	}
	m.pool.Cancel(search)
	return nil
}

// startBest starts the work on the best possible value, which waits for all other work.
func (m *Model) startBest() tea.Cmd {
	_, wanted := m.best.Job()
	runs := m.pool.Running(&m.best)
	switch {
	case m.later() && m.pool.Slow(&m.best):
		m.pool.Cancel(&m.best)
		return nil
	case wanted && !runs && m.pool.Busy():
		return nil // it is asked for again when the work that runs has its answer
	}
	return m.pool.Do(&m.best)
}

// later reports whether long work for what is not on the screen has to wait: while counts
// arrive, each of them would restart it.
func (m *Model) later() bool { return m.count.Running() && !m.spec().Best }

// answered stores the result of work in the background and updates the screen.
func (m *Model) answered(a work.Answer) tea.Cmd {
	taken := false
	m.keepingSelected(func() { taken = m.pool.Take(a) })
	if !taken {
		return nil
	}
	return tea.Batch(m.settle(), m.pointOut())
}

// maxAsked limits the chosen items that what-if treats together, because they are
// sorted and named at every key.
const maxAsked = 2000

// whatIfInput returns the open item, or else the items that keys act on, and the outcome of
// the side that is shown. The outcome is nil if it belongs to an older setup, or if the view
// does not show the detail of items. patient says that the answer may take long.
func (m *Model) whatIfInput() (out *experiment.Outcome, items []int, patient bool) {
	switch state := m.exp.State(m.side); {
	case state != experiment.Current:
		return nil, nil, false
	case m.reading():
		i, _ := m.selected()
		return m.exp.Outcome(m.side), []int{i}, true
	case m.spec().Bare || len(m.selection.chosen) > maxAsked:
		return nil, nil, false
	}
	return m.exp.Outcome(m.side), m.targets(), false
}

// plansWanted returns what the view, or a screen over it, needs of the requests of the
// conversation and of plans; the zero value if they show none.
func (m *Model) plansWanted() (wanted plans.Wanted) {
	for _, s := range append([]screen.Screen{m.view()}, m.stack...) {
		if spec := m.specOf(s); spec.PlansWanted != nil {
			wanted = spec.PlansWanted()
		}
	}
	return wanted
}

// running reports whether there is work in the background.
func (m *Model) running() bool {
	return m.load.Running() || m.count.Running() || m.tune.Running() || m.pool.Busy()
}

// progressEvery is how often the progress of work is drawn.
const progressEvery = 150 * time.Millisecond

// watch returns the command for the next look at the work in the background, or nil if nothing runs
// or one is due.
func (m *Model) watch() tea.Cmd {
	if m.watching || !m.running() {
		return nil
	}
	m.watching = true
	return m.after(progressEvery, quietMsg(m.progressed))
}

// progressed shows how far the work in the background is.
func (m *Model) progressed() tea.Cmd {
	m.watching = false
	if !m.running() {
		return nil
	}
	m.dirty = true
	m.waiting.Step()
	m.tellLoading()
	m.tune.tell(&m.messages, m.waiting.Spin())
	m.tellTrying()
	if m.count.Running() && m.takeCounts() {
		return m.settle()
	}
	return m.watch()
}

// stopWork stops long work whose result is optional. It returns the message to show, or
// "" if no work is running.
func (m *Model) stopWork() string {
	switch state := m.exp.State(m.side); {
	case state == experiment.Pending && m.exp.CanUndo():
		return "the change is still being computed; u undoes and stops it"
	case state == experiment.Pending:
		return "the result is being computed; another slicer (c) or a larger bucket stops it"
	case m.pool.Running(&m.turns) && m.turns.Stop():
		m.pool.Cancel(&m.turns)
		return "stopped: requests that are not computed wait until something changes"
	case m.pool.Running(&m.best) && m.best.Stop():
		m.pool.Cancel(&m.best)
		return "stopped: " + plain.BelowBest + " is known only as an upper bound (≤), until items or scores change"
	}
	return ""
}

// sizing is the worker that counts cuts and notes, once the texts themselves are counted.
type sizing struct{ *Model }

// Job returns the count of the cuts of what is shown; false if all are counted.
func (s sizing) Job() (work.Job, bool) {
	items, sizer, is := s.exp.Uncounted()
	if !is || s.count.Running() {
		return work.Job{}, false
	}
	return work.Job{Key: items, Run: work.Pass(func(ctx context.Context) ([]model.ItemSize, error) {
		return sizer.Count(ctx, items)
	}, func(counts []model.ItemSize, err error) {
		if err != nil {
			counts = nil
			s.messages.warn(err.Error() + "; cuts count as what was asked for")
		}
		s.exp.SizesCounted(items, counts)
		s.best.Forget()
	})}, true
}
