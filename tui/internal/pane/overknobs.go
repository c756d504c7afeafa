package pane

import (
	"context"
	"slices"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// OverKnobs are the results of all items over each number of the policy and the budget. Every value
// of one is tried after the other; one that takes long is left out.
type OverKnobs struct {
	Out   *experiment.Outcome // nil: nothing is asked
	All   []OverKnob
	Tried int // how many of All were tried
}

// OverKnob is a knob and the results over its number.
type OverKnob struct {
	Knob   experiment.Knob
	Number model.Number
	Over   *simulate.ProfileOver // nil: not tried, or not to its end
}

// Text writes a value of the number.
func (k OverKnob) Text(v float64) string {
	if k.Knob.Percent {
		return widget.Share(v)
	}
	return widget.NumberText(k.Number, v)
}

// Trying the values of a number may be at most MaxWayWork of work, see simulate.OverWork, and
// take at most MaxWayTime.
const (
	MaxWayWork = 250_000
	MaxWayTime = 2 * time.Second
)

// NewOverKnobs returns the numbers of an outcome that has a report, to be tried, with their knobs
// from the knobs of the setup.
func NewOverKnobs(out *experiment.Outcome, knobs []experiment.Knob) OverKnobs {
	o := OverKnobs{Out: out}
	for _, n := range model.Numbers(out.Ranking.Policy(), out.Report.Budget, nil) {
		if k := slices.IndexFunc(knobs, func(k experiment.Knob) bool { return strings.EqualFold(k.Field, n.Field) }); k >= 0 {
			o.All = append(o.All, OverKnob{Knob: knobs[k], Number: n})
		}
	}
	return o
}

// overKey is the key of a job that tries a number.
type overKey struct {
	of *experiment.Outcome
	at int
}

// Job returns the work of trying the next number, for which no one waits.
func (o *OverKnobs) Job() (work.Job, bool) {
	if o.Tried >= len(o.All) {
		return work.Job{}, false
	}
	ranking, budget, number := o.Out.Ranking, o.Out.Report.Budget, o.All[o.Tried].Number
	return work.Job{Key: overKey{o.Out, o.Tried}, CanWait: true, Limit: MaxWayTime, Run: work.Pass(func(ctx context.Context) (*simulate.ProfileOver, error) {
		if simulate.OverWork(ranking, budget, number) > MaxWayWork {
			return nil, nil
		}
		return simulate.NewProfileOver(ctx, ranking, budget, number)
	}, func(over *simulate.ProfileOver, err error) {
		if err == nil {
			o.All[o.Tried].Over = over
		}
		o.Tried++
	})}, true
}
