package palette

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// mark is a glyph or a colour and its meaning.
type mark struct {
	glyph func(g *theme.Glyphs) rune
	role  theme.Role
	text  string
}

// section is a part of the legend: the marks of one place on the screen.
type section struct {
	name  string
	also  string // further words that a search finds it by
	marks []mark
}

// sections returns the marks, grouped by where on the screen they appear.
func sections() []section {
	type g = *theme.Glyphs
	return []section{
		{"items", "glyph mark symbol state", []mark{
			{func(g g) rune { return g.In }, theme.In, "in"},
			{func(g g) rune { return g.Risk }, theme.Risk, "in, " + plain.AtRisk},
			{func(g g) rune { return g.Out }, theme.Out, "out"},
			{func(g g) rune { return g.Cut }, theme.In, "in, cut"},
			{func(g g) rune { return g.Note }, theme.Out, "out, its note in its place"},
			{func(g g) rune { return g.Pinned }, theme.Pin, export.CodeWord(model.Pinned)},
			{func(g g) rune { return g.Dup }, theme.Dup, export.CodeWord(model.Deduplicated)},
			{func(g g) rune { return g.Excluded }, theme.Out, export.CodeWord(model.Filtered) + " by you"},
			{func(g g) rune { return g.Negative }, theme.Out, export.CodeWord(model.NegativeTokens)},
			{func(g g) rune { return g.Split }, theme.Warn, "split pair"},
			{func(g g) rune { return g.Chosen }, theme.Match, "chosen with v"},
			{func(g g) rune { return g.Needed }, theme.Needed, "marked as needed with *"},
			{func(g g) rune { return g.Cursor }, theme.Focus, "the row that keys act on"},
			{func(g g) rune { return g.Idle }, theme.Dim, "that row, while keys act elsewhere"},
			{func(g g) rune { return g.Folded }, theme.Focus, "a folded group"},
			{func(g g) rune { return g.Open }, theme.Focus, "an open group"},
		}},
		{"strip", "column budgets band", []mark{
			{func(g g) rune { return g.Strip[0] }, theme.StripOut, "in at none"},
			{func(g g) rune { return g.Strip[1] }, theme.StripSome, "to 1/3"},
			{func(g g) rune { return g.Strip[2] }, theme.StripSome, "to 2/3"},
			{func(g g) rune { return g.Strip[3] }, theme.StripSome, "more"},
			{func(g g) rune { return g.Strip[4] }, theme.StripIn, "all of a column's budgets"},
			{func(g g) rune { return g.Sizes[2] }, theme.StripIn, "all, in its larger cuts"},
			{func(g g) rune { return g.Sizes[1] }, theme.StripIn, "all, cut"},
			{func(g g) rune { return g.Sizes[0] }, theme.Dim, "its note alone"},
			{func(g g) rune { return g.Dup }, theme.Dim, export.CodeWord(model.Deduplicated) + ": what it repeats is in"},
			{func(g g) rune { return g.StripHere }, theme.StripHere, "the budget now"},
			{func(g g) rune { return g.StripHereIn }, theme.StripHere, "the budget now, where the item is in"},
		}},
		{"map", "ranges often", []mark{
			{func(g g) rune { return g.Times }, theme.StripSome, "after a number: so often the item comes in"},
			{func(g g) rune { return g.Several }, theme.StripSome, "comes in more than once"},
		}},
		{"bar", "budget room", []mark{
			{func(g g) rune { return g.BarPinned }, theme.BarPinned, plain.Pinned},
			{func(g g) rune { return g.BarSelected }, theme.BarSelected, "selected"},
			{func(g g) rune { return g.BarFree }, theme.BarFree, "free"},
			{func(g g) rune { return g.BarHeld }, theme.BarHeld, string(experiment.HeldBack) + " for a kind"},
			{func(g g) rune { return g.BarSafety }, theme.BarSafety, string(experiment.SafetyMargin)},
			{func(g g) rune { return g.BarOutput }, theme.BarOutput, string(experiment.OutputReserve)},
			{func(g g) rune { return g.BarAbove }, theme.BarAbove, "above the target"},
			{func(g g) rune { return g.Swatch }, theme.BarSelected, "selected, in words below the bar"},
			{func(g g) rune { return g.KeptSwatch }, theme.BarOutput, "kept back, in words below the bar"},
		}},
		{"header", "name dot bullet unsaved knob", []mark{
			{func(g g) rune { return []rune(g.Unsaved)[0] }, theme.Warn, "after the name: changes that are not saved, which w saves"},
			{func(g g) rune { return []rune(g.About)[0] }, theme.Warn, "rests on token counts that are estimates"},
			{func(g g) rune { return []rune(g.KnobLeft)[0] }, theme.Focus, "h turns the knob down"},
			{func(g g) rune { return []rune(g.KnobRight)[0] }, theme.Focus, "l turns it up"},
		}},
		{"turns", "cache request cost", []mark{
			{func(g g) rune { return g.BarSelected }, theme.CacheWritten, "written to the prompt cache"},
			{func(g g) rune { return g.Cached }, theme.CacheRead, "read from it"},
			{func(g g) rune { return g.Uncached }, theme.Uncached, "not cached: the prompt is too short"},
			{func(g g) rune { return g.Limit }, theme.Dim, "the budget less output"},
			{func(g g) rune { return g.Fall }, theme.Loss, "the prefix breaks, or the request fails"},
			{func(g) rune { return '+' }, theme.Loss, "broken by what came in"},
			{func(g) rune { return '−' }, theme.Loss, "broken by what left"},
			{func(g) rune { return '~' }, theme.Loss, "broken by what moved"},
			{func(g) rune { return '!' }, theme.Loss, "broken by what changed, as to another size"},
			{func(g) rune { return 'C' }, theme.Warn, "a compaction was recorded"},
			{func(g g) rune { return g.Better }, theme.Gain, "costs least"},
		}},
		{"compare", "better", []mark{
			{func(g g) rune { return g.Better }, theme.Gain, "the better of two"},
		}},
		{"curve", "falls", []mark{
			{func(g g) rune { return g.Fall }, theme.Loss, "a larger budget gives less"},
			{func(g g) rune { return g.Better }, theme.SideB, "goes on above"},
		}},
		{colours, "colour color", []mark{
			{func(g g) rune { return g.In }, theme.Gain, "in, more"},
			{func(g g) rune { return g.Out }, theme.Loss, "leaves, less"},
			{func(g g) rune { return g.Risk }, theme.Risk, plain.AtRisk + ", now"},
			{func(g g) rune { return g.BarSelected }, theme.StripSome, "in at some"},
			{func(g g) rune { return g.Pinned }, theme.Pin, export.CodeWord(model.Pinned)},
			{func(g g) rune { return g.BarSelected }, theme.Dim, "out, units"},
			{func(g) rune { return 'A' }, theme.SideA, "policy A"},
			{func(g) rune { return 'B' }, theme.SideB, "policy B"},
		}},
	}
}

