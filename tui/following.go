package tui

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/experiment"
	"cupelscope/tui/work"
)

// followEvery is how often a source that is followed is looked at. A look that took
// long is followed by a longer rest, of so many times what it took: a session of 100 MB
// that grows all the time takes a fifth of a core.
const (
	followEvery = time.Second
	restAfter   = 4
)

// following is the lane in which a source is read on as it grows.
type following struct {
	work.Lane
	source *Followed // nil: none is followed
	last   int       // items that arrived last
	lost   string    // why it cannot be read now; "": it can
}

// lookMsg says that it is time for the next look at the source.
type lookMsg struct{ generation int }

// lookedMsg is what a look has found.
type lookedMsg struct {
	generation int
	took       time.Duration
	found      itemset.Growth
	session    *Session // nil: there is nothing to show that is not shown
	err        error
}

// stop follows nothing any more.
func (f *following) stop() {
	f.Drop()
	f.source, f.last, f.lost = nil, 0, ""
}

// words are what the header says of it.
func (f *following) words() string {
	switch {
	case f.source == nil:
		return ""
	case f.lost != "":
		return "following, gone"
	case f.last > 0:
		return fmt.Sprintf("following, +%v", plain.Thousands(f.last))
	}
	return "following"
}

// noFollow says why the source cannot be followed; "" if it may be.
func (m *Model) noFollow() string {
	switch {
	case m.session.Follow != nil:
		return ""
	case m.session.NoFollow != nil:
		return m.session.NoFollow.Error()
	}
	return "only a file can be followed"
}

// toggleFollow begins to read on as the source grows, or ends that.
func (m *Model) toggleFollow() tea.Cmd {
	if m.follow.source != nil {
		m.follow.stop()
		m.messages.say("not followed any more; F follows again, r loads it again")
		return nil
	}
	m.messages.say("following: what is appended is read once a second; F ends that")
	return m.startFollow(m.session.Follow())
}

func (m *Model) startFollow(source *Followed) tea.Cmd {
	m.follow.stop()
	m.follow.source = source
	return m.lookLater(0)
}

// lookLater looks at the source again when its time has come, after a look that
// took so long.
func (m *Model) lookLater(took time.Duration) tea.Cmd {
	return m.after(max(followEvery, restAfter*took), lookMsg{m.follow.Generation()})
}

// look looks at the source, but for while there is something that a change would
// undo: a line that is typed, a count or a result that has not come yet, a request
// that is looked at in place of the end.
func (m *Model) look(msg lookMsg) tea.Cmd {
	f := &m.follow
	if f.source == nil || f.Stale(msg.generation) {
		return nil
	}
	if m.exp == nil || m.typing() || m.atMoment() || m.load.Running() || m.count.Running() || m.computes(experiment.A) || m.computes(experiment.B) {
		return m.lookLater(0)
	}
	ctx, generation := f.Begin(m.ctx)
	source, now := f.source, m.opts.Now
	return func() tea.Msg {
		start := now()
		found, s, err := source.poll(ctx)
		return lookedMsg{generation, now().Sub(start), found, s, err}
	}
}

// computes reports whether a side has no result of the current setup yet.
func (m *Model) computes(side experiment.Side) bool {
	state, _ := m.exp.State(side)
	return state == experiment.Pending
}

// looked shows what a look has found. false: there is nothing to draw.
func (m *Model) looked(msg lookedMsg) (tea.Cmd, bool) {
	f := &m.follow
	if !f.End(msg.generation) {
		return nil, false
	}
	name := plain.Tail(f.source.path, 40)
	never, refused := errors.AsType[*itemset.NotGrowingError](msg.err)
	switch {
	case refused || errors.Is(msg.err, errNoSession):
		f.stop()
		why := msg.err.Error()
		if refused {
			why = never.Reason
		}
		m.messages.say("not followed: " + why)
		return nil, true
	case msg.err != nil:
		if why := msg.err.Error(); f.lost != why {
			f.lost = why
			m.messages.say("following waits: " + why + "; what is shown stays")
			return m.lookLater(msg.took), true
		}
		return m.lookLater(msg.took), false
	}
	back := f.lost != ""
	f.lost = ""
	switch {
	case msg.session != nil:
		return tea.Batch(m.arrived(msg, name), m.lookLater(msg.took)), true
	case msg.found != itemset.Unchanged:
		m.messages.say(name + " was emptied; what is shown stays until it has a whole line")
	case back:
		m.messages.say(name + " is back, with nothing new")
	default:
		return m.lookLater(msg.took), false
	}
	return m.lookLater(msg.took), true
}

// arrived shows what a source holds now. Where it has only grown, the knobs stay
// as they are; a source that is another one is loaded again in full.
func (m *Model) arrived(msg lookedMsg, name string) tea.Cmd {
	if msg.found != itemset.Grown {
		what := " was replaced; "
		if msg.found == itemset.Truncated {
			what = " was cut short; "
		}
		m.follow.last = 0
		cmd := m.reloaded(loadedMsg{session: msg.session, again: true})
		m.messages.say(name + what + m.messages.line)
		return cmd
	}
	last := m.exp.Items().Len() - 1
	selected, had := m.selected()
	carried, err := m.grow(msg.session)
	if err != nil {
		m.messages.say("following: " + err.Error())
		return nil
	}
	if carried.New > 0 {
		m.follow.last = carried.New
	}
	switch {
	case carried.New+carried.Gone+carried.Moved == 0:
		return nil
	case carried.Gone > 0: // a compaction, or what the user went back on
		m.messages.say("followed: " + carried.String())
	}
	cmd := m.exchange(carried)
	if had && selected == last && !m.reading() { // at the end: it follows the end
		end := m.exp.Items().Len() - 1
		m.items().Select(end)
		m.view().Select(end)
	}
	return cmd
}

// grow takes the items of a source that has grown. Edits stay with their items,
// in the history too, and all that can be turned stays as it is. On an error all
// stays as it was.
func (s *sessionState) grow(by *Session) (model.Carried, error) {
	next := s.exp.Setup()
	carry := carryOver(s.session.Items, by)
	edits, carried := model.CarryEdits(s.session.Items, by.Items, next.Edits)
	next.Edits, next.Labels = edits, carried.Labels(next.Labels, by.Labels)
	if carried.New+carried.Gone+carried.Moved > 0 {
		if err := s.exp.Replace(by.Items, next, carry); err != nil {
			return carried, err
		}
		s.original, s.saved = carry(s.original), carry(s.saved)
		s.exp.Link(by.Pairs)
		s.exp.Tell(by.Told, by.Log)
	}
	by.SavePath, by.saveStamp = s.session.SavePath, s.session.saveStamp
	s.session = by
	s.extendAxis()
	return carried, nil
}
