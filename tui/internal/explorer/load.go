package explorer

import (
	"cmp"
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file updates the explorer when a source is loaded, or loaded again.

// startLoad opens a source in the background, for show to show: loaded, or reloaded for the
// source that is shown.
func (m *Model) startLoad(source string, open func(context.Context) (*Workspace, error), show func(*Workspace, error) tea.Cmd) tea.Cmd {
	cmd := m.load.start(m.ctx, source, open, show)
	m.tellLoading()
	return tea.Batch(m.watch(), cmd)
}

// tellLoading shows the progress of loading another source.
func (m *Model) tellLoading() {
	if m.exp != nil {
		m.load.tell(&m.messages, m.waiting.Spin(), m.theme.Glyphs.Ellipsis)
	}
}

// loaded starts the experiment with the session that was loaded, or shows the error.
func (m *Model) loaded(s *Workspace, err error) tea.Cmd {
	var next workspaceState
	if err == nil {
		next, err = newWorkspaceState(s, m.beginning(s))
	}
	which, several := errors.AsType[*severalError](err)
	switch {
	case several:
		m.load.unchosen = which
		return m.openRuns(which.choices, 0, nil)
	case err != nil && m.exp != nil: // the source that is open stays
		m.messages.refuse("not opened: " + err.Error())
		return nil
	case err != nil && m.load.unchosen != nil: // another run may open
		of := m.load.unchosen.choices
		return m.openRuns(of, 0, errors.New("not opened: "+strings.TrimLeft(strings.TrimPrefix(err.Error(), of.Options.Sources[0]), ":, "))) // the title names the source
	case err != nil:
		m.load.failed = err
		return nil
	}
	m.reset()
	m.workspaceState = next
	if s.Damage != "" {
		m.messages.point(s.Damage)
	}
	for _, w := range s.Warnings {
		m.messages.warn(w)
	}
	if s.GuessHelp != "" {
		m.messages.warn(s.GuessHelp)
	}
	follow := tea.Cmd(nil)
	if s.following != nil {
		follow = m.startFollow(s.following)
	}
	count := m.startCount() // first, because some work waits for it
	return tea.Batch(count, m.settle(), m.pointOut(), m.start(), follow, m.countSessions())
}

// beginning returns the setup that a session begins with. Flags are of the first session alone; where no
// scenario has another, the price and the plan that are set stay for the next.
func (m *Model) beginning(s *Workspace) experiment.Setup {
	setup, start := s.setup(), m.opts.Start.over(s.start) // which Start.Check has checked
	setup.Plan = start.Plan
	if fixed, err := model.ParseTokens(start.Fixed); err == nil {
		setup.Fixed = model.Some(fixed)
	}
	if wanted, err := model.ParsePercent(start.Wanted); err == nil {
		setup.Wanted = wanted
	}
	setup.Price, _ = turns.ParsePrice(start.Price) // 0 for none
	if m.exp != nil {
		setup.Price, setup.Plan = cmp.Or(setup.Price, m.exp.Setup().Price), cmp.Or(start.Plan, m.exp.Setup().Plan)
	}
	return setup
}

// reset drops everything that belongs to the session before.
func (m *Model) reset() {
	m.pool.DropAll()
	m.count.forget()
	m.tune.Drop()
	m.policy.Drop()
	m.follow.stop()
	m.screens.reset()
	m.next, m.best, m.whatIf, m.ways, m.tried = pane.NextChanges{}, widget.Best{}, pane.WhatIf{Now: m.opts.Now}, pane.Ways{}, tried{}
	m.turns.Forget()
	m.messages, m.selection, m.typed, m.tour = messages{}, newSelection(), map[string]string{}, tour{}
}

// pointOut puts the cursor of the first screen of a small set on an item that is at risk,
// or else on the first that is not pinned, once there is a result. In a source that is followed
// it is on the newest item, so that what arrives is in sight.
func (m *Model) pointOut() tea.Cmd {
	o := m.exp.Outcome(m.side)
	if !m.first || o == nil {
		return nil
	}
	m.first = false
	m.introduce()
	m.offerPairs()
	if kept := m.workspace.recovered(); kept != "" && !m.picture { // behind what is of this session
		m.messages.warn(kept)
	}
	m.kept = model.Option[kept]{}
	point := func(i int) {
		m.items().Select(i)
		m.view().Select(i) // a key may have shown another view before the result was there
	}
	switch {
	case m.workspace.following != nil: // the cursor on the newest stays on the newest
		point(o.Items.Len() - 1)
	case o.Items.Len() > maxLookedThrough:
	case len(o.Lost) > 0:
		point(int(o.Lost[0]))
	default: // the first item that a budget decides on
		for i := range o.Items.Len() {
			if !o.Items.Pinned(i) {
				point(i)
				break
			}
		}
	}
	return m.work()
}

// maxLookedThrough is the most items that a person can look through.
const maxLookedThrough = 200

// reloaded shows the sources as they are now. If they cannot be loaded, what is shown
// stays.
func (m *Model) reloaded(s *Workspace, err error) tea.Cmd {
	var carried model.Carried
	if err == nil {
		if m.atMoment() {
			m.toEnd() // the requests are others now
		}
		carried, err = m.replace(s)
	}
	if err != nil {
		m.messages.refuse("not loaded again: " + err.Error())
		return nil
	}
	m.closeIf(func(typed screen.Screen) bool { return m.specOf(typed).Key != nil })
	m.count.forget()
	m.messages.quitting = false
	m.messages.say("loaded again: " + carried.String())
	count := m.startCount() // first, as in loaded
	return tea.Batch(count, m.exchange(carried))
}

// exchange updates the screens after the items have been replaced.
func (m *Model) exchange(carried model.Carried) tea.Cmd {
	selected, had := m.selected()
	m.forgetItems(carried.Index)
	m.closeIf(func(s screen.Screen) bool {
		read := m.specOf(s).Read
		if read == nil {
			return false
		}
		j, there := carried.Index(selected)
		if there {
			read(j)
		}
		return !there
	})
	cmd := m.settle()
	if j, ok := carried.Index(selected); had && ok {
		m.items().Select(j)
		m.view().Select(j)
	}
	return cmd
}

// openReport opens the report of how loading went, with every warning that is true still.
func (m *Model) openReport() {
	s := m.workspace
	m.open(overlay.NewReport(m.screenApp(), overlay.ReportFacts{Name: s.Name, Format: s.Format, Encoding: s.Encoding, Notes: m.messages.warnings, Lines: s.Report}))
}
