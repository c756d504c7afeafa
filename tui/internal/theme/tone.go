package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Tone is what half a cell of a map means, shown as an area of colour: two tones
// fill a character, one above the other. Without colour a map is drawn with
// glyphs instead.
type Tone uint8

const (
	NoTone      Tone = iota // no row here
	ToneOut                 // out
	ToneOutRow              // out, in the row under the cursor
	ToneOutHere             // out, at the current budget
	ToneInHere              // in, at the current budget
	ToneIn1                 // in at up to a third of the budgets
	ToneIn2                 // in at up to two thirds
	ToneIn3                 // in at more, but not at all budgets
	ToneIn                  // in at all budgets
	ToneRisk                // an item that is at risk, at the current budget
	TonePin1                // a pinned item, at some budgets
	TonePin                 // a pinned item, at all budgets
	ToneNote                // out, with a note in its place
	ToneCut                 // in at all budgets, cut at some
	ToneCutLess             // the same, in the larger of its cuts
	ToneWait                // not known yet
	Tones                   // the number of tones
)

// shade is a tone at each depth that shows maps in colour; old is its index where the
// result is out of date.
type shade struct {
	rgb       int // 0xrrggbb
	c256, old uint8
}

var darkTones = [Tones]shade{
	ToneOut: {0x1d202c, 235, 235}, ToneOutRow: {0x343c54, 239, 239}, ToneOutHere: {0x6b6a75, 243, 239}, ToneInHere: {0xf4f6fb, 255, 245},
	ToneIn1: {0x61499f, 55, 236}, ToneIn2: {0x8b60c0, 98, 237}, ToneIn3: {0xc9aef7, 183, 238}, ToneIn: {0x5ba36a, 65, 240},
	ToneNote: {0x343949, 238, 236}, ToneCut: {0x2d5738, 22, 236}, ToneCutLess: {0x3c7047, 22, 238},
	ToneRisk: {0xffb454, 215, 94},
	TonePin1: {0x145f79, 25, 237}, TonePin: {0x3f87ab, 31, 60}, ToneWait: {0x3a2f52, 53, 236},
}

var lightTones = [Tones]shade{
	ToneOut: {0xeceff5, 255, 255}, ToneOutRow: {0xcfdcf7, 252, 251}, ToneOutHere: {0x7d7e87, 243, 250}, ToneInHere: {0x11131a, 233, 242},
	ToneIn1: {0xb59ae6, 141, 253}, ToneIn2: {0x906bd0, 98, 251}, ToneIn3: {0x6f44b8, 55, 250}, ToneIn: {0x69ae76, 71, 248},
	ToneNote: {0xd0d4dd, 252, 254}, ToneCut: {0xa6d2ae, 114, 252}, ToneCutLess: {0x8fc598, 78, 250},
	ToneRisk: {0xa85400, 130, 180},
	TonePin1: {0x83bccb, 38, 253}, TonePin: {0x389cb5, 31, 152}, ToneWait: {0xd9cdee, 183, 254},
}

// halves holds the escape sequence of each pair of tones, upper first: at index 0
// for a current result, at 1 for a result that is out of date.
type halves [2][Tones][Tones]string

// newHalves builds the sequences from the colours of the tones. A result that is
// out of date is drawn in colours closer to ToneOut, because the faint attribute
// does not change backgrounds.
func newHalves(shades *[Tones]shade, depth Depth) *halves {
	h := &halves{}
	for old := range h {
		var over, under [Tones]string
		for tone, of := range shades {
			if tone == int(NoTone) {
				continue
			}
			c := of.at(depth, old > 0, shades[ToneOut])
			over[tone], under[tone] = sgr(lipgloss.NewStyle().Foreground(c)), sgr(lipgloss.NewStyle().Background(c))
		}
		for upper := range Tones {
			for lower := range Tones {
				h[old][upper][lower] = over[upper] + under[lower] // neither has one for NoTone
			}
		}
	}
	return h
}

// at returns the colour for a depth. For a result that is out of date it is mixed with out,
// where there are enough colours.
func (s shade) at(depth Depth, old bool, out shade) color.Color {
	switch {
	case depth == Colours256 && old:
		return ansi.IndexedColor(s.old)
	case depth == Colours256:
		return ansi.IndexedColor(s.c256)
	case old:
		s.rgb = mixed(s.rgb, out.rgb)
	}
	return color.RGBA{R: uint8(s.rgb >> 16), G: uint8(s.rgb >> 8), B: uint8(s.rgb), A: 255}
}

// mixed returns a third of colour a and two thirds of colour b, as 0xRRGGBB.
func mixed(a, b int) int {
	c := 0
	for shift := 0; shift <= 16; shift += 8 {
		c |= ((a >> shift & 255) + 2*(b>>shift&255)) / 3 << shift
	}
	return c
}

// sgr returns the escape sequence that a style begins with, or "" if it has none.
func sgr(s lipgloss.Style) string {
	before, _, _ := strings.Cut(s.Render("x"), "x")
	return before
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
