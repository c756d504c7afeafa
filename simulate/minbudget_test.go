package simulate

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// transcribed is the pseudocode of the specification line by line, with the
// ruling that low is tested before high. included says whether the item is in
// at a budget.
func transcribed(tokens, searchCeiling model.Tokens, included func(mid model.Tokens) bool) model.Option[model.Tokens] {
	low, high := tokens, searchCeiling
	for high-low > 1 {
		mid := low + (high-low)/2
		if included(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	if included(low) {
		return model.Some(low)
	}
	if included(high) {
		return model.Some(high)
	}
	return model.Option[model.Tokens]{}
}

func TestRulingFindMinBudgetForTestsItsLowerBound(t *testing.T) {
	rounds := randomtest.Rounds(150, 1500)
	found, wrong := 0, 0
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		r := rank(t, randomtest.ByHints(rng), randomSet(t, rng))
		s := newScenario(t, r, randomTemplate(t, rng), 60)
		bare := newScenario(t, r, model.Budget{}, 60)
		p := musttest.Of(NewProfile(context.Background(), r, s.template, 60))(t)
		short, ok := p.Along(s.template, 20)
		if !ok {
			t.Fatal("a shorter axis is out of reach")
		}
		for item := range r.Items().Len() {
			tokens := r.Items().Tokens(item)
			for _, ceiling := range []model.Tokens{tokens, tokens + 1, 30, 60} {
				if ceiling < tokens {
					continue
				}
				var want, wantBare model.Option[model.Tokens]
				if tokens >= 0 { // the ruling for negative tokens
					want = transcribed(tokens, ceiling, func(mid model.Tokens) bool { return s.in(item, int(mid)) })
					wantBare = transcribed(tokens, ceiling, func(mid model.Tokens) bool { return bare.in(item, int(mid)) })
				}
				check := func(form string, want, got model.Option[model.Tokens], err error) {
					t.Helper()
					if err != nil || got != want {
						t.Fatalf("seed %d: %s of item %d up to %v = %+v, %v, want %+v", seed, form, item, ceiling, got, err, want)
					}
				}
				got, err := FindMinBudgetFor(r, item, ceiling, &s.template)
				check("the search under a template", want, got, err)
				got, err = FindMinBudgetFor(r, item, ceiling, nil)
				check("the bare search", wantBare, got, err)
				got, err = p.BinarySearch(item, ceiling)
				check("the search in a profile", want, got, err)
				got, err = short.BinarySearch(item, ceiling)
				check("the search in a profile along a shorter axis", want, got, err)
				if want.Set {
					found++
				}
				if exact, ok := p.FirstIn(item); ceiling == 60 && (ok != want.Set || exact != want.Value) {
					wrong++
				}
			}
		}
	}
	if found < rounds || wrong < rounds/20 {
		t.Errorf("found %d, other than the exact answer %d: the scenarios do not test the search", found, wrong)
	}
}

// fakeSlicer selects nothing and says what a test wants of itself.
type fakeSlicer struct {
	shifts slicer.Shifts
	err    error
}

func (f fakeSlicer) Prepare(in *slicer.Input) slicer.Prepared {
	return fakePrepared{fakeSlicer: f, n: in.Len()}
}
func (f fakeSlicer) Traits() slicer.Traits { return slicer.Traits{Shifts: f.shifts} }

type fakePrepared struct {
	slicer.Defaults
	fakeSlicer
	n int
}

func (f fakePrepared) Slice(_ context.Context, t slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	if t > 4 && f.err != nil {
		return nil, f.err
	}
	return slicer.NewSelection(dst, f.n), nil
}

func (f fakePrepared) Profile(context.Context, slicer.Target) (slicer.Profile, error) {
	return emptyProfile{n: f.n}, nil
}

// emptyProfile is the profile of a slicer that selects nothing.
type emptyProfile struct {
	slicer.Profile
	n int
}

func (emptyProfile) UpTo() slicer.Target { return 1 << 40 }
func (e emptyProfile) At(_ slicer.Target, dst slicer.Selection) slicer.Selection {
	return slicer.NewSelection(dst, e.n)
}
func (emptyProfile) Bands(dst []slicer.Band, _ int) []slicer.Band { return dst }

func assemble(t *testing.T, s slicer.Slicer) *pipeline.Ranking {
	t.Helper()
	pipe := musttest.Of(pipeline.Assemble(pipeline.Parts{Scorer: scorer.Reflexive{}, Slicer: s, Placer: placer.Chronological{}}))(t)
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 3}, {Content: "b", Tokens: -5}}))(t)
	return musttest.Of(pipe.Rank(context.Background(), set))(t)
}

