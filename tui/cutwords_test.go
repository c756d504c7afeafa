package tui

import (
	"strings"
	"testing"
)

// No word of the program's own is cut in the middle, in any view, at any size:
// where a text is too long there is a shorter form of it.
func TestNoWordIsCut(t *testing.T) {
	for _, size := range append(sizes, [2]int{200, 60}, [2]int{97, 25}, [2]int{61, 40}) {
		for _, ascii := range []bool{false, true} {
			s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.ASCII = ascii })
			var cut []string
			s.m.canvas.Cut = func(text, left string) {
				if strings.TrimSpace(text[len(left):]) != "" {
					cut = append(cut, text+" | "+left)
				}
			}
			for _, keys := range []string{"1", "z", "2", "3", "((((", "4", "5", "c", "cp", "<esc>6", "7", "1?", "<tab>", "<esc><esc>:", "<esc>p", "<esc>]", "10<enter>", "<esc>E", "<esc>y", "<esc>i", "<esc>", "j=="} {
				cut = nil
				s.press(keys)
				_ = s.screen()
				for _, c := range cut {
					t.Errorf("%v ascii %v after %q: %q", size, ascii, keys, c)
				}
			}
		}
	}
}
