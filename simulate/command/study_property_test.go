package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// sourceVerb is any verb about one source.
type sourceVerb func(ctx context.Context, o session.Options, s Streams) error

// answered runs a verb on a scenario and reads its JSON.
func answered[A any](t *testing.T, s model.Scenario, v sourceVerb) (answer A, err error) {
	t.Helper()
	text := musttest.Of(itemset.MarshalScenario(s))(t)
	streams, out, _ := streams(string(text))
	if err := v(context.Background(), session.Options{Sources: []string{"-"}}, streams); err != nil {
		if out.Len() > 0 {
			t.Fatalf("an answer beside the error %v: %s", err, out)
		}
		return answer, err
	}
	decoder := json.NewDecoder(bytes.NewReader(out.Bytes()))
	if err := decoder.Decode(&answer); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return answer, nil
}

// eachExperiment calls f for random scenarios that have items, with their
// ranking.
func eachExperiment(t *testing.T, seed uint64, f func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 15))
	for range randomtest.Rounds(250, 1500, 1500) {
		s := randomExperiment(t, rng)
		if s.Items.Len() == 0 {
			continue
		}
		pipe := musttest.Of(pipeline.New(s.Policy))(t)
		r := musttest.Of(pipe.Rank(context.Background(), s.Items))(t)
		f(rng, s, r)
	}
}

var inJSON = answerOptions{Output: "json"}

// studied are the options for all items up to a ceiling, as JSON.
func studied(ceiling model.Tokens) studyOptions {
	return studyOptions{answerOptions: inJSON, Ceiling: strconv.Itoa(int(ceiling))}
}

type jsonItem struct {
	Index     int
	Kind      string
	Tokens    model.Tokens
	Count     string
	FirstLine string
}

func TestMinBudgetIsBruteForce(t *testing.T) {
	type answer struct {
		Budget                          json.RawMessage
		Bare                            bool
		Ceiling                         model.Tokens
		Asked, SeveralRanges, Differing int
		CupelRefuses                    string
		Items                           []struct {
			jsonItem
			BinarySearch, FirstIn, StaysFrom *model.Tokens
			BudgetShare                      float64
			Ranges                           int
			Differs                          bool
		}
	}
	compared := 0
	eachExperiment(t, 1, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		ceiling, bare := model.Tokens(rng.IntN(60)), rng.IntN(3) == 0
		got, err := answered[answer](t, s, func(ctx context.Context, o session.Options, st Streams) error {
			return writeMinBudgets(ctx, o, minBudgetOptions{studyOptions: studied(ceiling), Bare: bare}, st)
		})
		template := &s.Budget
		if bare {
			template = nil
		}
		several, differing := 0, 0
		for i := range s.Items.Len() {
			bands, broken := bandsByBruteForce(t, r, s.Budget, bare, i, ceiling)
			if broken != nil {
				if !as[*model.ScarcityError](err) {
					t.Fatalf("%v, want %v", err, broken)
				}
				return
			}
			musttest.Do(t, err)
			row := got.Items[i]
			var exact, stays, search *model.Tokens
			share, between := 0.0, ceiling+1
			if n := len(bands); n > 0 {
				exact = &bands[0][0]
				if bands[n-1][1] == ceiling {
					stays, between = &bands[n-1][0], bands[n-1][0]
				}
				in := model.Tokens(0)
				for b := *exact; b < between; b++ {
					if slices.ContainsFunc(bands, func(band [2]model.Tokens) bool { return band[0] <= b && b <= band[1] }) {
						in++
					}
				}
				if share = 1; between > *exact {
					share = float64(in) / float64(between-*exact)
				}
				if n > 1 {
					several++
				}
			}
			found, refused := simulate.FindMinBudgetFor(r, i, ceiling, template)
			if found.Set {
				search = &found.Value
			}
			differs := refused == nil && !reflect.DeepEqual(search, exact)
			if differs {
				differing++
			}
			if row.Index != i || !reflect.DeepEqual([]*model.Tokens{row.FirstIn, row.StaysFrom, row.BinarySearch}, []*model.Tokens{exact, stays, search}) ||
				row.BudgetShare != share || row.Ranges != len(bands) || row.Differs != differs {
				t.Fatalf("item %d: %+v, bands %v, search %v, %v", i, row, bands, found, refused)
			}
			compared++
		}
		refuses := r.Shifts() != slicer.Shifts{}
		if got.SeveralRanges != several || got.Differing != differing || got.Asked != s.Items.Len() || got.Ceiling != ceiling || got.Bare != bare ||
			(got.CupelRefuses == simulate.ErrSearchNotMonotonic.Error()) != refuses {
			t.Fatalf("%+v, want %d with several ranges, %d differing", got, several, differing)
		}
	})
	if compared < 500 {
		t.Errorf("only %d items compared", compared)
	}
}

