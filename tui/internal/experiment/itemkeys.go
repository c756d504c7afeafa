package experiment

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/simulate/turns"
)

// The setup of an experiment names items by keys. The key of an item that is there at
// the end is its index there. The key of an item that a compaction or a rewind removed
// is ^j, where j is its index in the log: it stays the same as the log grows.

// match says where the log of a conversation has the items of an experiment. It is
// immutable.
type match struct {
	log  *model.Set
	to   []int32 // by item of the experiment: its index in the log
	from []int32 // by item of the log: its index in the experiment, -1 if it was removed
}

// newMatch matches the items of an experiment with the items of the log, in order. The error
// names the first item without a match.
func newMatch(items *model.Set, all Log) (*match, error) {
	n := all.Items.Len()
	removed := make([]bool, n)
	if items.Len() < n {
		for _, t := range all.Told {
			for i := t.From; i < t.To && t.Gone > 0; i++ {
				removed[i] = true
			}
		}
	}
	m := &match{log: all.Items, from: make([]int32, n)}
	for j := range m.from {
		m.from[j] = -1
		if i := len(m.to); !removed[j] && i < items.Len() && items.Loaded(i).Content == all.Items.Loaded(j).Content {
			m.from[j] = int32(i)
			m.to = append(m.to, int32(j))
		}
	}
	if len(m.to) < items.Len() {
		return nil, fmt.Errorf("the requests cannot be told: item #%d is not where the log of the session has it; r loads both again", len(m.to))
	}
	return m, nil
}

// key returns the key of item j of the log.
func (m *match) key(j int) int {
	if i := m.from[j]; i >= 0 {
		return int(i)
	}
	return ^j
}

// at returns where the log has the item with a key, or false if it has none.
func (m *match) at(key int) (int, bool) {
	if key < 0 {
		return ^key, ^key < len(m.from) && m.from[^key] < 0
	}
	return int(m.to[key]), true
}

// set returns the items of the log with edits. Items that loaded has too get their token
// counts from it.
func (m *match) set(loaded *model.Set, edits model.Edits) (*model.Set, error) {
	var counts []model.Recount
	for i, j := range m.to {
		n, count := loaded.LoadedTokens(i)
		if before, _ := m.log.LoadedTokens(int(j)); before != n {
			counts = append(counts, model.Recount{Index: int(j), Tokens: n, Count: count})
		}
	}
	set, err := m.log, error(nil)
	if len(counts) > 0 {
		if set, err = set.Counted(counts); err != nil {
			return nil, err
		}
	}
	if edits.IsZero() {
		return set, nil
	}
	within := edits.Renumbered(m.at)
	if scores := edits.Query.Hints; scores != nil {
		within.Query.Hints = make([]float64, set.Len())
		for i, score := range scores {
			within.Query.Hints[m.to[i]] = score
		}
	}
	return set.With(within)
}

// past is what was in a conversation at a request before a compaction or a rewind. It is
// immutable.
type past struct {
	*match
	items   []int32 // their indexes in the log, ascending
	numbers Numbers
}

func newPast(m *match, s *turns.History, r turns.Request) *past {
	p := &past{match: m, numbers: Numbers{item: map[int]int{}}}
	for j := range r.Before {
		if !s.There(r, j) {
			continue
		}
		p.numbers.item[m.key(j)] = len(p.items)
		p.numbers.keys = append(p.numbers.keys, m.key(j))
		p.items = append(p.items, int32(j))
	}
	return p
}

// Numbers is how the items that are shown are numbered. The zero Numbers holds at the end, and
// at a moment whose items are all still there at the end. It is immutable.
type Numbers struct {
	keys []int       // by item; nil: the keys are the numbers
	item map[int]int // by key
}

// From returns the number of the item that had the number item in old, or false if the item is
// not shown.
func (n Numbers) From(old Numbers, item int) (int, bool) { return n.of(old.key(item)) }

func (n Numbers) key(item int) int {
	if n.keys == nil {
		return item
	}
	return n.keys[item]
}

// of returns the number of the item with a key, or false if it is not shown.
func (n Numbers) of(key int) (int, bool) {
	if n.keys == nil {
		return key, key >= 0
	}
	i, ok := n.item[key]
	return i, ok
}

// shown returns a setup with the numbers of the items that are shown, without edits and
// labels of other items. The query keeps its scores of the items at the end.
func (n Numbers) shown(s Setup) Setup {
	if n.keys != nil || namesRemoved(s) {
		s.Edits, s.Labels = s.Edits.Renumbered(n.of), s.Labels.Renumbered(n.of)
	}
	return s
}

// kept returns s, which has the numbers of the items that are shown, with their keys instead,
// and with the edits and labels of all other items from the setup before.
func (n Numbers) kept(s, before Setup) Setup {
	if n.keys == nil && !namesRemoved(before) {
		return s
	}
	hidden := func(key int) (int, bool) {
		_, shown := n.of(key)
		return key, !shown
	}
	key := func(item int) (int, bool) { return n.key(item), true }
	s.Edits = s.Edits.Renumbered(key).Joined(before.Edits.Renumbered(hidden))
	s.Labels = s.Labels.Renumbered(key).Joined(before.Labels.Renumbered(hidden))
	return s
}

// ofRemoved is an index for Renumbered that keeps only removed items.
func ofRemoved(key int) (int, bool) { return key, key < 0 }

// removedEdits returns how many edits of removed items a setup has.
func removedEdits(s Setup) int {
	e := s.Edits.Renumbered(ofRemoved)
	return len(e.Pinned) + len(e.Excluded) + len(e.Tokens) + len(e.Hints)
}

// namesRemoved reports whether a setup has edits or labels of removed items.
func namesRemoved(s Setup) bool {
	return removedEdits(s) > 0 || len(s.Labels.Renumbered(ofRemoved).Grades) > 0
}

// withRemoved returns a setup by keys for a source that has grown. Before is the setup
// before it grew: the edits and labels of items that were removed by then stay. So do the
// edits of the items that removed reports, if the log is known.
func withRemoved(s, before Setup, log *log, removed func(i int) bool) Setup {
	m := log.known()
	stay := func(key int) (int, bool) {
		switch {
		case key < 0:
			return key, true
		case m == nil || !removed(key):
			return 0, false
		}
		return ^int(m.to[key]), true
	}
	s.Edits = s.Edits.Joined(before.Edits.Renumbered(stay))
	s.Labels = s.Labels.Joined(before.Labels.Renumbered(ofRemoved))
	return s
}
