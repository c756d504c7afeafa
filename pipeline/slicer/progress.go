package slicer

import "context"

// Progress receives how far a computation is: done of total cells. The goroutine
// that computes calls it about every MeterStep cells, done never falling
// from one call to the next, and so must be quick and must not block.
type Progress func(done, total int64)

type progressKey struct{}

// WithProgress returns a context under which computations that can take long,
// profiles of knapsacks and simulate.NewOptimum, report their progress to f. Those
// of other slicers take milliseconds and report nothing.
func WithProgress(ctx context.Context, f Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// ProgressOf is the function that receives progress under ctx; never nil.
func ProgressOf(ctx context.Context) Progress {
	if f, ok := ctx.Value(progressKey{}).(Progress); ok && f != nil {
		return f
	}
	return func(int64, int64) {}
}

// Coster is a Profiler that knows what a profile costs before it is made.
type Coster interface {
	// Cost is how many cells a profile up to upTo computes at most, below a
	// nanosecond each. It is 0 where there is nothing to wait for; also
	// beyond what Profile takes.
	Cost(upTo Target) int64
}

// CostOf is the cost of a profile; 0 for a slicer that has no costs.
func CostOf(p Prepared, upTo Target) int64 {
	if coster, ok := p.(Coster); ok {
		return coster.Cost(upTo)
	}
	return 0
}

// reportsProgress reports whether ctx asks for progress.
func reportsProgress(ctx context.Context) bool { return ctx.Value(progressKey{}) != nil }

// shareOf returns a context for one of several computations that together make
// total cells, of which those before it made done.
func shareOf(ctx context.Context, done, total int64) context.Context {
	if !reportsProgress(ctx) {
		return ctx
	}
	whole := ProgressOf(ctx)
	return WithProgress(ctx, func(part, _ int64) { whole(done+part, total) })
}

// Meter counts the cells of a long computation, polls its context and reports its
// progress. The zero Meter is not ready: see NewMeter.
type Meter struct {
	ctx         context.Context
	tell        Progress
	done, total int64
	pending     int
}

// MeterStep is how many cells lie between two polls, at least if Add is called
// as often: a fifth of a millisecond.
const MeterStep = 1 << 18

// NewMeter is the meter of a computation of total cells; 0: it reports nothing.
func NewMeter(ctx context.Context, total int64) Meter {
	m := Meter{ctx: ctx, tell: func(int64, int64) {}, total: total}
	if total > 0 {
		m.tell = ProgressOf(ctx)
	}
	return m
}

// Add counts cells that were computed. The error is ctx's.
func (m *Meter) Add(cells int) error {
	if m.pending += cells; m.pending < MeterStep {
		return nil
	}
	m.done = min(m.done+int64(m.pending), m.total)
	m.pending = 0
	m.tell(m.done, m.total)
	return m.ctx.Err()
}

// Finish reports that all cells are done.
func (m *Meter) Finish() { m.tell(m.total, m.total) }
