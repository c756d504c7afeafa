package relay

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// Keys have a thread of their own beside one for each processor, unless the user has said how
// many there are.
func TestKeysHaveAThreadOfTheirOwn(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer func() {
		runtime.GOMAXPROCS(before)
		spare = 0
	}()
	for _, c := range []struct {
		set  string
		want int
	}{{"7", before}, {"", before + 1}} {
		t.Setenv("GOMAXPROCS", c.set)
		KeepOneForKeys()
		musttest.Is(t, runtime.GOMAXPROCS(0), c.want, "GOMAXPROCS=", c.set)
		musttest.Is(t, Workers(), before, "GOMAXPROCS", c.set)
	}
}

// Where spread work is spread again, no more goroutines work than there are processors.
func TestSpreadWithinSpreadHasNoMoreHelpers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4 + spare))
	var working, most atomic.Int64
	bytes := func(int) int { return worthSpreading }
	Spread(8, bytes, func(from, to int) {
		for range to - from {
			Spread(40, bytes, func(int, int) {
				now := working.Add(1)
				for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
				}
				time.Sleep(100 * time.Microsecond)
				working.Add(-1)
			})
		}
	})
	if n := most.Load(); n < 2 || n > 4 {
		t.Errorf("%d goroutines work at a time on 4 processors", n)
	}
	musttest.Is(t, helpers.Load(), 0, "helpers afterwards")
}
