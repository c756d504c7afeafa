package turns

import (
	"cmp"
	"errors"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// rows holds how many lines each part of the view has.
type rows struct {
	headline, bars, tokens, kept, cut, key int // the numbers of the requests always have one line
	rule, words, totals                    int
}

// labels returns the number of rows of text below the bars.
func (r rows) labels() int { return 1 + r.tokens + r.kept + r.cut }

// names returns the names of the labels, from top to bottom, each in the longest form that fits into
// room cells, and what stands beside them. About marks estimates, numbers says that items are named
// by their numbers alone, narrow that the numbers of requests leave no blank before them, unread
// why nothing is read from the cache.
func (r rows) names(about string, room int, numbers, narrow bool, unread, unit string) (names, mean []string) {
	names, mean = []string{"request"}, []string{"tokens sent: of all that there are"}
	if narrow {
		names[0] = "req"
	}
	if r.tokens > 0 {
		names, mean = append(names, about+"tokens"), append(mean, "cost: of all requests, "+unit)
	}
	if r.kept > 0 {
		names, mean = append(names, widget.Fitting(room, "kept % of last", "kept %")), append(mean, "kept: of the previous prompt, "+cmp.Or(unread, "from the cache"))
	}
	if r.cut > 0 {
		broke := widget.Fitting(room, "broken by", "broken")
		if numbers {
			broke = widget.Fitting(room, "broken by #", "broken")
		}
		names, mean = append(names, broke), append(mean, "broken by: "+theme.Minus+" left, + came in, ~ moved, ! changed")
	}
	return names, mean
}

// share divides height lines among the parts: the most important parts get theirs first,
// and the bars get the rest. The headline takes headline lines at least, the text about the request
// said lines. Beside reports that the totals stand beside the bars and need no lines, wide that
// columns are wide enough for the item that breaks their prefix.
func share(height, headline, said int, beside, wide bool) rows {
	var r rows
	left := height - 1 // for the numbers of requests
	upTo := func(part *int, n int) {
		take := max(0, min(n-*part, left))
		*part += take
		left -= take
	}
	totals := func(n int) {
		if !beside {
			upTo(&r.totals, n)
		}
	}
	upTo(&r.headline, 1)
	upTo(&r.bars, 2)
	upTo(&r.words, 1)
	totals(1)
	upTo(&r.kept, 1)
	upTo(&r.headline, headline)
	if !wide { // then no column names the item that breaks its prefix
		upTo(&r.words, 2)
	}
	upTo(&r.bars, 3)
	totals(2)
	upTo(&r.cut, 1)
	upTo(&r.bars, 4)
	upTo(&r.key, 1)
	totals(int(plans.Rows))
	upTo(&r.words, said)
	upTo(&r.bars, 7)
	upTo(&r.headline, maxHeadline)
	upTo(&r.rule, 1)
	upTo(&r.bars, 12)
	if wide {
		upTo(&r.tokens, 1)
	}
	upTo(&r.bars, height)
	return r
}

// maxHeadline is the largest number of lines of a headline.
const maxHeadline = 2

// besideWidth is the least width, in cells, at which the totals may stand beside the columns, and
// narrowTotals how many cells they take there at least.
const besideWidth, narrowTotals = 104, 50

// totalsWidth returns how many of so many cells the totals take beside the columns of n requests;
// 0 if there is no room beside them.
func totalsWidth(width, n int) int {
	left := width - gutter - n
	switch {
	case width >= 2*fullTotals+12 && left >= fullTotals:
		return fullTotals
	case width >= besideWidth && left >= narrowTotals:
		return narrowTotals
	}
	return 0
}

// compactRows is the height, in cells, up to which the requests have no title: the headline
// says whose they are.
const compactRows = 19

// Draw draws the requests, or the sweep.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	in := r
	if p.compact = !boxed && !p.sweep && !p.mapped && r.H <= compactRows; !p.compact {
		title, estimated := p.title(f)
		f.DrawTitle(r, title, boxed, focused)
		f.Right(r.X, r.Y, r.W-2, widget.Fitting(r.W-6-draw.Width(title), estimated...), theme.Dim)
		in = r.Inner(boxed)
	}
	p.bars, p.totals, p.pairs = draw.Rect{}, draw.Rect{}, pairGrid{}
	history, err := p.app.Turns().History()
	switch {
	case err != nil:
		p.none(f, in, err)
		return
	case history == nil:
		f.Text(in.X+2, in.Y+1, in.W-4, f.Spin()+"reading the requests"+f.Glyphs().Ellipsis, theme.Dim)
		return
	case p.count() == 0:
		f.Text(in.X+2, in.Y+1, in.W-4, "There are no items to send.", theme.Dim)
		return
	case p.unsent(f):
		f.DrawNoResult(in, "no request can be sent")
		return
	case p.sweep:
		p.drawSweep(f, in)
		return
	case p.mapped:
		p.drawMap(f, in)
		return
	}
	table := totalsWidth(in.W, p.count())
	p.alongside = table > 0
	chart, beside := draw.Rect{X: in.X, W: in.W - table}, table > 0
	p.fit(chart.W - gutter)
	said := 2
	if _, compacted := p.app.Turns().Compaction(p.current()); compacted {
		said++
	}
	parts := share(in.H, len(p.headline(f, in.W-2, 1)), said, beside, p.grid.pitch >= fullPitch)
	y := in.Y
	lines := draw.Rect{X: in.X + 1, Y: y, W: in.W - 2, H: in.H}
	f.Lines(lines, p.headline(f, lines.W, parts.headline))
	y += parts.headline
	chart.Y, chart.H = y, parts.bars+parts.labels()
	if beside {
		p.drawTotals(f, draw.Rect{X: in.X + in.W - table, Y: y + 1, W: table, H: parts.bars - 1}, true)
		p.totalsHead(f, draw.Rect{X: in.X + in.W - table, Y: y, W: table, H: 1})
		p.drawBeside(f, draw.Rect{X: in.X + in.W - table + 1, Y: y, W: table - 2, H: chart.H + parts.key}, parts)
	}
	p.chart(f, chart, parts)
	y += chart.H
	key := draw.Rect{X: in.X + 1, Y: y, W: chart.W - 1, H: parts.key}
	y += parts.key
	if parts.totals > 0 {
		p.drawTotals(f, draw.Rect{X: in.X, Y: y, W: in.W, H: parts.totals}, key.H > 0)
		if key.H > 0 {
			key.W -= p.totalsHead(f, draw.Rect{X: in.X, Y: key.Y, W: in.W, H: 1}) + 2
		}
		y += parts.totals
	}
	if key.H > 0 {
		p.drawLegend(f, key)
	}
	if parts.rule > 0 {
		f.Fill(draw.Rect{X: in.X, Y: y, W: in.W, H: 1}, f.Glyphs().Horizontal, theme.Frame)
		y++
	}
	lines.Y = y
	f.Lines(lines, p.said(f, lines.W, parts.words))
}

