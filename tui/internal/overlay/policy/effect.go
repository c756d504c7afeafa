package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// effect is what changed on one side since a moment.
type effect struct {
	since string              // "since this editor was opened"
	was   *experiment.Outcome // nil: there was no result
	made  int                 // changes that had been made
	below string              // how far was is below the best possible, as known when it was current

	now     *model.Report // what was is compared with below; nil: there is no result
	changes []string      // labels, the oldest first
	undone  bool          // changes from before that moment were undone
	scores  bool          // items have other scores, so that the values cannot be compared
	in, out []int32
	resized []experiment.Resize
	// moved are the items whose scores moved most, the largest move first.
	moved []int32
	// lost is the kind that lost most of what was in to the percentages of other kinds, and
	// limited the kind of which these keep most out.
	lost, limited experiment.Squeeze
}

// begun returns the effect that begins now.
func begun(exp *experiment.Experiment, side experiment.Side, since string) effect {
	made, _ := exp.Made(0)
	e := effect{since: since, made: len(made)}
	if exp.State(side) == experiment.Current {
		e.was = exp.Result(side)
	}
	return e
}

// read compares with the current result. It begins anew if the result before has other items
// or token counts, or if there was none.
func (e *effect) read(exp *experiment.Experiment, side experiment.Side) {
	e.changes, e.undone = exp.Made(e.made)
	o := exp.Result(side)
	if o == nil || exp.State(side) != experiment.Current {
		if o == nil {
			e.now = nil
		}
		return
	}
	switch {
	case e.was == nil:
		*e = begun(exp, side, "since there is a result")
	case e.was.Items.Len() != o.Items.Len() || e.was.Items.Total() != o.Items.Total():
		*e = begun(exp, side, "since the items changed")
	case e.now == o.Report:
		return
	}
	e.now = o.Report
	e.in, e.out = simulate.Diff(e.was.Report, o.Report)
	e.resized = experiment.Resized(e.was.Report, o.Report)
	e.scores = !slices.Equal(e.was.Report.Scores, o.Report.Scores)
	e.moved = movedMost(e.was.Report.Scores, o.Report.Scores)
	e.lost = experiment.Lost(experiment.Squeezed(e.was.Report, o.Report, o.Ranking, o.Policy.Quotas))
	e.limited = experiment.Lost(experiment.Squeezed(nil, o.Report, o.Ranking, o.Policy.Quotas))
}

// sharing warns, in lines or in one, that percentages limit a kind that has none; nil if they limit no such
// kind. If only one kind has a percentage, the lines also tell what limits that kind alone. Before the
// first percentage is set, the row of a percentage warns that it would limit every kind.
func (p *Editor) sharing(f *widget.Frame, width int, oneLine bool) [][]draw.Span {
	e := &p.effect[f.Side]
	if k, ok := p.Current(); ok && !oneLine && k.Shares() && k.Excluded == "" && len(f.Exp.Setup().Policy[f.Side].Quotas) == 0 {
		return draw.Paragraph(width, draw.Span{Role: theme.Warn,
			Text: "A percentage for one kind limits every kind: the whole room is shared out, to the others by their tokens. A cap counts items of its kind alone."})
	}
	squeeze, of := e.lost, "of the "+plain.Thousands(e.lost.Was)+" that were in"
	if squeeze.Was == 0 {
		squeeze, of = e.limited, "of its "+plain.Thousands(e.limited.Was)+widget.Verb(e.limited.Is, " is in", " are in")
	}
	if e.now == nil || squeeze.Was == 0 {
		return nil
	}
	kind, share := squeeze.Kind.Noun(), plain.Percent(squeeze.Share)
	text := fmt.Sprintf("Percentages share out the whole room: %s may have %s of it, %d %s.", kind, share, squeeze.Is, of)
	if oneLine {
		text = widget.Fitting(width, text, fmt.Sprintf("Shares limit %s to %s: %d %s", kind, share, squeeze.Is, of))
	} else if all := f.Exp.Setup().Policy[f.Side].Quotas; len(all) == 1 && all[0].Require() == 0 {
		text += " A cap limits the number of " + all[0].Kind.Noun() + " alone."
	}
	return draw.Paragraph(width, draw.Span{Text: text, Role: theme.Warn})
}

// lines returns what filling the room comes to, or why it cannot be; none where quotas keep no room
// free.
func (p *filling) lines(f *widget.Frame, width int) [][]draw.Span {
	policy := f.Exp.Setup().Policy[f.Side]
	if p.of == nil || p.Done || len(policy.Quotas)+len(policy.CountQuotas) == 0 {
		return nil
	}
	line := []draw.Span{{Text: "f", Role: theme.Key}, {Text: " fills the room: "}}
	switch {
	case p.Later != nil:
		line = append(line, draw.Span{Text: "computing" + f.Glyphs().Ellipsis, Role: theme.Dim})
	case p.Why != "":
		free := p.of.Effective.Target - p.of.SlicedTokens
		text := f.Sum(free) + widget.Verb(int(free), " stays", " stay") + " free: " + p.Why
		line = []draw.Span{{Text: draw.FitWords(text, width, f.Glyphs()), Role: theme.Dim}}
	default:
		line = append(line, widget.Plain(draw.FitWords(p.Effect, width-draw.SpansWidth(line), f.Glyphs())))
	}
	return [][]draw.Span{line}
}

