package overlay

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// Jump is the overlay that finds an item by some characters of its first line, typed in
// their order, the best match first. It reads and searches the lines in the background, since
// there may be many items.
type Jump struct {
	widget.SearchBox
	app   screen.App
	set   *model.Set
	lines *lines // of all items; nil until they are read
	found []int32
	done  string // the search text that found is the answer to
}

// maxFound is how many matches are kept: nobody scrolls further instead of typing more.
const maxFound = 1000

// NewJump returns a jump list over a set. While nothing is typed it shows the first
// 1,000 items in input order.
func NewJump(app screen.App, set *model.Set) *Jump {
	j := &Jump{SearchBox: widget.NewSearchBox(), app: app, set: set}
	j.take("", first(set.Len()))
	return j
}

func (j *Jump) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Wheel: j.Move, Hints: j.Hints, Key: j.Key, Paste: j.Paste, Click: j.Click, Worker: j}
}

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
		j.SearchBox.Key(msg)
	}
	return nil
}

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
		return int(j.found[j.Cursor()]), true
	}
	return 0, false
}

// text returns the typed line without leading spaces.
func (j *Jump) text() string { return strings.TrimLeft(j.Text(), " ") }

// Job returns the reading of the lines, and after that the search for the typed text. It
// returns false if the result of that is already shown.
func (j *Jump) Job() (work.Job, bool) {
	set, text, all := j.set, j.text(), j.lines
	if all == nil {
		return work.Job{Key: set, Run: work.Pass(func(ctx context.Context) (*lines, error) { return readLines(ctx, set) }, func(read *lines, _ error) { j.lines = read })}, true
	}
	return work.Job{Key: text, Run: work.Pass(func(ctx context.Context) ([]int32, error) {
		return all.find(ctx, text)
	}, func(found []int32, err error) {
		if err == nil {
			j.take(text, found)
		}
	})}, j.done != text
}

func (j *Jump) take(text string, found []int32) {
	j.done, j.found = text, found
	j.SetLen(len(found))
	j.Top()
}

func (j *Jump) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	words := widget.SearchTexts{Title: "Jump  type some letters of an item, or its number", Label: "find",
		State: plain.Thousands(len(j.found)) + " found", None: "No item has these letters in this order."}
	old := j.done != j.text()
	switch {
	case old:
		words.State, words.None = "searching"+f.Glyphs().Ellipsis, ""
	case len(j.found) >= maxFound:
		words.State = "the best " + plain.Thousands(maxFound)
	}
	rows := j.SearchBox.Draw(f, r, words, func(r draw.Rect, i int) { j.row(f, r, int(j.found[i])) })
	if old {
		f.Mark(rows, theme.Old)
	}
}

func (j *Jump) row(f *widget.Frame, r draw.Rect, item int) {
	digits := max(2, len(strconv.Itoa(max(0, j.set.Len()-1))))
	if f.Out != nil && !f.NoResult && item < len(f.Out.Report.Codes) {
		glyph, role, _ := widget.State(f.Glyphs(), f.Out, item)
		f.Set(r.X+1, r.Y, glyph, role)
	}
	f.Right(r.X+3, r.Y, digits, strconv.Itoa(item), theme.Dim)
	x, end := r.X+4+digits, r.X+r.W
	line := Line(j.set, item)
	var matched []int
	if m := fuzzy.FindNoSort(j.done, []string{line}); len(m) > 0 {
		matched = m[0].MatchedIndexes
	}
	for at, c := range line {
		role := theme.Plain
		if len(matched) > 0 && matched[0] == at {
			role, matched = theme.Match, matched[1:]
		}
		x += f.Text(x, r.Y, end-x, line[at:at+utf8.RuneLen(c)], role)
	}
}
