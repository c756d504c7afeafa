package widget

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/work"
)

// marked is the text with | for the cursor.
func marked(l *Input) string {
	r := []rune(l.Value())
	return string(r[:l.model.Position()]) + "|" + string(r[l.model.Position():])
}

// after is what keys make of a line.
func after(l Input, keys ...tea.KeyPressMsg) string {
	for _, k := range keys {
		l.Key(k)
	}
	return marked(&l)
}

func ctrl(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl} }
func alt(r rune) tea.KeyPressMsg  { return tea.KeyPressMsg{Code: r, Mod: tea.ModAlt} }

func TestKeysEditTheLine(t *testing.T) {
	type keys []tea.KeyPressMsg
	left := tea.KeyPressMsg{Code: tea.KeyLeft}
	for _, c := range []struct {
		why, from string
		keys      keys
		want      string // with | for the cursor
	}{
		{"typing goes before the cursor", "ac", keys{left, {Code: 'b', Text: "b"}}, "ab|c"},
		{"a wide character is one", "日本", keys{{Code: tea.KeyBackspace}}, "日|"},
		{"delete at the end does nothing", "ab", keys{{Code: tea.KeyDelete}}, "ab|"},
		{"backspace at the start does nothing", "ab", keys{{Code: tea.KeyHome}, {Code: tea.KeyBackspace}}, "|ab"},
		{"a word goes with the blanks behind it", "kind:tool  tok>5  ", keys{ctrl('w')}, "kind:tool  |"},
		{"from the cursor to the start", "ab cd", keys{left, ctrl('u')}, "|d"},
		{"from the cursor to the end", "ab cd", keys{ctrl('a'), {Code: tea.KeyRight}, ctrl('k')}, "a|"},
		{"word by word", "ab cd ef", keys{alt(tea.KeyLeft), alt(tea.KeyLeft), alt(tea.KeyRight)}, "ab cd| ef"},
		{"the next word goes", "ab cd ef", keys{ctrl('a'), alt('d')}, "| cd ef"},
		{"the next word goes, of one character", "ab", keys{left, alt('d')}, "a|"},
		{"there is no next word at the end", "ab", keys{alt('d')}, "ab|"},
		{"keys with ctrl type nothing", "a", keys{{Code: 'x', Text: "x", Mod: tea.ModCtrl}}, "a|"},
		{"ctrl+v asks no program for the clipboard", "a", keys{ctrl('v')}, "a|"},
		{"without suggestions tab, up and down do nothing", "a", keys{{Code: tea.KeyTab}, {Code: tea.KeyUp}, {Code: tea.KeyDown}}, "a|"},
		{"control characters are left out, breaks are blanks", "", keys{{Code: 'x', Text: "a\x1b[31m\nb\tc\x00"}}, "a[31m b c|"},
	} {
		musttest.Is(t, after(NewInput(c.from, nil), c.keys...), c.want, c.why)
	}
}

func TestPastedTextIsCleanedAndBounded(t *testing.T) {
	l := NewInput("ad", nil)
	l.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
	l.Paste("b\u202e\u200b\x1b[31m\nc\x07")
	musttest.Is(t, marked(&l), "ab c|d")
	for _, text := range []string{"x", "日"} {
		l := NewInput("", nil)
		l.Paste(strings.Repeat(text, 3*maxInput))
		if n := len([]rune(l.Value())); n > maxInput || n < maxInput-1 { // the last may be an ellipsis
			t.Errorf("%d characters were taken, the bound is %d", n, maxInput)
		}
	}
}

func TestSuggestions(t *testing.T) {
	tab, right, next := tea.KeyPressMsg{Code: tea.KeyTab}, tea.KeyPressMsg{Code: tea.KeyRight}, ctrl('n')
	typed := func(s string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(s)[0], Text: s} }
	for _, c := range []struct {
		why  string
		keys []tea.KeyPressMsg
		want string
	}{
		{"tab takes the first", []tea.KeyPressMsg{typed("c"), tab}, "chat|"},
		{"right takes it at the end", []tea.KeyPressMsg{typed("c"), right}, "chat|"},
		{"right goes on within the text", []tea.KeyPressMsg{typed("c"), typed("h"), {Code: tea.KeyHome}, right}, "c|h"},
		{"ctrl+n goes to the next", []tea.KeyPressMsg{typed("c"), next, tab}, "coding|"},
		{"and round again", []tea.KeyPressMsg{typed("c"), next, next, tab}, "chat|"},
		{"nothing is suggested for no text", []tea.KeyPressMsg{tab}, "|"},
		{"what begins otherwise is not", []tea.KeyPressMsg{typed("x"), tab}, "x|"},
		// Lowered, this is two characters: Bubbles would count them off one.
		{"upper case counts", []tea.KeyPressMsg{typed("i\u0307"), tab}, "i\u0307|"},
	} {
		musttest.Is(t, after(NewInput("", SuggestWords("chat", "coding", "rag", "İ")), c.keys...), c.want, c.why)
	}
}

