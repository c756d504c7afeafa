//go:build unix

package growthtest

import (
	"errors"
	"math"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// A clock that counts steps finds the exponent of work whose number of steps is known.
func TestExponentOfCountedSteps(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps func(n int) int
		want  float64
	}{
		{"constant", func(int) int { return 1000 }, 0},
		{"linear", func(n int) int { return 3 * n }, 1},
		{"quadratic", func(n int) int { return n * n }, 2},
		{"linear after a start", func(n int) int { return n + 1000 }, 0.725},
	} {
		t.Run(c.name, func(t *testing.T) {
			var now time.Duration
			s := sampling{clock: func() time.Duration { return now }, attempts: 2, minTime: 1e6}
			took, err := s.measure(1000, func(n int) func() error {
				return func() error { now += time.Duration(c.steps(n)); return nil }
			})
			if got := took.exponent(); err != nil || math.Abs(got-c.want) > 0.001 {
				t.Errorf("exponent %v, want %v (%v)", got, c.want, err)
			}
			musttest.Is(t, took[doublings], time.Duration(c.steps(8000)), "one action at the largest size takes")
		})
	}
}

func TestTheErrorOfAnActionIsReturned(t *testing.T) {
	fails := errors.New("fails")
	s := sampling{clock: processorTime, attempts: 1}
	_, err := s.measure(1, func(n int) func() error {
		return func() error {
			if n == 2 {
				return fails
			}
			return nil
		}
	})
	if !errors.Is(err, fails) {
		t.Errorf("error %v", err)
	}
}
