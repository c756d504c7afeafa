package experiment

import (
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Impact is what a change did to the result of a side, as the line below the view shows it.
type Impact struct {
	Label   string // "maxTokens 31,000 → 32,000"
	Side    Side
	Pending bool // not known yet
	Err     error
	// Anew says that there was no result before: In lists all items that are in
	// now, and the sums are those of the whole result.
	Anew    bool
	In, Out []int32 // items that came in and that went out, ascending
	Tokens  model.Tokens
	Value   float64
	Moved   int // how many items have another score
	// Recall is the recall now, 0 to 1, and RecallWas that before; unset if
	// nothing is needed.
	Recall, RecallWas model.Option[float64]
	// Risk is how many items are at risk now, and RiskWas before.
	Risk, RiskWas int
	Reordered     bool // the same items, placed in another order
	Shared        bool // the room is divided into shares by kind now, and was not before
	Took          time.Duration
}

// Impact returns the impact of the newest change, or false before the first change.
func (e *Experiment) Impact() (Impact, bool) { return e.impact, e.impact.Label != "" }

// Changes returns how many changes have been made so far, those by undo, redo and better
// counts included.
func (e *Experiment) Changes() int { return e.changes }

// Before returns the setup before the newest change, which names items by keys; unset
// before the first change, and if that was one of the items.
func (e *Experiment) Before() model.Option[Setup] { return e.was }

// begin starts the impact of a change. It is measured against the result on the screen,
// so changes that follow each other before they are computed count together.
func (e *Experiment) begin(label string) {
	e.changes++
	side := e.watched
	if other := e.sides[side.Other()]; !e.sides[side].pending && other.pending && !other.rests {
		side = side.Other() // a change of the other policy alone
	}
	e.impact = Impact{Label: label, Pending: e.sides[side].pending, Side: side}
}

// Watch sets the side whose changes Impact describes. A later change of the other policy
// alone is still described for that one.
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
	im.Shared = len(after.Policy.Quotas) > 0 && len(before.Policy.Quotas) == 0
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
