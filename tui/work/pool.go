package work

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Inline is how much work, in microseconds, is done between a key and its frame
// before the rest goes to lanes. It leaves the other half of a 60th of a second
// for drawing.
const Inline = 6000

// Job is work that may take longer than a frame.
type Job struct {
	Key  any // comparable: what is worked on
	Cost int // microseconds on one core, as predicted
	// Run does it. It refers to immutable values only, polls ctx, and may be
	// run anywhere.
	Run func(ctx context.Context) (any, error)
}

// Worker has work to be done, one job at a time.
type Worker interface {
	// Job is the work that is needed now; false: there is none.
	Job() (Job, bool)
	// Done takes what came of a job; err is no cancellation.
	Done(key, result any, err error)
}

// Pool has a lane for each worker.
type Pool struct {
	ctx   context.Context
	lanes map[Worker]*lane
}

// lane is a Lane and what it works on.
type lane struct {
	Lane
	key any
}

// Answer is the message of a job that came back.
type Answer struct {
	worker     Worker
	lane       *lane
	generation int
	key        any // nil: it was cancelled
	result     any
	err        error
}

// NewPool is a pool whose work ends with ctx.
func NewPool(ctx context.Context) *Pool { return &Pool{ctx, make(map[Worker]*lane)} }

// Do does what a worker needs: at once where all of it is predicted to take at
// most left microseconds, else in its lane. It returns how many remain. A
// job that is no longer needed, or of another key, is cancelled.
func (p *Pool) Do(w Worker, left int) (tea.Cmd, int) {
	for {
		want, needed := w.Job()
		l := p.lanes[w]
		switch {
		case !needed:
			p.Cancel(w)
			return nil, left
		case l != nil && l.running:
			if l.key != want.Key {
				l.Cancel() // its answer, which is dropped, starts the next one
			}
			return nil, left
		case want.Cost <= left:
			left -= want.Cost
			result, err := want.Run(p.ctx)
			if p.ctx.Err() != nil {
				return nil, left
			}
			w.Done(want.Key, result, err)
			continue // there may be more
		case l == nil:
			l = new(lane)
			p.lanes[w] = l
		}
		ctx, generation := l.Begin(p.ctx)
		l.key = want.Key
		return func() tea.Msg {
			result, err := want.Run(ctx)
			if ctx.Err() != nil {
				return Answer{worker: w, lane: l, generation: generation}
			}
			return Answer{w, l, generation, want.Key, result, err}
		}, left
	}
}

// Take hands the answer of a job to its worker; false: it is stale, and dropped.
func (p *Pool) Take(a Answer) bool {
	if p.lanes[a.worker] != a.lane || !a.lane.End(a.generation) {
		return false
	}
	a.lane.key = nil // what it refers to may be large
	if a.key != nil {
		a.worker.Done(a.key, a.result, a.err)
	}
	return true
}

// Running reports whether a worker's job has not come back yet, and Busy
// whether any has not.
func (p *Pool) Running(w Worker) bool { l := p.lanes[w]; return l != nil && l.running }

// Busy is Running of any worker.
func (p *Pool) Busy() bool {
	for _, l := range p.lanes {
		if l.running {
			return true
		}
	}
	return false
}

// Percent is how far a worker's job is; -1 where there is none.
func (p *Pool) Percent(w Worker) int {
	if l := p.lanes[w]; l != nil {
		return l.Percent()
	}
	return -1
}

// Cancel ends a worker's job; its lane is free when that has stopped.
func (p *Pool) Cancel(w Worker) {
	if l := p.lanes[w]; l != nil {
		l.Cancel()
	}
}

// Drop ends a worker's job and forgets the worker.
func (p *Pool) Drop(w Worker) {
	p.Cancel(w)
	delete(p.lanes, w)
}

// DropAll is Drop of every worker.
func (p *Pool) DropAll() {
	for w := range p.lanes {
		p.Drop(w)
	}
}
