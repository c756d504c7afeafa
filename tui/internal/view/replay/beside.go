package replay

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// The steps of A and B stand beside each other, in step by the tokens that are placed: the slower side has
// never placed more than the faster one, and both end together. Keys move the side that is edited; which
// step stands beside which does not depend on that.

// minBesideWidth is the width from which on A and B stand side by side, and not one above the
// other.
const minBesideWidth = 100

// maxToldBeside is how many lines below both sides explain them; the rows have the rest.
const maxToldBeside = 3

// Paired reports whether the steps of both sides are shown.
func (p *View) Paired() bool { return p.other != nil }

// toggleBeside shows the other side beside this one, or this one alone.
func (p *View) toggleBeside() {
	if p.other != nil {
		p.other, p.why = nil, widget.Lead{}
		return
	}
	if p.filling {
		unmoved := p.Cursor() == 0
		p.toggleFilling()
		if unmoved {
			p.List.Top()
		}
	}
	p.other = New(p.app)
	if p.begun > 0 { // nobody has gone to a step yet
		p.List.Top()
	}
	p.shared = p.Cursor() + 1
}

// reach returns the last step after which at most t tokens are placed, or the first step if there
// is none. Where steps drop items again, there may be several such places. It costs O(markEvery).
func (p *View) reach(t model.Tokens) int {
	mark := sort.Search(len(p.marks), func(k int) bool { return p.marks[k].tokens > t }) - 1
	if mark < 0 {
		return 0
	}
	now, in := p.marks[mark], p.of.Ranking.Input()
	k := mark * markEvery
	for ; k < len(p.steps); k++ {
		now.add(in, &p.steps[k])
		if now.tokens > t {
			break
		}
	}
	return max(0, k-1)
}

// leads reports whether p is the faster side: half of its steps place no fewer tokens than half of the
// steps of q.
func (p *View) leads(q *View) bool {
	return p.after(len(p.steps)/2).tokens >= q.after(len(q.steps)/2).tokens
}

// beside returns the step of q that stands beside a step of p, which leads: halfway between as large a part
// of the steps, and the last step with no more tokens. At the first alone the tokens would drift apart, at
// the last alone q would end while p goes on.
func (p *View) beside(q *View, step int) int {
	last := len(q.steps) - 1
	switch step {
	case len(p.steps) - 1:
		return last
	case 0:
		return 0
	}
	part, reach := step*last/(len(p.steps)-1), q.reach(p.after(step).tokens)
	return min(reach, (part+reach)/2)
}

// inStep returns the step of q that stands beside a step of p, whichever is faster. The steps of the same
// policy are the same.
func (p *View) inStep(q *View, step int) int {
	switch {
	case p.of.Policy.Same(q.of.Policy):
		return step
	case step == len(p.steps)-1 || p.leads(q):
		return p.beside(q, step)
	}
	return sort.Search(len(q.steps)-1, func(k int) bool { return q.beside(p, k) >= step })
}

// follow moves the other side in step, or where both were brought to one item leaves it there.
func (p *View) follow() {
	switch {
	case p.Steps() == 0 || p.other.Steps() == 0:
		return
	case p.shared == p.Cursor()+1 && !p.AtEnd() && p.meets():
		return
	}
	p.other.List.To(p.inStep(p.other, p.Cursor()))
	p.shared = 0
}

// meets brings the other side to its step on the item under the cursor, if it has one.
func (p *View) meets() bool {
	i, ok := p.Selected()
	at, there := 0, false
	if ok {
		at, there = p.other.decides(i)
	}
	if there {
		p.other.List.To(at)
	}
	return there
}

// together says how the steps of both sides stand to each other.
func (p *View) together(side experiment.Side) string {
	switch {
	case p.Steps() == 0 || p.other.Steps() == 0:
		return "A and B"
	case p.shared > 0:
		return "A and B, at the same item"
	case p.AtEnd():
		return "A and B, both finished"
	case p.leads(p.other):
		side = side.Other()
	}
	return "in step: " + side.String() + " has placed no more tokens than " + side.Other().String()
}

// differs reports whether an item is in on one side only. It is false while either result is
// not known.
func (p *View) differs(item int) bool {
	return p.of != nil && p.other.of != nil && len(p.of.Report.Codes) == len(p.other.of.Report.Codes) &&
		p.of.Report.In(item) != p.other.of.Report.In(item)
}

