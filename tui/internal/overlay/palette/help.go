package palette

import (
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Guide is what the help shows as long as nothing is typed: what one may want to do now, the keys of
// what is on the screen and those that move, what one sees, the marks, all other keys by place,
// and the words. What is open over a view has its keys first.
type Guide struct {
	Tasks []Command // what a newcomer wants to do
	Here  []Command // the keys that act here before others, and those that move; a group a heading
	Over  bool      // Here is of what is open over a view
	Rest  []Command // all other keys
	At    string    // the word or the mark to begin at; "": the beginning

	widget.Scroller
	tabs []tab
	end  bool // the last line is on the screen
}

// tab is a part of the guide that tab leads to, and the line that it begins at.
type tab struct {
	name string
	at   int
}

// seen says what is on the screen, a place a line, each short enough for 80 columns.
var seen = [...][2]string{
	{"cupelscope", "shows which items fit into a token budget, by Cupel's rules"},
	{"Cupel", "a specification of how to choose what goes into a prompt"},
	{"first line", "how many items are in, how many are " + plain.AtRisk + ", their value"},
	{plain.AtRisk, "in, but lost if the budget is smaller by the knob slack"},
	{"bar below", "the budget: " + plain.Pinned + ", selected, free, and what is kept back"},
	{"row", "tokens, why it is out or where it comes in and stays"},
	{"strip in it", "all budgets, small to large: filled where the item is in"},
}

// helpLine is a line of the guide: a name and what it means, or a command.
type helpLine struct {
	heading string
	name    string
	text    []draw.Span
	command *Command
}

// nameWidth is the width, in cells, of the column of names and keys.
const nameWidth = 15

// key handles a key that scrolls; false: it is another key.
func (g *Guide) key(name string) bool {
	if name == "tab" {
		g.next()
	}
	return name == "tab" || name == "enter" || widget.MoveKey(name, g.Move, g.Page)
}

// next scrolls to the next tab, from the last one to the first.
func (g *Guide) next() {
	for _, t := range g.tabs {
		if t.at > g.First() && !g.end {
			g.Move(t.at - g.First())
			return
		}
	}
	g.Top()
}

// title returns the names of the tabs, with the tab at the first line in brackets, as for the
// views; if alone, only that tab.
func (g *Guide) title(alone bool) string {
	names, shown := "", 0
	for k, t := range g.tabs {
		if t.at <= g.First() || g.end && g.First() > 0 {
			shown = k
		}
	}
	for k, t := range g.tabs {
		if k == shown {
			t.name = "[" + t.name + "]"
		}
		if k == shown || !alone {
			names += "  " + t.name
		}
	}
	return "Help" + names
}

// draw draws lines of the guide in r, and says at the edge of the frame around it that there is more.
func (g *Guide) draw(f *widget.Frame, r, frame draw.Rect, lines []helpLine) {
	first := g.Show(r.H, len(lines))
	g.end = first+r.H >= len(lines)
	for k, l := range lines[first:min(len(lines), first+r.H)] {
		row := draw.Rect{X: r.X + 1, Y: r.Y + k, W: r.W - 2, H: 1}
		switch {
		case l.command != nil:
			drawRow(f, row, *l.command, nameWidth)
		case l.heading != "":
			w := f.Text(row.X, row.Y, row.W, l.heading, theme.Strong) + 1
			f.Fill(draw.Rect{X: row.X + w, Y: row.Y, W: row.W - w, H: 1}, f.Glyphs().Horizontal, theme.Frame)
		default:
			f.Text(row.X, row.Y, nameWidth-1, l.name, theme.Plain)
			f.Spans(row.X+nameWidth, row.Y, row.W-nameWidth, l.text...)
		}
	}
	f.OverlayRows(frame, r, first, first+r.H, len(lines))
}

// lines returns the whole guide, each part under its heading, and scrolls to At.
func (g *Guide) lines(f *widget.Frame, width int) (all []helpLine) {
	g.tabs = g.tabs[:0]
	begin := func(name string) { g.tabs = append(g.tabs, tab{name, len(all)}) }
	part := func(heading string, lines []helpLine) {
		all = append(append(all, helpLine{heading: heading}), lines...)
	}
	groups := func(commands []Command) {
		for n := 0; n < len(commands); {
			end := n + 1
			for end < len(commands) && commands[end].Group == commands[n].Group {
				end++
			}
			part(commands[n].Group, commandLines(commands[n:end]))
			n = end
		}
	}
	text := width - nameWidth
	var sights, words []helpLine
	for _, s := range seen {
		sights = append(sights, named(s[0], draw.Paragraph(text, draw.Span{Text: s[1]}))...)
	}
	for _, t := range plain.Terms() {
		words = append(words, named(t.Name, draw.Paragraph(text, draw.Span{Text: t.Means}))...)
	}
	here := func() { begin("Keys"); groups(g.Here) }
	if g.Over {
		here()
	}
	begin("I want to")
	part("I want to", commandLines(g.Tasks))
	if !g.Over {
		here()
	}
	begin("Screen")
	part("What the screen shows", sights)
	begin("Marks")
	part("Marks", markLines(f, text))
	begin("All keys")
	groups(g.Rest)
	begin("Words")
	part("Words", words)
	for k, l := range all {
		if g.At != "" && l.name == g.At {
			g.Top()
			g.Move(k)
		}
	}
	g.At = ""
	return all
}

func commandLines(commands []Command) (lines []helpLine) {
	for k := range commands {
		lines = append(lines, helpLine{command: &commands[k]})
	}
	return lines
}

// markLines returns the marks, grouped by place.
func markLines(f *widget.Frame, width int) (lines []helpLine) {
	for _, s := range sections() {
		if s.name == colours && f.Theme().Name == theme.NoColor {
			continue // nothing tells them apart
		}
		var parts [][]draw.Span
		for _, m := range s.marks {
			if m.glyph(f.Glyphs()) == 0 {
				continue
			}
			parts = append(parts, []draw.Span{{Text: string(m.glyph(f.Glyphs())), Role: m.role}, {Text: " " + m.text}})
		}
		lines = append(lines, named(s.name, widget.Pack(width, parts))...)
	}
	return lines
}

// named returns lines of text, with a name before the first.
func named(name string, text [][]draw.Span) (lines []helpLine) {
	for _, spans := range text {
		lines = append(lines, helpLine{name: name, text: spans})
		name = ""
	}
	return lines
}
