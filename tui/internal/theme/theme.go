// Package theme turns what a cell of the screen means (a Role) into how the
// terminal shows it: colours for dark and light terminals, attributes alone
// where colour is unwanted, and plain ASCII where the font has nothing else.
//
// Meaning never rests on colour alone: every state has its own glyph, and a
// selected row has a mark in its first column.
package theme

import (
	"fmt"
	"image/color"
	"strings"
	"sync"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Role is what a cell means.
type Role uint8

const (
	Plain   Role = iota // ordinary text
	Dim                 // secondary text, units, excluded items
	Strong              // headings, numbers that matter
	Frame               // borders
	Focus               // borders and titles of the focused pane: no colour, those are for policies
	Key                 // a key in a hint
	In                  // an included item
	Out                 // an excluded item
	Risk                // included, but lost within the slack
	Pin                 // pinned
	Dup                 // duplicate
	Needed              // marked as needed
	Gain                // an item that came in, a positive difference
	Loss                // an item that went out, a negative difference
	CameIn              // an item that the newest change brought in, on its row
	WentOut             // an item that it took out
	Warn                // an assumption that the user should know about
	Error               // an error
	SideA               // policy A
	SideB               // policy B

	AreaA // a large area of policy A, calmer than its text
	AreaB
	LineA // the line of policy A in a chart
	LineB
	LineBoth // the line of both where they have the same value
	Both     // an area of neither
	SplitA   // the line of policy B in front of what policy A has more
	SplitB   // the line of policy A in front of what policy B has more
	LineInA  // the line of policy A in front of an area of StripIn
	LineInB
	HereIn // the current budget over an area of StripIn, which stays behind it
	HereA  // the same over an area of AreaA
	HereB

	HeatLess1 // a number that is less than what it is compared with, on a ground that says by how much
	HeatLess2
	HeatLess3
	HeatMore1 // one that is more
	HeatMore2
	HeatMore3

	BarPinned
	BarSelected
	BarRisk // an item that is at risk
	BarFree
	BarHeld
	BarSafety
	BarOutput
	BarAbove     // the room between the target and what the maximum would allow
	BarBeyond    // the part of a cost that is beyond what it is compared with: an area, calmer than Loss
	CacheWritten // tokens at full price or more
	CacheRead
	Uncached   // tokens of a prompt that no cache stores
	CacheSplit // a cell of both: the glyph, one of Filled, is what is read, the background what is written

	StripIn   // in at every budget of the column; the area of what is less than it is compared with
	HungIn    // the same in the upper part of a cell: the glyph is what it leaves out
	StripSome // in at some of them: the item comes and goes
	StripOut
	StripHere // the column of the current budget

	Match // text that the filter found
	Input // text being typed

	roles
)

// area reports whether a role is drawn as an area, and not as text.
func (r Role) area() bool { return AreaA <= r && r <= StripHere }

// Area returns the role of a bar or an area that means what texts of the role mean.
func (r Role) Area() Role {
	switch r {
	case In, Gain:
		return BarSelected
	case Risk:
		return BarRisk
	case Pin:
		return BarPinned
	case Loss:
		return BarBeyond
	case SideA:
		return AreaA
	case SideB:
		return AreaB
	}
	return r
}

// Attr changes how a role is shown.
type Attr uint8

const (
	Selected Attr = 1 << iota // the row under the cursor
	Old                       // part of a result that is out of date
	Later                     // still to come: as readable as secondary text, whatever the role
	attrs    = 8
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

	BarPinned, BarSelected, BarFree, BarHeld, BarSafety, BarOutput, BarAbove rune
	// Swatch and KeptSwatch stand for the parts of the bar in its legend where colours tell
	// these apart; 0 where their own glyphs do.
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
	Pinned: '◆', In: '●', Risk: '~', Out: '○', Dup: '≡', Negative: '−', Excluded: '×', Cut: '◐', Note: '◌', Split: '≠', Cursor: '▌', Idle: '▏', Chosen: '+', Needed: '★',
	BarPinned: '◆', BarSelected: '█', BarFree: '·', BarHeld: '=', BarSafety: '%', BarOutput: '/', BarAbove: '╌',
	Strip: [5]rune{'·', '▁', '▃', '▅', '▇'}, Sizes: [3]rune{'░', '▒', '▓'}, StripHere: '┊', StripHereIn: '▇', Limit: '▁', Fall: '▼', Better: '▲', Filled: "▁▂▃▄▅▆▇█", Cached: '▒', Uncached: '░', Dashed: '┄',
	KnobLeft: "‹", KnobRight: "›", Unsaved: "•", Arrow: "→", Ellipsis: "…", About: "≈", Spark: true, Braille: true,
}

var ascii = Glyphs{
	Pinned: 'P', In: '+', Risk: '~', Out: '-', Dup: 'd', Negative: 'n', Excluded: 'x', Cut: '%', Note: ',', Split: '!', Cursor: '>', Idle: ')', Chosen: '*', Needed: 'N',
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
	switch {
	case r <= '~':
		return r
	case r == '→':
		return '>'
	case r == '·' || r == '−' || r == '–' || r == '—':
		return '-'
	case r == '≈':
		return '~'
	case r == '…':
		return '.'
	case r == '≤':
		return '<'
	case r == '‘' || r == '’':
		return '\''
	case r == '“' || r == '”':
		return '"'
	}
	return '?'
}

// Name names a theme that a user can ask for.
type Name string

const (
	Auto    Name = "auto" // dark or light by the terminal's background
	Dark    Name = "dark"
	Light   Name = "light"
	NoColor Name = "none" // attributes only, as with NO_COLOR: the same on dark and on light
)

// Names returns the themes that a user can ask for.
func Names() []Name { return []Name{Auto, Dark, Light, NoColor} }

// Parse returns the theme with the given name; "" means Auto. The error for an
// unknown name lists the known ones.
func Parse(s string) (Name, error) {
	if s == "" {
		return Auto, nil
	}
	var names []string
	for _, n := range Names() {
		if string(n) == s {
			return n, nil
		}
		names = append(names, string(n))
	}
	return "", fmt.Errorf("%.40q is not known; known are %s", s, strings.Join(names, ", "))
}

// Theme is a finished look. It is immutable, so it is safe for concurrent use.
type Theme struct {
	Name   Name
	Glyphs *Glyphs
	sgr    [roles][attrs]string // escape sequences, built once so that drawing a cell only looks one up
	badges [roles]bool
	halves *halves // nil without colours or half blocks
}

// SGR returns the escape sequence that switches from the terminal's default look
// to the look of role under attr, or "" if the two are the same. It panics if role or
// attr is not one of this package's constants or a combination of its attributes.
func (t *Theme) SGR(role Role, attr Attr) string { return t.sgr[role][attr] }

// Badge reports whether the texts of a role have a ground or a line in place of an ink of their own.
// Blanks around a text have neither.
func (t *Theme) Badge(role Role) bool { return t.badges[role] }

// New is NewFor a terminal of true colours.
func New(name Name, asciiOnly bool) *Theme { return NewFor(name, asciiOnly, TrueColor) }

// NewFor returns the theme of a name for a terminal of that depth. Auto, "" and unknown names
// give the dark theme; the caller replaces Auto once the terminal has reported its background.
// With asciiOnly the theme uses only ASCII characters. It is made once: a theme
// has hundreds of sequences.
func NewFor(name Name, asciiOnly bool, depth Depth) *Theme {
	if name == Auto || name == "" {
		name = Dark
	}
	of := variant{name, asciiOnly, depth}
	if t, ok := made.Load(of); ok {
		return t.(*Theme)
	}
	t, _ := made.LoadOrStore(of, newTheme(name, asciiOnly, depth))
	return t.(*Theme)
}

// variant is what a theme is made for.
type variant struct {
	name      Name
	asciiOnly bool
	depth     Depth
}

var made sync.Map // *Theme by variant

func newTheme(name Name, asciiOnly bool, depth Depth) *Theme {
	t := &Theme{Name: name, Glyphs: unicode.boxed(lipgloss.NormalBorder())}
	if asciiOnly {
		t.Glyphs = ascii.boxed(lipgloss.ASCIIBorder())
	}
	row := lipgloss.NewStyle() // style of the row under the cursor
	switch name {
	case Light:
		row = row.Background(lightRow.at(depth))
	case NoColor:
		row = underline
		if !asciiOnly { // without colour the current budget and each curve need a mark of their own
			t.Glyphs.StripHereIn = '┃'
			t.Glyphs.Braille = false
		}
	default:
		row = row.Background(darkRow.at(depth))
	}
	if depth == Colours16 && name != NoColor { // no ground of 16 leaves all text legible
		row = underline
	}
	switch {
	case asciiOnly || name == NoColor || depth == Colours16:
	case name == Light:
		t.halves = newHalves(&lightTones, depth)
	default:
		t.halves = newHalves(&darkTones, depth)
	}
	if g := t.Glyphs; !asciiOnly && name != NoColor { // colours tell the parts of the bar apart
		g.BarPinned, g.Swatch = g.BarSelected, '■'
		if t.Shades() { // 16 do not tell what is kept free, nor what a cache holds
			g.BarHeld, g.BarSafety, g.BarOutput, g.KeptSwatch = g.BarSelected, g.BarSelected, g.BarSelected, '▪'
			g.Cached, g.Uncached = g.BarSelected, g.BarSelected
		}
	}
	all := styles(name, depth)
	for role, style := range all {
		t.badges[role] = depth == Colours16 && name != NoColor && looks[role].few.badge(name)
		for attr := range Attr(attrs) {
			s := style
			if attr&Later != 0 {
				_, plain := style.GetBackground().(lipgloss.NoColor)
				s = all[Dim].Reverse(style.GetReverse() || !plain) // a mark with a ground stays one
			}
			if attr&Old != 0 {
				s = s.Faint(true).Bold(false)
			}
			if attr&Selected != 0 {
				// A cell that is itself underlined stays distinct from the row.
				// Areas have no line, which would run into them as if it were part of them.
				s = s.Inherit(row).Underline(s.GetUnderline() != (row.GetUnderline() && !Role(role).area()))
			}
			t.sgr[role][attr] = sgr(s)
		}
	}
	return t
}

// Depth is how many colours a terminal shows.
type Depth uint8

const (
	TrueColor Depth = iota
	Colours256
	Colours16 // maps are drawn with glyphs: there are too few colours for their tones
)

// XTerm holds the 16 colours that XTerm has unless the user sets others, as "#rrggbb". Each
// terminal has its own; those of Colours16 were chosen for these.
var XTerm = [16]string{
	"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
}

// ink is a colour at each depth: the nearest of 256 colours is often of another hue, so
// each has an index that was chosen for it.
type ink struct {
	rgb       string // "#rrggbb"
	c256, c16 uint8  // indexes
}

// at returns the colour for a depth.
func (i ink) at(d Depth) color.Color {
	switch d {
	case Colours256:
		return ansi.IndexedColor(i.c256)
	case Colours16:
		return ansi.BasicColor(i.c16)
	}
	return lipgloss.Color(i.rgb)
}

// The ground of the row under the cursor.
var (
	darkRow  = ink{"#2b3245", 237, 0}
	lightRow = ink{"#dbe4f5", 254, 15}
)

// look is how a role is drawn.
type look struct {
	dark, light     ink            // of the text, on a dark and on a light background
	onDark, onLight ink            // ground behind the text; the terminal's own if zero
	style           lipgloss.Style // attributes beside the colours
	few             few            // what differs where there are 16 colours
	plain           lipgloss.Style // the whole of it without colours
}

// few is how a role differs where 16 colours are too few for its ink alone to be legible and to
// mean one thing.
type few struct {
	dark, light mark           // if not zero, in place of the inks and grounds of the look
	style       lipgloss.Style // further attributes
}

// mark returns the mark in a theme.
func (f few) mark(name Name) mark {
	if name == Light {
		return f.light
	}
	return f.dark
}

// badge reports whether texts have a ground or a line in a theme.
func (f few) badge(name Name) bool { return f.mark(name) != (mark{}) || f.style.GetUnderline() }

// over returns the style with what differs in a theme.
func (f few) over(style lipgloss.Style, name Name) lipgloss.Style {
	if m := f.mark(name); m != (mark{}) {
		style = style.Foreground(ansi.BasicColor(m.ink)).Background(ansi.BasicColor(m.ground))
	}
	return style.Inherit(f.style)
}

// mark is an ink on a ground, as indexes of 16 colours.
type mark struct{ ink, ground uint8 }

var (
	bold      = lipgloss.NewStyle().Bold(true)
	faint     = lipgloss.NewStyle().Faint(true)
	reverse   = lipgloss.NewStyle().Reverse(true)
	underline = lipgloss.NewStyle().Underline(true)
)

// The calm colours of large areas, of what is in and of the policies, and the colour of the
// current budget, which is also drawn over them. One colour means one thing: orange is what is at
// risk, so policy B is teal, and brown what is written to a cache. Of 16 colours A has blue and B
// magenta, as what comes and goes has in strips, which stand beside no chart of the policies: the white
// of the budget is the budget's alone.
var (
	stripInDark, stripInLight = ink{"#4f8f5a", 65, 2}, ink{"#5fa06a", 71, 2}
	riskDark, riskLight       = ink{"#ffb454", 215, 11}, ink{"#a85400", 130, 3}
	sideADark, sideALight     = ink{"#7aa2f7", 111, 12}, ink{"#1f57c3", 27, 4}
	sideBDark, sideBLight     = ink{"#2dd4bf", 43, 13}, ink{"#00796b", 23, 5}
	bothDark, bothLight       = ink{"#454b60", 240, 8}, ink{"#c4cad6", 251, 8}
	areaADark, areaALight     = ink{"#4b69b8", 68, 12}, ink{"#7d9bdc", 68, 12}
	areaBDark, areaBLight     = ink{"#17807a", 30, 5}, ink{"#4fb8a8", 37, 13}
	writtenDark, writtenLight = ink{"#b0703f", 137, 8}, ink{"#c98d66", 137, 8}
	readDark, readLight       = ink{"#3f5f8f", 60, 8}, ink{"#a9bfe3", 146, 8}
	hereDark, hereLight       = ink{"#f4f6fb", 255, 15}, ink{"#11131a", 16, 0}
	overDark                  = ink{"#f4f6fb", 255, 0} // of 16 colours, white is lost on green
	heatDark                  = ink{"#ffffff", 231, 0} // these grounds are too few to tell steps: glyphs do
)

// Of 16 colours on light the inks of what is in, pinned and at risk are too bright to read, so they
// are the ground. An assumption is underlined: in yellow it would be at risk.
var (
	inFew    = few{light: mark{0, 2}}
	pinFew   = few{light: mark{0, 6}}
	riskFew  = few{light: mark{0, 3}}
	dupFew   = few{dark: mark{0, 8}, light: mark{0, 8}}
	warnFew  = few{style: underline.Inherit(bold)}
	sideAFew = few{dark: mark{15, 4}, light: mark{15, 4}}
	sideBFew = few{dark: mark{15, 5}, light: mark{15, 5}}
)

var looks = [roles]look{
	Plain:   {},
	Dim:     {dark: ink{"#9aa0b0", 248, 8}, light: ink{"#5d6373", 241, 0}, plain: faint},
	Strong:  {dark: ink{"#f2f4f8", 255, 15}, light: ink{"#11131a", 16, 0}, style: bold, plain: bold},
	Frame:   {dark: ink{"#5c6277", 241, 8}, light: ink{"#9aa1b2", 247, 8}, plain: faint},
	Focus:   {dark: ink{"#c8cdd9", 252, 15}, light: ink{"#3a4150", 238, 0}, style: bold, plain: bold},
	Key:     {dark: ink{"#f2f4f8", 255, 15}, light: ink{"#11131a", 16, 0}, style: bold, plain: bold},
	In:      {dark: ink{"#9ece6a", 113, 10}, light: ink{"#26701a", 22, 2}, few: inFew},
	Out:     {dark: ink{"#9aa0b0", 248, 7}, light: ink{"#5d6373", 241, 0}, plain: faint},
	Risk:    {dark: riskDark, light: riskLight, style: bold, few: riskFew, plain: bold},
	Pin:     {dark: ink{"#7dcfff", 117, 14}, light: ink{"#00667e", 24, 6}, few: pinFew},
	Dup:     {dark: ink{"#ec85cc", 212, 8}, light: ink{"#a3278f", 127, 7}, few: dupFew},
	Needed:  {dark: ink{"#ffd75f", 221, 15}, light: ink{"#7d5a00", 58, 0}, style: bold, plain: bold},
	Gain:    {dark: ink{"#9ece6a", 113, 10}, light: ink{"#26701a", 22, 2}, style: bold, few: inFew, plain: bold},
	Loss:    {dark: ink{"#f7768e", 204, 9}, light: ink{"#c0203c", 160, 1}, style: bold, plain: bold},
	CameIn:  {dark: ink{"#17171c", 233, 0}, light: ink{"#ffffff", 231, 0}, onDark: ink{"#9ece6a", 113, 10}, onLight: ink{"#26701a", 22, 2}, style: bold, plain: bold.Reverse(true)},
	WentOut: {dark: ink{"#17171c", 233, 0}, light: ink{"#ffffff", 231, 15}, onDark: ink{"#f7768e", 204, 9}, onLight: ink{"#c0203c", 160, 1}, style: bold, plain: bold.Reverse(true)},
	Warn:    {dark: ink{"#e5d37a", 186, 15}, light: ink{"#6b5d00", 58, 0}, few: warnFew, plain: bold},
	Error:   {dark: ink{"#ff6b81", 203, 9}, light: ink{"#c0203c", 124, 1}, style: bold, plain: bold},
	SideA:   {dark: sideADark, light: sideALight, style: bold, few: sideAFew, plain: bold},
	SideB:   {dark: sideBDark, light: sideBLight, style: bold, few: sideBFew},

	AreaA:    {dark: areaADark, light: areaALight},
	AreaB:    {dark: areaBDark, light: areaBLight},
	LineA:    {dark: sideADark, light: sideALight, style: bold, plain: bold},
	LineB:    {dark: sideBDark, light: sideBLight, style: bold},
	LineBoth: {dark: ink{"#9aa0b0", 248, 8}, light: ink{"#5d6373", 241, 8}, plain: faint},
	Both:     {dark: bothDark, light: bothLight, plain: faint},
	SplitA:   {dark: sideBDark, light: sideBLight, onDark: areaADark, onLight: areaALight},
	SplitB:   {dark: sideADark, light: sideALight, onDark: areaBDark, onLight: areaBLight},
	LineInA:  {dark: sideADark, light: sideALight, onDark: stripInDark, onLight: stripInLight},
	LineInB:  {dark: sideBDark, light: sideBLight, onDark: stripInDark, onLight: stripInLight},

	HereIn: {dark: overDark, light: hereLight, onDark: stripInDark, onLight: stripInLight, style: bold, plain: bold.Reverse(true)},
	HereA:  {dark: hereDark, light: hereLight, onDark: areaADark, onLight: areaALight, style: bold, plain: bold.Reverse(true)},
	HereB:  {dark: overDark, light: hereLight, onDark: areaBDark, onLight: areaBLight, style: bold, plain: bold.Reverse(true)},

	HeatLess1: {dark: heatDark, light: hereLight, onDark: ink{"#1e4023", 22, 2}, onLight: ink{"#b2d9b8", 151, 2}},
	HeatLess2: {dark: ink{"#ffffff", 16, 0}, light: hereLight, onDark: ink{"#2d5f35", 65, 2}, onLight: ink{"#80b48a", 107, 2}},
	HeatLess3: {dark: ink{"#ffffff", 16, 0}, light: hereLight, onDark: ink{"#3b7e46", 108, 2}, onLight: ink{"#54905d", 65, 2}},
	HeatMore1: {dark: heatDark, light: hereLight, onDark: ink{"#5d2834", 88, 3}, onLight: ink{"#efc0c6", 217, 3}},
	HeatMore2: {dark: heatDark, light: hereLight, onDark: ink{"#8a3a4c", 131, 3}, onLight: ink{"#d9909b", 174, 3}},
	HeatMore3: {dark: ink{"#ffffff", 16, 0}, light: hereLight, onDark: ink{"#b64d65", 174, 3}, onLight: ink{"#c0606f", 131, 3}},

	BarPinned:    {dark: ink{"#4fa3cc", 38, 6}, light: ink{"#0089a8", 31, 6}},
	BarSelected:  {dark: ink{"#4f8f5a", 65, 2}, light: ink{"#5fa06a", 71, 2}},
	BarRisk:      {dark: riskDark, light: riskLight},
	BarFree:      {dark: ink{"#8a8f9e", 245, 8}, light: ink{"#6f7686", 243, 8}},
	BarHeld:      {dark: ink{"#b3a486", 144, 8}, light: ink{"#d6c48e", 180, 8}},
	BarSafety:    {dark: ink{"#857d52", 101, 8}, light: ink{"#a39460", 101, 8}},
	BarOutput:    {dark: ink{"#5f6575", 242, 8}, light: ink{"#a6acba", 249, 8}},
	BarAbove:     {dark: ink{"#6b7186", 243, 8}, light: ink{"#8f96a6", 246, 8}},
	BarBeyond:    {dark: ink{"#a8505f", 131, 1}, light: ink{"#d98a96", 174, 9}},
	CacheWritten: {dark: writtenDark, light: writtenLight},
	CacheRead:    {dark: readDark, light: readLight},
	Uncached:     {dark: ink{"#6b7186", 243, 8}, light: ink{"#8f96a6", 246, 8}},
	CacheSplit:   {dark: readDark, light: readLight, onDark: writtenDark, onLight: writtenLight, plain: reverse},

	StripIn:   {dark: stripInDark, light: stripInLight},
	HungIn:    {dark: stripInDark, light: stripInLight, style: reverse, plain: reverse},
	StripSome: {dark: ink{"#b095ea", 183, 13}, light: ink{"#6f44b8", 55, 5}},
	StripOut:  {dark: ink{"#62687c", 241, 8}, light: ink{"#979eaf", 247, 8}, plain: faint},
	StripHere: {dark: hereDark, light: hereLight, style: bold, plain: bold},

	Match: {dark: ink{"#17171c", 233, 0}, light: ink{"#11131a", 16, 0}, onDark: ink{"#e5d37a", 186, 3}, onLight: ink{"#f5d94e", 221, 11}, plain: reverse},
	Input: {dark: ink{"#f2f4f8", 255, 15}, light: ink{"#11131a", 16, 0}, style: underline, plain: underline},
}

// styles returns the style of each role, dark unless the name is Light or NoColor.
func styles(name Name, depth Depth) [roles]lipgloss.Style {
	var drawn [roles]lipgloss.Style
	for role, look := range looks {
		text, ground := look.dark, look.onDark
		switch name {
		case NoColor:
			drawn[role] = look.plain
			continue
		case Light:
			text, ground = look.light, look.onLight
		}
		style := look.style
		if text != (ink{}) {
			style = style.Foreground(text.at(depth))
		}
		if ground != (ink{}) {
			style = style.Background(ground.at(depth))
		}
		if depth == Colours16 {
			style = look.few.over(style, name)
		}
		drawn[role] = style
	}
	return drawn
}

// Shades reports whether the theme draws maps as areas of colour: it does, unless
// it is ASCII only or has no colours.
func (t *Theme) Shades() bool { return t.halves != nil }

// Halves returns the escape sequence for a cell with two tones: upper is the
// colour of the character, lower the colour of the background. It returns "" if the
// theme does not draw maps in colour. Of attr only Old has an effect.
func (t *Theme) Halves(upper, lower Tone, attr Attr) string {
	if t.halves == nil {
		return ""
	}
	old := 0
	if attr&Old != 0 {
		old = 1
	}
	return t.halves[old][upper][lower]
}
