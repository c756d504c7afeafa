package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
)

// randomCalls is a set with calls and results in it, some of them equal, and
// the pairs that they make.
func randomCalls(t *testing.T, rng *rand.Rand, n int) (*model.Set, Pairs) {
	t.Helper()
	items := make([]model.Item, n)
	var open []int
	var list []model.Pair
	for i := range items {
		items[i] = model.Item{
			Content:   fmt.Sprintf("text %d", rng.IntN(n/2+1)),
			Tokens:    model.Tokens(rng.IntN(12)),
			Kind:      [...]model.Kind{model.Message, model.ToolOutput, model.Memory}[rng.IntN(3)],
			Timestamp: model.Some(time.Unix(int64(rng.IntN(2*n)), 0)),
			Pinned:    rng.IntN(9) == 0,
		}
		if rng.IntN(14) == 0 {
			items[i].Tokens = -1
		}
		switch {
		case len(open) > 0 && rng.IntN(2) == 0:
			k := rng.IntN(len(open))
			list = append(list, model.Pair{Call: open[k], Result: i})
			open = slices.Delete(open, k, k+1)
		case rng.IntN(2) == 0:
			open = append(open, i)
		}
	}
	s := musttest.Of(model.NewSet(items))(t)
	excluded := map[int]bool{}
	for i := range n {
		if rng.IntN(10) == 0 {
			excluded[i] = true
		}
	}
	s = musttest.Of(s.With(model.Edits{Excluded: excluded}))(t)
	s = s.WithPairs(list...)
	return s, PairsOf(s)
}

// Where pairs are one item, a profile says what dry runs at every budget say, too.
func TestProfileOfKeptPairsEqualsDryRuns(t *testing.T) {
	whole, short := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		set, pairs := randomCalls(t, rng, 2+rng.IntN(14))
		policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 2}, model.Scorer{Type: model.ScoreKind, Weight: 1})
		policy.KeepPairs, policy.Overflow, policy.Deduplicate = true, model.Truncate, rng.IntN(2) == 0
		policy.Slicer = [...]model.SlicerType{model.Greedy, model.Knapsack, model.Rank, model.Prefix}[rng.IntN(4)]
		if policy.Slicer == model.Knapsack {
			policy.BucketSize = model.Tokens(1 + rng.IntN(3))
		}
		end := max(0, set.Total()) + 20
		template := budgetOf(t, model.BudgetFields{MaxTokens: end, TargetTokens: model.Some(end - 3), OutputReserve: 2})
		p, s := profiled(t, rank(t, policy, set), template, end)
		checkProfile(t, s, p)
		if t.Failed() {
			t.Fatalf("seed %d: policy %+v", seed, policy)
		}
		for _, report := range s.reports {
			if report != nil {
				whole += checkWhole(t, set, pairs, report)
				short += checkCosts(t, s.ranking, report)
			}
		}
	}
	if whole < 1000 || short < 300 {
		t.Errorf("%d whole pairs and %d that are short: too few to show anything", whole, short)
	}
}

// checkWhole checks what a result promises: pairs are whole and stand together.
// It counts those that are in.
func checkWhole(t *testing.T, s *model.Set, pairs Pairs, report *model.Report) (whole int) {
	t.Helper()
	at := map[int]int{}
	for k, i := range report.Included {
		at[int(i)] = k
	}
	for _, pair := range pairs.list {
		call, result := pair.Call, pair.Result
		if !s.TakesPart(call) || !s.TakesPart(result) {
			continue
		}
		first, in := at[call]
		second, with := at[result]
		if in != with || in && second != first+1 {
			t.Fatalf("pair %d %d stands at %d, %d (in %v, %v)", call, result, first, second, in, with)
		}
		if in {
			whole++
		}
	}
	return whole
}

// checkCosts checks that the reasons of a pair's items are those of the pair, with
// what it costs. It counts those that are short of tokens.
func checkCosts(t *testing.T, r *pipeline.Ranking, report *model.Report) (short int) {
	t.Helper()
	reasons := musttest.Of(NewReasons(context.Background(), r, report))(t)
	for i := range report.Items.Len() {
		reason := reasons.Of(i)
		mate, paired := report.Items.Partner(i)
		if paired = paired && report.Items.TakesPart(i) && report.Items.TakesPart(mate); !paired {
			if reason.With.Set || reason.Tokens != report.Items.Tokens(i) {
				t.Fatalf("item %d is single: %+v", i, reason)
			}
			continue
		}
		other := reasons.Of(mate)
		if reason.With != model.Some(mate) || reason.Tokens != report.Items.Tokens(i)+report.Items.Tokens(mate) {
			t.Fatalf("item %d is one with %d: %+v", i, mate, reason)
		}
		other.With = reason.With
		if reason.Obstacle == IsDuplicate {
			other.By = reason.By
		}
		if reason != other {
			t.Fatalf("items %d and %d: %+v and %+v", i, mate, reason, other)
		}
		if reason.Obstacle == Short {
			if short++; reason.Charged < reason.Tokens || reason.Short != reason.Tokens-reason.Left || reason.Short <= 0 {
				t.Fatalf("item %d: %+v", i, reason)
			}
		}
	}
	return short
}
