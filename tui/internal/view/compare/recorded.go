package compare

import (
	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
)

// recording is the result that the source recorded, which takes the place of
// policy B's result. The zero value has no recording.
type recording struct {
	items *model.Set          // the set that was searched for a recording
	out   *experiment.Outcome // nil if there is none
	off   bool                // policy B is shown nevertheless
}

// showsRecorded reports whether the recorded result takes the place of policy B.
func (p *View) showsRecorded() bool { return p.recorded.out != nil && !p.recorded.off }

// sideB returns the result that A is compared with: the recorded one or the result of
// policy B.
func (p *View) sideB(exp *experiment.Experiment) *experiment.Outcome {
	if items := exp.Items(); p.recorded.items != items && p.app != nil {
		p.recorded.items, p.recorded.out = items, nil
		if rep, err := simulate.Recorded(items, p.app.Recorded()); err == nil {
			p.recorded.out = &experiment.Outcome{Items: items, Report: rep}
		}
	}
	if p.showsRecorded() {
		return p.recorded.out
	}
	return result(exp, experiment.B)
}

// result returns the outcome whose report is shown of a side.
func result(exp *experiment.Experiment, s experiment.Side) *experiment.Outcome {
	if o, state := exp.Answer(s); state == experiment.Current {
		return o
	}
	return exp.Result(s)
}

// nothingRecorded returns why A can be compared only with policy B. It returns "" if
// there is a recorded result.
func (p *View) nothingRecorded() string {
	if p.recorded.out == nil {
		return simulate.ErrNotRecorded.Error()
	}
	return ""
}