// maxMoved bounds the scores that are listed.
const maxMoved = 40

// fewMoved is how many of them stand above what is less asked for.
const fewMoved = 5

// movedMost returns the items whose scores differ most, the largest difference first.
func movedMost(was, is []float64) []int32 {
	var all []int32
	move := func(i int32) float64 { return math.Abs(is[i] - was[i]) }
	for i := range int32(min(len(was), len(is))) {
		if move(i) >= 0.005 { // it is seen in two decimals
			all = widget.Most(all, i, maxMoved, move)
		}
	}
	return all
}

// belowBest returns how far the value is below the best possible, then and now; "-" where
// that is not known.
func (e *effect) belowBest(f *widget.Frame) (was, now string) {
	if f.Out == nil || e.was == nil {
		return "-", "-"
	}
	now, _ = f.OffBest(f.Out, f.Out.Report.Value, slicer.Target(f.Out.Report.Effective.Target))
	now = cmp.Or(now, "-")
	if f.Out.Report == e.was.Report && !f.Old {
		e.below = now
	}
	return cmp.Or(e.below, "-"), now
}

// line returns the effect in one line of at most width cells, after a head.
func (e *effect) line(f *widget.Frame, width int, head string) []draw.Span {
	was, now := e.belowBest(f)
	if e.now == nil || e.was == nil {
		return []draw.Span{{Text: f.NoResultText(), Role: theme.Dim}}
	}
	dim := func(text string) draw.Span { return draw.Span{Text: text, Role: theme.Dim} }
	arrow := " " + f.Glyphs().Arrow + " "
	between := func(was, now string) string {
		if was == now {
			return now
		}
		return was + arrow + now
	}
	in := between(strconv.Itoa(len(e.was.Report.Included)), strconv.Itoa(len(e.now.Included))) + " in"
	below := ", " + between(was, now) + " " + plain.BelowBest
	switch best := "0 %"; {
	case was == best && now == best:
		below = ", best possible"
	case was == best:
		below = ", best" + arrow + now + " " + plain.BelowBest
	case now == best:
		below = ", " + was + " " + plain.BelowBest + arrow + "best"
	}
	moves := []draw.Span{dim(", " + widget.NothingMoves)}
	if len(e.in)+len(e.out)+len(e.resized) > 0 {
		moves = append([]draw.Span{dim("  ")}, widget.ChangeSpans(f.Glyphs(), e.in, e.out, e.resized, max(16, width-draw.Width(head+in+below)-2))...)
	}
	form := func(parts ...string) []draw.Span {
		var s []draw.Span
		for _, part := range parts {
			s = append(s, dim(part))
		}
		return append(s, moves...)
	}
	return draw.FirstThatFits(width, form(head, in, below), form(head, in), form(in))
}

