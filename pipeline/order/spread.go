package order

import (
	"runtime"
	"sync"
)

// worthSpreading is the least number of elements that several processors share.
const worthSpreading = 1 << 17

// Spread calls f with ranges from <= i < to that together hold each i from 0 to n-1 once, on
// all processors where n is large, and returns when all calls have. f must not panic.
func Spread(n int, f func(from, to int)) {
	workers := runtime.GOMAXPROCS(0)
	if n < worthSpreading || workers < 2 {
		f(0, n)
		return
	}
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() { f(n*k/workers, n*(k+1)/workers) })
	}
	all.Wait()
}
