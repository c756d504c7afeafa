package turns

import (
	"math"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/simulate/turns"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// drawSweep draws a curve of what the watermark costs at each low mark of the sweep.
func (p *View) drawSweep(f *widget.Frame, r draw.Rect) {
	totals, old, err := p.app.Turns().Sweep()
	switch {
	case err != nil && !old:
		f.Text(r.X+2, r.Y+1, r.W-4, draw.Fit("No sweep: "+err.Error(), r.W-4, f.Glyphs()), theme.Error)
		return
	case totals == nil && p.app.Turns().Stopped():
		f.Text(r.X+2, r.Y+1, r.W-4, p.computing(f), theme.Warn)
		return
	case totals == nil:
		f.Text(r.X+2, r.Y+1, r.W-4, f.Spin()+"computing the watermark at 30 to 100 % of the room"+f.Glyphs().Ellipsis, theme.Warn)
		return
	}
	lows, least := turns.SweepLows(), turns.Least(totals)
	if least < 0 {
		f.Text(r.X+2, r.Y+1, r.W-4, "Nothing is sent yet, so there is no cost.", theme.Dim)
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	ratios := make([]float64, len(totals))
	for k, t := range totals {
		ratio, ok := t.CostRatio()
		if !ok {
			ratio = -1
		} else {
			low, high = min(low, ratio), max(high, ratio)
		}
		ratios[k] = ratio
	}
	if low < high/2 { // from 0 where that leaves the curve readable
		low = 0
	}
	if high-low < .01 {
		high = low + .01
	}
	plot := draw.Rect{X: r.X + gutter, Y: r.Y + 1, W: r.W - gutter - 2, H: max(2, r.H-6)}
	at := func(k int) int { return k * (plot.W - 6) / (len(lows) - 1) }
	values := make([]float64, at(len(lows)-1)+1)
	for k := range len(lows) - 1 {
		for x := at(k); x <= at(k+1); x++ { // straight from mark to mark: between them nothing is known
			share := float64(x-at(k)) / float64(max(1, at(k+1)-at(k)))
			v := ratios[k] + share*(ratios[k+1]-ratios[k])
			if ratios[k] < 0 || ratios[k+1] < 0 {
				v = math.NaN()
			}
			values[x] = (v - low) / (high - low)
		}
	}
	dots := draw.Dots(1, f.Glyphs())
	curve := draw.Line{Role: theme.SideA, Letter: '*'}
	for _, v := range values {
		for range dots {
			curve.Values = append(curve.Values, v)
		}
	}
	here := slices.IndexFunc(lows, func(l float64) bool { return l >= p.app.Turns().Low() })
	if low < 1 && 1 < high { // sending everything
		y := plot.Y + int((high-1)/(high-low)*float64(plot.H-1)+.5)
		for x := range plot.W {
			f.Set(plot.X+x, y, f.Glyphs().BarAbove, theme.Dim)
		}
		if y > plot.Y && y < plot.Y+plot.H-1 {
			f.Right(r.X, y, gutter-2, ratioText(1), theme.Dim)
		}
	}
	f.Curves(plot, []draw.Line{curve}, at(max(0, here)))
	for y := range plot.H {
		f.Set(plot.X-1, plot.Y+y, f.Glyphs().Vertical, theme.Frame)
	}
	f.Right(r.X, plot.Y, gutter-2, ratioText(high), theme.Dim)
	f.Right(r.X, plot.Y+plot.H-1, gutter-2, ratioText(low), theme.Dim)
	f.Text(r.X+1, r.Y, r.W-2, widget.Fitting(r.W-2, "estimated cost, sending everything = 1, by how far a full window is cut (% of the room)",
		"estimated cost, all = 1, by how far the window is cut (%)"), theme.Dim)
	y := plot.Y + plot.H
	end := -1
	for k, l := range lows {
		text := strconv.FormatFloat(l, 'f', -1, 64)
		if x := at(k); x > end {
			role := theme.Dim
			if k == here {
				role = theme.StripHere
			}
			f.Text(plot.X+x, y, 4, text, role)
			end = x + len(text)
		}
	}
	f.Set(plot.X+at(least), y+1, f.Glyphs().Better, theme.Gain)
	f.Text(plot.X+at(least)+2, y+1, max(0, plot.W-at(least)-2), "least", theme.Gain)
	say := func(y, k int, head string, role theme.Role) {
		t := totals[k]
		cost, tokens := head+widget.Share(lows[k])+": costs "+ratioText(ratios[k])+", ", model.Tokens(t.TokensPerRequest()+.5).String()
		long, short := cost+tokens+" tok per request", cost+tokens+" tok/req"
		if share, ok := t.SurvivingPrefix(); ok {
			kept := ", " + strconv.Itoa(percent(share)) + " % "
			long, short = long+kept+"of the prefix survives", short+kept+"kept"
		}
		f.Text(r.X+1, y, r.W-2, widget.Fitting(r.W-2, long, short), role)
	}
	say(y+2, least, "least at ", theme.Gain)
	if here >= 0 {
		say(y+3, here, "h/l: cut to ", theme.Strong)
	}
	if old {
		f.Mark(r, theme.Old)
	}
}
