package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
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
	ToneWait                // not known yet
	Tones                   // the number of tones
)

var darkTones = [Tones]int{
	ToneOut: 0x1d202c, ToneOutRow: 0x343c54, ToneOutHere: 0x63687d, ToneInHere: 0xf4f6fb,
	ToneIn1: 0x2a4321, ToneIn2: 0x3b622a, ToneIn3: 0x4f8634, ToneIn: 0x7bc24a,
	ToneRisk: 0xffb454,
	TonePin1: 0x35718c, TonePin: 0x7dcfff, ToneWait: 0x3a2f52,
}

var lightTones = [Tones]int{
	ToneOut: 0xeceff5, ToneOutRow: 0xcfdcf3, ToneOutHere: 0x9299ab, ToneInHere: 0x11131a,
	ToneIn1: 0xcde6c2, ToneIn2: 0xa0cf8a, ToneIn3: 0x6bb04f, ToneIn: 0x2b8417,
	ToneRisk: 0xb86a00,
	TonePin1: 0x8cc7d6, TonePin: 0x0089a8, ToneWait: 0xd9cdee,
}

// halves holds the escape sequence of each pair of tones, upper first: at index 0
// for a current result, at 1 for a result that is out of date.
type halves [2][Tones][Tones]string

// newHalves builds the sequences from the colours of the tones. A result that is
// out of date is drawn in colours closer to ToneOut, because the faint attribute
// does not change backgrounds.
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
