package panes

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/widget/input"
)

// Jump is the list of items whose first line has the characters that are typed,
// in that order: the best match first.
type Jump struct {
	line   input.Line
	set    *model.Set
	found  []Found
	done   string // what found answers
	cursor int
	top    int
	at     draw.Rect // where the rows were drawn
}

// Found is an item that matches, and which bytes of its line do.
type Found struct {
	Item    int
	Line    string
	Matched []int
}

const (
	jumpLine = 160  // cells of a first line that are searched
	jumpMost = 1000 // matches that are kept: nobody scrolls further, one types more
)

// Open starts with nothing typed: all items, in input order.
func (p *Jump) Open(set *model.Set) {
	*p = Jump{line: input.New("", nil), set: set}
	p.found = FindItems(context.Background(), set, "")
}

// Key takes a key that edits what is searched for. Want and Take find it.
func (p *Jump) Key(msg tea.KeyPressMsg) { p.line.Key(msg) }

// Paste adds to what is searched for.
func (p *Jump) Paste(text string) { p.line.Paste(text) }

// Search is what is searched for.
func (p *Jump) Search() string { return strings.TrimLeft(p.line.Value(), " ") }

// Want is the set that is to be searched; false: the list is what was typed.
func (p *Jump) Want() (*model.Set, bool) { return p.set, p.done != p.Search() }

// Take takes what was found for a search; one that is out of date is dropped.
func (p *Jump) Take(search string, found []Found) {
	if search == p.Search() {
		p.done, p.found, p.cursor, p.top = search, found, 0, 0
	}
}

// FindItems finds the items whose first line has the characters of search in
// that order, the best first, at most 1,000. A number, with or without #, is
// also the index of an item, and that one comes before all others. It polls
// ctx; nil: it was cancelled.
func FindItems(ctx context.Context, set *model.Set, search string) []Found {
	line := func(i int) string {
		it := set.Loaded(i)
		return plain.Line(string(it.Kind)+" "+it.Headline(4*jumpLine), jumpLine)
	}
	found := []Found{}
	digits := search
	if len(search) > 1 && search[0] == '#' {
		digits = search[1:]
	}
	first := -1
	if i, err := strconv.Atoi(digits); err == nil && i >= 0 && i < set.Len() {
		first = i
		found = append(found, Found{Item: i, Line: line(i)})
	}
	if search == "" {
		for i := range min(set.Len(), jumpMost) {
			found = append(found, Found{Item: i, Line: line(i)})
		}
		return found
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
	slices.SortStableFunc(matches, func(a, b fuzzy.Match) int { return b.Score - a.Score })
	for _, m := range matches[:min(len(matches), jumpMost)] {
		if m.Index != first {
			found = append(found, Found{m.Index, m.Str, m.MatchedIndexes})
		}
	}
	return found
}

// Move moves the cursor.
func (p *Jump) Move(by int) { p.cursor = min(max(0, p.cursor+by), max(0, len(p.found)-1)) }

// Selected is the item under the cursor; false while the list does not answer
// what is typed, or is empty.
func (p *Jump) Selected() (int, bool) {
	if p.done == p.Search() && p.cursor < len(p.found) {
		return p.found[p.cursor].Item, true
	}
	return 0, false
}

// Hit puts the cursor on the row that was last drawn at a cell.
func (p *Jump) Hit(x, y int) bool {
	row := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || row >= len(p.found) {
		return false
	}
	p.cursor = row
	return true
}

// Draw draws the list over r.
func (p *Jump) Draw(f *widget.Frame, r draw.Rect) {
	f.Fill(r, ' ', theme.Plain)
	in := f.Box(r, "Jump  type some letters of an item, or its number", true)
	if in.H < 3 {
		return
	}
	x := in.X + 1
	x += f.Text(x, in.Y, in.W-2, "find ", theme.Dim)
	p.line.Draw(f.Canvas, draw.Rect{X: x, Y: in.Y, W: in.W - 24, H: 1})
	state := model.Tokens(len(p.found)).String() + " found"
	switch {
	case p.done != p.Search():
		state = "searching" + f.Glyphs().Ellipsis
	case len(p.found) >= jumpMost:
		state = "the best " + model.Tokens(jumpMost).String()
	}
	f.Right(in.X, in.Y, in.W-1, state, theme.Dim)
	rows := in.H - 1
	p.at = draw.Rect{X: in.X, Y: in.Y + 1, W: in.W, H: rows}
	p.top = widget.Scroll(p.top, p.cursor, rows, len(p.found))
	if len(p.found) == 0 && p.done == p.Search() {
		f.Text(in.X+1, in.Y+1, in.W-2, "No item has these letters in this order.", theme.Dim)
	}
	for y := 0; y < rows && p.top+y < len(p.found); y++ {
		p.row(f, p.at.Row(y), p.found[p.top+y], p.top+y == p.cursor)
	}
	if p.done != p.Search() {
		f.Mark(p.at, theme.Old)
	}
}

func (p *Jump) row(f *widget.Frame, r draw.Rect, found Found, cursor bool) {
	digits := max(2, len(strconv.Itoa(max(0, p.set.Len()-1))))
	if f.Out != nil && f.Out.Report != nil && found.Item < len(f.Out.Report.Codes) {
		glyph, role, _ := widget.State(f.Glyphs(), f.Out, found.Item)
		f.Set(r.X+1, r.Y, glyph, role)
	}
	f.Right(r.X+3, r.Y, digits, strconv.Itoa(found.Item), theme.Dim)
	x, end := r.X+4+digits, r.X+r.W
	matched := found.Matched
	for at, c := range found.Line {
		role := theme.Plain
		if len(matched) > 0 && matched[0] == at {
			role, matched = theme.Match, matched[1:]
		}
		x += f.Text(x, r.Y, end-x, found.Line[at:at+utf8.RuneLen(c)], role)
	}
	if cursor {
		f.Set(r.X, r.Y, f.Glyphs().Cursor, theme.Focus)
		f.Mark(r, theme.Selected)
	}
}
