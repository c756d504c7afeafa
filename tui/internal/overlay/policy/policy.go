// Package policy is the policy editor: the scorers of a policy, one a row, its quotas as a
// matrix of kinds by shares and counts, and what the changes since it was opened do.
package policy

import (
	"errors"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Editor is the overlay.
type Editor struct {
	pane.Knobs
	app     screen.App
	lines   []line
	drawn   []line    // lines as they were drawn: apart or folded, as there is room
	col     int       // the column that the cursor keeps as it moves between rows of the matrix
	top     int       // first of drawn on the screen
	at      draw.Rect // where the lines were drawn
	cells   cells     // the column widths of the matrix there
	counts  kindCounts
	preview preview
	others  thresholds
	ranked  ranking
	effect  [2]effect          // of a side
	steps   func() []pane.Step // what ] and [ would do, first
	fills   func() palette.Command
	fill    filling
}

// line is a heading, a row of one knob, a row of the knobs of one kind, or blank.
type line struct {
	heading string
	knobs   []int  // of a heading: the first of its section
	folded  string // what is set in a section that has one line
}

// filling is the command that fills the room which quotas leave free, for one report.
type filling struct {
	palette.Command
	of *model.Report
}

// New returns an editor for the policy of the side that is being edited. Steps returns
// what the keys ] and [ would do, first of all; fills the command that fills the room.
func New(app screen.App, steps func() []pane.Step, fills func() palette.Command) *Editor {
	return &Editor{app: app, steps: steps, fills: fills}
}

// Reset puts the cursor back on the first row, for another session.
func (p *Editor) Reset() { *p = Editor{app: p.app, steps: p.steps, fills: p.fills} }

// Begin has the effect measured against the current results.
func (p *Editor) Begin(exp *experiment.Experiment) {
	for s := range p.effect {
		p.effect[s] = begun(exp, experiment.Side(s), "since opening")
	}
}

// Spec says that the editor covers the main area and the knobs beside it.
func (p *Editor) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Whole: true, Dense: true, Cursor: p, Arrange: p.Arrange, Actions: p.actions(), Hints: p.Hints, Knob: p.Current, Click: p.Click, Worker: p}
}

func (p *Editor) Hints() []screen.Hint {
	all := []screen.Hint{{Key: "j/k", Text: "move"}, {Key: "h/l", Text: "change"}, {Key: "enter", Text: "type"}}
	if k, ok := p.Current(); ok && k.Column != "" {
		all = append(all, screen.Hint{Key: "tab", Text: "next cell"}, screen.Hint{Key: "esc", Text: "close"}, screen.Hint{Key: "backspace", Text: "unset"})
	} else {
		all = append(all, screen.Hint{Key: "esc", Text: "close"}, screen.Hint{Key: "x", Text: "remove"})
	}
	return append(all, screen.Hint{Key: "u", Text: "undo"}, screen.Hint{Key: "W", Text: "write"}, screen.Hint{Key: "O", Text: "open"}, screen.Hint{Key: "?", Text: "all keys"})
}

// actions returns the keys that have a meaning only in the editor.
func (p *Editor) actions() []screen.Action {
	all := []screen.Action{
		{Name: "policy.remove", Keys: []string{"x"}, Text: "remove what the row stands for", Plan: p.remove},
		{Name: "policy.fill", Keys: []string{"f"}, Text: "give other kinds the room that quotas leave free", Plan: p.filled},
		{Name: "policy.next cell", Keys: []string{"tab"}, Text: "to the next cell", Run: screen.Do(func() { p.toCell(p.Cursor() + 1) })},
		{Name: "policy.cell back", Keys: []string{"shift+tab"}, Text: "to the previous cell", Run: screen.Do(func() { p.toCell(p.Cursor() - 1) })},
	}
	for digit := '0'; digit <= '9'; digit++ {
		text := string(digit)
		all = append(all, screen.Action{Name: "policy.type " + text, Keys: []string{text}, Text: "type a value", Run: func() tea.Cmd { return p.app.Type(text) }})
	}
	return all
}

