package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// fresh runs the pipeline from nothing.
func fresh(t testing.TB, e *Experiment, side Side) (*pipeline.Ranking, *model.Report, error) {
	t.Helper()
	s := e.Setup()
	p := musttest.Of(pipeline.New(s.Policy[side]))(t)
	r := musttest.Of(p.Rank(context.Background(), e.Items()))(t)
	b, err := model.NewBudget(s.Budget)
	if err != nil {
		return r, nil, err
	}
	report, err := r.DryRun(b)
	return r, report, err
}

// answerAtBudget computes a side at its budget alone, if it is pending, and returns 1 if that
// has a result: it is current then, and has no profile, which stays wanted.
func answerAtBudget(t testing.TB, e *Experiment, side Side) int {
	t.Helper()
	q, ok := e.Request(side)
	if !ok {
		return 0
	}
	q.AtBudget = true
	o := musttest.Of(q.Run(context.Background()))(t)
	if !e.Accept(side, o) {
		t.Fatalf("the answer of side %v at its budget was refused", side)
	}
	if !o.early { // only labels have changed: everything is known
		return 0
	}
	state := e.State(side)
	at, early := e.Answer(side)
	if q, ok := e.Request(side); !ok || !q.answered() || q.AtBudget || state != Pending {
		t.Fatalf("the profile of side %v is not wanted any more, state %v", side, state)
	}
	if early != Current {
		return 0
	}
	if at != o || o.Profile != nil || o.Report == nil {
		t.Fatalf("the answer of side %v at its budget has the report %v, the profile %v", side, o.Report, o.Profile)
	}
	return 1
}

// What the screen shows is what the pipeline does, whatever was reused.
func TestTheOutcomeIsThePipelines(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	failed, ran, early := 0, 0, 0
	for range 25 {
		e, first := start(t, sample(t, rng, rng.IntN(40)))
		settle(t, e)
		for range 30 {
			switch rng.IntN(8) {
			case 0:
				e.Undo()
			case 1:
				e.Redo()
			default:
				edit(t, rng, e, first)
			}
			if rng.IntN(3) == 0 {
				continue // the next change comes before this one is computed
			}
			before := [2]*Outcome{e.Outcome(A), e.Outcome(B)}
			nothing := e.sides[A].current == nil || e.sides[A].current.Err != nil
			_, pending := e.Request(A)
			if rng.IntN(2) == 0 {
				early += answerAtBudget(t, e, A) + answerAtBudget(t, e, B)
			}
			settle(t, e)
			for _, side := range []Side{A, B} {
				ranking, want, err := fresh(t, e, side)
				state, got := e.State(side), e.Err(side)
				if err != nil {
					failed++
					var worded knobError
					if errors.As(got, &worded) {
						got = worded.error
					}
					if state != Failed || got.Error() != err.Error() {
						t.Fatalf("side %v is in state %v with error %v, the pipeline says %v\n%+v", side, state, got, err, e.Setup())
					}
					continue
				}
				ran++
				o := e.Outcome(side)
				if state != Current || o.Items != e.Items() {
					t.Fatalf("side %v is in state %v (%v), the pipeline runs\n%+v", side, state, got, e.Setup())
				}
				if r := o.Report; !slices.Equal(r.Included, want.Included) || !slices.Equal(r.Excluded, want.Excluded) || !slices.Equal(r.Codes, want.Codes) ||
					!slices.Equal(r.Scores, want.Scores) || r.Effective != want.Effective || r.Kept != want.Kept || r.Value != want.Value || !reflect.DeepEqual(r.Budget, want.Budget) {
					t.Fatalf("side %v is not what the pipeline gives\n%+v", side, e.Setup())
				}
				checkSlack(t, e, ranking, o)
				musttest.Is(t, o.Profile.Axis().End(), e.Setup().End(), "the profile ends at")
			}
			if im, ok := e.Impact(); ok && pending && im.Side == A && im.Err == nil && before[A] != nil {
				in, out := simulate.Diff(before[A].Report, e.Outcome(A).Report)
				kept := before[A].Report.Kept
				if nothing { // before was no result: there is no difference
					in, out, kept = slices.Sorted(slices.Values(e.Outcome(A).Report.Included)), nil, 0
				}
				if !slices.Equal(im.In, in) || !slices.Equal(im.Out, out) || im.Pending || im.Anew != nothing ||
					im.Tokens != e.Outcome(A).Report.Kept-kept {
					t.Fatalf("the impact is %+v, want +%v -%v", im, in, out)
				}
			}
		}
	}
	if failed < 20 || ran < 200 || early < 100 {
		t.Errorf("%d setups failed, %d ran, %d first at their budget: the edits test too little", failed, ran, early)
	}
}

