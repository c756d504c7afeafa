package work

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Frame is how long work may take that is done at every key; what takes longer is slow. A key waits
// for its answers for two frames at most, all jobs together, before it is drawn without them: that
// leaves some of a 60th of a second for drawing.
const Frame = 6 * time.Millisecond

// Job is work that may take longer than a frame.
type Job struct {
	// Key names the work, and all that take relies on: an answer is taken only while the worker
	// wants a job with this key. It must be comparable. Jobs of one kind have keys of one type.
	Key any
	// CanWait says that no one waits for the work. If it is Long, or the worker's last job of this
	// kind took longer than a frame, the work starts once no key has come for a while; see Pool.DelaySlow.
	CanWait bool
	// Long says that the work takes longer than a frame, also if the last job of its kind did not.
	Long bool
	// Limit is how long Run may take; 0 is without end. Beyond it Run's context ends, with
	// the error for which TooLong returns true.
	Limit time.Duration
	// Run does the work. It uses immutable values only, polls ctx, and may run on any
	// goroutine. It returns what takes the result, which the pool calls unless the job was
	// cancelled or something else is asked for by then. See Pass.
	Run func(ctx context.Context) (take func())
}

// Pass returns a Job.Run that passes what run returns to take.
func Pass[T any](run func(context.Context) (T, error), take func(T, error)) func(context.Context) func() {
	return func(ctx context.Context) func() {
		result, err := run(ctx)
		return func() { take(result, err) }
	}
}

// TooLong reports whether an error says that a job reached its limit.
func TooLong(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// Worker has work to do, one job at a time. It must be comparable.
type Worker interface {
	// Job returns the work that is needed now, or false if nothing is.
	Job() (Job, bool)
}

// Pool runs the jobs of workers, with a lane for each. It is not safe for concurrent use.
type Pool struct {
	// Frame is the constant Frame, unless a picture or a test waits for all answers, or a test for none.
	Frame time.Duration
	// Limit applies the limit of a job: context.WithTimeout, unless a test has a clock of
	// its own.
	Limit func(context.Context, time.Duration) (context.Context, context.CancelFunc)

	ctx   context.Context
	now   func() time.Time
	lanes map[Worker]*lane
	left  time.Duration // to wait for answers to the message
	quiet time.Time     // from when on slow jobs may start; see DelaySlow
}

// lane is a Lane and what it works on.
type lane struct {
	Lane
	job           Job
	waitsForQuiet bool                  // the job starts at Pool.quiet, or has started then
	slow          map[reflect.Type]bool // the kinds of jobs of which the last one took longer than a frame; no others
}

// NewPool returns a pool without work, with a clock. All its jobs are cancelled when ctx
// ends.
func NewPool(ctx context.Context, now func() time.Time) *Pool {
	return &Pool{Frame: Frame, Limit: context.WithTimeout, ctx: ctx, now: now, lanes: make(map[Worker]*lane)}
}

// Begin says that a message has come: its jobs may take the time of two frames, because to draw
// one without the result would delay the result by more than another.
func (p *Pool) Begin() { p.left = 2 * p.Frame }

// Hurry leaves four thirds of a frame less to the jobs that follow: what explains a result must
// not hold it up.
func (p *Pool) Hurry() { p.left -= p.Frame * 4 / 3 }

// Glance is Do for work that nothing on the screen shows: its answers are waited for a sixth of a
// frame at most.
func (p *Pool) Glance(w Worker) tea.Cmd {
	rest := max(0, p.left-p.Frame/6)
	p.left -= rest
	defer func() { p.left += rest }()
	return p.Do(w)
}

// quietTime is how long no key must come before slow work starts that no one waits for. Keys
// that are pressed one after the other come faster: each would start that work, cancel it
// for the next key, and wait for a free core.
const quietTime = 250 * time.Millisecond

// DelaySlow has slow jobs that no one waits for start quietTime from now at the earliest. Every
// key does so, and every answer that is waited for.
func (p *Pool) DelaySlow() { p.quiet = p.now().Add(quietTime) }

// Do does what a worker needs: it starts its jobs in its lane and takes their answers, as
// long as the message waits. It returns the command that waits for the answer of the first
// job that takes longer, or nil if there is none. A running job that is no longer needed, or
// whose key is not the key of the job that is needed, is cancelled. So is a job that was put
// off and is now waited for.
func (p *Pool) Do(w Worker) tea.Cmd {
	for p.ctx.Err() == nil {
		want, needed := w.Job()
		l := p.lanes[w]
		switch {
		case !needed:
			p.Cancel(w)
			return nil
		case l != nil && l.running:
			if l.job.Key != want.Key || l.waitsForQuiet && !want.CanWait {
				l.Cancel() // its answer, which is dropped, starts the next one
			}
			return nil
		case l == nil:
			l = &lane{slow: make(map[reflect.Type]bool)}
			p.lanes[w] = l
		}
		ctx, generation := l.Begin(p.ctx)
		l.job = want
		a := Answer{worker: w, lane: l, generation: generation}
		l.waitsForQuiet = want.CanWait && (want.Long || l.slow[reflect.TypeOf(want.Key)])
		if l.waitsForQuiet || p.left <= 0 {
			return p.later(ctx, want, a, l.waitsForQuiet)
		}
		answers := p.start(ctx, want, a)
		answer, came := p.wait(answers)
		if !came {
			return func() tea.Msg { return <-answers }
		}
		p.take(answer)
	}
	return nil
}

// later returns the command that does a job, if slow is set not before DelaySlow allows it.
func (p *Pool) later(ctx context.Context, job Job, a Answer, slow bool) tea.Cmd {
	quiet := p.quiet
	return func() tea.Msg {
		if slow {
			select {
			case <-ctx.Done():
			case <-time.After(time.Until(quiet)):
			}
		}
		return p.run(ctx, job, a)
	}
}

// start starts a job. Its answer comes from the channel; a panic of the job is part of it.
func (p *Pool) start(ctx context.Context, job Job, a Answer) <-chan Answer {
	answers := make(chan Answer, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				a.crash = fmt.Sprintf("%v\n%s", r, debug.Stack())
				answers <- a
			}
		}()
		answers <- p.run(ctx, job, a)
	}()
	return answers
}

