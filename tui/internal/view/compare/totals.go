package compare

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// What stands above the rows: which side is worth more and why, the sums of both, and their kinds.

// minName, belowBest and noQuotas are the cells of a short name of a policy, of how far it is below
// the best, and of the words that the best has no quotas.
const minName, belowBest, noQuotas = 16, 17, len(" (no quotas)")

// totals draws the verdict and the small table of sums and returns their height.
func (p *View) totals(f *widget.Frame, r draw.Rect) int {
	g, setup, kinds := f.Glyphs(), f.Exp.Setup(), r.H >= 14
	said := p.drawVerdict(f, draw.Rect{X: r.X, Y: r.Y, W: r.W, H: min(2, r.H-5)})
	r.Y += said
	recallAt, freeAt, moreAt := 28, 28, 39
	var outs [2]*experiment.Outcome
	var states [2]experiment.State
	for s := range outs {
		outs[s], states[s] = f.Exp.Answer(experiment.Side(s))
	}
	labelled := outs[experiment.A].Quality.Recall.Set && outs[experiment.B].Quality.Recall.Set
	if labelled && r.W >= 70 { // recall stands beside the value; otherwise it replaces what is free
		freeAt, moreAt = freeAt+9, moreAt+9
	}
	w, below := 0, belowBest // names are whole where what is below the best has room beside them
	for s, policy := range setup.Policy {
		w = max(w, draw.Width(widget.PolicyName(experiment.Side(s), policy)))
		if len(policy.Quotas) > 0 || policy.KeepPairs {
			below = belowBest + noQuotas
		}
	}
	w = max(minName, min(w, r.W-moreAt-below))
	x := r.X + 1 + w
	line := func(y int, names []string, role theme.Role, n int, tok model.Tokens, value, free string, more ...string) {
		f.Text(r.X+1, r.Y+y, w, widget.FirstFitting(names, w, g), role)
		f.Right(x, r.Y+y, 7, plain.Thousands(n), theme.Plain)
		f.Right(x+7, r.Y+y, 11, f.Sum(tok), theme.Plain)
		f.Right(x+18, r.Y+y, 10, f.About()+value, theme.Plain)
		if freeAt > recallAt || !labelled {
			f.Right(x+freeAt, r.Y+y, 9, free, theme.Plain)
		}
		if room := r.X + r.W - x - moreAt; room >= 12 && len(more) > 0 {
			f.Text(x+moreAt, r.Y+y, room, draw.FitWords(widget.Fitting(room, more...), room, g), theme.Dim)
		}
	}
	f.Right(x, r.Y, 7, "items", theme.Dim)
	f.Right(x+7, r.Y, 11, "tokens", theme.Dim)
	f.Right(x+18, r.Y, 10, "value", theme.Dim)
	f.Right(x+freeAt, r.Y, 9, "free", theme.Dim)
	if labelled {
		f.Text(x+recallAt, r.Y, 9, "   recall", theme.Dim)
	}
	side := func(y int, s experiment.Side, rep *model.Report) {
		o, state := outs[s], states[s]
		var more []string
		switch {
		case state == experiment.Pending:
			more = []string{f.ComputingText(s)}
		case s == experiment.B && setup.Policy[experiment.A].Same(setup.Policy[experiment.B]):
			more = []string{"the same policy as A", "same as A"}
		default:
			more = f.BelowBestForms(o, rep.Value, slicer.Target(rep.Effective.Target))
		}
		free := "no room"
		if rep.Effective.Target > 0 {
			free = f.Sum(rep.Effective.Target - rep.SlicedTokens)
		}
		policy := setup.Policy[s]
		if state != experiment.Current { // the numbers belong to an older policy
			policy = o.Policy
		}
		line(y, widget.PolicyNames(s, policy), widget.SideRole(s), len(rep.Included), rep.Kept, widget.Value(rep.Value), free, more...)
		if labelled {
			f.Right(x+recallAt, r.Y+y, 9, plain.Percent(o.Quality.Recall.Value), theme.Needed)
		}
		if state != experiment.Current {
			f.Mark(draw.Rect{X: r.X, Y: r.Y + y, W: r.W, H: 1}, theme.Old)
		}
	}
	side(1, experiment.A, p.a)
	if p.showsRecorded() {
		line(2, []string{"B as recorded", "recorded"}, theme.SideB, len(p.b.Included), p.b.Kept, widget.Value(p.b.Value), "-", "no budget recorded")
	} else {
		side(2, experiment.B, p.b)
	}
	if better, wins := p.why.Winner(); wins {
		f.Set(x+28, r.Y+1+int(better), g.Better, widget.SideRole(better))
	}
	if better, has := p.recalls(); has {
		f.Set(x+recallAt+9, r.Y+1+int(better), g.Better, widget.SideRole(better))
	}
	if !kinds {
		return said + 3
	}
	f.Text(r.X+1, r.Y+3, r.W-2, draw.FitParts(p.kinds(), r.W-2, g), theme.Dim)
	return said + 4
}

// drawVerdict draws which side is worth more and why, and returns how many lines
// that takes.
func (p *View) drawVerdict(f *widget.Frame, r draw.Rect) int {
	long, short := p.verdict(f)
	if long == nil || r.H < 1 {
		return 0
	}
	lines := draw.Paragraph(r.W-2, long...)
	if len(lines) > r.H {
		lines = draw.Paragraph(r.W-2, short...)
	}
	return f.Lines(draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: r.H}, lines)
}

// countKinds counts the items of each kind that A and B include.
func countKinds(a, b *model.Report) [][2]int {
	counts := make([][2]int, len(a.Items.Kinds()))
	for s, rep := range [...]*model.Report{a, b} {
		for _, i := range rep.Included {
			counts[a.Items.KindID(int(i))][s]++
		}
	}
	return counts
}

// kinds names the kinds of which A and B do not include as many items.
func (p *View) kinds() string {
	text, alike := "by kind:", 0
	if a, b := len(p.split[experiment.A]), len(p.split[experiment.B]); a+b > 0 {
		text = fmt.Sprintf("split pairs: A %s, B %s  %s", plain.Thousands(a), plain.Thousands(b), text)
	}
	for k, c := range p.byKind {
		if c[0] == c[1] {
			alike++
			continue
		}
		text += fmt.Sprintf("  %s A %d, B %d", plain.Line(widget.KindName(p.a.Items.Kinds()[k]), 8), c[0], c[1])
	}
	switch {
	case alike == len(p.byKind) && text == "by kind:":
		return "A and B have as many items of each kind"
	case alike > 0:
		text += "  other kinds equal"
	}
	return text
}
