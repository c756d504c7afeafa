package overlay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// FileQuestion says what is to be picked and what happens with it.
type FileQuestion struct {
	Title  string
	Folder string // the folder that is listed first
	Text   string // the path that is in the line at first
	Help   string // one line that says what can be picked
	// Likely lists the usual file name extensions in lower case, such as ".json".
	// Files with other extensions can be picked too, but stand behind folders and are drawn
	// dim. If it is empty, no file does.
	Likely []string
	// Words lists names that can be typed instead of a path.
	Words []string
	// Folders says whether a folder can be picked.
	Folders bool
	// Why returns why a file that begins with head cannot be opened, "" if it may be; nil: any may be.
	Why func(path string, head []byte) string
	// What returns a title and lines about a file or folder, for below the list; nil: there are none.
	What func(ctx context.Context, path string) string
	// Done is called with the path that was picked, or the text that was typed.
	// An error keeps the picker open and is shown there.
	Done func(path string) (tea.Cmd, error)
}

// Picker is the overlay in which the user picks a file from a folder or types its path: a
// line to type in, and below it the entries of the folder whose names have what is typed. What no
// name has is a path.
type Picker struct {
	FileQuestion
	widget.List // of the entries that are found
	app         screen.App
	line        widget.Input
	base        string // the working directory, which paths are shown relative to
	folder      string // that is listed
	left        string // the folder that was listed before
	hidden      bool   // files whose name begins with a dot are listed too
	entries     []entry
	match       *regexp.Regexp // what is typed
	found       []int          // indexes of the entries whose names have it
	short       bool           // the folder has more entries than maxEntries
	failed      error          // why the folder could not be read
	reading     int            // how many reads are not answered yet
	err         error          // why the last pick was refused
	preview     preview
}

// NewPicker returns a picker for q, and the command that reads its first folder.
func NewPicker(app screen.App, q FileQuestion) (*Picker, tea.Cmd) {
	p := &Picker{FileQuestion: q, app: app, line: widget.NewPathInput(q.Text, q.Words...)}
	p.base, _ = filepath.Abs(".")
	p.folder = p.base
	if dir, err := filepath.Abs(q.Folder); err == nil {
		p.folder = dir
	}
	p.preview.marked = p.marked
	return p, p.read()
}

func (p *Picker) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Worker: &p.preview, Wheel: p.wheel, Hints: p.hints, Key: p.key, Paste: p.paste, Click: p.click}
}

func (p *Picker) hints() []screen.Hint {
	if p.isPath() {
		return []screen.Hint{{Key: "enter", Text: "open the path"}, {Key: "tab", Text: "complete"}, {Key: "ctrl+u", Text: "back to the list"}, {Key: "esc", Text: "close"}}
	}
	all := []screen.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "open"}}
	if p.line.Value() != "" {
		all = append(all, screen.Hint{Key: "ctrl+u", Text: "whole list"})
	} else {
		all = append(all, screen.Hint{Key: "a-z", Text: "find"}, screen.Hint{Key: "left", Text: "folder above"})
	}
	all = append(all, screen.Hint{Key: "ctrl+t", Text: "hidden files"})
	if p.Folders {
		all = append(all, screen.Hint{Key: "ctrl+o", Text: "open this folder"})
	}
	return append(all, screen.Hint{Key: "esc", Text: "close"})
}

// isPath reports whether what is typed is a path, or one of the Words, so that keys do not move in the list.
func (p *Picker) isPath() bool { return p.line.Value() != "" && len(p.found) == 0 }

// find finds the entries whose names have what is typed: first the entry that has this name, then
// entries that begin with it. The last letter goes with its accents.
func (p *Picker) find() {
	text := p.line.Value()
	p.match = regexp.MustCompile("(?i)" + regexp.QuoteMeta(text) + `\pM*`)
	var ranks [3][]int
	for i, e := range p.entries {
		name := filepath.Base(e.path)
		if at := p.match.FindStringIndex(name); at != nil && text != ".." && !slices.Contains(p.Words, text) {
			rank := slices.Index([]bool{at[1]-at[0] == len(name), at[0] == 0, true}, true)
			ranks[rank] = append(ranks[rank], i)
		}
	}
	p.found = slices.Concat(ranks[:]...)
	p.SetLen(len(p.found))
	p.Top()
}

// read returns the command that reads the current folder in the background.
func (p *Picker) read() tea.Cmd {
	p.reading++
	folder, hidden, why, likely := p.folder, p.hidden, p.Why, p.Likely
	return func() tea.Msg {
		entries, short, err := list(folder, hidden, why, likely)
		return work.Then(func() tea.Cmd { p.take(entries, short, err); return nil })
	}
}

