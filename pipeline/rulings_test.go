package pipeline

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// given is a scorer that gives the scores it is told to.
type given []float64

func (g given) Score(_ context.Context, l scorer.List, dst []float64) error {
	for k, item := range l.Items {
		dst[k] = g[item]
	}
	return nil
}

// takeAll is a slicer that minds no budget and has no profile.
type takeAll struct {
	slicer.Defaults
	in *slicer.Input
}

func (takeAll) Traits() slicer.Traits                    { return slicer.Traits{} }
func (takeAll) Prepare(in *slicer.Input) slicer.Prepared { return takeAll{in: in} }

func (a takeAll) Slice(_ context.Context, _ slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	dst = slicer.NewSelection(dst, a.in.Len())
	for i := range dst {
		dst[i] = ^uint64(0) // more bits than candidates: the rest must not matter
	}
	return dst, nil
}

func assembled(t *testing.T, parts Parts, s *model.Set) *Ranking {
	t.Helper()
	if parts.Slicer == nil {
		parts.Slicer = slicer.Greedy{}
	}
	if parts.Placer == nil {
		parts.Placer = placer.UShaped{}
	}
	pipe := musttest.Of(Assemble(parts))(t)
	return musttest.Of(pipe.Rank(context.Background(), s))(t)
}

func item(content string, tokens model.Tokens) model.Item {
	return model.Item{Content: content, Tokens: tokens}
}

func pinned(content string, tokens model.Tokens) model.Item {
	return model.Item{Content: content, Tokens: tokens, Pinned: true}
}

func dryRun(t *testing.T, r *Ranking, f model.BudgetFields) *model.Report {
	t.Helper()
	return musttest.Of(r.DryRun(budgetOf(t, f)))(t)
}

func TestRulingPinnedOverride(t *testing.T) {
	s := setOf(t, item("x", 80), item("y", 130), item("z", 29), pinned("p", 0), pinned("q", 120))
	r := assembled(t, Parts{Scorer: given{1, 0.9, 0.1, 0, 0}}, s)
	report := dryRun(t, r, model.BudgetFields{MaxTokens: 1000, TargetTokens: model.Some[model.Tokens](150), OutputReserve: 40})
	// Room 30; without the pinned items it would have been 110.
	want := map[int]model.Reason{
		0: {Code: model.PinnedOverride, By: 3},                     // 80: displaced, and the first pinned item is named
		1: {Code: model.BudgetExceeded, Tokens: 130, Available: 1}, // too large even for 110
		2: {Code: model.Scored}, 3: {Code: model.Pinned}, 4: {Code: model.Pinned},
	}
	for i, reason := range want {
		musttest.Is(t, report.Reason(i), reason, "item", i)
	}
	// Pinned items without tokens displace nobody.
	s = setOf(t, item("x", 80), pinned("p", 0))
	r = assembled(t, Parts{Scorer: given{1, 0}}, s)
	report = dryRun(t, r, model.BudgetFields{MaxTokens: 1000, TargetTokens: model.Some[model.Tokens](100), ReservedSlots: []model.Slot{{Kind: "Memory", Tokens: 50}}})
	musttest.Is(t, report.Reason(0), (model.Reason{Code: model.BudgetExceeded, Tokens: 80, Available: 50}), "beside a pinned item without tokens")
	// An item that would fit the room, but not beside the others, was not displaced by pinned ones.
	s = setOf(t, item("x", 30), item("y", 30), pinned("p", 10))
	report = dryRun(t, assembled(t, Parts{Scorer: given{1, 0.5, 0}}, s), model.BudgetFields{MaxTokens: 60})
	musttest.Is(t, report.Reason(1), (model.Reason{Code: model.BudgetExceeded, Tokens: 30, Available: 20}), "an item no larger than the room")
}