func TestProfileIsBruteForce(t *testing.T) {
	type answer struct {
		Budget        json.RawMessage
		Ceiling       model.Tokens
		SeveralRanges int
		Items         []struct {
			jsonItem
			Ranges int
			Bands  [][2]model.Tokens
		}
	}
	compared := 0
	eachExperiment(t, 2, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		ceiling := model.Tokens(rng.IntN(60))
		got, err := answered[answer](t, s, func(ctx context.Context, o session.Options, st Streams) error {
			return writeProfile(ctx, o, profileOptions{studyOptions: studied(ceiling)}, st)
		})
		for i := range s.Items.Len() {
			bands, broken := bandsByBruteForce(t, r, s.Budget, false, i, ceiling)
			if (broken != nil) != (err != nil) {
				t.Fatalf("%v, want %v", err, broken)
			}
			if err != nil {
				return
			}
			if row := got.Items[i]; !reflect.DeepEqual(row.Bands, bands) || row.Ranges != len(bands) {
				t.Fatalf("item %d: %+v, want %v", i, row, bands)
			}
			compared++
		}
	})
	if compared < 500 {
		t.Errorf("only %d items compared", compared)
	}
}

func TestMarginalIsBruteForce(t *testing.T) {
	type answer struct {
		Budget           json.RawMessage
		SlackTokens      model.Tokens
		Marginal, Gained []int32
		CupelRefuses     string
		Items            []struct {
			Change string
			jsonItem
			Score float64
		}
	}
	compared, refused := 0, 0
	eachExperiment(t, 3, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		s.Slack = min(model.Tokens(rng.IntN(12)), s.Budget.TargetTokens())
		got, err := answered[answer](t, s, func(ctx context.Context, o session.Options, st Streams) error {
			return marginal(ctx, o, studyOptions{answerOptions: inJSON}, st)
		})
		reduced, broken := s.Budget.At(s.Budget.MaxTokens() - s.Slack)
		var before, after *model.Report
		if broken == nil {
			before, broken = r.DryRun(s.Budget)
		}
		if broken == nil {
			after, broken = r.DryRun(reduced)
		}
		if (broken == nil) != (err == nil) {
			t.Fatalf("%v, want %v", err, broken)
		}
		if err != nil {
			return
		}
		lost, gained := []int32{}, []int32{}
		for _, i := range before.Included {
			if !after.In(int(i)) {
				lost = append(lost, i)
			}
		}
		for i := range s.Items.Len() {
			if after.In(i) && !before.In(i) {
				gained = append(gained, int32(i))
			}
		}
		if !slices.Equal(got.Marginal, lost) || !slices.Equal(got.Gained, gained) || len(got.Items) != len(lost)+len(gained) || got.SlackTokens != s.Slack {
			t.Fatalf("%+v, want %v and %v", got, lost, gained)
		}
		cupel, err := simulate.MarginalItems(t.Context(), r, s.Budget, s.Slack)
		switch {
		case errors.Is(err, simulate.ErrMarginalNotMonotonic):
			if got.CupelRefuses != err.Error() {
				t.Fatalf("refused with %q", got.CupelRefuses)
			}
			refused++
		case err != nil || !slices.Equal(cupel, lost) || got.CupelRefuses != "":
			t.Fatalf("Cupel says %v, %v; refused %q", cupel, err, got.CupelRefuses)
		}
		compared++
	})
	if compared < 80 || refused < 10 {
		t.Errorf("only %d compared, %d of them refused", compared, refused)
	}
}

