package policy

import (
	"context"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// thresholds are the results over each number of the policy and the budget, one after the other: they
// tell the nearest values at which anything changes.
type thresholds struct {
	out   *experiment.Outcome // nil: nothing is asked
	all   []threshold
	tried int // how many of all were tried
}

// threshold is a knob and the results over its number.
type threshold struct {
	knob   experiment.Knob
	number model.Number
	over   *simulate.ProfileOver // nil: not tried, or not to its end
}

// thresholdKey is the key of a job that tries a number.
type thresholdKey struct {
	of *experiment.Outcome
	at int
}

// arrange sets the outcome, and the knobs of its setup.
func (p *thresholds) arrange(out *experiment.Outcome, knobs func() []experiment.Knob) {
	if p.out == out {
		return
	}
	*p = thresholds{out: out}
	if out == nil || out.Report == nil {
		return
	}
	all := knobs()
	for _, n := range model.Numbers(out.Ranking.Policy(), out.Report.Budget, nil) {
		if k := slices.IndexFunc(all, func(k experiment.Knob) bool { return strings.EqualFold(k.Field, n.Field) }); k >= 0 {
			p.all = append(p.all, threshold{knob: all[k], number: n})
		}
	}
}

// Job returns the work of trying the next number, for which no one waits. One that takes long is
// left out.
func (p *thresholds) Job() (work.Job, bool) {
	if p.tried >= len(p.all) {
		return work.Job{}, false
	}
	number := p.all[p.tried].number
	ranking, budget := p.out.Ranking, p.out.Report.Budget
	return work.Job{Key: thresholdKey{p.out, p.tried}, CanWait: true, Limit: pane.MaxWayTime, Run: work.Pass(func(ctx context.Context) (*simulate.ProfileOver, error) {
		if simulate.OverWork(ranking, budget, number) > pane.MaxWayWork {
			return nil, nil
		}
		return simulate.NewProfileOver(ctx, ranking, budget, number)
	}, func(over *simulate.ProfileOver, err error) {
		if err == nil {
			p.all[p.tried].over = over
		}
		p.tried++
	})}, true
}

// lines names for each knob, but the one in focus, the nearest value that moves items, and what it
// moves.
func (p *thresholds) lines(f *widget.Frame, focus experiment.Knob, width int) (lines [][]draw.Span) {
	for _, t := range p.all {
		if t.over == nil || t.knob.ID == focus.ID {
			continue
		}
		to, value := t.nearest()
		if to < 0 {
			continue
		}
		here := t.over.At(t.number.Value)
		change := t.over.Between(here, to)
		head := t.knob.Called() + " " + t.text(t.number.Value) + " " + f.Glyphs().Arrow + " " + t.text(value) + "  "
		resized := experiment.ResizesOver(t.over, p.out.Items, change.Resized, here, to)
		lines = append(lines, append([]draw.Span{{Text: head, Role: theme.Dim}}, widget.ChangeSpans(f.Glyphs(), change.In, change.Out, resized, width-draw.Width(head))...))
	}
	return lines
}

// text writes a value of the number.
func (t *threshold) text(v float64) string {
	switch {
	case t.knob.Percent:
		return widget.Share(v)
	case t.number.PerUnit == 1:
		return model.Tokens(v).String()
	}
	return t.number.Text(v)
}

// nearest returns the stretch of values beside the one in force that is nearer to it, and its nearest
// value; -1 if there is none.
func (t *threshold) nearest() (to int, value float64) {
	all, here := t.over.Stretches(), t.over.At(t.number.Value)
	if to = -1; here < 0 {
		return to, 0
	}
	if here > 0 {
		to, value = here-1, all[here-1].To
	}
	if here+1 < len(all) && (to < 0 || all[here+1].From-t.number.Value < t.number.Value-value) {
		to, value = here+1, all[here+1].From
	}
	return to, value
}
