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

// preview is what a step down and a step up of the knob under the cursor would
// change, before either is made.
type preview struct {
	asked question
	steps []step
}

// question identifies a preview: the knob, its value, and the report that it
// is compared with, or why there is none.
type question struct {
	knob   experiment.KnobID
	value  string
	report *model.Report
	err    error
}

// step is a step down or up.
type step struct {
	key    string
	to     string // the value of the knob after it
	trial  experiment.Trial
	why    string             // why there is no preview; "" if there is one
	impact *experiment.Impact // nil until it is computed
}

// maxPreviewTime is how long the preview of a step may take.
const maxPreviewTime = 500 * time.Millisecond

func (p *preview) ask(exp *experiment.Experiment, side experiment.Side, original experiment.Setup, k experiment.Knob) {
	q := question{knob: k.ID, value: k.Value, err: exp.Err(side)}
	if o := exp.Outcome(side); o != nil {
		q.report = o.Report
	}
	if q == p.asked {
		return
	}
	*p = preview{asked: q}
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
			there, _ := experiment.FindKnob(exp.PolicyKnobs(next, side, original), k.ID)
			s.to = there.Value
		} else {
			*p = preview{} // there is no result to compare with yet
			return
		}
		p.steps = append(p.steps, s)
	}
}

// Job returns the work of computing what the next step would change, and false if
// all steps are computed.
func (p *Editor) Job() (work.Job, bool) {
	for n := range p.preview.steps {
		s := &p.preview.steps[n]
		if s.impact != nil || s.why != "" {
			continue
		}
		return work.Job{Key: s, Limit: maxPreviewTime, Run: work.Pass(s.trial.Run, func(im experiment.Impact, err error) {
			switch {
			case work.TooLong(err):
				s.why = "takes long to compute"
			case err != nil:
				s.why = "not computed"
			default:
				s.impact = &im
			}
		})}, true
	}
	if later := p.fill.Later; later != nil {
		return work.Job{Key: p.fill.of, Limit: maxPreviewTime, Run: func(ctx context.Context) func() {
			found := later(ctx)
			return func() { p.fill.Command = found()[0] }
		}}, true
	}
	return p.others.Job()
}

// lines returns the steps, one per line.
func (p *preview) lines(f *widget.Frame, width int) [][]draw.Span {
	var all [][]draw.Span
	for _, s := range p.steps {
		line := []draw.Span{{Text: s.key + " ", Role: theme.Key}}
		if s.to != "" {
			line = append(line, widget.Plain(s.to+"  "))
		}
		switch {
		case s.why != "":
			line = append(line, draw.Span{Text: draw.FitWords(plain.Line(s.why, 200), width-2, f.Glyphs()), Role: theme.Dim})
		case s.impact == nil:
			line = append(line, draw.Span{Text: "computing" + f.Glyphs().Ellipsis, Role: theme.Dim})
		case s.impact.Err != nil:
			line = append(line, draw.Span{Text: draw.FitReason("no result", plain.Line(s.impact.Err.Error(), 200), width-draw.SpansWidth(line)), Role: theme.Error})
		case len(s.impact.In)+len(s.impact.Out)+len(s.impact.Resized) == 0:
			line = append(line, draw.Span{Text: "moves no item", Role: theme.Dim})
		default:
			line = append(line, pane.ImpactSpans(f, *s.impact, width-draw.SpansWidth(line))...)
		}
		all = append(all, line)
	}
	return all
}

// items names what each step would bring in and take out, in lines below the others; nil where
// height has no room for a step's.
func (p *preview) items(f *widget.Frame, now *model.Report, width, height int) [][]draw.Span {
	var all [][]draw.Span
	for _, s := range p.steps {
		if s.impact == nil || s.impact.Err != nil || len(s.impact.In)+len(s.impact.Out) == 0 || len(all)+3 > height {
			continue
		}
		all = append(all, nil, []draw.Span{{Text: s.key + " would move", Role: theme.Strong}})
		all = append(all, widget.MovedLines(f.Glyphs(), now, s.impact.In, s.impact.Out, width, height-len(all))...)
	}
	return all
}
