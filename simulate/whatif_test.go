package simulate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
)

// relativePolicy is any policy, with scorers that rate an item against the
// others in two of three cases: then an edit moves the scores of the rest.
func relativePolicy(rng *rand.Rand) model.Policy {
	p := randomPolicy(rng)
	switch rng.IntN(3) {
	case 0:
		p.Scorers = []model.Scorer{{Type: model.ScoreScaled, Weight: 1, Inner: &model.Scorer{Type: model.ScoreReflexive, Weight: 1}}}
	case 1:
		p.Scorers = append(p.Scorers, model.Scorer{Type: model.ScorePriority, Weight: 2})
	}
	return p
}

// withPriorities is a set like randomSet's with priorities.
func withPriorities(t *testing.T, rng *rand.Rand) *model.Set {
	t.Helper()
	old := randomSet(t, rng)
	items := make([]model.Item, old.Len())
	for i := range items {
		items[i] = *old.Loaded(i)
		if rng.IntN(4) > 0 {
			items[i].Priority = model.Some(int64(rng.IntN(5)))
		}
	}
	set := musttest.Of(model.NewSet(items))(t)
	set = musttest.Of(set.With(old.Edits()))(t)
	return set
}

// rebuilt runs the pipeline on a set made anew, of the items that are left,
// pinned as told: what an edit must come to. It returns, by item of the old
// set, whether it is in and its score, NaN where it has none.
func rebuilt(t *testing.T, p model.Policy, s *model.Set, pinned, excluded func(i int) bool, b model.Budget) (in []bool, scores []float64, report *model.Report, err error) {
	t.Helper()
	var items []model.Item
	var from []int
	for i := range s.Len() {
		if excluded(i) {
			continue
		}
		it := s.Item(i)
		it.Pinned = pinned(i)
		items, from = append(items, it), append(from, i)
	}
	set := musttest.Of(model.NewSet(items))(t)
	report, err = rank(t, p, set).DryRun(b)
	if err != nil {
		return nil, nil, nil, err
	}
	in, scores = make([]bool, s.Len()), make([]float64, s.Len())
	for i := range scores {
		scores[i] = math.NaN()
	}
	for k, i := range from {
		in[i] = report.In(k)
		if code := report.Codes[k]; code != model.Pinned && code != model.NegativeTokens {
			scores[i] = report.Scores[k]
		}
	}
	return in, scores, report, nil
}

