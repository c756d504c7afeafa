package overlay

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Reader is the overlay that shows the whole text of one item. The knobs stay visible beside it.
type Reader struct {
	widget.Scroller
	app   screen.App
	q     *pane.WhatIf
	ways  *pane.Ways
	make  func(pane.Way) (screen.Change, error)
	item  int
	way   int  // the index of the marked way among those that bring the item in
	seek  bool // the line of that way is to be on the screen
	above int  // number of lines above the text
	width int
	lines []string
	whole bool // lines holds the whole text
}

// firstLines bounds how many lines are wrapped at first. Scrolling down wraps
// more.
const firstLines = 2000

// NewReader returns a reader at the beginning of an item's text. The answers of q about
// the item stand above the text, with the ways that bring it in, of which change makes one.
func NewReader(app screen.App, q *pane.WhatIf, ways *pane.Ways, change func(pane.Way) (screen.Change, error), item int) *Reader {
	return &Reader{app: app, q: q, ways: ways, make: change, item: item}
}

// Spec says that keys act on the item that is being read. Another item is read from its
// beginning.
func (p *Reader) Spec() screen.Spec {
	return screen.Spec{Cursor: p, Hints: p.Hints, Actions: p.actions(), Reading: func() int { return p.item },
		Read: func(item int) { *p = *NewReader(p.app, p.q, p.ways, p.make, item) }}
}

// actions returns the keys of the ways that bring the item in. Enter, which opened the item,
// is none of them: pressed once too often it would change the setup.
func (p *Reader) actions() []screen.Action {
	return []screen.Action{
		{Name: "way.take", Keys: []string{takeKey}, Text: "bring the item in, the way that is marked", Plan: p.take},
		{Name: "way.open", Keys: []string{"enter"}, Text: "nothing: the item is open", Try: p.open},
		{Name: "way.next", Keys: []string{"J"}, Text: "to the next way to bring it in", Run: screen.Do(func() { p.move(1) })},
		{Name: "way.back", Keys: []string{"K"}, Text: "to the way before", Run: screen.Do(func() { p.move(-1) })},
	}
}

// known returns the ways that are known by now.
func (p *Reader) known() []pane.Way {
	return p.ways.Of(p.app.Experiment().Outcome(p.app.Side()), p.item)
}

// takeKey brings the item in.
const takeKey = "+"

// open returns what the key that opened the item does not do.
func (p *Reader) open() string {
	if len(p.known()) > 0 {
		return "the item is open already; " + takeKey + " brings it in, esc closes it"
	}
	return "the item is open already; esc closes it"
}

func (p *Reader) take() (screen.Change, error) {
	all := p.known()
	switch {
	case p.ways.Trying():
		return screen.Change{}, errors.New("the knobs are still being tried")
	case len(all) == 0:
		return screen.Change{}, errors.New("no way to bring it in is listed")
	}
	return p.make(all[min(p.way, len(all)-1)])
}

func (p *Reader) move(by int) {
	all := p.known()
	if len(all) == 0 {
		p.app.Refuse("no knob to choose from")
		return
	}
	p.way, p.seek = min(max(0, p.way+by), len(all)-1), true
}

func (p *Reader) Hints() []screen.Hint {
	hints := []screen.Hint{{Key: "j/k", Text: "scroll"}, {Key: "pgdn", Text: "page"}, {Key: "esc", Text: "back"}}
	if all := p.known(); len(all) > 0 {
		hints = append(hints, screen.Hint{Key: takeKey, Text: "bring it in"}, screen.Hint{Key: "J/K", Text: "another way"})
	}
	return append(hints, screen.Hint{Key: "h/l", Text: "knob"}, screen.Hint{Key: "=", Text: "stays in"}, screen.Hint{Key: "?", Text: "all keys"})
}

// minText is how many lines of the text are to be on the screen beside the facts, if these can
// stand below the text.
const minText = 3

// minBeside is the width of a column from which the facts about the item stand beside its text.
const minBeside = 70

