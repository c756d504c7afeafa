package policy

import (
	"context"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// price is what a step down and a step up of the knob under the cursor would
// change, before either is made.
type price struct {
	asked question
	steps []step
}

// question identifies a price: the knob, its value, and the report that the price
// is compared with.
type question struct {
	knob   experiment.KnobID
	value  string
	report *model.Report
}

// step is a step down or up.
type step struct {
	key   string
	trial experiment.Trial
	why   string             // why the step has no price; "" if it has one
	told  *experiment.Impact // nil until it is computed
}

// maxPriceTime is how long the price of a step may take.
const maxPriceTime = 500 * time.Millisecond

func (p *price) ask(exp *experiment.Experiment, side experiment.Side, k experiment.Knob) {
	q := question{knob: k.ID, value: k.Value}
	if o := exp.Outcome(side); o != nil {
		q.report = o.Report
	}
	if q == p.asked {
		return
	}
	*p = price{asked: q}
	if k.Excluded != "" || !k.Number.Set && k.Column == "" {
		return
	}
	for n, key := range []string{"h", "l"} {
		s := step{key: key}
		next, err := k.Step(2*n-1, false)
		if err != nil {
			s.why = err.Error()
		} else if trial, ok := exp.Try(side, next); ok {
			s.trial = trial
		} else {
			return // there is no result to compare with
		}
		p.steps = append(p.steps, s)
	}
}

// Job returns the work of computing what the next step would change, and false if
// all steps are computed.
func (p *Editor) Job() (work.Job, bool) {
	for n, s := range p.price.steps {
		if s.told == nil && s.why == "" {
			return work.Job{Key: priceKey{p.price.asked, n}, Limit: maxPriceTime, Run: func(ctx context.Context) (any, error) {
				im, err := s.trial.Run(ctx)
				return &im, err
			}}, true
		}
	}
	return work.Job{}, false
}

type priceKey struct {
	question
	step int
}

// Done takes the result of a job, unless another knob or value is asked about by
// now.
func (p *Editor) Done(key, result any, err error) {
	k, ok := key.(priceKey)
	if !ok || k.question != p.price.asked {
		return
	}
	s := &p.price.steps[k.step]
	switch im, ok := result.(*experiment.Impact); {
	case work.TooLong(err):
		s.why = "takes long to compute"
	case ok && err == nil:
		s.told = im
	default:
		s.why = "not computed"
	}
}

// lines returns the steps, one per line.
func (p *price) lines(f *widget.Frame, width int) [][]draw.Span {
	var all [][]draw.Span
	for _, s := range p.steps {
		line := []draw.Span{{Text: s.key + " ", Role: theme.Key}}
		switch {
		case s.why != "":
			line = append(line, draw.Span{Text: draw.FitWords(plain.Line(s.why, 200), width-2, f.Glyphs()), Role: theme.Dim})
		case s.told == nil:
			line = append(line, draw.Span{Text: "computing" + f.Glyphs().Ellipsis, Role: theme.Dim})
		case s.told.Err != nil:
			line = append(line, draw.Span{Text: draw.FitReason("no result", plain.Line(s.told.Err.Error(), 200), width-2), Role: theme.Error})
		default:
			line = append(line, pane.ImpactSpans(f, *s.told, width-2)...)
		}
		all = append(all, line)
	}
	return all
}
