// Package theme turns what a cell of the screen means (a Role) into how the
// terminal shows it: colours for dark and light terminals, attributes alone
// where colour is unwanted, and plain ASCII where the font has nothing else.
//
// Meaning never rests on colour alone: every state has its own glyph, and a
// selected row has a mark in its first column.
package theme

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

// Role is what a cell means.
type Role uint8

const (
	Plain  Role = iota // ordinary text
	Dim                // secondary text, units, excluded items
	Strong             // headings, numbers that matter
	Frame              // borders
	Focus              // borders and titles of the focused pane
	Key                // a key in a hint
	In                 // an included item
	Out                // an excluded item
	Risk               // included, but lost within the slack
	Pin                // pinned
	Dup                // duplicate
	Needed             // marked as needed
	Gain               // an item that came in, a positive difference
	Loss               // an item that went out, a negative difference
	Warn               // an assumption that the user should know about
	Error              // an error
	SideA              // policy A
	SideB              // policy B

	BarPinned
	BarSelected
	BarFree
	BarHeld
	BarSafety
	BarOutput
	BarAbove // the room between the target and what the maximum would allow
	BarUpper // a cell of two tones: the glyph, one of Filled, is the lower one, the background the upper one

	StripIn
	StripOut
	StripHere // the column of the current budget

	Match // text that the filter found
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

// Glyphs holds the marks of one character set, Unicode or ASCII. Each rune is
// one cell wide; the strings may be longer.
type Glyphs struct {
	Pinned, In, Risk, Out, Dup, Negative, Excluded rune
	Split                                          rune // one of a pair is in, the other is not
	Cursor                                         rune // first column of the selected row
	Idle                                           rune // first column of the selected row in a pane without the focus
	Chosen                                         rune // one of the items that keys act on together
	Needed                                         rune // marked as needed

	BarPinned, BarSelected, BarFree, BarHeld, BarSafety, BarOutput, BarAbove rune
	Fall                                                                     rune // marks where a larger budget gives less
	Better                                                                   rune // marks the better of two numbers
	Cached, Uncached                                                         rune // tokens read from a prompt cache, and tokens that are not cached
	// Strip shows at how many of a column's budgets the item is in: none, up to a
	// third, up to two thirds, not quite all, all.
	Strip                  [5]rune
	Filled                 string // a cell filled from below, in equal steps up to the full cell
	StripHere, StripHereIn rune   // the current budget's column: out, in

	Horizontal, Vertical, TopLeft, TopRight, BottomLeft, BottomRight rune // of boxes and rules

	WalkDown, WalkUp rune // where a path turns down, and where it arrives from above

	KnobLeft, KnobRight                         string
	Arrow, Ellipsis, Minus, About, Bullet, Only string
	Spark                                       bool // characters beyond ASCII may be drawn
	Braille                                     bool // plots are dots, told apart by colour; letters otherwise
}

var unicode = Glyphs{
	Pinned: '◆', In: '●', Risk: '~', Out: '○', Dup: '≡', Negative: '−', Excluded: '×', Split: '≠', Cursor: '▌', Idle: '▏', Chosen: '+', Needed: '★',
	BarPinned: '◆', BarSelected: '█', BarFree: '·', BarHeld: '▓', BarSafety: '░', BarOutput: '▒', BarAbove: '╌',
	Strip: [5]rune{'·', '▁', '▃', '▅', '▇'}, StripHere: '┊', StripHereIn: '▇', Fall: '▼', Better: '▲', Filled: "▁▂▃▄▅▆▇█", Cached: '═', Uncached: '▒', WalkDown: '╭', WalkUp: '╯',
	KnobLeft: "‹", KnobRight: "›", Arrow: "→", Ellipsis: "…", Minus: "−", About: "≈", Bullet: "·", Only: "∆", Spark: true, Braille: true,
}

var ascii = Glyphs{
	Pinned: 'P', In: '+', Risk: '~', Out: '-', Dup: 'd', Negative: 'n', Excluded: 'x', Split: '!', Cursor: '>', Idle: ')', Chosen: '*', Needed: 'N',
	BarPinned: 'P', BarSelected: '#', BarFree: '.', BarHeld: 'H', BarSafety: 's', BarOutput: 'o', BarAbove: '_',
	Strip: [5]rune{'.', ':', 'i', 'I', '#'}, StripHere: '|', StripHereIn: '@', Filled: "#", Fall: 'v', Better: '^', Cached: ':', Uncached: 'o', WalkDown: ',', WalkUp: '\'',
	KnobLeft: "<", KnobRight: ">", Arrow: "->", Ellipsis: "...", Minus: "-", About: "~", Bullet: "|", Only: "^",
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
	NoColor Name = "none" // attributes only, as with NO_COLOR
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
	halves *halves              // nil without colours or half blocks
}

// SGR returns the escape sequence that switches from the terminal's default look
// to that of role under attr, or "" if the two are the same. It panics if role or
// attr is not one of this package's constants or a combination of its attributes.
func (t *Theme) SGR(role Role, attr Attr) string { return t.sgr[role][attr] }

// New returns the theme of a name. Auto, "" and unknown names give the dark
// theme; the caller replaces Auto once the terminal has told its background. With
// asciiOnly the theme uses only ASCII characters.
func New(name Name, asciiOnly bool) *Theme {
	if name == Auto || name == "" {
		name = Dark
	}
	t := &Theme{Name: name, Glyphs: unicode.boxed(lipgloss.NormalBorder())}
	if asciiOnly {
		t.Glyphs = ascii.boxed(lipgloss.ASCIIBorder())
	}
	var styles [roles]lipgloss.Style
	row := lipgloss.NewStyle() // style of the row under the cursor
	switch name {
	case Light:
		styles, row = lightStyles(), row.Background(lipgloss.Color("#dbe4f5"))
	case NoColor:
		styles, row = plainStyles(), row.Underline(true)
		if !asciiOnly { // without colour the current budget and each curve need a mark of their own
			t.Glyphs.StripHereIn = '┃'
			t.Glyphs.Braille = false
		}
	default:
		styles, row = darkStyles(), row.Background(lipgloss.Color("#2b3245"))
	}
	switch {
	case asciiOnly || name == NoColor:
	case name == Light:
		t.halves = newHalves(&lightTones)
	default:
		t.halves = newHalves(&darkTones)
	}
	for role, style := range styles {
		for attr := range Attr(attrs) {
			s := style
			if attr&Old != 0 {
				s = s.Faint(true).Bold(false)
			}
			if attr&Selected != 0 {
				// A cell that is itself underlined stays distinct from the row.
				s = s.Inherit(row).Underline(s.GetUnderline() != row.GetUnderline())
			}
			t.sgr[role][attr] = sgr(s)
		}
	}
	return t
}

// fg returns the style of text in a colour, given as "#rrggbb".
func fg(hex string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(hex)) }