// take takes the entries of a folder. The cursor begins at the folder that was left, or else at
// the first entry.
func (p *Picker) take(entries []entry, short bool, err error) {
	if p.reading--; p.reading > 0 {
		return // the user has left that folder again
	}
	p.entries, p.short, p.failed = entries, short, err
	p.find()
	to := slices.IndexFunc(entries, func(e entry) bool { return e.path == p.left })
	if to >= 0 && len(p.found) == len(entries) {
		p.To(to)
	}
}

// current returns the entry under the cursor, nil if there is none.
func (p *Picker) current() *entry {
	if p.reading > 0 || len(p.found) == 0 {
		return nil
	}
	return &p.entries[p.found[p.Cursor()]]
}

// marked returns the path of the entry under the cursor, and what says what it holds.
func (p *Picker) marked() (string, func(context.Context) string) {
	e := p.current()
	if e == nil || p.What == nil {
		return "", nil
	}
	path, why := e.path, e.why
	if why != "" {
		return path, func(context.Context) string { return "cannot be opened: " + why }
	}
	return path, func(ctx context.Context) string { return p.What(ctx, path) }
}

// key handles a key. Keys move among the entries that are found, enter folders and pick, and
// edit what is typed; of a path they only edit.
func (p *Picker) key(msg tea.KeyPressMsg) tea.Cmd {
	name, empty := msg.String(), p.line.Value() == ""
	suggested, _ := p.line.Suggestions()
	switch {
	case name == "esc" || name == "ctrl+c":
		p.app.Close(p)
		return nil
	case p.isPath() && name == "enter":
		path, err := Home(strings.TrimSpace(p.line.Value()))
		p.err = err
		if path == "" && err == nil {
			p.err = p.wanted()
		}
		if p.err != nil {
			return nil
		}
		// The list may not be there yet, or not have all of a large folder.
		here := filepath.Join(p.folder, path)
		if !filepath.IsAbs(path) && !slices.Contains(p.Words, path) {
			_, err := os.Stat(here)
			switch {
			case filepath.Base(path) == "..":
				return p.enter(here)
			case err == nil:
				path = p.named(here)
			case p.reading > 0 && filepath.Base(path) == path: // names may have this
				return nil
			}
		}
		return p.pick(path)
	case p.isPath() || msg.Text != "" || !empty && (name == "left" || name == "right" || name == "tab" && len(suggested) > 0):
		return p.typed(p.line.Key(msg))
	case empty && (name == "left" || name == "backspace"):
		return p.enter(filepath.Dir(p.folder))
	case p.reading > 0 && empty || p.Key(name):
		return nil
	}
	switch name {
	case "home":
		p.Top()
	case "end":
		p.Bottom()
	case "enter":
		return p.open()
	case "right", "tab":
		if e := p.current(); e != nil && e.folder {
			return p.open()
		}
	case "ctrl+t":
		p.hidden = !p.hidden
		return p.read()
	case "ctrl+o":
		if p.Folders {
			return p.pick(p.named(p.folder))
		}
	default:
		return p.typed(p.line.Key(msg))
	}
	return nil
}

// typed finds what has the changed text or, if it is a path, looks for suggestions. A dot at its
// beginning lists hidden files too.
func (p *Picker) typed(changed bool) tea.Cmd {
	if !changed {
		return nil
	}
	p.err = nil
	p.find()
	switch {
	case strings.HasPrefix(p.line.Value(), ".") && !p.hidden:
		p.hidden = true
		return p.read()
	case p.isPath():
		return p.line.ReadFolder()
	}
	return nil
}

// open enters the folder under the cursor, or picks the file.
func (p *Picker) open() tea.Cmd {
	e := p.current()
	if e == nil {
		p.err = p.wanted()
		return nil
	}
	_, err := os.Stat(e.path)
	switch {
	case err != nil && e.why != "": // all images
		p.err = errors.New("cannot be opened: " + e.why)
		return nil
	case err != nil: // it is gone since the folder was read
		p.err = err
		return p.read()
	case e.folder:
		return p.enter(e.path)
	}
	return p.pick(p.named(e.path))
}

// wanted returns an error that says what to type where enter has nothing to open.
func (p *Picker) wanted() error {
	if p.line.Value() == "" {
		return errors.New("type a path, or left for the folder above: nothing in " + p.listed())
	}
	return errors.New("type a name or a path: " + p.Help)
}

// enter lists another folder.
func (p *Picker) enter(folder string) tea.Cmd {
	if folder == p.folder { // the root has none above
		return nil
	}
	p.err, p.left, p.folder = nil, p.folder, folder
	p.line = widget.NewPathInput("", p.Words...)
	p.Top()
	return p.read()
}

