package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// This file holds how each role is drawn, in every theme and number of colours.

// Depth is how many colours a terminal shows.
type Depth uint8

const (
	TrueColor Depth = iota
	Colours256
	Colours16 // maps are drawn with glyphs: there are too few colours for their tones
)

// XTerm holds the 16 colours that XTerm has unless the user sets others, as "#rrggbb". Each
// terminal has its own; the inks of Colours16 were chosen for these.
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

// The ground of the row under the cursor; with 16 colours it is the ground of the other theme.
var (
	darkRow  = ink{"#2b3245", 236, 15}
	lightRow = ink{"#dbe4f5", 254, 0}
)

// look is how a role is drawn.
type look struct {
	dark, light     ink        // of the text, on a dark and on a light background
	onDark, onLight ink        // ground behind the text; the terminal's own if zero
	style           attributes // beside the colours
	few             few        // what differs where there are 16 colours
	plain           attributes // the whole of it without colours
}

// few is how a role differs where 16 colours are too few for its ink alone to be legible and to
// mean one thing.
type few struct {
	dark, light mark       // if not zero, in place of the inks and grounds of the look
	style       attributes // further ones
}

// mark returns the mark in a theme.
func (f few) mark(name Name) mark {
	if name == Light {
		return f.light
	}
	return f.dark
}

// over returns the style with what differs in a theme.
func (f few) over(style lipgloss.Style, name Name) lipgloss.Style {
	if m := f.mark(name); m != (mark{}) {
		style = style.Foreground(ansi.BasicColor(m.ink)).Background(ansi.BasicColor(m.ground))
	}
	return f.style.over(style)
}

// mark is an ink on a ground, as indexes of 16 colours.
type mark struct{ ink, ground uint8 }

// attributes are a set of what a text may have beside its colours. A lipgloss.Style has 600 bytes,
// and a table of Styles is filled before main.
type attributes uint8

const (
	bold attributes = 1 << iota
	faint
	reverse
	underline
)

// over returns the style with these attributes too.
func (a attributes) over(style lipgloss.Style) lipgloss.Style {
	return style.
		Bold(style.GetBold() || a&bold != 0).
		Faint(style.GetFaint() || a&faint != 0).
		Reverse(style.GetReverse() || a&reverse != 0).
		Underline(style.GetUnderline() || a&underline != 0)
}

// The calm colours of large areas, of what is in and of the policies, and the colour of the
// current budget, which is also drawn over them. One colour means one thing: orange is what is at
// risk, so policy B is teal, and brown what is written to a cache. Of 16 colours A has blue, B cyan, and
// what comes and goes, duplicates and what is written magenta, as no view has two of them as areas; what is pinned has its glyph, and on dark no hue: green is what is in, and
// the bright white the budget's.
var (
	stripInDark, stripInLight = ink{"#4f8f5a", 65, 2}, ink{"#5fa06a", 71, 2}
	riskDark, riskLight       = ink{"#ffb454", 215, 11}, ink{"#9c4e00", 94, 3}
	sideADark, sideALight     = ink{"#7aa2f7", 111, 12}, ink{"#1f57c3", 26, 4}
	sideBDark, sideBLight     = ink{"#2dd4bf", 43, 14}, ink{"#007164", 23, 0}
	bothDark, bothLight       = ink{"#454b60", 240, 8}, ink{"#c4cad6", 251, 8}
	areaADark, areaALight     = ink{"#4b69b8", 68, 4}, ink{"#7aa5e8", 111, 4}
	areaBDark, areaBLight     = ink{"#17807a", 30, 6}, ink{"#4fb8a8", 37, 6}
	writtenDark, writtenLight = ink{"#b0703f", 173, 5}, ink{"#c98d66", 137, 5}
	readDark, readLight       = ink{"#3f5f8f", 60, 4}, ink{"#a9bfe3", 146, 4}
	hereDark, hereLight       = ink{"#f4f6fb", 255, 15}, ink{"#11131a", 16, 0}
	overDark                  = ink{"#f4f6fb", 255, 0} // of 16 colours, white is lost on green
	heatDark                  = ink{"#ffffff", 231, 0} // these grounds are too few to tell steps: glyphs do
)

// With 16 colours on light, the ink of what is in is too bright to read, so its texts are plain.
// The ink of what is at risk, which is rare and not to be missed, is the ground of its texts.
// Policy B is bold there without a hue, as cyan is too bright too. On dark, texts of policy A have
// its blue as their ground, as no blue is bright enough to read. An assumption is bold as a
// heading: in yellow it would be at risk, underlined a link.
var (
	riskFew  = few{light: mark{0, 3}}
	sideAFew = few{dark: mark{15, 4}}
	warnFew  = few{style: bold}
)