// nearest returns the nearest values of the knob under the cursor at which anything changes,
// so many to a line; none for a knob whose values cannot be tried.
func (p *Editor) nearest(f *widget.Frame, width, columns int) (lines [][]draw.Span) {
	if k, ok := p.Current(); !ok || k.Field == "" || f.NoResult { // without a result the keys go along budgets
		return nil
	}
	var all [][]draw.Span
	steps := p.steps()
	for _, s := range steps[:min(2, len(steps))] {
		if s.Tells() {
			all = append(all, s.Spans(f, width/columns-1))
		}
	}
	for row := range slices.Chunk(all, columns) {
		var line []draw.Span
		for k, spans := range row {
			line = append(line, spans...)
			if k < len(row)-1 {
				line = append(line, draw.Span{Text: strings.Repeat(" ", max(0, width/columns-draw.SpansWidth(spans)))})
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// drawEffect draws in r what changed, and what a step of the knob under the cursor would
// change, and where there is room the items by score after those that are listed beside it.
func (p *Editor) drawEffect(f *widget.Frame, r draw.Rect, listed int) {
	e := &p.effect[f.Side]
	in := f.Box(r, "Effect "+e.since, false)
	var lines [][]draw.Span
	add := func(line ...draw.Span) { lines = append(lines, line) }
	if sharing := p.sharing(f, in.W-2, false); len(sharing) > 0 {
		add()
		lines = append(lines, sharing...)
	}
	lines = append(lines, p.fill.lines(f, in.W-2)...)
	if steps := p.preview.lines(f, in.W-2); len(steps) > 0 {
		add()
		add(draw.Span{Text: "What h and l would do", Role: theme.Strong})
		lines = append(lines, steps...)
	}
	if nearest := p.nearest(f, in.W-2, 1); len(nearest) > 0 {
		add()
		k, _ := p.Current()
		add(draw.Span{Text: "The nearest " + k.Called() + " that moves items", Role: theme.Strong})
		lines = append(lines, nearest...)
	}
	few := e.movedLines(f, in.W-2, fewMoved)
	lines = append(e.rows(f, in.W-2, in.H-len(lines)-len(few)), lines...)
	above := len(lines)
	lines = append(lines, few...)
	if e.now != nil && !f.Old {
		lines = append(lines, p.preview.items(f, e.now, in.W-2, in.H-len(lines))...)
		k, _ := p.Current()
		if next := p.others.lines(f, k, in.W-2); len(next) > 0 && in.H-len(lines) > 2 {
			add()
			add(draw.Span{Text: "The nearest values of others that move items", Role: theme.Strong})
			lines = append(lines, next[:min(len(next), in.H-len(lines))]...)
		}
		if all := e.movedLines(f, in.W-2, len(few)-2+in.H-len(lines)); len(all) > len(few) {
			lines = slices.Concat(lines[:above], all, lines[above+len(few):])
		}
	}
	n := f.Lines(draw.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: in.H}, lines) + 1
	if listed > 0 {
		p.drawRanked(f, draw.Rect{X: in.X + 1, Y: in.Y + n, W: in.W - 2, H: in.H - n}, listed)
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

// movedLines names the items whose scores moved most, at most maxItems, below a heading; nil if none
// moved.
func (e *effect) movedLines(f *widget.Frame, width, maxItems int) (lines [][]draw.Span) {
	if e.now == nil || len(e.moved) == 0 {
		return nil
	}
	lines = append(lines, nil, []draw.Span{{Text: "Scores that moved most", Role: theme.Strong}})
	for _, i := range e.moved[:max(0, min(len(e.moved), maxItems))] {
		score := widget.Score(e.was.Report.Scores[i], 5) + " " + f.Glyphs().Arrow + " " + widget.Score(e.now.Scores[i], 5)
		name := widget.ItemName(f.Glyphs(), e.now, int(i), width-2-draw.Width(score))
		lines = append(lines, []draw.Span{{Text: name + "  " + score}})
	}
	return lines
}

// rows returns the lines of the effect: in one line, what was changed, further numbers then and now, and the
// items that came in and went out, as many of them as fit into height lines.
func (e *effect) rows(f *widget.Frame, width, height int) [][]draw.Span {
	var lines [][]draw.Span
	add := func(role theme.Role, text string) { lines = append(lines, []draw.Span{{Text: text, Role: role}}) }
	if e.was != nil && e.now != nil {
		lines = append(lines, e.line(f, width, ""))
	}
	switch {
	case e.undone:
		add(theme.Dim, "changes of before were undone")
	case len(e.changes) == 0 && e.was != nil && e.now != nil:
		return [][]draw.Span{{widget.Plain(widget.Fitting(width, "no change yet: h l turn the marked row", "no change yet"))}}
	}
	const maxChanges = 4
	if more := len(e.changes) - maxChanges; more > 0 {
		add(theme.Dim, plain.Count(more, "change")+" before these")
	}
	for _, label := range e.changes[max(0, len(e.changes)-maxChanges):] {
		add(theme.Plain, draw.Fit(plain.Line(label, width), width, f.Glyphs()))
	}
	add(theme.Plain, "")
	if e.was == nil || e.now == nil {
		add(theme.Dim, f.NoResultText())
		return lines
	}
	cells := func(name string, role theme.Role, cells ...string) {
		line := []draw.Span{{Text: fmt.Sprintf("%-12s", name), Role: theme.Dim}}
		for _, cell := range cells {
			line = append(line, draw.Span{Text: fmt.Sprintf("%10s", cell), Role: role})
		}
		lines = append(lines, line)
	}
	was, now := e.was, f.Out
	numbers := func(name, about string, was, now model.Tokens) {
		difference := "="
		if was != now {
			difference = about + widget.Signed(now-was)
		}
		cells(name, theme.Plain, about+was.String(), about+now.String(), difference)
	}
	cells("", theme.Dim, "before", "now")
	numbers("tokens in", f.About(), was.Report.Kept, now.Report.Kept)
	gain, others := simulate.Gain(was.Report, now.Report)
	if e.scores && !others && len(e.in)+len(e.out)+len(e.resized) > 0 {
		add(theme.Plain, fmt.Sprintf("%-12s", "value")+widget.ByNewScores(f.About(), now.Report.Value, gain, f.Glyphs()))
	} else {
		difference := "="
		switch {
		case e.scores:
			difference = "rescored"
		case was.Report.Value != now.Report.Value:
			difference = f.About() + widget.SignedValue(now.Report.Value-was.Report.Value)
		}
		cells("value", theme.Plain, f.About()+widget.Value(was.Report.Value), f.About()+widget.Value(now.Report.Value), difference)
	}
	numbers(plain.AtRisk, "", model.Tokens(len(was.Lost)), model.Tokens(len(now.Lost)))
	if was.Quality.Recall.Set && now.Quality.Recall.Set {
		cells("recall", theme.Needed, plain.Percent(was.Quality.Recall.Value), plain.Percent(now.Quality.Recall.Value))
	}
	if len(e.in)+len(e.out) == 0 {
		return lines // the first line says so
	}
	const minMoved = 5
	return append(append(lines, nil), widget.MovedLines(f.Glyphs(), e.now, e.in, e.out, width, max(minMoved, height-len(lines)-1))...)
}