// pick passes a path to Done and closes the picker unless Done returns an error, or what is there
// cannot be opened.
func (p *Picker) pick(path string) tea.Cmd {
	if head, _ := headOf(path); p.Why != nil && len(head) > 0 {
		if why := p.Why(path, head); why != "" {
			p.err = errors.New("cannot be opened: " + why)
			return nil
		}
	}
	cmd, err := p.Done(path)
	p.err = err
	if err == nil {
		p.app.Close(p)
	}
	return cmd
}

// named returns a path as it is shown: relative to the working directory if it
// lies in there.
func (p *Picker) named(path string) string {
	if rel, err := filepath.Rel(p.base, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// listed returns the folder that is listed, the working directory in full.
func (p *Picker) listed() string {
	if name := p.named(p.folder); name != "." {
		return name
	}
	return p.folder
}

func (p *Picker) paste(text string) tea.Cmd { return p.typed(p.line.Paste(text)) }

func (p *Picker) wheel(by int) {
	if p.current() != nil {
		p.Move(by)
	}
}

// click picks the file that was last drawn at the cell (x, y), or enters the
// folder there.
func (p *Picker) click(x, y int) tea.Cmd {
	if p.current() == nil || !p.ClickRow(x, y) {
		return nil
	}
	return p.open()
}

func (p *Picker) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	in := f.Overlay(r, p.Title)
	rows := draw.Rect{X: in.X, Y: in.Y + 2, W: in.W, H: max(0, in.H-2)}
	if rows.Empty() {
		p.Hide()
		return
	}
	rows = p.preview.draw(f, rows, min(len(p.found), rows.H*3/5))
	x := in.X + 1
	x += f.Text(x, in.Y, in.W-2, "name or path ", theme.Dim)
	p.line.Draw(f.Canvas, draw.Rect{X: x, Y: in.Y, W: in.X + in.W - 1 - x, H: 1})
	p.below(f.Canvas, draw.Rect{X: in.X + 1, Y: in.Y + 1, W: in.W - 2, H: 1})
	first, end := p.Show(rows)
	for i := first; i < end; i++ {
		at := rows.Row(i - first)
		p.row(f.Canvas, at, p.entries[p.found[i]], i == p.Cursor())
		f.CursorRow(at, i == p.Cursor() && p.reading == 0, true)
	}
	if p.reading > 0 {
		f.Mark(rows, theme.Old)
	}
	f.OverlayRows(r, in, first, end, len(p.found))
}

// below draws the line below the path: an error, or suggestions for the text, or
// which folder is listed.
func (p *Picker) below(c *draw.Canvas, r draw.Rect) {
	folder := p.listed()
	text, role := "", theme.Dim
	switch {
	case p.err != nil:
		text, role = p.err.Error(), theme.Error
	case p.reading == 0 && p.line.DrawSuggestions(c, r):
		return
	case filepath.Base(p.line.Value()) == "..":
		text = "the folder above: enter lists it"
	case p.isPath() && p.reading == 0:
		text = "no name here has this: enter opens it as a path"
		if p.short {
			text = "none of the first " + plain.Thousands(maxEntries) + " names has this: enter opens it as a path"
		}
	case p.reading > 0:
		text = "reading " + folder
	case p.failed != nil:
		text, role = p.failed.Error(), theme.Error
	case len(p.entries) == 0:
		text = "nothing in " + folder
	case len(p.found) < len(p.entries):
		text = widget.Fitting(r.W, plain.Count(len(p.found), "name")+" of "+plain.Thousands(len(p.entries))+" in "+folder, plain.Count(len(p.found), "name"))
	case p.short:
		text = "the first " + plain.Thousands(maxEntries) + " in " + folder
	default:
		text = widget.Fitting(r.W, "in "+folder+": "+p.Help, "in "+folder)
	}
	c.Text(r.X, r.Y, r.W, plain.Line(text, r.W), role)
}

func (p *Picker) row(c *draw.Canvas, r draw.Rect, e entry, chosen bool) {
	name, role, size := filepath.Base(e.path), theme.Plain, ""
	if e.folder {
		name, role = name+string(filepath.Separator), theme.Focus
	} else {
		size = plain.Bytes(e.bytes)
		if !e.likely {
			role = theme.Dim
		}
		if e.why != "" {
			why, _, _ := strings.Cut(e.why, ":")
			role, size = theme.Dim, why+"  "+size
		}
	}
	if chosen && role == theme.Dim {
		role = theme.Plain
	}
	room := r.W - 2 - len(size) - 1
	name = plain.Line(name, room)
	c.Text(r.X+1, r.Y, room, name, role)
	if at := p.match.FindStringIndex(name); at != nil {
		c.Text(r.X+1+draw.Width(name[:at[0]]), r.Y, room, name[at[0]:at[1]], theme.Match)
	}
	c.Right(r.X, r.Y, r.W-1, size, theme.Dim)
}
