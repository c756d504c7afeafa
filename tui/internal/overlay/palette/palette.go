// Package palette is the overlay that lists everything that can be done: all
// keys, every knob with its values, exports, themes. Typed text searches the
// list. It can also be a command by itself, such as "set output reserve 2000".
package palette

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// Source provides the commands of a palette.
type Source struct {
	// All is the whole list, which is searched.
	All []Command
	// First is the same in the order in which it is shown while nothing is typed.
	First []Command
	// Typed returns the commands that a typed line itself stands for, the best
	// first. They come before those that the search finds.
	Typed func(line string) []Command
	// Holding returns the commands that filter by one of the words. They are searched for in the
	// background, and stand in place of the list if no command has enough of the words.
	Holding func(words []string) []Command
	// Examples are lines to type, shown below what a line finds that is not understood, and where it
	// finds none; there is at least one.
	Examples []Command
	// Guide is shown in place of the list while nothing is typed, unless it is nil.
	Guide *Guide
	// Explain opens the help at a word or a mark; "": at its beginning.
	Explain func(name string)
}

// Palette is the overlay.
type Palette struct {
	widget.SearchBox
	app    screen.App
	title  string
	source Source
	index         // of the lines of All
	search        // what the typed line finds
	told   string // the line of which the user knows that a word of it is not understood
	effect        // of the command under the cursor
}

// New returns a palette that lists the commands of source under a title.
func New(app screen.App, title string, source Source) *Palette {
	p := &Palette{SearchBox: widget.NewSearchBox(), app: app, title: title, source: source}
	for _, c := range source.All {
		p.lines = append(p.lines, entryOf(c))
	}
	p.find()
	return p
}

func (p *Palette) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Wheel: p.wheel, Arrange: p.Arrange, Hints: p.Hints, Key: p.Key, Paste: p.Paste, Click: p.Click, Worker: p}
}

// guides reports whether the guide is shown.
func (p *Palette) guides() bool { return p.source.Guide != nil && p.Text() == "" }

func (p *Palette) wheel(by int) {
	if p.guides() {
		p.source.Guide.Move(by)
		return
	}
	p.Move(by)
}

func (p *Palette) Hints() []screen.Hint {
	if p.guides() {
		return []screen.Hint{{Key: "up/down", Text: "scroll"}, {Key: "tab", Text: "next part"}, {Key: "a-z", Text: "search"}, {Key: "esc", Text: "close"}}
	}
	return []screen.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "run it"}, {Key: "tab", Text: "complete, help"}, {Key: "esc", Text: "close"}}
}

// Key handles a key: esc closes, enter runs the command under the cursor, tab
// completes the line or shows the help, and all others move or type.
func (p *Palette) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); {
	case name == "esc", name == "ctrl+c":
		p.app.Close(p)
	case p.guides() && p.source.Guide.key(name):
	case name == "enter":
		return p.run()
	case name == "tab":
		p.complete()
	case p.SearchBox.Key(msg):
		p.find()
	}
	return nil
}

func (p *Palette) Paste(text string) tea.Cmd {
	if p.Insert(text) {
		p.find()
	}
	return nil
}

// Click runs the command that was last drawn at the cell (x, y), if there is one.
func (p *Palette) Click(x, y int) tea.Cmd {
	if !p.ClickRow(x, y) {
		return nil
	}
	p.told = p.Text() // that line, and no other, was asked for
	return p.run()
}

func (p *Palette) current() (Command, bool) {
	if p.Cursor() >= len(p.shown) {
		return Command{}, false
	}
	return p.shown[p.Cursor()], true
}

// complete replaces the typed line by the line of the command under the cursor. If
// that changes nothing, it shows the help in place of the list.
func (p *Palette) complete() {
	c, ok := p.current()
	switch {
	case ok && c.Line != "" && c.Line != p.Text():
		p.SetText(c.Line)
		p.find()
	default:
		p.app.Close(p)
		p.source.Explain("")
	}
}

func (p *Palette) run() tea.Cmd {
	c, ok := p.current()
	switch {
	case !ok:
		return nil
	case c.Run == nil && c.Plan == nil && c.Why == "":
		p.complete()
		return nil
	case c.Why != "" && (c.Line != "" || c.Run == nil && c.Plan == nil) && !c.Done: // the user can type something else
		p.app.Refuse(c.Why)
		return nil
	case p.unknown != "" && p.Cursor() == 0 && p.told != p.Text(): // it is not what was asked for
		p.told = p.Text()
		p.app.Refuse(fmt.Sprintf("%.30q is not understood: enter again runs the marked line without it", p.unknown))
		return nil
	}
	p.app.Close(p)
	p.app.Say("")
	if c.Run != nil {
		return c.Run()
	}
	p.app.Make(c.Plan())
	return nil
}