// darkStyles returns the style of each role on a dark background.
func darkStyles() [roles]lipgloss.Style {
	return [roles]lipgloss.Style{
		Plain:  lipgloss.NewStyle(),
		Dim:    fg("#8a8f9e"),
		Strong: fg("#f2f4f8").Bold(true),
		Frame:  fg("#4a5064"),
		Focus:  fg("#7aa2f7").Bold(true),
		Key:    fg("#e0af68").Bold(true),
		In:     fg("#9ece6a"),
		Out:    fg("#8a8f9e"),
		Risk:   fg("#ffb454").Bold(true),
		Pin:    fg("#7dcfff"),
		Dup:    fg("#bb9af7"),
		Needed: fg("#ffd75f").Bold(true),
		Gain:   fg("#9ece6a").Bold(true),
		Loss:   fg("#f7768e").Bold(true),
		Warn:   fg("#e0af68"),
		Error:  fg("#ff6b81").Bold(true),
		SideA:  fg("#7aa2f7").Bold(true),
		SideB:  fg("#ff9e64").Bold(true),

		BarPinned:   fg("#7dcfff"),
		BarSelected: fg("#73b944"),
		BarFree:     fg("#6b7186"),
		BarHeld:     fg("#bb9af7"),
		BarSafety:   fg("#e0af68"),
		BarOutput:   fg("#5b6b9c"),
		BarAbove:    fg("#6b7186"),
		BarUpper:    fg("#3f5f8f").Background(lipgloss.Color("#d8dbe2")),

		StripIn:   fg("#73b944"),
		StripOut:  fg("#4a5064"),
		StripHere: fg("#ffb454").Bold(true),

		Match: fg("#17171c").Background(lipgloss.Color("#e0af68")),
		Input: fg("#f2f4f8").Underline(true),
	}
}