func checkSlack(t *testing.T, e *Experiment, r *pipeline.Ranking, o *Outcome) {
	t.Helper()
	want, err := simulate.MarginalItems(t.Context(), r, o.Report.Budget, e.Setup().Slack)
	if (err != nil) != (o.SlackErr != nil) {
		t.Fatalf("at risk: %v, MarginalItems says %v\n%+v", o.SlackErr, err, e.Setup())
	}
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(o.Lost, want) {
		t.Fatalf("at risk are %v, want %v\n%+v", o.Lost, want, e.Setup())
	}
	for i := range e.Items().Len() {
		if _, in := slices.BinarySearch(want, int32(i)); in != o.AtRisk(i) {
			t.Fatalf("AtRisk(%d) is %v", i, !in)
		}
	}
}

func TestAStaleOutcomeIsRefused(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 20))
	q, _ := e.Request(A)
	stale := musttest.Of(q.Run(context.Background()))(t)
	for _, c := range []struct {
		name string
		next Setup
	}{
		{"another budget", first.WithMax(2500)},
		{"another target", first.WithTarget(2500)},
		{"another slack", func() Setup { s := first; s.Slack = 1; return s }()},
		{"another ceiling", func() Setup { s := first; s.Ceiling = 16_000; return s }()},
		{"another policy", first.WithPolicy(A, first.Policy[B])},
		{"an edit", first.WithExcluded([]int{1}, true)},
		{"a slot", first.WithSlot(model.Memory, 0)},
	} {
		musttest.Do(t, e.Apply(c.next, Label{Name: c.name}, ""))
		if e.Accept(A, stale) {
			t.Errorf("%s: an older outcome was accepted", c.name)
		}
		if now, ok := e.Request(A); !ok || now.Same(q) {
			t.Errorf("%s: asks for the same work, or none", c.name)
		}
		e.Undo()
	}
	// Back where it was asked for, it is right.
	if now, _ := e.Request(A); !now.Same(q) {
		t.Error("undone, it asks for other work")
	}
	if !e.Accept(A, stale) || e.Outcome(A) != stale {
		t.Error("an outcome of the very setup was refused")
	}
	if e.Accept(A, stale) {
		t.Error("an outcome that nobody asked for was accepted")
	}
}

func TestACountMakesOutcomesStale(t *testing.T) {
	items := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 10, Count: model.Estimated}, {Content: "b", Tokens: 20}}))(t)
	e, first := start(t, items)
	musttest.Do(t, e.Apply(first.WithExcluded([]int{1}, true), Label{Name: "exclude"}, ""))
	q, _ := e.Request(A)
	stale, _ := q.Run(context.Background())
	musttest.Do(t, e.Recount([]model.Recount{{Index: 0, Tokens: 13, Count: model.Exact}}))
	if e.Accept(A, stale) {
		t.Error("an outcome of other counts was accepted")
	}
	if e.Items().Tokens(0) != 13 || !e.Items().Excluded(1) || e.Items().Estimates() != 0 {
		t.Error("the count is not there, or the edit is lost")
	}
	settle(t, e)
	e.Undo()
	if e.Items().Tokens(0) != 13 || e.Items().Excluded(1) {
		t.Error("undoing an edit undoes the count")
	}
	if err := e.Recount([]model.Recount{{Index: 7, Tokens: 1}}); err == nil {
		t.Error("an item that is not there was counted")
	}
}

func TestACancelledRunIsNoOutcome(t *testing.T) {
	e, _ := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 50))
	q, _ := e.Request(A)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o, err := q.Run(ctx); !errors.Is(err, context.Canceled) || o != nil {
		t.Errorf("a cancelled run gives %v, %v", o, err)
	}
}

