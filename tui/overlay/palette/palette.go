// Package palette is the list of everything that can be done: all keys, every
// knob with its values, exports, themes. What is typed searches it, and is
// itself understood, as in "set output reserve 2000".
package palette

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/overlay/search"
	"cupelscope/tui/pane"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/work"
)

// Command is one line of the list.
type Command struct {
	Keys  string // that do the same: "j down", "ctrl+r"
	Group string
	Text  string
	Words string // others that find it
	Value string // of a knob, as it is now
	Why   string // not empty: why it does nothing now
	// Line is what tab makes of the line that is typed; "" leaves it.
	Line string
	// Next is the setup that the command leads to, whose effect is shown
	// before it is run; nil: it is not known.
	Next func() (experiment.Setup, error)
	// Change makes a change of the experiment and returns what there is to say;
	// Show names a view to show then.
	Change func() string
	Show   string
	// Run does what is no change. Without Run and Change a value is missing, and
	// enter does what tab does.
	Run func() tea.Cmd
}

// Source is where the commands come from.
type Source struct {
	// All is the list as it is while nothing is typed.
	All []Command
	// Typed is what a line asks for by itself, the best first.
	Typed func(line string) []Command
}

// Palette is the overlay.
type Palette struct {
	search.Box
	app    screen.App
	title  string
	source Source
	hay    [][]string // the words of each line of All
	shown  []Command

	asked  question
	trial  experiment.Trial
	wants  bool // the trial's answer is not there yet
	late   bool // it would take too long
	impact *experiment.Impact
}

// question is what a trial is of: the row, and the result it would change.
type question struct {
	line   string
	row    int
	report *model.Report
}

// longestTrial is how long the effect of a command may take to compute, in
// microseconds as predicted, for it to be told before the command is run.
const longestTrial = 1_000_000

// New lists commands under a title.
func New(app screen.App, title string, source Source) *Palette {
	p := &Palette{Box: search.New(), app: app, title: title, source: source}
	for _, c := range source.All {
		p.hay = append(p.hay, wordsOf(strings.Join([]string{c.Group, c.Text, c.Words, c.Keys}, " ")))
	}
	p.find()
	return p
}

// Area is over the main area.
func (p *Palette) Area() screen.Place { return screen.Over }

// Hints are the keys of the list.
func (p *Palette) Hints() []screen.Hint {
	return []screen.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "run it"}, {Key: "tab", Text: "complete, legend"}, {Key: "esc", Text: "close"}}
}

// Key types, moves, completes the line, runs the row under the cursor, or closes.
func (p *Palette) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); {
	case name == "esc", name == "ctrl+c":
		p.app.Close(p)
	case name == "enter":
		return p.run()
	case name == "tab":
		p.complete()
	case p.Box.Key(msg):
		p.find()
	}
	return nil
}

// Paste adds to what is searched for.
func (p *Palette) Paste(text string) tea.Cmd {
	if p.Insert(text) {
		p.find()
	}
	return nil
}

// Click runs the row at a cell.
func (p *Palette) Click(x, y int) tea.Cmd {
	if !p.ClickRow(x, y) {
		return nil
	}
	return p.run()
}

func (p *Palette) current() (Command, bool) {
	if p.Cursor() >= len(p.shown) {
		return Command{}, false
	}
	return p.shown[p.Cursor()], true
}

// complete puts the row under the cursor into the line; where that has nothing
// to type it shows the legend.
func (p *Palette) complete() {
	c, ok := p.current()
	switch {
	case ok && c.Line != "" && c.Line != p.Text():
		p.SetText(c.Line)
		p.find()
	default:
		p.app.Open(NewLegend(p.app))
	}
}

func (p *Palette) run() tea.Cmd {
	c, ok := p.current()
	switch {
	case !ok:
		return nil
	case c.Run == nil && c.Change == nil:
		p.complete()
		return nil
	case c.Why != "" && c.Line != "": // it can be typed otherwise
		p.app.Say(c.Why)
		return nil
	}
	p.app.Close(p)
	if c.Change == nil {
		return c.Run()
	}
	say := c.Change()
	if c.Show != "" {
		p.app.Show(c.Show)
	}
	p.app.Say(say)
	return nil
}

// find lists what the line asks for by itself, then what has its words.
func (p *Palette) find() {
	line := strings.TrimSpace(p.Text())
	p.shown = p.shown[:0]
	if line == "" {
		p.shown = append(p.shown, p.source.All...)
	} else {
		if p.source.Typed != nil {
			p.shown = append(p.shown, p.source.Typed(line)...)
		}
		for _, i := range matching(line, p.hay) {
			p.shown = append(p.shown, p.source.All[i])
		}
	}
	p.SetLen(len(p.shown))
	p.Top()
}

// Arrange asks what the command under the cursor would do.
func (p *Palette) Arrange(exp *experiment.Experiment, side experiment.Side) {
	q := question{line: p.Text(), row: p.Cursor()}
	if o := exp.Outcome(side); o != nil {
		q.report = o.Report
	}
	if q == p.asked {
		return
	}
	p.asked, p.impact, p.wants, p.late = q, nil, false, false
	c, ok := p.current()
	if !ok || c.Next == nil || c.Why != "" {
		return
	}
	next, err := c.Next()
	if err != nil {
		return
	}
	if p.trial, p.wants = exp.Try(side, next); p.wants && p.trial.Cost() > longestTrial {
		p.wants, p.late = false, true
	}
}