func TestSweepIsBruteForce(t *testing.T) {
	type point struct {
		MaxTokens, Room                model.Tokens
		IncludedCount                  *int
		Tokens                         *model.Tokens
		Filled, Value, Best, BelowBest *float64
		Falls                          string
		Selected                       int
		IncludedCountB                 *int
		TokensB                        *model.Tokens
		FilledB, ValueB                *float64
		FallsB                         string
	}
	type answer struct {
		Budget         json.RawMessage
		From, To, Step model.Tokens
		Points         []point
	}
	// run is the result at a budget; nil: the pipeline does not run.
	run := func(r *pipeline.Ranking, template model.Budget, at model.Tokens) *model.Report {
		b, err := template.At(at)
		if err != nil {
			return nil
		}
		report, err := r.DryRun(b)
		if err != nil && !as[*model.PinnedError](err) && !as[*model.OverflowError](err) {
			t.Fatal(err)
		}
		return report
	}
	same := func(a, b *model.Report) bool {
		if a == nil || b == nil {
			return a == b
		}
		in, out := simulate.Diff(a, b)
		return len(in)+len(out) == 0
	}
	value := func(r *model.Report) (sum float64) {
		if r != nil {
			sum = r.Value
		}
		return sum
	}
	count := func(r *model.Report) int {
		if r == nil {
			return 0
		}
		return len(r.Included)
	}
	compared := 0
	eachExperiment(t, 4, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		w := sweepOptions{studyOptions: studied(70), PolicyB: "knapsack:3"}
		w.Items = []string{"kind:doc", "kind:mess"}
		from, to, step := model.Tokens(rng.IntN(30)), model.Tokens(30+rng.IntN(30)), model.Tokens(rng.IntN(4))
		w.From, w.To = strconv.Itoa(int(from)), strconv.Itoa(int(to))
		if step > 0 {
			w.Step = strconv.Itoa(int(step))
		}
		other := musttest.Of(session.NamedPolicy(t.Context(), w.PolicyB, session.Own{A: s.Policy}))(t)
		pipe := musttest.Of(pipeline.New(other))(t)
		b := musttest.Of(pipe.Rank(context.Background(), s.Items))(t)
		got, err := answered[answer](t, s, func(ctx context.Context, o session.Options, st Streams) error { return writeSweep(ctx, o, w, st) })
		if err != nil {
			if as[*model.ScarcityError](err) || strings.Contains(err.Error(), "none of") {
				return
			}
			t.Fatal(err)
		}
		k := 0
		beforeA, beforeB := run(r, s.Budget, from), run(b, s.Budget, from)
		for at := from; at <= to; at++ {
			inA, inB := run(r, s.Budget, at), run(b, s.Budget, at)
			if step == 0 && at > from && same(inA, run(r, s.Budget, at-1)) && same(inB, run(b, s.Budget, at-1)) || step > 0 && (at-from)%step != 0 {
				continue
			}
			if k == len(got.Points) {
				t.Fatalf("no point at %v", at)
			}
			p := got.Points[k]
			k++
			in := 0
			if inA != nil {
				for _, i := range inA.Included {
					if kind := s.Items.Loaded(int(i)).Kind; kind == model.Document || kind == model.Message {
						in++
					}
				}
			}
			if p.MaxTokens != at || (p.IncludedCount == nil) != (inA == nil) || (p.IncludedCountB == nil) != (inB == nil) || p.Selected != in {
				t.Fatalf("at %v: %+v, want %+v and %+v, %d selected", at, p, inA, inB, in)
			}
			if inA != nil && (*p.IncludedCount != len(inA.Included) || *p.Tokens != inA.Kept || math.Abs(*p.Value-inA.Value) > 1e-9 || p.Room != inA.Effective.Target ||
				p.Best != nil && (*p.Best < inA.Value-1e-9 || math.Abs(*p.BelowBest**p.Best-max(0, *p.Best-inA.Value)) > 1e-6)) {
				t.Fatalf("at %v: %+v, want %+v", at, p, inA)
			}
			if inB != nil && (*p.IncludedCountB != len(inB.Included) || *p.TokensB != inB.Kept || math.Abs(*p.ValueB-inB.Value) > 1e-9) {
				t.Fatalf("at %v: %+v, want %+v", at, p, inB)
			}
			for _, f := range [...]struct {
				says          string
				before, after *model.Report
			}{{p.Falls, beforeA, inA}, {p.FallsB, beforeB, inB}} {
				if strings.Contains(f.says, "items") != (count(f.after) < count(f.before)) || strings.Contains(f.says, "value") != (value(f.after) < value(f.before)-1e-9) {
					t.Fatalf("at %v falls %q: %d items after %d, value %v after %v", at, f.says, count(f.after), count(f.before), value(f.after), value(f.before))
				}
			}
			beforeA, beforeB = inA, inB
			compared++
		}
		if k != len(got.Points) {
			t.Fatalf("%d points, want %d", len(got.Points), k)
		}
	})
	if compared < 500 {
		t.Errorf("only %d points compared", compared)
	}
}
