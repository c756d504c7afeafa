package curve

import (
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

const (
	plotGutter = 10 // width of the labels of the vertical axis
	plotEnds   = 2  // cells that stay free on the right
)

// inner returns the main area without its frame.
func (p *View) inner() draw.Rect { return p.rect.Inner(p.boxed) }

// tableRows is the height of the table: its head and a row for each side.
const tableRows = 3

// saidRows returns how many lines stand above the plot.
func (p *View) saidRows() int {
	if p.inner().H < 8 || p.measure == byItems || p.measure == byFilled { // see second
		return 1
	}
	return 2
}

// minSharedHeight is the least height, in cells, at which a plot of the value is shared with how
// far it is below the best.
const minSharedHeight = 9

// plotRects returns the rectangle of the curves and, below the axis, the rectangle of how far the
// value is below the best possible, with a line for its legend above it; lower is empty where there
// is no room, or another measure is drawn.
func (p *View) plotRects() (plot, lower draw.Rect) {
	in := p.inner()
	above := p.saidRows()
	plot = draw.Rect{X: in.X + plotGutter, Y: in.Y + above, W: in.W - plotGutter - plotEnds, H: in.H - 1 - p.fallRows() - above - tableRows}
	if p.measure != byValue || plot.H < minSharedHeight {
		return plot, lower
	}
	lower = plot
	lower.H = (plot.H - 1) / 2
	plot.H -= 1 + lower.H
	lower.Y += plot.H + 2
	return plot, lower
}

// Draw draws the plot.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.Fit(r, boxed, f.Theme())
	p.at, p.lower = draw.Rect{}, draw.Rect{}
	legend := fitted(p.drawPlot(f, r), r.W-draw.Width(p.title(0))-6)
	w := draw.SpansWidth(legend)
	title := p.title(r.W - w - 6)
	if f.Old && f.Out != nil {
		title += "  (" + f.OldText() + ")"
	}
	f.DrawTitle(r, title, boxed, focused)
	if draw.Width(title)+w+6 <= r.W {
		f.Spans(r.X+r.W-w-2, r.Y, w, legend...)
	}
}

// fitted returns as much of a legend as fits.
func fitted(legend []draw.Span, width int) []draw.Span {
	for n := len(legend); n > 0 && draw.SpansWidth(legend) > width; n = len(legend) {
		legend = legend[:n-2+n%2] // a mark and its text
	}
	return legend
}

// drawPlot draws what is inside the frame. It returns the legend.
func (p *View) drawPlot(f *widget.Frame, r draw.Rect) (legend []draw.Span) {
	plot, lower := p.plotRects()
	o := p.outs[p.side]
	switch {
	case o == nil:
		text := "No result at any budget."
		if f.Exp.State(p.side) == experiment.Pending {
			text = f.ComputingText(p.side)
		}
		f.Text(r.X+2, r.Y+1, r.W-4, text, theme.Dim)
		return nil
	case plot.H < 2 || plot.W < 10:
		return nil
	}
	p.at, p.lower, p.cells = plot, lower, p.viewport.Scale(plot.W)
	here := f.Here(p.cells, nil)
	legend = p.curves(f, p.measure, plot, here)
	y := plot.Y + plot.H
	f.ScaleRuler(draw.Rect{X: plot.X, Y: y, W: plot.W, H: 1}, p.cells, nil)
	f.Right(plot.X-plotGutter, y, plotGutter-1, p.axisName(), theme.Dim)
	p.saySteps(f, plot, here)
	y++
	if !lower.Empty() {
		p.drawBelow(f, lower, here)
		y = lower.Y + lower.H
	}
	if p.fallRows() > 0 {
		y = p.drawFalls(f, draw.Rect{X: plot.X, Y: y, W: plot.W, H: p.fallRows()})
	}
	if f.Old {
		f.Mark(draw.Rect{X: plot.X, Y: plot.Y, W: plot.W, H: y - plot.Y}, theme.Old)
	}
	in := p.inner()
	p.table(f, draw.Rect{X: in.X + 1, Y: in.Y + in.H - tableRows, W: in.W - 2, H: tableRows})
	f.Lines(draw.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: plot.Y - in.Y}, [][]draw.Span{p.sentence(f, in.W-2), p.second(f, in.W-2)})
	if f.AnyOld() {
		f.Mark(draw.Rect{X: in.X, Y: in.Y, W: in.W, H: plot.Y - in.Y}, theme.Old)
	}
	return legend
}

// drawBelow draws how far the value is below the best possible, with its legend above it.
func (p *View) drawBelow(f *widget.Frame, r draw.Rect, here int) {
	legend := p.curves(f, byBelow, r, here)
	head := widget.Fitting(r.W-draw.SpansWidth(legend)-2, "how far the value is "+plain.BelowBest+"; lower is better",
		plain.BelowBest+"; lower is better", plain.BelowBest)
	f.Text(r.X, r.Y-1, r.W, head, theme.Dim)
	legend = fitted(legend, r.W-draw.Width(head)-2)
	w := draw.SpansWidth(legend)
	f.Spans(r.X+r.W-w, r.Y-1, w, legend...)
}

// title returns what is drawn, in the longest form that fits.
func (p *View) title(width int) string {
	name := "Curve  " + [...]string{"value at every budget", "how far the value is " + plain.BelowBest, "items at every budget", "share of the room filled at every budget", "recall at every budget"}[p.measure]
	zoomed, least := "", ""
	if p.measure == byRecall {
		least = ", the least of a column"
	}
	if !p.viewport.ShowsAll() {
		zoomed = "  " + p.viewport.Lo.String() + " to " + p.viewport.Hi.String()
	}
	brief := "Curve  " + [...]string{"value", plain.BelowBest, "items", "room filled", "recall"}[p.measure]
	return widget.Fitting(width, name+least+zoomed, name+zoomed, name, brief+zoomed, brief)
}

// saySteps says on an axis that has no numbers between its ends that its steps differ, where there is room.
func (p *View) saySteps(f *widget.Frame, plot draw.Rect, here int) {
	const text, most = " log scale ", 50 // a wider axis has numbers
	now := draw.Width(f.Exp.Setup().Budget.MaxTokens.String())
	x := plot.W - draw.Width(p.viewport.Hi.Short()) - len(text)
	if !p.viewport.Even && plot.W < most && x > max(here+1+now, draw.Width(p.viewport.Lo.Short())) {
		f.Text(plot.X+x, plot.Y+plot.H, len(text), text, theme.Dim)
	}
}

func (p *View) axisName() string {
	if p.viewport.Even {
		return "even"
	}
	return "budget"
}

// waiting returns why the curve of a side is not known.
func (t *track) waiting(f *widget.Frame) string {
	if t.err != nil {
		return plain.Line(t.err.Error(), 300)
	}
	return "computing what every budget gives" + f.Glyphs().Ellipsis
}

// nothingNeeded is shown instead of recall if nothing is marked as needed.
const nothingNeeded = "Nothing is marked as needed yet: * marks an item in Items (1)."
