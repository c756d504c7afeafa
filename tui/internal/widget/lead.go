package widget

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// Lead asks why one side's result is worth more than the other's. The zero value asks nothing:
// a side has no result of the current setup.
type Lead struct {
	Of [2]*experiment.Outcome
	// Alike says that both sides score the items alike.
	Alike bool
	// Cause and Err are the answer, once there is one.
	Answered bool
	Cause    simulate.Advantage
	Err      error

	better experiment.Side
	tied   bool // neither side is worth more
}

// leadKey identifies the question by the two reports that it compares.
type leadKey [2]*model.Report

// Ask asks about the results of the current setup. It keeps an answer as long as
// the results stay the same.
func (l *Lead) Ask(exp *experiment.Experiment) {
	var of [2]*experiment.Outcome
	for s := range of {
		var state experiment.State
		if of[s], state = exp.Answer(experiment.Side(s)); state != experiment.Current {
			*l = Lead{}
			return
		}
	}
	if of == l.Of {
		return
	}
	a, b := of[experiment.A].Report, of[experiment.B].Report
	if l.Of[0] != nil && l.key() == (leadKey{a, b}) {
		l.Of = of // only reasons or labels differ
		return
	}
	*l = Lead{Of: of, Alike: slices.Equal(a.Scores, b.Scores), tied: a.Value == b.Value}
	if b.Value > a.Value {
		l.better = experiment.B
	}
}

// Winner returns the side whose result is worth more. It returns false if neither
// is worth more or the values cannot be compared.
func (l *Lead) Winner() (experiment.Side, bool) {
	return l.better, l.Of[0] != nil && l.Alike && !l.tied
}

// Job returns the work of explaining the difference in value, and false if there
// is nothing to explain.
func (l *Lead) Job() (work.Job, bool) {
	side, ok := l.Winner()
	if !ok || l.Answered {
		return work.Job{}, false
	}
	better, worse := l.Of[side].Report, l.Of[side.Other()]
	return work.Job{Key: l.key(), CanWait: true, Run: work.Pass(func(ctx context.Context) (simulate.Advantage, error) {
		return simulate.ExplainAdvantage(ctx, better, worse.Report, worse.Ranking)
	}, func(cause simulate.Advantage, err error) {
		l.Answered, l.Cause, l.Err = true, cause, err
	})}, true
}

func (l *Lead) key() leadKey { return leadKey{l.Of[0].Report, l.Of[1].Report} }

// Ahead says by how much a side's result is worth more than the other's.
func Ahead(side experiment.Side, more, less float64) string {
	by := ExactScore(more - less)
	switch ratio := more / less; {
	case less > 0 && ratio >= 2:
		return side.String() + " is worth " + strconv.FormatFloat(ratio, 'f', 1, 64) + " times " + side.Other().String()
	case less > 0:
		by = plain.Percent(ratio - 1)
	}
	return side.String() + " wins by " + by
}

// Because returns the cause of the difference, as a sentence and in a few words. The sentence
// of an answer that names a cause begins with the side that is worth less, or an item; key, as in " (M)", is
// what takes the cause away.
func (l *Lead) Because(f *Frame, key string) (long, short string) {
	worse, c := l.better.Other(), l.Cause
	name := worse.String()
	without := key + ", " + name + " is worth " + f.About() + Value(c.Without)
	if better := l.Of[l.better]; better != nil && c.Cause != simulate.LargeItem && better.Report.Value > 0 && c.Without > better.Report.Value && Value(c.Without) != Value(better.Report.Value) {
		without = key + ", " + name + " would win by " + plain.Percent(c.Without/better.Report.Value-1) + ": " + f.About() + Value(c.Without)
	}
	switch {
	case !l.Answered:
		s := "looking for the cause" + f.Glyphs().Ellipsis + " " + f.Waiting.Spin()
		return s, s
	case errors.Is(l.Err, simulate.ErrScoredDifferently):
		return "the values cannot be compared", "not comparable"
	case l.Err != nil:
		return "the cause is not known: " + plain.Line(l.Err.Error(), 200), "cause not known"
	case c.Cause == simulate.BucketRounding:
		size := l.Of[worse].Policy.Bucket().String()
		return name + " rounds sizes up to buckets of " + size + ", and " + f.SumTokens(c.Tokens) + " of its room " + Verb(int(c.Tokens), "stays", "stay") + " free. With buckets of 1" + without + ".",
			name + "'s buckets of " + size + " leave " + f.Sum(c.Tokens) + " tok free"
	case c.Cause == simulate.ShareQuotas:
		return name + "'s shares by kind leave " + f.SumTokens(c.Tokens) + " of its room free. Without them" + without + ".",
			name + "'s shares leave " + c.Tokens.String() + " tok free"
	case c.Cause == simulate.CountQuotas:
		return name + "'s counts by kind decide what is in. Without them" + without + ".", name + "'s counts by kind"
	case c.Cause == simulate.LargeItem:
		item := "#" + strconv.Itoa(c.Item)
		return item + ", " + f.SumTokens(c.Tokens) + ", takes the room of others in " + name + ". Without it" + without + ".",
			item + " takes " + f.Sum(c.Tokens) + " tok in " + name
	}
	if l.Of[worse].Policy.Slicer.Order() == model.OrderByScore {
		return name + " takes the best scores first, whatever they cost in tokens.", name + " takes the best scores first"
	}
	return "no single cause: no bucket size, quota or large item alone explains it.", "no single cause"
}
