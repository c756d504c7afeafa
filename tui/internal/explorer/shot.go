package explorer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"cupelscope/tui/internal/theme"
)

// Shot is a picture of the screen after some keys.
type Shot struct {
	// File is where it is written: an SVG if the name ends in .svg, and lines of text
	// without colours if it ends in .txt.
	File string
	Size string // in cells, WIDTHxHEIGHT; "" is 120x36
	Keys string // single characters, or names in angle brackets, as in jj<enter>; see keyNames
}

// Check returns an error if a text cannot be read, or if no picture is asked for and there
// is a text for one.
func (s Shot) Check() error {
	switch ext := filepath.Ext(s.File); {
	case s.File == "" && (s.Size != "" || s.Keys != ""):
		return errors.New("--size and --keys are for --shot")
	case s.File != "" && ext != ".svg" && ext != ".txt":
		return fmt.Errorf("--shot: %.60q ends neither in .svg nor in .txt", s.File)
	}
	if _, _, err := s.cells(); err != nil {
		return err
	}
	_, err := keysOf(s.Keys)
	return err
}

// cells returns the size of the screen.
func (s Shot) cells() (w, h int, err error) {
	if s.Size == "" {
		return 120, 36, nil
	}
	left, right, _ := strings.Cut(s.Size, "x")
	w, errW := strconv.Atoi(left)
	h, errH := strconv.Atoi(right)
	if errW != nil || errH != nil || w < 1 || w > maxWidth || h < 1 || h > maxHeight {
		return 0, 0, fmt.Errorf("--size: %.40q is not WIDTHxHEIGHT in cells, from 1x1 to %dx%d", s.Size, maxWidth, maxHeight)
	}
	return w, h, nil
}

// keyNames are the keys that are written as a name in angle brackets.
var keyNames = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
	"backspace": {Code: tea.KeyBackspace}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft},
	"right": {Code: tea.KeyRight}, "pgdown": {Code: tea.KeyPgDown}, "pgdn": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp}, "home": {Code: tea.KeyHome},
	"end": {Code: tea.KeyEnd}, "f1": {Code: tea.KeyF1}, "lt": {Code: '<', Text: "<"}, "gt": {Code: '>', Text: ">"},
}

// keyNamed returns the key of a name, one of keyNames or such as ctrl+r.
func keyNamed(name string) (tea.KeyPressMsg, bool) {
	if letter, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl && len(letter) == 1 {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}, true
	}
	key, known := keyNames[name]
	return key, known
}

// keysOf reads the text of Shot.Keys. A < that no > follows is that key.
func keysOf(text string) ([]tea.KeyPressMsg, error) {
	var keys []tea.KeyPressMsg
	for text != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">"); ok && strings.HasPrefix(text, "<") {
			key, ok := keyNamed(name)
			if !ok {
				return nil, fmt.Errorf("--keys: no key is called %.20q", name)
			}
			keys, text = append(keys, key), rest
			continue
		}
		r := []rune(text)[0]
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
		text = text[len(string(r)):]
	}
	return keys, nil
}

// Take opens the explorer without a terminal, types the keys, waits for all answers, and
// returns what the screen shows. Nothing moves by itself: Replay does not play.
func (s Shot) Take(ctx context.Context, opts Options) ([]byte, error) {
	w, h, err := s.cells()
	if err != nil {
		return nil, err
	}
	keys, err := keysOf(s.Keys)
	if err != nil {
		return nil, err
	}
	opts.NoColor = opts.NoColor || filepath.Ext(s.File) == ".txt" // signs then say what colours would
	m := New(ctx, opts)
	defer m.stop()
	m.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	m.pool.Frame, m.picture = time.Hour, true
	quit := false
	update := func(msg tea.Msg) tea.Cmd {
		if _, ends := msg.(tea.QuitMsg); ends {
			quit = true
		}
		_, cmd := m.Update(msg)
		m.View() // as Bubble Tea does: keys are pressed on what is drawn
		return cmd
	}
	m.onColours(terminals[strings.ToLower(opts.Start.Colours)])
	queue := []tea.Cmd{m.Init(), update(tea.WindowSizeMsg{Width: w, Height: h})}
	for {
		for len(queue) > 0 && ctx.Err() == nil {
			queue = append(queue[1:], carriedOut(queue[0], update)...)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case m.load.failed != nil:
			return nil, m.load.failed
		case quit:
			return nil, errors.New("--keys: the explorer is quit before the picture is taken")
		case len(keys) == 0:
			light := m.theme.Name == theme.Light || m.theme.Name == theme.NoColor && opts.Theme == theme.Light
			return s.drawn(m.View(), w, h, light, m.depth), nil
		}
		queue, keys = append(queue, update(keys[0])), keys[1:]
	}
}

// carriedOut runs a command and hands its message to update. It returns the commands that
// follow from it.
func carriedOut(cmd tea.Cmd, update func(tea.Msg) tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		return msg
	default:
		return []tea.Cmd{update(msg)}
	}
}

// drawn returns a frame in the form that the name of the file asks for.
func (s Shot) drawn(v tea.View, w, h int, light bool, depth theme.Depth) []byte {
	if filepath.Ext(s.File) == ".svg" {
		return picture(v, w, h, light, depth)
	}
	return []byte(strings.Join(textOf(v.Content), "\n") + "\n")
}

// textOf returns a frame as lines without colours and trailing blanks.
func textOf(frame string) []string {
	lines := strings.Split(ansi.Strip(frame), "\n")
	for y, line := range lines {
		lines[y] = strings.TrimRight(line, " ")
	}
	return lines
}
