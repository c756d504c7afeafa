package overlay

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/filepicker"
	"charm.land/bubbles/v2/key"
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
	// Files with other extensions can be picked too, but are drawn dim. If it is
	// empty, no file is drawn dim.
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
// line to type in, and below it the list of the folder. Keys move in the list while nothing
// is typed. The file picker of Bubbles reads the folders and moves the cursor. The list is
// drawn here, because the view of that picker writes file names as they are, and a name may
// hold line breaks and escape sequences.
type Picker struct {
	FileQuestion
	app     screen.App
	line    widget.Input
	files   filepicker.Model
	base    string // the working directory, which paths are shown relative to
	entries []entry
	short   bool   // the folder has more entries than maxEntries
	failed  error  // why the folder could not be read
	reading int    // how many reads are not answered yet
	err     error  // why the last pick was refused
	from    string // the folder that was left last
	top     int
	at      draw.Rect // where the rows were drawn
	preview preview

	hidden, folder key.Binding
}

type entry struct {
	path   string
	folder bool
	bytes  int64
	why    string // it cannot be opened
}

// maxEntries bounds how many entries of a folder are listed.
const maxEntries = 5000

// NewPicker returns a picker for q, and the command that reads its first folder.
func NewPicker(app screen.App, q FileQuestion) (*Picker, tea.Cmd) {
	p := &Picker{FileQuestion: q, app: app, files: filepicker.New(), line: widget.NewPathInput(q.Text, q.Words...)}
	p.base, _ = filepath.Abs(".")
	p.files.CurrentDirectory = p.base
	if dir, err := filepath.Abs(q.Folder); err == nil {
		p.files.CurrentDirectory = dir
	}
	k := &p.files.KeyMap
	k.GoToTop.SetKeys("home")
	k.GoToLast.SetKeys("end")
	k.Down.SetKeys("down", "ctrl+n")
	k.Up.SetKeys("up", "ctrl+p")
	k.PageUp.SetKeys("pgup")
	k.PageDown.SetKeys("pgdown")
	k.Back.SetKeys("left", "backspace")
	k.Open.SetKeys("right", "enter")
	k.Up.SetHelp("up/down", "move")
	k.Open.SetHelp("enter", "open")
	k.Back.SetHelp("left", "folder above")
	p.hidden = key.NewBinding(key.WithKeys("ctrl+t"), key.WithHelp("ctrl+t", "hidden files"))
	p.folder = key.NewBinding(key.WithKeys("ctrl+o"), key.WithHelp("ctrl+o", "open this folder"))
	p.folder.SetEnabled(q.Folders)
	p.preview.marked = p.marked
	return p, p.read()
}

// ShortHelp returns the keys that matter now. With FullHelp it makes Picker a
// help.KeyMap of Bubbles.
func (p *Picker) ShortHelp() []key.Binding {
	bind := func(name, text string) key.Binding {
		return key.NewBinding(key.WithKeys(name), key.WithHelp(name, text))
	}
	if p.line.Value() != "" {
		return []key.Binding{bind("enter", "open"), bind("tab", "complete"), bind("ctrl+u", "back to the list"), bind("esc", "close")}
	}
	k := p.files.KeyMap
	all := []key.Binding{k.Up, k.Open, k.Back, bind("a-z", "type a path"), p.hidden}
	if p.folder.Enabled() {
		all = append(all, p.folder)
	}
	return append(all, bind("esc", "close"))
}

// FullHelp returns the keys of ShortHelp: there are no more.
func (p *Picker) FullHelp() [][]key.Binding { return [][]key.Binding{p.ShortHelp()} }

// Spec says that the picker covers the main area.
func (p *Picker) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Worker: &p.preview, Wheel: p.Move, Hints: p.Hints, Key: p.Key, Paste: p.Paste, Click: p.Click}
}

// Hints returns the keys that matter now.
func (p *Picker) Hints() []screen.Hint { return screen.HintsOf(p) }

// read returns the command that reads the current folder in the background.
func (p *Picker) read() tea.Cmd {
	p.reading++
	files, why := p.files, p.Why
	return func() tea.Msg {
		err := readable(files.CurrentDirectory)
		if err != nil {
			return work.Then(func() tea.Cmd { p.take(nil, nil, false, err); return nil })
		}
		read := files.Init()() // the answer that Bubbles waits for
		entries, short := list(files, read)
		for i := range entries {
			if e := &entries[i]; why != nil && !e.folder {
				e.why = why(e.path, headOf(e.path))
			}
		}
		return work.Then(func() tea.Cmd { p.take(read, entries, short, nil); return nil })
	}
}

// readable returns the error with which a folder cannot be read, since Bubbles
// does not tell it; nil if it can.
func readable(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err = d.Readdirnames(1); err == io.EOF {
		return nil
	}
	return err
}

// headBytes is how many bytes of a file tell what it is.
const headBytes = 512

