package itemset

import (
	"context"
	"errors"
	"iter"
	"slices"

	"cupelscope/model/itemset/internal/record"
)

// errRuns ends the reading of a source whose runs were yielded one by one.
var errRuns = errors.New("handed on run by run")

// ReadRuns yields each run of a source that holds several, loaded as Read does. If
// the source holds only one, or Options.Select is set, it yields that one. It parses
// the source once, however many runs there are. If a run cannot be read, its Err
// says why, and the next run follows.
func ReadRuns(ctx context.Context, name string, data []byte, opts Options) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		opts.run = yield
		if l, err := Read(ctx, name, data, opts); !errors.Is(err, errRuns) {
			yield(Run{Loaded: l, Err: err})
		}
	}
}

// LoadRuns is like ReadRuns for a source that Load reads: a path, a pattern or "-".
// When ctx ends, it yields one more Run with the error of ctx and stops.
func LoadRuns(ctx context.Context, source string, opts Options) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		within, cancel := context.WithCancel(ctx)
		defer cancel() // also where the consumer has seen enough
		runs, end := make(chan Run), make(chan struct{})
		opts.run = func(r Run) bool {
			select {
			case runs <- r:
				return true
			case <-within.Done():
				return false
			}
		}
		go func() {
			defer close(end)
			if l, err := Load(within, []string{source}, opts); ctx.Err() == nil && !errors.Is(err, errRuns) {
				opts.run(Run{Loaded: l, Err: err})
			}
		}()
		for {
			select {
			case r := <-runs:
				if !yield(r) {
					return
				}
			case <-end:
				if ctx.Err() != nil {
					yield(Run{Err: ctx.Err()})
				}
				return
			}
		}
	}
}

// oneRun reads one run of the source as if it were the only one, and passes it to
// Options.run.
func (b *builder) oneRun(number int, read func() error, row *format, doc record.Document) error {
	all := *b
	b.out.Report.Entries = slices.Clone(b.out.Report.Entries)
	for i := range b.out.Report.Entries {
		e := &b.out.Report.Entries[i]
		e.Places = slices.Clone(e.Places)
	}
	r := Run{Number: number}
	if r.Err = b.finish(row, doc, read()); r.Err == nil {
		b.out.Names = []string{b.name}
		r.Loaded, r.Err = b.loaded()
	}
	more := b.opts.run(r)
	*b = all
	b.passedRun = true
	if !more {
		return errRuns
	}
	return b.ctx.Err()
}
