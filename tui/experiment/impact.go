package experiment

import (
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Impact is what the newest change did to a side: the line that answers every
// edit.
type Impact struct {
	Label   string // "maxTokens 31,000 → 32,000"
	Side    Side
	Pending bool // not known yet
	Err     error
	// Anew says that there was no result before: In is what is in now, and
	// the sums are those of the result.
	Anew    bool
	In, Out []int32 // items that came in and that went out, ascending
	Tokens  model.Tokens
	Value   float64
	Moved   int // items whose score is another
	// Recall is how much of what is needed is in now, RecallWas before; not set
	// where nothing is needed.
	Recall, RecallWas model.Option[float64]
	// Risk is how many items are at risk now, RiskWas before.
	Risk, RiskWas int
	Reordered     bool // the same items, placed in another order
	Took          time.Duration
}

// Impact returns the impact of the newest change on side s; false before the
// first change.
func (e *Experiment) Impact() (Impact, bool) { return e.impact, e.impact.Label != "" }

// begin opens the impact of a change. It compares with what is on the screen
// now, so changes that follow each other before they are computed count together.
func (e *Experiment) begin(label string) {
	side := e.watched
	if !e.sides[side].pending && e.sides[side.Other()].pending {
		side = side.Other() // a change of the other policy alone
	}
	e.impact = Impact{Label: label, Pending: e.sides[side].pending, Side: side}
}

// Watch says which side the impact line speaks of.
func (e *Experiment) Watch(s Side) {
	if e.watched != s {
		e.watched, e.impact = s, Impact{Side: s}
	}
}

func (e *Experiment) measure(s Side, before, after *Outcome, took time.Duration) {
	if s != e.impact.Side || e.impact.Label == "" {
		return
	}
	im := &e.impact
	im.Pending, im.Err, im.Took = false, after.Err, took
	if after.Report == nil {
		return
	}
	im.Risk, im.Recall = len(after.Lost), after.Quality.Recall
	if im.Anew = before == nil; im.Anew {
		im.RiskWas = im.Risk
		im.In, im.Tokens, im.Value = slices.Sorted(slices.Values(after.Report.Included)), after.Report.Kept, after.Report.Value
		return
	}
	im.RiskWas, im.RecallWas = len(before.Lost), before.Quality.Recall
	im.In, im.Out = simulate.Diff(before.Report, after.Report)
	im.Tokens = after.Report.Kept - before.Report.Kept
	im.Value = after.Report.Value - before.Report.Value
	im.Reordered = len(im.In)+len(im.Out) == 0 && !slices.Equal(before.Report.Included, after.Report.Included)
	if before.Ranking != after.Ranking {
		was, is := before.Report.Scores, after.Report.Scores
		for i := range min(len(was), len(is)) {
			if was[i] != is[i] {
				im.Moved++
			}
		}
	}
}
