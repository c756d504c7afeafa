package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// line is one line of text being typed, with a cursor. It is our own because
// the text input of Bubbles makes every start 35 ms slower: it needs a release
// of its width library that fills two tables of all of Unicode first.
type line struct {
	text []rune
	at   int // the cursor stands before text[at]
}

// maxLine bounds what can be typed or pasted, in characters.
const maxLine = 4096

func newLine(s string) line {
	var l line
	l.insert(s)
	return l
}

// String is the text so far.
func (l *line) String() string { return string(l.text) }

// insert puts text before the cursor; line breaks and tabs become blanks, what
// cannot be seen is left out.
func (l *line) insert(s string) {
	var add []rune
	for _, r := range strings.ToValidUTF8(s, "") {
		switch {
		case r == '\n' || r == '\t':
			r = ' '
		case unicode.IsControl(r):
			continue
		}
		if len(l.text)+len(add) >= maxLine {
			break
		}
		add = append(add, r)
	}
	l.text = append(l.text[:l.at:l.at], append(add, l.text[l.at:]...)...)
	l.at += len(add)
}

// cut takes out text[from:to] and puts the cursor there.
func (l *line) cut(from, to int) {
	l.text = append(l.text[:from:from], l.text[to:]...)
	l.at = from
}

// wordLeft is the start of the word before the cursor.
func (l *line) wordLeft() int {
	i := l.at
	for i > 0 && l.text[i-1] == ' ' {
		i--
	}
	for i > 0 && l.text[i-1] != ' ' {
		i--
	}
	return i
}

// wordRight is the end of the word after the cursor.
func (l *line) wordRight() int {
	i := l.at
	for i < len(l.text) && l.text[i] == ' ' {
		i++
	}
	for i < len(l.text) && l.text[i] != ' ' {
		i++
	}
	return i
}

// key takes a key, as shells do; keys that mean nothing here are ignored.
func (l *line) key(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.text), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.text)
	case "alt+left", "ctrl+left", "alt+b":
		l.at = l.wordLeft()
	case "alt+right", "ctrl+right", "alt+f":
		l.at = l.wordRight()
	case "backspace", "ctrl+h":
		l.cut(max(0, l.at-1), l.at)
	case "delete", "ctrl+d":
		l.cut(l.at, min(len(l.text), l.at+1))
	case "ctrl+w", "alt+backspace":
		l.cut(l.wordLeft(), l.at)
	case "ctrl+u":
		l.cut(0, l.at)
	case "ctrl+k":
		l.cut(l.at, len(l.text))
	default:
		if msg.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper) == 0 {
			l.insert(msg.Text)
		}
	}
}
