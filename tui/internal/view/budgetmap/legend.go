package budgetmap

import (
	"cmp"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// readOut describes item i, under the cursor, at the current budget. A duplicate has the
// budgets of the item that it repeats.
func (p *View) readOut(f *widget.Frame, r draw.Rect, i int) {
	it := f.Exp.Items().Loaded(i)
	_, role, word := widget.State(f.Glyphs(), f.Out, i)
	sp := func(text string, role theme.Role) draw.Span { return draw.Span{Text: text, Role: role} }
	budget := func(b model.Tokens, ok bool) string {
		if !ok {
			return f.NoBudget(i, r.W)
		}
		return f.BudgetText(b)
	}
	survivor := f.Out.Report.Survivor(i)
	firstIn, staysFrom, now := budget(f.Out.Profile.FirstIn(survivor)), budget(f.Out.Profile.StaysFrom(survivor)), f.Out.Report.Budget.MaxTokens().String()
	if p.over != nil {
		survivor = i
		firstIn, staysFrom, now = p.over.Extent(p.rows.Extents()[i])
	}
	form := func(name int, several, at bool) []draw.Span {
		first, stays := "first ", "stays "
		if name > 24 {
			first, stays = " first in ", " "+plain.StaysFrom+" "
		}
		var s []draw.Span
		if g := p.group(); g > 1 { // the items that share the line
			items := p.itemsOf(p.rows.Cursor() / g)
			s = append(s, widget.Plain(plain.Thousands(inNow(f, items))+" of "+plain.Count(len(items), "item")+" in; "))
		}
		s = append(s, sp("#"+strconv.Itoa(i)+" "+plain.Line(widget.KindName(it.Kind), 4)+" ", theme.Strong),
			sp(plain.Line(it.Headline(8*name+64), name), theme.Plain))
		if survivor != i {
			same := export.WhyOut(simulate.Reason{Obstacle: simulate.IsDuplicate, By: survivor}, nil, model.Policy{}, false)
			s = append(s, sp("  "+same.Forms[0]+":", theme.Out))
		}
		s = append(s, sp("  "+first, theme.Dim), sp(firstIn, theme.Strong),
			sp("  "+stays, theme.Dim), sp(staysFrom, theme.Strong))
		if several && survivor == i {
			if line, ok := p.cells.lines[p.rows.Cursor()]; ok && p.group() == 1 {
				s = append(s, sp("  "+plain.Count(line.ranges, "range"), theme.Dim))
			}
		}
		switch {
		case f.NoResult:
			return append(s, sp("  "+f.NoResultText(), theme.Error))
		case at:
			s = append(s, sp("  at "+now+": ", theme.Dim))
		default:
			s = append(s, sp("  ", theme.Dim))
		}
		return append(s, sp(word, role))
	}
	f.Spans(r.X, r.Y, r.W, draw.FirstThatFits(r.W, form(40, true, true), form(32, true, true), form(24, true, true), form(16, true, true),
		form(16, false, true), form(8, false, false), form(0, false, false))...)
}

// legend explains the cells and the marks beside them, the most important ones
// first. It explains a rare mark only while that is on the screen.
func (p *View) legend(f *widget.Frame, r draw.Rect) {
	x, end := r.X, r.X+r.W
	g := f.Glyphs()
	var samples []sample
	if p.waiting() {
		samples = append(samples, sample{0, []theme.Tone{theme.ToneWait}, g.Ellipsis, theme.Dim, 0, "computing"})
	}
	samples = append(samples,
		sample{g.In, []theme.Tone{theme.ToneIn}, string(g.Strip[4]), theme.In, theme.StripIn, "in"},
		sample{0, []theme.Tone{theme.ToneIn1, theme.ToneIn2, theme.ToneIn3}, string(g.Strip[1:4]), theme.StripSome, 0, "in at some"})
	if f.Out.Items.HasSizes() && p.group() == 1 {
		samples = append(samples,
			sample{g.Cut, []theme.Tone{theme.ToneCut, theme.ToneCutLess}, string(g.Sizes[1:]), theme.In, theme.StripIn, "cut"},
			sample{g.Note, []theme.Tone{theme.ToneNote}, string(g.Sizes[:1]), theme.Dim, 0, "note"})
	}
	samples = append(samples,
		sample{g.Out, []theme.Tone{theme.ToneOut}, string(g.Strip[0]), theme.Out, 0, "out"},
		sample{g.Risk, []theme.Tone{theme.ToneRisk}, "", theme.Risk, 0, plain.AtRisk},
		sample{g.Pinned, []theme.Tone{theme.TonePin}, "", theme.Pin, 0, plain.Pinned})
	if p.group() == 1 {
		samples = append(samples, p.rare(f)...)
	}
	for _, s := range samples {
		x += p.sample(f, x, r.Y, end, s)
	}
	now := sample{0, nil, string([]rune{g.StripHereIn, g.StripHere}), theme.StripHere, 0, "now"}
	if !p.shades {
		end -= draw.Width(now.glyphs+now.text) + 3
	}
	ranges := []string{string(g.Several) + ": comes in more than once"}
	if p.named() {
		ranges = []string{"2" + string(g.Times) + ": comes in twice", "2" + string(g.Times) + ": in twice"}
	}
	degree := "  stronger"
	if !p.shades {
		degree = "  taller"
	}
	var forms [][]draw.Span
	for _, more := range [...]string{degree + ": in at more budgets", ""} {
		for _, text := range ranges {
			forms = append(forms, []draw.Span{{Text: text, Role: theme.StripSome}, {Text: more, Role: theme.Dim}})
		}
	}
	if said := draw.FirstThatFits(end-x, forms...); draw.SpansWidth(said) <= end-x {
		x += f.Spans(x, r.Y, end-x, said...) + 2
	}
	if !p.shades {
		p.sample(f, x, r.Y, r.X+r.W, now)
	}
}

// rare returns the rare marks that items on the screen have.
func (p *View) rare(f *widget.Frame) []sample {
	g := f.Glyphs()
	all := []sample{
		{g.Needed, nil, "", theme.Needed, 0, "needed"},
		{g.Chosen, nil, "", theme.Match, 0, "chosen"},
		{g.Dup, nil, "", theme.Out, 0, export.CodeWord(model.Deduplicated)},
		{g.Excluded, nil, "", theme.Out, 0, export.CodeWord(model.Filtered)},
		{g.Negative, nil, "", theme.Out, 0, export.CodeWord(model.NegativeTokens)},
	}
	there := map[rune]bool{}
	for _, i := range p.rows.Rows()[min(p.top, p.rows.Len()):min(p.top+p.lines(), p.rows.Len())] {
		state, _, _ := widget.State(g, f.Out, int(i))
		there[state] = true
		there[g.Needed] = there[g.Needed] || f.Needed(int(i))
		there[g.Chosen] = there[g.Chosen] || f.Chosen[int(i)]
	}
	return slices.DeleteFunc(all, func(s sample) bool { return !there[s.state] })
}

// sample is how a cell looks and what that means.
type sample struct {
	state  rune // the mark beside the cells, or 0
	tones  []theme.Tone
	glyphs string // replaces the tones where there are no colours; "" if the mark does
	role   theme.Role
	cells  theme.Role // of glyphs, where it is not role
	text   string
}

// sample draws s if there is room up to end, and returns how many cells it took.
func (p *View) sample(f *widget.Frame, x, y, end int, s sample) int {
	mark := ""
	if s.state != 0 && (p.group() == 1 || s.glyphs == "" && !p.shades) {
		mark = string(s.state)
	}
	w := draw.Width(mark + s.glyphs)
	if p.shades {
		w = draw.Width(mark) + len(s.tones)
	}
	if x+w+1+len(s.text) > end {
		return 0
	}
	at := x + f.Text(x, y, w, mark, s.role)
	if p.shades {
		for k, tone := range s.tones {
			f.Halves(at+k, y, tone, tone)
		}
	} else {
		f.Text(at, y, w, s.glyphs, cmp.Or(s.cells, s.role))
	}
	f.Text(x+w, y, end-x-w, " "+s.text, theme.Dim)
	return w + 1 + len(s.text) + 2
}

// waiting reports whether a line on the screen is not computed yet.
func (p *View) waiting() bool {
	for at := p.top; at < min(p.top+p.lines(), p.lineCount()); at++ {
		if !p.cells.has(at) {
			return true
		}
	}
	return false
}
