package quality

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/simulate"
)

// TestQualityOfSizesAtEveryBudget: judge and curve say what the report and the texts that it
// sends say, at every budget.
func TestQualityOfSizesAtEveryBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 2))
	seen := map[string]int{}
	for range randomtest.Rounds(100, 1000) {
		c, p := randomCase(t, r, 1+r.IntN(10)), randomtest.ByHints(r)
		if p.Slicer == model.Stream {
			p.Slicer, p.BatchSize = model.Greedy, 0
		}
		sizes, texts := map[int][]model.Size{}, map[[2]int]string{} // "": not known
		for i := range c.Items.Len() {
			for last := c.Items.Tokens(i); last > 1 && len(sizes[i]) < 3; {
				last = 1 + model.Tokens(r.IntN(int(last-1)))
				sizes[i] = append(sizes[i], model.Size{Tokens: last, Note: len(sizes[i]) == 2})
				texts[[2]int{i, len(sizes[i])}] = randomtest.Pick(r, "", "other words", fmt.Sprint("the ", r.IntN(20)))
			}
		}
		c.Items = musttest.Of(c.Items.WithSizes(sizes))(t)
		c.Labels.Answers = []string{"the 3", "the 5", c.Items.Loaded(0).Content}
		text := func(_ *model.Set, item, size int) (string, bool) { s := texts[[2]int{item, size}]; return s, s != "" }
		ranking := rankingOf(t, p, c.Items)
		judge := musttest.Of(NewJudge(ranking, c.Labels, text))(t)
		const end = 60
		profile := musttest.Of(simulate.NewProfile(t.Context(), ranking, c.Budget, end))(t)
		curve := musttest.Of(NewCurve(t.Context(), profile, judge))(t)
		for b := model.Tokens(0); b <= end; b++ {
			report := musttest.Of(simulate.DryRunAt(t.Context(), ranking, c.Budget, b))(t)
			want, got := judge.Measure(report), curve.At(b)
			got.Value = want.Value // added up in another order
			if got != want {
				t.Fatalf("%s at %d: the curve has %+v, the judge %+v", p.Slicer, b, got, want)
			}
			if report == nil {
				continue
			}
			whole, all, taken := 0, 0, model.Tokens(0)
			for item, grade := range c.Labels.Grades {
				all += grade
				if grade == 0 || ranking.Survivors() != nil && ranking.Survivors()[item] >= 0 {
					continue // a duplicate, whose survivor may be needed too
				}
				taken += report.Taken(item)
				if report.Noted(item) {
					taken -= report.Taken(item)
				}
				if report.In(item) && report.Size(item) == 0 {
					whole += grade
				}
			}
			if unique := ranking.Survivors() == nil; unique && all > 0 && c.Items.HasSizes() {
				if want.WholeRecall.Value != float64(whole)/float64(all) || want.WholeRecall.Value > want.Recall.Value ||
					want.ShareNeeded.Set && math.Abs(want.ShareNeeded.Value-float64(taken)/float64(report.Kept)) > 1e-12 {
					t.Fatalf("at %d: %+v, want a whole recall of %d of %d, and %d of %d tokens needed", b, want, whole, all, taken, report.Kept)
				}
			}
			known, unknown := 0, 0
			for _, i := range report.Placed() {
				sent, ok := c.Items.Loaded(int(i)).Content, true
				if size := report.Size(int(i)); size > 0 {
					sent, ok = text(c.Items, int(i), size)
				}
				switch {
				case !ok:
					unknown++
				case judge.answers.in(sent):
					known++
				}
			}
			if want.Answered != answered(known, unknown) {
				t.Fatalf("at %d: answered is %+v; of the texts as sent %d answer, and %d are not known", b, want.Answered, known, unknown)
			}
			seen[fmt.Sprint(want.Answered, known > 0 && unknown > 0)]++
			if want.WholeRecall.Value < want.Recall.Value {
				seen["cut"]++
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("the cases show little: %v", seen)
	}
}
