package command

import (
	"cmp"
	"context"
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

// answered runs a verb on a scenario and reads its JSON.
func answered[A, O any](t *testing.T, s model.Scenario, verb func(context.Context, session.Options, O, Streams) error, of O) (answer A, err error) {
	t.Helper()
	out, _, err := ran(verb, string(musttest.Of(itemset.MarshalScenario(s))(t)), session.Options{Sources: []string{"-"}}, of)
	switch {
	case err != nil && out != "" && !ends(err, Failed):
		t.Fatalf("an answer beside the error %v: %s", err, out)
	case out != "":
		answer = musttest.JSON[A](t, out)
	}
	return answer, err
}

// eachExperiment calls f for random scenarios that have items, with their
// ranking.
func eachExperiment(t *testing.T, seed uint64, f func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 15))
	for range randomtest.Rounds(250, 1500) {
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
	return studyOptions{answerOptions: inJSON, Ceiling: model.Some(ceiling)}
}

// profileOf returns the profile that package simulate makes of a ranking, which its own tests hold
// to dry runs at every budget, and the error where a kind is too scarce.
func profileOf(t *testing.T, r *pipeline.Ranking, template model.Budget, ceiling model.Tokens) (*simulate.Profile, error) {
	t.Helper()
	p, err := simulate.NewProfile(t.Context(), r, template, ceiling)
	if !as[*model.ScarcityError](err) {
		musttest.Do(t, err)
	}
	return p, err
}

// jsonBands returns the bands of an item as JSON has them.
func jsonBands(p *simulate.Profile, item int) [][2]model.Tokens {
	bands := [][2]model.Tokens{}
	for _, b := range p.Bands(nil, item) {
		bands = append(bands, [2]model.Tokens{b.From, b.To})
	}
	return bands
}

// orNil returns a number as JSON has it, nil for none.
func orNil(n model.Option[model.Tokens]) *model.Tokens {
	if !n.Set {
		return nil
	}
	return &n.Value
}

