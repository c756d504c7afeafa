package compare

import (
	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/experiment"
)

// recording is the result that the source recorded, which stands in the place of
// policy B's. The zero value is none.
type recording struct {
	items *model.Set          // that it was looked for in
	out   *experiment.Outcome // nil: there is none
	off   bool                // policy B is shown all the same
}

// showsRecorded reports whether what is recorded stands in the place of policy B.
func (p *View) showsRecorded() bool { return p.recorded.out != nil && !p.recorded.off }

// sideB is what A is compared with.
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
	return exp.Outcome(experiment.B)
}

// nothingRecorded says why there is nothing to compare with but policy B; "" if
// there is.
func (p *View) nothingRecorded() string {
	if p.recorded.out == nil {
		return simulate.ErrNotRecorded.Error()
	}
	return ""
}
