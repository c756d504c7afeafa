// Package palette is the overlay that lists everything that can be done: all
// keys, every knob with its values, exports, themes. Typed text searches the
// list. It can also be a command by itself, such as "set output reserve 2000".
package palette

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// Source provides the commands of a palette.
type Source struct {
	// All is the whole list, shown while nothing is typed and searched otherwise.
	All []Command
	// Typed returns the commands that a typed line itself stands for, the best
	// first. They come before those that the search finds. Typed may be nil.
	Typed func(line string) []Command
	// Guide is shown in place of the list while nothing is typed, unless it is nil.
	Guide *Guide
	// Explain opens the help at a word or a mark; "": at its beginning.
	Explain func(name string)
}

// Palette is the overlay.
type Palette struct {
	widget.SearchBox
	app    screen.App
	title  string
	source Source
	words  []entry // of each line of All
	shown  []Command
	partly string // how many of the typed words the found lines have; "": all
	// unknown is a word that the first of them does not have, and told the line of which the user
	// knows that.
	unknown, told string

	exp    *experiment.Experiment // from which on side the commands start
	side   experiment.Side
	asked  question
	trial  experiment.Trial
	wants  bool // the trial has no answer yet
	late   bool // the trial would take too long
	impact *experiment.Impact
	leads  model.Option[model.Tokens] // the budget that the command goes to
	note   string                     // stands before it
	opens  string                     // what the command shows, if it changes nothing
}

// question identifies a trial: the typed line, the row, and the report that the
// command would change.
type question struct {
	line   string
	row    int
	report *model.Report
}

// maxTrialTime is how long a trial may take before the command is run.
const maxTrialTime = time.Second

// New returns a palette that lists the commands of source under a title.
func New(app screen.App, title string, source Source) *Palette {
	p := &Palette{SearchBox: widget.NewSearchBox(), app: app, title: title, source: source}
	for _, c := range source.All {
		shown := wordsOf(strings.Join([]string{c.Group, c.Text, c.Keys}, " "))
		first := append(wordsOf(c.Text), "")[0]
		var name []string
		if knob, ok := strings.CutPrefix(c.Text, "set "); ok {
			knob, _, _ = strings.Cut(knob, ":")
			name = wordsOf(knob)
		}
		p.words = append(p.words, entry{name, shown, append(shown[:len(shown):len(shown)], wordsOf(c.Words)...), first, c.Why != "" && !c.Done, c.Group == legendGroup})
	}
	p.find()
	return p
}

// Spec says that the palette covers the main area.
func (p *Palette) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Wheel: p.wheel, Arrange: p.Arrange, Hints: p.Hints, Key: p.Key, Paste: p.Paste, Click: p.Click, Worker: p}
}

// guides reports whether the guide is shown.
func (p *Palette) guides() bool { return p.source.Guide != nil && p.Text() == "" }

func (p *Palette) wheel(by int) {
	if p.guides() {
		p.source.Guide.Move(by)
		return
	}
	p.Move(by)
}

// Hints returns the keys of the list, or of the guide.
func (p *Palette) Hints() []screen.Hint {
	if p.guides() {
		return []screen.Hint{{Key: "up/down", Text: "scroll"}, {Key: "tab", Text: "next part"}, {Key: "a-z", Text: "search"}, {Key: "esc", Text: "close"}}
	}
	return []screen.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "run it"}, {Key: "tab", Text: "complete, help"}, {Key: "esc", Text: "close"}}
}

// Key handles a key: esc closes, enter runs the command under the cursor, tab
// completes the line or shows the help, and all others move or type.
func (p *Palette) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); {
	case name == "esc", name == "ctrl+c":
		p.app.Close(p)
	case p.guides() && p.source.Guide.key(name):
	case name == "enter":
		return p.run()
	case name == "tab":
		p.complete()
	case p.SearchBox.Key(msg):
		p.find()
	}
	return nil
}

