package quality

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// TestFewCasesAreHeld: however many cases there are, no more are out of the source
// and not yet measured than a few for each processor.
func TestFewCasesAreHeld(t *testing.T) {
	one := shortAndLong(t, rand.New(rand.NewPCG(31, 32)), 1, 1)[0]
	const cases, processors = 500, 2
	var out, kept, most atomic.Int64
	endless := func(yield func(*Case, error) bool) {
		for range cases {
			most.Store(max(most.Load(), out.Add(1)-kept.Load()))
			if !yield(one, nil) {
				return
			}
		}
	}
	o := Options{Policies: []Named{{"p", greedyPolicy()}}, At: []Amount{{Tokens: 50}}, Processors: processors}
	o.Progress = func(int) { kept.Add(1) }
	e, err := Evaluate(context.Background(), endless, o)
	if err != nil || e.Cases != cases || e.Groups != cases && e.Groups != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	if most.Load() > 3*processors+2 {
		t.Errorf("%d cases were held at once", most.Load())
	}
}
