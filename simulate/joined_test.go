package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// randomCalls is a set with calls and results in it, some of them equal, and
// the pairs that they make.
func randomCalls(t *testing.T, rng *rand.Rand, n int) (*model.Set, Pairs) {
	t.Helper()
	items := make([]model.Item, n)
	var open []int
	var list []Pair
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
			list = append(list, Pair{open[k], i})
			open = slices.Delete(open, k, k+1)
		case rng.IntN(2) == 0:
			open = append(open, i)
		}
	}
	s, err := model.NewSet(items)
	if err != nil {
		t.Fatal(err)
	}
	excluded := map[int]bool{}
	for i := range n {
		if rng.IntN(10) == 0 {
			excluded[i] = true
		}
	}
	if s, err = s.With(model.Edits{Excluded: excluded}); err != nil {
		t.Fatal(err)
	}
	return s, NewPairs(n, list)
}

// The exact profile of a joined set says what dry runs at every budget say, and
// both members of a pair have the same bands.
func TestJoinedProfileEqualsDryRuns(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s, pairs := randomCalls(t, rng, 2+rng.IntN(14))
		j, err := Join(s, pairs)
		if err != nil {
			t.Fatal(err)
		}
		policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 2}, model.Scorer{Type: model.ScoreKind, Weight: 1})
		policy.Overflow = model.Truncate
		policy.Deduplicate = rng.IntN(2) == 0
		if rng.IntN(2) == 0 {
			policy.Slicer, policy.BucketSize = model.Knapsack, model.Tokens(1+rng.IntN(3))
		}
		pipe, err := j.Pipeline(policy)
		if err != nil {
			t.Fatal(err)
		}
		whole := j.Whole()
		r, err := pipe.Rank(ctx, whole)
		if err != nil {
			t.Fatal(err)
		}
		end := max(0, whole.Total()) + 20
		template, err := model.NewBudget(model.BudgetFields{MaxTokens: end, TargetTokens: end - 3, OutputReserve: 2})
		if err != nil {
			t.Fatal(err)
		}
		axis, err := NewAxis(template, r.PinnedTokens(), policy.Overflow, end)
		if err != nil {
			t.Fatal(err)
		}
		profile, err := NewProfile(ctx, r, axis)
		if err != nil {
			t.Fatal(err)
		}
		for b := model.Tokens(0); b <= end; b++ {
			budget, err := template.At(b)
			var report *model.Report
			if err == nil {
				report, err = r.DryRun(budget)
			}
			for i := range s.Len() {
				k := j.Of(i)
				want := err == nil && report.In(k)
				in := slices.ContainsFunc(profile.Bands(nil, k), func(band Band) bool { return band.From <= b && b <= band.To })
				if in != want {
					t.Fatalf("seed %d: item %d (joined %d) at budget %d: profile %v, dry run %v", seed, i, k, b, in, want)
				}
			}
			if err == nil {
				checkWhole(t, s, pairs, j, report)
			}
		}
	}
}

// checkWhole checks what a result of joined items promises: pairs are whole,
// stand together, and cost what their members cost.
func checkWhole(t *testing.T, s *model.Set, pairs Pairs, j *Joined, report *model.Report) {
	t.Helper()
	placed := j.Members(nil, report.Included...)
	var tokens model.Tokens
	at := map[int]int{}
	for k, i := range placed {
		at[int(i)] = k
		tokens += s.Tokens(int(i))
		if s.Excluded(int(i)) || s.Tokens(int(i)) < 0 {
			t.Fatalf("item %d is in: excluded %v, %d tokens", i, s.Excluded(int(i)), s.Tokens(int(i)))
		}
	}
	if tokens != report.Kept || len(at) != len(placed) {
		t.Fatalf("members hold %d tokens, the report says %d; %v", tokens, report.Kept, placed)
	}
	for _, pair := range pairs.list {
		if !takesPart(s, pair.Call) || !takesPart(s, pair.Result) {
			continue
		}
		call, in := at[pair.Call]
		result, with := at[pair.Result]
		if in != with || in && result != call+1 {
			t.Fatalf("pair %v stands at %d, %d (in %v, %v)", pair, call, result, in, with)
		}
	}
}

