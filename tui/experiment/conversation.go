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

// Log is a whole conversation, with what compactions and rewinds took out of it.
type Log struct {
	Items *model.Set
	Pairs []simulate.Pair
	Told  []record.Turn // what the source says of messages, when they went included
}

// Conversation is what the requests of a session are cut from: all items, whatever
// the moment. Immutable.
type Conversation struct {
	Items *model.Set // edits applied
	pairs simulate.Pairs
	told  []record.Turn
	log   *log // with what went; nil: nothing did, as far as the source tells
}

// log loads a Log once. It is safe for concurrent use.
type log struct {
	load func(context.Context) (Log, error)

	mu     sync.Mutex
	loaded *Log
}

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

// Tell says what the source tells of messages, and how to load what is not there
// any more; nil where nothing went. It is called before anything is computed.
func (e *Experiment) Tell(told []record.Turn, load func(context.Context) (Log, error)) {
	e.told, e.log = told, nil
	if load != nil {
		e.log = &log{load: load}
	}
}

// Conversation is what its requests are cut from now.
func (e *Experiment) Conversation() Conversation {
	return Conversation{e.whole, e.linked, e.told, e.log}
}

// Requests is a conversation cut into requests.
type Requests struct {
	*turns.Session
	items []int32 // by item of the session: the one of the experiment, -1: it went; nil: the same
}

// Item is the item of the experiment that an item of the session is; false: a
// compaction or a rewind took it out.
func (r *Requests) Item(i int32) (int, bool) {
	if r.items == nil {
		return int(i), true
	}
	return int(r.items[i]), r.items[i] >= 0
}

// Name is how an item of the session is called: by the number that the experiment
// has for it, or "gone".
func (r *Requests) Name(i int32) string {
	if item, ok := r.Item(i); ok {
		return "#" + strconv.Itoa(item)
	}
	return "gone"
}

// Requests cuts the conversation. Errors are those of turns.FromItems, of loading
// what went, and of ctx.
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
		if it := c.Items.Loaded(i); it.Tokens != all.Items.Loaded(int(j)).Tokens {
			counts = append(counts, model.Recount{Index: int(j), Tokens: it.Tokens, Count: it.Count})
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

// within finds the items of the experiment in the log, and the reverse: they are
// those that stayed, in order, or all.
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

// Cost predicts, in microseconds on one core, how long Requests takes.
func (c Conversation) Cost() int {
	if c.log != nil {
		return 1 << 20 // it may load a file
	}
	return 10 + c.Items.Len()/4
}

// There tells of the items of the experiment which were there at request t.
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

// Moment is the moment of request t, counted from 0.
func (r *Requests) Moment(t int) Moment {
	q := r.Session.Requests()[t]
	m := Moment{Request: q, Items: q.Before, Number: t + 1, Of: len(r.Session.Requests())}
	if r.items != nil {
		m.Items = r.came(q)
	}
	return m
}

// came is how many items of the experiment had come before a request, -1 where
// they are not what there was: something has gone since, or stands elsewhere.
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
