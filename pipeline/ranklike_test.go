package pipeline

import (
	"context"
	"math"
	"reflect"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

func pipelineOf(t testing.TB, p model.Policy) *Pipeline {
	t.Helper()
	return musttest.Of(New(p))(t)
}

// rankingColumns are what a ranking found, for a comparison. NaN is the same
// as itself here.
func rankingColumns(r *Ranking) []any {
	bits := func(all []float64) (b []uint64) {
		for _, v := range all {
			b = append(b, math.Float64bits(v))
		}
		return b
	}
	list := func(all []int32) []int32 { return append([]int32{}, all...) } // none is the same as nil
	all := []any{
		list(r.filtered), list(r.negative), list(r.pinned), list(r.scoreable), r.pinnedSum, bits(r.scores), r.survivors, r.duplicates,
		r.input.Items, r.input.Tokens, bits(r.input.Scores), r.input.Kinds, r.position, r.stages, r.Policy(), r.input.CutFrom,
	}
	for _, c := range r.input.Cuts {
		all = append(all, c.Of, c.Size, c.Note, c.Tokens, bits([]float64{c.Score}))
	}
	for _, column := range r.partColumns() {
		all = append(all, bits(column))
	}
	for i := range r.set.Len() {
		for _, part := range r.ScorerParts(i) {
			all = append(all, part.Name, bits([]float64{part.Weight, part.Score}))
		}
	}
	return all
}

func sameBacking[T any](a, b []T) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func TestRankLikeIsRank(t *testing.T) {
	r := randomtest.Seeded(51, 52)
	shared, reports := 0, 0
	for round := range 1500 {
		s := musttest.Of(randomtest.Set(r))(t)
		a, b := randomtest.Policy(r), randomtest.Policy(r)
		alike := round%3 != 0
		if alike {
			b.Scorers, b.Deduplicate = a.Clone().Scorers, a.Deduplicate
			a.KeepPairs, b.KeepPairs = false, false // a ranking that keeps pairs is its own
		}
		first := rankOf(t, a, s)
		budget := musttest.Of(randomtest.Budget(r))(t)
		if _, err := first.DryRun(budget); err == nil && round%2 == 0 {
			reports++ // the first ranking has made all that it shares
		}
		got := musttest.Of(pipelineOf(t, b).RankLike(context.Background(), first, s))(t)
		want := rankOf(t, b, s)
		if g, w := rankingColumns(got), rankingColumns(want); !reflect.DeepEqual(g, w) {
			t.Fatalf("round %d: %v, want %v", round, g, w)
		}
		if is := s.Len() > 0 && sameBacking(got.Scores(), first.Scores()); alike && s.Len() > 0 && !is {
			t.Fatalf("round %d: policies that rank alike do not share: %+v, %+v", round, a, b)
		} else if is {
			shared++
		}
		gotReport, gotErr := got.DryRun(budget)
		wantReport, wantErr := want.DryRun(budget)
		if !reflect.DeepEqual(gotErr, wantErr) {
			t.Fatalf("round %d: error %v, want %v", round, gotErr, wantErr)
		}
		if gotErr != nil {
			continue
		}
		if !sameScore(gotReport.Value, wantReport.Value) {
			t.Fatalf("round %d: value %v, want %v", round, gotReport.Value, wantReport.Value)
		}
		for i := range s.Len() {
			if g, w := gotReport.Reason(i), wantReport.Reason(i); g != w {
				t.Fatalf("round %d: item %d: %+v, want %+v", round, i, g, w)
			}
		}
		for _, report := range []*model.Report{gotReport, wantReport} {
			report.Scores, report.Value = nil, 0 // compared above; they may hold NaN
			report.CountCaps = nil               // the same by Reason: functions do not compare
		}
		if !reflect.DeepEqual(gotReport, wantReport) {
			t.Fatalf("round %d: report %+v, want %+v", round, gotReport, wantReport)
		}
	}
	if shared < 900 || reports < 200 {
		t.Errorf("%d shared and %d with a report before: too few to show anything", shared, reports)
	}
}

// functionScorer is a scorer that cannot be compared.
type functionScorer struct{ rate func() float64 }

func (f functionScorer) Score(_ context.Context, l scorer.List, dst []float64) error {
	for k := range l.Items {
		dst[k] = f.rate()
	}
	return nil
}

func TestWhatRankLikeShares(t *testing.T) {
	set := func() *model.Set {
		return setOf(t, model.Item{Content: "a", Tokens: 1, Tags: []string{"go"}}, model.Item{Content: "b", Tokens: 2})
	}
	s := set()
	base := model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}, model.Scorer{Type: model.ScoreRecency, Weight: 2})
	with := func(change func(*model.Policy)) *Pipeline {
		p := base.Clone()
		change(&p)
		return pipelineOf(t, p)
	}
	first := rankOf(t, base, s)
	function := Parts{Scorer: functionScorer{func() float64 { return 1 }}, Slicer: slicer.Greedy{}, Placer: placer.UShaped{}}
	own := musttest.Of(Assemble(function))(t)
	ofOwn := musttest.Of(own.Rank(context.Background(), s))(t)
	for _, c := range []struct {
		name           string
		pipe           *Pipeline
		like           *Ranking
		set            *model.Set
		ranked, slicer bool
	}{
		{"the same policy shares all", with(func(*model.Policy) {}), first, s, true, true},
		{"no pass reads the overflow strategy", with(func(p *model.Policy) { p.Overflow = model.Proceed }), first, s, true, true},
		{"another slicer", with(func(p *model.Policy) { p.Slicer = model.Knapsack }), first, s, true, false},
		{"another placer", with(func(p *model.Policy) { p.Placer = model.UShaped }), first, s, true, true},
		{"weights that are normalised alike", with(func(p *model.Policy) { p.Scorers[0].Weight, p.Scorers[1].Weight = 2, 4 }), first, s, true, true},
		{"other weights", with(func(p *model.Policy) { p.Scorers[0].Weight = 3 }), first, s, false, false},
		{"the default weights spelled out", with(func(p *model.Policy) { p.Scorers[0].KindWeights = model.DefaultKindWeights() }), first, s, true, true},
		{"other parameters of a scorer", with(func(p *model.Policy) { p.Scorers[0].KindWeights = []model.KindWeight{{Kind: "Message", Weight: 1}} }), first, s, false, false},
		{"another order of scorers adds up in another order", with(func(p *model.Policy) { p.Scorers[0], p.Scorers[1] = p.Scorers[1], p.Scorers[0] }), first, s, false, false},
		{"without deduplication", with(func(p *model.Policy) { p.Deduplicate = false }), first, s, false, false},
		{"an equal set that is not the same one", with(func(*model.Policy) {}), first, set(), false, false},
		{"nothing to share with", with(func(*model.Policy) {}), nil, s, false, false},
		{"functions cannot be compared", own, ofOwn, s, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := musttest.Of(c.pipe.RankLike(context.Background(), c.like, c.set))(t)
			if r.Items() != c.set || r.pipeline != c.pipe {
				t.Error("the ranking is of another set or pipeline")
			}
			if c.like == nil {
				return
			}
			if r.ranked == c.like.ranked != c.ranked || sameBacking(r.Scores(), c.like.Scores()) != c.ranked {
				t.Errorf("shares the ranking: %v, want %v", !c.ranked, c.ranked)
			}
			musttest.Is(t, r.slicing == c.like.slicing, c.slicer, "shares the slicer")
		})
	}
}