// Arrange brings the rows up to date with a side of the experiment, and asks what
// a step down and a step up of the quota under the cursor would change.
func (p *Editor) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.Set(exp.PolicyKnobs(exp.Setup(), side, p.app.Original()))
	p.lines = p.lines[:0]
	for i, k := range p.All {
		if i == 0 || k.Section != p.All[i-1].Section {
			p.lines = append(p.lines, line{heading: k.Section, knobs: []int{i}})
		}
		last := len(p.lines) - 1
		if k.Column != "" && i > 0 && k.Kind.Is(p.All[i-1].Kind) && p.All[i-1].Column != "" {
			p.lines[last].knobs = append(p.lines[last].knobs, i)
			continue
		}
		p.lines = append(p.lines, line{knobs: []int{i}})
	}
	p.counts.read(exp.Items(), exp.Result(side))
	p.effect[side].read(exp, side)
	k, _ := p.Current()
	p.preview.ask(exp, side, p.app.Original(), k)
	var out *experiment.Outcome
	if exp.State(side) == experiment.Current {
		out = exp.Result(side)
	}
	if out == nil || out.Report != p.fill.of {
		p.fill = filling{Command: p.fills()}
		if out != nil {
			p.fill.of = out.Report
		}
	}
	p.others.arrange(out, func() []experiment.Knob {
		return slices.Concat(p.All, exp.Knobs(exp.Setup(), side, p.app.Original()))
	})
}

// Move moves the cursor by rows, skipping headings. In the matrix it keeps its
// column.
func (p *Editor) Move(by int) {
	at, col := p.lineOf(p.Cursor())
	if at < 0 {
		return
	}
	if len(p.lines[at].knobs) > 1 {
		p.col = col
	}
	dir := 1
	if by < 0 {
		dir = -1
	}
	for k := at + dir; k >= 0 && k < len(p.lines) && by != 0; k += dir {
		n := len(p.lines[k].knobs)
		if p.lines[k].heading == "" {
			p.To(p.lines[k].knobs[min(p.col, n-1)])
			by -= dir
		}
	}
}

// toCell puts the cursor on a knob, whose column it keeps from then on.
func (p *Editor) toCell(knob int) {
	p.To(knob)
	_, p.col = p.lineOf(p.Cursor())
}

// ToKnob puts the cursor on a knob, or on the first row if there is no such knob.
func (p *Editor) ToKnob(id experiment.KnobID) {
	p.toCell(max(0, slices.IndexFunc(p.All, func(k experiment.Knob) bool { return k.ID == id })))
}

// ToQuotas puts the cursor on the first quota that is set, or on the first cell
// of the matrix if none is.
func (p *Editor) ToQuotas() {
	first := slices.IndexFunc(p.All, isSet)
	if first < 0 {
		first = slices.IndexFunc(p.All, func(k experiment.Knob) bool { return k.Column != "" })
	}
	p.toCell(first)
}

// lineOf returns the line of a knob and the knob's column there, or -1 and 0 if
// no line has it.
func (p *Editor) lineOf(knob int) (at, col int) {
	for n, l := range p.lines {
		if c := slices.Index(l.knobs, knob); c >= 0 && l.heading == "" {
			return n, c
		}
	}
	return -1, 0
}

// Page moves by ten rows: down if dir is 1, up if it is -1.
func (p *Editor) Page(dir int) { p.Move(10 * dir) }

// Click puts the cursor on the knob at the cell (x, y), or turns that knob if it
// has the cursor already.
func (p *Editor) Click(x, y int) tea.Cmd {
	if knob, step, ok := p.Hit(x, y); ok {
		p.Knobs.Click(p.app, knob, step)
	}
	return nil
}

// Hit returns the knob that was last drawn at the cell (x, y) and the step that a
// click there makes. ok is false if no knob is there.
func (p *Editor) Hit(x, y int) (knob, step int, ok bool) {
	n := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || n >= len(p.drawn) || len(p.drawn[n].knobs) == 0 {
		return 0, 0, false
	}
	l := p.drawn[n]
	if l.heading != "" {
		return l.knobs[0], 0, true
	}
	if p.All[l.knobs[0]].Column == "" {
		return l.knobs[0], p.StepAt(l.knobs[0], x), true
	}
	c := p.cells.column(x-p.at.X, len(l.knobs))
	if c < 0 {
		return 0, 0, false
	}
	return l.knobs[c], p.StepAt(l.knobs[c], x), true
}

// remove removes what the row under the cursor stands for.
func (p *Editor) remove() (screen.Change, error) {
	k, ok := p.Current()
	if !ok {
		return screen.Change{}, errors.New("there are no rows")
	}
	next, err := k.Remove()
	return screen.To(next, experiment.Label{Name: "remove " + k.Label}), err
}