// nextDifference goes to the next step on an item that one side takes and the other does
// not, after the last one to the first, and the other side to its step on that item. It returns why
// there is none, or "".
func (p *View) nextDifference(dir int) string {
	p.Leave()
	from, n := p.Cursor(), len(p.steps)
	for by := 1; by < n; by++ {
		k := (from + dir*by + n) % n
		if i := int(p.steps[k].Item); i >= 0 && p.differs(i) {
			p.List.To(k)
			p.shared = k + 1
			if (k-from)*dir < 0 {
				p.app.Say("round again, to the " + [...]string{"last", "", "first"}[dir+1] + " difference")
			}
			return ""
		}
	}
	return "no other item is taken by only one side"
}

// parting holds what only one of two sides takes, by side.
type parting struct {
	of     [2]*model.Report
	items  [2][]int32
	tokens [2]model.Tokens
	value  [2]float64
}

// part finds what only one side takes. It returns false while either result is not known.
func (p *View) part() bool {
	if !p.ready() || !p.other.ready() || len(p.of.Report.Codes) != len(p.other.of.Report.Codes) {
		return false
	}
	side, reports := p.app.Side(), [2]*model.Report{}
	reports[side], reports[side.Other()] = p.of.Report, p.other.of.Report
	if p.parts.of == reports {
		return true
	}
	p.parts = parting{of: reports}
	for i := range reports[0].Codes {
		a, b := reports[0].In(i), reports[1].In(i)
		if a == b {
			continue
		}
		only := experiment.A
		if b {
			only = experiment.B
		}
		p.parts.items[only] = append(p.parts.items[only], int32(i))
		p.parts.tokens[only] += reports[only].Taken(i)
		p.parts.value[only] += reports[only].Scores[i]
	}
	return true
}

// parted says where both sides part: a line a side, or one for both if brief. Until the replay ends or is
// brought to a difference the lines are empty, so that nothing is told before it happens.
func (p *View) parted(f *widget.Frame, width int, brief bool) [][]draw.Span {
	if same := widget.SamePolicy(f.Exp.Setup()); same != "" {
		return [][]draw.Span{{{Text: same + "."}}}
	}
	if !p.part() {
		return [][]draw.Span{nil}
	}
	only := func(side experiment.Side, room int) []draw.Span {
		items, head := p.parts.items[side], "Only "+side.String()+": "
		if !brief {
			head += plain.Count(len(items), "item") + ", " + f.Sum(p.parts.tokens[side]) + " tok, value " + f.About() + widget.Value(p.parts.value[side]) + "  "
		}
		names := "nothing"
		if len(items) > 0 {
			names = cmp.Or(widget.Indexes(items, room-len(head)), plain.Count(len(items), "item"))
		}
		return []draw.Span{{Text: head, Role: widget.SideRole(side)}, {Text: names, Role: theme.Strong}}
	}
	switch {
	case !p.AtEnd() && p.shared == 0 && p.Steps() > 0 && p.other.Steps() > 0:
		if brief {
			return [][]draw.Span{nil}
		}
		return [][]draw.Span{nil, nil}
	case len(p.parts.items[0])+len(p.parts.items[1]) == 0:
		return [][]draw.Span{{{Text: "A and B take the same items."}}}
	case brief:
		both := func(room int) []draw.Span {
			return slices.Concat(only(experiment.A, room), []draw.Span{{Text: "   "}}, only(experiment.B, room))
		}
		return [][]draw.Span{draw.FirstThatFits(width, both(width), both(width/2-2))}
	}
	return [][]draw.Span{only(experiment.A, width), only(experiment.B, width)}
}

// toldBeside says which side takes the item of the step and at what price, and at the last step
// which side is worth more and why; in forms from long to short.
func (p *View) toldBeside(f *widget.Frame) []string {
	if p.Steps() == 0 || p.other.Steps() == 0 {
		return []string{""}
	}
	if p.AtEnd() {
		won := p.verdict(f)
		if _, wins := p.why.Winner(); wins {
			why, because := p.why.Because(f)
			return []string{won + ": " + why, won + ": " + because + ".", won + "."}
		}
		return []string{won + "."}
	}
	i, ok := p.Selected()
	said := fmt.Sprintf("Both leave #%d out", i)
	switch {
	case !ok:
		return []string{"n goes to the first item that only one side takes."}
	case p.differs(i):
		said = p.onlyOne(f, i)
	case p.of.Report.In(i):
		said = fmt.Sprintf("Both take #%d", i)
	}
	return []string{said + "; n goes to the next difference.", said + "."}
}

