package theme

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// luminance is the relative luminance of a colour, as WCAG 2 defines it.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= .04045 {
			return s / 12.92
		}
		return math.Pow((s+.055)/1.055, 2.4)
	}
	return .2126*linear(r) + .7152*linear(g) + .0722*linear(b)
}

// contrast is the contrast of two colours, 1 to 21, as WCAG 2 defines it.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(shown(a)), luminance(shown(b))
	return (max(la, lb) + .05) / (min(la, lb) + .05)
}

// grounds are those that pictures have, which are the harder ones: text stands out more on
// black and on white. Terminals of 16 colours have these two.
var grounds = map[Name]struct{ terminal, row ink }{
	Dark:  {ink{"#17171c", 234, 0}, darkRow},
	Light: {ink{"#fcfcfa", 231, 15}, lightRow},
}

// shown returns the colour that a terminal shows: of 16 that of XTerm.
func shown(c color.Color) color.Color {
	if basic, ok := c.(ansi.BasicColor); ok {
		return lipgloss.Color(XTerm[basic])
	}
	return c
}

// TestTextIsLegible computes the contrast of every role that is text, at every depth, from
// the tables: 4.5 to 1, and 3.5 to 1 for what is bold in the row under the cursor. The two
// parts of a bar in Turns have 1.5 to 1, frames and the dots of what is free or out 2.5 to 1.
func TestTextIsLegible(t *testing.T) {
	areas := map[Role]bool{Plain: true, Frame: true, CacheWritten: true, CacheRead: true, Uncached: true, CacheSplit: true, StripOut: true, StripIn: true, StripHere: true, HungIn: true, BarPinned: true, BarSelected: true,
		BarFree: true, BarHeld: true, BarSafety: true, BarOutput: true, BarAbove: true, BarBeyond: true, AreaA: true, AreaB: true, Both: true, SplitA: true, SplitB: true, HereIn: true, HereA: true, HereB: true}
	for name, ground := range grounds {
		for _, depth := range []Depth{TrueColor, Colours256, Colours16} {
			styles := styles(name, depth)
			split := styles[CacheSplit]
			if c := contrast(split.GetForeground(), split.GetBackground()); c < 1.5 && depth != Colours16 {
				t.Errorf("%s, depth %d: what is read and what is written have a contrast of %.2f", name, depth, c)
			}
			for _, one := range []Role{SplitA, SplitB} {
				if c := contrast(styles[one].GetForeground(), styles[one].GetBackground()); c < 1.5 && depth != Colours16 {
					t.Errorf("%s, depth %d: the areas of role %d have a contrast of %.2f", name, depth, one, c)
				}
			}
			for _, over := range []Role{HereIn, HereA, HereB} {
				if c := contrast(styles[over].GetForeground(), styles[over].GetBackground()); c < 3 {
					t.Errorf("%s, depth %d: the budget of role %d over an area has a contrast of %.2f", name, depth, over, c)
				}
			}
			for _, area := range []Role{BarPinned, BarSelected, BarHeld, BarSafety, BarOutput, CacheWritten, CacheRead, Uncached, StripIn} {
				if c := contrast(styles[area].GetForeground(), ground.terminal.at(depth)); c < 1.5 {
					t.Errorf("%s, depth %d: the area of role %d has a contrast of %.2f", name, depth, area, c)
				}
			}
			for _, thin := range []Role{Frame, StripOut, BarFree} {
				if c := contrast(styles[thin].GetForeground(), ground.terminal.at(depth)); c < 2.5 {
					t.Errorf("%s, depth %d: the lines or dots of role %d have a contrast of %.2f", name, depth, thin, c)
				}
			}
			if c := contrast(styles[Focus].GetForeground(), styles[Frame].GetForeground()); c < 3 {
				t.Errorf("%s, depth %d: the frame with the focus has a contrast of %.2f to the others", name, depth, c)
			}
			for area, text := range map[Role]Role{AreaA: SideA, AreaB: SideB, StripIn: In, BarSelected: In, BarPinned: Pin, BarBeyond: Loss} {
				calm, under := styles[area].GetForeground(), ground.terminal.at(depth)
				if c := contrast(calm, under); c < 1.5 || c >= contrast(styles[text].GetForeground(), under) {
					t.Errorf("%s, depth %d: the area of role %d has a contrast of %.2f", name, depth, text, c)
				}
			}
			for role, style := range styles {
				if areas[Role(role)] {
					continue
				}
				under := style.GetBackground()
				if _, none := under.(lipgloss.NoColor); none {
					under = ground.terminal.at(depth)
					least := 4.5
					if style.GetBold() {
						least = 3.5
					}
					if c := contrast(style.GetForeground(), ground.row.at(depth)); c < least && depth != Colours16 {
						t.Errorf("%s, depth %d: role %d has a contrast of %.2f under the cursor", name, depth, role, c)
					}
				}
				if c := contrast(style.GetForeground(), under); c < 4.5 {
					t.Errorf("%s, depth %d: role %d has a contrast of %.2f", name, depth, role, c)
				}
			}
		}
	}
}

