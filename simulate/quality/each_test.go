package quality

import (
	"context"
	"runtime"
	"testing"
)

// A worker takes memory, so that no more are started than can help.
func TestTheWorkersAreBounded(t *testing.T) {
	workers := 0
	one := func(yield func(*Case, error) bool) {
		workers = runtime.NumGoroutine()
		yield(&Case{}, nil)
	}
	work := func(context.Context, *Case) (int, error) { return 0, nil }
	keep := func(int, *Case, int) {}
	if err := each(t.Context(), one, 50_000, work, keep); err != nil || workers == 0 || workers > 2_000 {
		t.Errorf("%d workers, %v", workers, err)
	}
	if err := each(t.Context(), one, -1, work, keep); err == nil {
		t.Error("fewer than no workers are no error")
	}
}
