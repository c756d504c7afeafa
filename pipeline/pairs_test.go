package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// unit is a candidate of the naive pipeline with pairs: one item, or two.
type unit struct{ items []int }

// naivePairs is the pipeline with pairs as one item, once more: pairs are glued
// together before anything else is done, and taken apart at the end. It gives what
// is included, in order, and its value; the error is that of pinned items. Truncate
// has nothing to cut: what these slicers select fits beside the pinned items.
func naivePairs(s *model.Set, pairs []model.Pair, p model.Policy, b model.Budget) (included []int, value float64, err error) {
	partner := map[int]int{}
	part := func(i int) bool { return !s.Excluded(i) && s.Tokens(i) >= 0 }
	for _, pair := range pairs {
		if part(pair.Call) && part(pair.Result) {
			partner[pair.Call], partner[pair.Result] = pair.Result, pair.Call
		}
	}
	var units []unit
	var scoreable []int
	glued := []model.Item{} // a unit each, for what the naive slicers and placers read
	for i := range s.Len() {
		mate, paired := partner[i]
		if !part(i) || paired && mate < i {
			continue
		}
		u, it := unit{items: []int{i}}, s.Item(i)
		if paired {
			u.items = append(u.items, mate)
			it.Tokens += s.Tokens(mate)
			it.Pinned = it.Pinned || s.Pinned(mate)
		}
		it.FutureRelevanceHint.Set = false
		units, glued = append(units, u), append(glued, it)
		if !it.Pinned {
			scoreable = append(scoreable, u.items...)
		}
	}
	slices.Sort(scoreable)
	all, err := model.NewSet(glued)
	if err != nil {
		return nil, 0, err
	}
	var merged, list []scored
	var pinned model.Tokens
	for k, u := range units {
		if all.Pinned(k) {
			merged, pinned = append(merged, scored{k, 1}), pinned+all.Tokens(k)
			continue
		}
		c := scored{k, naiveMean(s, scoreable, p.Scorers, u.items[0])}
		if len(u.items) == 2 {
			result := naiveMean(s, scoreable, p.Scorers, u.items[1])
			switch {
			case p.Slicer != model.Rank && p.Slicer != model.Prefix:
				c.score += result
			case better(result, c.score):
				c.score = result
			}
		}
		list = append(list, c)
	}
	if room := b.MaxTokens() - naiveReserve(b); pinned > room {
		return nil, 0, &model.PinnedError{Pinned: pinned, Available: room}
	}
	texts := func(c scored) (all []string) {
		for _, i := range units[c.item].items {
			all = append(all, s.Item(i).Content)
		}
		return all
	}
	if p.Deduplicate {
		var kept []scored
		for k, a := range list {
			best := k
			for j, c := range list {
				if slices.Equal(texts(c), texts(a)) && (better(c.score, list[best].score) || !better(list[best].score, c.score) && j < best) {
					best = j
				}
			}
			if best == k {
				kept = append(kept, a)
			}
		}
		list = kept
	}
	sortScored(list)
	in := map[int]bool{}
	for _, c := range naiveSlice(all, p, list, naiveTarget(b, pinned)).out {
		in[c.item] = true
	}
	for _, c := range list {
		if in[c.item] {
			merged = append(merged, c)
		}
	}
	var total model.Tokens
	for _, m := range merged {
		total += all.Tokens(m.item)
	}
	if total > b.TargetTokens() && p.Overflow == model.Throw {
		return nil, 0, &model.OverflowError{Merged: total, Target: b.TargetTokens()}
	}
	for _, m := range naivePlace(all, p, merged) {
		included = append(included, units[m.item].items...)
		if !all.Pinned(m.item) {
			for _, i := range units[m.item].items {
				value += naiveMean(s, scoreable, p.Scorers, i)
			}
		}
	}
	return included, value, nil
}

// A run with pairs as one item gives what the naive pipeline gives of pairs that
// were glued together.
func TestPairsAreOneItem(t *testing.T) {
	whole, duplicates, failed := 0, 0, 0
	rounds := randomtest.Rounds(1500, 6000)
	for seed := range uint64(rounds) {
		rng := randomtest.Seeded(seed, 11)
		s := musttest.Of(randomtest.Set(rng))(t)
		p := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 2}, model.Scorer{Type: model.ScoreKind, Weight: 1}, model.Scorer{Type: model.ScorePriority, Weight: 1})
		p.KeepPairs = true
		p.Slicer = randomtest.Pick(rng, model.Greedy, model.Knapsack, model.Rank, model.Prefix)
		if p.Slicer == model.Knapsack {
			p.BucketSize = randomtest.Pick[model.Tokens](rng, 1, 7, 20)
		}
		p.Placer, p.Overflow, p.Deduplicate = randomtest.Pick(rng, model.PlacerTypes()...), randomtest.Pick(rng, model.OverflowStrategies()...), rng.IntN(3) > 0
		b := musttest.Of(randomtest.Budget(rng))(t)
		pairs := randomtest.Pairs(rng, s.Len())
		r := rankOf(t, p, s.WithPairs(pairs...))
		got, gotErr := r.DryRun(b)
		included, value, wantErr := naivePairs(s, pairs, p, b)
		if (gotErr == nil) != (wantErr == nil) || gotErr != nil && !sameFailure(gotErr, wantErr) {
			t.Fatalf("seed %d: error %v, want %v", seed, gotErr, wantErr)
		}
		if gotErr != nil {
			failed++
			continue
		}
		if err := checkPairs(r, got, included, value, pairs); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, p.Slicer, err)
		}
		duplicates += len(r.duplicates)
		for _, pair := range pairs {
			if got.In(pair.Call) && got.In(pair.Result) {
				whole++
			}
		}
		musttest.Is(t, checkSteps(r, b, got, nil), nil, "seed", seed)
	}
	if whole < rounds/2 || duplicates < rounds/20 || failed < rounds/20 {
		t.Errorf("%d whole pairs, %d duplicates, %d failures: too few to show anything", whole, duplicates, failed)
	}
}

