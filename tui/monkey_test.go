package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"

	"cupelscope/model"
	"cupelscope/model/tokens"
	"cupelscope/tui/theme"
)

// frameFault says what is wrong with a frame: an escape sequence that is not
// one of the theme's looks, a character that a terminal does not simply show,
// a line or a number of lines that is not the screen's. "" is a good frame.
func frameFault(m *Model) string {
	content := m.View().Content
	looks := map[string]bool{"\x1b[m": true}
	for role := theme.Plain; role <= theme.Input; role++ {
		for attr := theme.Attr(0); attr <= theme.Selected|theme.Old; attr++ {
			looks[m.theme.SGR(role, attr)] = true
		}
	}
	for upper := range theme.Tones {
		for lower := range theme.Tones {
			looks[m.theme.Halves(upper, lower, 0)], looks[m.theme.Halves(upper, lower, theme.Old)] = true, true
		}
	}
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

// monkey presses keys without knowing what they do.
type monkey struct {
	t       *testing.T
	rng     *rand.Rand
	session func() *Session
	m       *Model
	keys    []string // of the table of actions
	log     []string // the newest keys, to repeat what went wrong
	quit    bool
	due     tea.Msg // what the explorer waits for
}

// answers is how many messages may follow from one key: the two profiles, each
// superseded once, and the batches of a count.
const answers = 64

func (k *monkey) begin() {
	if k.m != nil {
		k.m.stop()
	}
	s := k.session()
	k.m = New(context.Background(), Options{
		Source: s.Name, Open: func(context.Context) (*Session, error) { return s, nil },
		Theme: theme.Names()[k.rng.IntN(len(theme.Names()))], ASCII: k.rng.IntN(4) == 0,
		Now: func() time.Time { return time.Time{} },
	})
	k.keys, k.quit, k.due = nil, false, nil
	k.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd { k.due = msg; return nil }
	for _, a := range k.m.keys.actions {
		k.keys = append(k.keys, a.keys...)
	}
	k.run(k.m.Init())
	k.send("start", tea.WindowSizeMsg{Width: 120, Height: 36})
}

func (k *monkey) send(name string, msg tea.Msg) {
	k.log = append(k.log, name)
	if len(k.log) > 40 {
		k.log = k.log[1:]
	}
	defer func() {
		if r := recover(); r != nil {
			k.t.Logf("the last keys: %s", strings.Join(k.log, " "))
			panic(r)
		}
	}()
	_, cmd := k.m.Update(msg)
	k.run(cmd)
	k.m.View()
}

func (k *monkey) run(cmd tea.Cmd) {
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0; n++ {
		if n > answers {
			k.t.Fatalf("more than %d messages follow from one key; the last keys: %s", answers, strings.Join(k.log, " "))
		}
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		case tea.QuitMsg:
			k.quit = true
			return
		default:
			_, cmd := k.m.Update(msg)
			queue = append(queue, cmd)
		}
	}
}

func (k *monkey) check() {
	k.t.Helper()
	fault := frameFault(k.m)
	if fault == "" && k.rng.IntN(50) == 0 {
		fault = terminalFault(k.m)
	}
	if fault != "" {
		k.t.Fatalf("%s\nat %dx%d; the last keys: %s\n%s", fault, k.m.width, k.m.height, strings.Join(k.log, " "), k.m.View().Content)
	}
}