// minUnder is the least height below the facts at which a text that is longer than its own column
// begins there.
const minUnder = 6

// Draw draws the text between the facts about the item, all of which scrolls, or beside them.
func (p *Reader) Draw(f *widget.Frame, r draw.Rect, boxed, _ bool) {
	in := r
	if boxed {
		tokens := f.TokensText(p.item)
		in = f.Box(r, pane.ItemTitle(f, p.item, r.W-8-draw.Width(tokens)), true)
		f.Right(r.X, r.Y, r.W-2, " "+tokens+" ", theme.Strong)
		in.X, in.W = in.X+1, in.W-2
	} else {
		in = draw.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 1}
	}
	all, under := in, draw.Rect{} // what is below facts that stand beside the text, which begins there
	if f.Out != nil && !f.NoResult {
		n := pane.Opened(f, in, p.item)
		in.Y, in.H = in.Y+n, in.H-n
	}
	head, tail, marked := p.about(f, in.W, in.H-minText)
	if half := in.W/2 - 1; half >= minBeside && len(tail) > 0 {
		if above, below, _ := p.about(f, half-1, in.H); len(above)+len(below) <= in.H {
			facts := draw.Rect{X: in.X, Y: in.Y, W: half - 1, H: in.H}
			f.Lines(facts, append(above, below[1:]...))
			f.Fill(draw.Rect{X: in.X + half, Y: in.Y, W: 1, H: in.H}, f.Glyphs().Vertical, theme.Frame)
			if f.Old {
				f.Mark(facts, theme.Old)
			}
			in.X, in.W, head, tail, marked = in.X+half+2, half-1, nil, nil, -1
			if n := len(above) + len(below); in.H-n >= minUnder && len(plain.Wrap(f.Exp.Items().Loaded(p.item).Content, in.W, in.H+1)) > in.H {
				under = draw.Rect{X: facts.X, Y: facts.Y + n, W: facts.W, H: facts.H - n}
				f.Fill(facts.Row(n-1), f.Glyphs().Horizontal, theme.Frame)
			}
		}
	}
	if p.seek && marked >= 0 {
		p.Move(min(0, marked-p.First()) + max(0, marked-p.First()-in.H+1))
	}
	p.seek = false
	p.above = len(head)
	rows := under.H + in.H
	p.wrap(f.Exp.Items().Loaded(p.item), in.W, p.First()+rows-len(head))
	end := len(head) + len(p.lines)
	last := end
	if p.whole {
		last += len(tail)
	}
	first := p.Show(rows, last)
	for y := -under.H; y < in.H; y++ {
		k := first + under.H + y
		switch {
		case k < len(head)-1:
			f.Spans(in.X, in.Y+y, in.W, head[k]...)
		case k < len(head), k == end && k < last: // a rule between the facts and the text
			f.Fill(in.Row(y), f.Glyphs().Horizontal, theme.Frame)
			if k < len(head) {
				f.Spans(in.X+2, in.Y+y, in.W-2, head[k]...)
			}
		case k < end && y < 0:
			f.Text(under.X, under.Y+under.H+y, under.W, p.lines[k-len(head)], theme.Plain)
		case k < end:
			f.Text(in.X, in.Y+y, in.W, p.lines[k-len(head)], theme.Plain)
		case k < last:
			f.Spans(in.X, in.Y+y, in.W, tail[k-end]...)
		}
	}
	if f.Old {
		f.Mark(draw.Rect{X: all.X, Y: all.Y, W: all.W, H: all.H - in.H + min(in.H, max(0, len(head)-first))}, theme.Old)
	}
	where := widget.Beyond(first, first+rows, last)[0]
	if !p.whole {
		where = strings.TrimPrefix(widget.Beyond(first, 0, 0)[0]+", more below", ", ")
	}
	if boxed {
		if where != "" {
			f.Right(r.X, r.Y+r.H-1, r.W-2, " "+where+" ", theme.Dim)
		}
		return
	}
	f.Text(r.X+1, r.Y, r.W-2, pane.ItemTitle(f, p.item, r.W-4-draw.Width(where)), theme.Focus)
	f.Right(r.X, r.Y, r.W-1, where, theme.Dim)
}

