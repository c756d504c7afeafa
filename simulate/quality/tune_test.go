package quality

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

func tuned(t *testing.T, cases []*Case, o TuneOptions) *Tuning {
	t.Helper()
	return musttest.Of(Tune(context.Background(), source(cases), o))(t)
}

func twoScorers() model.Policy {
	return model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreRecency, Weight: 2})
}

func TestTuneFindsWhatIsNeeded(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(11, 12)), 40, 10)
	o := TuneOptions{Current: greedyPolicy(), At: Amount{Tokens: 100}, Seed: 3}
	made := tuned(t, cases, o)
	if !made.Recommended || made.Best.HeldOut != 1 || made.Best.Current >= 0.9 || made.Stopped {
		t.Errorf("got %+v", made)
	}
	if made.Cases != 40 || made.Groups != 10 || made.Folds != 5 || len(made.Best.ByFold) != 5 || made.Tried < made.Grid {
		t.Errorf("counts %+v", made)
	}
	if len(made.Cupel.Value.NotCupel) > 0 {
		t.Errorf("the best that Cupel can load is %s", made.Cupel.Value.Says)
	}
	musttest.Says(t, made.Best.Policy.Description, "tuned for recall at 100 over 40 cases in 10 groups; held out in 5 folds, seed 3: 1, before 0", "description")
	o.Processors = 1
	musttest.Is(t, tuned(t, cases, o), made, "on one processor the result differs")
	for _, objective := range Objectives() {
		o := TuneOptions{Current: twoScorers(), At: Amount{Percent: 60}, Objective: objective, Wanted: 1}
		for _, c := range cases {
			c.Labels.Answers = []string{strings.ReplaceAll(c.Items.Item(0).Content, "long", "LONG")}
		}
		made := tuned(t, cases, o)
		if made.Best.Versus.Mean < -1e-9 {
			t.Errorf("%s: %v held out, %v before, by %s", objective, made.Best.HeldOut, made.Best.Current, made.Best.Says)
		}
		musttest.Is(t, made.Best.Policy.Validate(), nil, objective)
	}
}

// The slicers that go by score alone stand beside what was tuned, with the figures that
// Evaluate has for them, also where only policies that Cupel can load are searched.
func TestTuneSaysWhatScoreAloneDoes(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(15, 16)), 40, 10)
	ranked := twoScorers()
	ranked.SetSlicer(model.Rank)
	for current, want := range map[*model.Policy]string{new(twoScorers()): "rank " + string(model.Prefix), &ranked: string(model.Prefix)} {
		o := TuneOptions{Current: *current, At: Amount{Percent: 60}, Seed: 3, CupelOnly: current != &ranked}
		made := tuned(t, cases, o)
		e := musttest.Of(Evaluate(t.Context(), source(cases), Options{Policies: []Named{{"current", *current}}, At: []Amount{o.At}, Seed: 3}))(t)
		var names []string
		for _, f := range made.ByScore {
			names = append(names, string(f.Policy.Slicer))
			k := slices.IndexFunc(e.Policies, func(p Evaluated) bool { return p.Name == string(f.Policy.Slicer) })
			is := e.At[0].Policies[k]
			if math.Abs(f.HeldOut-is.Recall.Value) > 1e-12 || math.Abs(f.Versus.Mean-is.Versus.Value.Mean) > 1e-12 {
				t.Errorf("%s: tune has %v, better by %v, and evaluate %v, by %v", names, f.HeldOut, f.Versus.Mean, is.Recall.Value, is.Versus.Value.Mean)
			}
		}
		musttest.Is(t, strings.Join(names, " "), want, "beside", current.Slicer, "stand")
	}
}

