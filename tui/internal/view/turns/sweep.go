package turns

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// toggleSweep shows a sweep, or the requests again. The sweep is of the first plan that cuts: the plan that is
// drawn, the plan that the headline names, the watermark. If it is not the plan that is drawn, a message says so.
func (p *View) toggleSweep() {
	if p.sweep, p.mapped = !p.sweep, false; !p.sweep {
		return
	}
	named := p.row
	if best, least, known := p.best(); known {
		named, _, _ = p.cheapest(best, least)
	}
	rows := []plans.Row{p.row, named, plans.Watermark}
	p.swept = rows[slices.IndexFunc(rows, func(row plans.Row) bool { return slices.Contains(plans.Cutting(), row) })]
	if p.swept != p.row {
		p.app.Say(p.called(p.row) + " has no cut to sweep: this is the sweep of the " + sweepName(p.swept))
	}
}

// sweepName names a plan that cuts a full window, without how far.
func sweepName(row plans.Row) string {
	if row == plans.SlidingCut {
		return "sliding cut"
	}
	return "watermark"
}

// drawSweep draws what a plan costs at each low mark of its sweep.
func (p *View) drawSweep(f *widget.Frame, r draw.Rect) {
	totals, now, old, err := p.app.Turns().Sweep(p.swept)
	if err != nil || totals == nil {
		p.drawMissing(f, r, err, "sweep", "a cut to 30 to 100 % of the room")
		return
	}
	if old {
		defer f.Mark(r, theme.Old)
	}
	s := p.newSweep(totals, now, r)
	if s.min < 0 {
		f.Text(r.X+2, r.Y+1, r.W-4, "Nothing is sent yet, so there is no cost.", theme.Dim)
		return
	}
	if all, _, _ := p.app.Turns().Course(plans.All); all != nil && !slices.ContainsFunc(totals, func(t turns.Totals) bool { return t.Cost != all.Totals.Cost || t.Tokens() != all.Totals.Tokens() }) {
		cost := "every mark costs " + p.withUnit(all.Totals.Cost) + ". "
		f.Text(r.X+2, r.Y+1, r.W-4, widget.Fitting(r.W-4, "Everything fits at "+f.Exp.Setup().Budget.MaxTokens.String()+", so nothing is cut: "+cost+"Below "+p.tokens(p.largest())+" it cuts: try "+p.smaller()+".",
			"Nothing is cut: "+cost+"Below "+p.tokens(p.largest())+" it cuts.", "Nothing is cut: "+cost), theme.Dim)
		return
	}
	here := slices.IndexFunc(s.lows, func(l float64) bool { return l >= p.app.Turns().Low() })
	area := s.area()
	f.Between(s.plot, area, s.below(), theme.BarBeyond, theme.StripIn, theme.HungIn)
	s.drawNow(f, area)
	if here >= 0 {
		s.drawHere(f, s.at(here)+(s.bar()-1)/2, area)
	}
	s.drawAxes(f, here)
	f.Text(r.X+1, s.plot.Y+s.plot.H+2, r.W-2, widget.Fitting(r.W-2, "estimated cost against that of "+s.of+", by how far a full window is cut; tried: 30 to 100 % of the room",
		"cost against that of "+s.of+"; tried: cuts to 30 to 100 %"), theme.Dim)
	y := r.Y
	to := widget.Share(s.lows[s.min])
	if turns.BelowLows(totals) {
		to += turns.SweepEnds
	}
	least := widget.Fitting(r.W-16, "Cheapest of these "+plain.Thousands(len(totals))+" cuts: to "+to, "Cheapest cut: "+to)
	f.Text(r.X+1, y, r.W-2, s.says(s.min, least+": ", p.about(), r.W-2), theme.Gain)
	if here >= 0 {
		f.Text(r.X+1, y+1, r.W-2, s.says(here, "Now: a cut to "+widget.Share(s.lows[here])+", h/l changes it: ", p.about(), r.W-2), theme.Strong)
	}
}

// sweep is the cost of each low mark, and where it is drawn.
type sweep struct {
	of        string    // the policy that all costs are compared with
	lows      []float64 // in percent of the room
	totals    []turns.Totals
	ratios    []float64 // of the cost to the cost of that policy; -1 where there is none
	min       int       // the mark that costs least; -1: none
	low, high float64   // the ratios at the bottom and the top of the plot
	plot      draw.Rect
}

func (p *View) newSweep(totals []turns.Totals, now *turns.Course, r draw.Rect) *sweep {
	s := &sweep{
		of: p.comparedWith(now), lows: turns.SweepLows(), totals: totals, min: turns.Least(totals), low: math.Inf(1), high: math.Inf(-1),
		plot: draw.Rect{X: r.X + gutter, Y: r.Y + 3, W: r.W - gutter - 2, H: max(2, r.H-6)},
	}
	for _, t := range totals {
		ratio, ok := relative(t, now)
		if !ok {
			ratio = -1
		} else {
			s.low, s.high = min(s.low, ratio), max(s.high, ratio)
		}
		s.ratios = append(s.ratios, ratio)
	}
	s.high = max(s.high, 1.01)
	if s.low = min(s.low, 1); s.low < 1 { // a full tenth, and beyond the least: what hangs does not stand on the axis
		s.low = max(0, math.Floor(10*s.low-.5)/10)
	}
	switch below := s.below(); { // the line of that policy is the upper edge of a row
	case below > 0:
		s.high = s.low + (1-s.low)*float64(s.plot.H)/float64(below)
	case s.low < 1:
		s.low = 1 - (s.high-1)/float64(s.plot.H-1)
	}
	return s
}

