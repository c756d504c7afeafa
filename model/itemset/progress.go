package itemset

import (
	"context"
	"sync"
)

// Progress says how far loading has come.
type Progress struct {
	Files   int   // number of files of folders read so far
	Bytes   int64 // bytes read so far, of those files or of a single source
	Size    int64 // size in bytes of a single source; 0 if it is not known before its end
	Records int   // number of records of the current source read so far
}

type progressKey struct{}

// WithProgress returns a context with which Load, Read and the like call f as they
// proceed: after each read of at most 1 MiB, 64 files of a folder or 256 records. f
// runs on the goroutine that loads, which waits for it. After Load has returned
// because ctx ended, f is not called any more.
func WithProgress(ctx context.Context, f func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// progressOf returns the function given to WithProgress, or one that does nothing.
func progressOf(ctx context.Context) func(Progress) {
	if f, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		return f
	}
	return func(Progress) {}
}

// silenced returns a context and a function that silences its progress: after that
// returns, the function given to WithProgress is neither running nor called again.
func silenced(ctx context.Context) (context.Context, func()) {
	var mu sync.Mutex
	silent, tell := false, progressOf(ctx)
	ctx = WithProgress(ctx, func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		if !silent {
			tell(p)
		}
	})
	return ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		silent = true
	}
}

const (
	// progressFiles and progressRecords are how many files and records are read
	// between two calls.
	progressFiles   = 64
	progressRecords = 256
)

// readSome counts a file of a folder, with its size in bytes, as read.
func (b *builder) readSome(bytes int64) {
	b.done.Files++
	b.done.Bytes += bytes
	if b.done.Files%progressFiles == 0 {
		progressOf(b.ctx)(b.done)
	}
}

// Next implements record.Sink. It looks at the context only every 256 records.
func (b *builder) Next() bool {
	if b.strict != nil {
		return false
	}
	if b.records++; b.records%progressRecords > 0 {
		return true
	}
	p := b.done
	if p.Files == 0 {
		p.Bytes, p.Size = int64(len(b.data)), int64(len(b.data))
	}
	p.Records = b.records
	progressOf(b.ctx)(p)
	return b.ctx.Err() == nil
}