// headOf returns the beginning of a regular file, up to a whole character; nothing if it cannot be read.
func headOf(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, headBytes)
	n, _ := io.ReadFull(file, head) // a file may be shorter
	for k := 1; k <= min(n, utf8.UTFMax); k++ {
		if utf8.RuneStart(head[n-k]) && !utf8.FullRune(head[n-k:n]) {
			return head[:n-k]
		}
	}
	return head[:n]
}

// list returns the entries of a folder that was read, and whether there are more
// than maxEntries. Bubbles tells only which entry is selected, so a copy of its
// picker moves through all of them.
func list(files filepicker.Model, read tea.Msg) (all []entry, short bool) {
	files, _ = files.Update(read)
	files, _ = files.Update(pressed(tea.KeyHome))
	last := ""
	for path := files.HighlightedPath(); path != last; path = files.HighlightedPath() {
		if len(all) == maxEntries {
			return all, true
		}
		e := entry{path: path}
		if info, err := os.Stat(path); err == nil {
			e.folder, e.bytes = info.IsDir(), info.Size()
		}
		all = append(all, e)
		last = path
		files, _ = files.Update(pressed(tea.KeyDown))
	}
	return all, false
}

func pressed(code rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: code} }

// take takes the entries of a folder.
func (p *Picker) take(read tea.Msg, entries []entry, short bool, err error) {
	if p.reading--; p.reading > 0 {
		return // the user has left that folder again
	}
	p.entries, p.short, p.failed = entries, short, err
	if err != nil {
		return
	}
	p.files, _ = p.files.Update(read)
	if p.selected() < 0 { // files are gone since the folder was left
		p.files, _ = p.files.Update(pressed(tea.KeyHome))
	}
	to := slices.IndexFunc(p.entries, func(e entry) bool { return e.path == p.from })
	if at := p.selected(); to < 0 && at >= 0 && p.entries[at].why != "" { // it begins with what can be opened
		to = slices.IndexFunc(p.entries, func(e entry) bool { return e.why == "" })
	}
	if to >= 0 {
		p.moveTo(to)
	}
}

// selected returns the index of the entry under the cursor, or -1 if there is
// none.
func (p *Picker) selected() int {
	if p.reading > 0 || p.failed != nil {
		return -1
	}
	path := p.files.HighlightedPath()
	return slices.IndexFunc(p.entries, func(e entry) bool { return e.path == path })
}

// marked returns the path of the entry under the cursor, and what says what it holds.
func (p *Picker) marked() (string, func(context.Context) string) {
	at := p.selected()
	if at < 0 || p.What == nil || p.line.Value() != "" {
		return "", nil
	}
	path, why := p.entries[at].path, p.entries[at].why
	if why != "" {
		return path, func(context.Context) string { return "cannot be opened: " + why }
	}
	return path, func(ctx context.Context) string { return p.What(ctx, path) }
}

// moveTo puts the cursor on an entry, step by step, because Bubbles has no other
// way.
func (p *Picker) moveTo(row int) {
	at := p.selected()
	if at < 0 {
		return
	}
	for ; at < row; at++ {
		p.files, _ = p.files.Update(pressed(tea.KeyDown))
	}
	for ; at > row; at-- {
		p.files, _ = p.files.Update(pressed(tea.KeyUp))
	}
}

// Key handles a key. While nothing is typed, keys move in the list, enter folders
// and pick; once something is typed, they edit the path.
func (p *Picker) Key(msg tea.KeyPressMsg) tea.Cmd {
	typed := p.line.Value()
	k := &p.files.KeyMap
	switch name := msg.String(); {
	case name == "esc" || name == "ctrl+c":
		p.app.Close(p)
		return nil
	case typed != "" && name == "enter":
		path, err := Home(strings.TrimSpace(typed))
		if p.err = err; err != nil || path == "" {
			return nil
		}
		return p.pick(path)
	case typed != "":
		return p.typed(p.line.Key(msg))
	case key.Matches(msg, p.hidden):
		p.files.ShowHidden = !p.files.ShowHidden
		p.files, _ = p.files.Update(pressed(tea.KeyHome))
		return p.read()
	case key.Matches(msg, p.folder):
		return p.pick(p.named(p.files.CurrentDirectory))
	case key.Matches(msg, k.Open) && p.selected() < 0, p.reading > 0 && !key.Matches(msg, k.Back) && msg.Text == "":
		return nil
	case key.Matches(msg, k.GoToTop, k.GoToLast, k.Down, k.Up, k.PageUp, k.PageDown, k.Back, k.Open):
		return p.browse(msg)
	}
	return p.typed(p.line.Key(msg))
}

// typed looks for suggestions if the path has changed.
func (p *Picker) typed(changed bool) tea.Cmd {
	if !changed {
		return nil
	}
	p.err = nil
	return p.line.ReadFolder()
}