// Job is to find out what the command under the cursor would do.
func (p *Palette) Job() (work.Job, bool) {
	if !p.wants {
		return work.Job{}, false
	}
	trial := p.trial
	return work.Job{Key: p.asked, Cost: trial.Cost(), Run: func(ctx context.Context) (any, error) {
		im, err := trial.Run(ctx)
		return &im, err
	}}, true
}

// Done takes what it would do, unless another is asked about by now.
func (p *Palette) Done(key, result any, err error) {
	if key != p.asked {
		return
	}
	p.wants = false
	if im, ok := result.(*experiment.Impact); ok && err == nil {
		p.impact = im
	}
}

// Draw draws the list over r, the name of a group before its first line, and at
// the bottom the row under the cursor in full, with what it would do.
func (p *Palette) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	below := 4                                // a rule, two lines of text, what it would do
	if c, ok := p.current(); ok && r.H < 12 { // no more than the row needs
		below = min(2, len(p.told(c, r.W-4)))
		if c.Next != nil || c.Why != "" {
			below++
		}
	}
	indent := 11 // the name of the group
	if r.W < 70 {
		indent = 1
	}
	state := ""
	if p.Text() != "" {
		state = plain.Count(len(p.shown), "line")
	}
	group, first := "", true
	rows := p.Box.Draw(f, r, search.Words{Title: p.title, Label: "search", State: state, None: "No key and no command does that here.", Below: below},
		func(r draw.Rect, i int) {
			c := p.shown[i]
			if first && i > 0 && r.Y > 0 {
				group = p.shown[i-1].Group
			}
			if first = false; c.Group != group && indent > 1 {
				group = c.Group
				f.Text(r.X+1, r.Y, indent-2, group, theme.Strong)
			}
			p.row(f, draw.Rect{X: r.X + indent, Y: r.Y, W: r.W - indent - 1, H: 1}, c)
		})
	if !rows.Empty() && rows.Y+rows.H+below <= r.Y+r.H {
		p.detail(f, draw.Rect{X: rows.X + 1, Y: rows.Y + rows.H, W: rows.W - 2, H: below})
	}
}

// row draws a command: its keys, what it does, the value that it changes.
func (p *Palette) row(f *widget.Frame, r draw.Rect, c Command) {
	keys := 15
	if r.W < 60 {
		keys = 10
	}
	names := plain.Line(c.Keys, 80)
	for at := strings.LastIndexByte(names, ' '); at > 0 && draw.Width(names) > keys-1; at = strings.LastIndexByte(names, ' ') {
		names = names[:at] // rather one key than half of another
	}
	f.Text(r.X, r.Y, keys-1, names, theme.Key)
	role, text := theme.Plain, c.Text
	if c.Why != "" {
		role, text = theme.Dim, text+" ("+c.Why+")"
	}
	room := r.W - keys
	if c.Value != "" {
		value := plain.Line("now "+c.Value, room/3)
		f.Right(r.X+keys, r.Y, room, value, theme.Dim)
		room -= draw.Width(value) + 1
	}
	f.Text(r.X+keys, r.Y, room, draw.FitWords(plain.Line(text, 600), room, f.Glyphs()), role)
}

// detail draws the command under the cursor in full, then its effect or why it
// does nothing.
func (p *Palette) detail(f *widget.Frame, r draw.Rect) {
	c, ok := p.current()
	if !ok {
		return
	}
	if r.H > 3 {
		for x := r.X - 1; x <= r.X+r.W; x++ {
			f.Set(x, r.Y, f.Glyphs().Horizontal, theme.Frame)
		}
		r.Y, r.H = r.Y+1, r.H-1
	}
	effect, lines := p.effect(f, c, r.W), p.told(c, r.W)
	if effect != nil {
		r.H--
	}
	lines = lines[:min(len(lines), r.H)]
	if effect != nil {
		lines = append(lines, effect)
	}
	for y, line := range lines {
		f.Spans(r.X, r.Y+y, r.W, line...)
	}
}

// told is a command in full.
func (p *Palette) told(c Command, width int) [][]draw.Span {
	text := plain.Line(c.Text, 600)
	if c.Words != "" && c.Value != "" {
		text += "; now " + plain.Line(c.Value, 40)
	}
	return draw.Paragraph(width, draw.Span{Text: text})
}

// effect is what the command would do, or why it does nothing; nil: nothing is
// known of it.
func (p *Palette) effect(f *widget.Frame, c Command, width int) []draw.Span {
	one := func(text string, role theme.Role) []draw.Span {
		return []draw.Span{{Text: plain.Line(text, width), Role: role}}
	}
	switch {
	case c.Why != "":
		return one("no: "+c.Why, theme.Warn)
	case p.late:
		return one("what it changes takes long to compute: enter shows it", theme.Dim)
	case p.wants:
		return one("computing what it changes"+f.Glyphs().Ellipsis+" "+f.Waiting.Spin(), theme.Dim)
	case p.impact == nil:
		return nil
	case p.impact.Err != nil:
		return one("no result then: "+p.impact.Err.Error(), theme.Error)
	}
	on := draw.Span{Text: "enter: "}
	if p.impact.Side != f.Side {
		on.Text = "enter, on " + p.impact.Side.String() + ": "
	}
	return append([]draw.Span{on}, pane.ImpactSpans(f, *p.impact, width-len(on.Text))...)
}