var looks = [roles]look{
	Plain:   {},
	Dim:     {dark: ink{"#9aa0b0", 248, 8}, light: ink{"#5d6373", 241, 0}, plain: faint},
	Strong:  {dark: ink{"#f2f4f8", 255, 15}, light: ink{"#11131a", 16, 0}, style: bold, plain: bold},
	Frame:   {dark: ink{"#5c6277", 241, 8}, light: ink{"#9aa1b2", 247, 8}, plain: faint},
	Focus:   {dark: ink{"#c8cdd9", 252, 15}, light: ink{"#3a4150", 238, 0}, style: bold, plain: bold},
	Key:     {dark: ink{"#f2f4f8", 255, 15}, light: ink{"#11131a", 16, 0}, style: bold, plain: bold},
	In:      {dark: ink{"#9ece6a", 113, 10}, light: ink{"#26701a", 22, 0}, few: few{style: bold}},
	Out:     {dark: ink{"#9aa0b0", 248, 8}, light: ink{"#5d6373", 241, 0}, plain: faint},
	Risk:    {dark: riskDark, light: riskLight, style: bold, few: riskFew, plain: bold},
	Pin:     {dark: ink{"#7dcfff", 117, 7}, light: ink{"#00667e", 60, 12}},
	Dup:     {dark: ink{"#ec85cc", 212, 13}, light: ink{"#a3278f", 127, 5}},
	Needed:  {dark: ink{"#ffd75f", 221, 15}, light: ink{"#7d5a00", 58, 0}, style: bold, plain: bold},
	Gain:    {dark: ink{"#9ece6a", 113, 10}, light: ink{"#26701a", 22, 0}, style: bold, plain: bold},
	Loss:    {dark: ink{"#f7768e", 204, 9}, light: ink{"#c0203c", 124, 1}, style: bold, plain: bold},
	CameIn:  {dark: ink{"#17171c", 233, 0}, light: ink{"#ffffff", 231, 0}, onDark: ink{"#9ece6a", 113, 10}, onLight: ink{"#26701a", 22, 2}, style: bold, plain: bold | reverse},
	WentOut: {dark: ink{"#17171c", 233, 0}, light: ink{"#ffffff", 231, 15}, onDark: ink{"#f7768e", 204, 9}, onLight: ink{"#c0203c", 160, 1}, style: bold, plain: bold | reverse},
	Warn:    {dark: ink{"#e5d37a", 186, 15}, light: ink{"#6b5d00", 58, 0}, few: warnFew, plain: bold},
	Error:   {dark: ink{"#ff6b81", 204, 9}, light: ink{"#c0203c", 124, 1}, style: bold, plain: bold},
	SideA:   {dark: sideADark, light: sideALight, style: bold, few: sideAFew, plain: bold},
	SideB:   {dark: sideBDark, light: sideBLight, style: bold},

	AreaA:  {dark: areaADark, light: areaALight},
	AreaB:  {dark: areaBDark, light: areaBLight},
	LineA:  {dark: sideADark, light: sideALight, style: bold, plain: bold},
	LineB:  {dark: sideBDark, light: ink{"#00594f", 23, 0}, style: bold},
	Both:   {dark: bothDark, light: bothLight, plain: faint},
	BOverA: {dark: ink{"#5fe8d4", 86, 14}, light: ink{"#003a33", 16, 14}, onDark: areaADark, onLight: areaALight},
	AOverB: {dark: ink{"#c3d5ff", 189, 4}, light: ink{"#0b2c70", 17, 4}, onDark: areaBDark, onLight: areaBLight},

	HereIn: {dark: overDark, light: hereLight, onDark: stripInDark, onLight: stripInLight, style: bold, plain: bold | reverse},
	HereA:  {dark: hereDark, light: hereLight, onDark: areaADark, onLight: areaALight, style: bold, few: few{light: mark{15, 4}}, plain: bold | reverse},
	HereB:  {dark: overDark, light: hereLight, onDark: areaBDark, onLight: areaBLight, style: bold, plain: bold | reverse},

	HeatLess1: {dark: heatDark, light: hereLight, onDark: ink{"#1e4023", 22, 2}, onLight: ink{"#b2d9b8", 151, 2}},
	HeatLess2: {dark: heatDark, light: hereLight, onDark: ink{"#2d5f35", 28, 2}, onLight: ink{"#80b48a", 107, 2}},
	HeatLess3: {dark: ink{"#ffffff", 16, 0}, light: hereLight, onDark: ink{"#3b7e46", 34, 2}, onLight: ink{"#54905d", 65, 2}},
	HeatMore1: {dark: heatDark, light: hereLight, onDark: ink{"#5d2834", 88, 3}, onLight: ink{"#efc0c6", 217, 3}},
	HeatMore2: {dark: heatDark, light: hereLight, onDark: ink{"#8a3a4c", 160, 3}, onLight: ink{"#d9909b", 174, 3}},
	HeatMore3: {dark: ink{"#ffffff", 16, 0}, light: hereLight, onDark: ink{"#b64d65", 203, 3}, onLight: ink{"#c0606f", 131, 3}},

	BarPinned:    {dark: ink{"#4fa3cc", 38, 8}, light: ink{"#0089a8", 31, 12}},
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

	Match: {dark: ink{"#17171c", 233, 15}, light: ink{"#11131a", 16, 15}, onDark: ink{"#e5d37a", 186, 5}, onLight: ink{"#f5d94e", 221, 5}, plain: reverse},
	Input: {dark: ink{"#f2f4f8", 255, 15}, light: ink{"#11131a", 16, 0}, style: underline, plain: underline},
}

// styles returns the style of each role, dark unless the name is Light or NoColor.
func styles(name Name, depth Depth) [roles]lipgloss.Style {
	var drawn [roles]lipgloss.Style
	for role, look := range looks {
		text, ground := look.dark, look.onDark
		switch name {
		case NoColor:
			drawn[role] = look.plain.over(lipgloss.NewStyle())
			continue
		case Light:
			text, ground = look.light, look.onLight
		}
		style := look.style.over(lipgloss.NewStyle())
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