// TestCandidatesAreTheirPolicies: the columns of scores, weighed anew, give what
// the policy that is written gives.
func TestCandidatesAreTheirPolicies(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	current := twoScorers()
	compared := 0
	for range 10 {
		c := shortAndLong(t, r, 1, 1)[0]
		scores := musttest.Of(scoredBy(current))(t)
		for _, one := range slices.Concat(grid(current), grid(current)[3].neighbours()) {
			policy := one.policy(current)
			parts, err := pipeline.PartsOf(policy)
			if err != nil {
				t.Fatalf("%s: %v", one.describe(current), err)
			}
			parts.Scorer = reweighted{scores, one.weights, one.exponent}
			pipe := musttest.Of(pipeline.Assemble(parts))(t)
			got := musttest.Of(pipe.Rank(context.Background(), c.Items))(t)
			want := rankingOf(t, policy, c.Items)
			if !slices.Equal(got.Scores(), want.Scores()) {
				t.Fatalf("%s: scores %v, the policy gives %v", one.describe(current), got.Scores(), want.Scores())
			}
			a, errA := simulate.DryRunAt(context.Background(), got, c.Budget, 100)
			b, errB := simulate.DryRunAt(context.Background(), want, c.Budget, 100)
			if errA != nil || errB != nil || !slices.Equal(a.Included, b.Included) {
				t.Fatalf("%s: %v and %v are in, %v, %v", one.describe(current), a.Included, b.Included, errA, errB)
			}
			compared++
		}
	}
	if compared < 200 {
		t.Errorf("only %d candidates", compared)
	}
}

// alike is n cases of 12 items of one size, with hints, times and labels that have
// nothing to do with each other: no policy is better than another.
func alike(t testing.TB, r *rand.Rand, n, groups int) []*Case {
	t.Helper()
	all := make([]*Case, n)
	for i := range all {
		items := make([]model.Item, 12)
		for k := range items {
			items[k] = model.Item{
				Content: fmt.Sprint(i, " ", k), Tokens: 10, FutureRelevanceHint: model.Some(r.Float64()),
				Timestamp: model.Some(time.Unix(r.Int64N(1000), 0)),
			}
		}
		set := musttest.Of(model.NewSet(items))(t)
		labels := map[int]int{}
		for _, k := range r.Perm(12)[:3] {
			labels[k] = 1
		}
		all[i] = &Case{Name: fmt.Sprint("q", i), Group: fmt.Sprint("g", i%groups), Items: set, Labels: model.Labels{Grades: labels}}
	}
	return all
}

// TestShuffledLabels tunes on labels that say nothing: what is recommended there
// is recommended by chance, in at most 5 % of the runs. That all policies take as
// many items as each other gives chance its full part.
func TestShuffledLabels(t *testing.T) {
	runs := randomtest.Rounds(20, 200)
	recommended, differ := 0, 0
	for seed := range runs {
		made := tuned(t, alike(t, rand.New(rand.NewPCG(uint64(seed), 15)), 32, 8), TuneOptions{Current: twoScorers(), At: Amount{Tokens: 60}, Seed: uint64(seed)})
		if made.Recommended {
			recommended++
		}
		if made.Best.HeldOut != made.Best.Current {
			differ++
		}
	}
	t.Logf("%d of %d runs recommend a change; in %d another policy is held out", recommended, runs, differ)
	if recommended > runs/20 || differ < runs/2 {
		t.Errorf("%d of %d runs recommend a change, at most 5 %% may; in %d another policy is held out", recommended, runs, differ)
	}
}

func TestTuneRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 17))
	cases := shortAndLong(t, r, 40, 10)
	for name, c := range map[string]struct {
		cases []*Case
		o     TuneOptions
	}{
		"29 cases in 10 groups can be measured, but 30 cases in 8 groups": {cases[:29], TuneOptions{}},
		"40 cases in 7 groups":     {shortAndLong(t, r, 40, 7), TuneOptions{}},
		"0 cases in 0 groups":      {cases, TuneOptions{Objective: ForAnswered}},
		`no objective "fame"`:      {cases, TuneOptions{Objective: "fame"}},
		"the wanted recall is 1.5": {cases, TuneOptions{Wanted: 1.5}},
		"1 folds":                  {cases, TuneOptions{Folds: 1}},
	} {
		c.o.Current, c.o.At = greedyPolicy(), Amount{Tokens: 100}
		musttest.Says(t, musttest.Refusal(Tune(context.Background(), source(c.cases), c.o)), name)
	}
	_, err := Tune(context.Background(), source(cases[:5]), TuneOptions{Current: greedyPolicy(), At: Amount{Tokens: 100}})
	if few, ok := errors.AsType[*TooFewError](err); !ok || few.Cases != 5 || few.Groups != 5 {
		t.Errorf("five cases: %v", err)
	}
	quotas := greedyPolicy()
	quotas.Quotas = []model.Quota{{Kind: "Message", MinPercent: model.Some(5.0)}}
	if _, err := Tune(context.Background(), source(cases), TuneOptions{Current: quotas, At: Amount{Tokens: 100}}); err == nil {
		t.Error("quotas are taken")
	}
}

func TestTuneIsStopped(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(18, 19)), 60, 10)
	for _, stop := range []struct{ round, done, cases int }{
		{0, 5, 0}, {1, 5, 0}, // too few are measured to tell anything
		{1, 45, 45}, {2, 5, 60},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		best := ""
		o := TuneOptions{Current: twoScorers(), At: Amount{Tokens: 100}, Progress: func(p TuneProgress) {
			if p.Round == stop.round && p.Done == stop.done {
				best = p.Best
				cancel()
			}
		}}
		made, err := Tune(ctx, source(cases), o)
		cancel()
		if stop.cases == 0 {
			musttest.Is(t, err, context.Canceled, "stopped in", stop)
			continue
		}
		if err != nil || !made.Stopped || made.Tried != made.Grid || made.Cases != stop.cases || made.Best.Versus.Win+made.Best.Versus.Tie+made.Best.Versus.Loss != stop.cases {
			t.Errorf("stopped in %+v: %+v, %v", stop, made, err)
			continue
		}
		musttest.Is(t, made.Best.Versus.MinP, 1./1001, "stopped in", stop, "the least p")
		if best != made.Best.Says || !strings.HasSuffix(made.Best.Policy.Description, "; stopped before the search was done") {
			t.Errorf("stopped in %+v with %q, and told was %q", stop, made.Best.Policy.Description, best)
		}
	}
}

func TestTuneForCupelAlone(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(26, 27)), 40, 10)
	made := tuned(t, cases, TuneOptions{Current: twoScorers(), At: Amount{Tokens: 100}, CupelOnly: true, Data: "a set"})
	if len(made.Best.NotCupel) > 0 || !reflect.DeepEqual(made.Best, made.Cupel.Value) || !strings.Contains(made.Best.Policy.Description, "in 10 groups of a set; held out") {
		t.Errorf("got %+v", made)
	}
	sharpened := greedyPolicy()
	sharpened.Scorers = []model.Scorer{{Type: model.ScorePower, Weight: 1, Inner: &model.Scorer{Type: model.ScoreReflexive, Weight: 1}, Exponent: 3}}
	o := TuneOptions{Current: sharpened, At: Amount{Tokens: 100}}
	if made := tuned(t, cases, o); made.Cupel.Set {
		t.Errorf("of policies with power, Cupel is to load %s", made.Cupel.Value.Says)
	}
	o.CupelOnly = true
	musttest.Says(t, musttest.Refusal(Tune(context.Background(), source(cases), o)), "not Cupel's", "only for Cupel, from a policy with power")
}

func TestFoldsKeepGroupsTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 21))
	for range 200 {
		groups := make([]string, 1+r.IntN(80))
		for i := range groups {
			groups[i] = fmt.Sprint(r.IntN(12))
		}
		k := 1 + r.IntN(6)
		folds := deal(groups, k, 5)
		if !slices.Equal(folds, deal(groups, k, 5)) {
			t.Fatal("one seed deals twice in different ways")
		}
		foldOf, size := map[string]int{}, map[int]int{}
		for i, g := range groups {
			if f, ok := foldOf[g]; ok && f != folds[i] {
				t.Fatalf("group %s is in folds %d and %d", g, f, folds[i])
			}
			foldOf[g] = folds[i]
			size[folds[i]]++
		}
		if want := min(k, len(foldOf)); len(size) != want {
			t.Fatalf("%d groups in %d folds, want %d", len(foldOf), len(size), want)
		}
	}
}

// TestAFoldNeverSeesItself moves what one fold needs: what the search without
// that fold chose stays the same.
func TestAFoldNeverSeesItself(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(22, 23)), 40, 10)
	o := TuneOptions{Current: twoScorers(), At: Amount{Tokens: 100}, Seed: 4}
	before := tuned(t, cases, o)
	var groups []string
	for i, c := range cases {
		groups = append(groups, c.group(i))
	}
	for i, f := range deal(groups, before.Folds, o.Seed) {
		if f == 2 {
			cases[i].Labels.Grades = map[int]int{1 + i%8: 1}
		}
	}
	after := tuned(t, cases, o)
	musttest.Is(t, before.Best.ByFold[2], after.Best.ByFold[2], "fold 2 chose")
	musttest.Is(t, before.Cupel.Value.ByFold[2], after.Cupel.Value.ByFold[2], "fold 2 chose")
	if before.Best.HeldOut == after.Best.HeldOut {
		t.Error("the labels of the fold do not count")
	}
}

// What is searched is told before it begins: each policy of the grid once, the
// current one among them, and bounds that the search keeps.
func TestTheSpaceIsToldBefore(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(28, 29)), 40, 10)
	var told Space
	o := TuneOptions{Current: twoScorers(), At: Amount{Tokens: 100}}
	o.Begin = func(ctx context.Context, s Space) error {
		told = s
		return s.Try(ctx)
	}
	o.Progress = func(p TuneProgress) {
		if p.Round > 0 && told.Cases == 0 {
			t.Error("the search has begun")
		}
		if p.Round > 1 && p.Policies > told.Round || p.Round > 1+told.Rounds {
			t.Errorf("round %d tries %d policies, told were at most %d in %d rounds", p.Round, p.Policies, told.Round, told.Rounds)
		}
	}
	made := tuned(t, cases, o)
	if told.Cases != 40 || told.Groups != 10 || told.Folds != 5 || told.Sample == 0 || made.Grid != len(told.Grid) || made.Tried > made.Grid+told.Rounds*told.Round {
		t.Errorf("told is %+v, done was %+v", told, made)
	}
	sorted := slices.Sorted(slices.Values(told.Grid))
	if len(slices.Compact(sorted)) != len(told.Grid) || !slices.Contains(told.Grid, start(o.Current).describe(o.Current)) {
		t.Errorf("the space is %q", told.Grid)
	}
	enough := errors.New("that is too much")
	o.Begin = func(context.Context, Space) error { return enough }
	musttest.Is(t, musttest.Refusal(Tune(context.Background(), source(cases), o)), enough, "a caller who does not want it")
}

// Power changes no order by score, and under a knapsack small powers come to no
// value: only greedy has it.
func TestPowerIsJoinedWithGreedyAlone(t *testing.T) {
	p := twoScorers()
	with := map[model.SlicerType]bool{}
	all := grid(p)
	for _, c := range grid(p) {
		all = append(all, c.neighbours()...)
	}
	for _, c := range all {
		with[c.slicer] = with[c.slicer] || c.exponent > 1
	}
	for s, power := range with {
		musttest.Is(t, power, s == model.Greedy, s, "with power")
	}
	musttest.Is(t, len(with), 4, "slicers", with)
}
