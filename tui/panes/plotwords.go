package panes

import (
	"strconv"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// readOut says in numbers what the budget of the cursor gives on both sides.
func (p *Plot) readOut(f *Frame, r draw.Rect) {
	now := f.Exp.Setup().Budget.MaxTokens
	var lines [][]draw.Span
	var points [2]simulate.Point
	known := true
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		t := &p.tracks[s]
		if t.curve == nil {
			known = false
			lines = append(lines, []draw.Span{{Text: s.String() + "  " + p.waiting(f), Role: theme.Warn}})
			continue
		}
		points[s] = t.at(now)
		lines = append(lines, p.pointSpans(f, s, points[s], r.W))
	}
	if known && (points[experiment.A].Runs || points[experiment.B].Runs) {
		lines = append(lines, p.versus(points, now))
	}
	if line := p.enough(f, p.side); line != nil {
		lines = append(lines, line)
	}
	if known {
		lines = append(lines, draw.FirstThatFits(r.W, p.fallen("falls as the budget grows:", ", value "), p.fallen("falls:", ", value "), p.fallen("falls:", "/")))
	}
	if line := p.enough(f, p.side.Other()); line != nil {
		lines = append(lines, line)
		if n := len(lines); known && n <= r.H { // where there is room for all, what belongs together stands so
			lines[n-1], lines[n-2] = lines[n-2], lines[n-1]
		}
	}
	for y := 0; y < r.H && y < len(lines); y++ {
		f.Spans(r.X, r.Y+y, r.W, lines[y]...)
	}
	if f.anyOld() {
		f.Mark(r, theme.Old)
	}
}

// at is the point that a budget's result is of; budgets beyond the axis end
// count as the end.
func (t *track) at(b model.Tokens) simulate.Point { return t.profile.PointAt(b) }

// pointSpans is one side at the cursor, in forms of falling length.
func (p *Plot) pointSpans(f *Frame, s experiment.Side, a simulate.Point, width int) []draw.Span {
	name := draw.Span{Text: PolicyName(s, p.outs[s].Policy), Role: SideRole(s)}
	short := draw.Span{Text: s.String(), Role: SideRole(s)}
	if !a.Runs {
		return []draw.Span{name, said("   no result at " + a.Budget.String())}
	}
	items, tokens := said("   "+plural(a.Items, "item")), said("   "+a.Tokens.String()+" tok")
	value := draw.Span{Text: "   value " + exactScore(a.Value), Role: theme.Strong}
	filled := said("   no room")
	if a.Room() > 0 {
		filled = said("   filled " + percent(a.Filled()) + " of " + a.Room().String())
	}
	off := said("")
	if text := f.offBest(p.outs[s], a.Value, a.Target); text != "" {
		off = said("   " + text)
	}
	return draw.FirstThatFits(width,
		[]draw.Span{name, value, off, items, tokens, filled},
		[]draw.Span{name, value, off, items, tokens},
		[]draw.Span{short, value, off, items, tokens},
		[]draw.Span{short, value, off, items},
		[]draw.Span{short, value, items})
}

// versus compares both sides at the cursor.
func (p *Plot) versus(points [2]simulate.Point, now model.Tokens) []draw.Span {
	a, b := points[experiment.A], points[experiment.B]
	more := a.Items - b.Items
	text := "at " + now.String() + "   A against B: " + signedValue(a.Value-b.Value) + " value"
	if b.Value > 0 && a.Runs && b.Runs {
		text += " (" + signedPercent(a.Value/b.Value-1) + ")"
	}
	return []draw.Span{said(text + ", " + signed(model.Tokens(more)) + verb(max(more, -more), " item, ", " items, ") + signed(a.Tokens-b.Tokens) + " tok")}
}

func signedPercent(share float64) string {
	s := strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
	if share >= 0 {
		return "+" + s
	}
	return s
}

// enough says how much of what the largest budget gives there is here, and
// which budget is enough for nearly all of it.
func (p *Plot) enough(f *Frame, s experiment.Side) []draw.Span {
	t := &p.tracks[s]
	if t.curve == nil {
		return nil
	}
	c := t.curve
	if !c.enough.ok {
		return nil
	}
	here := t.at(f.Exp.Setup().Budget.MaxTokens)
	text := s.String() + " has " + percent(here.Value/c.all.Value) + " of the value at " + f.budget(c.all.Budget) + "; " +
		percent(enoughShare) + " from " + f.budget(c.enough.stays) + " on"
	if c.enough.first != c.enough.stays {
		text += " (first at " + f.budget(c.enough.first) + ")"
	}
	return []draw.Span{{Text: text, Role: theme.Plain}}
}

// Enough is the budget from which a side has nearly all of the value that the
// largest gives, 95 %; false: that is not known, or there is no value.
func (p *Plot) Enough(s experiment.Side) (model.Tokens, bool) {
	c := p.tracks[s].curve
	if c == nil || !c.enough.ok {
		return 0, false
	}
	return c.enough.stays, true
}

// fallen counts the falls.
func (p *Plot) fallen(head, value string) []draw.Span {
	spans := []draw.Span{said(head)}
	for s := range p.tracks {
		c := p.tracks[s].curve
		spans = append(spans, draw.Span{Text: "  " + experiment.Side(s).String(), Role: SideRole(experiment.Side(s))},
			said(" items "+times(c.fewer)+value+times(c.less)))
	}
	return spans
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return model.Tokens(n).String() + " times"
}
