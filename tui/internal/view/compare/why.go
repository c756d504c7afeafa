package compare

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// why asks why one side's result is worth more than the other's. The zero value
// asks nothing: a side has no result of the current setup.
type why struct {
	of     [2]*experiment.Outcome
	better experiment.Side
	// alike says that both sides score the items alike, tied that neither is
	// worth more.
	alike, tied bool

	answered bool
	cause    simulate.Advantage
	err      error
}

// whyKey identifies the question by the two reports that it compares.
type whyKey [2]*model.Report

// ask asks about the results of the current setup. It keeps an answer as long as
// the results stay the same.
func (p *View) ask(exp *experiment.Experiment) {
	var of [2]*experiment.Outcome
	if p.showsRecorded() { // a recorded result cannot be changed
		p.why = why{}
		return
	}
	for s := range of {
		var state experiment.State
		if of[s], state = exp.Answer(experiment.Side(s)); state != experiment.Current {
			p.why = why{}
			return
		}
	}
	if of == p.why.of {
		return
	}
	a, b := of[experiment.A].Report, of[experiment.B].Report
	if was := p.why.of; was[0] != nil && was[experiment.A].Report == a && was[experiment.B].Report == b {
		p.why.of = of // only reasons or labels differ
		return
	}
	w := why{of: of, alike: slices.Equal(a.Scores, b.Scores), tied: a.Value == b.Value}
	if b.Value > a.Value {
		w.better = experiment.B
	}
	p.why = w
}

// Release drops the question if its results are out of date.
func (p *View) Release(stale bool) {
	if stale {
		p.why = why{}
	}
}

// winner returns the side whose result is worth more. It returns false if neither
// is worth more or the values cannot be compared.
func (w *why) winner() (experiment.Side, bool) {
	return w.better, w.of[0] != nil && w.alike && !w.tied
}

// Job returns the work of explaining the difference in value, and false if there
// is nothing to explain.
func (p *View) Job() (work.Job, bool) {
	w := p.why
	side, ok := w.winner()
	if !ok || w.answered {
		return work.Job{}, false
	}
	better, worse := w.of[side].Report, w.of[side.Other()]
	return work.Job{Key: w.key(), CanWait: true, Run: func(ctx context.Context) (any, error) {
		return simulate.ExplainAdvantage(ctx, better, worse.Report, worse.Ranking)
	}}, true
}

func (w *why) key() whyKey { return whyKey{w.of[0].Report, w.of[1].Report} }

// Done takes the result of a job, unless the question has changed by now.
func (p *View) Done(key, result any, err error) {
	if p.why.of[0] == nil || key != p.why.key() {
		return
	}
	p.why.answered, p.why.err = true, err
	p.why.cause, _ = result.(simulate.Advantage)
}

// recalls returns the side with the higher recall. It returns false if neither
// has more or nothing is marked as needed.
func (w *why) recalls() (experiment.Side, bool) {
	if w.of[0] == nil {
		return experiment.A, false
	}
	a, b := w.of[experiment.A].Quality.Recall, w.of[experiment.B].Quality.Recall
	if b.Value > a.Value {
		return experiment.B, b.Set
	}
	return experiment.A, a.Set && a.Value > b.Value
}

// recallSpans says which side has the higher recall, in a long and a short form
// that follow the sentence about value. Both are nil if neither side has more.
func (w *why) recallSpans() (long, short []draw.Span) {
	side, has := w.recalls()
	if !has {
		return nil, nil
	}
	more, less := w.of[side].Quality.Recall.Value, w.of[side.Other()].Quality.Recall.Value
	numbers := plain.Percent(more) + " vs " + plain.Percent(less)
	role, link := widget.SideRole(side), ", and "
	if better, wins := w.winner(); wins && better != side {
		role, link = theme.Loss, " in value, but "
	}
	return []draw.Span{{Text: link, Role: theme.Plain}, {Text: side.String() + " has more of what is needed, " + numbers, Role: role}},
		[]draw.Span{{Text: link, Role: theme.Plain}, {Text: side.String() + " has more recall, " + numbers, Role: role}}
}

// verdict says which side is worth more and why, in a long and a short form. Both
// are nil if there is nothing to say.
func (p *View) verdict(f *widget.Frame) (long, short []draw.Span) {
	w := &p.why
	if p.showsRecorded() {
		note := export.RecordedNote(p.a, p.b)
		return dim(note), dim(note)
	}
	if w.of[0] == nil {
		return nil, nil
	}
	side, wins := w.winner()
	needed, brief := w.recallSpans()
	says := func(long, short string) ([]draw.Span, []draw.Span) {
		full := widget.Plain(".")
		return append(append(dim(long), needed...), full), append(append(dim(short), brief...), full)
	}
	same := widget.SamePolicy(f.Exp.Setup())
	switch {
	case same != "":
		return says(same, same)
	case !w.alike:
		return says("A and B score the items differently: their values cannot be compared", "Scored differently: values cannot be compared")
	case !wins && len(p.result.OnlyA)+len(p.result.OnlyB)+len(p.result.Sized) == 0:
		return says("A and B include the same items", "A and B include the same items")
	case !wins:
		return says("A and B are worth the same", "A and B are worth the same")
	}
	better, worse := w.of[side].Report.Value, w.of[side.Other()].Report.Value
	lead := widget.ExactScore(better - worse)
	if worse > 0 {
		lead = plain.Percent(better/worse - 1)
	}
	role := widget.SideRole(side)
	head := draw.Span{Text: side.String() + " wins by " + lead, Role: role}
	cause, few := w.because(f, side.Other())
	if swap := p.swap(f, side); swap != "" {
		cause, few = swap, swap
	}
	return append(append([]draw.Span{head}, needed...), draw.Span{Text: ": " + cause, Role: theme.Plain}),
		append(append([]draw.Span{head}, brief...), draw.Span{Text: ": " + few, Role: theme.Plain})
}

