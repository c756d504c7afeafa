package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Tone is what a cell of a map means, as an area of colour: two of them fill a
// character, one above the other. Where there is no colour a map is drawn with
// glyphs instead.
type Tone uint8

const (
	NoTone      Tone = iota // no row here
	ToneOut                 // out
	ToneOutRow              // out, in the row under the cursor
	ToneOutHere             // out, at the current budget
	ToneInHere              // in, at the current budget
	ToneIn1                 // in at up to a third of the budgets
	ToneIn2                 // at up to two thirds
	ToneIn3                 // at less than all
	ToneIn                  // in at all budgets
	ToneRisk1               // the same of an item that is at risk now
	ToneRisk2
	ToneRisk3
	ToneRisk
	TonePin1 // a pinned item, at some budgets
	TonePin  // at all
	ToneWait // not known yet
	Tones
)

var darkTones = [Tones]int{
	ToneOut: 0x1d202c, ToneOutRow: 0x343c54, ToneOutHere: 0x63687d, ToneInHere: 0xf4f6fb,
	ToneIn1: 0x2a4321, ToneIn2: 0x3b622a, ToneIn3: 0x4f8634, ToneIn: 0x7bc24a,
	ToneRisk1: 0x57421f, ToneRisk2: 0x876224, ToneRisk3: 0xbd862f, ToneRisk: 0xffb454,
	TonePin1: 0x35718c, TonePin: 0x7dcfff, ToneWait: 0x3a2f52,
}

var lightTones = [Tones]int{
	ToneOut: 0xeceff5, ToneOutRow: 0xcfdcf3, ToneOutHere: 0x9299ab, ToneInHere: 0x11131a,
	ToneIn1: 0xcde6c2, ToneIn2: 0xa0cf8a, ToneIn3: 0x6bb04f, ToneIn: 0x2b8417,
	ToneRisk1: 0xf3dcb4, ToneRisk2: 0xe6bb78, ToneRisk3: 0xd69740, ToneRisk: 0xb86a00,
	TonePin1: 0x8cc7d6, TonePin: 0x0089a8, ToneWait: 0xd9cdee,
}

// halves is the sequences for each pair of tones, upper first, and for those
// pairs in a result that is out of date.
type halves [2][Tones][Tones]string

// newHalves writes the sequences of some colours. What is out of date is drawn
// closer to what is out: faint text would leave a background as it is.
func newHalves(colours *[Tones]int) *halves {
	h := &halves{}
	for old := range h {
		var over, under [Tones]string
		for tone, c := range colours {
			if tone == int(NoTone) {
				continue
			}
			if old > 0 {
				c = mixed(c, colours[ToneOut])
			}
			rgb := color.RGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 255}
			over[tone], under[tone] = sgr(lipgloss.NewStyle().Foreground(rgb)), sgr(lipgloss.NewStyle().Background(rgb))
		}
		for upper := range Tones {
			for lower := range Tones {
				h[old][upper][lower] = over[upper] + under[lower] // neither has one for NoTone
			}
		}
	}
	return h
}

// mixed is a colour of a third of a and two thirds of b.
func mixed(a, b int) int {
	c := 0
	for shift := 0; shift <= 16; shift += 8 {
		c |= ((a >> shift & 255) + 2*(b>>shift&255)) / 3 << shift
	}
	return c
}

// Shades reports whether maps are drawn as areas of colour.
func (t *Theme) Shades() bool { return t.halves != nil }

// Halves is the escape sequence for a cell whose halves have two tones, upper
// as the colour of the character; "" without colours.
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