func TestRankLikeIsCancelledAsRank(t *testing.T) {
	s := setOf(t, model.Item{Content: "a", Tokens: 1})
	pipe := pipelineOf(t, reflexive())
	first := musttest.Of(pipe.Rank(context.Background(), s))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, want := pipe.Rank(ctx, s)
	if _, err := pipe.RankLike(ctx, first, s); err == nil || err.Error() != want.Error() {
		t.Errorf("error %v, want %v", err, want)
	}
}

// Reweigh has the scores of a ranking with other weights, and refuses the weights that a policy refuses.
func TestReweighIsRankWithOtherWeights(t *testing.T) {
	r, tried := randomtest.Seeded(61, 62), 0
	for range 400 {
		s, p := musttest.Of(randomtest.Set(r))(t), randomtest.Policy(r)
		if len(p.Scorers) < 2 {
			continue
		}
		tried++
		first, weights, other := rankOf(t, p, s), make([]float64, len(p.Scorers)), p.Clone()
		for i := range weights {
			weights[i] = randomtest.Pick(r.Of("weight"), 0.3, 1, 5, 1e-300, 1e300)
			other.Scorers[i].Weight = weights[i]
		}
		got, want := make([]float64, len(first.Scored())), rankOf(t, other, s).Scores()
		musttest.Do(t, first.Reweigh(weights, got))
		for k, i := range first.Scored() {
			if !sameScore(got[k], want[i]) {
				t.Fatalf("weights %v of %+v: item %d has %v, want %v", weights, p.Scorers, i, got[k], want[i])
			}
		}
		weights[r.IntN(len(weights))] = randomtest.Pick(r.Of("wrong weight"), 0, -1, math.Inf(1), math.NaN())
		musttest.Fails(t, first.Reweigh(weights, got), weights)
	}
	if tried < 200 {
		t.Errorf("%d policies have several scorers", tried)
	}
}
