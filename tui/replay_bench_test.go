package tui

import (
	"fmt"
	"testing"
)

// BenchmarkFrameOfSteps measures frames of Replay and Trace, from a key press to the
// text; what goes to lanes, as the detail's what if does, is not done.
func BenchmarkFrameOfSteps(b *testing.B) {
	for _, size := range [][2]int{{120, 36}, {200, 60}} {
		for _, c := range []struct{ name, open string }{{"replay", "5"}, {"replay-knapsack", "c5"}, {"trace", "6"}} {
			for _, n := range []int{1000, 100_000} {
				b.Run(fmt.Sprintf("%dx%d/%s/%dk", size[0], size[1], c.name, n/1000), func(b *testing.B) {
					s := begin(b, sampleSession(b, n), size[0], size[1])
					s.press(c.open)
					_ = s.m.View()
					s.held = true
					b.ReportAllocs()
					for b.Loop() {
						s.press("j")
						if s.queue = nil; len(s.m.View().Content) == 0 {
							b.Fatal("empty frame")
						}
					}
				})
			}
		}
	}
}

// BenchmarkReplay collects all steps, as every change of the budget asks for
// while they are shown.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{100_000} { // of fewer, Update makes them itself
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			s := begin(b, sampleSession(b, n), 120, 36)
			s.press("5")
			budgets := []string{"l", "h"}
			i := 0
			s.held = true
			for b.Loop() {
				b.StopTimer()
				s.press(budgets[i%2]) // the steps are due, whatever else is
				i++
				job, due := s.m.replay.Job()
				b.StartTimer()
				if !due {
					b.Fatal("the steps are there already")
				}
				made, err := job.Run(s.m.ctx)
				s.m.replay.Done(job.Key, made, err)
			}
		})
	}
}
