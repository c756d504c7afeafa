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
// they are many, f is called on all processors that no other call has, so it must be safe for
// concurrent calls.
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

// helpers is how many goroutines help the callers of spread, all of them together.
var helpers atomic.Int64

// spread is Spread for work of the given size, in bytes of text. The caller works too, and has
// helpers while fewer than all processors have one: where calls nest or run side by side, more of
// them would only take turns, and a key would wait for its turn among them.
func spread(n, work int, f func(from, to int)) {
	if min(Workers(), n) < 2 || work < worthSpreading {
		f(0, n)
		return
	}
	s := spreading{n: n, step: max(1, n/(32*Workers())), f: f} // items differ in size
	s.share()
	s.all.Wait()
	if err := s.failed.Load(); err != nil {
		Release(*err)
	}
}

// spreading is a call of spread.
type spreading struct {
	n, step int
	f       func(from, to int)
	next    atomic.Int64   // the first i that no one has taken
	all     sync.WaitGroup // the helpers
	failed  atomic.Pointer[error]
}

// share calls f with stretches that no one has taken until there are none.
func (s *spreading) share() {
	err := Catch(func() error {
		for {
			to := int(s.next.Add(int64(s.step)))
			if to-s.step >= s.n {
				return nil
			}
			if to < s.n {
				s.findHelper()
			}
			s.f(to-s.step, min(s.n, to))
		}
	})
	if err != nil {
		s.failed.Store(&err)
	}
}

// findHelper has another goroutine share the rest, unless there are enough.
func (s *spreading) findHelper() {
	if helpers.Add(1) >= int64(Workers()) {
		helpers.Add(-1)
		return
	}
	s.all.Go(func() {
		defer helpers.Add(-1)
		s.share()
	})
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
