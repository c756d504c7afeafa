package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestLine(t *testing.T) {
	ctrl := func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl} }
	type keys []tea.KeyPressMsg
	for _, c := range []struct {
		why, from string
		keys      keys
		want      string // with | for the cursor
	}{
		{"typing goes before the cursor", "ac", keys{{Code: tea.KeyLeft}, {Code: 'b', Text: "b"}}, "ab|c"},
		{"a wide character is one", "日本", keys{{Code: tea.KeyBackspace}}, "日|"},
		{"delete at the end does nothing", "ab", keys{{Code: tea.KeyDelete}}, "ab|"},
		{"backspace at the start does nothing", "ab", keys{{Code: tea.KeyHome}, {Code: tea.KeyBackspace}}, "|ab"},
		{"a word goes with the blanks behind it", "kind:tool  tok>5  ", keys{ctrl('w')}, "kind:tool  |"},
		{"from the cursor to the start", "ab cd", keys{{Code: tea.KeyLeft}, ctrl('u')}, "|d"},
		{"from the cursor to the end", "ab cd", keys{ctrl('a'), {Code: tea.KeyRight}, ctrl('k')}, "a|"},
		{"word by word", "ab cd ef", keys{{Code: tea.KeyLeft, Mod: tea.ModAlt}, {Code: tea.KeyLeft, Mod: tea.ModAlt}, {Code: tea.KeyRight, Mod: tea.ModAlt}}, "ab cd| ef"},
		{"keys with ctrl type nothing", "a", keys{{Code: 'x', Text: "x", Mod: tea.ModCtrl}}, "a|"},
		{"control characters are left out, breaks are blanks", "", keys{{Code: 'x', Text: "a\x1b[31m\nb\tc\x00"}}, "a[31m b c|"},
	} {
		l := newLine(c.from)
		for _, k := range c.keys {
			l.key(k)
		}
		if got := string(l.text[:l.at]) + "|" + string(l.text[l.at:]); got != c.want {
			t.Errorf("%s: got %q, want %q", c.why, got, c.want)
		}
	}
	l := newLine(strings.Repeat("x", 2*maxLine))
	if len(l.text) != maxLine {
		t.Errorf("%d characters were taken, the bound is %d", len(l.text), maxLine)
	}
}
