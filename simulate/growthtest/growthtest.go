//go:build unix

// Package growthtest measures how the processor time of an action grows with the
// size of what it works on.
package growthtest

import (
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const (
	doublings = 3
	attempts  = 3
)

// Run doubles a size three times, from small on, and reports the exponent of the
// processor time of an action: 1 is linear, 2 quadratic. prepare makes the action
// for a size, which is not measured. A smaller size runs as many times as it fits into
// the largest, so that the collector has its share in each. The time is the least of
// three attempts, and that at the largest size is reported in milliseconds. What no longer fits a
// cache adds some tenths to the exponent, and so does a busy machine. With -short
// the sizes are so small that the exponent says nothing.
func Run(b *testing.B, name string, small int, prepare func(b *testing.B, n int) func() error) {
	if testing.Short() {
		small = min(small, 2000)
	}
	b.Run(name, func(b *testing.B) {
		var took [doublings + 1]time.Duration
		for range b.N {
			for k := range took {
				run := prepare(b, small<<k)
				took[k] = math.MaxInt64
				for range attempts {
					runtime.GC() // what came before does not count
					start, runs := ProcessorTime(), 1<<(doublings-k)
					for range runs {
						if err := run(); err != nil {
							b.Fatal(err)
						}
					}
					took[k] = min(took[k], max(ProcessorTime()-start, time.Microsecond)/time.Duration(runs))
				}
			}
		}
		b.ReportMetric(math.Log2(float64(took[doublings])/float64(took[0]))/doublings, "exponent")
		b.ReportMetric(took[doublings].Seconds()*1000, "ms")
		b.ReportMetric(0, "ns/op")
	})
}

// ProcessorTime returns the processor time that the process has used.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