// lightStyles returns the style of each role on a light background.
func lightStyles() [roles]lipgloss.Style {
	return [roles]lipgloss.Style{
		Plain:  lipgloss.NewStyle(),
		Dim:    fg("#6a7080"),
		Strong: fg("#11131a").Bold(true),
		Frame:  fg("#b4bac8"),
		Focus:  fg("#1f57c3").Bold(true),
		Key:    fg("#8a4b00").Bold(true),
		In:     fg("#2e7d1e"),
		Out:    fg("#6a7080"),
		Risk:   fg("#a85400").Bold(true),
		Pin:    fg("#00708a"),
		Dup:    fg("#7a3fbf"),
		Needed: fg("#7d5a00").Bold(true),
		Gain:   fg("#2e7d1e").Bold(true),
		Loss:   fg("#c0203c").Bold(true),
		Warn:   fg("#8a4b00"),
		Error:  fg("#c0203c").Bold(true),
		SideA:  fg("#1f57c3").Bold(true),
		SideB:  fg("#b04a00").Bold(true),

		BarPinned:   fg("#0089a8"),
		BarSelected: fg("#4a9a2e"),
		BarFree:     fg("#8f96a6"),
		BarHeld:     fg("#9a63d6"),
		BarSafety:   fg("#c07a1c"),
		BarOutput:   fg("#8091c4"),
		BarAbove:    fg("#8f96a6"),
		BarUpper:    fg("#a9bfe3").Background(lipgloss.Color("#11131a")),

		StripIn:   fg("#4a9a2e"),
		StripOut:  fg("#b4bac8"),
		StripHere: fg("#b05c00").Bold(true),

		Match: fg("#ffffff").Background(lipgloss.Color("#b05c00")),
		Input: fg("#11131a").Underline(true),
	}
}

// plainStyles returns the style of each role without colours.
func plainStyles() [roles]lipgloss.Style {
	style := lipgloss.NewStyle()
	return [roles]lipgloss.Style{
		Strong: style.Bold(true),
		Dim:    style.Faint(true),
		Frame:  style.Faint(true),
		Focus:  style.Bold(true),
		Key:    style.Bold(true),
		Out:    style.Faint(true),
		Risk:   style.Bold(true),
		Gain:   style.Bold(true),
		Loss:   style.Bold(true),
		Warn:   style.Bold(true),
		Needed: style.Bold(true),
		Error:  style.Bold(true),
		SideA:  style.Bold(true),
		SideB:  style,

		BarUpper:  style.Reverse(true),
		StripOut:  style.Faint(true),
		StripHere: style.Bold(true),

		Match: style.Reverse(true),
		Input: style.Underline(true),
	}
}

// Shades reports whether the theme draws maps as areas of colour: it does, unless
// it is ASCII only or has no colours.
func (t *Theme) Shades() bool { return t.halves != nil }

// Halves returns the escape sequence for a cell with two tones: upper is the
// colour of the character, lower that of the background. It returns "" if the
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
