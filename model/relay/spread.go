package relay

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// worthSpreading is the least work, in bytes of text, that several processors share:
// less is done before a goroutine has started.
const worthSpreading = 1 << 18

// Spread calls f with ranges from <= i < to that together hold each i from 0 to n-1
// once, and returns when all calls have. bytes is the size of the text of one i. Where
// they are many, f is called on all processors, so it must be safe for concurrent calls.
// A panic in f becomes one of the caller.
func Spread(n int, bytes func(i int) int, f func(from, to int)) {
	work := 0
	for i := 0; i < n && work < worthSpreading; i++ {
		work += bytes(i)
	}
	spread(n, work, f)
}

// SpreadEven is Spread for work of a few nanoseconds for each i, such as a number that is copied.
func SpreadEven(n int, f func(from, to int)) { spread(n, 2*n, f) }

// spread is Spread for work of the given size, in bytes of text.
func spread(n, work int, f func(from, to int)) {
	workers := min(Workers(), n)
	if workers < 2 || work < worthSpreading {
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

// spare is how many of the threads that run Go code are for keys alone.
var spare = 0

// KeepOneForKeys lets Go run code on one thread more than there are processors, which Workers
// leaves free. Where work in the background has all threads, Go lets a key wait until a stretch
// of 10 ms of that work is over; the system gives a thread that was waiting a processor at once.
// A GOMAXPROCS that the user has set holds instead. It is to be called once, before any work.
func KeepOneForKeys() {
	if os.Getenv("GOMAXPROCS") == "" {
		spare = 1
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spare)
	}
}

// Workers returns how many goroutines work in the background at a time.
func Workers() int { return runtime.GOMAXPROCS(0) - spare }