// onlyOne says which side takes an item that the other leaves out, and at what price.
func (p *View) onlyOne(f *widget.Frame, item int) string {
	takes, report := p.app.Side(), p.of.Report
	if !report.In(item) {
		takes, report = takes.Other(), p.other.of.Report
	}
	return fmt.Sprintf("Only %v takes #%d (%s tok, value %s)", takes, item, f.Sum(report.Taken(item)), f.About()+widget.Score(report.Scores[item], 5))
}

// drawBeside draws both sides, A to the left or on top, and what they say of each other: in frames, the
// one below them, or without frames above and below.
func (p *View) drawBeside(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.other.Hide()
	in, text, frame := r, draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: 2}, 0
	if boxed {
		text.X, text.W, frame = r.X+2, r.W-4, 3
	}
	var parted [][]draw.Span
	if r.H >= 10 {
		parted = p.parted(f, text.W, r.H < 20)
	}
	n := len(parted)
	told := firstWithin(text.W, min(max(1, r.H-n-frame-12), maxToldBeside), p.toldBeside(f))
	if r.H < 9+n+frame+len(told) {
		told = nil
	}
	in.H -= n + len(told)
	text.H = n + len(told)
	switch {
	case boxed:
		in.H -= 2
		title := p.title(f)
		f.Box(draw.Rect{X: r.X, Y: r.Y + in.H, W: r.W, H: text.H + 2}, title, false)
		marks := besideLegend(f.Glyphs())
		if room := r.W - draw.Width(title) - 8; draw.SpansWidth(marks) <= room {
			f.Spans(r.X+r.W-2-draw.SpansWidth(marks), r.Y+in.H, room, marks...)
		}
		text.Y = r.Y + in.H + 1
		f.Lines(text, append(parted, told...))
	default:
		in.Y += n
		f.Lines(text, parted)
		text.Y = in.Y + in.H
		f.Lines(text, told)
	}
	first, second := in, in
	if in.W >= minBesideWidth {
		first.W = in.W / 2
		second.X, second.W = in.X+first.W, in.W-first.W
	} else {
		first.H = (in.H + 1) / 2
		second.Y, second.H = in.Y+first.H, in.H-first.H
	}
	if f.Side == experiment.B {
		first, second = second, first
	}
	p.drawHalf(f, first, f.Side, p, focused, boxed)
	p.other.drawHalf(f, second, f.Side.Other(), p, false, boxed)
}

// besideLegend says what the marks of the rows mean.
func besideLegend(g *theme.Glyphs) []draw.Span {
	return []draw.Span{{Text: " " + string(g.In), Role: theme.In}, {Text: " both  "}, {Text: "A", Role: theme.SideA}, {Text: " only A  "},
		{Text: "B", Role: theme.SideB}, {Text: " only B  "}, {Text: string(g.Out), Role: theme.Out}, {Text: " neither "}}
}

