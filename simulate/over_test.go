package simulate

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
)

// ran returns by item what the result has where the number has a value, by a pipeline made for
// that value alone: 0 where it is out, -1 a note in its place, else 1 and its size; nil where
// the pipeline does not run.
func ran(t *testing.T, set *model.Set, p model.Policy, b model.Budget, n model.Number, v float64) []int {
	t.Helper()
	policy, fields := n.Set(p, b.Fields(), v)
	budget := musttest.Of(model.NewBudget(fields))(t)
	r := rank(t, policy, set)
	report, err := r.DryRun(budget)
	if err != nil {
		musttest.Do(t, unlessIdle(err))
		return nil
	}
	all := make([]int, set.Len())
	for i := range all {
		switch {
		case report.In(i):
			all[i] = 1 + report.Size(i)
		case report.Noted(i):
			all[i] = -1
		}
	}
	return all
}

// narrow keeps a grid to at most most values: coarser ones, or those from anywhere.
func narrow(n *model.Number, c *randomtest.Cases, most int64) {
	if by := map[int64]int64{1000: 50, 10: 10}[n.PerUnit]; by > 0 && c.IntN(3) > 0 {
		n.PerUnit, n.First, n.Last = n.PerUnit/by, (n.First+by-1)/by, min(n.Last, 10_000)/by
	}
	if have := n.Last - n.First + 1; have > most {
		// A weight of 1e300 has a grid that nobody looks at whole.
		if c.IntN(2) == 0 {
			n.First += int64(c.IntN(int(min(have-most+1, 2_000))))
		}
		n.Last = n.First + most - 1
	}
}

// The results at all values are those of a run at every one of them.
func TestProfileOverIsARunAtEveryValue(t *testing.T) {
	c := randomtest.Seeded(61, 3)
	most := int64(randomtest.Rounds(60, 500))
	seen := map[string]int{}
	sort := func(n model.Number) string {
		name, _, _ := strings.Cut(n.Name, ":")
		return name
	}
	for tried := 0; tried < randomtest.Rounds(160, 1000); {
		set := musttest.Of(randomtest.Set(c))(t)
		b := musttest.Of(randomtest.Budget(c))(t)
		p := randomtest.Policy(c)
		r := rank(t, p, set)
		if report, err := r.DryRun(b); c.IntN(8) > 0 && (err != nil || report.SlicedTokens == 0 || len(report.Excluded) < 3) {
			continue // nothing competes
		}
		tried++
		all := model.Numbers(p, b, nil)
		switch c.IntN(4) { // numbers of the budget are the most, and those of scorers more than others
		case 0, 1:
			all = slices.DeleteFunc(all, func(n model.Number) bool { return n.OfBudget })
		case 2:
			if others := slices.DeleteFunc(slices.Clone(all), func(n model.Number) bool { return n.OfBudget || strings.HasPrefix(n.Name, "weight") }); len(others) > 0 {
				all = others
			}
		case 3: // and those that have changed nothing yet before others
			if others := slices.DeleteFunc(slices.Clone(all), func(n model.Number) bool { return seen[sort(n)] > 0 }); len(others) > 0 {
				all = others
			}
		}
		n := all[c.IntN(len(all))]
		narrow(&n, c, most)
		over := musttest.Of(NewProfileOver(context.Background(), r, b, n))(t, n.Name)
		seen[sort(n)] += len(over.Stretches()) - 1
		checkOver(t, over, set, p, b, n)
	}
	for _, name := range []string{"weight", "exponent", "bucket", "min", "max", "require", "cap", "safety-margin", "output-reserve", "target-tokens", "slot"} {
		if seen[name] == 0 {
			t.Errorf("no case changes anything over %s: %v", name, seen)
		}
	}
	t.Logf("changes by number: %v", seen)
}

