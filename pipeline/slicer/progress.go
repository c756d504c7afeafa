package slicer

import "context"

// Progress is a function that receives the progress of a computation: done of total cells. In
// the profile of a Quota each kind is an equal part of total, whatever its cells. The goroutine
// that computes calls it about every MeterStep cells, so it must return quickly and must not
// block. Within one computation done never falls and is at most total.
type Progress func(done, total int64)

type progressKey struct{}

// WithProgress returns a context under which long computations report their
// progress to f: the tables and profiles of knapsacks, and simulate.NewOptimum.
// Other slicers take milliseconds and report nothing. When a Quota over
// a knapsack slices, the table of each kind is a computation of its own, and
// done starts again with each. A table that Slice makes may end below total,
// because total includes the walk that a profile would add.
func WithProgress(ctx context.Context, f Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// ProgressOf returns the function that ctx has from WithProgress, or a function
// that does nothing. It never returns nil.
func ProgressOf(ctx context.Context) Progress {
	if f, ok := ctx.Value(progressKey{}).(Progress); ok && f != nil {
		return f
	}
	return func(int64, int64) {}
}

// shareOf returns a context for computation i of n, which count alike.
func shareOf(ctx context.Context, i, n int) context.Context {
	const parts = 1 << 10
	whole := ProgressOf(ctx)
	return WithProgress(ctx, func(done, total int64) {
		whole(int64(i)*parts+int64(parts*(float64(done)/float64(total))), int64(n)*parts)
	})
}

// Meter counts the cells of a long computation, polls its context and reports its
// progress. Make one with NewMeter; the zero Meter is not usable. It is not safe
// for concurrent use.
type Meter struct {
	ctx         context.Context
	tell        Progress
	done, total int64
	pending     int
}

// MeterStep is the number of cells after which Meter.Add polls the context and
// reports progress. They take about a fifth of a millisecond.
const MeterStep = 1 << 18

// NewMeter returns the meter of a computation of total cells. It reports to the
// function of WithProgress. If total is 0, it only polls ctx.
func NewMeter(ctx context.Context, total int64) Meter {
	m := Meter{ctx: ctx, tell: func(int64, int64) {}, total: total}
	if total > 0 {
		m.tell = ProgressOf(ctx)
	}
	return m
}

// Add counts cells that were computed. After every MeterStep cells it reports
// progress and returns ctx's error; otherwise it returns nil.
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