func dim(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Dim}} }

// because returns the cause of the difference, as a sentence and in a few words.
// loser is the side that is worth less.
func (w *why) because(f *widget.Frame, loser experiment.Side) (long, short string) {
	name, c := loser.String(), w.cause
	without := name + " is worth " + f.About() + widget.ExactScore(c.Without)
	switch {
	case !w.answered:
		s := "looking for the cause" + f.Glyphs().Ellipsis + " " + f.Waiting.Spin()
		return s, s
	case errors.Is(w.err, simulate.ErrScoredDifferently):
		return "the values cannot be compared", "not comparable"
	case w.err != nil:
		return "the cause is not known: " + plain.Line(w.err.Error(), 200), "cause not known"
	case c.Cause == simulate.BucketRounding:
		size := w.of[loser].Policy.Bucket().String()
		return name + " rounds sizes up to buckets of " + size + ", and " + f.Sum(c.Tokens) + " tokens of its room stay free. With buckets of 1, " + without + ".",
			name + "'s buckets of " + size + " leave " + f.Sum(c.Tokens) + " tok free"
	case c.Cause == simulate.ShareQuotas:
		return name + "'s shares by kind leave " + f.Sum(c.Tokens) + " tokens of its room free. Without them, " + without + ".",
			name + "'s shares leave " + c.Tokens.String() + " tok free"
	case c.Cause == simulate.CountQuotas:
		return name + "'s counts by kind decide what is in. Without them, " + without + ".", name + "'s counts by kind"
	case c.Cause == simulate.LargeItem:
		item := "#" + strconv.Itoa(c.Item)
		return item + ", " + f.Sum(c.Tokens) + " tokens, takes the room of others in " + name + ". Without it, " + without + ".",
			item + " takes " + f.Sum(c.Tokens) + " tok in " + name
	}
	if w.of[loser].Policy.Slicer.Order() == model.OrderByScore {
		return name + " takes the best scores first, whatever they cost in tokens.", name + " takes the best scores first"
	}
	return "no single cause: no bucket size, quota or large item alone explains it.", "no single cause"
}

// maxSwapped is the most items of a side that are named as swapped for items of the other.
const maxSwapped = 3

// swap says which items the better side has in place of the other's, and what that is
// worth, where no single cause explains it and they are few; else "".
func (p *View) swap(f *widget.Frame, better experiment.Side) string {
	w, more, less := &p.why, p.result.OnlyA, p.result.OnlyB
	tokens, value := p.result.OnlyATokens-p.result.OnlyBTokens, p.result.OnlyAValue-p.result.OnlyBValue
	if better == experiment.B {
		more, less, tokens, value = less, more, -tokens, -value
	}
	if !w.answered || w.err != nil || w.cause.Cause != simulate.NoSingleCause || len(p.result.Sized) > 0 || min(len(more), len(less)) == 0 || max(len(more), len(less)) > maxSwapped {
		return ""
	}
	return better.String() + " takes " + widget.Indexes(more, 40) + " instead of " + widget.Indexes(less, 40) +
		" (" + f.Change(tokens) + " tok, " + f.About() + "+" + widget.ExactScore(value) + " value)."
}

// nothingToTry says why there is no proposal. It returns "" if there is one.
func (p *View) nothingToTry() string {
	w := &p.why
	side, wins := w.winner()
	switch {
	case p.showsRecorded():
		return "what is recorded has no policy that could be changed; R shows policy B"
	case w.of[0] == nil:
		return "both sides need a result"
	case !w.alike:
		return "A and B score the items differently: there is nothing to try"
	case !wins:
		return "neither side is worth more: there is nothing to try"
	case !w.answered:
		return "the cause is still being looked for"
	case w.err != nil || w.cause.Cause == simulate.NoSingleCause:
		return "there is nothing to try on " + side.Other().String() + ": no bucket size, quota or large item alone explains the difference"
	}
	return ""
}

// try returns the change by which the side that is worth less is without the cause of that.
func (p *View) try() (screen.Change, error) {
	if why := p.nothingToTry(); why != "" {
		return screen.Change{}, errors.New(why)
	}
	return screen.To(p.remedy()), nil
}

// remedy returns the setup in which the side that is worth less is without the cause of that.
func (p *View) remedy() (next experiment.Setup, label experiment.Label) {
	side, _ := p.why.winner()
	loser, now := side.Other(), p.app.Experiment().Setup()
	policy := now.Policy[loser].Clone()
	switch c := p.why.cause; c.Cause {
	case simulate.BucketRounding:
		label = experiment.Label{Name: string(experiment.Bucket), From: policy.Bucket().String(), To: "1"}
		policy.BucketSize = 1
	case simulate.ShareQuotas:
		label.Name, policy.Quotas = "no shares by kind", nil
	case simulate.CountQuotas:
		label.Name, policy.CountQuotas, policy.Scarcity = "no counts by kind", nil, ""
	case simulate.LargeItem: // excluded on both sides, because edits apply to the items
		return now.WithExcluded([]int{c.Item}, true), experiment.Label{Name: "exclude #" + strconv.Itoa(c.Item)}
	}
	label.Name += " of " + loser.String()
	return now.WithPolicy(loser, policy), label
}
