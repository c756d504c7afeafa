package curve

import (
	"slices"
	"sort"

	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// belowKey holds what the columns of below depend on besides the points.
type belowKey struct {
	columnsKey
	optimum *simulate.Optimum
}

// belowBest returns how far the value is below the best possible in each column of a scale,
// as a share: the most at any of its budgets, or -1 where that is not known. It costs as much as
// columns does.
func (c *curve) belowBest(axis simulate.Axis, scale draw.Scale, optimum *simulate.Optimum) []float64 {
	out := make([]float64, scale.Columns())
	k := sort.Search(len(c.points), func(k int) bool { return c.points[k].Budget > scale.Edges[0] }) - 1
	for x := range out {
		out[x] = -1
		for from, to := scale.Edges[x], min(scale.Edges[x+1]-1, axis.End()); from <= to; {
			for k+1 < len(c.points) && c.points[k+1].Budget <= from {
				k++
			}
			until := to
			if k+1 < len(c.points) {
				until = min(until, c.points[k+1].Budget-1)
			}
			// The value stays up to there and the best possible never falls, so it is the furthest.
			if k >= 0 && c.points[k].Runs {
				if target, runs := axis.Target(until); runs {
					if off := optimum.BelowBest(c.points[k].Value, target); off.Set {
						out[x] = max(out[x], off.Value)
					}
				}
			}
			from = until + 1
		}
	}
	return out
}

// belowRows returns how many rows show how far the sides are below the best possible value,
// with the heading: 0 where there is no room or nothing to compare with.
func (p *View) belowRows(f *widget.Frame) int {
	optimum, why := f.Optimum(p.outs[p.side])
	h := p.inner().H
	if p.measure != byValue || h < 16 || optimum == nil && why == "" {
		return 0
	}
	return 1 + 2*max(2, h/7)
}

// drawBelow draws how far each side is below the best possible value, the edited side first, in as
// many rows, so that equal heights are equal shares.
func (p *View) drawBelow(f *widget.Frame, r draw.Rect, here int) {
	sides := [2]experiment.Side{p.side, p.side.Other()}
	var shares [2][]float64
	var why [2]string
	for k, s := range sides {
		shares[k], why[k] = p.below(f, s, r.W)
	}
	full := fullRows(shares)
	f.Spans(r.X-plotGutter+1, r.Y, r.W+plotGutter-1, p.belowHead(f, sides, shares, full, r.W+plotGutter-1)...)
	rows, y := (r.H-1)/2, r.Y+1
	top := 1.0 // a step stays free above what is cut off, so that the areas do not run together
	if steps := len([]rune(f.Glyphs().Filled)); steps > 1 {
		top -= 1 / float64(rows*steps)
	}
	for k, s := range sides {
		area := draw.Rect{X: r.X, Y: y, W: r.W, H: rows}
		name := s.String()
		if full > 0 {
			name += " " + widget.Share(100*full)
			f.Right(r.X-plotGutter, y+rows-1, plotGutter-1, "0 %", theme.Dim)
		}
		f.Right(r.X-plotGutter, y, plotGutter-1, name, widget.SideRole(s))
		values := make([]float64, len(shares[k]))
		for x, v := range shares[k] {
			values[x] = min(v/full, top)
		}
		f.Area(area, values, widget.SideArea(s))
		f.Marker(area, here, values, widget.SideHere(s))
		f.Text(area.X+1, y, area.W-1, why[k], theme.Warn)
		f.Fill(draw.Rect{X: r.X - 1, Y: y, W: 1, H: rows}, f.Glyphs().Vertical, theme.Frame)
		y += rows
	}
}

// fullRows returns the share below the best possible value that fills the rows of a side: the
// least round share that at most a fifth of the columns exceed; 0 while no column is known.
func fullRows(shares [2][]float64) float64 {
	if len(shares[0])+len(shares[1]) == 0 {
		return 0
	}
	for _, full := range [...]float64{.01, .02, .05, .1, .2, .5} {
		over, all := 0, 0
		for _, columns := range shares {
			for _, v := range columns {
				if all++; v > full {
					over++
				}
			}
		}
		if 5*over <= all {
			return full
		}
	}
	return 1
}

// belowHead says what the rows of below show, and for each side what it is below the best possible
// at the current budget, and at most in the columns that are shown.
func (p *View) belowHead(f *widget.Frame, sides [2]experiment.Side, shares [2][]float64, full float64, width int) []draw.Span {
	quotas := ""
	for _, o := range p.outs {
		if o != nil && len(o.Policy.Quotas) > 0 {
			quotas = " without quotas"
		}
	}
	now := f.Exp.Setup().Budget.MaxTokens
	form := func(head, here, most string) []draw.Span {
		spans := []draw.Span{{Text: head, Role: theme.Dim}}
		for k, s := range sides {
			a := p.tracks[s]
			if a.curve == nil || len(shares[k]) == 0 {
				continue
			}
			spans = append(spans, draw.Span{Text: "   " + s.String(), Role: widget.SideRole(s)})
			if at := a.at(now); at.Runs {
				off, _ := f.OffBest(p.outs[s], at.Value, at.Target)
				spans = append(spans, widget.Plain(" "+off+here))
			}
			spans = append(spans, widget.Plain(most+plain.Percent(slices.Max(shares[k]))))
		}
		return spans
	}
	upTo := ":"
	if full > 0 {
		upTo = ", drawn up to " + widget.Share(100*full) + ":"
	}
	return draw.FirstThatFits(width, form("how far below the best possible value"+quotas+upTo, " here", ", at most "),
		form("below the best possible"+quotas+":", " here", ", at most "), form(plain.BelowBest+quotas+":", " here", ", at most "), form(plain.BelowBest+quotas, "", ", at most "), form(plain.BelowBest+quotas, "", " to "))
}

// below returns how far a side is below the best possible value in each column, or why that
// is not known.
func (p *View) below(f *widget.Frame, s experiment.Side, width int) (shares []float64, why string) {
	t := &p.tracks[s]
	optimum, why := f.Optimum(p.outs[s])
	switch {
	case t.curve == nil:
		return nil, t.waiting(f)
	case optimum == nil && why == "":
		return nil, "not compared: counts are required"
	case optimum == nil:
		return nil, why
	}
	key := belowKey{columnsKey{p.span.Lo, p.span.Hi, width, p.span.Even, byValue}, optimum}
	if t.belowKey != key || t.below == nil {
		t.below, t.belowKey = t.curve.belowBest(t.profile.Axis(), p.span.Scale(width), optimum), key
	}
	for _, v := range t.below {
		if v >= 0 {
			return t.below, ""
		}
	}
	return nil, "best not known"
}
