package trace

import (
	"cmp"
	"slices"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// minNotes is the width from which tables have headings and notes.
const minNotes = 84

// minSections is the least width at which tables can be read.
const minSections = 40

// minName is the width of a name beside notes, so that the numbers of the tables
// stand near each other.
const minName = 22

// maxBar is the largest width of a bar beside notes, unless half of the view is more.
const maxBar = 56

// line is a line of the view: a row, or without one a sentence, a heading, a rule or a blank line.
type line struct {
	of         *section
	row        *traceRow
	says, head bool
}

// Draw draws the tables one below the other. Problems come first.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	in := draw.Rect{X: r.X, Y: r.Y, W: r.W - 1, H: r.H}
	if boxed {
		in = r.Inset(1)
		in.W--
	}
	p.Hide()
	if in.H < 1 || in.W < minSections {
		return
	}
	p.folded, p.split = in.W < minNotes, 0
	all := p.compose(f, in.W)
	p.arrange(all, true)
	if in.W >= minBeside && p.Len() <= in.H {
		p.arrangeBeside(all)
	}
	if p.folded && p.Len() > in.H {
		p.arrange(all, false)
	}
	if boxed {
		f.Box(r, p.title(f), focused)
	}
	first, end := p.Show(in)
	left, beyond := in, ""
	if boxed && p.split == 0 {
		f.RowsShown(r, first, end, p.Len())
	} else if p.split == 0 {
		beyond = widget.Beyond(first, end, p.Len())[0]
	}
	if p.split > 0 {
		left.W -= besideCells + 2
		p.right = left.X + left.W + 2
	}
	for n := first; n < end; n++ {
		row := left.Row(n - first)
		if p.split > 0 && n >= p.split {
			row = draw.Rect{X: p.right, Y: in.Y + n - p.split, W: besideCells, H: 1}
		}
		switch at := p.lines[n]; {
		case at.row != nil:
			p.row(f, row, at.of, at.row, n == p.Cursor(), focused)
		case at.says:
			if says := f.Text(row.X+1, row.Y, row.W-1, widget.Fitting(row.W-1, at.of.says...), theme.Strong); says+draw.Width(beyond)+2 < row.W {
				f.Right(row.X, row.Y, row.W, beyond, theme.Dim)
			}
		case at.head:
			p.heading(f, row, at.of)
		case p.folded:
			f.Fill(draw.Rect{X: row.X + 1, Y: row.Y, W: row.W - 1, H: 1}, f.Glyphs().Horizontal, theme.Frame)
		}
	}
	if below := max(p.split, p.Len()-p.split); !p.folded && in.H-below >= minBehind {
		p.drawBehind(f, draw.Rect{X: in.X + 1, Y: in.Y + below + 1, W: in.W - 1, H: in.H - below - 1})
	}
}

// minBeside is the width from which the tables of kinds have a column of their own, of
// besideCells cells.
const minBeside, besideCells = 170, 78

// arrangeBeside arranges the tables of kinds behind the others, for a column of their own.
func (p *View) arrangeBeside(all []section) {
	ofKinds := func(s section) bool { return slices.Contains([]string{"Quotas", "Counts", "Kinds"}, s.title) }
	others := slices.DeleteFunc(slices.Clone(all), ofKinds)
	kinds := slices.DeleteFunc(all, func(s section) bool { return !ofKinds(s) })
	p.arrange(slices.Concat(others, kinds), true)
	p.split = max(0, slices.IndexFunc(p.lines, func(l line) bool { return l.head && ofKinds(*l.of) }))
}

// title returns what the view shows, of which side, and of when if that is not now.
func (p *View) title(f *widget.Frame) string {
	s, items := "Trace  where "+f.Exp.Setup().Budget.MaxTokens.String()+" tokens go", f.Exp.Items().Len()
	if !f.NoResult {
		s += ", and where " + plain.Count(items, "item") + widget.Verb(items, " goes", " go")
	}
	if f.Side == experiment.B {
		s += "  (B)"
	}
	if f.Old && !f.NoResult && f.Out != nil && f.Out.Report != nil {
		s += "  (" + f.OldText() + "; the room is of now)"
	}
	return s
}

// compose returns the tables. Without a result it leaves out those that need one, and the problem if a row of
// the arithmetic leads to the knob that mends it: the notice above the view says the rest.
func (p *View) compose(f *widget.Frame, width int) []section {
	all := []section{p.problems(f, width), p.arithmetic(f)}
	leads := func(r traceRow) bool { return r.lead.Knob != "" && r.lead == all[0].rows[0].lead }
	if f.NoResult && len(all[0].rows) > 0 && slices.ContainsFunc(all[1].rows, leads) {
		return all[1:]
	}
	if f.Out == nil || f.NoResult || p.sums.of != f.Out.Report {
		return all
	}
	results := []section{p.items(f, width), p.quotas(f), p.counts(f), p.kinds(f)}
	if f.Old {
		for _, s := range results {
			for k := range s.rows {
				s.rows[k].old = true
			}
		}
	}
	return append(all, results...)
}

