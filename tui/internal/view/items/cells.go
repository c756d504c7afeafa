package items

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

func (p *View) cellIndex(f *widget.Frame, r draw.Rect, i int) {
	f.Right(r.X, r.Y, r.W, strconv.Itoa(i), theme.Dim)
}

func (p *View) cellKind(f *widget.Frame, r draw.Rect, i int) {
	f.Text(r.X, r.Y, r.W, plain.Line(widget.KindName(f.Exp.Items().Loaded(i).Kind), r.W), theme.Dim)
}

// cellText draws the name of item i and, at the end, why it is in or out, in as many cells as that takes.
func (p *View) cellText(f *widget.Frame, r draw.Rect, i int) {
	if reason := p.reason(f, i); len(reason) > 0 {
		n := draw.SpansWidth(reason)
		f.Spans(r.X+r.W-n, r.Y, n, reason...)
		r.W -= n + 2
	}
	it := f.Exp.Items().Loaded(i)
	f.Text(r.X, r.Y, r.W, plain.Line(it.Headline(8*max(0, r.W)+64), r.W), widget.Shade(f, i))
}

func (p *View) cellTokens(f *widget.Frame, r draw.Rect, i int) {
	items := f.Exp.Items()
	s := widget.ItemTokens(items, i)
	if draw.Width(s) > r.W {
		s = items.Tokens(i).Short()
	}
	if rep := f.Out.Report; !f.NoResult && (rep.Shrunk(i) || rep.Noted(i)) {
		taken, mark := rep.Taken(i), string(f.Glyphs().Cut)
		if rep.Noted(i) {
			mark = string(f.Glyphs().Note)
		}
		for _, form := range []string{taken.String() + "/" + s, taken.String() + "/" + items.Tokens(i).Short(), mark + taken.String(), mark + taken.Short()} {
			if s = form; draw.Width(s) <= r.W {
				break
			}
		}
	}
	f.Right(r.X, r.Y, r.W, s, theme.Dim)
}

func (p *View) cellScore(f *widget.Frame, r draw.Rect, i int) {
	if p.saysPinned(f, i) {
		return
	}
	f.Right(r.X, r.Y, r.W, widget.ScoreOf(f.Out.Report, i, r.W), theme.Dim)
}

// saysPinned reports whether the reason of item i says that it is pinned, so that no other cell has to.
func (p *View) saysPinned(f *widget.Frame, i int) bool {
	return p.whyWidth > 0 && f.Out.Report.Codes[i] == model.Pinned
}

func (p *View) cellDensity(f *widget.Frame, r draw.Rect, i int) {
	if p.saysPinned(f, i) {
		return
	}
	t, code, text := f.Exp.Items().Tokens(i), f.Out.Report.Codes[i], "-"
	if t > 0 && code != model.Pinned && code != model.Filtered {
		text = widget.Score(1000*f.Out.Report.Scores[i]/float64(t), r.W)
	}
	f.Right(r.X, r.Y, r.W, text, theme.Dim)
}

// cellBudget returns what draws a budget of each item.
func cellBudget(of func(p *simulate.Profile, item int) (model.Tokens, bool)) func(f *widget.Frame, r draw.Rect, i int) {
	return func(f *widget.Frame, r draw.Rect, i int) {
		start, _ := f.Out.Profile.Axis().Start()
		switch b, ok := of(f.Out.Profile, f.Out.Report.Survivor(i)); {
		case f.NoResult && !f.Profiled:
		case f.Out.Report.Survivor(i) != i, b == start && !f.NoResult && f.Out.Report.Codes[i] == model.Pinned: // the reason says it
		case !ok:
			f.Right(r.X, r.Y, r.W, f.NoBudget(i, r.W), theme.Dim)
		default:
			f.Right(r.X, r.Y, r.W, widget.Fitting(r.W, f.BudgetText(b), b.Short()), theme.Dim)
		}
	}
}

func (p *View) cellStrip(f *widget.Frame, r draw.Rect, i int) {
	if p.turns.on {
		p.turns.draw(f, r, i)
		return
	}
	if f.NoResult && !f.Profiled {
		return
	}
	levels := p.strips.levels(p, f.Out, i)
	if p.over == nil {
		f.ItemStrip(r, levels, f.Here(p.scale, p.over), i)
	} else {
		f.Strip(r, levels, f.Here(p.scale, p.over), f.Out.Report.In(i) && !f.NoResult)
	}
}

