package theme

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"cupelscope/model/musttest"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	colorful "github.com/lucasb-eyer/go-colorful"
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
// the tables: 4.5 to 1, also in the row under the cursor. The two
// parts of a bar in Turns have 1.5 to 1 and are no grey, frames, lines of a chart on dark and the dots of what is free or out 2.5 to 1.
func TestTextIsLegible(t *testing.T) {
	areas := map[Role]bool{Plain: true, Frame: true, CacheWritten: true, CacheRead: true, Uncached: true, CacheSplit: true, LineA: true, LineB: true, BarRisk: true, StripOut: true, StripIn: true, StripHere: true, HungIn: true, BarPinned: true, BarSelected: true,
		BarFree: true, BarHeld: true, BarSafety: true, BarOutput: true, BarAbove: true, BarBeyond: true, AreaA: true, AreaB: true, Both: true, BOverA: true, AOverB: true, HereIn: true, HereA: true, HereB: true}
	for name, ground := range grounds {
		for _, depth := range []Depth{TrueColor, Colours256, Colours16} {
			styles := styles(name, depth)
			split := styles[CacheSplit]
			if c := contrast(split.GetForeground(), split.GetBackground()); c < 1.5 {
				t.Errorf("%s, depth %d: what is read and what is written have a contrast of %.2f", name, depth, c)
			}
			written, grey := styles[CacheWritten].GetForeground(), styles[Uncached].GetForeground()
			if d := apart(inks{ink: written, ground: grey}, inks{ink: grey, ground: grey}); d < 18 || name == Dark && d < 25 {
				t.Errorf("%s, depth %d: what is written is %.1f from grey bars", name, depth, d)
			}
			for _, role := range []Role{BOverA, AOverB, LineA, LineB} {
				least, under := 2.5, styles[role].GetBackground()
				if _, none := under.(lipgloss.NoColor); none {
					under = ground.terminal.at(depth)
				}
				if name == Light {
					least = 4.5
				}
				if c := contrast(styles[role].GetForeground(), under); c < least {
					t.Errorf("%s, depth %d: the line of role %d has a contrast of %.2f", name, depth, role, c)
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
				if c := contrast(calm, under); c < 1.5 || depth != Colours16 && c >= contrast(styles[text].GetForeground(), under) {
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
					if c := contrast(style.GetForeground(), ground.row.at(depth)); c < 4.5 && depth != Colours16 {
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

// meanings are what stands beside each other on a screen, each with its texts, areas and tones.
var meanings = map[string]struct {
	roles []Role
	tones []Tone
}{
	"policy A":        {roles: []Role{SideA, AreaA, LineA}},
	"policy B":        {roles: []Role{SideB, AreaB, LineB}},
	"at risk":         {[]Role{Risk, BarRisk}, []Tone{ToneRisk}},
	"written":         {roles: []Role{CacheWritten}},
	"went out, costs": {roles: []Role{Loss, BarBeyond}},
	"in":              {[]Role{In, Gain, StripIn, BarSelected}, []Tone{ToneIn}},
	"pinned":          {[]Role{Pin, BarPinned}, []Tone{TonePin1, TonePin}},
	"held":            {roles: []Role{BarHeld}},
	"comes and goes":  {[]Role{StripSome}, []Tone{ToneIn1, ToneIn2, ToneIn3}},
	"duplicate":       {roles: []Role{Dup}},
	"do not fit":      {roles: []Role{Warn}},
	"budget":          {roles: []Role{StripHere}},
	"chosen, found":   {roles: []Role{Match}},
}

// inks is how a cell looks but for its glyph.
type inks struct {
	ink, ground color.Color
	underline   bool
}

// apart is how far two looks are from each other, as CIEDE2000 measures it: 100 from black to white.
func apart(a, b inks) float64 {
	if a.underline != b.underline {
		return math.Inf(1)
	}
	far := func(a, b color.Color) float64 {
		x, _ := colorful.MakeColor(shown(a))
		y, _ := colorful.MakeColor(shown(b))
		return 100 * x.DistanceCIEDE2000(y)
	}
	return max(far(a.ink, b.ink), far(a.ground, b.ground))
}

// oneOfFew has the meanings that share one of 16 colours: what is pinned has its mark in the ink of texts, what is
// written is an area of Turns, a duplicate has its mark and what comes and goes is low bars, the budget is a line
// beside texts, and the line of policy B is dots, where a ground of its hue would be a band.
var oneOfFew = map[[2]string]bool{{"budget", "pinned"}: true, {"do not fit", "pinned"}: true, {"budget", "do not fit"}: true,
	{"comes and goes", "written"}: true, {"duplicate", "written"}: true, {"comes and goes", "duplicate"}: true,
	{"budget", "policy B"}: true, {"do not fit", "policy B"}: true}

// TestEachMeaningHasItsColour holds that no two meanings share a colour or come closer than 12; the
// orange of what is at risk was 11.8 from one that policy B had. Of 16 colours glyphs tell what is held.
func TestEachMeaningHasItsColour(t *testing.T) {
	for name, ground := range grounds {
		for _, depth := range []Depth{TrueColor, Colours256, Colours16} {
			styles, shades := styles(name, depth), map[Name][Tones]shade{Dark: darkTones, Light: lightTones}[name]
			looks := map[string][]inks{}
			for meaning, of := range meanings {
				if meaning == "held" && depth == Colours16 {
					if g := NewFor(name, false, depth).Glyphs; strings.ContainsAny(string(g.BarHeld)+string(g.BarSafety)+string(g.BarOutput), "█=%/") || g.BarHeld == g.BarSafety || g.BarSafety == g.BarOutput || g.BarOutput == g.BarHeld {
						t.Errorf("%s: the parts of the bar look alike, or do not fill cells", name)
					}
					continue
				}
				for _, role := range of.roles {
					if meaning == "in" && depth == Colours16 && !role.area() && styles[role].GetForeground() == styles[Dim].GetForeground() {
						continue // it has the ink of all text: glyphs tell it
					}
					under := styles[role].GetBackground()
					if _, none := under.(lipgloss.NoColor); none {
						under = ground.terminal.at(depth)
					}
					looks[meaning] = append(looks[meaning], inks{styles[role].GetForeground(), under, styles[role].GetUnderline()})
				}
				for _, tone := range of.tones {
					if depth != Colours16 {
						looks[meaning] = append(looks[meaning], inks{ink: shades[tone].at(depth, false, shades[ToneOut]), ground: ground.terminal.at(depth)})
					}
				}
			}
			for a, ofA := range looks {
				for b, ofB := range looks {
					for i, x := range ofA {
						for j, y := range ofB {
							if depth == Colours16 && oneOfFew[[2]string{a, b}] {
								continue
							}
							if d := apart(x, y); a < b && d < 12 {
								t.Errorf("%s, depth %d: look %d of %q and look %d of %q are %.1f apart", name, depth, i, a, j, b, d)
							}
						}
					}
				}
			}
		}
	}
}

// TestPartsOfTheBarAreTold computes the contrast of parts of the bar that may stand side by side,
// and of the last with the ground.
func TestPartsOfTheBarAreTold(t *testing.T) {
	for name, ground := range grounds {
		for _, depth := range []Depth{TrueColor, Colours256} {
			styles := styles(name, depth)
			at := func(role Role) color.Color { return styles[role].GetForeground() }
			parts := []Role{BarPinned, BarSelected, BarHeld, BarSafety, BarOutput}
			for i, role := range parts[1:] {
				if c := contrast(at(parts[i]), at(role)); c < 1.3 {
					t.Errorf("%s, depth %d: roles %d and %d have a contrast of %.2f", name, depth, parts[i], role, c)
				}
			}
			if c := contrast(at(BarOutput), ground.terminal.at(depth)); c < 2.1 {
				t.Errorf("%s, depth %d: what is kept for the output has a contrast of %.2f", name, depth, c)
			}
		}
	}
}

// TestTheRowIsToldFromTheMap holds that the ground of the row under the cursor is no tone of a map, nor nearer to one than 2 of 100.
func TestTheRowIsToldFromTheMap(t *testing.T) {
	for name, shades := range map[Name][Tones]shade{Dark: darkTones, Light: lightTones} {
		for _, depth := range []Depth{TrueColor, Colours256} {
			row := grounds[name].row.at(depth)
			for tone := ToneOut; tone < Tones; tone++ {
				if d := apart(inks{row, row, false}, inks{shades[tone].at(depth, false, shades[ToneOut]), row, false}); d < 2 {
					t.Errorf("%s, depth %d: tone %d is %.1f from it", name, depth, tone, d)
				}
			}
		}
	}
}

// TestComingAndGoingIsToldFromTheRow holds that an item in at few budgets is seen in the row under the cursor.
func TestComingAndGoingIsToldFromTheRow(t *testing.T) {
	for name, shades := range map[Name][Tones]shade{Dark: darkTones, Light: lightTones} {
		for _, depth := range []Depth{TrueColor, Colours256} {
			at := func(tone Tone) inks {
				return inks{ink: shades[tone].at(depth, false, shades[ToneOut]), ground: grounds[name].terminal.at(depth)}
			}
			row, in := at(ToneOutRow), at(ToneIn1)
			if d, c := apart(row, in), contrast(row.ink, in.ink); d < 12 || name == Light && c < 1.5 {
				t.Errorf("%s, depth %d: %.1f, with a contrast of %.2f", name, depth, d, c)
			}
		}
	}
}

// TestTonesOfAMapAreTold computes the contrast of tones from the tables: 1.5 to 1 for neighbouring
// steps. Any two may meet, and have that or are 20 apart, as a green and a violet of one lightness
// are; but the row under the cursor is a ground.
func TestTonesOfAMapAreTold(t *testing.T) {
	often := map[[2]Tone]bool{{ToneOut, ToneIn1}: true, {ToneIn1, ToneIn2}: true, {ToneIn2, ToneIn3}: true, {ToneIn3, ToneIn}: true,
		{ToneOut, TonePin1}: true, {TonePin1, TonePin}: true, {ToneOut, ToneOutHere}: true, {ToneOutHere, ToneInHere}: true}
	for name, shades := range map[Name][Tones]shade{Dark: darkTones, Light: lightTones} {
		for _, depth := range []Depth{TrueColor, Colours256} {
			at := func(tone Tone) inks {
				c := shades[tone].at(depth, false, shades[ToneOut])
				return inks{ink: c, ground: c}
			}
			for a := ToneOut; a < ToneNote; a++ {
				for b := a + 1; b < ToneNote; b++ {
					c := contrast(at(a).ink, at(b).ink)
					if a == ToneOut && b == ToneOutRow {
						continue
					}
					if c < 1.5 && (often[[2]Tone{a, b}] || often[[2]Tone{b, a}] || apart(at(a), at(b)) < 20) {
						t.Errorf("%s, depth %d: tones %d and %d have a contrast of %.2f and are %.1f apart", name, depth, a, b, c, apart(at(a), at(b)))
					}
				}
			}
		}
	}
}

// TestStepsOfHeatAreTold computes the contrast of neighbouring steps, and of the first step with the
// terminal's own ground, which stands for none. The last step, which is most, is more vivid than the first.
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
				if first, last := vivid(styles[steps[0]].GetBackground()), vivid(before); last <= first {
					t.Errorf("%s, depth %d: the last step has a chroma of %.2f, the first %.2f", name, depth, last, first)
				}
			}
		}
	}
}

// vivid returns the chroma of a colour.
func vivid(c color.Color) float64 {
	made, _ := colorful.MakeColor(shown(c))
	_, chroma, _ := made.Hcl()
	return chroma
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

// TestARowOfFewColoursIsTurned holds that of 16 colours the row under the cursor has the ground and the
// inks of the other theme, on which TestTextIsLegible finds them legible, and that areas keep theirs.
func TestARowOfFewColoursIsTurned(t *testing.T) {
	for name, want := range map[Name]map[Role]string{
		Dark:  {Plain: "\x1b[30;107m", Dim: "\x1b[30;107m", Loss: "\x1b[1;31;107m", Risk: "\x1b[1;30;43m", StripIn: "\x1b[32m"},
		Light: {Plain: "\x1b[97;40m", Dim: "\x1b[97;40m", Loss: "\x1b[1;91;40m", Risk: "\x1b[1;93;40m", StripIn: "\x1b[32m"},
	} {
		for role, look := range want {
			musttest.Is(t, NewFor(name, false, Colours16).SGR(role, Selected), look, name, "role", role)
		}
	}
}

// TestFewColoursKeepTheirMeaning holds that of 16 colours what is chosen is told from what is at risk in
// the row under the cursor too, that B has its hue over A, that what a cache holds looks alike in both
// themes, what is written unlike a grey bar, that only what is typed is underlined, that no bar has
// the white of the budget or the next to it, and that a duplicate has no ground.
func TestFewColoursKeepTheirMeaning(t *testing.T) {
	for name, other := range map[Name]Name{Dark: Light, Light: Dark} {
		own, turned := styles(name, Colours16), styles(other, Colours16)
		if risk, chosen := turned[Risk], own[Match]; shown(risk.GetBackground()) == shown(chosen.GetBackground()) {
			t.Errorf("%s: what is at risk under the cursor has the ground of what is chosen", name)
		}
		if b := own[BOverA].GetForeground(); b != own[SideB].GetForeground() && b != turned[SideB].GetForeground() {
			t.Errorf("%s: over A, B is %v", name, b)
		}
		for _, role := range []Role{CacheWritten, CacheRead, Uncached} {
			musttest.Is(t, own[role].GetForeground(), turned[role].GetForeground(), name, "role", role)
		}
		if own[CacheWritten].GetForeground() == own[Uncached].GetForeground() {
			t.Errorf("%s: what is written is as grey as other bars", name)
		}
		for role, under := range map[Role]color.Color{LineB: lipgloss.NoColor{}, Dup: lipgloss.NoColor{}, BOverA: own[AreaA].GetForeground()} { // another is a band or a box
			musttest.Is(t, own[role].GetBackground(), under, name, "ground of role", role)
		}
		for role := range roles {
			musttest.Is(t, own[role].GetUnderline(), role == Input, name, "role", role, "underlined")
		}
		for role := BarPinned; role <= CacheSplit; role++ {
			if c := own[role].GetForeground(); c == ansi.BasicColor(7) || c == ansi.BasicColor(15) {
				t.Errorf("%s: bar %d is %v", name, role, c)
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
				if th.SGR(role, Selected) == th.SGR(role, 0) && role != Match && role != CameIn && role != WentOut && role != CacheSplit && (role < BOverA || role > HeatMore3) && !(depth == Colours16 && role.area()) {
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
