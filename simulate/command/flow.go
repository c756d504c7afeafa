package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"cupelscope/model/plain"
)

// maxJobs bounds the number of workers: more would only cost memory.
const maxJobs = 1024

// parallel returns the number of cases or lines to work on at a time: the value of
// --jobs, or the number of processors if that is 0.
func parallel(jobs int) (int, error) {
	switch {
	case jobs < 0:
		return 0, fmt.Errorf("--jobs: %d, must be at least 1, or 0 for all processors", jobs)
	case jobs == 0:
		jobs = runtime.GOMAXPROCS(0)
	}
	return min(jobs, maxJobs), nil
}

// A flow answers lines, or other pieces of input, with several workers, in the
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
type flow struct {
	jobs    int // workers, at least 1
	maxLine int // bytes; the rest of a longer line is skipped, and the line is answered as too long
	// answer appends the answer to p.line to p.out. It may leave anything else
	// in the parcel for done. It is called by several goroutines.
	answer func(ctx context.Context, p *parcel)
	// done sees each parcel after it was written, in order, one at a time.
	done func(p *parcel)
}

// parcel is a line on its way through a flow. Its memory is reused.
type parcel struct {
	source  string // the source of the line; "": there is only one source
	number  int    // number of the line, from 1; blank lines count
	line    []byte // without its newline; not blank
	tooLong bool   // line is only the beginning
	out     []byte
	report  lineReport
	payload any // what the feeder or answer passes on besides the line

	weight int64 // bytes that it takes of those that may be in flight
	ready  chan struct{}
}

const (
	parcelsPerJob = 4       // so that a long line does not idle the other workers
	inFlight      = 1 << 28 // bytes of lines on their way, except one line that waits
	keptBytes     = 1 << 20 // larger buffers are not reused
	readBytes     = 1 << 18
	writeBytes    = 1 << 16
)

// put waits for a free parcel, calls fill to fill it, and sends it. fill returns
// the number of bytes that the parcel holds. If fill fails, the parcel is free
// again and put returns the error. A feeder must end on any error of put.
type put func(fill func(*parcel) (bytes int64, err error)) error

// feeder puts the whole input into parcels.
type feeder func(put put) error

// run answers all lines of r on w.
func (f flow) run(ctx context.Context, r io.Reader, w io.Writer) error {
	return f.runFrom(ctx, f.lines("", r), w)
}

// runFrom answers everything that feed sends. An error of ctx or w ends it early,
// after a whole line. An error of the feeder ends it once everything before is
// answered. Only the feeder's goroutine may outlive runFrom, until its current
// Read returns.
func (f flow) runFrom(ctx context.Context, feed feeder, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	n := parcelsPerJob * f.jobs
	free, work, order := make(chan *parcel, n), make(chan *parcel, n), make(chan *parcel, n)
	for range n {
		free <- &parcel{ready: make(chan struct{}, 1)}
	}
	held := semaphore.NewWeighted(inFlight)
	read := make(chan error, 1)
	put := func(fill func(*parcel) (int64, error)) error {
		var p *parcel
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p = <-free:
		}
		p.out, p.source, p.payload, p.tooLong = p.out[:0], "", nil, false
		bytes, err := fill(p)
		if err != nil {
			free <- p // never blocks, as below: there are as many places as parcels
			return err
		}
		p.weight = min(bytes, inFlight)
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
	for range f.jobs {
		workers.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case p, more := <-work:
					if !more {
						return
					}
					f.answer(ctx, p)
					p.ready <- struct{}{}
				}
			}
		})
	}
	err := f.write(ctx, w, order, func(p *parcel) {
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

// lines returns a feeder of the lines of r that are not blank. The feeder returns
// the errors of r wrapped.
func (f flow) lines(source string, r io.Reader) feeder {
	return func(put put) error {
		in := bufio.NewReaderSize(r, readBytes)
		if err := skipMark(in); err != nil {
			return err
		}
		number := 0
		var end error // io.EOF with the last line, which may have no newline
		for end == nil {
			err := put(func(p *parcel) (int64, error) {
				for end == nil {
					number++
					p.line, p.tooLong, end = readLine(in, p.line[:0], f.maxLine)
					if end != nil && !errors.Is(end, io.EOF) {
						return 0, fmt.Errorf("reading line %v: %w", plain.Thousands(number), end)
					}
					if len(bytes.Trim(p.line, " \t\r")) > 0 {
						p.source, p.number = source, number
						return int64(len(p.line)), nil
					}
				}
				return 0, errNoLine
			})
			if err != nil && !errors.Is(err, errNoLine) {
				return err
			}
		}
		return nil
	}
}

// errNoLine reports that the input has ended without another line.
var errNoLine = errors.New("no more lines")

// errUTF16 reports that the input is UTF-16.
var errUTF16 = errors.New("the input is UTF-16: convert it to UTF-8")

// skipMark reads over a byte order mark.
func skipMark(in *bufio.Reader) error {
	head, _ := in.Peek(2) // a later read returns its error again
	switch {
	case bytes.Equal(head, []byte("\xff\xfe")), bytes.Equal(head, []byte("\xfe\xff")):
		return errUTF16
	case bytes.Equal(head, []byte("\xef\xbb")):
		if head, _ = in.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
			_, err := in.Discard(3)
			return err
		}
	}
	return nil
}

// readLine appends the next line to dst, without its newline. If the line is longer
// than limit bytes, tooLong is true and the rest is skipped. The error is io.EOF
// with the last line, and otherwise the error of in.
func readLine(in *bufio.Reader, dst []byte, limit int) (line []byte, tooLong bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if err == nil {
			piece = piece[:len(piece)-1]
		}
		if room := limit - len(dst); len(piece) > room {
			piece, tooLong = piece[:room], true
		}
		dst = append(dst, piece...)
		if !full {
			return dst, tooLong, err
		}
	}
}

// write writes the answers in order and gives the parcels back.
func (f flow) write(ctx context.Context, w io.Writer, order <-chan *parcel, back func(*parcel)) error {
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
		if _, err := out.Write(p.out); err != nil {
			return fail(err)
		}
		f.done(p)
		if cap(p.line) > keptBytes {
			p.line = nil
		}
		if cap(p.out) > keptBytes {
			p.out = nil
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
