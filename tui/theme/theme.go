// Package theme turns what a cell of the screen means (a Role) into how the
// terminal shows it: colours for dark and light terminals, attributes alone
// where colour is unwanted, and plain letters where the font is.
//
// Meaning never rests on colour: every state has a glyph of its own, and a
// selected row a mark in its first column.
package theme

import (
	"fmt"
	"strconv"
	"strings"
)

// Role is what a cell means.
type Role uint8

const (
	Plain  Role = iota // ordinary text
	Dim                // secondary text, units, what is out
	Strong             // headings, numbers that matter
	Frame              // borders
	Focus              // borders and titles of the focused pane
	Key                // a key in a hint
	In                 // an included item
	Out                // an excluded item
	Risk               // included, but lost within the slack
	Pin                // pinned
	Dup                // duplicate
	Gain               // what came in, a positive difference
	Loss               // what went out, a negative difference
	Warn               // an assumption the user should know of
	Error              // what is wrong
	SideA              // policy A
	SideB              // policy B

	BarPinned
	BarSelected
	BarFree
	BarHeld
	BarSafety
	BarOutput
	BarAbove // between the target and what the maximum would allow

	StripIn
	StripOut
	StripHere // the column of the current budget

	Match // what the filter found
	Input // text being typed

	roles
)

// Attr changes how a role is shown.
type Attr uint8

const (
	Selected Attr = 1 << iota // the row under the cursor
	Old                       // part of a result that is out of date
	attrs    = 4
)

// Glyphs are the marks of one alphabet. All are one cell wide.
type Glyphs struct {
	Pinned, In, Risk, Out, Dup, Negative, Excluded rune
	Parted                                         rune // one of a pair is in, the other is not
	Cursor                                         rune // first column of the selected row
	Chosen                                         rune // of the items that keys act on together

	BarPinned, BarSelected, BarFree, BarHeld, BarSafety, BarOutput, BarAbove rune
	Fall                                                                     rune // marks where a larger budget gives less
	// Strip shows how much of a column's budgets include the item: none, up to a third,
	// up to two thirds, less than all, all.
	Strip                  [5]rune
	StripHere, StripHereIn rune // the current budget's column: out, in

	Horizontal, Vertical, TopLeft, TopRight, BottomLeft, BottomRight rune
	TeeLeft, TeeRight                                                rune
	KnobLeft, KnobRight                                              string
	Arrow, Ellipsis, Minus, About, Bullet, Only                      string
	Spark                                                            bool // more than ASCII may be drawn
}

var unicode = Glyphs{
	Pinned: '◆', In: '●', Risk: '~', Out: '○', Dup: '≡', Negative: '−', Excluded: '×', Parted: '≠', Cursor: '▌', Chosen: '+',
	BarPinned: '◆', BarSelected: '█', BarFree: '·', BarHeld: '▓', BarSafety: '░', BarOutput: '▒', BarAbove: '╌',
	Strip: [5]rune{'·', '▁', '▃', '▅', '▇'}, StripHere: '┊', StripHereIn: '▇', Fall: '▼',
	Horizontal: '─', Vertical: '│', TopLeft: '┌', TopRight: '┐', BottomLeft: '└', BottomRight: '┘', TeeLeft: '├', TeeRight: '┤',
	KnobLeft: "‹", KnobRight: "›", Arrow: "→", Ellipsis: "…", Minus: "−", About: "≈", Bullet: "·", Only: "∆", Spark: true,
}

var ascii = Glyphs{
	Pinned: 'P', In: '+', Risk: '~', Out: '-', Dup: '=', Negative: 'n', Excluded: 'x', Parted: '!', Cursor: '>', Chosen: '*',
	BarPinned: 'P', BarSelected: '#', BarFree: '.', BarHeld: 'H', BarSafety: 's', BarOutput: 'o', BarAbove: '-',
	Strip: [5]rune{'.', ':', 'i', 'I', '#'}, StripHere: '|', StripHereIn: '#', Fall: 'v',
	Horizontal: '-', Vertical: '|', TopLeft: '+', TopRight: '+', BottomLeft: '+', BottomRight: '+', TeeLeft: '+', TeeRight: '+',
	KnobLeft: "<", KnobRight: ">", Arrow: "->", Ellipsis: "...", Minus: "-", About: "~", Bullet: "|", Only: "^",
}

// ASCII is the character that stands for r where only ASCII may be drawn.
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
	NoColor Name = "none" // attributes only, as with NO_COLOR
)

// Names lists the themes that a user can ask for.
func Names() []Name { return []Name{Auto, Dark, Light, NoColor} }

// Parse reads the name of a theme; the error lists those there are.
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

// Theme is a finished look. It is immutable.
type Theme struct {
	Name   Name
	Glyphs *Glyphs
	sgr    [roles][attrs]string
	halves *halves // nil: no colours, or no half blocks
}

// SGR is the escape sequence that switches from the terminal's default to the
// look of role under attr; "" for the default itself.
func (t *Theme) SGR(role Role, attr Attr) string { return t.sgr[role][attr] }