func TestFixes(t *testing.T) {
	budget := func(change func(*model.BudgetFields)) error {
		f := model.BudgetFields{MaxTokens: 100}
		change(&f)
		_, err := model.NewBudget(f)
		if err == nil {
			t.Fatal("a budget that should be invalid is valid")
		}
		return err
	}
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 100}))(t)
	for _, c := range []struct {
		name string
		err  error
		want []KnobID
	}{
		{"pinned items that do not fit", &model.PinnedError{Pinned: 5, Available: 1}, []KnobID{MaxTokens, OutputReserve}},
		{"pinned items over the target", &model.OverflowError{Merged: 5, Target: 1}, []KnobID{Overflow, MaxTokens, TargetTokens}},
		{"a table that is too large", &model.TableError{Bucket: 7}, []KnobID{Bucket, Ceiling}},
		{"maximum", budget(func(f *model.BudgetFields) { f.MaxTokens = -1 }), []KnobID{MaxTokens}},
		{"target", budget(func(f *model.BudgetFields) { f.TargetTokens = model.Some[model.Tokens](101) }), []KnobID{TargetTokens, MaxTokens}},
		{"reserve", budget(func(f *model.BudgetFields) { f.OutputReserve = 101 }), []KnobID{OutputReserve, MaxTokens}},
		{"margin", budget(func(f *model.BudgetFields) { f.SafetyMargin = 101 }), []KnobID{SafetyMargin}},
		{"slot", budget(func(f *model.BudgetFields) { f.ReservedSlots = []model.Slot{{Kind: "Memory", Tokens: -1}} }), []KnobID{HeldBack}},
		{"slack", model.ValidateSlack(101, b), []KnobID{Slack}},
		{"wrapped", fmt.Errorf("side A: %w", &model.PinnedError{}), []KnobID{MaxTokens, OutputReserve}},
		{"nothing that a knob fixes", errors.New("disk"), nil},
		{"none", nil, nil},
	} {
		musttest.Is(t, Fixes(c.err, model.BudgetFields{OutputReserve: 1}), c.want, c.name)
	}
	musttest.Is(t, Fixes(&model.PinnedError{}, model.BudgetFields{}), []KnobID{MaxTokens}, "a reserve of 0 cannot be smaller")
}

// The side that is watched has its own impact of a change of both.
func TestEachSideHasItsImpact(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 20))
	settle(t, e)
	if _, ok := e.Impact(); ok {
		t.Error("there is an impact before any change")
	}
	e.Watch(B)
	musttest.Do(t, e.Apply(first.WithMax(1200), Label{string(MaxTokens), "3,000", "1,200"}, ""))
	if im, ok := e.Impact(); !ok || !im.Pending || im.Label != string(MaxTokens)+" 3,000 → 1,200" || im.Side != B {
		t.Errorf("the impact of a change that is not computed is %+v", im)
	}
	before := [2]*Outcome{e.Outcome(A), e.Outcome(B)}
	settle(t, e)
	for _, s := range [...]Side{B, A} {
		e.Watch(s)
		im, _ := e.Impact()
		in, out := simulate.Diff(before[s].Report, e.Outcome(s).Report)
		if !slices.Equal(im.In, in) || !slices.Equal(im.Out, out) || len(out) == 0 || im.Pending || im.Side != s {
			t.Errorf("the impact on %v is %+v, want +%v -%v", s, im, in, out)
		}
	}
}

func TestRequestsReuseWhatABudgetLeaves(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 40))
	settle(t, e)
	musttest.Do(t, e.Apply(first.WithMax(2900), Label{Name: "max"}, ""))
	q, _ := e.Request(A)
	o, err := q.Run(context.Background())
	if err != nil || o.Ranking != q.Previous.Ranking || !o.Profile.Same(q.Previous.Profile) {
		t.Errorf("moving the budget ranks or profiles anew (%v)", err)
	}
}

