package plans

import (
	"context"
	"reflect"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
)

// question is the computation of one plan over all requests, and the key of its Job.
// Everything but parts is immutable.
type question struct {
	history *experiment.Requests
	plan    turns.Plan
	budget  model.Budget
	parts   []atomic.Pointer[turns.Window] // by request, without Items; nil until its window is computed
}

// begun returns q with room for its parts. Only a question that will be followed needs that;
// most are made only to be compared, at every key.
func (q *question) begun() *question {
	q.parts = make([]atomic.Pointer[turns.Window], len(q.history.Requests()))
	return q
}

// maxItems bounds the numbers of items that the windows of one plan hold: 256 MB.
const maxItems = 64 << 20

// same reports whether two computations have the same input. It is false if one is nil.
func (q *question) same(o *question) bool {
	return q != nil && o != nil && q.history == o.history && reflect.DeepEqual(q.plan, o.plan) && reflect.DeepEqual(q.budget.Fields(), o.budget.Fields())
}

// followed is the result of a question.
type followed struct {
	windows []turns.Window
	changes []turns.Change
}

// follow computes the windows of all requests, and stores each in parts as soon as it is known.
func (q *question) follow(ctx context.Context) (followed, error) {
	tell, done := slicer.ProgressOf(ctx), new(atomic.Int64)
	each := func(request int, w turns.Window) {
		w.Items = nil // the result has them
		q.parts[request].Store(&w)
		tell(done.Add(1), int64(len(q.parts)))
	}
	inner := slicer.WithProgress(ctx, func(int64, int64) {}) // of single requests
	windows, err := turns.Windows(inner, q.history.History, q.plan, q.budget, turns.Options{Each: each, MaxItems: maxItems})
	if err != nil {
		return followed{}, err
	}
	changes, err := q.history.Compare(ctx, windows)
	return followed{windows, changes}, err
}