func (p *Editor) filled() (screen.Change, error) {
	if p.fill.Why != "" {
		return screen.Change{}, errors.New(p.fill.Why)
	}
	return p.fill.Plan()
}

// Draw draws the editor over r, each section under its heading, and at the bottom what
// explains the row under the cursor. Where there is room, the effect is drawn beside it with
// what a step would change, else below it in lines.
func (p *Editor) Draw(f *widget.Frame, r draw.Rect, boxed, _ bool) {
	left, room := r, "  room "+roomText(f)
	title := "Policy  " + widget.PolicyName(f.Side, f.Exp.Setup().Policy[f.Side]) + room
	if effect := p.fill.Effect; p.fill.Later == nil && effect != "" && !boxed {
		items, _, _ := strings.Cut(effect, ",")
		title = widget.Fitting(r.W-4, title+", f fills it: "+effect, title+", f fills it: "+items, "Policy"+room+", f fills it: "+items)
	}
	if boxed {
		left.W = max(63, r.W-62-max(0, r.W-150)/2) // a wide screen has longer names on both sides
	}
	in := f.Overlay(left, title)
	if in.H < 4 {
		return
	}
	p.cells = layCells(in.W, p.counts.widest, p.counts.shares != nil)
	said := p.explanation(in.W-2, in.H, f)
	if k, ok := p.Current(); ok && k.Column != "" && in.H >= 16 {
		columns := draw.FitWords(p.cells.means(), in.W-2, f.Glyphs())
		said = append([][]draw.Span{{{Text: columns, Role: theme.Dim}}}, said...)
	}
	if !boxed && in.H >= 8 {
		if k, ok := p.Current(); ok && (k.Column != "" || in.H >= 12) {
			said = append(said, p.preview.lines(f, in.W-2)...)
		}
		said = append(said, p.nearest(f, in.W-2, 2)...)
		above := [][]draw.Span{p.effect[f.Side].line(f, in.W-2, p.effect[f.Side].since+": ")}
		if sharing := p.sharing(f, in.W-2, true); len(sharing) > 0 && len(p.effect[f.Side].changes) == 0 {
			above = sharing // there is no effect yet
		}
		n := f.Lines(draw.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: len(above)}, above)
		in.Y, in.H = in.Y+n, in.H-n
	}
	rows := in.H - len(said)
	p.arrangeLines(rows)
	at := slices.IndexFunc(p.drawn, func(l line) bool { return l.heading == "" && slices.Contains(l.knobs, p.Cursor()) })
	p.at = draw.Rect{X: in.X, Y: in.Y, W: in.W, H: rows}
	p.top = widget.Scroll(p.top, max(0, at), rows, len(p.drawn))
	if at <= 1 {
		p.top = 0
	}
	if head := p.headingOf(max(0, at)); at-head < rows { // a row is read under its heading
		p.top = min(p.top, head)
	}
	for y := 0; y < rows && p.top+y < len(p.drawn); y++ {
		p.drawLine(f, in.Row(y), p.drawn[p.top+y])
	}
	f.OverlayRows(left, in, p.top, p.top+rows, len(p.drawn))
	if name := p.sectionFrom(p.top + rows); name != "" {
		f.Right(in.X, in.Y+rows-1, in.W-1, name+" below", theme.Dim)
	}
	listed := 0
	if below := len(p.drawn) - p.top + 1; below < rows {
		listed = p.drawRest(f, draw.Rect{X: in.X + 1, Y: in.Y + below, W: in.W - 2, H: rows - below})
	}
	f.Lines(draw.Rect{X: in.X + 1, Y: in.Y + rows, W: in.W - 2, H: len(said)}, said)
	if boxed {
		p.drawEffect(f, draw.Rect{X: r.X + left.W, Y: r.Y, W: r.W - left.W, H: r.H}, listed)
	}
}

func (p *Editor) drawLine(f *widget.Frame, row draw.Rect, l line) {
	switch {
	case l.heading != "":
		used := f.Text(row.X+1, row.Y, row.W-2, l.heading, theme.Strong)
		if l.folded != "" {
			f.Text(row.X+3+used, row.Y, row.W-4-used, draw.FitWords(l.folded, row.W-4-used, f.Glyphs()), theme.Dim)
		} else if p.All[l.knobs[0]].Column != "" {
			p.cells.head(f, row)
		}
	case len(l.knobs) == 0:
	case p.All[l.knobs[0]].Column != "":
		p.drawCells(f, row, l)
	default:
		p.drawKnob(f, row, l.knobs[0])
	}
}