func TestASideTakesTheProfileOfAnotherOfItsPolicy(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(5, 1)), 40))
	settle(t, e)
	policy := first.Policy[B]
	policy.Name = "another" // which ranks nothing
	musttest.Do(t, e.Apply(first.WithPolicy(A, policy).WithMax(2500), Label{Name: "policy"}, ""))
	q, _ := e.Request(A)
	b, alone := q.Other, Request{Side: A, Setup: q.Setup, Items: q.Items, Pairs: q.Pairs}
	o, anew := musttest.Of(q.Run(t.Context()))(t), musttest.Of(alone.Run(t.Context()))(t)
	if o.Ranking != b.Ranking || !o.Profile.Same(b.Profile) {
		t.Error("A ranks or profiles anew")
	}
	if in, out := simulate.Diff(anew.Report, o.Report); len(in)+len(out) > 0 || !slices.Equal(o.Lost, anew.Lost) || o.Smallest != anew.Smallest {
		t.Errorf("A has what a side alone has not: +%v -%v", in, out)
	}
}

// A change that leads back computes nothing, after other labels and with edits of items too. The
// table of a knapsack is not kept for that.
func TestTheWayBackIsKnown(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(3, 1)), 40))
	settle(t, e)
	lighter, knapsack := first.Policy[A].Clone(), first.Policy[A].Clone()
	lighter.Scorers[0].Weight /= 3
	knapsack.Slicer = model.Knapsack
	for name, next := range map[string]Setup{"pin": first.WithPinned(e.loaded, []int{3}, true), "weight": first.WithPolicy(A, lighter), "knapsack": first.WithPolicy(A, knapsack)} {
		before := e.Outcome(A)
		musttest.Do(t, e.Apply(next, Label{Name: name}, ""))
		settle(t, e)
		there := e.Outcome(A)
		e.Undo()
		settle(t, e)
		if now := e.Outcome(A); now.Report != before.Report || now.Profile != before.Profile || now.Items != before.Items {
			t.Errorf("%s: what undo leads back to is computed", name)
		}
		e.Redo()
		settle(t, e)
		if now := e.Outcome(A); (now.Report == there.Report) == (name == "knapsack") {
			t.Errorf("%s: redo takes the result there: %v", name, now.Report == there.Report)
		}
		e.Undo()
		musttest.Do(t, e.Apply(e.Setup().WithNeeded(model.Labels{}, []int{1, 2}, true), Label{Name: "needed"}, ""))
		settle(t, e)
		if now := e.Outcome(A); now.Report != before.Report || now.Judge == nil || !now.Quality.Recall.Set {
			t.Errorf("%s: undone and labelled, the recall is %+v", name, now.Quality)
		}
		e.Undo()
		settle(t, e)
	}
}

// A weight that was tried is not ranked again when it is set. The trial of the value that was left
// ranks nothing, and both are what the pipeline does.
func TestAWeightThatWasTriedIsRanked(t *testing.T) {
	e, _ := start(t, sample(t, rand.New(rand.NewPCG(4, 1)), 60))
	settle(t, e)
	try := func(next Setup) Impact {
		t.Helper()
		trial, ok := e.Try(A, next)
		if !ok {
			t.Fatal("there is nothing to compare with")
		}
		return musttest.Of(trial.Run(t.Context()))(t)
	}
	for step := range 12 {
		before, heavier := e.Outcome(A), e.Setup().Policy[A].Clone()
		heavier.Scorers[step%2].Weight *= 5
		told := try(e.Setup().WithPolicy(A, heavier))
		tried := e.tried.Load()
		musttest.Do(t, e.Apply(e.Setup().WithPolicy(A, heavier), Label{Name: "weight"}, ""))
		settle(t, e)
		_, want, err := fresh(t, e, A)
		if now := e.Outcome(A); err != nil || &now.Ranking.Scores()[0] != &tried.ranking.Scores()[0] || !slices.Equal(now.Report.Included, want.Included) || e.tried.Load() != nil {
			t.Fatalf("step %d: the weight is ranked again, or otherwise (%v)", step, err)
		}
		in, out := simulate.Diff(before.Report, want)
		back := try(before.Setup)
		if e.tried.Load() != nil || !slices.Equal(told.In, in) || !slices.Equal(told.Out, out) || !slices.Equal(back.In, out) || !slices.Equal(back.Out, in) {
			t.Fatalf("step %d: told %v %v, back %v %v, want %v %v", step, told.In, told.Out, back.In, back.Out, in, out)
		}
	}
}

