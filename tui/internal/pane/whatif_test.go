package pane

import (
	"context"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/widget/widgettest"
	"cupelscope/tui/internal/work"
)

// question returns a pool whose jobs all run in lanes, and a question about the first of the
// items that are out, with these.
func question(t *testing.T) (*work.Pool, *WhatIf, []int) {
	t.Helper()
	f := widgettest.Frame(t, 60, false)
	widgettest.WithPolicy(t, f, experimenttest.Policies()["greedy"])
	widgettest.Compute(t, f)
	var out []int
	for _, i := range f.Out.Report.Excluded {
		if f.Out.Report.Codes[i] == model.BudgetExceeded {
			out = append(out, int(i))
		}
	}
	if len(out) < 2 {
		t.Fatalf("%d items are out", len(out))
	}
	still := func() time.Time { return time.Time{} }
	pool := work.NewPool(context.Background(), still)
	pool.Frame = 0
	q := &WhatIf{Now: still}
	q.Arrange(f.Out, out[:1], true)
	return pool, q, out
}

// The cases of the next item start while the search for the one before has not stopped yet,
// which starts only once keys rest.
func TestCasesDoNotWaitForTheSearch(t *testing.T) {
	pool, q, out := question(t)
	pool.Take(pool.Do(q)().(work.Answer))
	job, _ := q.Search().Job()
	part := pool.Do(q.Search())
	if part == nil || !job.CanWait {
		t.Fatalf("the search of an open item runs %v, and waits %v", part != nil, job.CanWait)
	}
	q.Arrange(q.out, out[1:2], true)
	cases := pool.Do(q)
	if cases == nil {
		t.Fatal("the cases wait")
	}
	if pool.Do(q.Search()); !pool.Take(part().(work.Answer)) || q.search.looked != 0 {
		t.Errorf("%d results of the item before are told of the next", q.search.looked)
	}
	if pool.Take(cases().(work.Answer)); q.answers == nil {
		t.Error("the cases have no answer")
	}
}

// Opening an item takes over what is computed for it, unless that proves to take too long.
func TestOpeningKeepsTheCases(t *testing.T) {
	pool, q, out := question(t)
	q.Arrange(q.out, out[1:2], false)
	cases := pool.Do(q)
	q.Arrange(q.out, out[1:2], true)
	if pool.Do(q); !pool.Take(cases().(work.Answer)) || q.answers == nil {
		t.Error("the cases begin anew")
	}

	pool, q, out = question(t)
	pool.Limit = func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, 0)
	}
	q.Arrange(q.out, out[1:2], false)
	cases = pool.Do(q)
	q.Arrange(q.out, out[1:2], true)
	if pool.Take(cases().(work.Answer)); q.answers != nil || q.late {
		t.Fatalf("answers %v, late %v", q.answers != nil, q.late)
	}
	if pool.Take(pool.Do(q)().(work.Answer)); q.answers == nil {
		t.Error("the open item has no answer")
	}
}