// New makes a theme; Auto is taken as Dark until the terminal has answered.
// asciiOnly keeps to characters that every font has.
func New(name Name, asciiOnly bool) *Theme {
	if name == Auto || name == "" {
		name = Dark
	}
	t := &Theme{Name: name, Glyphs: &unicode}
	if asciiOnly {
		t.Glyphs = &ascii
	}
	looks, selected := darkLooks, look{bg: 0x2b3245}
	switch name {
	case Light:
		looks, selected = lightLooks, look{bg: 0xdbe4f5}
	case NoColor:
		looks, selected = plainLooks, look{underline: true}
		g := *t.Glyphs // without colour the current budget needs a mark of its own
		g.StripHereIn = '┃'
		if asciiOnly {
			g.StripHereIn = '!'
		}
		t.Glyphs = &g
	}
	switch {
	case asciiOnly || name == NoColor:
	case name == Light:
		t.halves = newHalves(&lightTones)
	default:
		t.halves = newHalves(&darkTones)
	}
	for role := range roles {
		for attr := range Attr(attrs) {
			l := looks[role]
			if attr&Old != 0 {
				l.faint, l.bold = true, false
			}
			if attr&Selected != 0 {
				if l.bg == none {
					l.bg = selected.bg
				}
				// A cell that is underlined of itself stays apart from the row.
				l.underline = l.underline != selected.underline
			}
			t.sgr[role][attr] = l.sgr()
		}
	}
	return t
}

// none stands for the terminal's own colour, so that black can be had.
const none = 0

type look struct {
	fg, bg                          int // 0xrrggbb
	bold, faint, reverse, underline bool
}

func (l look) sgr() string {
	var p []string
	if l.bold {
		p = append(p, "1")
	}
	if l.faint {
		p = append(p, "2")
	}
	if l.underline {
		p = append(p, "4")
	}
	if l.reverse {
		p = append(p, "7")
	}
	rgb := func(base string, c int) {
		if c != none {
			p = append(p, base, "2", strconv.Itoa(c>>16&255), strconv.Itoa(c>>8&255), strconv.Itoa(c&255))
		}
	}
	rgb("38", l.fg)
	rgb("48", l.bg)
	if len(p) == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%sm", strings.Join(p, ";"))
}

var darkLooks = [roles]look{
	Plain:  {},
	Dim:    {fg: 0x8a8f9e},
	Strong: {fg: 0xf2f4f8, bold: true},
	Frame:  {fg: 0x4a5064},
	Focus:  {fg: 0x7aa2f7, bold: true},
	Key:    {fg: 0xe0af68, bold: true},
	In:     {fg: 0x9ece6a},
	Out:    {fg: 0x8a8f9e},
	Risk:   {fg: 0xffb454, bold: true},
	Pin:    {fg: 0x7dcfff},
	Dup:    {fg: 0xbb9af7},
	Gain:   {fg: 0x9ece6a, bold: true},
	Loss:   {fg: 0xf7768e, bold: true},
	Warn:   {fg: 0xe0af68},
	Error:  {fg: 0xff6b81, bold: true},
	SideA:  {fg: 0x7aa2f7, bold: true},
	SideB:  {fg: 0xff9e64, bold: true},

	BarPinned:   {fg: 0x7dcfff},
	BarSelected: {fg: 0x73b944},
	BarFree:     {fg: 0x6b7186},
	BarHeld:     {fg: 0xbb9af7},
	BarSafety:   {fg: 0xe0af68},
	BarOutput:   {fg: 0x5b6b9c},
	BarAbove:    {fg: 0x6b7186},

	StripIn:   {fg: 0x73b944},
	StripOut:  {fg: 0x4a5064},
	StripHere: {fg: 0xffb454, bold: true},

	Match: {fg: 0x17171c, bg: 0xe0af68},
	Input: {fg: 0xf2f4f8, underline: true},
}

var lightLooks = [roles]look{
	Plain:  {},
	Dim:    {fg: 0x6a7080},
	Strong: {fg: 0x11131a, bold: true},
	Frame:  {fg: 0xb4bac8},
	Focus:  {fg: 0x1f57c3, bold: true},
	Key:    {fg: 0x8a4b00, bold: true},
	In:     {fg: 0x2e7d1e},
	Out:    {fg: 0x6a7080},
	Risk:   {fg: 0xa85400, bold: true},
	Pin:    {fg: 0x00708a},
	Dup:    {fg: 0x7a3fbf},
	Gain:   {fg: 0x2e7d1e, bold: true},
	Loss:   {fg: 0xc0203c, bold: true},
	Warn:   {fg: 0x8a4b00},
	Error:  {fg: 0xc0203c, bold: true},
	SideA:  {fg: 0x1f57c3, bold: true},
	SideB:  {fg: 0xb04a00, bold: true},

	BarPinned:   {fg: 0x0089a8},
	BarSelected: {fg: 0x4a9a2e},
	BarFree:     {fg: 0x8f96a6},
	BarHeld:     {fg: 0x9a63d6},
	BarSafety:   {fg: 0xc07a1c},
	BarOutput:   {fg: 0x8091c4},
	BarAbove:    {fg: 0x8f96a6},

	StripIn:   {fg: 0x4a9a2e},
	StripOut:  {fg: 0xb4bac8},
	StripHere: {fg: 0xb05c00, bold: true},

	Match: {fg: 0xffffff, bg: 0xb05c00},
	Input: {fg: 0x11131a, underline: true},
}

var plainLooks = [roles]look{
	Strong: {bold: true},
	Dim:    {faint: true},
	Frame:  {faint: true},
	Focus:  {bold: true},
	Key:    {bold: true},
	Out:    {faint: true},
	Risk:   {bold: true},
	Gain:   {bold: true},
	Loss:   {bold: true},
	Warn:   {bold: true},
	Error:  {bold: true},
	SideA:  {bold: true},
	SideB:  {},

	StripOut:  {faint: true},
	StripHere: {bold: true},

	Match: {reverse: true},
	Input: {underline: true},
}