// Items that were tried are neither made nor counted nor ranked again when the change is made, unless what was
// tried is another rule, or of other counts of the texts; what was counted stays counted.
func TestItemsThatWereTriedAreTheItemsOfTheChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	counted := 0
	for step := range 12 {
		e, _ := start(t, sample(t, rng, 60))
		measure := func(text string) model.Tokens { return 1 + model.Tokens(len(text))/4 }
		e.sizer.Count = func(_ context.Context, items *model.Set) ([]model.ItemSize, error) {
			counted++
			all := items.UncountedSizes()
			for k := range all {
				all[k] = items.CountSize(all[k], model.Exact, measure)
			}
			return all, nil
		}
		var exact []model.Recount
		for i := range 20 {
			exact = append(exact, model.Recount{Index: i, Tokens: 200, Count: model.Exact})
		}
		musttest.Do(t, e.Recount(exact))
		settle(t, e)
		rule := model.ShrinkRule{Kind: model.AnyKind, To: []model.Tokens{model.Tokens(3 + step), 2}, Note: true}
		next := e.Setup().Shrunk(rule)
		trial, _ := e.Try(A, next)
		told := musttest.Of(trial.Run(t.Context()))(t)
		tried, same := e.tried.Load(), true
		switch step % 3 {
		case 1:
			rule.To = []model.Tokens{30, 2}
			next, same = e.Setup().Shrunk(rule), false
		case 2:
			musttest.Do(t, e.Recount([]model.Recount{{Index: 8, Tokens: 150, Count: model.Exact}}))
			same = false
		}
		before := counted
		musttest.Do(t, e.Apply(next, Label{Name: "shrink"}, ""))
		if (e.Items() == tried.ranking.Items()) != same || e.EstimatesSizes() == same || counted != before {
			t.Fatalf("step %d: the items that were tried are those of the change: %v, with estimates: %v", step, e.Items() == tried.ranking.Items(), e.EstimatesSizes())
		}
		was := e.Outcome(A)
		settle(t, e)
		_, want, err := fresh(t, e, A)
		if err != nil || !slices.Equal(e.Outcome(A).Report.Included, want.Included) || !slices.Equal(e.Outcome(A).Report.Sizes, want.Sizes) {
			t.Fatalf("step %d: the result is not the pipeline's (%v)", step, err)
		}
		if !same {
			continue
		}
		if in, out := simulate.Diff(was.Report, want); !slices.Equal(told.In, in) || !slices.Equal(told.Out, out) || &e.Outcome(A).Ranking.Input().Cuts[0] != &tried.ranking.Input().Cuts[0] {
			t.Fatalf("step %d: told %v %v, want %v %v, or ranked again", step, told.In, told.Out, in, out)
		}
		musttest.Do(t, e.Apply(e.Setup().WithExcluded([]int{9}, true), Label{Name: "exclude"}, ""))
		if e.EstimatesSizes() {
			t.Fatalf("step %d: what was counted is estimated again", step)
		}
	}
}

// Where the setup has no result, a trial tells of the whole result that a change would have.
func TestATrialOutOfNoResult(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(4, 2)), 40))
	settle(t, e)
	none := first.WithPinned(e.loaded, []int{0, 1, 2}, true).WithMax(1)
	musttest.Do(t, e.Apply(none, Label{Name: "budget"}, ""))
	settle(t, e)
	if e.State(A) != Failed {
		t.Fatal("three pinned items fit into a token")
	}
	for name, next := range map[string]Setup{"budget": none.WithMax(first.Budget.MaxTokens), "undo": first, "a token more": none.WithMax(2)} {
		trial, ok := e.Try(A, next)
		if !ok {
			t.Fatalf("%s: there is no trial", name)
		}
		told := musttest.Of(trial.Run(t.Context()))(t)
		musttest.Do(t, e.Apply(next, Label{Name: name}, ""))
		settle(t, e)
		switch now := e.Result(A); {
		case now == nil:
			if told.Err == nil {
				t.Errorf("%s: told %v, has no result", name, told)
			}
		case told.Err != nil || !told.Anew || !slices.Equal(told.In, slices.Sorted(slices.Values(now.Report.Included))) || told.Tokens != now.Report.Kept || told.Value != now.Report.Value:
			t.Errorf("%s: told %+v, has %v", name, told, now.Report.Included)
		}
		e.Undo()
		settle(t, e)
	}
}
