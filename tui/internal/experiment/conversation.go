package experiment

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/simulate/turns"
)

// Log is a whole conversation, including the items that compactions and rewinds removed.
type Log struct {
	Items *model.Set
	Told  []itemset.MessageFacts // what the source records about each message, such as when it was removed
}

// Conversation is the input from which Requests cuts a History: all
// items, even while an earlier moment is shown. It is immutable and safe for concurrent
// use.
type Conversation struct {
	Items  *model.Set // at the end of the conversation, with the edits applied
	told   []itemset.MessageFacts
	log    *log        // with the removed items; nil if the source has none
	loaded *model.Set  // Items without edits
	edits  model.Edits // also the edits of removed items
	sizer  Sizer
	grades map[int]int // of the labels, by item
}

// log loads a Log when it is first needed and keeps it. It is safe for concurrent use.
type log struct {
	load func(context.Context) (Log, error)

	mu      sync.Mutex
	loaded  *Log
	matched *match // the newest; nil before the first
}

// match matches the items of an experiment with the items of a log that was loaded.
func (l *log) match(items *model.Set, all Log) (*match, error) {
	m, err := newMatch(items, all)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.matched = m
	}
	return m, err
}

// known returns the newest match, or nil if there is none; l may be nil.
func (l *log) known() *match {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.matched
}

// get returns the log. It loads it if that has not succeeded before.
func (l *log) get(ctx context.Context) (Log, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.loaded == nil {
		all, err := l.load(ctx)
		if err != nil {
			return Log{}, err
		}
		l.loaded = &all
	}
	return *l.loaded, nil
}

// Tell sets what the source records about messages, the function that loads the
// whole conversation with the items that were removed from it, nil if none were, and what makes
// cuts and notes. Call it before anything is computed.
func (e *Experiment) Tell(told []itemset.MessageFacts, load func(context.Context) (Log, error), sizer Sizer) {
	e.told, e.log, e.sizer = told, nil, sizer
	if load != nil {
		e.log = &log{load: load}
	}
}

// Conversation returns the current items, with edits, from which requests are cut.
func (e *Experiment) Conversation() Conversation {
	return Conversation{e.now.whole, e.told, e.log, e.loaded, e.setup.Edits, e.sizer, e.setup.Labels.Grades}
}

// Requests is a conversation cut into requests. Its History may have more items than the
// experiment: those that compactions and rewinds removed.
type Requests struct {
	*turns.History
	match *match // nil: nothing was removed, and the history has the items of the end
}

// HasRemoved reports whether compactions or rewinds removed items of the conversation.
// The number of an item can then be another at each request.
func (r *Requests) HasRemoved() bool {
	return r.match != nil
}

// ItemAt returns the number that item i of the history has where request t, counted from
// 0, is shown; false if the item was removed by then, or if i is below 0: no item. It panics if
// there is no such request.
func (r *Requests) ItemAt(t int, i int32) (int, bool) {
	q := r.History.Requests()[t]
	switch {
	case i < 0:
		return 0, false
	case r.match == nil:
		return int(i), true
	case q.IsNow():
		return int(r.match.from[i]), r.match.from[i] >= 0
	case !r.There(q, int(i)):
		return 0, false
	}
	ahead := 0
	for j := range int(i) {
		if r.There(q, j) {
			ahead++
		}
	}
	return ahead, true
}

// Name returns the name of item i of the history where request t is shown: "#" and its
// number, or "gone" if it was removed by then. Below 0 it is no item, but a summary of some.
func (r *Requests) Name(t int, i int32) string {
	if i < 0 {
		return "summary"
	}
	if item, ok := r.ItemAt(t, i); ok {
		return "#" + strconv.Itoa(item)
	}
	return "gone"
}

// Same reports whether two conversations have the same items with the same labels.
func (c Conversation) Same(o Conversation) bool {
	return c.Items == o.Items && maps.Equal(c.grades, o.grades)
}

// Requests cuts the conversation into requests. It may load the log of the source first.
// The error comes from turns.FromItems, from loading the log, from counting cuts or from ctx, or it
// says that the log does not match the items.
func (c Conversation) Requests(ctx context.Context) (*Requests, error) {
	if c.log == nil {
		s, err := turns.FromItems(c.Items, c.told)
		if err != nil {
			return nil, err
		}
		return &Requests{History: s.Needing(c.grades)}, nil
	}
	all, err := c.log.get(ctx)
	if err != nil {
		return nil, err
	}
	m, err := c.log.match(c.Items, all)
	if err != nil {
		return nil, err
	}
	set, err := m.set(c.loaded, c.edits)
	if err != nil {
		return nil, err
	}
	if set, _, err = c.sizer.Counted(ctx, set); err != nil { // the experiment counts the sizes of its own items only
		return nil, err
	}
	s, err := turns.FromItems(set, all.Told)
	if err != nil {
		return nil, err
	}
	grades := make(map[int]int, len(c.grades))
	for i, grade := range c.grades {
		if at, ok := m.at(i); ok {
			grades[at] = grade
		}
	}
	s = s.Needing(grades)
	if !slices.ContainsFunc(all.Told, func(t itemset.MessageFacts) bool { return t.Gone > 0 }) {
		m = nil
	}
	return &Requests{s, m}, nil
}

// Moment returns the moment of request t, counted from 0. It panics if there is no such
// request.
func (r *Requests) Moment(t int) Moment {
	m := Moment{Request: r.History.Requests()[t], Number: t + 1, Of: len(r.History.Requests())}
	if r.match != nil {
		m.past = newPast(r.match, r.History, m.Request)
	}
	return m
}

// Find returns the request of a moment, counted from 0. If there is no such request any more,
// because it has nothing left to send, Find returns the next request and false. The result is
// -1 if there are no requests.
func (r *Requests) Find(m Moment) (t int, found bool) {
	all := r.History.Requests()
	for t, q := range all {
		if q.IsNow() || q.Answer >= m.Request.Answer {
			return t, q.Answer == m.Request.Answer
		}
	}
	return len(all) - 1, false
}

// Shown returns the index in the history of an item that the experiment shows.
func (r *Requests) Shown(e *Experiment, item int) int {
	if r.match == nil {
		return item
	}
	j, _ := r.match.at(e.numbers.key(item))
	return j
}