// Paste inserts text into the typed line.
func (p *Palette) Paste(text string) tea.Cmd {
	if p.Insert(text) {
		p.find()
	}
	return nil
}

// Click runs the command that was last drawn at the cell (x, y), if there is one.
func (p *Palette) Click(x, y int) tea.Cmd {
	if !p.ClickRow(x, y) {
		return nil
	}
	p.told = p.Text() // that line, and no other, was asked for
	return p.run()
}

func (p *Palette) current() (Command, bool) {
	if p.Cursor() >= len(p.shown) {
		return Command{}, false
	}
	return p.shown[p.Cursor()], true
}

// complete replaces the typed line by the line of the command under the cursor. If
// that changes nothing, it shows the help in place of the list.
func (p *Palette) complete() {
	c, ok := p.current()
	switch {
	case ok && c.Line != "" && c.Line != p.Text():
		p.SetText(c.Line)
		p.find()
	default:
		p.app.Close(p)
		p.source.Explain("")
	}
}

func (p *Palette) run() tea.Cmd {
	c, ok := p.current()
	switch {
	case !ok:
		return nil
	case c.Run == nil && c.Plan == nil && c.Why == "":
		p.complete()
		return nil
	case c.Why != "" && (c.Line != "" || c.Run == nil && c.Plan == nil) && !c.Done: // the user can type something else
		p.app.Say(c.Why)
		return nil
	case p.partly != "" && p.unknown != "" && p.Cursor() == 0 && p.told != p.Text(): // it is not what was asked for
		p.told = p.Text()
		p.app.Say(fmt.Sprintf("%.30q is not understood: enter again runs the marked line without it", p.unknown))
		return nil
	}
	p.app.Close(p)
	p.app.Say("")
	if c.Run != nil {
		return c.Run()
	}
	p.app.Make(c.Plan())
	return nil
}

// find lists the commands that the line itself stands for, then those that match
// its words.
func (p *Palette) find() {
	line := strings.TrimSpace(p.Text())
	p.shown, p.partly = p.shown[:0], ""
	switch {
	case p.guides():
	case line == "":
		p.shown = append(p.shown, p.source.All...)
	default:
		words := wordsOf(line)
		if p.source.Typed != nil {
			p.shown = append(p.shown, p.source.Typed(line)...)
			if len(p.shown) == 0 {
				p.shown = append(p.shown, p.source.Typed(strings.Join(telling(strings.Fields(line)), " "))...)
			}
		}
		typed := len(p.shown)
		if word, ok := strings.CutPrefix(line, "/"); ok && word != "" {
			words = wordsOf(word) // a search as in a pager
		}
		found, matched := matching(words, p.words)
		if told := telling(words); matched < len(words) && len(told) > 0 {
			words = told
			found, matched = matching(words, p.words)
		}
		switch {
		case matched == len(words):
			p.shown = slices.DeleteFunc(p.shown, func(c Command) bool { return c.Unread })
			typed = len(p.shown)
			p.named(found, line)
			if typed > 0 && len(found) > 0 && p.shown[0].Group == legendGroup && p.does(line, p.words[found[0]]) {
				p.shown = slices.Insert(p.shown, 0, p.source.All[found[0]])
				typed++
			}
		case typed > 0:
			found = nil // the line itself is a command, so similar ones do not help
		default:
			p.partly, p.unknown = fmt.Sprintf("%d of %d words", matched, len(words)), ""
			for _, w := range words {
				if len(found) > 0 && Match(w, p.words[found[0]].all) < begins {
					p.unknown = w
					break
				}
			}
			found = slices.DeleteFunc(found, func(i int) bool { return p.source.All[i].Group == legendGroup })
		}
		for _, i := range found {
			c := p.source.All[i]
			if !slices.ContainsFunc(p.shown[:typed], func(first Command) bool { return first.Text == c.Text }) {
				p.shown = append(p.shown, c)
			}
		}
	}
	p.SetLen(len(p.shown))
	p.Top()
}