// drawHalf draws the steps of one side, which is p of both, focused if keys move it now.
func (p *View) drawHalf(f *widget.Frame, r draw.Rect, side experiment.Side, both *View, focused, boxed bool) {
	policy, top, right := f.Exp.Setup().Policy[side], r, r.X+r.W
	name := widget.Fitting(r.W/3, widget.PolicyNames(side, policy)...)
	if boxed {
		r = f.Box(r, name, focused)
		top.X, right, r.H = top.X+2, right-2, r.H+1
		r.Y-- // the names are in the frame
	}
	head := top.X + 1 + f.Text(top.X+1, r.Y, top.W-2, name, widget.SideRole(side))
	if empty := p.empty(f); empty != "" {
		f.Lines(draw.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 1}, draw.Paragraph(r.W-2, draw.Span{Text: empty, Role: theme.Dim}))
		return
	}
	now := p.after(p.Cursor())
	placed := f.Sum(now.tokens) + " of " + f.Sum(p.of.Report.Effective.Target)
	long, value := placed+"  "+plain.Thousands(now.items)+" selected", "  value "+f.About()+widget.Value(now.value)
	counted, bar := "step ", r.H >= 9
	switch {
	case p.AtEnd():
	case p.hasTable():
		counted = "read back "
	case p.Cursor() >= p.final:
		value = "  final" + value[1:]
	}
	step, short := counted+p.count(" of "), p.count("/")
	if !boxed { // there is no title to say it, and the rows leave the last cell free
		step, right = p.where(counted), right-1
	}
	if p.AtEnd() {
		step, short = "finished", "finished"
	}
	forms := []string{step + "   " + long + value, short + "  " + long + value, short + "  " + placed + value, short + "  " + placed, placed}
	switch { // the bar says the rest
	case bar && p.AtEnd():
		forms = []string{"finished: " + plain.Count(now.items, "item") + "," + value[1:]}
	case bar:
		forms = []string{step + value, step}
	}
	numbers := widget.Fitting(right-head-2, forms...)
	if boxed {
		numbers = " " + widget.Fitting(right-head-4, forms...) + " "
	}
	f.Right(head+1, r.Y, right-head-1, numbers, theme.Strong)
	body := draw.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
	var said [][]draw.Span
	if bar {
		room := draw.Rect{X: r.X + 1, Y: body.Y, W: r.W - 4 - len(long), H: 1}
		f.Text(room.X+room.W+2, room.Y, len(long), long, theme.Plain)
		p.fill(f, room, now)
		said = p.saidBeside(both.closing(f, side), r.W-2, 3)
		body.Y, body.H = body.Y+1, body.H-1-3
	} else if r.H >= 7 {
		said = p.saidBeside(both.closing(f, side), r.W-2, 1)
		body.H--
	}
	t, table := p.table()
	if r.H >= 5 {
		if table {
			p.tableColumns(r.W, false).head(f, body.Row(0), axis{}, t.capacity)
		} else {
			p.head(f, body.Row(0), p.besideColumns(r.W))
		}
		body.Y, body.H = body.Y+1, body.H-1
	}
	from, end := p.Show(body)
	for k := from; k < end; k++ {
		row := body.Row(k - from)
		if table && p.steps[k].Opens == nil {
			p.tableRow(f, row, k, p.tableColumns(r.W, false), axis{}, &t)
		} else {
			p.row(f, draw.Rect{X: row.X, Y: row.Y, W: row.W - 1, H: 1}, k, p.besideColumns(r.W))
		}
		if i := int(p.steps[k].Item); i >= 0 && k <= p.Cursor() && both.differs(i) {
			only := side
			if !p.of.Report.In(i) {
				only = side.Other()
			}
			f.Set(row.X+1, row.Y, rune(only.String()[0]), widget.SideRole(only))
		}
		p.markRow(f, row, k, focused)
	}
	f.Lines(draw.Rect{X: r.X + 1, Y: body.Y + body.H, W: r.W - 2, H: len(said)}, said)
	if !p.ready() {
		f.Mark(r, theme.Old)
	}
}

// besideColumns returns the columns of a side without a table: what its slicer decides by, and
// the room.
func (p *View) besideColumns(width int) stepColumns {
	c := stepColumns{itemColumns: p.itemColumns(6), left: 7}
	if p.of.Policy.Slicer.Order() == model.OrderByDensity {
		c.density = 5
	} else {
		c.score = 5
	}
	c.text = max(0, width-4-c.index-1-c.tok-1-c.score-c.density-c.left-3)
	if c.text >= 28 {
		c.why = 11
		c.text -= c.why + 1
	}
	return c
}

// saidBeside says in at most so many lines the closing words, where there are some, or what the step under
// the cursor does.
func (p *View) saidBeside(closing []string, width, lines int) [][]draw.Span {
	s, forms := &p.steps[p.Cursor()], clauses(lesson(p.of.Policy))
	if t, ok := p.table(); ok {
		forms = p.sentence(&t)
	} else if s.Item >= 0 {
		forms = p.decided(s)
	}
	return firstWithin(width, lines, append(closing, forms...))
}

// firstWithin breaks the first of some forms that takes at most so many lines; nil if none does: no
// sentence is cut.
func firstWithin(width, lines int, forms []string) (all [][]draw.Span) {
	for _, form := range forms {
		if all = draw.Paragraph(width, draw.Span{Text: form}); len(all) <= lines {
			return all
		}
	}
	return nil
}
