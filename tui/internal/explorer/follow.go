package explorer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// A followed source is polled every followEvery. After a slow poll the pause is longer:
// pauseAfter times as long as the poll took, so that even a session of 100 MB that grows
// all the time takes a fifth of a core at most.
const (
	followEvery = time.Second
	pauseAfter  = 4
)

// following is the lane that polls a source as it grows.
type following struct {
	work.Lane
	source *Followed // nil if no source is followed
	last   int       // the number of items that the last growth brought
	lost   string    // says why the source cannot be read now; "" if it can
}

// stop ends following.
func (f *following) stop() {
	f.Drop()
	f.source, f.last, f.lost = nil, 0, ""
}

// words returns the state of following as the header shows it; "" if nothing is followed.
// Waits says that polls pause as long as an earlier request is shown.
func (f *following) words(waits bool) string {
	switch {
	case f.source == nil:
		return ""
	case f.lost != "":
		return "following, gone"
	case waits:
		return "following, waits"
	case f.last > 0:
		return fmt.Sprintf("following, +%v", plain.Thousands(f.last))
	}
	return "following"
}

// whyNoFollow returns why the source cannot be followed; "" if it can.
func (m *Model) whyNoFollow() string {
	if m.workspace.Follow == nil {
		return m.workspace.NoFollow.Error()
	}
	return ""
}

// followsNow is the message that following has begun.
const followsNow = "following: what is appended is read once a second; F ends that"

// toggleFollow starts to follow the source, or stops if it is followed already.
func (m *Model) toggleFollow() tea.Cmd {
	if m.follow.source != nil {
		m.follow.stop()
		m.messages.say("not followed any more; F follows again, r loads it again")
		return nil
	}
	m.messages.say(followsNow)
	return m.startFollow(m.workspace.Follow())
}

// startFollow follows source in place of the source before; the first poll comes after
// followEvery.
func (m *Model) startFollow(source *Followed) tea.Cmd {
	m.follow.stop()
	m.follow.source = source
	return m.pollLater(0)
}

// pollLater schedules the next poll; took is how long the last one took.
func (m *Model) pollLater(took time.Duration) tea.Cmd {
	generation := m.follow.Generation()
	return m.after(max(followEvery, pauseAfter*took), quietMsg(func() tea.Cmd {
		if m.follow.Stale(generation) {
			return nil
		}
		return m.poll()
	}))
}

// poll polls the source in the background. It waits for another interval while new
// items would disturb what goes on: the user types a line or looks at items that were
// removed since, or a load, a count or a result is not done yet.
func (m *Model) poll() tea.Cmd {
	if m.exp == nil || m.typing() || m.atRemoved() || m.load.Running() || m.count.Running() || m.computes(experiment.A) || m.computes(experiment.B) {
		return m.pollLater(0)
	}
	ctx, generation := m.follow.Begin(m.ctx)
	source, now := m.follow.source, m.opts.Now
	return func() tea.Msg {
		start := now()
		found, s, err := source.poll(ctx)
		took := now().Sub(start)
		var show quietMsg
		show = func() tea.Cmd {
			if m.typing() && !m.follow.Stale(generation) { // what it lists is of the items that are shown
				return m.after(followEvery, show)
			}
			if !m.follow.End(generation) {
				return nil
			}
			cmd := m.polled(found, s, err)
			if m.follow.source == nil { // it cannot be followed
				return cmd
			}
			return tea.Batch(cmd, m.pollLater(took))
		}
		return show
	}
}

// computes reports whether the result of a side for the current setup is still pending.
func (m *Model) computes(side experiment.Side) bool {
	return m.exp.State(side) == experiment.Pending && !m.exp.Hidden(side)
}