func TestRulingOneOrderOfScores(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	scores := given{nan, zero, 0, math.Inf(-1), -1, 2, math.Inf(1), nan}
	want := []int32{6, 5, 1, 2, 4, 3, 0, 7} // NaN after every number, -0.0 a tie with +0.0
	items := make([]model.Item, len(scores))
	for i := range items {
		items[i] = item(string(rune('a'+i)), 10)
	}
	r := assembled(t, Parts{Scorer: scores}, setOf(t, items...))
	musttest.Is(t, r.Input().Items, want, "sorted")
	musttest.Is(t, dryRun(t, r, model.BudgetFields{}).Excluded, want, "excluded")
	got := dryRun(t, r, model.BudgetFields{MaxTokens: 80}).Included
	if want := []int32{6, 1, 4, 0, 7, 3, 2, 5}; !slices.Equal(got, want) { // ranks 0 2 4 6 7 5 3 1
		t.Errorf("u-shaped %v, want %v", got, want)
	}
	// Deduplicate: any number survives NaN; of NaNs and of zeros the earlier one.
	s := setOf(t, item("a", 1), item("a", 1), item("n", 1), item("n", 1), item("z", 1), item("z", 1))
	r = assembled(t, Parts{Scorer: given{nan, math.Inf(-1), nan, nan, zero, 0}, Deduplicate: true}, s)
	musttest.Is(t, r.Survivors(), []int32{1, -1, -1, 2, -1, 4}, "survivors")
}

func TestRulingDensityOfNaNIsLeast(t *testing.T) {
	s := setOf(t, item("nan", 10), item("negative", 10), item("least", 10))
	r := assembled(t, Parts{Scorer: given{math.NaN(), -5, math.Inf(-1)}}, s)
	report := dryRun(t, r, model.BudgetFields{MaxTokens: 20})
	// NaN and -Inf tie in density; sorted order has -Inf first.
	musttest.Is(t, report.Included, []int32{1, 2}, "included")
}

func TestRulingAvailableTokensAtSliceAndAtTruncate(t *testing.T) {
	s := setOf(t, pinned("p", 30), item("a", 50), item("b", 40), item("c", 20))
	r := assembled(t, Parts{Scorer: given{0, 0.5, 0.4, 0.3}, Slicer: takeAll{}, Overflow: model.Truncate}, s)
	report := dryRun(t, r, model.BudgetFields{MaxTokens: 105})
	// 30 + 50 fit, 40 does not, 20 does: 100 of 105 are kept.
	if want := []int32{0, 1, 3}; report.Kept != 100 || !slices.Equal(slices.Sorted(slices.Values(report.Included)), want) {
		t.Errorf("kept %d tokens of %v", report.Kept, report.Included)
	}
	musttest.Is(t, report.Reason(2), (model.Reason{Code: model.BudgetExceeded, Tokens: 40, Available: 5}), "at Truncate")
	if e := report.Stages[4]; e.In != 4 || e.Out != 3 {
		t.Errorf("Place: %+v", e)
	}
	greedy := assembled(t, Parts{Scorer: given{0, 0.5, 0.4, 0.3}}, s)
	report = dryRun(t, greedy, model.BudgetFields{MaxTokens: 105})
	// Room 75: c (.015 a token) then a (.01) are taken, 5 are left for b, which fits the room.
	musttest.Is(t, report.Reason(2), (model.Reason{Code: model.BudgetExceeded, Tokens: 40, Available: 5}), "at Slice")
}

func TestRulingExcludedInOrderOfExclusion(t *testing.T) {
	// All have score 0: filtered, negative, duplicate, left out by the slicer,
	// dropped by Truncate; each group in its own order.
	s := setOf(t, item("kept", 5), item("dropped", 50), item("left out", 60), item("kept", 5), item("negative", -1), item("filtered", 1), pinned("negative and pinned", -2))
	s = musttest.Of(s.With(model.Edits{Excluded: map[int]bool{5: true}}))(t)
	r := assembled(t, Parts{Scorer: given(make([]float64, 7)), Deduplicate: true, Overflow: model.Truncate}, s)
	sel := slicer.NewSelection(nil, r.Input().Len())
	for _, i := range []int{0, 1} {
		p, ok := r.Position(i)
		if !ok {
			t.Fatalf("item %d is no candidate", i)
		}
		sel.Add(p)
	}
	report := musttest.Of(r.Place(budgetOf(t, model.BudgetFields{MaxTokens: 50}), sel))(t)
	musttest.Is(t, report.Excluded, []int32{5, 4, 6, 3, 2, 1}, "excluded")
	for i, want := range []model.Reason{
		{Code: model.Scored},
		{Code: model.BudgetExceeded, Tokens: 50, Available: 45},
		{Code: model.BudgetExceeded, Tokens: 60, Available: -5},
		{Code: model.Deduplicated, By: 0},
		{Code: model.NegativeTokens, Tokens: -1},
		{Code: model.Filtered, Filter: "user"},
		{Code: model.NegativeTokens, Tokens: -2},
	} {
		musttest.Is(t, report.Reason(i), want, "item", i)
	}
	musttest.Is(t, report.Considered, 5+50+60+5-1+1-2, "considered")
	if e := report.Stages[0]; e.In != 7 || e.Out != 4 {
		t.Errorf("Classify: %+v", e)
	}
}