// at returns the column of mark k in the plot.
func (s *sweep) at(k int) int { return k * (s.plot.W - 6) / (len(s.lows) - 1) }

// bar returns how many cells a mark has in the plot.
func (s *sweep) bar() int { return max(1, s.at(1)/2) }

// area returns the cost in each column, as a share of the height of the plot: of each mark in some, and NaN between
// marks, where nothing is known.
func (s *sweep) area() []float64 {
	columns := slices.Repeat([]float64{math.NaN()}, s.plot.W)
	for k, ratio := range s.ratios {
		if ratio >= 0 {
			for x := range s.bar() {
				columns[s.at(k)+x] = (ratio - s.low) / (s.high - s.low)
			}
		}
	}
	return columns
}

// below returns how many whole rows are below the line of what the session costs now, which is 1. One is
// above it.
func (s *sweep) below() int {
	return min(s.plot.H-1, int((1-s.low)/(s.high-s.low)*float64(s.plot.H)+1e-9))
}

// drawNow draws the line of what the session costs now above the area.
func (s *sweep) drawNow(f *widget.Frame, area []float64) {
	below := s.below()
	y := s.plot.Y + s.plot.H - below
	for x := range s.plot.W {
		if !(area[x]*float64(s.plot.H) > float64(below)) {
			f.Set(s.plot.X+x, y-1, f.Glyphs().Limit, theme.Dim)
		}
	}
	if y < s.plot.Y+s.plot.H {
		f.Right(s.plot.X-gutter, y-1, gutter-2, signed(1), theme.Dim)
	}
}

// drawHere draws the mark in force down column x, with a point where its cost is.
func (s *sweep) drawHere(f *widget.Frame, x int, area []float64) {
	for y := range s.plot.H {
		glyph, role, row := f.Glyphs().StripHere, theme.StripHere, s.plot.H-1-y
		at := area[x] * float64(s.plot.H)
		switch {
		case float64(row) <= at && at < float64(row+1):
			glyph = f.Glyphs().In
		case row < s.below() && float64(row) > at:
			role = theme.HereIn
		}
		f.Set(s.plot.X+x, s.plot.Y+y, glyph, role)
	}
}

// drawAxes draws the axes with their numbers, here the mark in force, and the mark
// that costs least.
func (s *sweep) drawAxes(f *widget.Frame, here int) {
	plot := s.plot
	f.Fill(draw.Rect{X: plot.X - 1, Y: plot.Y, W: 1, H: plot.H}, f.Glyphs().Vertical, theme.Frame)
	if s.below() != plot.H-1 { // the line has its own number there
		f.Right(plot.X-gutter, plot.Y, gutter-2, signed(s.high), theme.Dim)
	}
	f.Right(plot.X-gutter, plot.Y+plot.H-1, gutter-2, signed(s.low), theme.Dim)
	y, each := plot.Y+plot.H, 1
	if s.at(1) < len("100")+2 { // so that each has its blanks
		each = 2
	}
	for k, l := range s.lows {
		text := strconv.FormatFloat(l, 'f', -1, 64)
		if k%each == 0 {
			role := theme.Dim
			if k == here {
				role = theme.StripHere
			}
			f.Text(plot.X+s.at(k), y, 4, text, role)
		}
		if each == 1 && s.ratios[k] >= 0 {
			text, role := strings.TrimSuffix(signed(s.ratios[k]), " %"), theme.Dim
			if k == s.min {
				text, role = text+string(f.Glyphs().Better), theme.Gain
			}
			f.Text(plot.X+s.at(k), y+1, s.at(1)-1, text, role)
		}
	}
	if each == 1 {
		f.Right(plot.X-gutter, y+1, gutter-1, "cost %", theme.Dim)
	} else {
		least := s.at(s.min)
		f.Set(plot.X+least, y+1, f.Glyphs().Better, theme.Gain)
		f.Text(plot.X+least+2, y+1, max(0, plot.W-least-2), "least", theme.Gain)
	}
}

// says returns what mark k costs and reads after the words that name it, in at most w
// columns where that can be. About marks tokens that rest on estimates.
func (s *sweep) says(k int, name, about string, w int) string {
	t := s.totals[k]
	ratio := s.ratios[k]
	cost := name + plain.Compared(ratio, s.of)
	tokens := cost + ", " + about + model.Tokens(t.TokensPerRequest()+.5).String()
	long, short := tokens+" tok per request", tokens+" tok/req"
	forms := []string{long, short, cost, name + plain.Compared(ratio, "")}
	if t.Read > 0 {
		read := ", " + plain.Percent(fromCache(t)) + " read"
		forms = append([]string{long + read + " from the cache", short + read}, forms...)
	}
	return widget.Fitting(w, forms...)
}