// colours is the name of the section that is left out without colours.
const colours = "colours"

// legendGroup is the group of the lines that explain a word or a mark: they answer only a search
// that they match whole.
const legendGroup = "legend"

// LegendCommands returns the legend as lines of the palette's list: one for each
// group of marks and one for each term. Each explains its name.
func LegendCommands(explain func(name string)) []Command {
	var all []Command
	add := func(name, text, words string) {
		open := func() tea.Cmd { explain(name); return nil }
		all = append(all, Command{Group: legendGroup, Text: name + ": " + text, Words: words, Run: open})
	}
	for _, s := range sections() {
		var texts []string
		for _, m := range s.marks {
			texts = append(texts, m.text)
		}
		add(s.name, strings.Join(texts, "; "), s.also)
	}
	for _, t := range plain.Terms() {
		add(t.Name, t.Means, "word mean")
	}
	return all
}

// MarkMeanings returns what a line of one mark means, a line for each place on the screen where it stands.
func MarkMeanings(line string, g *theme.Glyphs, explain func(name string)) (all []Command) {
	if len(line) > utf8.UTFMax {
		return nil
	}
	for _, s := range sections() {
		for _, m := range s.marks {
			if s.name != colours && string(m.glyph(g)) == line {
				open := func() tea.Cmd { explain(s.name); return nil }
				all = append(all, Command{Group: legendGroup, Text: line + " in " + s.name + ": " + m.text, Run: open})
			}
		}
	}
	return all
}

// Meanings returns the lines of the legend that explain what is asked for: "what is slack", "what
// does slack mean", or the name alone.
func Meanings(line string, legend []Command) (all []Command) {
	asked := strings.Join(telling(strings.Fields(strings.TrimRight(strings.ToLower(line), "? "))), " ")
	asked = strings.TrimSuffix(strings.TrimPrefix(asked, "explain "), " mean")
	for _, c := range legend {
		name, _, _ := strings.Cut(c.Text, ": ")
		if names := strings.Split(strings.ToLower(name), ", "); slices.Contains(names, asked) || slices.Contains(names, "at "+asked) {
			all = append(all, c)
		}
	}
	return all
}
