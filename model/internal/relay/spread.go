package relay

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// worthSpreading is the least work, in bytes of text, that several processors share:
// less is done before a goroutine has started.
const worthSpreading = 1 << 18

// Spread calls f with ranges from <= i < to that together hold each i from 0 to n-1
// once, and returns when all calls have. Work of many bytes is done on all processors, so
// f must be safe for concurrent calls. A panic in f becomes one of the caller.
func Spread(n, bytes int, f func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers < 2 || bytes < worthSpreading {
		f(0, n)
		return
	}
	step := max(1, n/(32*workers)) // items differ in size
	var next atomic.Int64
	var all sync.WaitGroup
	errs := make([]error, workers)
	for k := range workers {
		all.Go(func() {
			errs[k] = Catch(func() error {
				for {
					from := int(next.Add(int64(step))) - step
					if from >= n {
						return nil
					}
					f(from, min(n, from+step))
				}
			})
		})
	}
	all.Wait()
	for _, err := range errs {
		Release(err)
	}
}
