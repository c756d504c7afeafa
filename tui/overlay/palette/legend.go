package palette

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// mark is a glyph or a colour and its meaning.
type mark struct {
	glyph func(g *theme.Glyphs) rune
	role  theme.Role
	text  string
}

// section is a part of the legend: the marks of one place on the screen.
type section struct {
	name  string
	also  string // further words that a search finds it by
	marks []mark
}

// term is a word that the screen uses and its meaning.
type term struct{ name, text string }

func glyph(r func(g *theme.Glyphs) *rune) func(g *theme.Glyphs) rune {
	return func(g *theme.Glyphs) rune { return *r(g) }
}

// sections returns the marks, grouped by where on the screen they appear.
func sections() []section {
	type g = *theme.Glyphs
	return []section{
		{"items", "glyph mark symbol state", []mark{
			{glyph(func(g g) *rune { return &g.In }), theme.In, "in"},
			{glyph(func(g g) *rune { return &g.Risk }), theme.Risk, "in, at risk"},
			{glyph(func(g g) *rune { return &g.Out }), theme.Out, "out"},
			{glyph(func(g g) *rune { return &g.Pinned }), theme.Pin, "pinned"},
			{glyph(func(g g) *rune { return &g.Dup }), theme.Dup, "duplicate"},
			{glyph(func(g g) *rune { return &g.Excluded }), theme.Out, "excluded by you"},
			{glyph(func(g g) *rune { return &g.Negative }), theme.Error, "negative tokens"},
			{glyph(func(g g) *rune { return &g.Split }), theme.Warn, "split pair"},
			{glyph(func(g g) *rune { return &g.Chosen }), theme.Focus, "chosen with v"},
			{glyph(func(g g) *rune { return &g.Needed }), theme.Needed, "marked as needed with *"},
			{glyph(func(g g) *rune { return &g.Cursor }), theme.Focus, "the row that keys act on"},
		}},
		{"strip", "column budgets band", []mark{
			{glyph(func(g g) *rune { return &g.Strip[0] }), theme.StripOut, "in at none of a column's budgets"},
			{glyph(func(g g) *rune { return &g.Strip[1] }), theme.StripIn, "at up to a third"},
			{glyph(func(g g) *rune { return &g.Strip[2] }), theme.StripIn, "at up to two thirds"},
			{glyph(func(g g) *rune { return &g.Strip[3] }), theme.StripIn, "at most, not all"},
			{glyph(func(g g) *rune { return &g.Strip[4] }), theme.StripIn, "at all"},
			{glyph(func(g g) *rune { return &g.StripHere }), theme.StripHere, "the budget now"},
		}},
		{"bar", "budget room", []mark{
			{glyph(func(g g) *rune { return &g.BarPinned }), theme.BarPinned, "pinned"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.BarSelected, "selected"},
			{glyph(func(g g) *rune { return &g.BarFree }), theme.BarFree, "free"},
			{glyph(func(g g) *rune { return &g.BarHeld }), theme.BarHeld, "held back for a kind"},
			{glyph(func(g g) *rune { return &g.BarSafety }), theme.BarSafety, "safety margin"},
			{glyph(func(g g) *rune { return &g.BarOutput }), theme.BarOutput, "output reserve"},
			{glyph(func(g g) *rune { return &g.BarAbove }), theme.BarAbove, "above the target"},
		}},
		{"turns", "cache request cost", []mark{
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.Plain, "written to the prompt cache"},
			{glyph(func(g g) *rune { return &g.Cached }), theme.Dim, "read from it"},
			{glyph(func(g g) *rune { return &g.Uncached }), theme.Plain, "not cached: the prompt is too short"},
			{glyph(func(g g) *rune { return &g.BarAbove }), theme.Dim, "the budget"},
			{glyph(func(g g) *rune { return &g.Fall }), theme.Loss, "the prefix breaks"},
		}},
		{"colours", "colour color", []mark{
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.Gain, "in, more"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.Loss, "leaves, less"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.Risk, "at risk, now"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.Pin, "pinned"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.Dim, "out, units"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.SideA, "policy A"},
			{glyph(func(g g) *rune { return &g.BarSelected }), theme.SideB, "policy B"},
		}},
	}
}