// barAt is the column where the bar of a value begins, and maxBar its cells at the most.
const barAt, maxBar = 32, 60

// drawKnob draws the row of a single knob, and its value as a bar where it has one.
func (p *Editor) drawKnob(f *widget.Frame, r draw.Rect, i int) {
	k := p.All[i]
	value := r
	value.W = min(r.W, barAt-2)
	if !k.Bar.Set && 2*k.Depth+draw.Width(k.Label)+draw.Width(k.Value)+6 > value.W {
		value.W = min(r.W, 60)
	}
	p.DrawKnob(f, value, i, true)
	room := min(maxBar, r.W-barAt-8)
	if !k.Bar.Set || room < 4 {
		return
	}
	bar, role := draw.Rect{X: r.X + barAt, Y: r.Y, W: room, H: 1}, theme.BarAbove
	if k.Share {
		role = widget.SideRole(f.Side).Area()
		f.Right(r.X+barAt+room, r.Y, 7, plain.Percent(k.Bar.Value), theme.Plain)
		f.Fill(bar, f.Glyphs().Strip[0], theme.Dim) // a share is of a whole
	}
	const whole = 1e6
	f.DrawStretches(bar, whole, []widget.Stretch{{To: model.Tokens(math.Ceil(k.Bar.Value * whole)), Glyph: f.Glyphs().BarSelected, Role: role}})
	if i == p.Cursor() {
		f.Mark(r, theme.Selected)
	}
}

// sectionFrom returns the name of the first section that begins in or below a line; "" if none
// does.
func (p *Editor) sectionFrom(line int) string {
	for _, l := range p.drawn[min(line, len(p.drawn)):] {
		if l.heading != "" {
			return nameOf(l.heading)
		}
	}
	return ""
}

// headingOf returns the line of the heading above a line.
func (p *Editor) headingOf(line int) int {
	for line > 0 && p.drawn[line].heading == "" {
		line--
	}
	return line
}

// roomText returns the effective target in tokens, or "-" without a result.
func roomText(f *widget.Frame) string {
	if f.Out == nil || f.NoResult {
		return "-"
	}
	return f.Sum(f.Out.Report.Effective.Target)
}

// explanation returns the lines that explain the row under the cursor, or why it cannot be
// changed.
func (p *Editor) explanation(width, height int, f *widget.Frame) [][]draw.Span {
	k, ok := p.Current()
	if !ok {
		return nil
	}
	maxLines := 2
	switch {
	case height < 12: // rows matter more
		maxLines = 1
	case height > 20:
		maxLines = 3
	}
	if k.Excluded != "" {
		return fitted(f, "", k.Excluded, width, 2, theme.Warn)
	}
	var lines [][]draw.Span
	if k.Warns != "" {
		lines, maxLines = [][]draw.Span{{{Text: draw.FitWords(k.Warns, width, f.Glyphs()), Role: theme.Warn}}}, maxLines-1
	}
	if maxLines == 0 {
		return lines
	}
	return append(lines, fitted(f, k.Called()+" "+k.Value, k.Help, width, maxLines, theme.Dim)...)
}

// fitted breaks a text into at most maxLines lines after a head, the last of them shortened.
func fitted(f *widget.Frame, head, help string, width, maxLines int, role theme.Role) [][]draw.Span {
	strong, text := draw.Span{Text: head, Role: theme.Strong}, plain.Line(help, 400)
	if head != "" {
		text = ": " + text
	}
	lines := draw.Paragraph(width, strong, draw.Span{Text: text, Role: role})
	if len(lines) <= maxLines {
		return lines
	}
	if maxLines == 1 {
		return [][]draw.Span{{strong, {Text: draw.FitClause(text, width-draw.Width(head), f.Glyphs()), Role: role}}}
	}
	lines, used := lines[:maxLines-1], -len(head)
	for _, l := range lines {
		for _, span := range l {
			used += len(span.Text)
		}
		used++
	}
	return append(lines, []draw.Span{{Text: draw.FitClause(text[min(max(0, used), len(text)):], width, f.Glyphs()), Role: role}})
}