// does reports whether a line that explains a word gives way to a command: it does something now and
// shows the word, and no question was typed.
func (p *Palette) does(line string, command entry) bool {
	words := wordsOf(line)
	return !command.idle && !command.explains && len(telling(words)) == len(words) &&
		!slices.ContainsFunc(words, func(w string) bool { return Match(w, command.shown) < whole })
}

// named puts the line first that sets what is typed by its whole name.
func (p *Palette) named(found []int, line string) {
	at := slices.IndexFunc(found, func(i int) bool {
		return strings.EqualFold(strings.TrimSpace(p.source.All[i].Line), "set "+strings.TrimPrefix(strings.TrimPrefix(line, "set "), "change "))
	})
	if at > 0 {
		first := found[at]
		copy(found[1:], found[:at])
		found[0] = first
	}
}

// Arrange asks what the command under the cursor would change on a side, unless
// that was already asked.
func (p *Palette) Arrange(exp *experiment.Experiment, side experiment.Side) {
	p.exp, p.side = exp, side
	q := question{line: p.Text(), row: p.Cursor()}
	if o := exp.Outcome(side); o != nil {
		q.report = o.Report
	}
	if q != p.asked {
		p.ask(q)
	}
}

// ask asks what the command under the cursor would change, unless it is not known yet.
func (p *Palette) ask(q question) {
	p.asked, p.impact, p.wants, p.late, p.leads, p.opens = q, nil, false, false, model.Option[model.Tokens]{}, ""
	c, ok := p.current()
	if !ok || c.Plan == nil || c.Why != "" || c.Later != nil {
		return
	}
	change, err := c.Plan()
	if err != nil || change.To == nil {
		return
	}
	if change.Show != "" && change.To().Equal(p.exp.Setup()) {
		p.opens = c.Effect
		return
	}
	p.trial, p.wants = p.exp.Try(p.side, change.To())
	p.leads, p.note = change.Budget, change.Note
}

// laterKey is the key of the job that finds what takes the place of a row.
type laterKey struct {
	line string
	row  int
}

// Job returns the work of computing what the command under the cursor would change, and then of
// finding the commands that are not known yet; false if there is nothing to compute.
func (p *Palette) Job() (work.Job, bool) {
	if !p.wants {
		row := slices.IndexFunc(p.shown, func(c Command) bool { return c.Later != nil })
		if row < 0 {
			return work.Job{}, false
		}
		later := p.shown[row].Later
		return work.Job{Key: laterKey{p.Text(), row}, Run: func(ctx context.Context) func() {
			found := later(ctx)
			return func() { p.replace(row, found()) }
		}}, true
	}
	return work.Job{Key: p.asked, Limit: maxTrialTime, Run: work.Pass(p.trial.Run, func(im experiment.Impact, err error) {
		if p.wants, p.late = false, work.TooLong(err); err == nil {
			p.impact = &im
		}
	})}, true
}

// replace puts commands in the place of a row. The cursor stays on its command.
func (p *Palette) replace(row int, found []Command) {
	at, moved := p.Cursor(), 0
	if at > row {
		moved = len(found) - 1
	}
	p.shown = slices.Concat(p.shown[:row], found, p.shown[row+1:])
	p.SetLen(len(p.shown))
	p.To(at + moved)
	p.asked.row += moved
	if at == row {
		p.ask(p.asked)
	}
}

