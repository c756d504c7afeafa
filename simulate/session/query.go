package session

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/relevance"
)

// ask scores the items that have no relevance by the question that was asked for;
// else by the question that a scenario keeps, which has scored them already; else, where
// no item has a relevance and the source itself is about a question, by that, if any
// item has a word of it.
func (o *Opened) ask(ctx context.Context, question string) error {
	edits := o.Set.Edits()
	o.ownQuery = edits.Query.Text
	own := question == "" && edits.Query.IsZero() && !o.HasScores && len(edits.Hints) == 0 && relevance.Check(o.Question) == nil
	if own {
		question = strings.TrimSpace(o.Question)
	}
	if question == "" || question == edits.Query.Text {
		return nil
	}
	q, err := relevance.Ask(ctx, o.Set, question)
	if err != nil || own && relevance.Count(o.Set, q).Found == 0 {
		return err
	}
	set, err := o.Set.With(edits.WithQuery(q))
	if err != nil {
		return err
	}
	o.take(set)
	o.scored = true
	if own {
		o.ownQuery = question
	}
	return nil
}

// QueryNote returns one line about what a query does to a set, and what of
// that has no effect under the policy.
func QueryNote(set *model.Set, q model.Query, p model.Policy) string {
	t := relevance.Count(set, q)
	head := fmt.Sprintf("the query %.60q ", q.Text)
	if t.Scored == 0 {
		return head + "scores nothing: every item has a relevance of its own, which it keeps"
	}
	head += "scores " + plain.Count(t.Scored, "item")
	switch {
	case t.Found == 0:
		head += ", of which none has a word of it"
	case t.Given > 0:
		head += fmt.Sprintf("; what was given with %s stays", plain.Thousands(t.Given))
	}
	if !p.ReadsHints() {
		head += fmt.Sprintf("; policy %s does not look at relevance (the scorer reflexive does)", cmp.Or(p.Title(), "without a name"))
	}
	return head
}