func TestJoin(t *testing.T) {
	at := func(second int64) model.Option[time.Time] { return model.Some(time.Unix(second, 0)) }
	call := func(text string, tokens model.Tokens, second int64) model.Item {
		return model.Item{Content: text, Tokens: tokens, Timestamp: at(second)}
	}
	// Two equal calls with equal results, and one with another result.
	items := []model.Item{
		call("ask", 1, 0), call("ls", 2, 1), call("a b", 3, 2), call("ls", 2, 3), call("a b", 3, 4), call("ls", 2, 5), call("a b c", 4, 6),
	}
	s, err := model.NewSet(items)
	if err != nil {
		t.Fatal(err)
	}
	j, err := Join(s, NewPairs(s.Len(), []Pair{{1, 2}, {3, 4}, {5, 6}}))
	if err != nil {
		t.Fatal(err)
	}
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	pipe, err := j.Pipeline(policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		n      int
		out    []bool
		budget model.Tokens
		want   []int32
	}{
		{"equal pairs are duplicates, the later one survives; an equal call with another result is none", 7, nil, 100, []int32{0, 3, 4, 5, 6}},
		{"a pair is cut whole", 7, nil, 8, []int32{0, 5, 6}},
		{"a call whose result has not come is single, and a duplicate of no pair", 6, nil, 100, []int32{0, 3, 4, 5}},
		{"a result whose call is gone is single", 5, []bool{false, false, false, true}, 100, []int32{0, 1, 2, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := pipe.Rank(context.Background(), j.Part(c.n, c.out))
			if err != nil {
				t.Fatal(err)
			}
			budget, err := model.NewBudget(model.BudgetFields{MaxTokens: c.budget, TargetTokens: c.budget})
			if err != nil {
				t.Fatal(err)
			}
			report, err := r.DryRun(budget)
			if err != nil {
				t.Fatal(err)
			}
			if got := j.Members(nil, report.Included...); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestCheckJoinable(t *testing.T) {
	recency := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	quotas, counts, stream := recency, recency, recency
	quotas.Quotas = []model.Quota{{Kind: model.Message}}
	counts.CountQuotas = []model.CountQuota{{Kind: model.Message, Cap: 1}}
	stream.Slicer = model.Stream
	for _, c := range []struct {
		field  string
		policy model.Policy
	}{{"", recency}, {"quotas", quotas}, {"countQuotas", counts}, {"slicerType", stream}} {
		err := CheckJoinable(c.policy)
		refused, _ := errors.AsType[*model.PolicyError](err)
		if (err == nil) != (c.field == "") || refused != nil && refused.Field != c.field {
			t.Errorf("%q: %v", c.field, err)
		}
	}
}

// A pair is worth the sum of what its members are worth on their own.
func TestJoinedScoresAreSums(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 6))
		loaded, pairs := randomCalls(t, rng, 2+rng.IntN(20))
		pinned := map[int]bool{}
		for i := range loaded.Len() {
			pinned[i] = false
		}
		s, err := loaded.With(model.Edits{Pinned: pinned, Excluded: loaded.Edits().Excluded})
		if err != nil {
			t.Fatal(err)
		}
		j, err := Join(s, pairs)
		if err != nil {
			t.Fatal(err)
		}
		policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 3}, model.Scorer{Type: model.ScoreKind, Weight: 1})
		joined, err := j.Pipeline(policy)
		if err != nil {
			t.Fatal(err)
		}
		of, err := joined.Rank(ctx, j.Whole())
		if err != nil {
			t.Fatal(err)
		}
		alone, err := pipeline.New(policy)
		if err != nil {
			t.Fatal(err)
		}
		r, err := alone.Rank(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Len() {
			want := 0.0
			for _, member := range j.Members(nil, int32(j.Of(i))) {
				want += r.Scores()[member]
			}
			if got := of.Scores()[j.Of(i)]; got != want {
				t.Errorf("seed %d: item %d is worth %v, want %v", seed, i, got, want)
			}
		}
	}
}