// browse passes a key to the list, which moves, enters or leaves a folder, or
// picks a file.
func (p *Picker) browse(msg tea.KeyPressMsg) tea.Cmd {
	// Forget an earlier pick.
	was := p.files.CurrentDirectory
	p.files.Path = ""
	p.files, _ = p.files.Update(msg)
	switch {
	case p.files.Path != "":
		return p.pick(p.named(p.files.Path))
	case p.files.CurrentDirectory != was:
		p.err, p.from, p.top = nil, was, 0
		return p.read()
	case key.Matches(msg, p.files.KeyMap.Open): // nothing happened: the entry is gone since the folder was read
		_, p.err = os.Stat(p.files.HighlightedPath())
		return p.read()
	}
	return nil
}

// pick passes a path to Done and closes the picker unless Done returns an error.
func (p *Picker) pick(path string) tea.Cmd {
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

// Paste inserts text into the typed path.
func (p *Picker) Paste(text string) tea.Cmd {
	return p.typed(p.line.Paste(text))
}

// Move moves the cursor in the list by rows. It does nothing while a path is
// typed.
func (p *Picker) Move(by int) {
	if at := p.selected(); at >= 0 && p.line.Value() == "" {
		p.moveTo(min(max(0, at+by), len(p.entries)-1))
	}
}

// Click picks the file that was last drawn at the cell (x, y), or enters the
// folder there. It does nothing while a path is typed.
func (p *Picker) Click(x, y int) tea.Cmd {
	row := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || row >= len(p.entries) || p.selected() < 0 || p.line.Value() != "" {
		return nil
	}
	p.moveTo(row)
	return p.browse(pressed(tea.KeyEnter))
}

// Draw draws the picker over r.
func (p *Picker) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	c := f.Canvas
	in := c.Overlay(r, p.Title)
	p.at = draw.Rect{X: in.X, Y: in.Y + 2, W: in.W, H: max(0, in.H-2)}
	if p.at.Empty() {
		return
	}
	p.at = p.preview.draw(f, p.at, min(len(p.entries), p.at.H*3/5))
	p.files.SetHeight(p.at.H)
	x := in.X + 1
	x += c.Text(x, in.Y, in.W-2, "path ", theme.Dim)
	p.line.Draw(c, draw.Rect{X: x, Y: in.Y, W: in.X + in.W - 1 - x, H: 1})
	p.below(c, draw.Rect{X: in.X + 1, Y: in.Y + 1, W: in.W - 2, H: 1})
	at := p.selected()
	p.top = widget.Scroll(p.top, max(0, at), p.at.H, len(p.entries))
	for y := 0; y < p.at.H && p.top+y < len(p.entries); y++ {
		p.row(c, p.at.Row(y), p.entries[p.top+y], p.top+y == at)
	}
	if p.line.Value() != "" || p.reading > 0 {
		c.Mark(p.at, theme.Old)
	}
}

// below draws the line below the path: an error, or suggestions for the text, or
// which folder is listed.
func (p *Picker) below(c *draw.Canvas, r draw.Rect) {
	folder := p.named(p.files.CurrentDirectory)
	if folder == "." {
		folder = p.files.CurrentDirectory
	}
	text, role := "", theme.Dim
	switch {
	case p.err != nil:
		text, role = p.err.Error(), theme.Error
	case p.line.DrawSuggestions(c, r):
		return
	case p.line.Value() != "":
		text = p.Help
	case p.reading > 0:
		text = "reading " + folder
	case p.failed != nil:
		text, role = p.failed.Error(), theme.Error
	case len(p.entries) == 0:
		text = "nothing in " + folder
	case p.short:
		text = "the first " + plain.Thousands(maxEntries) + " in " + folder
	default:
		text = widget.Fitting(r.W, "in "+folder+": "+p.Help, "in "+folder)
	}
	c.Text(r.X, r.Y, r.W, plain.Line(text, r.W), role)
}

func (p *Picker) row(c *draw.Canvas, r draw.Rect, e entry, cursor bool) {
	name, role, size := filepath.Base(e.path), theme.Plain, ""
	switch {
	case e.folder:
		name, role = name+string(filepath.Separator), theme.Focus
	default:
		size = plain.Bytes(e.bytes)
		if len(p.Likely) > 0 && !slices.Contains(p.Likely, strings.ToLower(filepath.Ext(name))) {
			role = theme.Dim
		}
		if e.why != "" {
			why, _, _ := strings.Cut(e.why, ":")
			role, size = theme.Dim, why+"  "+size
		}
	}
	room := r.W - 2 - len(size) - 1
	c.Text(r.X+1, r.Y, room, plain.Line(name, room), role)
	c.Right(r.X, r.Y, r.W-1, size, theme.Dim)
	if cursor {
		c.Set(r.X, r.Y, c.Glyphs().Cursor, theme.Focus)
		c.Mark(r, theme.Selected)
	}
}
