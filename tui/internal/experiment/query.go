package experiment

import (
	"context"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/relevance"
)

// Unscored returns the query of the setup and the items that it has to score, for Score.
// It returns false if the query has its scores already. While it returns true, Request
// returns no work.
func (e *Experiment) Unscored() (text string, items *model.Set, is bool) {
	q := e.setup.Edits.Query
	return q.Text, e.loaded, !q.Scored()
}

// Score scores the items by a query. It is safe for concurrent use.
func Score(ctx context.Context, text string, items *model.Set) (model.Query, error) {
	return relevance.Ask(ctx, items, text)
}

// Scored stores the scores of a query in every setup that asks it, in the history
// too. The query must come from Score with the items of Unscored. This is not a
// change by the user and cannot be undone.
func (e *Experiment) Scored(q model.Query) {
	give := func(s *Setup) {
		if of := s.Edits.Query; of.Text == q.Text && !of.Scored() {
			s.Edits = s.Edits.WithQuery(q)
		}
	}
	e.eachInHistory(give)
	give(&e.setup)
	_ = e.applyEdits() // hints of these items are never refused
	e.sides[A].pending, e.sides[B].pending = true, true
}

// Query is the knob for the query that scores the items without relevance.
const Query KnobID = "query"

// queryCells is how many cells of a query are shown as the value of its knob.
const queryCells = 14

// query returns the knob Query.
func (k *knobs) query() Knob {
	now := k.now
	return Knob{
		ID: Query, Label: string(Query), Value: plain.Line(now.Edits.Query.Text, queryCells), Typed: true,
		Help: "a question that scores the items without relevance; empty: none",
		step: func(int, bool) (Setup, error) { return now, fmt.Errorf("enter or Q types a query") },
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
