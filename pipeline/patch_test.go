package pipeline

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// A ranking that is patched for items that are pinned, released, excluded or restored, or that may be cut in
// another way, is the ranking of that set.
func TestPatchedIsRankedAnew(t *testing.T) {
	ctx := context.Background()
	r := randomtest.Seeded(53, 54)
	patched, resized := 0, 0
	for round := range randomtest.Rounds(1500, 20000) {
		s := musttest.Of(randomtest.Set(r))(t)
		if s.Len() == 0 {
			continue
		}
		policy := randomtest.Policy(r)
		pipe := pipelineOf(t, policy)
		cut := func(e model.Edits) model.Edits {
			if n := model.Tokens(1 + r.Of("cut").IntN(40)); policy.SizesFit() == nil && r.Of("cut").IntN(2) == 0 {
				e.Shrink = model.Shrink{Pinned: r.Of("cut").IntN(3) == 0, Rules: []model.ShrinkRule{{Kind: model.AnyKind, To: []model.Tokens{n + 20, n}, Note: n%2 == 0}}}
			}
			return e
		}
		s = musttest.Of(s.With(cut(s.Edits())))(t)
		like := musttest.Of(pipe.Rank(ctx, s))(t)
		e := s.Edits().Clone()
		for range r.Of("patch").IntN(5) {
			i, on := r.Of("patch").IntN(s.Len()), r.Of("patch").IntN(2) == 0
			if r.Of("patch").IntN(2) == 0 {
				e = e.WithPinned(s, on, i)
			} else {
				e = e.WithExcluded(on, i)
			}
		}
		edited := musttest.Of(s.With(cut(e)))(t)
		if i := r.Of("patch").IntN(2 * s.Len()); i < s.Len() { // an item is out that no edit names
			out := make([]bool, s.Len())
			out[i] = true
			edited = edited.FirstExcluding(s.Len(), out)
		}
		got := musttest.Of(pipe.RankLike(ctx, like, edited))(t)
		want := musttest.Of(pipe.Rank(ctx, edited))(t)
		if g, w := rankingColumns(got), rankingColumns(want); !reflect.DeepEqual(g, w) {
			t.Fatalf("round %d: %v, want %v", round, g, w)
		}
		if g, w := rankingColumns(like), rankingColumns(musttest.Of(pipe.Rank(ctx, s))(t)); !reflect.DeepEqual(g, w) {
			t.Fatalf("round %d: the ranking that was patched has become %v from %v", round, g, w)
		}
		budget := musttest.Of(randomtest.Budget(r))(t)
		gotReport, gotErr := got.DryRun(budget)
		wantReport, wantErr := want.DryRun(budget)
		if !reflect.DeepEqual(gotErr, wantErr) || gotErr == nil && (!reflect.DeepEqual(gotReport.Included, wantReport.Included) || !reflect.DeepEqual(gotReport.Excluded, wantReport.Excluded) || !reflect.DeepEqual(gotReport.Sizes, wantReport.Sizes)) {
			t.Fatalf("round %d: %+v, %v, want %+v, %v", round, gotReport, gotErr, wantReport, wantErr)
		}
		if ok, _ := (&Ranking{&ranked{set: edited}, pipe, new(slicing)}).patch(ctx, like, new(pipe.watch())); ok {
			patched++
			if !reflect.DeepEqual(got.input.Cuts, like.input.Cuts) {
				resized++
			}
		}
	}
	if patched < 150 || resized < 50 {
		t.Errorf("only %d rankings were patched, %d for other sizes", patched, resized)
	}
}

