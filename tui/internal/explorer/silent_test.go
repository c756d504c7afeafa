package explorer

import (
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// A key that does nothing says so every time that it is pressed.
func TestAKeyIsNotSilentTheSecondTime(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press("j") // the line that explains the program goes
	for _, view := range []string{"1", "3", "6"} {
		s.press(view)
		s.screen()
		s.press(view, " is shown already")
		s.press("g")
		s.screen() // a key is compared with the frame before it
		for _, key := range []string{"g", "g", "k", "k", "g"} {
			s.press(key, key+": there is nothing more in that direction")
		}
	}
}

// Every key in every view does something that is seen, or says why not: at the first size all
// keys, and a third of them at each other one.
func TestNoKeyIsSilent(t *testing.T) {
	t.Parallel()
	for n, size := range sizes {
		if testing.Short() && n > 0 {
			continue
		}
		for k, name := range ViewNames() {
			s := begin(t, agentSession(t), size[0], size[1])
			show := string(rune('1' + k))
			s.press(show)
			for key := rune('!'); key <= '~'; key++ {
				if key == 'q' || unicode.IsDigit(key) || (n > 0 || testing.Short()) && (int(key)+k+n)%3 > 0 {
					continue // quitting and views, or two thirds of the keys
				}
				before := s.text()
				_, cmd := s.m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
				s.run(cmd)
				if s.text() == before {
					t.Errorf("%v, view %s: %c is silent", size, name, key)
				}
				for len(s.m.stack) > 0 {
					s.press("<esc>")
				}
				s.press(show)
			}
		}
	}
}

// A key whose effect is seen draws its frame once: what is compared with the frame before is
// what the terminal shows.
func TestAKeyDrawsOnce(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.m.View()
	before := s.m.frames
	s.m.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	if s.m.View(); s.m.frames != before+1 {
		t.Errorf("j draws %d frames", s.m.frames-before)
	}
}
