package window

import (
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// inner returns the main area without its frame.
func (p *View) inner() draw.Rect { return p.rect.Inner(p.boxed) }

// body returns the rectangle of the text: if pairs are split, below the line about them.
func (p *View) body() draw.Rect {
	in, above := p.textArea(), 0
	if p.tellsSplits(in) {
		above = 1
	}
	return draw.Rect{X: in.X + 1, Y: in.Y + above, W: max(4, in.W-2), H: max(1, in.H-above)}
}

// tellsSplits reports whether a line is about split pairs.
func (p *View) tellsSplits(in draw.Rect) bool {
	return p.out != nil && len(p.out.Split) > 0 && in.H >= 6 && p.diff.with == nothing
}

// Draw draws the window.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.Fit(r, boxed, f.Theme())
	p.focused = focused
	f.DrawTitle(r, p.title(f), p.boxed, focused)
	in := p.inner()
	if in.H < 1 || in.W < 20 {
		return
	}
	f.DrawNoResult(in, "there is nothing for the model to read")
	if p.out == nil || f.Out == nil {
		return
	}
	if p.diff.with != nothing && p.diff.in.items+p.diff.out.items == 0 {
		f.Lines(draw.Rect{X: in.X + 2, Y: in.Y + 1, W: in.W - 4, H: in.H - 1}, draw.Paragraph(in.W-4, draw.Span{Text: p.diff.same(), Role: theme.Dim}))
		return
	}
	if p.len() == 0 {
		f.Text(in.X+2, in.Y+1, in.W-4, "Nothing is in at this budget: the model reads nothing.", theme.Dim)
		return
	}
	p.drawOutline(f, p.outline())
	if p.tellsSplits(in) {
		text := p.textArea()
		p.splitLine(f, draw.Rect{X: text.X + 1, Y: text.Y, W: text.W - 2, H: 1})
	}
	body := p.body()
	if width := body.W - 2; p.text.width != width {
		p.text.reset(width)
		p.clamp()
	}
	p.lines(f, body)
	if boxed {
		where := " " + p.where() + " "
		f.Right(r.X, r.Y+r.H-1, r.W-2, where, theme.Dim)
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

// lines draws the text, beginning with the line at the top of the screen.
func (p *View) lines(f *widget.Frame, body draw.Rect) {
	at, ok := p.at, true
	for y := 0; y < body.H && ok; y++ {
		row := body.Row(y)
		if at.piece == 0 {
			if head := p.head(at.place); at.line < len(head) {
				p.headLine(f, row, head[at.line], at)
			}
		} else if p.isEnd(at.place, at.piece) {
			_, left := p.gapsTo(at.place + 1)
			f.Spans(row.X, row.Y, row.W, p.leftOut(left)...)
		} else if text := p.text.piece(p.key(at.place), p.content(at.place), at.piece-1); at.line < len(text) {
			role := theme.Plain
			if m := p.places[at.place].mark; m != unmarked {
				sign, mark := p.sign(m)
				if p.diff.with == otherSide { // the line about the item has the letter
					sign = f.Glyphs().Vertical
				}
				f.Set(row.X, row.Y, sign, mark)
				if m == onlyThere {
					role = theme.Dim
				}
			}
			f.Text(row.X+2, row.Y, row.W-2, text[at.line], role)
			p.matches(f, row.X+2, row.Y, row.W-2, text[at.line])
		}
		at, ok = p.next(at)
	}
}

// headLine draws a line about an item; the first one after what is left out is a rule.
func (p *View) headLine(f *widget.Frame, r draw.Rect, spans []draw.Span, at anchor) {
	n := f.Spans(r.X, r.Y, r.W, spans...)
	if _, left := p.gapsTo(at.place); at.line > 0 && left == nil || left != nil && at.line != 1 {
		return
	}
	if at.place == p.at.place {
		f.Cursor(r.X, r.Y, p.focused)
	}
	if p.places[at.place].mark != inBoth {
		f.Fill(draw.Rect{X: r.X + n, Y: r.Y, W: r.W - n, H: 1}, f.Glyphs().Horizontal, theme.Frame)
		f.MarkItem(r.X+1, r.Y, p.item(at.place))
	}
}

// matches marks the occurrences of the searched text in a line.
func (p *View) matches(f *widget.Frame, x, y, width int, line string) {
	if p.find.text == "" {
		return
	}
	for from := 0; from < len(line); {
		a, b, ok := p.find.needle.Find(line[from:])
		if !ok {
			return
		}
		left := draw.Width(line[:from+a])
		f.Text(x+left, y, width-left, line[from+a:from+b], theme.Match)
		from += max(b, a+1)
	}
}

// head returns the lines about the item at a place: what is left out before it, its
// position, its cost, and the partner that it is split from.
func (p *View) head(place int) [][]draw.Span {
	if at := p.places[place]; at.mark != unmarked {
		return [][]draw.Span{p.diffHead(at)}
	}
	i := p.item(place)
	it, rep, g := p.out.Items.Loaded(i), p.out.Report, p.glyphs
	width := p.body().W
	sp := func(text string, role theme.Role) draw.Span { return draw.Span{Text: text, Role: role} }
	glyph, role, _ := widget.State(g, p.out, i)
	tokens, about := widget.ItemTokens(p.out.Items, i), export.Mark(p.out.Items, false)
	if cut := widget.SizeText(rep, i, model.Tokens.String); cut != "" {
		tokens = cut
	}
	where := plain.Thousands(place+1) + " of " + plain.Thousands(p.len())
	by := plain.Line(string(it.Source), 12)
	if role, ok := it.Metadata["role"].(string); ok && role != "" {
		by = plain.Line(role, 12)
	}
	if strings.EqualFold(by, widget.KindName(it.Kind)) || by == string(model.Rag) { // the kind says it
		by = ""
	}
	form := func(source, total, reason bool) []draw.Span {
		s := []draw.Span{sp("  ", theme.Plain), sp(string(glyph), role), sp(" #"+strconv.Itoa(i)+" ", theme.Strong),
			sp(plain.Line(widget.KindName(it.Kind), 12)+" ", theme.Strong)}
		if source && by != "" {
			s = append(s, sp(by+" ", theme.Dim))
		}
		s = append(s, sp(" "+tokens+" tok ", theme.Plain))
		if total {
			s = append(s, sp(" "+where+", up to "+about+p.before[place+1].String()+" of "+about+rep.Kept.String()+" ", theme.Dim))
		} else {
			s = append(s, sp(" "+where+" ", theme.Dim))
		}
		if reason {
			s = append(s, sp(p.reason(i)+" ", theme.Dim))
		}
		return s
	}
	var lines [][]draw.Span
	if _, left := p.gapsTo(place); left != nil {
		lines = append(lines, p.leftOut(left))
	}
	lines = append(lines, draw.FirstThatFits(width, form(true, true, true), form(true, true, false), form(true, false, false), form(false, false, false)))
	if partner, split := p.out.Alone(i); split {
		lines = append(lines, p.splitLines(i, partner, width)...)
	}
	return lines
}

// splitLine draws the number of split pairs and the budgets at which there are
// none.
func (p *View) splitLine(f *widget.Frame, r draw.Rect) {
	n := string(f.Glyphs().Split) + " " + plain.Count(len(p.out.Split), "split pair")
	sp := func(text string, role theme.Role) draw.Span { return draw.Span{Text: text, Role: role} }
	whole := p.wholeText()
	if whole != "" {
		whole = "; " + whole
	}
	keys := sp("   M: fix, D: all ways", theme.Dim)
	f.Spans(r.X, r.Y, r.W, draw.FirstThatFits(r.W, []draw.Span{sp(n, theme.Warn), sp(whole, theme.Plain), keys},
		[]draw.Span{sp(n, theme.Warn), sp(whole, theme.Plain)}, []draw.Span{sp(n, theme.Warn), keys}, []draw.Span{sp(n, theme.Warn)})...)
}

// where names the item at the top and its place, or which difference it is. Keys act on that item, and its
// heading may have scrolled away.
func (p *View) where() string {
	if p.diff.with != nothing {
		upTo, all := countDiffering(p.places[:p.at.place+1]), plain.Count(countDiffering(p.places), "difference")
		if !p.places[p.at.place].differs() {
			return all
		}
		return "#" + strconv.Itoa(p.item(p.at.place)) + ", " + plain.Thousands(upTo) + " of " + all
	}
	return "#" + strconv.Itoa(p.item(p.at.place)) + ", " + plain.Thousands(p.at.place+1) + " of " + plain.Thousands(p.len())
}

// order says in which order the placer puts the items.
func (p *View) order() (order, placer string) {
	order = "oldest first"
	if p.out.Policy.Placer == model.UShaped {
		order = "the best at both ends"
	}
	return order, " (placer " + string(p.out.Policy.Placer) + ")"
}

// reason returns what the placer goes by at an item: its time or its score.
func (p *View) reason(item int) string {
	it, rep := p.out.Items.Loaded(item), p.out.Report
	switch {
	case p.out.Policy.Placer == model.UShaped && rep.Codes[item] == model.Pinned:
		return "  placed as score 1"
	case p.out.Policy.Placer == model.UShaped:
		return "  score " + widget.Score(rep.Scores[item], 6)
	case it.Timestamp.Set && !itemset.IsSynthetic(it.Timestamp.Value):
		return "  " + it.Timestamp.Value.UTC().Format("2006-01-02 15:04")
	}
	return "  without a time"
}

func (p *View) title(f *widget.Frame) string {
	if f.NoResult || p.out == nil {
		return "Window"
	}
	if p.diff.with != nothing {
		return "Window  " + p.diff.words(f, p.rect.W-15)
	}
	cut, noted := p.out.Report.CountShrunk()
	s := ""
	if find := p.findText(); find != "" { // first, as n and N change it alone
		s += find + "   "
	}
	s += plain.Count(p.len()-noted, "item")
	if cut > 0 {
		s += " (" + plain.Thousands(cut) + " cut)"
	}
	if noted > 0 {
		s += " and " + plain.Count(noted, "note")
	}
	s += ", " + f.Sum(p.out.Report.Kept) + " tok"
	where := ""
	if !p.boxed && p.len() > 0 {
		where = ", at " + p.where()
	}
	order, placer := p.order()
	for k, form := range [...]string{"the model reads " + s + ", " + order + placer, s + ", " + order + placer, s + ", " + order} {
		if !f.Old && draw.Width("Window  "+form+where)+4 <= p.rect.W && (k > 0 || p.find.text == "") {
			s = form
			break
		}
	}
	s = "Window  " + s + where
	if f.Old {
		s += "  (" + f.OldText() + ")"
	}
	return s
}