// A what-if must be what the pipeline does with a set that was made so from
// the start.
func TestWhatIfAgainstASetMadeAnew(t *testing.T) {
	rounds := randomtest.Rounds(400, 3000)
	ctx := context.Background()
	seen := map[string]int{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		set, policy := withPriorities(t, rng), relativePolicy(rng)
		n := set.Len()
		if n == 0 {
			continue
		}
		r := rank(t, policy, set)
		before, _ := DryRunAt(context.Background(), r, randomTemplate(t, rng), model.Tokens(20+rng.IntN(60)))
		if before == nil {
			continue
		}
		items := rng.Perm(n)[:1+rng.IntN(min(3, n))]
		chosen := func(i int) bool { return slices.Contains(items, i) }
		for _, c := range []struct {
			name             string
			edits            model.Edits
			pinned, excluded func(i int) bool
		}{
			{"pin", Pinning(set, items...), func(i int) bool { return set.Pinned(i) || chosen(i) }, func(i int) bool { return set.Excluded(i) && !chosen(i) }},
			{"release", Releasing(set, items...), func(i int) bool { return set.Pinned(i) && !chosen(i) }, set.Excluded},
			{"drop", Dropping(set, items...), set.Pinned, func(i int) bool { return set.Excluded(i) || chosen(i) }},
			{"restore", Restoring(set, items...), set.Pinned, func(i int) bool { return set.Excluded(i) && !chosen(i) }},
		} {
			in, scores, want, wantErr := rebuilt(t, policy, set, c.pinned, c.excluded, before.Budget)
			got, err := WhatIf(ctx, r, before, c.edits)
			if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				t.Fatalf("seed %d: %s %v: error %v, want %v", seed, c.name, items, err, wantErr)
			}
			if err != nil {
				seen["error"]++
				continue
			}
			var wantIn, wantOut []int32
			moved, gain := 0, 0.
			for i := range n {
				if scored(before, i) && scores[i] == scores[i] { // the result with the edit has a score for it
					if in[i] {
						gain += scores[i] * got.Report.Share(i)
					}
					if before.In(i) {
						gain -= scores[i] * before.Share(i)
					}
				}
				switch was := before.In(i); {
				case in[i] && !was:
					wantIn = append(wantIn, int32(i))
				case was && !in[i]:
					wantOut = append(wantOut, int32(i))
				}
				if scored(before, i) && scores[i] == scores[i] && scores[i] != before.Scores[i] {
					moved++
				}
			}
			if !slices.Equal(got.In, wantIn) || !slices.Equal(got.Out, wantOut) || got.Moved != moved {
				t.Fatalf("seed %d: %s %v: +%v -%v, %d moved; want +%v -%v, %d moved; policy %+v", seed, c.name, items, got.In, got.Out, got.Moved, wantIn, wantOut, moved, policy)
			}
			if got.Tokens != want.Kept-before.Kept || math.Abs(got.Value-(want.Value-before.Value)) > 1e-9 {
				t.Fatalf("seed %d: %s %v: %v tokens, %v value; want %v, %v", seed, c.name, items, got.Tokens, got.Value, want.Kept-before.Kept, want.Value-before.Value)
			}
			if value, _ := Gain(before, got.Report); math.Abs(value-gain) > 1e-9 {
				t.Fatalf("seed %d: %s %v: a gain of %v, want %v", seed, c.name, items, value, gain)
			}
			seen[c.name]++
			if moved > 0 {
				seen["moved"]++
			}
			if len(got.In) > 0 && len(got.Out) > 0 {
				seen["both ways"]++
			}
		}
	}
	t.Logf("%v", seen)
	for _, what := range []string{"pin", "release", "drop", "restore", "error", "moved", "both ways"} {
		if seen[what] < rounds/100 {
			t.Errorf("only %d cases of %s", seen[what], what)
		}
	}
}

// Every single item without which another is in must be found, and no other, whatever was
// asked before, and at which budget.
func TestDropsForAgainstEveryItem(t *testing.T) {
	rounds := randomtest.Rounds(100, 600)
	found := 0
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		set, policy := withPriorities(t, rng), relativePolicy(rng)
		r, template := rank(t, policy, set), randomTemplate(t, rng)
		trials := NewTrials(r)
		most := model.Tokens(20 + rng.IntN(40))
		for _, at := range []model.Tokens{most, model.Tokens(20 + rng.IntN(40)), most} {
			before, _ := DryRunAt(context.Background(), r, template, at)
			for item := range set.Len() {
				if before == nil || before.In(item) {
					continue
				}
				want := dropsByRebuilding(t, policy, set, before, item)
				candidates := Droppable(r, before, item)
				var all []int32
				for half := range slices.Chunk(candidates, max(1, len(candidates)/2)) {
					all = append(all, musttest.Of(trials.DropsFor(context.Background(), before, item, half))(t)...)
				}
				slices.Sort(all)
				if !slices.Equal(all, want) {
					t.Fatalf("seed %d, %v tokens: #%d is in without %v, want %v; policy %+v", seed, at, item, all, want, policy)
				}
				found += len(want)
			}
		}
	}
	if found < rounds/4 {
		t.Errorf("only %d drops in %d rounds", found, rounds)
	}
}

// dropsByRebuilding returns the items without each of which an item is in, by sets made anew.
func dropsByRebuilding(t *testing.T, policy model.Policy, set *model.Set, before *model.Report, item int) (drops []int32) {
	t.Helper()
	for i := range set.Len() {
		if i == item || !before.In(i) && (before.Survivors == nil || before.Survivors[item] != int32(i)) {
			continue
		}
		in, _, _, err := rebuilt(t, policy, set, set.Pinned, func(k int) bool { return set.Excluded(k) || k == i }, before.Budget)
		if err == nil && in[item] {
			drops = append(drops, int32(i))
		}
	}
	return drops
}