func TestPathsAreSuggestedAsTheyAreTyped(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.json", "a\nb", ".hidden", "sub/c.json"} {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Skip("this file system has no such name:", err)
		}
	}
	at := func(text string) []string {
		var names []string
		l := NewPathInput(dir + "/" + text)
		if all, _ := l.Suggestions(); len(all) > 0 {
			t.Errorf("%q are suggested before the folder is read", all)
		}
		read := l.ReadFolder()
		musttest.Is(t, l.ReadFolder(), nil, "a folder is read twice")
		read().(work.Then)()
		for _, s := range l.folders.suggest(l.Value()) {
			names = append(names, strings.TrimPrefix(s, dir+"/"))
		}
		return names
	}
	musttest.Is(t, at(""), []string{"a\nb", "b.json", "sub/"})
	musttest.Is(t, at("."), []string{".hidden"}, "hidden:")
	musttest.Is(t, at("sub/"), []string{"sub/c.json"}, "in a folder:")
	musttest.Is(t, at("b.json/"), nil, "in a file")
}

// Whatever is typed and suggested, the line stays within its bound and its row,
// and no control character is drawn.
func TestRandomKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	codes := []rune{tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd, tea.KeyTab, tea.KeyUp, tea.KeyDown, tea.KeyBackspace, tea.KeyDelete, 'a', 'b', 'd', 'e', 'f', 'h', 'k', 'n', 'p', 'u', 'w', 'v'}
	texts := []string{"a", "日", "\u0301", "\u202e", "\x1b[2J", " ", "a\nb", "İ", "ß"}
	suggest := func(text string) []string {
		return []string{text + "\x1b[31mx\n\u202ey", "a日", "İ", "aß", text + strings.Repeat("z", 90)}
	}
	var c draw.Canvas
	look := theme.New(theme.NoColor, false)
	for range 300 {
		l := NewInput(texts[rng.IntN(len(texts))], suggest)
		for range 40 {
			switch rng.IntN(3) {
			case 0:
				l.Key(tea.KeyPressMsg{Code: codes[rng.IntN(len(codes))], Mod: []tea.KeyMod{0, tea.ModCtrl, tea.ModAlt}[rng.IntN(3)]})
			case 1:
				l.Key(tea.KeyPressMsg{Code: 'x', Text: texts[rng.IntN(len(texts))]})
			default:
				l.Paste(texts[rng.IntN(len(texts))])
			}
			c.Reset(20, 2, look)
			l.Draw(&c, draw.Rect{X: 2, W: 16, H: 1})
			l.DrawSuggestions(&c, draw.Rect{X: 2, Y: 1, W: 16, H: 1})
			if x, y, shown := c.Cursor(); !shown || x < 2 || x >= 18 || y != 0 {
				t.Fatalf("the cursor of %q is at %d,%d (%v)", l.Value(), x, y, shown)
			}
			for _, r := range c.String() {
				if r != '\n' && r != '\x1b' && !unicode.IsPrint(r) {
					t.Fatalf("%q draws %q", l.Value(), r)
				}
			}
		}
	}
}

func ExampleInput_DrawSuggestions() {
	l := NewInput("c", SuggestWords("chat", "coding"))
	var c draw.Canvas
	c.Reset(24, 2, theme.New(theme.Dark, true))
	l.Draw(&c, draw.Rect{W: 24, H: 1})
	l.DrawSuggestions(&c, draw.Rect{Y: 1, W: 24, H: 1})
	x, _, _ := c.Cursor()
	fmt.Println("cursor at", x)
	// Output: cursor at 1
}