// arrange makes lines of the tables that have rows, with a heading or a sentence before each and,
// if apart, a blank line or a rule between them. When folded, a table has its heading in place of the rule.
func (p *View) arrange(all []section, apart bool) {
	p.lines = p.lines[:0]
	for n := range all {
		s := &all[n]
		if len(s.rows) == 0 {
			continue
		}
		inRule := p.folded && len(s.heads) > 0
		if apart && len(p.lines) > 0 && !inRule {
			p.lines = append(p.lines, line{})
		}
		if len(s.says) > 0 {
			p.lines = append(p.lines, line{of: s, says: true})
		}
		if s.title != "" && (!p.folded && len(s.says) == 0 || s.named || inRule) {
			p.lines = append(p.lines, line{of: s, head: true})
		}
		for k := range s.rows {
			p.lines = append(p.lines, line{of: s, row: &s.rows[k]})
		}
	}
	p.Skip = func(n int) bool { return p.lines[n].row == nil }
	p.SetLen(len(p.lines))
}

// columns returns the width of the names of a table in width cells, and the widths of the numbers.
func (p *View) columns(s *section, width int) (name int, cells []int) {
	name = draw.Width(s.title) - 1
	if !p.folded { // which begins one cell before
		name = minName
	}
	cells = make([]int, len(s.heads))
	for k, head := range s.heads {
		cells[k] = draw.Width(head)
	}
	for _, row := range s.rows {
		if len(row.cells) == 0 { // a sentence
			continue
		}
		name = max(name, draw.Width(row.name))
		for k, cell := range row.cells {
			if k == len(cells) {
				cells = append(cells, 0)
			}
			cells[k] = max(cells[k], draw.Width(cell.Text))
		}
	}
	room := width - 2
	for _, w := range cells {
		room -= w + 2
	}
	return min(name, room), cells
}

func (p *View) heading(f *widget.Frame, r draw.Rect, s *section) {
	name, cells := p.columns(s, r.W)
	x := r.X + 1 + f.Text(r.X+1, r.Y, r.W-1, s.title, theme.Strong)
	at := r.X + 2 + name
	for k, head := range s.heads {
		f.Right(max(x, at+2), r.Y, cells[k], head, theme.Dim)
		at += 2 + cells[k]
	}
	f.Text(at+2, r.Y, r.X+r.W-at-2, s.note, theme.Dim)
}

func (p *View) row(f *widget.Frame, r draw.Rect, s *section, row *traceRow, cursor, focused bool) {
	g := f.Glyphs()
	end, marked := r.X+r.W, r
	if len(row.cells) == 0 {
		f.Spans(r.X+2, r.Y, r.W-2, row.spans...)
	} else {
		name, cells := p.columns(s, r.W)
		f.Text(r.X+2, r.Y, name, draw.Fit(row.name, name, g), row.role)
		x := r.X + 2 + name
		for k, cell := range row.cells {
			f.Right(x+2, r.Y, cells[k], cell.Text, cell.Role)
			x += 2 + cells[k]
		}
		for _, w := range cells[len(row.cells):] {
			x += 2 + w
		}
		x += 2
		if s.scale > 0 {
			marked.W = x - 1 - r.X // before the bar, which the ground of the row would make longer
			width := end - x
			if note := s.noteWidth(); !p.folded && note > 0 {
				width = min(max(maxBar, r.W/2-2), width-2-note)
			}
			bar := draw.Rect{X: x, Y: r.Y, W: width, H: 1}
			if s.joined {
				f.DrawJoined(bar, s.scale, s.bars(), row.bars)
			} else {
				f.DrawStretches(bar, s.scale, row.bars)
			}
			x += width + 2
		}
		if !p.folded && end > x {
			f.Text(x, r.Y, end-x, draw.FitWords(row.note, end-x, g), theme.Dim)
		}
	}
	if row.old {
		f.Mark(r, theme.Old)
	}
	f.CursorRow(marked, cursor, focused)
}

// DrawLosses draws what a budget loses, down to the row that tells how much is missing, if one does
// and r has the room. It returns how many rows that took.
func DrawLosses(f *widget.Frame, r draw.Rect) int {
	p := View{folded: true}
	s := p.arithmetic(f)
	n := 1 + slices.IndexFunc(s.rows, func(row traceRow) bool { return row.cells[0].Role == theme.Error })
	if n > r.H {
		return 0
	}
	s.rows = s.rows[:n]
	for k := range s.rows {
		p.row(f, r.Row(k), &s, &s.rows[k], false, false)
	}
	return n
}

// bars returns the bars of all rows.
func (s *section) bars() (all []widget.Stretch) {
	for _, row := range s.rows {
		all = append(all, row.bars...)
	}
	return all
}

// noteWidth returns the width of the widest note.
func (s *section) noteWidth() (widest int) {
	for _, row := range s.rows {
		widest = max(widest, draw.Width(row.note))
	}
	return widest
}

// hint says in a few words where the row under the cursor leads.
func (p *View) hint() string {
	lead := p.Lead()
	if lead.Filter != "" {
		return "its items"
	}
	return "change " + plain.Line(cmp.Or(lead.Name, strings.TrimSuffix(string(lead.Knob), " (p)")), 40)
}
