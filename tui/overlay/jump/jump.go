// Package jump is the overlay that finds an item by some characters of its first
// line, typed in their order. The best match comes first.
package jump

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/order"
	"cupelscope/tui/draw"
	"cupelscope/tui/overlay/search"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/work"
)

// Jump is the overlay. It searches in the background, since there may be many
// items.
type Jump struct {
	search.Box
	app   screen.App
	set   *model.Set
	found []found
	done  string // the search text that found is the answer to
}

// found is an item that matches, its line, and the byte offsets of the matching
// characters there.
type found struct {
	item    int
	line    string
	matched []int
}

const (
	lineCells = 160  // cells of a first line that are searched
	most      = 1000 // matches that are kept: nobody scrolls further instead of typing more
)

// New returns a jump list over a set. While nothing is typed it shows the first
// 1,000 items in input order.
func New(app screen.App, set *model.Set) *Jump {
	j := &Jump{Box: search.New(), app: app, set: set}
	j.take("", findItems(context.Background(), set, ""))
	return j
}

// Area returns screen.Over: the list covers the main area.
func (j *Jump) Area() screen.Place { return screen.Over }

// Hints returns the keys of the list.
func (j *Jump) Hints() []screen.Hint {
	return []screen.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "go there"}, {Key: "esc", Text: "close"}}
}

// Key handles a key: esc closes, enter goes to the item under the cursor, and all
// others move or type.
func (j *Jump) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "esc", "ctrl+c":
		j.app.Close(j)
	case "enter":
		j.goThere()
	default:
		j.Box.Key(msg)
	}
	return nil
}

// Paste inserts text into the typed line.
func (j *Jump) Paste(text string) tea.Cmd { j.Insert(text); return nil }

// Click goes to the item that was last drawn at the cell (x, y), if there is one.
func (j *Jump) Click(x, y int) tea.Cmd {
	if j.ClickRow(x, y) {
		j.goThere()
	}
	return nil
}

func (j *Jump) goThere() {
	if i, ok := j.Selected(); ok {
		j.app.Close(j)
		j.app.GoTo(i)
	}
}

// Selected returns the item under the cursor. It returns false if the list is
// empty or the search for the typed text is not done yet.
func (j *Jump) Selected() (int, bool) {
	if j.done == j.text() && j.Cursor() < len(j.found) {
		return j.found[j.Cursor()].item, true
	}
	return 0, false
}

// text returns the typed line without leading spaces.
func (j *Jump) text() string { return strings.TrimLeft(j.Text(), " ") }

// Job returns the search for the typed text, and false if its result is already
// shown.
func (j *Jump) Job() (work.Job, bool) {
	set, text := j.set, j.text()
	return work.Job{Key: text, Cost: set.Len(), Run: func(ctx context.Context) (any, error) {
		return findItems(ctx, set, text), ctx.Err()
	}}, j.done != text
}

// Done takes the result of a search. It keeps the list if err is not nil.
func (j *Jump) Done(key, result any, err error) {
	if list, ok := result.([]found); ok && err == nil {
		j.take(key.(string), list)
	}
}

func (j *Jump) take(text string, list []found) {
	j.done, j.found = text, list
	j.SetLen(len(list))
	j.Top()
}

// findItems returns the items whose first line has the characters of search in
// that order: the best first, at most 1,000. A number, with or without #, is also
// the index of an item, and that item comes before the others. If ctx is
// cancelled, findItems stops and returns nil.
func findItems(ctx context.Context, set *model.Set, search string) []found {
	line := func(i int) string {
		it := set.Loaded(i)
		return plain.Line(string(it.Kind)+" "+it.Headline(4*lineCells), lineCells)
	}
	list := []found{}
	digits := search
	if len(search) > 1 && search[0] == '#' {
		digits = search[1:]
	}
	first := -1
	if i, err := strconv.Atoi(digits); err == nil && i >= 0 && i < set.Len() {
		first = i
		list = append(list, found{i, line(i), nil})
	}
	if search == "" {
		for i := range min(set.Len(), most) {
			list = append(list, found{i, line(i), nil})
		}
		return list
	}
	matches := fuzzy.FindFromIterNoSort(search, func(yield func(string) bool) {
		for i := range set.Len() {
			if i%1024 == 0 && ctx.Err() != nil || !yield(line(i)) {
				return
			}
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	scores := make([]float64, len(matches))
	for k, m := range matches {
		scores[k] = float64(m.Score)
	}
	for _, k := range order.Descending(scores)[:min(len(matches), most)] {
		if m := matches[k]; m.Index != first {
			list = append(list, found{m.Index, m.Str, m.MatchedIndexes})
		}
	}
	return list
}

// Draw draws the list over r.
func (j *Jump) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	words := search.Words{Title: "Jump  type some letters of an item, or its number", Label: "find",
		State: plain.Thousands(len(j.found)) + " found", None: "No item has these letters in this order."}
	old := j.done != j.text()
	switch {
	case old:
		words.State, words.None = "searching"+f.Glyphs().Ellipsis, ""
	case len(j.found) >= most:
		words.State = "the best " + plain.Thousands(most)
	}
	rows := j.Box.Draw(f, r, words, func(r draw.Rect, i int) { j.row(f, r, j.found[i]) })
	if old {
		f.Mark(rows, theme.Old)
	}
}

func (j *Jump) row(f *widget.Frame, r draw.Rect, m found) {
	digits := max(2, len(strconv.Itoa(max(0, j.set.Len()-1))))
	if f.Out != nil && f.Out.Report != nil && m.item < len(f.Out.Report.Codes) {
		glyph, role, _ := widget.State(f.Glyphs(), f.Out, m.item)
		f.Set(r.X+1, r.Y, glyph, role)
	}
	f.Right(r.X+3, r.Y, digits, strconv.Itoa(m.item), theme.Dim)
	x, end := r.X+4+digits, r.X+r.W
	matched := m.matched
	for at, c := range m.line {
		role := theme.Plain
		if len(matched) > 0 && matched[0] == at {
			role, matched = theme.Match, matched[1:]
		}
		x += f.Text(x, r.Y, end-x, m.line[at:at+utf8.RuneLen(c)], role)
	}
}
