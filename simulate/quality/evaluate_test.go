package quality

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
)

func source(cases []*Case) Cases {
	return func(yield func(*Case, error) bool) {
		for _, c := range cases {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// shortAndLong is n cases in so many groups, in which a long item with the best
// score is what was needed, and short ones that match weakly are denser.
func shortAndLong(t testing.TB, r *rand.Rand, n, groups int) []*Case {
	t.Helper()
	all := make([]*Case, n)
	for i := range all {
		items := []model.Item{{Content: fmt.Sprint("long ", i), Tokens: 60 + model.Tokens(r.IntN(30)), FutureRelevanceHint: model.Some(0.8 + 0.2*r.Float64())}}
		for k := range 8 {
			items = append(items, model.Item{
				Content: fmt.Sprint("short ", i, k), Tokens: 8 + model.Tokens(r.IntN(8)), FutureRelevanceHint: model.Some(0.15 + 0.3*r.Float64()),
			})
		}
		set := musttest.Of(model.NewSet(items))(t)
		all[i] = &Case{Name: fmt.Sprint("q", i), Group: fmt.Sprint("g", i%groups), Items: set, Labels: model.Labels{Grades: map[int]int{0: 1}}}
	}
	return all
}

func greedyPolicy() model.Policy {
	return model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
}

func TestEvaluate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cases := shortAndLong(t, r, 40, 10)
	cases = append(cases, &Case{Name: "unlabelled", Items: cases[0].Items, Labels: model.Labels{Answers: []string{"long 0"}, Unreachable: 2}})
	o := Options{
		Policies: []Named{{"current", greedyPolicy()}}, At: []Amount{{Tokens: 100}, {Percent: 50}, {Percent: 100}}, Best: true, Seed: 7,
	}
	e := musttest.Of(Evaluate(context.Background(), source(cases), o))(t)
	if e.Cases != 41 || e.Labelled != 40 || e.Answerable != 1 || e.Groups != 10 || e.Unreachable != 2 {
		t.Errorf("counts %+v", e)
	}
	names := []string{}
	for _, p := range e.Policies {
		names = append(names, fmt.Sprintf("%s %v %d", p.Name, p.Added, len(p.NotCupel)))
	}
	musttest.Is(t, names, []string{"current false 0", "rank true 1", string(model.Prefix) + " true 1"}, "policies")
	at := e.At[0]
	greedy, rank := at.Policies[0], at.Policies[1]
	if greedy.Recall.Value >= rank.Recall.Value || greedy.Value.Value <= rank.Value.Value {
		t.Errorf("greedy has the recall %v and the value %v, rank %v and %v: want more value and less recall",
			greedy.Recall.Value, greedy.Value.Value, rank.Recall.Value, rank.Value.Value)
	}
	if rank.Recall != (Mean{1, 40}) || greedy.Answered.Cases != 1 || greedy.BelowBest.Cases != 41 {
		t.Errorf("means %+v, %+v", rank.Recall, greedy)
	}
	v := rank.Versus.Value
	if !rank.Versus.Set || greedy.Versus.Set || v.Win == 0 || v.Loss != 0 || v.Groups != 10 || v.P >= Level || v.Adjusted < v.P {
		t.Errorf("rank against greedy: %+v", v)
	}
	if all := e.At[2].Policies[0]; all.Recall.Value != 1 || all.BelowBest.Value != 0 || all.ShareNeeded.Cases != 40 {
		t.Errorf("where all fits: %+v", all)
	}
	// Each figure anew, from dry runs.
	recall := 0.0
	for _, c := range cases[:40] {
		ranking := rankingOf(t, greedyPolicy(), c.Items)
		report := musttest.Of(simulate.DryRunAt(context.Background(), ranking, c.Budget, 100))(t)
		recall += plainMeasure(report, c.Labels, nil).Recall.Value / 40
	}
	if math.Abs(recall-greedy.Recall.Value) > 1e-12 {
		t.Errorf("recall %v, dry runs say %v", greedy.Recall.Value, recall)
	}
	if p := e.Policies[2]; !p.Reaches.Median.Set || p.Reaches.Never != 0 || p.Reaches != p.Holds {
		t.Errorf("prefix never loses an item, but %+v", p)
	}
	if g := e.Policies[0]; g.Holds.Median.Value < e.Policies[1].Holds.Median.Value {
		t.Errorf("greedy holds what was needed from %v, rank from %v", g.Holds.Median, e.Policies[1].Holds.Median)
	}
	if w := e.Worst(0, 0, 3); len(w) != 3 || w[0].Recall.Value != 0 || !strings.HasPrefix(w[0].Case, "q") {
		t.Errorf("the worst cases are %+v", w)
	}
	o.Processors = 1
	again, err := Evaluate(context.Background(), source(cases), o)
	if err != nil || !reflect.DeepEqual(again, e) {
		t.Errorf("on one processor the result differs, %v", err)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	cases := shortAndLong(t, r, 3, 3)
	good := Options{Policies: []Named{{"p", greedyPolicy()}}, At: []Amount{{Tokens: 100}}}
	for name, change := range map[string]func(*Options){
		"at least one policy":               func(o *Options) { o.Policies = nil },
		"at least one budget":               func(o *Options) { o.At = nil },
		"the wanted recall is 2":            func(o *Options) { o.Wanted = 2 },
		`policy "p": invalid policy: score`: func(o *Options) { o.Policies = []Named{{"p", model.Policy{}}} },
		"ceiling is -1":                     func(o *Options) { o.Ceiling = -1 },
	} {
		o := good
		change(&o)
		musttest.Says(t, musttest.Refusal(Evaluate(context.Background(), source(cases), o)), name)
	}
	broken := append(slices.Clone(cases), &Case{Name: "odd", Items: cases[0].Items, Labels: model.Labels{Grades: map[int]int{99: 1}}})
	musttest.Says(t, musttest.Refusal(Evaluate(context.Background(), source(broken), good)), `case "odd": a label for item 99`, "a case that cannot be")
	lost := errors.New("the disk is gone")
	failing := func(yield func(*Case, error) bool) {
		if yield(cases[0], nil) {
			yield(nil, lost)
		}
	}
	musttest.Is(t, musttest.Refusal(Evaluate(context.Background(), failing, good)), lost, "a source that fails")
	ctx, cancel := context.WithCancel(context.Background())
	good.Progress = func(int) { cancel() }
	musttest.Is(t, musttest.Refusal(Evaluate(ctx, source(cases), good)), context.Canceled, "cancelled")
}

func FuzzParseAmount(f *testing.F) {
	for _, text := range []string{"16k", "1.5m", "12.5 %", "own", "1,000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAmount(text)
		if err != nil {
			return
		}
		musttest.Is(t, musttest.Of(ParseAmount(a.String()))(t), a, text, "written as", "and read as")
	})
}

func TestAmounts(t *testing.T) {
	for text, want := range map[string]Amount{"16k": {Tokens: 16_000}, "50%": {Percent: 50}, " 12.5 %": {Percent: 12.5}, "own": {Own: true}} {
		got, err := ParseAmount(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v, want %+v", text, got, err, want)
		}
		musttest.Is(t, musttest.Of(ParseAmount(got.String()))(t), got, text, "is written as", "and read as")
	}
	for _, text := range []string{"", "0%", "1001%", "x%", "-5"} {
		if a, err := ParseAmount(text); err == nil {
			t.Errorf("%q is %+v", text, a)
		}
	}
	for percent := range model.Tokens(1000) { // rounded down, exactly
		for all := range model.Tokens(200) {
			musttest.Is(t, (Amount{Percent: float64(percent + 1)}).OfAll(0, all), (percent+1)*all/100, percent+1, "% of", all, "is")
		}
	}
}

// A worker takes memory, so that no more are started than can help.
func TestTheWorkersAreBounded(t *testing.T) {
	workers := 0
	one := func(yield func(*Case, error) bool) {
		workers = runtime.NumGoroutine()
		yield(&Case{}, nil)
	}
	work := func(context.Context, *Case) (int, error) { return 0, nil }
	keep := func(int, *Case, int) {}
	if err := each(t.Context(), one, 50_000, work, keep); err != nil || workers == 0 || workers > 2_000 {
		t.Errorf("%d workers, %v", workers, err)
	}
	musttest.Says(t, each(t.Context(), one, -1, work, keep), "--jobs: -1, must be at least 1", "fewer than no workers")
}

// TestFewCasesAreHeld: however many cases there are, no more are out of the source
// and not yet measured than a few for each processor.
func TestFewCasesAreHeld(t *testing.T) {
	one := shortAndLong(t, rand.New(rand.NewPCG(31, 32)), 1, 1)[0]
	const cases, processors = 500, 2
	var out, kept, most atomic.Int64
	endless := func(yield func(*Case, error) bool) {
		for range cases {
			most.Store(max(most.Load(), out.Add(1)-kept.Load()))
			if !yield(one, nil) {
				return
			}
		}
	}
	o := Options{Policies: []Named{{"p", greedyPolicy()}}, At: []Amount{{Tokens: 50}}, Processors: processors}
	o.Progress = func(int) { kept.Add(1) }
	e, err := Evaluate(context.Background(), endless, o)
	if err != nil || e.Cases != cases || e.Groups != cases && e.Groups != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	if most.Load() > 3*processors+2 {
		t.Errorf("%d cases were held at once", most.Load())
	}
}
