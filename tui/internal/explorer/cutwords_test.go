package explorer

import (
	"strings"
	"testing"

	"cupelscope/model/plain"
)

// shortened are the texts of a line that end in an ellipsis though they are not
// an item's, whose texts may be cut anywhere.
func shortened(s *story, texts, line string) []string {
	var all []string
	frame := string(s.m.theme.Glyphs.Vertical)
	parts := strings.Split(line, s.m.theme.Glyphs.Ellipsis)
	for _, head := range parts[:len(parts)-1] {
		if at := strings.LastIndex(head, frame); at >= 0 {
			head = head[at+len(frame):]
		}
		last := []rune(head)
		last = last[max(0, len(last)-6):]
		if !strings.HasSuffix(head, " ") && !strings.Contains(texts, strings.TrimLeft(string(last), " ")) {
			all = append(all, line)
		}
	}
	return all
}

// No word of the program's own is cut in the middle, in any view, at any size:
// where a text is too long there is a shorter form of it.
func TestNoWordIsCut(t *testing.T) {
	for _, size := range append(sizes, [2]int{200, 60}, [2]int{97, 25}, [2]int{61, 40}) {
		for _, ascii := range []bool{false, true} {
			if testing.Short() && ascii == (size[0]%20 == 0) {
				continue // each size either way
			}
			s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.ASCII = ascii })
			var cut []string
			texts := ""
			for i := range s.m.exp.Items().Len() {
				texts += plain.Line(s.m.exp.Items().Loaded(i).Content, 10_000) + "\n" + s.m.exp.Items().Loaded(i).Content + "\n"
			}
			s.m.canvas.Cut = func(text, left string) {
				if strings.TrimSpace(text[len(left):]) != "" {
					cut = append(cut, text+" | "+left)
				}
			}
			for _, keys := range []string{"1", "#", "2", "3", "((((", "4", "5", "c", "cp", "<esc>6", "7", "1?", "<tab>", "jjj", "<esc><esc>:", "<esc>p", "<esc>]", "10<enter>", "<esc>E", "<esc>y", "<esc>i", "<esc>", "j=="} {
				cut = nil
				s.press(keys)
				if !ascii && keys != "((((" { // there, one letter of an item may be all there is room for
					for _, l := range s.screen() {
						cut = append(cut, shortened(s, texts, l)...)
					}
				}
				for _, c := range cut {
					t.Errorf("%v ascii %v after %q: %q", size, ascii, keys, c)
				}
			}
		}
	}
}
