package experiment_test

import (
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
)

// Whatever is marked, under every slicer and at every budget, the figures of what
// is needed are those that a count over the report gives, and marking makes
// neither the result nor its reasons anew.
func TestQualityOfOutcomes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	partly, duplicates := 0, 0
	for name, change := range experimenttest.Policies() {
		exp := experimenttest.New(t, 60)
		experimenttest.WithPolicy(t, exp, change)
		for range 40 {
			before := exp.Outcome(experiment.A)
			now := exp.Setup()
			next, marks := now, rng.IntN(2) == 0
			if marks {
				next = now.WithNeeded(model.Labels{Grades: map[int]int{3: 4, 5: 0}}, []int{rng.IntN(60), rng.IntN(60)}, rng.IntN(3) > 0)
			} else {
				next = now.WithMax(model.Tokens(500 + rng.IntN(9000)))
			}
			if !marks && rng.IntN(4) == 0 { // a moment at which some items had not come
				musttest.Do(t, exp.At(experiment.Moment{Request: turns.Request{Before: 20 + rng.IntN(40)}, Number: 1, Of: 2}))
			} else if !marks {
				exp.ToEnd()
			}
			musttest.Do(t, exp.Apply(next, experiment.Label{Name: "x"}, ""))
			experimenttest.Compute(t, exp)
			o := exp.Outcome(experiment.A)
			if marks && (o.Report != before.Report || o.Reasons != before.Reasons) {
				t.Errorf("%s: marking items made the result anew", name)
			}
			if exp.State(experiment.A) != experiment.Current {
				continue
			}
			got, all, in, needed := 0, 0, 0, 0
			for item, grade := range next.Labels.Grades {
				if grade == 0 || item >= o.Items.Len() {
					continue
				}
				all, needed = all+grade, needed+1
				if survivors := o.Ranking.Survivors(); survivors != nil && survivors[item] >= 0 && survivors[item] != int32(item) {
					item = int(survivors[item])
					duplicates++
				}
				if o.Report.In(item) {
					got, in = got+grade, in+1
				}
			}
			q := o.Quality
			if q.Needed != needed || q.In != in || q.Recall.Set != (all > 0) || all > 0 && q.Recall.Value != float64(got)/float64(all) {
				t.Fatalf("%s: %+v, want %d of %d in, grades %d of %d", name, q, in, needed, got, all)
			}
			if got > 0 && got < all {
				partly++
			}
		}
	}
	if partly < 40 || duplicates == 0 {
		t.Errorf("what is needed is partly in %d times, with %d duplicates: too few to show anything", partly, duplicates)
	}
}
