package work

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Inline is how much work, in predicted microseconds, is done at once between a key and
// its frame; the rest goes to lanes. It leaves most of a 60th of a second for drawing.
const Inline = 6000

// Job is work that may take longer than a frame.
type Job struct {
	Key  any // names the work; it must be comparable
	Cost int // predicted microseconds on one core
	// Waits says that in a lane the work waits for the keys to rest; see Rest.
	Waits bool
	// Run does the work. It uses immutable values only, polls ctx, and may run on any
	// goroutine.
	Run func(ctx context.Context) (any, error)
}

// Worker has work to do, one job at a time. It must be comparable.
type Worker interface {
	// Job returns the work that is needed now, or false if nothing is.
	Job() (Job, bool)
	// Done takes the result of the job with that key, or its error. It is not called
	// for a job that was cancelled.
	Done(key, result any, err error)
}

// Pool runs the jobs of workers, with a lane for each. It is not safe for concurrent use.
type Pool struct {
	ctx    context.Context
	now    func() time.Time
	lanes  map[Worker]*lane
	rested time.Time // see Rest
}

// lane is a Lane and what it works on.
type lane struct {
	Lane
	key   any
	waits bool
}

// Answer is the message with which a job in a lane ends; pass it to Pool.Take.
type Answer struct {
	worker     Worker
	lane       *lane
	generation int
	key        any // nil: it was cancelled
	result     any
	err        error
}

// NewPool returns a pool without work, with a clock. All its jobs are cancelled when ctx
// ends.
func NewPool(ctx context.Context, now func() time.Time) *Pool {
	return &Pool{ctx: ctx, now: now, lanes: make(map[Worker]*lane)}
}

// keyRest is how long keys must rest before work starts that no one waits for. Keys that
// repeat come faster: each would start that work, cancel it for the next key, and wait for
// a free core.
const keyRest = 60 * time.Millisecond

// Rest says that a key has come. Jobs that can wait start in their lanes keyRest later at
// the earliest, and as long after the answer of a job that cannot.
func (p *Pool) Rest() { p.rested = p.now().Add(keyRest) }

// Do does what a worker needs. Jobs that are predicted to take at most left microseconds
// run at once; the first one that takes longer is returned as a command, to run in the
// worker's lane. The command is nil if there is none. Do also returns how many of the
// microseconds are left. A running job that is no longer needed, or has another key than
// the one that is, is cancelled.
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
		l.key, l.waits = want.Key, want.Waits
		rested := p.rested
		return func() tea.Msg {
			cancelled := Answer{worker: w, lane: l, generation: generation}
			if want.Waits {
				select {
				case <-ctx.Done():
					return cancelled
				case <-time.After(time.Until(rested)):
				}
			}
			result, err := want.Run(ctx)
			if ctx.Err() != nil {
				return cancelled
			}
			return Answer{w, l, generation, want.Key, result, err}
		}, left
	}
}

// Take passes the answer of a job to Done of its worker, unless the job was cancelled,
// and frees the lane. It returns false, and drops the answer, if that is stale.
func (p *Pool) Take(a Answer) bool {
	if p.lanes[a.worker] != a.lane || !a.lane.End(a.generation) {
		return false
	}
	a.lane.key = nil // what it refers to may be large
	if !a.lane.waits {
		p.Rest()
	}
	if a.key != nil {
		a.worker.Done(a.key, a.result, a.err)
	}
	return true
}

// Running reports whether a job of the worker runs in its lane.
func (p *Pool) Running(w Worker) bool { l := p.lanes[w]; return l != nil && l.running }

// Busy reports whether a job of any worker runs in a lane.
func (p *Pool) Busy() bool {
	for _, l := range p.lanes {
		if l.running {
			return true
		}
	}
	return false
}

// Percent returns the progress of the worker's job in percent, or -1 if none runs.
func (p *Pool) Percent(w Worker) int {
	if l := p.lanes[w]; l != nil {
		return l.Percent()
	}
	return -1
}

// Cancel asks the worker's job to stop. Its lane is free once the job has ended.
func (p *Pool) Cancel(w Worker) {
	if l := p.lanes[w]; l != nil {
		l.Cancel()
	}
}

// Drop cancels the worker's job and forgets the worker. Answers that still come are
// dropped.
func (p *Pool) Drop(w Worker) {
	p.Cancel(w)
	delete(p.lanes, w)
}

// DropAll drops every worker; see Drop.
func (p *Pool) DropAll() {
	for w := range p.lanes {
		p.Drop(w)
	}
}
