package overlay

import (
	"cmp"
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

// ListColumn is a column of a Listing.
type ListColumn struct {
	Heading string
	Width   int // in cells; 0: what the others leave
	Right   bool
	From    int // the least width of the list, in cells, that has room for the column
}

// ListRow is a row of a Listing. Its texts are drawn, so they must be safe for a terminal.
type ListRow struct {
	Key   string   // identifies the row when the rows change their order
	Cells []string // one for each column
	Found string   // what is searched, in lower case
}

// ListState are the rows of a Listing that are known by now.
type ListState struct {
	Rows []ListRow
	Note string // one line below them
	Done bool   // there will be no more rows
	Err  error  // why there are no more
}

// ListQuestion says what is listed, and what happens with the row that is picked.
type ListQuestion struct {
	Title   string
	Typed   string // the search text at first
	Columns []ListColumn
	At      string // the Key of the row that the cursor begins at; "": the first
	Refused error  // why a row that was opened from the list before did not open; nil: none was
	// Next waits for the next state, and returns false if there is none. It is called in
	// the background, one call at a time.
	Next func() (ListState, bool)
	// Open opens the row with a key. An error keeps the list open and is shown there.
	Open func(key string) (tea.Cmd, error)
	// Follow is like Open, and goes on reading as the source grows; nil if that is not
	// offered.
	Follow func(key string) (tea.Cmd, error)
	// Other leads to another list, from the text that was typed; nil if there is none.
	// OtherHint says in a word or two which.
	Other     func(typed string) tea.Cmd
	OtherHint string
	// OtherIfNone has Other called as soon as the list turns out to be empty.
	OtherIfNone bool
	// Closed is called when the list closes.
	Closed func()
}

// Listing is the overlay in which the user searches a long list, which grows while it is
// shown, and picks a row.
type Listing struct {
	widget.SearchBox
	ListQuestion
	app   screen.App
	state ListState
	found []int // rows with all typed words, in order
	moved bool  // the user has moved the cursor or typed
	err   error // why the last pick was refused
}

// NewListing returns the list, and the command that waits for its first rows.
func NewListing(app screen.App, q ListQuestion) (*Listing, tea.Cmd) {
	l := &Listing{SearchBox: widget.NewSearchBox(), ListQuestion: q, app: app, err: q.Refused}
	l.SetText(q.Typed)
	return l, l.wait()
}

func (l *Listing) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Wheel: l.Move, Hints: l.hints, Key: l.Key, Paste: l.paste, Click: l.click}
}

func (l *Listing) hints() []screen.Hint {
	hints := []screen.Hint{{Key: "enter", Text: "open"}}
	if l.Follow != nil {
		hints = append(hints, screen.Hint{Key: "ctrl+f", Text: "open and follow"})
	}
	if l.Other != nil {
		hints = append(hints, screen.Hint{Key: "tab", Text: l.OtherHint})
	}
	return append(hints, screen.Hint{Key: "a-z", Text: "search"}, screen.Hint{Key: "esc", Text: "close"})
}

// wait returns the command that waits for the next state.
func (l *Listing) wait() tea.Cmd {
	return func() tea.Msg {
		state, more := l.Next()
		return work.Then(func() tea.Cmd {
			switch {
			case !l.app.Opened(l):
				return nil
			case more:
				return l.take(state)
			}
			l.state.Done = true
			return nil
		})
	}
}

// take takes the next state. A cursor that the user has moved stays on its row.
func (l *Listing) take(state ListState) tea.Cmd {
	key := l.At
	if l.moved {
		key = l.key()
	}
	l.state = state
	l.search(key)
	if !state.Done {
		return l.wait()
	}
	if len(state.Rows) == 0 && state.Err == nil && l.OtherIfNone {
		return l.other()
	}
	return nil
}

// key returns the key of the row under the cursor, "" if there is none.
func (l *Listing) key() string {
	if l.Cursor() < len(l.found) {
		return l.state.Rows[l.found[l.Cursor()]].Key
	}
	return ""
}