// So are those over a weight where the slicer runs only at some values.
func TestProfileOverAWeightIsARunAtEveryValue(t *testing.T) {
	c := randomtest.Seeded(63, 5)
	rng := rand.New(rand.NewPCG(63, 6))
	changes := map[model.SlicerType]int{}
	for k := range randomtest.Rounds(80, 1000) {
		set := musttest.Of(randomtest.Set(c))(t)
		b := musttest.Of(randomtest.Budget(c))(t)
		coarse := k%4 > 0
		if coarse { // items that may be cut, in little room, whose order the weights change
			items := make([]model.Item, 3+rng.IntN(10))
			for i := range items {
				items[i] = model.Item{Content: randomtest.Pick(rng, "a", "b", "c", "d", "e", "f", "g", "h"), Tokens: model.Tokens(1 + rng.IntN(12)),
					FutureRelevanceHint: model.Some(float64(rng.IntN(5)) / 4), Priority: model.Some(int64(rng.IntN(9)))}
			}
			set = withSizes(t, rng, musttest.Of(model.NewSet(items))(t))
			b = musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: model.Tokens(5 + rng.IntN(40))}))(t)
		}
		p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreRecency, Weight: .5}, model.Scorer{Type: model.ScorePriority, Weight: 2})
		p.Slicer = []model.SlicerType{model.Greedy, model.Rank, model.Prefix}[c.IntN(3)]
		p.Deduplicate = c.IntN(3) > 0
		p.KeepPairs = c.IntN(2) == 0
		r := musttest.Of(musttest.Of(pipeline.New(p))(t).Rank(t.Context(), set))(t)
		n := model.Numbers(p, b, nil)[c.IntN(3)]
		narrow(&n, c, 120)
		if coarse {
			n.PerUnit, n.First, n.Last = 25, 1, 100
		}
		over := musttest.Of(NewProfileOver(t.Context(), r, b, n))(t)
		changes[p.Slicer] += len(over.Stretches()) - 1
		checkOver(t, over, set, p, b, n)
	}
	for _, slicer := range []model.SlicerType{model.Greedy, model.Rank, model.Prefix} {
		if changes[slicer] == 0 {
			t.Errorf("no case with %s changes anything", slicer)
		}
	}
	t.Logf("changes: %v", changes)
}

// So are those of items that may be cut: which are in, in which size, and notes.
func TestProfileOverOfSizesIsARunAtEveryValue(t *testing.T) {
	c := randomtest.Seeded(62, 4)
	rng := rand.New(rand.NewPCG(62, 5))
	resized := 0
	for range randomtest.Rounds(50, 1000) {
		set := sizedSet(t, rng)
		p := randomtest.ByHints(rng)
		if p.Slicer == model.Stream {
			p.Slicer, p.BatchSize = model.Prefix, 0
		}
		weighs := rng.IntN(4) > 0
		if weighs {
			p.Scorers = append(p.Scorers, model.Scorer{Type: model.ScoreRecency, Weight: .5})
		}
		p.KeepPairs = rng.IntN(2) == 0
		b := musttest.Of(randomtest.Budget(c))(t)
		r := musttest.Of(musttest.Of(pipeline.New(p))(t).Rank(t.Context(), set))(t)
		all := model.Numbers(p, b, nil)
		n := all[rng.IntN(len(all))]
		if weighs && rng.IntN(2) == 0 {
			n = all[rng.IntN(2)]
		}
		narrow(&n, c, 120)
		over := musttest.Of(NewProfileOver(t.Context(), r, b, n))(t)
		for _, s := range over.Stretches() {
			resized += len(s.Resized)
		}
		checkOver(t, over, set, p, b, n)
	}
	if resized == 0 {
		t.Error("no case changes a size")
	}
}