func TestRulingZeroTokenItems(t *testing.T) {
	s := setOf(t, item("free", 0), pinned("free and pinned", 0), item("x", 5))
	r := assembled(t, Parts{Scorer: given{0.3, 0, 0.5}}, s)
	report := dryRun(t, r, model.BudgetFields{MaxTokens: 1})
	musttest.Is(t, report.Codes[0], model.ZeroToken, "a zero-token item carries its score")
	musttest.Is(t, report.Scores[0], 0.3, "a zero-token item carries its score")
	musttest.Is(t, report.Codes[1], model.Pinned, "a pinned zero-token item is pinned")
	musttest.Is(t, report.Scores[1], 1, "a pinned zero-token item is pinned")
	report = dryRun(t, r, model.BudgetFields{})
	musttest.Is(t, report.Included, []int32{1}, "with a target of 0 zero-token items are left out too")
	musttest.Is(t, report.Reason(0), (model.Reason{Code: model.BudgetExceeded}), "left out at a target of 0")
}

func TestRulingPinnedItemsAreCheckedBeforeReservedSlots(t *testing.T) {
	s := setOf(t, pinned("p", 60), pinned("p", 40), item("p", 10))
	r := assembled(t, Parts{Scorer: given{0, 0, 0.5}, Deduplicate: true, Overflow: model.Proceed}, s)
	slots := []model.Slot{{Kind: "Memory", Tokens: 500}}
	report := dryRun(t, r, model.BudgetFields{MaxTokens: 120, TargetTokens: model.Some[model.Tokens](90), OutputReserve: 20, ReservedSlots: slots})
	if report.Overflow == nil || report.Overflow.TokensOver != 10 || !slices.Equal(report.Overflow.Items, []int32{0, 1}) {
		t.Errorf("overflow %+v", report.Overflow)
	}
	musttest.Is(t, r.Survivors(), nil, "pinned items take no part in deduplication")
	_, err := r.DryRun(budgetOf(t, model.BudgetFields{MaxTokens: 120, TargetTokens: model.Some[model.Tokens](90), OutputReserve: 21}))
	var e *model.PinnedError
	if !errors.As(err, &e) || e.Error() != "pinned items need 100 tokens, the budget less output reserve leaves 99" {
		t.Errorf("error %v", err)
	}
}

func TestRulingInstantsCompareOverTheirWholeRange(t *testing.T) {
	at := func(content string, when time.Time) model.Item {
		return model.Item{Content: content, Tokens: 1, Timestamp: model.Some(when)}
	}
	s := setOf(t,
		at("far future", time.Unix(1<<50, 0)),
		at("2300, a nanosecond later", time.Date(2300, 1, 1, 0, 0, 0, 1, time.UTC)),
		at("year 1", time.Time{}),
		at("2300", time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)),
		at("2300 again, elsewhere", time.Date(2300, 1, 1, 2, 0, 0, 0, time.FixedZone("", 7200))),
		at("before year 1", time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC)),
	)
	r := rankOf(t, model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1}), s)
	musttest.Is(t, r.Scores(), []float64{1, 0.8, 0.2, 0.4, 0.4, 0}, "recency")
	report := dryRun(t, r, model.BudgetFields{MaxTokens: 100})
	musttest.Is(t, report.Included, []int32{5, 2, 3, 4, 1, 0}, "chronological")
}

func TestStageDurationsComeFromTheInjectedClock(t *testing.T) {
	now := time.Unix(0, 0)
	clock := func() time.Time {
		now = now.Add(time.Second)
		return now
	}
	pipe := musttest.Of(New(reflexive(), WithClock(clock)))(t)
	r := musttest.Of(pipe.Rank(context.Background(), setOf(t, item("a", 1))))(t)
	for _, e := range dryRun(t, r, model.BudgetFields{MaxTokens: 5}).Stages {
		musttest.Is(t, e.Duration, time.Second, e.Stage, "took")
	}
}