// search finds the rows with all typed words, and puts the cursor on the row with a key, or
// else on the first row.
func (l *Listing) search(key string) {
	words := strings.Fields(strings.ToLower(l.Text()))
	l.found = l.found[:0]
	at := 0
	for i, row := range l.state.Rows {
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(row.Found, word) }) {
			continue
		}
		if row.Key == key {
			at = len(l.found)
		}
		l.found = append(l.found, i)
	}
	l.SetLen(len(l.found))
	l.To(at)
}

// Key handles a key: esc closes, enter opens the row under the cursor, tab leads to
// the other list, and all others move or type.
func (l *Listing) Key(msg tea.KeyPressMsg) tea.Cmd {
	l.moved = true
	switch name := msg.String(); {
	case name == "esc" || name == "ctrl+c":
		l.close()
	case name == "enter":
		return l.pick(l.Open)
	case name == "ctrl+f" && l.Follow != nil:
		return l.pick(l.Follow)
	case name == "tab" && l.Other != nil:
		return l.other()
	case name == "tab":
	case name == "home":
		l.Top()
	case name == "end":
		l.Bottom()
	case l.SearchBox.Key(msg):
		l.typed()
	}
	return nil
}

func (l *Listing) typed() {
	l.err = nil
	l.search("")
}

func (l *Listing) paste(text string) tea.Cmd {
	if l.Insert(text) {
		l.typed()
	}
	return nil
}

// click opens the row that was last drawn at the cell (x, y), if there is one.
func (l *Listing) click(x, y int) tea.Cmd {
	if !l.ClickRow(x, y) {
		return nil
	}
	return l.pick(l.Open)
}

// pick passes the row under the cursor on, and closes the list unless that fails.
func (l *Listing) pick(to func(key string) (tea.Cmd, error)) tea.Cmd {
	key := l.key()
	if key == "" {
		return nil
	}
	cmd, err := to(key)
	l.err = err
	if err == nil {
		l.close()
	}
	return cmd
}

func (l *Listing) other() tea.Cmd {
	l.close()
	return l.Other(l.Text())
}

func (l *Listing) close() {
	l.app.Close(l)
	if l.Closed != nil {
		l.Closed()
	}
}

func (l *Listing) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	words := widget.SearchTexts{Title: l.Title, Label: "search", State: plain.Thousands(len(l.found)) + " found", None: "No row has these words.", Above: 1, Below: 2}
	if r.H < 12 {
		words.Below = 1
	}
	if !l.state.Done {
		words.State = "reading" + f.Glyphs().Ellipsis
	}
	switch {
	case len(l.state.Rows) > 0:
	case l.state.Err != nil, !l.state.Done:
		words.None = ""
	default:
		words.None = "There is nothing to list."
	}
	rows := l.SearchBox.Draw(f, r, words, func(r draw.Rect, i int) {
		l.row(f, r, l.state.Rows[l.found[i]].Cells, theme.Plain)
	})
	if rows.Empty() {
		return
	}
	headings := plain.Texts(l.Columns, func(c ListColumn) string { return c.Heading })
	l.row(f, draw.Rect{X: rows.X, Y: rows.Y - 1, W: rows.W, H: 1}, headings, theme.Dim)
	note, role := l.state.Note, theme.Dim
	switch {
	case l.err != nil:
		note, role = l.err.Error(), theme.Error
	case l.state.Err != nil:
		note, role = l.state.Err.Error(), theme.Error
	}
	f.Text(rows.X+1, rows.Y+rows.H+words.Below-1, rows.W-2, draw.FitClause(plain.Line(note, 400), rows.W-2, f.Glyphs()), role)
}

// row draws a row of cells. The column without a width gets what the others leave.
func (l *Listing) row(f *widget.Frame, r draw.Rect, cells []string, role theme.Role) {
	const gap = 2
	free := r.W - 2 + gap
	for _, c := range l.Columns {
		if r.W >= c.From {
			free -= c.Width + gap
		}
	}
	x := r.X + 1
	for i, c := range l.Columns {
		if r.W < c.From {
			continue
		}
		width := cmp.Or(c.Width, max(0, free))
		text := plain.Line(cells[i], width)
		if c.Right {
			f.Right(x, r.Y, width, text, role)
		} else {
			f.Text(x, r.Y, width, text, role)
		}
		x += width + gap
	}
}