func sameFailure(a, b error) bool {
	switch y := b.(type) {
	case *model.PinnedError:
		x, ok := errors.AsType[*model.PinnedError](a)
		return ok && x.Pinned == y.Pinned && x.Available == y.Available
	case *model.OverflowError:
		x, ok := errors.AsType[*model.OverflowError](a)
		return ok && *x == *y
	case *model.ScarcityError:
		x, ok := errors.AsType[*model.ScarcityError](a)
		return ok && *x == *y
	}
	return false
}

// checkPairs holds a report to what the naive pipeline gave, and to what must be
// true of each item.
func checkPairs(r *Ranking, got *model.Report, included []int, value float64, pairs []model.Pair) error {
	ints := func(all []int32) (wide []int) {
		for _, i := range all {
			wide = append(wide, int(i))
		}
		return wide
	}
	if !slices.Equal(ints(got.Included), included) {
		return fmt.Errorf("included %v, want %v", got.Included, included)
	}
	if d := got.Value - value; d > 1e-9 || d < -1e-9 {
		return fmt.Errorf("value %v, want %v", got.Value, value)
	}
	var kept model.Tokens
	for _, i := range included {
		kept += r.set.Tokens(i)
	}
	if kept != got.Kept {
		return fmt.Errorf("%d tokens kept, want %d", got.Kept, kept)
	}
	if len(got.Included)+len(got.Excluded) != r.set.Len() {
		return fmt.Errorf("%d included and %d excluded of %d", len(got.Included), len(got.Excluded), r.set.Len())
	}
	for k, i := range got.Excluded {
		if got.In(int(i)) || k > 0 && better(got.Scores[i], got.Scores[got.Excluded[k-1]]) {
			return fmt.Errorf("excluded: item %d stands in the wrong place of %v", i, got.Excluded)
		}
	}
	if e := got.Stages[3]; e.Out != len(got.Included)-len(r.pinned) || e.In != len(r.scoreable)-len(r.duplicates) {
		return fmt.Errorf("stage Slice: %d in, %d out", e.In, e.Out)
	}
	for _, pair := range pairs {
		if !r.set.TakesPart(pair.Call) || !r.set.TakesPart(pair.Result) {
			if got.Cost(pair.Call) != r.set.Tokens(pair.Call) {
				return fmt.Errorf("pair %v: a single item costs %d", pair, got.Cost(pair.Call))
			}
			continue
		}
		a, b := got.Reason(pair.Call), got.Reason(pair.Result)
		if a.Code == model.Deduplicated { // by the members of another pair
			a.By, b.By = r.set.Len(), r.set.Len()
		}
		if a != b || got.Cost(pair.Call) != r.set.Tokens(pair.Call)+r.set.Tokens(pair.Result) {
			return fmt.Errorf("pair %v: %+v and %+v", pair, a, b)
		}
	}
	return nil
}

// Rankings under policies that sort pairs alike are shared, and no others.
func TestRankLikeWithPairs(t *testing.T) {
	s := setOf(t, model.Item{Content: "call", Tokens: 1}, model.Item{Content: "result", Tokens: 2}).WithPairs(model.Pair{Call: 0, Result: 1})
	base := model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1})
	with := func(slicer model.SlicerType, keep bool) model.Policy {
		p := base.Clone()
		p.Slicer, p.KeepPairs = slicer, keep
		return p
	}
	first := with(model.Greedy, true)
	for _, c := range []struct {
		policy model.Policy
		shares bool
	}{
		{with(model.Knapsack, true), true}, {with(model.Greedy, false), false}, {with(model.Rank, true), false}, {with(model.Rank, false), false},
	} {
		like := rankOf(t, first, s)
		r := musttest.Of(pipelineOf(t, c.policy).RankLike(context.Background(), like, s))(t)
		if shares := r.ranked == like.ranked; shares != c.shares || c.policy.RanksLike(first) != c.shares {
			t.Errorf("%s, kept %v: shares %v, RanksLike %v", c.policy.Slicer, c.policy.KeepPairs, shares, c.policy.RanksLike(first))
		}
	}
}