// polled shows the result of a poll, a session if there is something new. What a key was refused stays
// until the next key, unless following is refused too.
func (m *Model) polled(found itemset.Growth, s *Workspace, err error) tea.Cmd {
	f, line := &m.follow, m.messages.line
	if m.messages.refused && !m.messages.quitting && line != "" && line != f.lost {
		defer func() {
			if m.messages.line == "" || !m.messages.refused {
				m.messages.refuse(line)
			}
		}()
	}
	name, lost := plain.Tail(f.source.path, 40), f.lost
	f.lost = ""
	never, refused := errors.AsType[*itemset.NotGrowingError](err)
	switch {
	case refused:
		f.stop()
		m.messages.refuse("not followed: " + never.Reason)
	case errors.Is(err, errNoSession):
		f.stop()
		m.messages.refuse("not followed: " + err.Error())
	case err != nil:
		if f.lost = "following waits: " + err.Error() + "; what is shown stays"; f.lost == lost {
			return nil // it is said already
		}
		m.messages.refuse(f.lost)
	case s != nil:
		m.dirty = true
		return m.arrived(found, s, name)
	case found != itemset.Unchanged:
		m.messages.say(name + " was emptied; what is shown stays until it has a whole line")
	case lost != "":
		m.messages.say(name + " is back, with nothing new")
	default:
		return nil
	}
	m.dirty = true
	return nil
}

// arrived shows the new state of the source. If the source has only grown, the knobs
// stay as they are; if it was replaced or cut short, it is loaded again in full.
func (m *Model) arrived(found itemset.Growth, s *Workspace, name string) tea.Cmd {
	if found != itemset.Grown {
		what := " was replaced; "
		if found == itemset.Truncated {
			what = " was cut short; "
		}
		m.follow.last = 0
		cmd := m.reloaded(s, nil)
		m.messages.say(name + what + m.messages.line)
		return cmd
	}
	last := m.exp.Items().Len() - 1
	selected, had := m.selected()
	at, earlier := m.exp.Moment()
	damage := m.workspace.Damage
	carried, err := m.grow(s)
	if err != nil {
		m.messages.refuse("following: " + err.Error())
		return nil
	}
	if carried.New > 0 {
		m.follow.last = carried.New
		if !m.messages.quitting {
			m.messages.clear() // the line says what arrived
		}
	}
	lost := func(damage string) string { return strings.Split(damage, "; loaded ")[0] }
	if now := m.workspace.Damage; lost(now) == lost(damage) {
		m.messages.replace(damage, now)
	} else {
		m.messages.retract(damage)
		if now != "" {
			m.messages.point(now)
		}
	}
	switch {
	case carried.New+carried.Gone+carried.Moved == 0:
		return nil
	case carried.Lost > 0: // by a compaction or a rewind
		m.messages.say("followed: " + carried.String())
	}
	if earlier && carried.Gone+carried.Moved == 0 && m.exp.At(at) == nil {
		m.forgetItems(func(i int) (int, bool) { return i, true })
		return m.settle()
	}
	cmd := m.exchange(carried)
	if had && selected == last && !m.reading() { // a cursor on the last item stays on the last
		end := m.exp.Items().Len() - 1
		m.items().Select(end)
		m.selectItem(end)
	}
	return cmd
}

// grow replaces the items by the items of a source that has grown. Edits stay with their
// items, in the undo history too, and the knobs stay as they are. It returns how the
// items were carried over. On an error nothing changes.
func (s *workspaceState) grow(by *Workspace) (model.Carried, error) {
	next := s.exp.EndSetup()
	carry := carryOver(s.workspace.Items, by)
	edits, carried := model.CarryEdits(s.workspace.Items, by.Items, next.Edits)
	next.Edits, next.Labels = edits, carried.Labels(next.Labels, by.Labels)
	if carried.New+carried.Gone+carried.Moved > 0 {
		kept, err := s.exp.Replace(by.Items, next, carry, carried.Index)
		if err != nil {
			return carried, err
		}
		carried.Lost -= kept
		s.exp.NameAnew(carried.Index)
		s.original, s.saved = carry(s.original), carry(s.saved)
		s.exp.Tell(by.Told, by.Log, by.Sizer)
	}
	by.SavePath, by.saveStamp = s.workspace.SavePath, s.workspace.saveStamp
	s.workspace = by
	s.extendAxis()
	return carried, nil
}