// Draw draws the list over r, each group's name beside its first line, and at the
// bottom the command under the cursor in full, with its effect.
func (p *Palette) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	if p.guides() {
		rows := p.SearchBox.Draw(f, r, widget.SearchTexts{Title: p.title, Label: "search", State: "type to search"}, nil)
		if !rows.Empty() {
			p.source.Guide.draw(f, rows, r)
		}
		return
	}
	below := 4 // a rule, two lines of text, what it would do
	if c, ok := p.current(); ok {
		text, effect := len(p.fullText(c, r.W-4)), len(p.effect(f, c, r.W-4))
		if r.H < 12 { // no more than the row needs
			below = min(2, text) + min(3, effect)
		} else {
			below = max(below, min(1+text+max(1, effect), r.H/2))
		}
	}
	indent, keys := 11, nameWidth // the name of the group, and the keys
	if r.W < 70 {
		indent, keys = 1, 10
	}
	state := widget.Fitting(r.W-20, "as in: 12000   pin 3   reserve 2000   at most 30 % tool, one memory", "as in: 12000   pin 3   at most 30 % tool", "as in: 12000   pin 3")
	if p.Text() != "" {
		state = plain.Count(len(p.shown), "line")
		if p.partly != "" && len(p.shown) > 0 {
			state = p.partly
		}
	}
	group, first := "", true
	rows := p.SearchBox.Draw(f, r, widget.SearchTexts{Title: p.title, Label: "search", State: state, None: "No key and no command does that here.", Below: below},
		func(r draw.Rect, i int) {
			c := p.shown[i]
			if first && i > 0 {
				group = p.shown[i-1].Group
			}
			first = false
			if c.Group != group && indent > 1 {
				group = c.Group
				f.Text(r.X+1, r.Y, indent-2, group, theme.Strong)
			}
			drawRow(f, draw.Rect{X: r.X + indent, Y: r.Y, W: r.W - indent - 1, H: 1}, c, keys)
		})
	if !rows.Empty() && rows.Y+rows.H+below <= r.Y+r.H {
		p.detail(f, draw.Rect{X: rows.X + 1, Y: rows.Y + rows.H, W: rows.W - 2, H: below})
	}
}

// drawRow draws a command: its keys, its text from the column keys on, and the value that it
// changes.
func drawRow(f *widget.Frame, r draw.Rect, c Command, keys int) {
	names := plain.Line(c.Keys, 80)
	for at := strings.LastIndexByte(names, ' '); at > 0 && draw.Width(names) > keys-1; at = strings.LastIndexByte(names, ' ') {
		names = names[:at] // leave a key out rather than cut it
	}
	f.Text(r.X, r.Y, keys-1, names, theme.Key)
	role, text := theme.Plain, c.text()
	room := r.W - keys
	value := c.says(room, f.Glyphs())
	if c.Why != "" {
		role, text = theme.Dim, text+" ("+c.Why+")"
		if draw.Width(text) > room { // the lines below have all of both
			text, value = c.text(), whyInRow(c, room)
		}
	}
	if value != "" {
		f.Right(r.X+keys, r.Y, room, value, theme.Dim)
		room -= draw.Width(value) + 1
	}
	f.Text(r.X+keys, r.Y, room, firstWords(plain.Line(text, 600), room, f.Glyphs()), role)
}

// whyInRow returns why a command does nothing now in what its row has room for: clauses of the
// reason beside the whole text, else in half of the row if clauses of the text fit beside them,
// else that it does nothing, or "".
func whyInRow(c Command, room int) string {
	why := "no: " + plain.Line(c.Why, 600)
	beside := room - draw.Width(c.Text) - 1
	for _, width := range [...]int{beside, room / 2} {
		clause, ok := draw.FirstClause(why, width)
		_, fits := draw.FirstClause(withoutPlace(c.Text), room-draw.Width(clause)-1)
		if ok && fits && strings.Count(clause, " ") > 1 { // more than what it is about
			return clause
		}
	}
	if idle := "not now"; beside >= len(idle) {
		return idle
	}
	return ""
}

// firstWords returns a text that fits into width cells: all of it, or without its place ("in the
// curve: "), or what comes before a clause that does not fit. The lines below the list have the
// whole.
func firstWords(text string, width int, g *theme.Glyphs) string {
	if draw.Width(text) > width {
		text = withoutPlace(text)
	}
	return draw.FitClause(text, width, g)
}

