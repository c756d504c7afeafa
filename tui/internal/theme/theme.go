// Package theme turns what a cell of the screen means (a Role) into how the
// terminal shows it: colours for dark and light terminals, attributes alone
// where colour is unwanted, and plain ASCII where the font has nothing else.
//
// Meaning never rests on colour alone: every state has its own glyph, and a
// selected row has a mark in its first column.
package theme

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"

	"cupelscope/model/plain"
)

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
	names := plain.Texts(Names(), func(n Name) string { return string(n) })
	if slices.Contains(names, s) {
		return Name(s), nil
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
	opposite := Light
	switch name {
	case Light:
		opposite, row = Dark, row.Background(lightRow.at(depth))
	case NoColor:
		row = row.Underline(true)
		if !asciiOnly { // without colour the current budget and each curve need a mark of their own
			t.Glyphs.StripHereIn = '┃'
			t.Glyphs.Braille = false
		}
	default:
		row = row.Background(darkRow.at(depth))
	}
	switch {
	case asciiOnly || name == NoColor || depth == Colours16:
	case name == Light:
		t.halves = newHalves(&lightTones, depth)
	default:
		t.halves = newHalves(&darkTones, depth)
	}
	g := t.Glyphs
	if !asciiOnly {
		g.Swatch, g.KeptSwatch = '■', '▪'
		if name != NoColor {
			g.BarPinned, g.BarHeld, g.BarSafety, g.BarOutput = g.BarSelected, g.BarSelected, g.BarSelected, g.BarSelected
			g.Cached, g.Uncached = g.BarSelected, g.BarSelected
			if !t.Shades() { // 16 colours do not tell what is kept back: how solid it is does
				g.BarHeld, g.BarSafety, g.BarOutput = g.Sizes[1], g.Sizes[0], g.Sizes[2]
			}
		}
	}
	// No ground of 16 colours leaves all text legible: a row has the other theme's, with its inks.
	own, others, turned := styles(name, depth), styles(opposite, depth), depth == Colours16 && name != NoColor
	if turned {
		row, others[Dim] = row.Foreground(others[Strong].GetForeground()), lipgloss.Style{}
	}
	for role := range roles {
		t.badges[role] = turned && looks[role].few.mark(name) != (mark{})
		for attr := range Attr(attrs) {
			all := &own
			if turned && attr&Selected != 0 && !role.area() {
				all = &others
			}
			s := all[role]
			if attr&Later != 0 {
				_, plain := s.GetBackground().(lipgloss.NoColor)
				s = all[Dim].Reverse(s.GetReverse() || !plain) // a mark with a ground stays one
			}
			if attr&Old != 0 {
				s = s.Faint(true).Bold(false)
			}
			switch {
			case all == &others:
				s = s.Inherit(row)
			case attr&Selected != 0 && !turned:
				// A cell that is itself underlined stays distinct from the row.
				// Areas have no line, which would run into them as if it were part of them.
				s = s.Inherit(row).Underline(s.GetUnderline() != (row.GetUnderline() && !role.area()))
			}
			t.sgr[role][attr] = sgr(s)
		}
	}
	return t
}