// about returns the lines above the text of an item and the lines below it, each with an empty
// line for the rule beside the text, and the index of the line with the marked way, or -1. What
// explains or is asked for less stands below; where rows are too few, also all but the marked way.
// Without a report there are no lines.
func (p *Reader) about(f *widget.Frame, width, rows int) (above, below [][]draw.Span, marked int) {
	i := p.item
	switch {
	case f.Out == nil:
		return nil, nil, -1
	case f.NoResult:
		return [][]draw.Span{{{Text: f.NoResultText(), Role: theme.Error}}, nil}, nil, -1
	}
	for _, spans := range pane.WhatIfParts(f, p.q, nil, i, pane.WithNames) {
		above = append(above, draw.Paragraph(width, spans...)...)
	}
	ways, marked := p.ways.Lines(f, i, p.way, width)
	var rule []draw.Span // what it says
	below = widget.Pack(width, append(pane.SearchSpans(f, i), pane.Numbers(f, i)...))
	below = append(below, draw.Paragraph(width, aboutSpans(f, i)...)...)
	switch {
	case len(above)+len(ways) < rows:
		if marked >= 0 {
			marked += len(above)
		}
		return slices.Concat(above, ways, [][]draw.Span{nil}), append([][]draw.Span{nil}, below...), marked
	case len(above)+1 < rows:
		below = append(ways, below...)
		if len(ways) > 0 {
			rule = []draw.Span{{Text: " below the text, with G: what a knob does ", Role: theme.Dim}}
		}
	default:
		above, below = nil, slices.Concat(above, ways, below)
	}
	if marked >= 0 {
		of := "   " + strconv.Itoa(min(p.way, len(p.known())-1)+1) + " of " + plain.Count(len(p.known()), "way")
		with := append(slices.Clip(ways[marked]), draw.Span{Text: of, Role: theme.Dim})
		above = append(above, draw.FirstThatFits(width, with, ways[marked]))
		marked = len(above) - 1
	}
	if len(above) > 0 {
		above = append(above, rule)
	}
	return above, append([][]draw.Span{nil}, below...), marked
}

// wrap breaks the text into lines until there are more than need, or the text
// ends. It does nothing if the lines at hand are enough.
func (p *Reader) wrap(it *model.Item, width, need int) {
	if width == p.width && (p.whole || need < len(p.lines)) {
		return
	}
	limit := firstLines
	if width == p.width {
		limit = max(limit, len(p.lines))
	}
	for limit <= need && limit < 1<<22 {
		limit *= 2
	}
	p.lines = plain.Wrap(it.Content, width, limit+1)
	p.whole = len(p.lines) <= limit
	p.width = width
}

// aboutSpans returns the other facts about an item: source, size, time, priority,
// hint and tags.
func aboutSpans(f *widget.Frame, i int) []draw.Span {
	it := f.Exp.Items().Loaded(i)
	s := "source " + plain.Line(string(it.Source), 20) + ", " + plain.Thousands(len(it.Content)) + " bytes"
	if it.Timestamp.Set && !itemset.IsSynthetic(it.Timestamp.Value) {
		s += ", " + it.Timestamp.Value.UTC().Format("2006-01-02 15:04:05")
	}
	if it.Priority.Set {
		s += ", priority " + strconv.FormatInt(it.Priority.Value, 10)
	}
	if h := f.Exp.Items().Hint(i); h == h {
		s += ", hint " + widget.ExactScore(h)
	}
	for n, tag := range it.Tags {
		if n == 8 {
			s += " and " + strconv.Itoa(len(it.Tags)-n) + " more"
			break
		}
		if n == 0 {
			s += ", tags"
		}
		s += " " + plain.Line(tag, 24)
	}
	return []draw.Span{{Text: s, Role: theme.Dim}}
}
