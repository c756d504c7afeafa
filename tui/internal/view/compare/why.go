package compare

import (
	"errors"
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// ask asks why one side's result is worth more.
func (p *View) ask(exp *experiment.Experiment) {
	if p.showsRecorded() { // a recorded result cannot be changed
		p.why = widget.Lead{}
		return
	}
	p.why.Ask(exp)
}

// DropStale drops the question, whose results are out of date.
func (p *View) DropStale() { p.why = widget.Lead{} }

// recalls returns the side with the higher recall. It returns false if neither
// has more or nothing is marked as needed.
func (p *View) recalls() (experiment.Side, bool) {
	w := &p.why
	if w.Of[0] == nil {
		return experiment.A, false
	}
	a, b := w.Of[experiment.A].Quality.Recall, w.Of[experiment.B].Quality.Recall
	if b.Value > a.Value {
		return experiment.B, b.Set
	}
	return experiment.A, a.Set && a.Value > b.Value
}

// recallSpans returns which side has the higher recall, in a long and a short form
// that follow the sentence about value. Both are nil if neither side has more.
func (p *View) recallSpans() (long, short []draw.Span) {
	side, has := p.recalls()
	if !has {
		return nil, nil
	}
	more, less := p.why.Of[side].Quality.Recall.Value, p.why.Of[side.Other()].Quality.Recall.Value
	numbers := plain.Percent(more) + " vs " + plain.Percent(less)
	role, link := widget.SideRole(side), ", and "
	if better, wins := p.why.Winner(); wins && better != side {
		role, link = theme.Loss, " in value, but "
	}
	return []draw.Span{{Text: link, Role: theme.Plain}, {Text: side.String() + " has more of what is needed, " + numbers, Role: role}},
		[]draw.Span{{Text: link, Role: theme.Plain}, {Text: side.String() + " has more recall, " + numbers, Role: role}}
}

// verdict returns which side is worth more and why, in a long and a short form. Both
// are nil if there is nothing to say.
func (p *View) verdict(f *widget.Frame) (long, short []draw.Span) {
	w := &p.why
	if p.showsRecorded() {
		note := export.RecordedNote(p.a, p.b)
		return dim(note), dim(note)
	}
	if w.Of[0] == nil {
		return nil, nil
	}
	side, wins := w.Winner()
	needed, brief := p.recallSpans()
	says := func(long, short string) ([]draw.Span, []draw.Span) {
		full := widget.Plain(".")
		return append(append(dim(long), needed...), full), append(append(dim(short), brief...), full)
	}
	same := widget.SamePolicy(f.Exp.Setup())
	switch {
	case same != "":
		return says(same, same)
	case !w.Alike:
		return says("A and B score the items differently: their values cannot be compared", "Scored differently: values cannot be compared")
	case !wins && len(p.result.OnlyA)+len(p.result.OnlyB)+len(p.result.Sized) == 0:
		return says("A and B include the same items", "A and B include the same items")
	case !wins:
		return says("A and B are worth the same", "A and B are worth the same")
	}
	better, worse := w.Of[side].Report.Value, w.Of[side.Other()].Report.Value
	head := draw.Span{Text: widget.Ahead(side, better, worse), Role: widget.SideRole(side)}
	cause, few := w.Because(f, " (M)")
	if swap := p.swap(f, side); swap != "" {
		cause, few = swap, swap
	} else if alone := p.alone(f, side); alone != "" {
		cause = alone
	}
	return append(append([]draw.Span{head}, needed...), draw.Span{Text: ": " + cause, Role: theme.Plain}),
		append(append([]draw.Span{head}, brief...), draw.Span{Text: ": " + few, Role: theme.Plain})
}

func dim(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Dim}} }

// maxSwapped is the most items of a side that are named as swapped for items of the other.
const maxSwapped = 3

// swap returns which items the better side has in place of the other's, and what that is
// worth, where no single cause explains it and they are few; else "".
func (p *View) swap(f *widget.Frame, better experiment.Side) string {
	w, more, less := &p.why, p.result.OnlyA, p.result.OnlyB
	ofA, ofB := widget.Apart(p.a, p.b, &p.result)
	tokens, value := p.a.Kept-p.b.Kept, ofA[0]-ofB[0] // with notes in the place of items
	if better == experiment.B {
		more, less, tokens, value = less, more, -tokens, -value
	}
	if !w.Answered || w.Err != nil || w.Cause.Cause != simulate.NoSingleCause || len(p.result.Sized) > 0 || min(len(more), len(less)) == 0 || max(len(more), len(less)) > maxSwapped {
		return ""
	}
	return better.String() + " takes " + widget.Indexes(more, 40) + " instead of " + widget.Indexes(less, 40) +
		" (" + f.Change(tokens) + " tok, " + f.About() + widget.SignedValue(value) + " value)."
}

// alone returns why the other side's buckets have no room for the one item that the better side has
// more; "" where there is no such item.
func (p *View) alone(f *widget.Frame, better experiment.Side) string {
	more, less := p.result.OnlyA, p.result.OnlyB
	if better == experiment.B {
		more, less = less, more
	}
	o := f.Exp.Outcome(better.Other())
	if c := p.why.Cause; !p.why.Answered || c.Cause != simulate.BucketRounding || len(more) != 1 || len(less)+len(p.result.Sized) > 0 || o.Reasons == nil {
		return ""
	}
	item := int(more[0])
	return better.Other().String() + " rounds sizes up, so #" + strconv.Itoa(item) + strings.TrimPrefix(widget.WhyOut(o, item).Numbers, ":") +
		", although " + f.SumTokens(p.why.Cause.Tokens) + widget.Verb(int(p.why.Cause.Tokens), " is", " are") + " free."
}

// nothingToTry returns why there is no proposal. It returns "" if there is one.
func (p *View) nothingToTry() string {
	w := &p.why
	side, wins := w.Winner()
	switch {
	case p.showsRecorded():
		return "what is recorded has no policy that could be changed; R shows policy B"
	case w.Of[0] == nil:
		return "both sides need a result"
	case !w.Alike:
		return "A and B score the items differently: there is nothing to try"
	case !wins:
		return "neither side is worth more: there is nothing to try"
	case !w.Answered:
		return "the cause is still being looked for"
	case w.Err != nil || w.Cause.Cause == simulate.NoSingleCause:
		return "there is nothing to try on " + side.Other().String() + ": no bucket size, quota or large item alone explains the difference"
	}
	return ""
}

// try returns the change of remedy.
func (p *View) try() (screen.Change, error) {
	if why := p.nothingToTry(); why != "" {
		return screen.Change{}, errors.New(why)
	}
	return screen.To(p.remedy()), nil
}

// remedy returns the setup without the cause that makes one side worth less.
func (p *View) remedy() (next experiment.Setup, label experiment.Label) {
	side, _ := p.why.Winner()
	loser, now := side.Other(), p.app.Experiment().Setup()
	policy, c := now.Policy[loser].Clone(), p.why.Cause
	switch c.Cause {
	case simulate.BucketRounding:
		label = experiment.Label{Name: string(experiment.Bucket), From: policy.Bucket().String(), To: "1"}
	case simulate.ShareQuotas:
		label.Name = "no shares by kind"
	case simulate.CountQuotas:
		label.Name = "no counts by kind"
	case simulate.LargeItem: // excluded on both sides, because edits apply to the items
		return now.WithExcluded([]int{c.Item}, true), experiment.Label{Name: "exclude #" + strconv.Itoa(c.Item)}
	}
	c.Remove(&policy)
	label.Name += " of " + loser.String()
	return now.WithPolicy(loser, policy), label
}
