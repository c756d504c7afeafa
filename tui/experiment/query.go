package experiment

import (
	"context"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/relevance"
)

// Unscored is the query that has not scored the items yet, and these; false: there
// is none. Until Scored has it, no side has a result.
func (e *Experiment) Unscored() (text string, items *model.Set, is bool) {
	q := e.setup.Edits.Query
	return q.Text, e.loaded, !q.Scored()
}

// Score works out what Unscored returned; it may run anywhere.
func Score(ctx context.Context, text string, items *model.Set) (model.Query, error) {
	return relevance.Ask(ctx, items, text)
}

// ScoreCost predicts how many microseconds Score takes.
func ScoreCost(items *model.Set) int {
	bytes := 0
	for i := range items.Len() {
		bytes += len(items.Loaded(i).Content)
	}
	return bytes/100 + items.Len()/20
}

// Scored takes a query with its hints, wherever the query was asked, in the
// history too. It is no change of the user's. The items are those of Unscored.
func (e *Experiment) Scored(q model.Query) {
	give := func(s *Setup) {
		if of := s.Edits.Query; of.Text == q.Text && !of.Scored() {
			s.Edits = s.Edits.WithQuery(q)
		}
	}
	for _, history := range [...][]change{e.undo, e.redo} {
		for i := range history {
			give(&history[i].before)
			give(&history[i].after)
		}
	}
	give(&e.setup)
	_ = e.applyEdits() // hints of these items are never refused
	e.sides[A].pending, e.sides[B].pending = true, true
}

// Query is the knob that says what is asked.
const Query KnobID = "query"

// queryCells is how much of a query is shown as the value of its knob.
const queryCells = 14

// query is that knob; the items that have no relevance are scored by it.
func (k *knobs) query() Knob {
	now := k.now
	return Knob{
		ID: Query, Label: string(Query), Value: plain.Line(now.Edits.Query.Text, queryCells), Typed: true,
		Help: "a question that scores the items without relevance; empty: none",
		step: func(int, bool) (Setup, error) { return now, fmt.Errorf("a query is typed: enter, or Q") },
		parse: func(text string) (Setup, error) {
			if err := relevance.Check(text); err != nil {
				return now, err
			}
			return now.WithQuery(strings.TrimSpace(text)), nil
		},
		reset: func() Setup {
			next := now.WithQuery(k.original.Edits.Query.Text)
			if q := k.original.Edits.Query; q.Text == next.Edits.Query.Text {
				next.Edits = next.Edits.WithQuery(q)
			}
			return next
		},
	}
}
