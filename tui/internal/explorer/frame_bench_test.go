package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkFrame measures, for each view and the policy editor, from a key that moves its cursor to
// the text of the frame that answers it. What goes to lanes, as what pinning
// the selected item would do, is not done. Run it with -benchtime=200x or more.
func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{120, 36}, {200, 60}} {
		for _, c := range []struct {
			view, open string
			keys       []string // pressed in turn
		}{
			{"items", "1", toAndFro("j", "k", 80)},
			{"compare", "2", toAndFro("j", "k", 80)},
			{"map", "3", toAndFro("j", "k", 80)},
			{"window", "4", toAndFro("j", "k", 80)},
			{"replay", "5", toAndFro("j", "k", 80)},
			{"trace", "6", toAndFro("j", "k", 20)},
			{"curve", "7", toAndFro("l", "h", 4)}, // its cursor is maxTokens
			{"policy", "p", toAndFro("j", "k", 4)},
		} {
			for _, n := range []int{1000, 100_000} {
				if testing.Short() && n > 10_000 {
					continue
				}
				b.Run(fmt.Sprintf("%dx%d/%s/%dk", size[0], size[1], c.view, n/1000), func(b *testing.B) {
					frames(b, size, sampleSession(b, n), c.open, c.keys, false)
				})
			}
		}
		for _, n := range []int{2000, 100_000} {
			if testing.Short() && n > 10_000 {
				continue
			}
			b.Run(fmt.Sprintf("%dx%d/turns/%dk", size[0], size[1], n/1000), func(b *testing.B) {
				session := conversation(b, rand.New(rand.NewPCG(1, 1)), n)
				frames(b, size, session, "8", toAndFro("j", "k", 3), false)
			})
		}
	}
}

// BenchmarkFrameOfKeys measures frames with all that is done for them, policies
// A (greedy) and B (knapsack 100) both up to date, lanes included: also what is
// told beside, as what pinning the selected item does. Most of items/move is the search
// for what would let the item in, up to a second an item, which starts once the keys rest.
func BenchmarkFrameOfKeys(b *testing.B) {
	for _, size := range [][2]int{{120, 36}, {200, 60}} {
		for _, c := range []struct {
			name, open string // VIEW/KEY
			keys       []string
		}{
			{"items/move", "1", toAndFro("j", "k", 80)},
			{"items/budget", "1", toAndFro("l", "h", 4)},
			{"items/pin", "1", []string{"<space>"}},
			{"policy/weight", "pj", []string{"l", "h"}},
			{"map/budget", "3", toAndFro("l", "h", 4)},
			{"map/zoom", "3", toAndFro("+", "-", 3)},
			{"map/pan", "3+++", toAndFro(">", "<lt>", 2)},
			{"map/overview", "3))))))))))))))))))", toAndFro("l", "h", 1)},
			{"window/scroll", "4", toAndFro("j", "k", 80)},
			{"window/item", "4", toAndFro("J", "K", 80)},
			{"window/end", "4", []string{"G", "g"}},
			{"window/budget", "4", toAndFro("l", "h", 1)},
			{"replay/knapsack", "c5", toAndFro("j", "k", 80)},
			{"curve/zoom", "7", toAndFro("+", "-", 3)},
		} {
			for _, n := range []int{1000, 10_000, 100_000} {
				if testing.Short() && n > 10_000 {
					continue
				}
				b.Run(fmt.Sprintf("%dx%d/%s/%dk", size[0], size[1], c.name, n/1000), func(b *testing.B) {
					frames(b, size, sampleSession(b, n), c.open, c.keys, true)
				})
			}
		}
	}
}

// toAndFro is one key n times and then the other as often, so that no number
// of frames ends at the edge of a list, where a key does nothing.
func toAndFro(to, fro string, n int) []string {
	return append(slices.Repeat([]string{to}, n), slices.Repeat([]string{fro}, n)...)
}

// frames measures frames of a session, with the keys in turn after those that
// open the view. Without lanes what they are asked for is dropped.
func frames(b *testing.B, size [2]int, session *Workspace, open string, keys []string, lanes bool) {
	s := begin(b, session, size[0], size[1]).after(open)
	_ = s.m.View()
	s.held = !lanes
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s.press(keys[i%len(keys)])
		if s.held {
			s.queue = nil
		}
		if len(s.m.View().Content) == 0 {
			b.Fatal("empty frame")
		}
		i++
	}
}