// Sets that differ in more than a few pins and exclusions are not patched.
func TestWhatIsNotPatched(t *testing.T) {
	items := make([]model.Item, 10)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i%9)), Tokens: 1, FutureRelevanceHint: model.Some(float64(i))}
	}
	s := setOf(t, items...)
	alone := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreKind, Weight: 1})
	byRank := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	none := model.Edits{}
	for _, c := range []struct {
		name  string
		p     model.Policy
		edits model.Edits
		want  bool
	}{
		{"one is pinned", alone, none.WithPinned(s, true, 3), true},
		{"nothing", alone, none, true},
		{"five are excluded", alone, none.WithExcluded(true, 1, 2, 3, 4, 5), false},
		{"a token count", alone, none.WithTokens(s, model.Some[model.Tokens](7), 3), false},
		{"a hint", alone, none.WithHint(s, model.Some(0.5), 3), false},
		{"the first of two with one content", alone, none.WithExcluded(true, 0), false},
		{"a scorer that goes by rank", byRank, none.WithPinned(s, true, 3), false},
	} {
		pipe := pipelineOf(t, c.p)
		like := musttest.Of(pipe.Rank(context.Background(), s))(t)
		edited := musttest.Of(s.With(c.edits))(t)
		if got, err := (&Ranking{&ranked{set: edited}, pipe, new(slicing)}).patch(context.Background(), like, new(pipe.watch())); got != c.want || err != nil {
			t.Errorf("%s: patched %v, %v", c.name, got, err)
		}
	}
}

// slowly is a context that lets the time of a clock pass whenever it is polled, as scoring does.
type slowly struct {
	context.Context
	now *time.Time
}

func (s slowly) Err() error {
	*s.now = s.now.Add(time.Second)
	return nil
}

// What scoring takes is told of Score, where a ranking is patched too.
func TestTheTimeOfAPatchIsToldOfItsStages(t *testing.T) {
	items := make([]model.Item, 10)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i)), Tokens: 1, FutureRelevanceHint: model.Some(float64(i) / 10), Pinned: i == 3}
	}
	s := setOf(t, items...)
	var now time.Time
	ctx := slowly{context.Background(), &now}
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreKind, Weight: 1})
	pipe := musttest.Of(New(policy, WithClock(func() time.Time { return now })))(t)
	like := musttest.Of(pipe.Rank(ctx, s))(t)
	edited := musttest.Of(s.With(model.Edits{}.WithPinned(s, false, 3)))(t)
	got := musttest.Of(pipe.RankLike(ctx, like, edited))(t)
	for name, r := range map[string]*Ranking{"anew": like, "patched": got} {
		if r.stages[0].Duration != 0 || r.stages[1].Duration == 0 {
			t.Errorf("%s, the stages are %+v", name, r.stages)
		}
	}
}

// Several processors make of a large set with a pin what one makes.
func TestPatchedOnSeveralProcessors(t *testing.T) {
	items := make([]model.Item, 140_000)
	r := randomtest.Seeded(55, 56)
	for i := range items {
		items[i] = model.Item{Content: strconv.Itoa(i), Tokens: model.Tokens(r.IntN(5000)), FutureRelevanceHint: model.Some(float64(r.IntN(1000)) / 1000)}
	}
	items[7].Tokens = 4000
	s := setOf(t, items...)
	pipe := pipelineOf(t, model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreKind, Weight: 1}))
	with := func(processors int, e model.Edits) (all []any) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		like := musttest.Of(pipe.Rank(context.Background(), s))(t)
		for _, e := range []model.Edits{e, {}} { // pinned, and released again
			s = musttest.Of(s.With(e))(t)
			like = musttest.Of(pipe.RankLike(context.Background(), like, s))(t)
			report := musttest.Of(like.DryRun(budgetOf(t, model.BudgetFields{MaxTokens: 8000})))(t)
			if pins, codes := len(e.Pinned), report.Codes; (pins > 0) != slices.Contains(codes, model.PinnedOverride) {
				t.Fatalf("%d pins, but the codes are of others", pins)
			}
			all = append(all, like.input.Items, like.input.Tokens, like.input.Scores, like.position, like.scoreable, like.scores, like.partColumns(), report.Codes, report.Included, report.Excluded)
		}
		return all
	}
	pinned := model.Edits{}.WithPinned(s, true, 7)
	if one, several := with(1, pinned), with(4, pinned); !reflect.DeepEqual(one, several) {
		t.Error("several processors make another ranking or result than one")
	}
}
