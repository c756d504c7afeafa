package relay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"cupelscope/model/musttest"
)

func TestAPanicReachesTheOneThatWaits(t *testing.T) {
	err := fmt.Errorf("counting: %w", Catch(func() error { panic("a mistake") }))
	defer func() {
		if told := fmt.Sprint(recover()); !strings.HasPrefix(told, "a mistake\n") || !strings.Contains(told, "relay_test.go") {
			t.Errorf("it panics with %s", told)
		}
	}()
	Release(err)
	t.Error("no panic")
}

func TestAnErrorStaysOne(t *testing.T) {
	want := errors.New("no such file")
	err := Catch(func() error { return want })
	Release(err)
	musttest.Is(t, err, want)
}

func TestSpreadMeetsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 64, 1000, 12345} {
		for _, bytes := range []int{0, worthSpreading} {
			var mu sync.Mutex
			var met []int
			Spread(n, func(int) int { return bytes }, func(from, to int) {
				mu.Lock()
				defer mu.Unlock()
				for i := from; i < to; i++ {
					met = append(met, i)
				}
			})
			slices.Sort(met)
			if len(met) != n || n > 0 && (met[0] != 0 || met[n-1] != n-1 || len(slices.Compact(met)) != n) {
				t.Errorf("of %d with %d bytes it meets %d", n, bytes, len(met))
			}
		}
	}
}

func TestAPanicWithinSpreadReachesTheCaller(t *testing.T) {
	defer func() {
		if told := fmt.Sprint(recover()); !strings.HasPrefix(told, "a mistake\n") {
			t.Errorf("it panics with %s", told)
		}
	}()
	Spread(100, func(int) int { return worthSpreading }, func(from, to int) {
		if from <= 70 && 70 < to {
			panic("a mistake")
		}
	})
	t.Error("no panic")
}

func TestSpreadEvenMeetsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, worthSpreading/2 - 1, worthSpreading / 2, 3*worthSpreading + 1} {
		times := make([]int8, n)
		SpreadEven(n, func(from, to int) {
			for i := from; i < to; i++ {
				times[i]++
			}
		})
		if i := slices.IndexFunc(times, func(n int8) bool { return n != 1 }); i >= 0 {
			t.Errorf("of %d, %d is met %d times", n, i, times[i])
		}
	}
}