func TestMinBudgetSaysWhatTheProfileSays(t *testing.T) {
	type answer struct {
		Bare                            bool
		Ceiling                         model.Tokens
		Asked, SeveralRanges, Differing int
		CupelRefuses                    string
		Items                           []struct {
			Index                            int
			BinarySearch, FirstIn, StaysFrom *model.Tokens
			BudgetShare                      float64
			Ranges                           int
			Differs                          bool
		}
	}
	compared := 0
	eachExperiment(t, 1, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		ceiling, bare := model.Tokens(rng.IntN(60)), rng.IntN(3) == 0
		got, err := answered[answer](t, s, writeMinBudgets, minBudgetOptions{studyOptions: studied(ceiling), Bare: bare})
		template := s.Budget
		if bare {
			template = model.Budget{}
		}
		p, scarce := profileOf(t, r, template, ceiling)
		if as[*model.ScarcityError](err) != (scarce != nil) {
			t.Fatalf("%v, want %v", err, scarce)
		}
		if scarce != nil {
			return
		}
		musttest.Do(t, err)
		several, differing := 0, 0
		for i := range s.Items.Len() {
			row, want := got.Items[i], p.Summary(i)
			if want.Ranges > 1 {
				several++
			}
			found, refused := simulate.FindMinBudgetFor(r, i, ceiling, &template)
			differs := refused == nil && found != want.FirstIn
			if differs {
				differing++
			}
			if row.Index != i || !reflect.DeepEqual([]*model.Tokens{row.FirstIn, row.StaysFrom, row.BinarySearch}, []*model.Tokens{orNil(want.FirstIn), orNil(want.StaysFrom), orNil(found)}) ||
				row.BudgetShare != want.Share || row.Ranges != want.Ranges || row.Differs != differs {
				t.Fatalf("item %d: %+v, want %+v, search %v, %v", i, row, want, found, refused)
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

func TestProfileSaysWhatTheProfileSays(t *testing.T) {
	type answer struct {
		Items []struct {
			Ranges int
			Bands  [][2]model.Tokens
		}
	}
	eachExperiment(t, 2, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		ceiling := model.Tokens(rng.IntN(60))
		got, err := answered[answer](t, s, writeProfile, profileOptions{studyOptions: studied(ceiling)})
		p, scarce := profileOf(t, r, s.Budget, ceiling)
		if (scarce != nil) != (err != nil) {
			t.Fatalf("%v, want %v", err, scarce)
		}
		for i, row := range got.Items {
			if want := jsonBands(p, i); !reflect.DeepEqual(row.Bands, want) || row.Ranges != len(want) {
				t.Fatalf("item %d: %+v, want %v", i, row, want)
			}
		}
		if err == nil && len(got.Items) != s.Items.Len() {
			t.Fatalf("%d of %d items", len(got.Items), s.Items.Len())
		}
	})
}

func TestMarginalSaysWhatIsAtRisk(t *testing.T) {
	type answer struct {
		SlackTokens      model.Tokens
		Marginal, Gained []int32
		CupelRefuses     string
		Items            []struct{ Index int }
	}
	compared, refused := 0, 0
	eachExperiment(t, 3, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		s.Slack = min(model.Tokens(rng.IntN(12)), s.Budget.TargetTokens())
		got, err := answered[answer](t, s, marginal, studyOptions{answerOptions: inJSON})
		full, broken := r.DryRun(s.Budget)
		less, tooMuch := s.Budget.Less(s.Slack)
		small, fails := r.DryRun(less)
		broken = cmp.Or(broken, tooMuch, fails)
		if (broken == nil) != (err == nil) {
			t.Fatalf("%v, want %v", err, broken)
		}
		if err != nil {
			return
		}
		lost, gained := simulate.Lost(full, small)
		if !slices.Equal(got.Marginal, lost) || !slices.Equal(got.Gained, gained) || len(got.Items) != len(lost)+len(gained) || got.SlackTokens != s.Slack {
			t.Fatalf("%+v, want %v and %v", got, lost, gained)
		}
		want := ""
		if _, err := simulate.MarginalItems(t.Context(), r, s.Budget, s.Slack); err != nil {
			want = err.Error()
			refused++
		}
		if got.CupelRefuses != want {
			t.Fatalf("refused with %q, want %q", got.CupelRefuses, want)
		}
		compared++
	})
	if compared < 80 || refused < 10 {
		t.Errorf("only %d compared, %d of them refused", compared, refused)
	}
}

func TestSweepSaysWhatTheCurvesSay(t *testing.T) {
	musttest.Alone(t)
	type point struct {
		MaxTokens, Room                model.Tokens
		IncludedCount, IncludedCountB  *int
		Tokens, TokensB                *model.Tokens
		Value, ValueB, Best, BelowBest *float64
		Falls, FallsB                  string
		Selected                       int
	}
	type answer struct{ Points []point }
	changes := func(p *simulate.Profile, at model.Tokens) bool {
		next, ok := p.Next(at - 1)
		return ok && next.At == at || p.PointAt(at).Runs != p.PointAt(at-1).Runs
	}
	same := func(want simulate.Point, count *int, tokens *model.Tokens, value *float64) bool {
		if !want.Runs {
			return count == nil
		}
		return count != nil && *count == want.Items && *tokens == want.Tokens && math.Abs(*value-want.Value) < 1e-9
	}
	compared := 0
	eachExperiment(t, 4, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		w := sweepOptions{studyOptions: studied(70), PolicyB: "knapsack:3"}
		w.Items = []string{"kind:doc", "kind:mess"}
		from, to, step := model.Tokens(rng.IntN(30)), model.Tokens(30+rng.IntN(30)), model.Tokens(rng.IntN(4))
		w.From, w.To = strconv.Itoa(int(from)), strconv.Itoa(int(to))
		w.Step.Value, w.Step.Set = step, step > 0
		other := musttest.Of(session.NamedPolicy(t.Context(), w.PolicyB, session.Own{A: s.Policy}))(t)
		b := musttest.Of(musttest.Of(pipeline.New(other))(t).Rank(context.Background(), s.Items))(t)
		got, err := answered[answer](t, s, writeSweep, w)
		profileA, scarceA := profileOf(t, r, s.Budget, 70)
		profileB, scarceB := profileOf(t, b, s.Budget, 70)
		if err != nil {
			if scarceA == nil && scarceB == nil && !strings.Contains(err.Error(), "none of") {
				t.Fatal(err)
			}
			return
		}
		k := 0
		beforeA, beforeB := profileA.PointAt(from), profileB.PointAt(from)
		for at := from; at <= to; at++ {
			if step == 0 && at > from && !changes(profileA, at) && !changes(profileB, at) || step > 0 && (at-from)%step != 0 {
				continue
			}
			if k == len(got.Points) {
				t.Fatalf("no point at %v", at)
			}
			p, wantA, wantB, in := got.Points[k], profileA.PointAt(at), profileB.PointAt(at), 0
			k++
			for i := range s.Items.Len() {
				kind := s.Items.Loaded(i).Kind
				if _, _, is := profileA.Nearest(i, at); is && (kind == model.Document || kind == model.Message) {
					in++
				}
			}
			if p.MaxTokens != at || !same(wantA, p.IncludedCount, p.Tokens, p.Value) || !same(wantB, p.IncludedCountB, p.TokensB, p.ValueB) || p.Selected != in ||
				wantA.Runs && (p.Room != wantA.Room() || p.Best != nil && (*p.Best < wantA.Value-1e-9 || math.Abs(*p.BelowBest**p.Best-max(0, *p.Best-wantA.Value)) > 1e-6)) {
				t.Fatalf("at %v: %+v, want %+v and %+v, %d selected", at, p, wantA, wantB, in)
			}
			for _, f := range [...]struct {
				says          string
				before, after simulate.Point
			}{{p.Falls, beforeA, wantA}, {p.FallsB, beforeB, wantB}} {
				musttest.Is(t, strings.Contains(f.says, "items"), f.after.Items < f.before.Items, "at", at, "falls", f.says, f.after, "after", f.before)
				musttest.Is(t, strings.Contains(f.says, "value"), f.after.Value < f.before.Value-1e-9, "at", at, "falls", f.says, f.after, "after", f.before)
			}
			beforeA, beforeB = wantA, wantB
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
