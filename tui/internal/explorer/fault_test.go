package explorer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

// frameFault says what is wrong with a frame: an escape sequence that is not
// one of the theme's looks, a character that a terminal does not simply show,
// a line or a number of lines that is not the screen's. "" is a good frame.
func frameFault(m *Model) string {
	content, looks := m.View().Content, looksOf(m)
	cells, lines := 0, 1
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRuneInString(content[i:])
		switch {
		case r == 0x1b:
			end := strings.IndexByte(content[i:], 'm')
			if end < 0 || !looks[content[i:i+end+1]] {
				return fmt.Sprintf("line %d: the sequence %.20q is none of ours", lines, content[i:])
			}
			size = end + 1
		case ' ' <= r && r < 0x7f:
			cells++
		case r == '\n':
			if cells != m.width {
				return fmt.Sprintf("line %d is %d cells wide, the screen %d", lines, cells, m.width)
			}
			cells, lines = 0, lines+1
		case r == utf8.RuneError && size == 1:
			return fmt.Sprintf("line %d: invalid UTF-8 %q", lines, content[i])
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
			return fmt.Sprintf("line %d: %q is on the screen", lines, r)
		default:
			cells += displaywidth.Rune(r)
		}
		i += size
	}
	if cells != m.width || lines != m.height {
		return fmt.Sprintf("%d lines, the last %d cells wide; the screen is %dx%d", lines, cells, m.width, m.height)
	}
	return ""
}

// themeLooks are the escape sequences of themes, each made once.
var themeLooks sync.Map

// looksOf returns the escape sequences of the explorer's theme.
func looksOf(m *Model) map[string]bool {
	type look struct {
		name  theme.Name
		ascii bool
		depth theme.Depth
	}
	key := look{m.theme.Name, m.opts.ASCII, m.depth}
	if looks, ok := themeLooks.Load(key); ok {
		return looks.(map[string]bool)
	}
	looks := map[string]bool{"\x1b[m": true}
	for role := theme.Plain; role <= theme.Input; role++ {
		for attr := theme.Attr(0); attr <= theme.Selected|theme.Old|theme.Later; attr++ {
			looks[m.theme.SGR(role, attr)] = true
		}
	}
	for upper := range theme.Tones {
		for lower := range theme.Tones {
			looks[m.theme.Halves(upper, lower, 0)], looks[m.theme.Halves(upper, lower, theme.Old)] = true, true
		}
	}
	themeLooks.Store(key, looks)
	return looks
}

// terminalFault has a terminal draw the frame: nothing may move the cursor to
// where the next character does not belong.
func terminalFault(m *Model) string {
	buf := uv.NewScreenBuffer(m.width+4, m.height+2)
	uv.NewStyledString(m.View().Content).Draw(buf, buf.Bounds())
	plain := strings.Split(uv.NewStyledString(m.View().Content).String(), "\n")
	for y := range m.height + 2 {
		for x := range m.width + 4 {
			c := buf.CellAt(x, y)
			if (x >= m.width || y >= m.height) && c != nil && strings.TrimSpace(c.Content) != "" {
				return fmt.Sprintf("%q is drawn outside, at %d, %d", c.Content, x, y)
			}
		}
	}
	if len(plain) != m.height {
		return fmt.Sprintf("a terminal sees %d lines, the screen has %d", len(plain), m.height)
	}
	return ""
}

// A message that comes between keeping changes and the end of the program quits it, which is no
// error to Bubble Tea: the signal is told all the same.
func TestASignalIsToldThoughTheProgramQuits(t *testing.T) {
	s := begin(t, sampleSession(t, 3), 80, 24)
	ctx, cancel := context.WithCancelCause(t.Context())
	g, signal := newGuard(s.m), errors.New("stopped by a signal")
	musttest.Is(t, g.ended(ctx, nil), nil, "after a quit it says")
	cancel(signal)
	g.keep()
	_, cmd := g.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	if _, quits := cmd().(tea.QuitMsg); !quits {
		t.Fatal("the message does not quit")
	}
	if err := g.ended(ctx, nil); !errors.Is(err, signal) {
		t.Errorf("it ends with %v, want the signal", err)
	}
}
