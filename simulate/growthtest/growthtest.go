//go:build unix

// Package growthtest measures how the processor time of an action grows with the
// size of what it works on. One command prints all actions, in 90 s on a quiet machine:
//
//	go test ./... -run '^$' -bench Growth -benchtime 1x | grep exponent
//
// Nothing may grow faster than n log n, which prints as up to 1.15, except an action with
// a higher exponent by theory, which is printed beside it, and an action on more than a
// cache holds: the actions called "nothing but" show how much that adds.
//
// It is no part of the library: benchmarks of other folders use it too.
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
	attempts  = 5
	// minTime is the processor time of a sample, in which an action runs as often as it takes.
	minTime = 30 * time.Millisecond
	// slow is the processor time after which two samples are enough.
	slow = time.Second
)

// Action is what is measured.
type Action struct {
	Name   string
	From   int     // the smallest size; it is doubled three times
	Theory float64 // the exponent that theory says, printed beside; 0: 1 or less
}

// Run reports the exponent of the processor time of an action: 1 is linear, 2
// quadratic. prepare makes the action for a size, which is not measured. Beside the
// exponent it reports the sizes and the time of one action at the largest.
//
// The exponent is the slope of a line through the logarithms of the times, by least
// squares. Each time is the least of five samples of at least 30 ms, or of two if they
// take more than a second. A busy machine adds some tenths to the exponent. With -short
// everything is so small that the exponent says nothing.
func Run(b *testing.B, a Action, prepare func(b *testing.B, n int) func() error) {
	s := sampling{clock: processorTime, attempts: attempts, minTime: minTime}
	if testing.Short() {
		a.From, s.attempts, s.minTime = 1+a.From/20, 1, 0
	}
	b.Run(a.Name, func(b *testing.B) {
		var took times
		var err error
		for range b.N {
			if took, err = s.measure(a.From, func(n int) func() error { return prepare(b, n) }); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(took.exponent(), "exponent")
		b.ReportMetric(took[doublings].Seconds()*1000, "ms")
		b.ReportMetric(float64(a.From), "size-from")
		b.ReportMetric(float64(a.From<<doublings), "size-to")
		if a.Theory > 0 {
			b.ReportMetric(a.Theory, "theory")
		}
		b.ReportMetric(0, "ns/op")
	})
}

// sampling says how times are taken.
type sampling struct {
	clock    func() time.Duration
	attempts int
	minTime  time.Duration
}

// times are the times of one action, by the number of doublings.
type times [doublings + 1]time.Duration

// measure takes the times of an action from a smallest size on.
func (s sampling) measure(from int, prepare func(n int) func() error) (took times, err error) {
	var actions [doublings + 1]func() error
	for k := range actions {
		took[k] = math.MaxInt64
		actions[k] = prepare(from << k)
	}
	sample := func(k, runs int) error {
		start := s.clock()
		for range runs {
			if err := actions[k](); err != nil {
				return err
			}
		}
		took[k] = min(took[k], max(s.clock()-start, 1)/time.Duration(runs))
		return nil
	}
	var runs [doublings + 1]int
	for k := range actions {
		if err := sample(k, 1); err != nil {
			return took, err
		}
		runs[k] = 1 + int(s.minTime/took[k])
	}
	begun := s.clock()
	for attempt := range s.attempts {
		if attempt > 1 && s.clock()-begun > slow {
			break
		}
		runtime.GC() // what came before does not count
		for k := range actions {
			if err := sample(k, runs[k]); err != nil {
				return took, err
			}
		}
	}
	return took, nil
}

// exponent is the slope of the logarithms of the times, by least squares.
func (t times) exponent() float64 {
	const middle = doublings / 2.0
	var above, squares float64
	for k, took := range t {
		above += (float64(k) - middle) * math.Log2(float64(took))
		squares += (float64(k) - middle) * (float64(k) - middle)
	}
	return above / squares
}

// processorTime returns the processor time that the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
