package policy

import (
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// thresholds tell the nearest values at which anything changes, of each number of the policy and the
// budget.
type thresholds struct{ pane.OverKnobs }

// arrange sets the outcome, and the knobs of its setup.
func (p *thresholds) arrange(out *experiment.Outcome, knobs func() []experiment.Knob) {
	switch {
	case p.Out == out:
	case out == nil || out.Report == nil:
		p.OverKnobs = pane.OverKnobs{Out: out}
	default:
		p.OverKnobs = pane.NewOverKnobs(out, knobs())
	}
}

// lines names for each knob, but the one in focus, the nearest value that moves items, and what it
// moves.
func (p *thresholds) lines(f *widget.Frame, focus experiment.Knob, width int) (lines [][]draw.Span) {
	for _, t := range p.All {
		if t.Over == nil || t.Knob.ID == focus.ID {
			continue
		}
		to, value := nearest(t)
		if to < 0 {
			continue
		}
		here := t.Over.At(t.Number.Value)
		change := t.Over.Between(here, to)
		head := t.Knob.Called() + " " + t.Text(t.Number.Value) + " " + f.Glyphs().Arrow + " " + t.Text(value) + "  "
		moves := []draw.Span{{Text: "no result", Role: theme.Loss}}
		if !change.None {
			resized := experiment.ResizesOver(t.Over, p.Out.Items, change.Resized, here, to)
			moves = widget.ChangeSpans(f.Glyphs(), change.In, change.Out, resized, width-draw.Width(head))
		}
		lines = append(lines, append([]draw.Span{{Text: head, Role: theme.Dim}}, moves...))
	}
	return lines
}

// nearest returns the stretch of values beside the one in force that is nearer to it, and its nearest
// value; -1 if there is none.
func nearest(t pane.OverKnob) (to int, value float64) {
	all, here := t.Over.Stretches(), t.Over.At(t.Number.Value)
	to = -1
	if here < 0 {
		return to, 0
	}
	if here > 0 {
		to, value = here-1, all[here-1].To
	}
	if here+1 < len(all) && (to < 0 || all[here+1].From-t.Number.Value < t.Number.Value-value) {
		to, value = here+1, all[here+1].From
	}
	return to, value
}
