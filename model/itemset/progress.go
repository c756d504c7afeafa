package itemset

import (
	"context"
	"sync"
)

// Progress is how far loading is.
type Progress struct {
	Files   int   // of a folder or a pattern that were read
	Bytes   int64 // read, of those files or of the one source
	Size    int64 // of the one source; 0: not known before it ends
	Records int   // of the source that were looked at
}

type progressKey struct{}

// WithProgress returns a context under which loading tells how far it is:
// whenever a megabyte, 64 files of a folder or 256 records are done. f runs
// on the goroutine that loads, which waits for it.
func WithProgress(ctx context.Context, f func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// progressOf is the function of WithProgress, or one that does nothing.
func progressOf(ctx context.Context) func(Progress) {
	if f, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		return f
	}
	return func(Progress) {}
}

// silenced is a context whose progress can be silenced: after that the function
// of WithProgress is not called, nor is it running.
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
	// progressFiles and progressRecords are how many are read between two calls.
	progressFiles   = 64
	progressRecords = 256
)

// readSome notes that a file of so many bytes was read in a folder.
func (b *builder) readSome(bytes int64) {
	b.done.Files++
	b.done.Bytes += bytes
	if b.done.Files%progressFiles == 0 {
		progressOf(b.ctx)(b.done)
	}
}

// Next counts a record and now and then looks whether to stop.
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