// checkOver holds the stretches, what they change and who is in to a run at every value.
func checkOver(t *testing.T, over *ProfileOver, set *model.Set, p model.Policy, b model.Budget, n model.Number) {
	t.Helper()
	var all []float64
	for k := n.First; k <= n.Last; k++ {
		all = append(all, n.At(k))
	}
	if v := valuesOf(n); v.own >= 0 {
		all = append(all[:v.own], append([]float64{n.Value}, all[v.own:]...)...)
	}
	var want []Stretch
	var before []int
	for k, v := range all {
		now := ran(t, set, p, b, n, v)
		change := Stretch{From: v, To: v, None: now == nil}
		if now == nil {
			now = make([]int, set.Len())
		}
		for i, is := range now {
			if is > 0 {
				change.Items++
			}
			switch {
			case k == 0 || is == before[i]:
			case is > 0 && before[i] > 0, is <= 0 && before[i] <= 0:
				change.Resized = append(change.Resized, int32(i))
			case is > 0:
				change.In = append(change.In, int32(i))
			default:
				change.Out = append(change.Out, int32(i))
			}
		}
		switch {
		case k == 0:
			want = append(want, change)
		case change.None != want[len(want)-1].None, len(change.In)+len(change.Out)+len(change.Resized) > 0:
			want = append(want, change)
		default:
			want[len(want)-1].To = v
		}
		before = now
		for i, is := range now {
			size := over.SizesOf(i)[over.At(v)]
			if is >= 0 && size != is-1 || is < 0 && !set.Sizes(i)[size-1].Note {
				t.Fatalf("%s: item %d at %v is in size %d, want %d", n.Name, i, v, size, is-1)
			}
		}
	}
	for to := range want {
		if d := over.Between(max(0, to-1), to); to > 0 && !(slices.Equal(d.In, want[to].In) && slices.Equal(d.Out, want[to].Out) && slices.Equal(d.Resized, want[to].Resized)) {
			t.Fatalf("%s: between %d and the one before %+v, want %+v", n.Name, to, d, want[to])
		}
		there, back := over.Between(0, to), over.Between(to, 0)
		if !slices.Equal(there.In, back.Out) || !slices.Equal(there.Out, back.In) || !slices.Equal(there.Resized, back.Resized) {
			t.Fatalf("%s: there %+v, back %+v", n.Name, there, back)
		}
	}
	got := slices.Clone(over.Stretches())
	for k := range got {
		got[k].changes = nil // what SizesOf reads
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s from %v to %v of policy %+v, budget %+v:\ngot  %+v\nwant %+v", n.Name, n.At(n.First), n.At(n.Last), p, b.Fields(), got, want)
	}
	for i, e := range over.Extents() {
		want := Extent{First: -1, Stays: -1}
		for k, in := range over.Has(i) {
			switch {
			case !in:
				want.Stays = -1
			case want.Stays < 0:
				want.Stays = int32(k)
				want.Ranges++
			}
			if in && want.First < 0 {
				want.First = int32(k)
			}
		}
		if e != want {
			t.Fatalf("%s: item %d: %+v, want %+v", n.Name, i, e, want)
		}
	}
}

// What brings an item in at the nearest value is what leads from one result to the other.
func TestBringIsTheNearestValue(t *testing.T) {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScorePriority, Weight: 1})
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "a", Tokens: 10, FutureRelevanceHint: model.Some(0.9), Priority: model.Some[int64](1)},
		{Content: "b", Tokens: 10, FutureRelevanceHint: model.Some(0.1), Priority: model.Some[int64](2)},
	}))(t)
	b := musttest.Of(model.BudgetOf(10))(t)
	r := rank(t, p, set)
	n := musttest.Of(model.FindNumber(model.Numbers(p, b, nil), "weight:reflexive"))(t)
	over := musttest.Of(NewProfileOver(context.Background(), r, b, n))(t)
	// a: (0.9 w) / (w + 1), b: (0.1 w + 1) / (w + 1): equal at 1.25, where a is first.
	way := over.Bring(0, 1)
	musttest.Is(t, way, []Stretch{{From: 1.25, To: 1.25, In: []int32{0}, Out: []int32{1}, Items: 1}})
	if way := over.Bring(1, 1); way != nil {
		t.Errorf("b is in, and %+v brings it in", way)
	}
	if from, to := over.Around(1, 1); from.Set || to != model.Some(1.249) {
		t.Errorf("b is in from %v to %v, want to 1.249", from, to)
	}
	if from, to := over.Around(0, 2); from != model.Some(1.25) || to.Set {
		t.Errorf("a is in from %v to %v, want from 1.25", from, to)
	}
	musttest.Is(t, over.Has(0), []bool{false, true}, "a is in over")
}

// A context that is done ends the work, and more work than is bounded is refused before it.
func TestProfileOverStopsAndIsBounded(t *testing.T) {
	c := randomtest.Seeded(1, 1)
	set := musttest.Of(randomtest.Set(c))(t)
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreRecency, Weight: 1e9})
	r := rank(t, p, set)
	b := musttest.Of(model.BudgetOf(500))(t)
	all := model.Numbers(p, b, nil)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	musttest.Is(t, musttest.Refusal(NewProfileOver(done, r, b, all[0])), context.Canceled, "cancelled")
	large := musttest.As[*OverError](t, musttest.Refusal(NewProfileOver(context.Background(), r, b, all[1])), "ten billion thousandths")
	musttest.Is(t, large.Name, "weight:recency")
}
