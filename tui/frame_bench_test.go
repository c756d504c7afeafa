package tui

import (
	"fmt"
	"testing"
)

// BenchmarkFrame measures from a key press to the text of the frame that
// answers it, policies A (greedy) and B (knapsack 100) both up to date, lanes
// included: also what is told beside, as what pinning the selected item does. Run it with -benchtime=200x or more.
func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{120, 36}} {
		for _, c := range []struct {
			name string
			keys []string // pressed in turn
		}{
			{"move", []string{"j"}},
			{"budget", []string{"l", "l", "l", "l", "h", "h", "h", "h"}},
			{"pin", []string{"<space>"}},
		} {
			for _, n := range []int{1000, 10_000, 100_000} {
				b.Run(fmt.Sprintf("%dx%d/%s/%dk", size[0], size[1], c.name, n/1000), func(b *testing.B) {
					s := begin(b, sampleSession(b, n), size[0], size[1])
					s.press("jj")
					_ = s.m.View()
					b.ReportAllocs()
					i := 0
					for b.Loop() {
						s.press(c.keys[i%len(c.keys)])
						if len(s.m.View().Content) == 0 {
							b.Fatal("empty frame")
						}
						i++
					}
				})
			}
		}
	}
}

// BenchmarkFrame of the views that draw all items at once.
func BenchmarkFrameOfViews(b *testing.B) {
	for _, size := range [][2]int{{120, 36}, {200, 60}} {
		for _, c := range []struct {
			name, open string
			keys       []string // pressed in turn
		}{
			{"map/move", "3", []string{"j"}},
			{"map/budget", "3", []string{"l", "l", "l", "l", "h", "h", "h", "h"}},
			{"map/zoom", "3", []string{"+", "+", "+", "-", "-", "-"}},
			{"map/pan", "3+++", []string{">", ">", "<lt>", "<lt>"}},
			{"window/scroll", "4", []string{"j", "j", "j", "k"}},
			{"window/item", "4", []string{"J", "J", "J", "K"}},
			{"window/end", "4", []string{"G", "g"}},
			{"window/budget", "4", []string{"l", "h"}},
			{"curve/budget", "7", []string{"l", "l", "l", "l", "h", "h", "h", "h"}},
			{"curve/zoom", "7", []string{"+", "+", "+", "-", "-", "-"}},
			{"map/overview", "3))))))))))))))))))", []string{"l", "h"}},
		} {
			for _, n := range []int{1000, 10_000, 100_000} {
				b.Run(fmt.Sprintf("%dx%d/%s/%dk", size[0], size[1], c.name, n/1000), func(b *testing.B) {
					s := begin(b, sampleSession(b, n), size[0], size[1])
					s.press(c.open)
					_ = s.m.View()
					b.ReportAllocs()
					i := 0
					for b.Loop() {
						s.press(c.keys[i%len(c.keys)])
						if len(s.m.View().Content) == 0 {
							b.Fatal("empty frame")
						}
						i++
					}
				})
			}
		}
	}
}