// run does a job and completes its answer.
func (p *Pool) run(ctx context.Context, job Job, a Answer) Answer {
	if a.cancelled = ctx.Err() != nil; a.cancelled {
		return a
	}
	limited := ctx
	if job.Limit > 0 {
		var end context.CancelFunc
		limited, end = p.Limit(ctx, job.Limit)
		defer end()
	}
	start := time.Now()
	a.result = job.Run(limited)
	a.took, a.cancelled = time.Since(start), ctx.Err() != nil
	return a
}

// wait waits for an answer as long as the message does. It returns false if none came.
func (p *Pool) wait(answers <-chan Answer) (Answer, bool) {
	start := time.Now()
	defer func() { p.left -= time.Since(start) }()
	late := time.NewTimer(p.left)
	defer late.Stop()
	select {
	case a := <-answers:
		return a, true
	case <-late.C:
		return Answer{}, false
	}
}

// Slow reports whether the last job of a kind took the worker longer than a frame, for any
// kind.
func (p *Pool) Slow(w Worker) bool {
	l := p.lanes[w]
	return l != nil && len(l.slow) > 0
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

// Answer is the message with which a job in a lane ends; pass it to Pool.Take.
type Answer struct {
	worker     Worker
	lane       *lane
	generation int
	cancelled  bool
	took       time.Duration
	result     func() // takes it
	crash      string // what a panic said, and where it was; "" if there was none
}

// Cancelled reports whether the job was cancelled, so that its answer is dropped.
func (a Answer) Cancelled() bool { return a.cancelled }

// Take has the result of a job taken, unless the job was cancelled or its worker asks for
// something else or for nothing by now, and frees the lane. It returns false, and drops the
// answer, if the worker was dropped.
func (p *Pool) Take(a Answer) bool {
	if p.lanes[a.worker] != a.lane || a.lane.Stale(a.generation) {
		return false
	}
	if !a.lane.job.CanWait {
		p.DelaySlow()
	}
	p.left = min(p.left, p.Frame/3) // the answer is late already, and what it starts delays its frame
	want, needed := a.worker.Job()
	if !needed || want.Key != a.lane.job.Key {
		a.result = func() {}
	}
	p.take(a)
	return true
}

// take is Take for the answer to what the worker asks for. It panics if the job did.
func (p *Pool) take(a Answer) {
	if a.crash != "" {
		panic(a.crash)
	}
	key := a.lane.job.Key
	a.lane.End(a.generation)
	a.lane.job = Job{} // what it refers to may be large
	switch kind := reflect.TypeOf(key); {
	case a.took > p.Frame:
		a.lane.slow[kind] = true
	case !a.cancelled:
		delete(a.lane.slow, kind)
	}
	if !a.cancelled {
		a.result()
	}
}
