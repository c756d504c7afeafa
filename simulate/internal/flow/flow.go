// Package flow answers the lines of an input, or other pieces of it, with several
// workers and in bounded memory. The answers keep the order of the input.
package flow

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// maxJobs bounds the number of workers: more would only cost memory.
const maxJobs = 1024

// Parallel returns the number of cases or lines to work on at a time: the value of
// --jobs up to 1024, or the number of processors if that is 0.
func Parallel(jobs int) (int, error) {
	switch {
	case jobs < 0:
		return 0, fmt.Errorf("--jobs: %d, must be at least 1, or 0 for all processors", jobs)
	case jobs == 0:
		jobs = runtime.GOMAXPROCS(0)
	}
	return min(jobs, maxJobs), nil
}

// A Flow answers lines, or other pieces of input, with several workers, in the
// order in which they came:
//
//	read -> work -> answer, answer, ... (workers)
//	     -> order ------------------------------> write
//
// Each line travels in a parcel. There are a fixed number of parcels, which
// come back to the reader once they are written, so memory is bounded however
// long the input is: by parcels for short lines, by bytes for long ones. Answers
// are written as soon as all before them are, and are held back in a buffer
// only while the next one is ready: a caller that sends one line at a time gets
// its answer before it sends the next.
type Flow struct {
	Jobs    int // workers, at least 1
	Parcels int // lines that are held at once; 0: parcelsPerJob for each worker
	// Answer appends the answer to p.Line to p.Out. It may leave anything else
	// in the parcel for Done. It is called by several goroutines.
	Answer func(ctx context.Context, p *Parcel)
	// Done sees each parcel after it was written, in order, one at a time.
	Done func(p *Parcel)
}

// Parcel is a line on its way through a Flow. Its memory is reused.
type Parcel struct {
	Source   string // the source of the line; "": there is only one source
	Number   int    // number of the line, from 1; blank lines count
	Position int    // number of the line, from 1, among those that are not blank
	Line     []byte // without its newline; not blank
	TooLong  bool   // Line is only the beginning
	Out      []byte
	Payload  any // what the feeder or Flow.Answer passes on besides the line

	weight int64 // bytes that it takes of those that may be in flight
	ready  chan struct{}
}

const (
	parcelsPerJob = 4       // so that a long line does not idle the other workers
	inFlight      = 1 << 28 // bytes of lines on their way, except one line that waits
	keptBytes     = 1 << 20 // larger buffers are not reused
	writeBytes    = 1 << 16
)

// Put waits for a free parcel, calls fill to fill it, and sends it. fill returns
// the number of bytes that the parcel holds. If fill fails, the parcel is free
// again and Put returns the error. A Feeder must end on any error of Put.
type Put func(fill func(*Parcel) (bytes int64, err error)) error

// Feeder puts the whole input into parcels.
type Feeder func(put Put) error

// Run answers everything that feed sends. An error of ctx or w ends it early,
// after a whole line. An error of the feeder ends it once everything before is
// answered. Only the feeder's goroutine may outlive Run, until its current
// Read returns.
func (f Flow) Run(ctx context.Context, feed Feeder, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	n := cmp.Or(f.Parcels, parcelsPerJob*f.Jobs)
	free, work, order := make(chan *Parcel, n), make(chan *Parcel, n), make(chan *Parcel, n)
	for range n {
		free <- &Parcel{ready: make(chan struct{}, 1)}
	}
	held := semaphore.NewWeighted(inFlight)
	read := make(chan error, 1)
	put := func(fill func(*Parcel) (int64, error)) error {
		var p *Parcel
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p = <-free:
		}
		p.Out, p.Source, p.Payload, p.TooLong = p.Out[:0], "", nil, false
		size, err := fill(p)
		if err != nil {
			free <- p // never blocks, as below: there are as many places as parcels
			return err
		}
		p.weight = min(size, inFlight)
		if err := held.Acquire(ctx, p.weight); err != nil {
			return err // ctx is done, nothing waits for p
		}
		work <- p
		order <- p
		return nil
	}
	go func() {
		read <- feed(put)
		close(work)
		close(order)
	}()
	var workers sync.WaitGroup
	for range f.Jobs {
		workers.Go(func() { f.work(ctx, work) })
	}
	err := f.write(ctx, w, order, func(p *Parcel) {
		held.Release(p.weight)
		free <- p
	})
	cancel()
	workers.Wait()
	if err != nil {
		return err
	}
	return <-read // order is closed, so it is there
}

// work answers parcels until there are no more, or ctx is done.
func (f Flow) work(ctx context.Context, work <-chan *Parcel) {
	for {
		select {
		case <-ctx.Done():
			return
		case p, more := <-work:
			if !more {
				return
			}
			f.Answer(ctx, p)
			p.ready <- struct{}{}
		}
	}
}

// write writes the answers in order and gives the parcels back.
func (f Flow) write(ctx context.Context, w io.Writer, order <-chan *Parcel, back func(*Parcel)) error {
	out := bufio.NewWriterSize(w, writeBytes)
	fail := func(err error) error { return fmt.Errorf("writing answers: %w", err) }
	stopped := func() error {
		if err := out.Flush(); err != nil { // writes the whole lines that are answered
			return fail(err)
		}
		return ctx.Err()
	}
	for {
		p, more, err := next(ctx, order, out)
		switch {
		case err != nil:
			return fail(err)
		case ctx.Err() != nil:
			return stopped()
		case !more:
			if err := out.Flush(); err != nil {
				return fail(err)
			}
			return nil
		}
		if _, _, err := next(ctx, p.ready, out); err != nil {
			return fail(err)
		}
		if ctx.Err() != nil { // the answer may be to the cancellation
			return stopped()
		}
		if _, err := out.Write(p.Out); err != nil {
			return fail(err)
		}
		f.Done(p)
		if cap(p.Line) > keptBytes {
			p.Line = nil
		}
		if cap(p.Out) > keptBytes {
			p.Out = nil
		}
		back(p)
	}
}

// next receives from c. Before it waits, it flushes out and returns the error of
// that. It stops waiting when ctx is done.
func next[T any](ctx context.Context, c <-chan T, out *bufio.Writer) (v T, more bool, err error) {
	select {
	case v, more = <-c:
		return v, more, nil
	default:
	}
	if err := out.Flush(); err != nil {
		return v, false, err
	}
	select {
	case v, more = <-c:
	case <-ctx.Done():
	}
	return v, more, nil
}