func TestFindMinBudgetForPreconditions(t *testing.T) {
	broken := errors.New("slicer broken")
	for _, c := range []struct {
		name    string
		slicer  fakeSlicer
		item    int
		ceiling model.Tokens
		want    error
		reason  string
	}{
		{"percentages", fakeSlicer{shifts: slicer.Shifts{Percentages: true}}, 9, -9, ErrSearchNotMonotonic, "the guard comes before membership"},
		{"counts", fakeSlicer{shifts: slicer.Shifts{Counts: true}}, 9, -9, ErrSearchNotMonotonic, "count quotas are refused too"},
		{"no element", fakeSlicer{}, 2, 2, ErrNotAnElement, "membership comes before the ceiling"},
		{"below the first", fakeSlicer{}, -1, 2, ErrNotAnElement, "there is no item -1"},
		{"low ceiling", fakeSlicer{}, 0, 2, ErrCeilingLow, "2 cannot hold 3 tokens"},
		{"low ceiling, negative", fakeSlicer{}, 1, -6, ErrCeilingLow, "the ceiling is checked before the sign"},
		{"ceiling of its own tokens", fakeSlicer{}, 0, 3, nil, "searched, not found"},
		{"negative tokens", fakeSlicer{err: broken}, 1, 100, nil, "null without a run"},
		{"another failure", fakeSlicer{err: broken}, 0, 100, broken, "only what is too small counts as not included"},
	} {
		r := assemble(t, c.slicer)
		template := model.Budget{}
		for _, template := range []*model.Budget{nil, &template} {
			got, err := FindMinBudgetFor(r, c.item, c.ceiling, template)
			if !errors.Is(err, c.want) || got.Set {
				t.Errorf("%s: %+v, %v, want %v: %s", c.name, got, err, c.want, c.reason)
			}
		}
		if errors.Is(c.want, broken) {
			continue // a profile has no runs that could fail
		}
		p := musttest.Of(NewProfile(context.Background(), r, model.Budget{}, 10))(t)
		if got, err := p.BinarySearch(c.item, c.ceiling); !errors.Is(err, c.want) || got.Set {
			t.Errorf("%s, from the profile: %+v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

// The texts are the specification's, word for word.
func TestTextsOfTheSpecification(t *testing.T) {
	for err, text := range map[error]string{
		ErrMarginalNotMonotonic: "GetMarginalItems requires monotonic item inclusion. QuotaSlice produces non-monotonic inclusion as budget changes shift percentage allocations.",
		ErrSearchNotMonotonic:   "FindMinBudgetFor requires monotonic item inclusion. QuotaSlice and CountQuotaSlice produce non-monotonic inclusion as budget changes shift allocations. Use a GreedySlice or KnapsackSlice inner slicer for budget simulation.",
		ErrNotAnElement:         "targetItem must be an element of items",
		ErrCeilingLow:           "searchCeiling must be >= targetItem.Tokens",
	} {
		musttest.Is(t, err.Error(), text)
	}
}

func TestSearchBeyondAllBudgets(t *testing.T) {
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}), twoItems(t))
	p := musttest.Of(NewProfile(context.Background(), r, model.Budget{}, 200))(t)
	found := 0
	for _, ceiling := range []model.Tokens{
		model.MaxTokens + 1, // the first probe is a budget that the profile does not reach
		1<<63 - 1,           // nearly all probes are no valid budgets, so not included
	} {
		got, err := FindMinBudgetFor(r, 0, ceiling, &model.Budget{})
		fromProfile, profileErr := p.BinarySearch(0, ceiling)
		if err != nil || profileErr != nil || got != fromProfile {
			t.Errorf("up to %v: %+v, %v and %+v, %v", ceiling, got, err, fromProfile, profileErr)
		}
		if got.Set {
			found++
		}
	}
	musttest.Is(t, found, 1, "found up to")
}

func TestRulingMarginalItemsKeepReservesSlotsAndMargin(t *testing.T) {
	atRisk, swaps := 0, 0
	for seed := range 1500 {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		r := rank(t, randomPolicy(rng), randomSet(t, rng))
		template := randomTemplate(t, rng)
		p, s := profiled(t, r, template, 40)
		if p == nil {
			continue
		}
		refused := len(r.Policy().Quotas) > 0
		for slack := model.Tokens(-1); slack <= 41; slack++ {
			got, err := MarginalItems(t.Context(), r, template, slack)
			lost, gained, profileErr := p.AtRisk(template, slack)
			if refused != errors.Is(err, ErrMarginalNotMonotonic) {
				t.Fatalf("seed %d: quotas %v, error %v", seed, r.Policy().Quotas, err)
			}
			valid := slack >= 0 && slack <= template.TargetTokens()
			var want []int32
			switch {
			case slack == 0:
			case !valid || s.reports[40] == nil || s.reports[40-slack] == nil:
				if err == nil || profileErr == nil || !refused && err.Error() != profileErr.Error() {
					t.Fatalf("seed %d, slack %v: error %v, from the profile %v", seed, slack, err, profileErr)
				}
				continue
			default:
				for _, i := range s.reports[40].Included { // in placed order
					if !s.reports[40-slack].In(int(i)) {
						want = append(want, i)
					}
				}
			}
			if !refused && (err != nil || !slices.Equal(got, want)) {
				t.Fatalf("seed %d, slack %v: %v, %v, want %v", seed, slack, got, err, want)
			}
			both := Change{}
			if slack > 0 {
				both = s.change(40, int(40-slack))
			}
			if profileErr != nil || !slices.Equal(lost, both.Out) || !slices.Equal(gained, both.In) {
				t.Fatalf("seed %d, slack %v: lost %v, gained %v, %v, want %+v", seed, slack, lost, gained, profileErr, both)
			}
			swaps += len(gained)
			atRisk += len(want)
		}
	}
	if atRisk < 1000 || swaps < 100 {
		t.Errorf("only %d items at risk, %d gained: the scenarios test nothing", atRisk, swaps)
	}
}

func TestRulingMarginalItemsGuardsAndBounds(t *testing.T) {
	budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 10, TargetTokens: model.Some[model.Tokens](8), OutputReserve: 5}))(t)
	shifting := assemble(t, fakeSlicer{shifts: slicer.Shifts{Percentages: true}})
	musttest.Is(t, musttest.Refusal(MarginalItems(t.Context(), shifting, budget, 0)), ErrMarginalNotMonotonic, "slack 0 under quotas", "the guard comes first")
	counting := assemble(t, fakeSlicer{shifts: slicer.Shifts{Counts: true}})
	musttest.Is(t, musttest.Refusal(MarginalItems(t.Context(), counting, budget, 1)), nil, "count quotas", "only percentages are refused")
	for _, c := range []struct {
		slack model.Tokens
		field string
	}{
		{-1, "slackTokens"},
		{9, "slackTokens"},   // more than the target of 8
		{6, "outputReserve"}, // maxTokens 4 is less than the reserve of 5
	} {
		err := musttest.Refusal(MarginalItems(t.Context(), counting, budget, c.slack))
		musttest.Is(t, musttest.As[*model.BudgetError](t, err, c.slack).Field, c.field, "slack", c.slack, err)
	}
}