// press is one key, one paste or one change of the size.
func (k *monkey) press() {
	rng := k.rng
	if (k.m.prompt != nil || k.m.overlay == helpOverlay || k.m.overlay == jumpOverlay) && rng.IntN(8) == 0 {
		k.key("esc") // what is typed into takes all keys; the rest needs its share
		return
	}
	switch n := rng.IntN(100); {
	case n < 60:
		k.key(k.keys[rng.IntN(len(k.keys))])
	case n < 70: // something typed, mostly after a prompt was opened
		if rng.IntN(2) == 0 {
			k.key([]string{"/", "?", "enter", "w"}[rng.IntN(4)])
		}
		texts := []string{"kind:tool", "is:in tok>10", "first<9k", "-is:dup", `"item 5`, "#3", "64k", "0", "1", "12", "100", "9999999999999999", "-4",
			"=max", "knap", "greedy", "17.5", "nan", "trunc", "off", "世界 e\u0301", "x\x1b[2Jy", "\u202eabc", strings.Repeat("long ", 60)}
		for _, r := range texts[rng.IntN(len(texts))] {
			k.send(fmt.Sprintf("%q", r), tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if rng.IntN(3) > 0 {
			k.key("enter")
		}
	case n < 74:
		pastes := []string{"32k", "a\nb\tc", "\x1b]52;c;x\a\u009b31m", "\u202e\u2066\u200b\ufeff", "\xff\xfe", strings.Repeat("世界", 300), "is:in", ""}
		k.send("paste", tea.PasteMsg{Content: pastes[rng.IntN(len(pastes))]})
	case n < 82:
		r := []rune{'é', '世', 0x301, 0x202e, 0x7f, 0, 0x1b, 0x9b, 0xfffd, 0x10ffff, '!', '~', '7'}[rng.IntN(13)]
		k.send(fmt.Sprintf("%q", r), tea.KeyPressMsg{Code: r, Text: string(r)})
	case n < 83 && k.due != nil:
		k.send("tick", k.due)
	case n < 84:
		k.send("release", tea.KeyReleaseMsg{Code: 'a'})
	case n < 88:
		x, y := rng.IntN(k.m.width+4)-2, rng.IntN(k.m.height+4)-2
		at := tea.Mouse{X: x, Y: y, Button: []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseRight, tea.MouseWheelUp, tea.MouseWheelDown}[rng.IntN(5)]}
		msg := []tea.Msg{tea.MouseClickMsg(at), tea.MouseReleaseMsg(at), tea.MouseWheelMsg(at), tea.MouseMotionMsg(at)}[rng.IntN(4)]
		k.send(fmt.Sprintf("%T %d,%d", msg, x, y), msg)
	default:
		w, h := 1+rng.IntN(200), 1+rng.IntN(70)
		switch rng.IntN(4) {
		case 0:
			w, h = []int{1, 59, 60, 79, 80, 109, 110, 120}[rng.IntN(8)], []int{1, 15, 16, 23, 24, 29, 30, 36}[rng.IntN(8)]
		case 1:
			w, h = 60+rng.IntN(30), 16+rng.IntN(10)
		}
		k.send(fmt.Sprintf("%dx%d", w, h), tea.WindowSizeMsg{Width: w, Height: h})
	}
	if k.quit {
		k.begin()
	}
}

func (k *monkey) key(name string) {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "up": tea.KeyUp,
		"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd}
	var msg tea.KeyPressMsg
	rest := name
	for {
		if after, ok := strings.CutPrefix(rest, "ctrl+"); ok {
			msg.Mod |= tea.ModCtrl
			rest = after
		} else if after, ok := strings.CutPrefix(rest, "shift+"); ok {
			msg.Mod |= tea.ModShift
			rest = after
		} else {
			break
		}
	}
	switch code, ok := codes[rest]; {
	case ok:
		msg.Code = code
	case rest == "space":
		msg.Code, msg.Text = ' ', " "
	default:
		msg.Code, _ = utf8.DecodeRuneInString(rest)
		if msg.Mod == 0 {
			msg.Text = rest
		}
	}
	if got := msg.String(); got != name {
		k.t.Fatalf("the key %q arrives as %q", name, got)
	}
	k.send(name, msg)
}

func TestMonkey(t *testing.T) {
	for _, c := range []struct {
		name  string
		items int
		keys  int
	}{
		{"no items", 0, 1500}, {"one item", 1, 2000}, {"two items", 2, 2500}, {"60 items", 60, 3000}, {"3,000 items", 3000, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			keys := c.keys
			if testing.Short() {
				keys /= 10
			}
			k := &monkey{t: t, rng: rand.New(rand.NewPCG(21, uint64(c.items))), session: func() *Session { return monkeySession(t, c.items) }}
			k.begin()
			for range keys {
				k.press()
				k.check()
			}
			k.m.stop()
		})
	}
}

// monkeySession can be written, has estimates that are counted, and advice.
func monkeySession(t testing.TB, n int) *Session {
	var s *Session
	if n > 0 {
		s = sampleSession(t, n)
	} else {
		s = sampleSession(t, 1)
		empty, err := model.NewSet(nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Items = empty
	}
	s.AxisEnd = 64_000
	s.Lesson, s.Warnings = "press ]", []string{"a warning that is long enough to be broken into two lines on a narrow screen", "another"}
	s.Save = func(string, model.Scenario) error { return nil }
	s.SaveFile = func(string, []byte) error { return nil }
	if n > 0 {
		s.Count = func(_ context.Context, emit func(tokens.Progress)) error {
			emit(tokens.Progress{Recounts: []model.Recount{{Index: n - 1, Tokens: 77, Count: model.Exact}}})
			return nil
		}
	}
	return s
}