// TestFewColoursAreNotShared holds that of 16 colours none stands for two of what a screen of
// items shows together.
func TestFewColoursAreNotShared(t *testing.T) {
	for _, name := range []Name{Dark, Light} {
		styles, seen := styles(name, Colours16), map[color.Color]Role{}
		for _, role := range []Role{Risk, StripSome, StripIn, BarPinned, BarHeld, BarSafety, BarOutput, Loss, In} {
			ink := styles[role].GetForeground()
			if name == Light && role == BarHeld {
				continue // shares the violet of what comes and goes, as with more colours
			}
			if other, is := seen[ink]; is {
				t.Errorf("%s: roles %d and %d have one colour", name, other, role)
			}
			seen[ink] = role
		}
		for _, role := range []Role{Needed, Warn, Pin, Dup} {
			if ink := styles[role].GetForeground(); ink == styles[StripSome].GetForeground() || ink == styles[Risk].GetForeground() && role != Dup {
				t.Errorf("%s: role %d has the colour of what comes and goes, or is at risk", name, role)
			}
		}
	}
}

// TestTonesOfAMapAreTold computes the contrast of neighbouring tones from the tables.
func TestTonesOfAMapAreTold(t *testing.T) {
	for name, shades := range map[Name][Tones]shade{Dark: darkTones, Light: lightTones} {
		for _, depth := range []Depth{TrueColor, Colours256} {
			at := func(tone Tone) color.Color { return shades[tone].at(depth, false, shades[ToneOut]) }
			for _, pair := range [][2]Tone{{ToneOut, ToneIn1}, {ToneIn1, ToneIn2}, {ToneIn2, ToneIn3}, {ToneIn3, ToneIn}, {ToneOut, TonePin1}, {TonePin1, TonePin}, {ToneOut, ToneOutHere}, {ToneOutHere, ToneInHere}} {
				if c := contrast(at(pair[0]), at(pair[1])); c < 1.5 {
					t.Errorf("%s, depth %d: tones %d and %d have a contrast of %.2f", name, depth, pair[0], pair[1], c)
				}
			}
		}
	}
}

// TestStepsOfHeatAreTold computes the contrast of neighbouring steps, and of the first step with the
// terminal's own ground, which stands for none.
func TestStepsOfHeatAreTold(t *testing.T) {
	for name, ground := range grounds {
		for _, depth := range []Depth{TrueColor, Colours256} {
			styles := styles(name, depth)
			for _, steps := range [][]Role{{HeatLess1, HeatLess2, HeatLess3}, {HeatMore1, HeatMore2, HeatMore3}} {
				before := ground.terminal.at(depth)
				for _, step := range steps {
					if c := contrast(before, styles[step].GetBackground()); c < 1.5 {
						t.Errorf("%s, depth %d: step %d has a contrast of %.2f with the one before", name, depth, step, c)
					}
					before = styles[step].GetBackground()
				}
			}
		}
	}
}

// Sizes share the way from out to in, so less tells them; between a note and a cut the hue
// does too.
func TestTonesOfSizesAreTold(t *testing.T) {
	for name, shades := range map[Name][Tones]shade{Dark: darkTones, Light: lightTones} {
		for _, depth := range []Depth{TrueColor, Colours256} {
			at := func(tone Tone) color.Color { return shades[tone].at(depth, false, shades[ToneOut]) }
			for _, pair := range []struct {
				a, b  Tone
				least float64
			}{{ToneOut, ToneNote, 1.25}, {ToneNote, ToneCut, 1.1}, {ToneCut, ToneIn, 1.45}, {ToneCutLess, ToneIn, 1.25}} {
				if c := contrast(at(pair.a), at(pair.b)); c < pair.least {
					t.Errorf("%s, depth %d: tones %d and %d have a contrast of %.2f", name, depth, pair.a, pair.b, c)
				}
			}
		}
	}
}

// TestDepthsUseTheirOwnColours holds that no theme of few colours asks for one that the
// terminal would replace by another.
func TestDepthsUseTheirOwnColours(t *testing.T) {
	for _, name := range []Name{Dark, Light} {
		for depth, foreign := range map[Depth][]string{Colours256: {"38;2;", "48;2;"}, Colours16: {"38;2;", "48;2;", "38;5;", "48;5;"}} {
			th := NewFor(name, false, depth)
			for role := range roles {
				for attr := range Attr(attrs) {
					for _, bad := range foreign {
						if sgr := th.SGR(role, attr); strings.Contains(sgr, bad) {
							t.Errorf("%s, depth %d: role %d under %d is %q", name, depth, role, attr, sgr)
						}
					}
				}
				if th.SGR(role, Selected) == th.SGR(role, 0) && role != Match && role != CameIn && role != WentOut && role != CacheSplit && (role < SplitA || role > HeatMore3) && !(depth == Colours16 && role.area()) {
					t.Errorf("%s, depth %d: role %d does not show that it is selected", name, depth, role)
				}
			}
			if th.Shades() != (depth == Colours256) || strings.Contains(th.Halves(ToneIn, ToneOut, 0), "38;2;") {
				t.Errorf("%s, depth %d: the map's cells are %q", name, depth, th.Halves(ToneIn, ToneOut, 0))
			}
			seen := map[string]Role{}
			for _, role := range []Role{In, Out, Risk, Pin, Dup, Loss} {
				sgr := th.SGR(role, 0)
				if other, ok := seen[sgr]; ok {
					t.Errorf("%s, depth %d: roles %d and %d look alike: %q", name, depth, other, role, sgr)
				}
				seen[sgr] = role
			}
			if th.SGR(SideA, 0) == th.SGR(SideB, 0) {
				t.Errorf("%s, depth %d: the sides look alike", name, depth)
			}
		}
	}
}