// terms returns the words that the screen uses, with their meanings.
func terms() []term {
	return []term{
		{"room", "what selection may fill: maxTokens less output reserve, held back, safety margin and pinned"},
		{"value", "the sum of the scores of what is in, pinned items left out"},
		{"needs, short", "the tokens of an item that is out; how many were missing when its turn came"},
		{"first in", "the least budget at which the item is in; a larger one may lose it again"},
		{"stays", "the least budget from which the item is never lost"},
		{"at risk", "in, but a budget smaller by the slack loses it"},
		{"slack", "how much smaller a budget may be before what it loses counts as at risk"},
		{"displaced by", "the item that came in when this one left"},
		{"split pair", "a call without its result, or the reverse"},
		{"needed, recall", "what is marked as needed, and the share of it that is in"},
		{"off best", "how far the value lies below the best that any choice of items has"},
		{"held back", "tokens kept free for items of one kind that are still to come; Cupel only subtracts them from the room"},
		{"filled, used", "how much of the room is taken by what was selected; how much of maxTokens by all that is in"},
		{"overflow", "what happens to a result over the target: throw is an error, truncate cuts it, proceed lets it through"},
		{"binary search", "Cupel's FindMinBudgetFor: it takes an item that is in to stay in at all larger budgets; where items leave again it can miss the least budget"},
		{"bucket", "the step in which a knapsack counts tokens, rounded up"},
		{"kept, prefix", "the tokens of the window before that the next one begins with: a prompt cache reads those"},
		{"break", "the first item that differs from the window before: -#12 left, +#12 came in, ~#12 moved, !#12 changed"},
		{"watermark", "a window that grows until it is full and is then cut to a share of the room; ours, not Cupel's"},
		{"change", "+#32 comes in, -#15 leaves"},
	}
}

// LegendCommands returns the legend as lines of the palette's list: one for each
// group of marks and one for each term. Each opens the legend.
func LegendCommands(app screen.App) []Command {
	var all []Command
	open := func() tea.Cmd { app.Open(NewLegend(app)); return nil }
	for _, s := range sections() {
		text := s.name + ": "
		for i, m := range s.marks {
			if i > 0 {
				text += ", "
			}
			text += m.text
		}
		all = append(all, Command{Group: "legend", Text: text, Words: s.also, Run: open})
	}
	for _, t := range terms() {
		all = append(all, Command{Group: "legend", Text: t.name + ": " + t.text, Words: "word mean", Run: open})
	}
	return all
}

// Legend is the overlay that explains glyphs, colours and words.
type Legend struct {
	app    screen.App
	top, n int // the first line on the screen, and the number of lines
	rows   int // number of lines on the screen
}

// NewLegend returns the legend, scrolled to its beginning.
func NewLegend(app screen.App) *Legend { return &Legend{app: app} }

// Area returns screen.Over: the legend covers the main area.
func (l *Legend) Area() screen.Place { return screen.Over }

// Hints returns the keys of the page.
func (l *Legend) Hints() []screen.Hint {
	return []screen.Hint{{Key: "j/k", Text: "move"}, {Key: "?", Text: "all keys"}, {Key: "esc", Text: "close"}}
}

// Move scrolls by lines, and stops at the first and the last one.
func (l *Legend) Move(by int) { l.top = max(0, min(l.top+by, l.n-l.rows)) }

// Page scrolls by a screen less one line: down if dir is 1, up if it is -1.
func (l *Legend) Page(dir int) { l.Move(dir * max(1, l.rows-1)) }

// Top goes to the first line.
func (l *Legend) Top() { l.top = 0 }

// Bottom goes to the last line.
func (l *Legend) Bottom() { l.Move(l.n) }

// Draw draws the page over r.
func (l *Legend) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	f.Fill(r, ' ', theme.Plain)
	in := f.Overlay(r, "Legend: glyphs, colours, words")
	lines := legendLines(f, in.W-2)
	l.n, l.rows = len(lines), in.H
	l.Move(0)
	for y := 0; y < in.H && l.top+y < len(lines); y++ {
		f.Spans(in.X+1, in.Y+y, in.W-2, lines[l.top+y]...)
	}
	if left := l.n - l.top - l.rows; left > 0 && in.W > 12 {
		y := r.Y + r.H - 1
		if in.Y+in.H > y { // there is no frame below
			y = r.Y
		}
		f.Right(in.X, y, in.W, " j shows more ", theme.Dim)
	}
}

// nameWidth is the width, in cells, of the column of names.
const nameWidth = 15

func legendLines(f *widget.Frame, width int) [][]draw.Span {
	var lines [][]draw.Span
	add := func(name string, role theme.Role, packed [][]draw.Span) {
		for i, line := range packed {
			if i > 0 {
				name = ""
			}
			lines = append(lines, append([]draw.Span{{Text: name + blanks(nameWidth-draw.Width(name)), Role: role}}, line...))
		}
	}
	width -= nameWidth
	for _, s := range sections() {
		var parts [][]draw.Span
		for _, m := range s.marks {
			parts = append(parts, []draw.Span{{Text: string(m.glyph(f.Glyphs())) + " ", Role: m.role}, {Text: m.text}})
		}
		add(s.name, theme.Strong, widget.Pack(width, parts))
	}
	for _, t := range terms() {
		add(t.name, theme.Key, draw.Paragraph(width, draw.Span{Text: t.text}))
	}
	return lines
}

func blanks(n int) string {
	const some = "                "
	return some[:max(0, min(n, len(some)))]
}