// unsent reports whether no plan has anything to draw, as there is no result: the policy that is edited sends
// nothing, and no other plan fits.
func (p *View) unsent(f *widget.Frame) bool {
	_, least, _, computed := p.leastCost()
	now, _, _ := p.app.Turns().Course(p.now())
	return f.NoResult && computed && least == nil && (now == nil || now.Totals.Tokens() == 0)
}

// title says whose requests are shown and, to stand at the end of the title, how costs are estimated, the
// longest form first.
func (p *View) title(f *widget.Frame) (s string, estimated []string) {
	s = "Turns  " + p.name(p.row)
	if p.row == plans.Rule {
		s = "Turns  " + plain.Line(p.rule().Name, 80)
	}
	if p.sweep {
		s = "Turns  the " + sweepName(p.swept) + ", by how far it cuts a full window"
	}
	cache := cacheName(p.app.Turns().Cache())
	costs := " costs estimated " + p.unit()
	estimated = []string{costs + ", " + cache + " ", costs + " ", " " + cache + " ", ""}
	_, old, _ := p.app.Turns().Course(p.row)
	switch {
	case p.mapped:
		var now *turns.Course
		_, _, now, old, _ = p.app.Turns().Map()
		s = "Turns  " + plain.Line(p.rule().Name, 48) + "  cost against that of " + p.comparedWith(now) + ", estimated"
	case p.sweep:
		_, _, old, _ = p.app.Turns().Sweep(p.swept)
	}
	if old {
		s += "  (old: " + p.computing(f) + ")"
	}
	if p.mapped {
		return s, estimated[2:]
	}
	n := p.count()
	if n == 0 {
		return "Turns", []string{""}
	}
	s += "  " + p.requests(f, n)
	if p.grid.per > 1 && !p.sweep {
		s += ", a column the mean of " + plain.Thousands(p.grid.per)
	}
	return s, estimated
}

// cacheName names a cache model.
func cacheName(c turns.Cache) string {
	if c.Minimum > model.MaxTokens {
		return "no cache"
	}
	return "cache " + c.Name
}

// requests counts the requests, and the requests that were sent: what would be sent now is not
// one yet.
func (p *View) requests(f *widget.Frame, n int) string {
	if history, _ := p.app.Turns().History(); history != nil && history.Requests()[n-1].IsNow() && !p.unsent(f) {
		return plain.Count(n, "request") + ", " + plain.Thousands(n-1) + " sent"
	}
	return plain.Count(n, "request")
}

// none draws why there are no requests.
func (p *View) none(f *widget.Frame, r draw.Rect, err error) {
	texts := []string{"No turns: " + err.Error() + "."}
	if errors.Is(err, turns.ErrNoTurns) {
		texts = []string{
			"Turns needs a conversation: none of these items has a role, such as user, assistant or tool.",
			"Of a conversation it shows each request: the tokens sent, what of them the prompt cache reads again, which item ends that, and the cheapest plan for a full window.",
			"o opens a conversation of yours; cupelscope --fixture agent has one.",
		}
	}
	var lines [][]draw.Span
	role := theme.Strong // of the first
	for _, text := range texts {
		lines = append(lines, draw.Paragraph(r.W-4, draw.Span{Text: plain.Line(text, 400), Role: role})...)
		role = theme.Plain
	}
	f.Lines(draw.Rect{X: r.X + 2, Y: r.Y + 1, W: r.W - 4, H: r.H - 1}, lines)
}

// gutter is the width, in cells, of the labels of the axis and of the rows, to the left
// of the columns.
const gutter = 8
