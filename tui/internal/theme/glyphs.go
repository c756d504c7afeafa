package theme

import (
	"cmp"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

// Glyphs holds the marks of one character set, Unicode or ASCII. Each rune is
// one cell wide; the strings may be longer.
type Glyphs struct {
	Pinned, In, Risk, Out, Dup, Negative, Excluded rune
	Cut, Note                                      rune // in, in a smaller size; out, with a note in its place
	Split                                          rune // one of a pair is in, the other is not
	Cursor                                         rune // first column of the selected row
	Idle                                           rune // first column of the selected row in a pane without the focus
	Chosen                                         rune // one of the items that keys act on together
	Needed                                         rune // marked as needed
	Folded, Open                                   rune // a group of rows, without them and with
	Times, Several                                 rune // after how often an item comes in, and for that in one cell

	BarPinned, BarSelected, BarFree, BarHeld, BarSafety, BarOutput, BarAbove rune
	// Swatch and KeptSwatch stand for the parts of the bar in its legend where colours tell
	// these apart or a solid one hangs from the bar; 0 where their own glyphs do.
	Swatch, KeptSwatch rune
	Limit              rune // a line along the lower edge of a row: a bar that fills the row below touches it
	Fall               rune // marks where a larger budget gives less
	Better             rune // marks the better of two numbers
	Cached, Uncached   rune // tokens read from a prompt cache, and tokens that are not cached
	// Strip shows at how many of a column's budgets the item is in: none, up to a third, up to
	// two thirds, not quite all, all. Sizes are in place of these where a note is in the item's
	// place, where the item is cut, and where it is cut to one of its larger sizes.
	Strip                  [5]rune
	Sizes                  [3]rune
	Filled                 string // a cell filled from below, in equal steps up to the full cell
	StripHere, StripHereIn rune   // the current budget's column: out, in

	Horizontal, Vertical, TopLeft, TopRight, BottomLeft, BottomRight rune // of boxes and rules

	Dashed rune // of a rule between rows

	KnobLeft, KnobRight    string
	Unsaved                string // after the name of what has unsaved changes
	Arrow, Ellipsis, About string
	Spark                  bool // characters beyond ASCII may be drawn
	Braille                bool // plots are dots, told apart by colour; letters otherwise
}

// Minus is the sign of whatever is less, and of negative numbers. Where only ASCII may be
// drawn, the canvas draws a hyphen.
const Minus = "−"

var unicode = Glyphs{
	Pinned: '◆', In: '●', Risk: '~', Out: '○', Dup: '≡', Negative: '−', Excluded: '×', Cut: '◐', Note: '◌', Split: '≠', Cursor: '▌', Idle: '▏', Chosen: '+', Needed: '★', Folded: '▸', Open: '▾', Times: '×', Several: '⁺',
	BarPinned: '◆', BarSelected: '█', BarFree: '·', BarHeld: '=', BarSafety: '%', BarOutput: '/', BarAbove: '╌',
	Strip: [5]rune{'·', '▁', '▂', '▃', '▅'}, Sizes: [3]rune{'░', '▒', '▓'}, StripHere: '┊', StripHereIn: '▅', Limit: '▁', Fall: '▼', Better: '▲', Filled: "▁▂▃▄▅▆▇█", Cached: '▒', Uncached: '░', Dashed: '┄',
	KnobLeft: "‹", KnobRight: "›", Unsaved: "•", Arrow: "→", Ellipsis: "…", About: "≈", Spark: true, Braille: true,
}

var ascii = Glyphs{
	Pinned: 'P', In: '+', Risk: '~', Out: '-', Dup: 'd', Negative: 'n', Excluded: 'x', Cut: '%', Note: ',', Split: '!', Cursor: '>', Idle: ')', Chosen: '*', Needed: 'N', Folded: '>', Open: 'v', Times: 'x', Several: '%',
	BarPinned: 'P', BarSelected: '#', BarFree: '.', BarHeld: 'H', BarSafety: 's', BarOutput: 'o', BarAbove: '_',
	Strip: [5]rune{'.', ':', 'i', 'I', '#'}, Sizes: [3]rune{'-', '+', '*'}, StripHere: '|', StripHereIn: '@', Filled: "#", Limit: '-', Fall: 'v', Better: '^', Cached: ':', Uncached: 'o', Dashed: '-',
	KnobLeft: "<", KnobRight: ">", Unsaved: "*", Arrow: "->", Ellipsis: "...", About: "~",
}

// boxed returns a copy of the glyphs with the characters of border b for boxes
// and rules.
func (g Glyphs) boxed(b lipgloss.Border) *Glyphs {
	one := func(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }
	g.Horizontal, g.Vertical = one(b.Top), one(b.Left)
	g.TopLeft, g.TopRight, g.BottomLeft, g.BottomRight = one(b.TopLeft), one(b.TopRight), one(b.BottomLeft), one(b.BottomRight)
	return &g
}

// ASCII returns the character that replaces r where only ASCII may be drawn: r
// itself if it is ASCII, a similar character if there is one, or '?'.
func ASCII(r rune) rune {
	if r <= '~' {
		return r
	}
	return cmp.Or(similar[r], '?')
}

var similar = map[rune]rune{
	'→': '>', '·': '-', '−': '-', '–': '-', '—': '-', '≈': '~', '…': '.', '≤': '<', '‘': '\'', '’': '\'', '“': '"', '”': '"',
}