func withoutPlace(text string) string {
	if place, rest, is := strings.Cut(text, ": "); is && strings.HasPrefix(place, "in ") {
		return rest
	}
	return text
}

// detail draws the command under the cursor in full, then its effect or why it
// does nothing.
func (p *Palette) detail(f *widget.Frame, r draw.Rect) {
	c, ok := p.current()
	if !ok {
		return
	}
	if r.H > 3 {
		f.Fill(draw.Rect{X: r.X - 1, Y: r.Y, W: r.W + 2, H: 1}, f.Glyphs().Horizontal, theme.Frame)
		r.Y, r.H = r.Y+1, r.H-1
	}
	effect, lines := p.effect(f, c, r.W), p.fullText(c, r.W)
	kept := 1 // lines of the text that stay
	if c.Why == "" {
		kept = min(max(2, r.H-len(effect)), len(lines))
	}
	effect = effect[:min(len(effect), max(1, r.H-kept))]
	lines = append(lines[:min(len(lines), r.H-len(effect))], effect...)
	f.Lines(r, lines)
}

// fullText returns the text of a command in full, broken into lines.
func (p *Palette) fullText(c Command, width int) [][]draw.Span {
	text := plain.Line(c.text(), 600)
	if c.Words != "" && c.Value != "" {
		text += "; now " + plain.Line(c.Value, 40)
	}
	return draw.Paragraph(width, draw.Span{Text: text})
}

// effect says what the command would change, or why it does nothing, in lines. It
// returns nil if nothing is known about that.
func (p *Palette) effect(f *widget.Frame, c Command, width int) [][]draw.Span {
	one := func(text string, role theme.Role) [][]draw.Span {
		return draw.Paragraph(width, draw.Span{Text: plain.Line(text, 400), Role: role})
	}
	switch {
	case c.Why != "":
		return one("no: "+c.Why, theme.Warn)
	case p.late:
		return one("what it changes takes long to compute: enter shows it", theme.Dim)
	case p.wants, c.Later != nil:
		return one("computing what it changes"+f.Glyphs().Ellipsis+" "+f.Waiting.Spin(), theme.Dim)
	case p.opens != "":
		return one("enter: "+p.opens, theme.Plain)
	case p.impact == nil:
		return nil
	case p.impact.Err != nil:
		return one("no result then: "+p.impact.Err.Error(), theme.Error)
	}
	on := draw.Span{Text: "enter: "}
	if p.impact.Side != f.Side {
		on.Text = "enter, on " + p.impact.Side.String() + ": "
	}
	if p.leads.Set {
		on.Text += p.note + "budget " + f.BudgetText(p.leads.Value) + ": "
	}
	im, limits := *p.impact, limitsText(p.impact, width)
	im.Shared = im.Shared && limits == "" // the line below says which
	lines := [][]draw.Span{append([]draw.Span{on}, pane.ImpactSpans(f, im, width-len(on.Text))...)}
	if limits != "" {
		lines = append(lines, one(limits, theme.Warn)...)
	}
	if free := p.impact.Unused; free > 0 {
		lines = append(lines, one(f.Sum(free)+" tokens of the room stay free", theme.Warn)...)
	}
	return lines
}

// limitsText says which kinds percentages limit besides those that they name, and what that takes
// from them; of many on a narrow screen the first, which lose most. It is "" if they were limited
// before and lose nothing.
func limitsText(im *experiment.Impact, width int) string {
	text := ""
	for k, s := range im.Squeezed {
		if !im.Shared && s.Left >= 1 {
			break
		}
		part := ", " + s.Kind.Noun() + " to " + plain.Percent(s.Share)
		if k == 0 {
			part = "also limited: " + part[len(", "):] + " of the room"
		}
		if s.Was > s.Is {
			part += fmt.Sprintf(" (%d of %d", s.Is, s.Was) + widget.Verb(s.Is, " stays)", " stay)")
		}
		if text != "" && width < 70 && draw.Width(text+part) > width {
			break
		}
		text += part
	}
	return text
}