func TestScorerPartsAddUpToTheScore(t *testing.T) {
	s := setOf(t, model.Item{Content: "a", Tokens: 1, Kind: model.Memory, FutureRelevanceHint: model.Some(0.5)}, pinned("p", 1), item("n", -1), item("b", 1))
	r := rankOf(t, model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 3}, model.Scorer{Type: model.ScoreKind, Weight: 1}), s)
	want := []ScorePart{{"reflexive", 0.75, 0.5}, {"kind", 0.25, 0.8}}
	musttest.Is(t, r.ScorerParts(0), want, "parts")
	musttest.Is(t, r.ScorerParts(3), []ScorePart{{"reflexive", 0.75, 0}, {"kind", 0.25, 0.2}}, "parts of the last item")
	if r.ScorerParts(1) != nil || r.ScorerParts(2) != nil {
		t.Error("pinned and negative items are not scored")
	}
	r = rankOf(t, reflexive(), s)
	musttest.Is(t, r.ScorerParts(0), []ScorePart{{"reflexive", 1, 0.5}}, "one scorer")
}

func TestErrorsOfThePipeline(t *testing.T) {
	musttest.Fails(t, musttest.Refusal(New(model.Policy{})), "an empty policy is taken")
	whole := Parts{Scorer: given{}, Slicer: slicer.Greedy{}, Placer: placer.UShaped{}}
	for name, change := range map[string]func(*Parts){
		"scorers":          func(p *Parts) { p.Scorer = nil },
		"slicerType":       func(p *Parts) { p.Slicer = nil },
		"placerType":       func(p *Parts) { p.Placer = nil },
		"overflowStrategy": func(p *Parts) { p.Overflow = "explode" },
	} {
		parts := whole
		change(&parts)
		_, err := Assemble(parts)
		var e *model.PolicyError
		if !errors.As(err, &e) || e.Field != name {
			t.Errorf("without %s: %v", name, err)
		}
	}
	s := setOf(t, item("a", 1))
	r := assembled(t, Parts{Scorer: given{1}, Slicer: takeAll{}}, s)
	musttest.Is(t, musttest.Refusal(r.Profile(context.Background(), slicer.MaxTabulated+1)), slicer.ErrNoProfile, "a slicer without a profile, beyond what is tabulated")
	musttest.Fails(t, musttest.Refusal(r.Place(model.Budget{}, nil)), "a selection of another length is no error")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pipe := musttest.Of(New(reflexive()))(t)
	musttest.Is(t, musttest.Refusal(pipe.Rank(ctx, s)), context.Canceled, "cancelled")
}

func scoresOf(t *testing.T, s model.Scorer, items ...model.Item) []float64 {
	t.Helper()
	p := musttest.Of(New(model.NewPolicy(s)))(t)
	r := musttest.Of(p.Rank(context.Background(), setOf(t, items...)))(t)
	return r.Scores()
}

// The tag scorer looks tags up as they are spelled, frequency folds their case.
func TestRulingTagCase(t *testing.T) {
	items := []model.Item{
		{Content: "a", Tokens: 1, Tags: []string{"Go"}},
		{Content: "b", Tokens: 1, Tags: []string{"go"}},
		{Content: "c", Tokens: 1, Tags: []string{"rust"}},
	}
	tag := model.Scorer{Type: model.ScoreTag, Weight: 1, TagWeights: []model.TagWeight{{Tag: "Go", Weight: 1}}}
	musttest.Is(t, scoresOf(t, tag, items...), []float64{1, 0, 0}, "tag scores")
	musttest.Is(t, scoresOf(t, model.Scorer{Type: model.ScoreFrequency, Weight: 1}, items...), []float64{0.5, 0.5, 0}, "frequency scores")
}

// Weights may each be finite and their sum not: that is an invalid policy.
func TestRulingSumsOfWeightsAreFinite(t *testing.T) {
	big := model.Scorer{Type: model.ScoreRecency, Weight: 1.5e308}
	for name, policy := range map[string]model.Policy{
		"scorers":    model.NewPolicy(big, big),
		"tagWeights": model.NewPolicy(model.Scorer{Type: model.ScoreTag, Weight: 1, TagWeights: []model.TagWeight{{Tag: "a", Weight: 1.5e308}, {Tag: "b", Weight: 1.5e308}}}),
	} {
		musttest.Says(t, musttest.Refusal(New(policy)), "weights add up to more than a float64 can hold", name)
	}
	musttest.Is(t, musttest.Refusal(New(model.NewPolicy(big))), nil, "one large weight is refused")
}
