package items

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

func (p *View) cellText(f *widget.Frame, r draw.Rect, i int) {
	it := f.Exp.Items().Loaded(i)
	f.Text(r.X, r.Y, r.W, plain.Line(it.Headline(8*r.W+64), r.W), widget.Shade(f, i))
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
	f.Right(r.X, r.Y, r.W, widget.ScoreOf(f.Out.Report, i, r.W), theme.Dim)
}

func (p *View) cellDensity(f *widget.Frame, r draw.Rect, i int) {
	t := f.Exp.Items().Tokens(i)
	switch code := f.Out.Report.Codes[i]; {
	case t <= 0, code == model.Pinned, code == model.Filtered:
		f.Right(r.X, r.Y, r.W, "-", theme.Dim)
		return
	}
	f.Right(r.X, r.Y, r.W, widget.Score(1000*f.Out.Report.Scores[i]/float64(t), r.W), theme.Dim)
}

func (p *View) cellFirst(f *widget.Frame, r draw.Rect, i int) {
	if f.NoResult && !f.Profiled {
		return
	}
	b, ok := f.Out.Profile.FirstIn(f.Out.Report.Survivor(i))
	p.cellBudget(f, r, i, b, ok)
}

func (p *View) cellStays(f *widget.Frame, r draw.Rect, i int) {
	if f.NoResult && !f.Profiled {
		return
	}
	b, ok := f.Out.Profile.StaysFrom(f.Out.Report.Survivor(i))
	p.cellBudget(f, r, i, b, ok)
}

func (p *View) cellBudget(f *widget.Frame, r draw.Rect, i int, b model.Tokens, ok bool) {
	start, _ := f.Out.Profile.Axis().Start()
	switch survivor := f.Out.Report.Survivor(i); {
	case survivor != i:
		name := "#" + strconv.Itoa(survivor)
		f.Right(r.X, r.Y, r.W, widget.Fitting(r.W, "as "+name, name), theme.Dim)
	case !ok:
		f.Right(r.X, r.Y, r.W, f.NoBudget(i, r.W), theme.Dim)
	case b == start && !f.NoResult && f.Out.Report.Codes[i] == model.Pinned:
		f.Right(r.X, r.Y, r.W, "always", theme.Dim)
	default:
		f.Right(r.X, r.Y, r.W, widget.Fitting(r.W, f.BudgetText(b), b.Short()), theme.Dim)
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
	f.Strip(r, levels, p.here(f), f.Out.Report.In(f.Out.Report.Survivor(i)) && !f.NoResult)
	if p.over == nil {
		f.MarkOthers(r, i, theme.Later)
	}
}

func (p *View) cellWhy(f *widget.Frame, r draw.Rect, i int) {
	if f.NoResult { // the header says so
		return
	}
	g := f.Glyphs()
	if text, mark := moved(f, i); mark != theme.Plain {
		if mark == theme.Gain || mark == theme.Loss {
			sign, words, _ := strings.Cut(text, " ")
			f.Spans(r.X, r.Y, r.W, draw.Span{Text: sign + " ", Role: mark}, widget.Plain(strings.ToLower(words)))
			return
		}
		f.Text(r.X, r.Y, r.W, text, mark)
		return
	}
	if partner, split := f.Out.Alone(i); split {
		f.Text(r.X, r.Y, 2, string(g.Split)+" ", theme.Warn)
		r.X, r.W = r.X+2, r.W-2
		if s := splitText(i, partner, r.W); f.Out.Report.In(i) && s != "" {
			f.Text(r.X, r.Y, r.W, s, theme.Warn)
			return
		}
	}
	text, role := p.why(f, i, r.W)
	f.Text(r.X, r.Y, r.W, text, role)
}

// why returns widget.Why and its role. Where that tells that the room alone keeps item i out, which is
// often much less than what it lacks, it returns by how much the budget must grow for it to come in; and
// where it is empty and more budget takes the item out again, how much more.
func (p *View) why(f *widget.Frame, i, width int) (string, theme.Role) {
	why, role, verb := widget.Why(f.Out, i, width), widget.WhyRole(f.Out, i), "in at "
	in := f.Out.Report.In(i)
	if p.over != nil || in && why != "" || !in && !widget.OutForRoom(f.Out, i) {
		return why, role
	}
	if in {
		role, verb = theme.Dim, "leaves at "
	}
	if next := p.strips.nextOf(f.Out, i); next.Set {
		by := next.Value - f.Out.Report.Budget.MaxTokens()
		why = widget.Fitting(width, verb+f.Change(by), f.Change(by), "")
	}
	return why, role
}

// splitText says which partner of item i is missing, where i is in. It returns ""
// if that does not fit into width.
func splitText(i, partner, width int) string {
	name := "#" + strconv.Itoa(partner)
	return widget.Fitting(width, widget.PartName(i, partner)+" "+name+" is out", name+" is out", name+" out", "")
}

// stripCache keeps the levels of rows that were drawn, and the bands of items, because these
// may cost a pass over a table and most frames show the same rows as the one before.
type stripCache struct {
	profile *simulate.Profile
	values  *simulate.ProfileOver // in place of the profile
	scale   draw.Scale
	byItem  map[int][]uint8
	of      *simulate.Profile // which the bands are of
	bands   map[int][]simulate.Band
}

// maxCached is how many rows are kept.
const maxCached = 4096

// nextOf returns the least budget above the current one at which item i, or the item that it repeats,
// comes in, or goes out if it is in.
func (c *stripCache) nextOf(o *experiment.Outcome, i int) (next model.Option[model.Tokens]) {
	if c.bands == nil || !c.of.Same(o.Profile) || len(c.bands) >= maxCached {
		c.of, c.bands = o.Profile, make(map[int][]simulate.Band)
	}
	i = o.Report.Survivor(i)
	bands, known := c.bands[i]
	if !known {
		bands = o.Profile.Bands(nil, i)
		c.bands[i] = bands
	}
	end := o.Profile.Axis().End()
	now, in := min(o.Report.Budget.MaxTokens(), end), o.Report.In(i)
	for _, band := range bands {
		switch {
		case band.From > now && !in:
			return model.Some(band.From)
		case band.From <= now && band.To >= now && band.To < end:
			return model.Some(band.To + 1)
		}
	}
	return next
}

func (c *stripCache) reset(o *experiment.Outcome, over *widget.Over, s draw.Scale) {
	var values *simulate.ProfileOver
	if over != nil {
		values = over.Values
	}
	same := c.profile.Same(o.Profile) && c.values == values &&
		slices.Equal(c.scale.Edges, s.Edges) && len(c.byItem) < maxCached
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
	path := plain.Line(f.Exp.Items().Loaded(i).Origin(), 8*r.W)
	if over := draw.Width(path) - r.W; over > 0 {
		for over += draw.Width(f.Glyphs().Ellipsis); over > 0 && path != ""; {
			_, size := utf8.DecodeRuneInString(path)
			over -= draw.Width(path[:size])
			path = path[size:]
		}
		path = f.Glyphs().Ellipsis + path
	}
	f.Text(r.X, r.Y, r.W, path, theme.Dim)
}