// reason returns what the newest change did to item i, or why it is in or out, in at most whyWidth
// cells; nil where that goes without saying.
func (p *View) reason(f *widget.Frame, i int) []draw.Span {
	width := p.whyWidth
	if width == 0 {
		return nil
	}
	g := f.Glyphs()
	if text, mark := f.MovedText(i); mark != theme.Plain {
		return []draw.Span{{Text: text, Role: mark}}
	}
	var split []draw.Span
	if partner, alone := f.Out.Alone(i); alone {
		split, width = []draw.Span{{Text: string(g.Split) + " ", Role: theme.Warn}}, width-2
		if s := splitText(i, partner, width); f.Out.Report.In(i) && s != "" {
			return append(split, draw.Span{Text: s, Role: theme.Warn})
		}
	}
	if text, mark := p.movedSince(i); text != "" {
		return append(split, draw.Span{Text: text, Role: mark})
	}
	if why := widget.Why(f.Out, i, width); why != "" {
		split = append(split, draw.Span{Text: why, Role: widget.WhyRole(f.Out, i)})
	}
	return split
}

// movedSince says whether item i came in or went out since a followed source first grew, where the list of
// such items is shown; "" elsewhere.
func (p *View) movedSince(i int) (text string, mark theme.Role) {
	if _, went := slices.BinarySearch(p.only.moved.Out, int32(i)); went {
		return theme.Minus + " went out", theme.Loss
	}
	if _, came := slices.BinarySearch(p.only.moved.In, int32(i)); came {
		return "+ came in", theme.Gain
	}
	return "", theme.Plain
}

// splitText returns which partner of item i is missing, where i is in. It returns ""
// if that does not fit into width.
func splitText(i, partner, width int) string {
	name := "#" + strconv.Itoa(partner)
	return widget.Fitting(width, widget.PartName(i, partner)+" "+name+" is out", name+" is out", name+" out", "")
}

// stripCache keeps the levels of rows that were drawn, because the bands of an
// item may cost a pass over a table and most frames show the same rows as the
// one before.
type stripCache struct {
	profile *simulate.Profile
	values  *simulate.ProfileOver // in place of the profile
	scale   draw.Scale
	byItem  map[int][]uint8
}

func (c *stripCache) reset(o *experiment.Outcome, over *widget.Over, s draw.Scale) {
	var values *simulate.ProfileOver
	if over != nil {
		values = over.Values
	}
	same := c.profile.Same(o.Profile) && c.values == values &&
		slices.Equal(c.scale.Edges, s.Edges) && len(c.byItem) < 4096
	c.profile, c.values, c.scale = o.Profile, values, s
	if !same {
		c.byItem = make(map[int][]uint8)
	}
}

func (c *stripCache) levels(p *View, o *experiment.Outcome, i int) []uint8 {
	if l, ok := c.byItem[i]; ok {
		return l
	}
	var l []uint8
	if p.over != nil {
		l = p.over.Levels(p.scale, i)
	} else {
		l = widget.StripLevels(o.Profile, p.scale, o.Report.Survivor(i))
	}
	c.byItem[i] = l
	return l
}

// severalSources reports whether the items come from several sources without
// naming them in their titles. Items of one source stand together, so it is
// enough to look at both ends.
func severalSources(items *model.Set) bool {
	if items.Len() < 2 {
		return false
	}
	first, last := items.Loaded(0), items.Loaded(items.Len()-1)
	return first.Metadata["file"] != nil && last.Metadata["file"] != nil && first.Origin() != last.Origin() &&
		(first.Metadata["title"] == nil || last.Metadata["title"] == nil)
}

// cellFile draws the end of the item's path, which is its most telling part.
func (p *View) cellFile(f *widget.Frame, r draw.Rect, i int) {
	f.Text(r.X, r.Y, r.W, plain.Tail(f.Exp.Items().Loaded(i).Origin(), r.W), theme.Dim)
}