// What displaced an item is what came in where it went out, at every budget.
func TestDisplacedAgainstEveryBudget(t *testing.T) {
	rounds := randomtest.Rounds(100, 600)
	seen := map[string]int{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 13))
		policy := randomPolicy(rng)
		if seed%2 == 0 {
			policy = randomtest.ByHints(rng)
		}
		if seed%4 == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Greedy, 0, 0
		}
		r := rank(t, policy, randomSet(t, rng))
		template, end := randomTemplate(t, rng), model.Tokens(rng.IntN(80))
		if seed%4 == 0 {
			template, end = musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 40}))(t), 80
		}
		p, err := NewProfile(context.Background(), r, template, end)
		if err != nil {
			continue // scarce
		}
		s := newScenario(t, r, template, end)
		greedy := r.Policy().Slicer == model.Greedy && len(r.Policy().Quotas)+len(r.Policy().CountQuotas) == 0 && template.Fields().SafetyMargin == 0
		for item := range r.Items().Len() {
			for b := 0; b <= int(end); b++ {
				below, above := b, b
				for below >= 0 && !s.in(item, below) {
					below--
				}
				for above <= int(end) && !s.in(item, above) {
					above++
				}
				gotBelow, gotAbove, in := p.Nearest(item, model.Tokens(b))
				if in != s.in(item, b) {
					t.Fatalf("seed %d: #%d at %d: in %v", seed, item, b, in)
				}
				lost, wasLost := p.Displaced(item, model.Tokens(b))
				next, losing := p.LostNext(item, model.Tokens(b))
				if in {
					out := b
					for out <= int(end) && s.in(item, out) {
						out++
					}
					if losing != (out <= int(end)) || losing && !equalChange(next, s.change(out-1, out)) {
						t.Fatalf("seed %d: #%d at %d is lost next %v, want %v", seed, item, b, next, s.change(out-1, out))
					}
					if wasLost {
						t.Fatalf("seed %d: #%d is in at %d, but displaced", seed, item, b)
					}
					continue
				}
				if gotBelow.Set != (below >= 0) || gotBelow.Set && int(gotBelow.Value) != below ||
					gotAbove.Set != (above <= int(end)) || gotAbove.Set && int(gotAbove.Value) != above || losing {
					t.Fatalf("seed %d: #%d at %d: nearest %v and %v, want %d and %d", seed, item, b, gotBelow, gotAbove, below, above)
				}
				if wasLost != (below >= 0) || wasLost && !equalChange(lost, s.change(below, below+1)) {
					t.Fatalf("seed %d: #%d at %d is displaced by %v", seed, item, b, lost)
				}
				if wasLost {
					seen["displaced"]++
				}
				if wasLost && greedy {
					seen["greedy"]++
					if len(lost.In) != 1 {
						t.Fatalf("seed %d: under greedy %v came in where #%d went out", seed, lost.In, item)
					}
				}
			}
		}
	}
	if seen["displaced"] < rounds || seen["greedy"] < rounds/10 {
		t.Errorf("only %v", seen)
	}
}

func equalChange(a, b Change) bool {
	return a.At == b.At && slices.Equal(a.In, b.In) && slices.Equal(a.Out, b.Out)
}

// An edit that is not of the set, and a context that ended, are errors.
func TestWhatIfErrors(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 5}, {Content: "b", Tokens: 7}}))(t)
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}), set)
	budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 10}))(t)
	report := musttest.Of(r.DryRun(budget))(t)
	musttest.Says(t, musttest.Refusal(WhatIf(context.Background(), r, report, Pinning(set, 2))), "item 2: there are 2 items, numbered from 0")
	musttest.Says(t, musttest.Refusal(WhatIf(context.Background(), r, report, Pinning(set, 0, 1))), plain.Pinned+" items need 12 tokens, the budget leaves 10")
	ended, end := context.WithCancel(context.Background())
	end()
	musttest.Fails(t, musttest.Refusal(NewTrials(r).DropsFor(ended, report, 1, []int32{0})), "a search goes on after its context ended")
}
