package palette

import (
	"context"
	"fmt"
	"slices"
	"time"

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

// effect is what the command under the cursor would change.
type effect struct {
	exp    *experiment.Experiment // from which on side the command starts
	side   experiment.Side
	asked  question
	change screen.Change // of the command
	trial  experiment.Trial
	wants  bool // the trial has no answer yet
	edits  bool // the command changes items: its trial makes all of them anew
	late   bool // the trial would take too long
	impact *experiment.Impact
	opens  string // what the command shows, if it changes nothing
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
	p.effect = effect{exp: p.exp, side: p.side, asked: q}
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
	p.change, p.edits = change, !change.To().SameEdits(p.exp.Setup())
	p.trial, p.wants = p.exp.Try(p.side, change.To())
}

// laterKey is the key of the job that finds what takes the place of a row.
type laterKey struct {
	line string
	row  int
}

// Job returns the work of computing what the command under the cursor would change, and then of
// finding the commands that are not known yet; false if there is nothing to compute. Where that takes
// longer than a frame, what is found later and the trial of a command that changes items begin only when
// keys rest: each letter asks for others.
func (p *Palette) Job() (work.Job, bool) {
	if !p.wants {
		row := slices.IndexFunc(p.shown, func(c Command) bool { return c.Later != nil })
		if row < 0 {
			return work.Job{}, false
		}
		later := p.shown[row].Later
		return work.Job{Key: laterKey{p.Text(), row}, CanWait: true, Run: func(ctx context.Context) func() {
			found := later(ctx)
			return func() { p.replace(row, found()) }
		}}, true
	}
	return work.Job{Key: p.asked, CanWait: p.edits, Limit: maxTrialTime, Run: work.Pass(p.trial.Run, func(im experiment.Impact, err error) {
		p.wants, p.late = false, work.TooLong(err)
		if err == nil {
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
	if len(p.search.words) > 0 && len(p.shown) > 0 {
		p.misses(entryOf(p.shown[0]).all)
	}
	p.orExamples(p.source.Examples)
	p.SetLen(len(p.shown))
	p.To(at + moved)
	p.asked.row += moved
	if at == row {
		p.ask(p.asked)
	}
}

// effectLines returns what the command would change, or why it does nothing, in lines. It
// returns nil if nothing is known about that.
func (p *Palette) effectLines(f *widget.Frame, c Command, width int) [][]draw.Span {
	one := func(text string, role theme.Role) [][]draw.Span {
		return draw.Paragraph(width, draw.Span{Text: plain.Line(text, 400), Role: role})
	}
	switch {
	case c.Why != "":
		return one(c.no(), theme.Warn)
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
	switch {
	case p.change.Tells != "":
		on.Text += p.change.Label.String() + ": "
	case p.change.Budget.Set:
		on.Text += "budget " + f.BudgetText(p.change.Budget.Value) + ": "
	}
	im, limits := *p.impact, limitsText(p.impact, width)
	im.Shared = im.Shared && limits == "" // the line below says which
	var lines [][]draw.Span
	if p.change.Tells != "" {
		lines = one(p.change.Tells, theme.Strong)
	}
	lines = append(lines, append([]draw.Span{on}, pane.ImpactSpans(f, im, width-draw.Width(on.Text))...))
	if limits != "" {
		lines = append(lines, one(limits, theme.Warn)...)
	}
	if free := p.impact.Unused; free > 0 {
		lines = append(lines, one(f.SumTokens(free)+" of the room "+widget.Verb(int(free), "stays", "stay")+" free", theme.Warn)...)
	}
	return lines
}

// movedLines names the items that the command would bring in or take out, in so many lines, the first of
// them blank; nil where the line of the effect says all or none is known.
func (p *Palette) movedLines(f *widget.Frame, width, rows int) [][]draw.Span {
	if p.impact == nil || p.impact.Err != nil || p.late || p.wants || f.Out == nil || rows < 2 || len(p.impact.In)+len(p.impact.Out) == 0 {
		return nil
	}
	return append([][]draw.Span{nil}, widget.MovedLines(f.Glyphs(), f.Out.Report, p.impact.In, p.impact.Out, width, rows-1)...)
}

// limitsText returns which kinds percentages limit besides those that they name, and what that
// takes from them; of many on a narrow screen the first, which lose most. It is "" if they were
// limited before and lose nothing.
func limitsText(im *experiment.Impact, width int) string {
	text := ""
	for k, s := range im.Squeezed {
		if !im.Shared && s.Left >= 1 {
			break
		}
		part := ", " + s.Kind.Noun() + " " + plain.Percent(s.Share)
		if k == 0 {
			part = widget.Fitting(width-34, "one percentage caps all kinds: ", "capped too: ") + part[len(", "):] + " of the room"
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