// TestRulingGuardsByPolicy: the guards see through a policy which slicer it means.
func TestRulingGuardsByPolicy(t *testing.T) {
	set := randomSet(t, rand.New(rand.NewPCG(1, 2)))
	quotas := func(p *model.Policy) { p.Quotas = []model.Quota{{Kind: model.Message, MinPercent: model.Some(10.0)}} }
	counts := func(p *model.Policy) { p.CountQuotas = []model.CountQuota{{Kind: model.Message, Cap: 3}} }
	for _, c := range []struct {
		name             string
		slicer           model.SlicerType
		wrap             func(*model.Policy)
		search, marginal error
	}{
		{"greedy", model.Greedy, nil, nil, nil},
		{"knapsack", model.Knapsack, nil, nil, nil},
		{"stream", model.Stream, nil, nil, nil},
		{"quotas over greedy", model.Greedy, quotas, ErrSearchNotMonotonic, ErrMarginalNotMonotonic},
		{"quotas over knapsack", model.Knapsack, quotas, ErrSearchNotMonotonic, ErrMarginalNotMonotonic},
		{"count quotas over greedy", model.Greedy, counts, ErrSearchNotMonotonic, nil},
		{"count quotas over knapsack", model.Knapsack, counts, ErrSearchNotMonotonic, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
			p.Slicer, p.Overflow = c.slicer, model.Proceed
			if c.wrap != nil {
				c.wrap(&p)
			}
			r := rank(t, p, set)
			musttest.Is(t, musttest.Refusal(FindMinBudgetFor(r, 0, 100, nil)), c.search, "search")
			b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 500}))(t)
			musttest.Is(t, musttest.Refusal(MarginalItems(t.Context(), r, b, 5)), c.marginal, "marginal")
		})
	}
}
