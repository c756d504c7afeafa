package experiment

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"cupelscope/model"
	"cupelscope/model/itemset/record"
	"cupelscope/simulate"
	"cupelscope/simulate/turns"
)

// Log is a whole conversation, including the items that compactions and rewinds removed.
type Log struct {
	Items *model.Set
	Pairs []simulate.Pair
	Told  []record.Turn // what the source records about each message, such as when it was removed
}

// Conversation is the input from which Requests cuts the requests of a session: all
// items, even while an earlier moment is shown. It is immutable and safe for concurrent
// use.
type Conversation struct {
	Items *model.Set // with the edits applied
	pairs simulate.Pairs
	told  []record.Turn
	log   *log // with the removed items; nil if the source has none
}

// log loads a Log when it is first needed and keeps it. It is safe for concurrent use.
type log struct {
	load func(context.Context) (Log, error)

	mu     sync.Mutex
	loaded *Log
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

// Tell sets what the source records about messages, and the function that loads the
// whole conversation with the items that were removed from it; nil if none were. Call it
// before anything is computed.
func (e *Experiment) Tell(told []record.Turn, load func(context.Context) (Log, error)) {
	e.told, e.log = told, nil
	if load != nil {
		e.log = &log{load: load}
	}
}

// Conversation returns the current items, with edits, from which requests are cut.
func (e *Experiment) Conversation() Conversation {
	return Conversation{e.whole, e.linked, e.told, e.log}
}

// Requests is a conversation cut into requests. Its Session may have more items than the
// experiment: those that compactions and rewinds removed.
type Requests struct {
	*turns.Session
	items []int32 // by item of the session: its index in the experiment, -1 if removed; nil: the indexes are equal
}

// Item returns the index in the experiment of item i of the session; false if a
// compaction or a rewind removed the item.
func (r *Requests) Item(i int32) (int, bool) {
	if r.items == nil {
		return int(i), true
	}
	return int(r.items[i]), r.items[i] >= 0
}

// Name returns how to call item i of the session: "#" and its index in the experiment,
// or "gone" if it was removed.
func (r *Requests) Name(i int32) string {
	if item, ok := r.Item(i); ok {
		return "#" + strconv.Itoa(item)
	}
	return "gone"
}

// Requests cuts the conversation into requests. It may load the log of the source first.
// The error is that of turns.FromItems, of loading the log or of ctx, or says that the
// log does not match the items.
func (c Conversation) Requests(ctx context.Context) (*Requests, error) {
	if c.log == nil {
		s, err := turns.FromItems(c.Items, c.pairs, c.told)
		if err != nil {
			return nil, err
		}
		return &Requests{Session: s}, nil
	}
	all, err := c.log.get(ctx)
	if err != nil {
		return nil, err
	}
	to, items, err := c.within(all)
	if err != nil {
		return nil, err
	}
	var counts []model.Recount
	for i, j := range to {
		n, count := c.Items.LoadedTokens(i)
		if before, _ := all.Items.LoadedTokens(int(j)); before != n {
			counts = append(counts, model.Recount{Index: int(j), Tokens: n, Count: count})
		}
	}
	set := all.Items
	if len(counts) > 0 {
		if set, err = set.Counted(counts); err != nil {
			return nil, err
		}
	}
	if edits := c.Items.Edits(); !edits.IsZero() {
		if set, err = set.With(edits.Among(set.Len(), to)); err != nil {
			return nil, err
		}
	}
	s, err := turns.FromItems(set, simulate.NewPairs(set.Len(), all.Pairs), all.Told)
	if err != nil {
		return nil, err
	}
	return &Requests{s, items}, nil
}

// within matches the items of the experiment with those of the log, in order: to maps an
// item of the experiment to the log, items the reverse, with -1 for items of the log that
// the experiment does not have. The error names the first item without a match.
func (c Conversation) within(all Log) (to, items []int32, err error) {
	n := all.Items.Len()
	went := make([]bool, n)
	if c.Items.Len() < n {
		for _, t := range all.Told {
			for i := t.From; i < t.To && t.Gone > 0; i++ {
				went[i] = true
			}
		}
	}
	items = make([]int32, n)
	for j := range items {
		items[j] = -1
		if i := len(to); !went[j] && i < c.Items.Len() && c.Items.Loaded(i).Content == all.Items.Loaded(j).Content {
			items[j] = int32(i)
			to = append(to, int32(j))
		}
	}
	if len(to) < c.Items.Len() {
		return nil, nil, fmt.Errorf("the requests cannot be told: item #%d is not where the log of the session has it; r loads both again", len(to))
	}
	return to, items, nil
}

// Cost returns how long Requests is predicted to take, in microseconds on one core.
func (c Conversation) Cost() int {
	if c.log != nil {
		return 1 << 20 // it may load a file
	}
	return 10 + c.Items.Len()/4
}

// There returns a function that reports whether an item of the experiment was in the
// conversation at request t, counted from 0. It panics if there is no such request.
func (r *Requests) There(t int) func(item int) bool {
	q := r.Session.Requests()[t]
	if r.items == nil {
		return func(item int) bool { return item < q.Before }
	}
	there := map[int]bool{}
	for j, gone := range r.Gone(q) {
		if i, stays := r.Item(int32(j)); stays && !gone {
			there[i] = true
		}
	}
	return func(item int) bool { return there[item] }
}

// Moment returns the moment of request t, counted from 0. It panics if there is no such
// request.
func (r *Requests) Moment(t int) Moment {
	q := r.Session.Requests()[t]
	m := Moment{Request: q, Items: q.Before, Number: t + 1, Of: len(r.Session.Requests())}
	if r.items != nil {
		m.Items = r.came(q)
	}
	return m
}

// came returns the number n for which the first n items of the experiment are exactly
// those that were in the conversation at a request; -1 if there is no such n, because
// items were removed since or stand elsewhere.
func (r *Requests) came(q turns.Request) int {
	n := 0
	for j, gone := range r.Session.Gone(q) {
		i, stays := r.Item(int32(j))
		switch {
		case gone && !stays:
		case gone || !stays || i != n:
			return -1
		default:
			n++
		}
	}
	return n
}
