package relevance

import (
	"context"
	"fmt"
	"strings"

	"cupelscope/model"
)

// Ask scores the items of a set that were loaded without a hint by a question: from
// 0, for an item with no word of it, to 1, for the best item. How rare a word is counts
// over all items. The empty question gives the zero Query. The error is Check's or ctx's.
func Ask(ctx context.Context, set *model.Set, question string) (model.Query, error) {
	if err := Check(question); err != nil {
		return model.Query{}, err
	}
	if question = strings.TrimSpace(question); question == "" {
		return model.Query{}, nil
	}
	hints, err := BM25(ctx, question, set.Len(), func(i int) string { return set.Loaded(i).Content })
	if err != nil {
		return model.Query{}, err
	}
	best := 0.0
	for i := range hints {
		if set.Loaded(i).FutureRelevanceHint.Set {
			hints[i] = 0
		}
		best = max(best, hints[i])
	}
	for i := range hints {
		if best > 0 {
			hints[i] /= best
		}
	}
	return model.Query{Text: question, Hints: hints}, nil
}

// Check returns an error if a question has more than model.MaxQuery bytes, or if it is
// not empty and has no letter or digit.
func Check(question string) error {
	question = strings.TrimSpace(question)
	if len(question) > model.MaxQuery {
		return fmt.Errorf("the query has %v bytes, at most %v are allowed", model.Tokens(len(question)), model.Tokens(model.MaxQuery))
	}
	for range terms(question) {
		return nil
	}
	if question != "" {
		return fmt.Errorf("the query %.40q has no letter or digit to look for", question)
	}
	return nil
}

// Tally says which items a query scores.
type Tally struct {
	Scored int // without a relevance of their own
	Found  int // of them, those that have a word of the question
	Given  int // with one, which they keep
}

// Count tells what a scored query does to a set.
func Count(set *model.Set, q model.Query) Tally {
	var t Tally
	edited := set.Edits().Hints
	for i, hint := range q.Hints {
		if _, given := edited[i]; given || set.Loaded(i).FutureRelevanceHint.Set {
			t.Given++
			continue
		}
		t.Scored++
		if hint > 0 {
			t.Found++
		}
	}
	return t
}
