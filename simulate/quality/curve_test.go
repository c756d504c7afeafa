package quality

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// randomCase has duplicates, pinned and negative items and items without tokens,
// and labels on all of them.
func randomCase(t testing.TB, r *rand.Rand, n int) *Case {
	t.Helper()
	items := make([]model.Item, n)
	labels := model.Labels{Grades: map[int]int{}}
	for i := range items {
		items[i] = model.Item{
			Content: fmt.Sprint("text ", r.IntN(2*n)), Tokens: model.Tokens(r.IntN(8) - 1), Pinned: r.IntN(12) == 0,
			Kind: randomtest.Pick[model.Kind](r, "Message", "Document"), FutureRelevanceHint: model.Some(r.Float64()),
		}
		if r.IntN(3) == 0 {
			labels.Grades[i] = r.IntN(4)
		}
	}
	if r.IntN(2) == 0 {
		labels.Answers = []string{fmt.Sprint("The ", r.IntN(2*n)), "nowhere"}
	}
	set := musttest.Of(model.NewSet(items))(t)
	f := model.BudgetFields{MaxTokens: 40, TargetTokens: model.Some(40 - randomtest.Pick[model.Tokens](r, 0, 0, 3))}
	randomtest.Reserve(randomtest.Seeded(r.Uint64(), 1), &f, 5)
	b := musttest.Of(model.NewBudget(f))(t)
	return &Case{Name: fmt.Sprint("case ", n), Items: set, Budget: b, Labels: labels}
}

func randomPolicy(r *rand.Rand) model.Policy {
	p := randomtest.Divided(r, "Document", "absent")
	p.Scarcity = ""
	return p
}

func rankingOf(t testing.TB, p model.Policy, s *model.Set) *pipeline.Ranking {
	t.Helper()
	pipe := musttest.Of(pipeline.New(p))(t)
	return musttest.Of(pipe.Rank(context.Background(), s))(t)
}

// plainMeasure is the measures by their definitions, from a report alone.
func plainMeasure(report *model.Report, l model.Labels, survivors []int32) Measure {
	var m Measure
	in := map[int]bool{}
	if report != nil {
		for _, item := range report.Included {
			in[int(item)] = true
			m.Tokens += report.Items.Tokens(int(item))
		}
		m.Value = report.Value
	}
	stands := func(item int) int {
		if survivors != nil && survivors[item] >= 0 {
			return int(survivors[item])
		}
		return item
	}
	got, all, complete := 0, 0, true
	needed := map[int]bool{}
	for item, grade := range l.Grades {
		all += grade
		if grade > 0 {
			m.Needed++
		}
		switch {
		case grade == 0:
		case in[stands(item)]:
			m.In++
			got += grade
			needed[stands(item)] = true
		default:
			complete = false
		}
	}
	if all > 0 {
		m.Recall, m.Complete = model.Some(float64(got)/float64(all)), model.Some(complete)
		m.WholeRecall = m.Recall // no item may be cut
		if m.Tokens > 0 {
			tokens := model.Tokens(0)
			for item := range needed {
				tokens += report.Items.Tokens(item)
			}
			m.ShareNeeded = model.Some(float64(tokens) / float64(m.Tokens))
		}
	}
	if len(l.Answers) > 0 {
		m.Answered = model.Some(false)
		for item := range in {
			for _, answer := range l.Answers { // contents are "text N", answers "The N"
				if len(answer) > 4 && report.Items.Item(item).Content == "text "+answer[4:] {
					m.Answered = model.Some(true)
				}
			}
		}
	}
	return m
}

func TestQualityAtEveryBudget(t *testing.T) {
	rounds := randomtest.Rounds(80, 400)
	r := rand.New(rand.NewPCG(1, 2))
	lost, answered := 0, 0
	for range rounds {
		c, p := randomCase(t, r, 1+r.IntN(14)), randomPolicy(r)
		ranking := rankingOf(t, p, c.Items)
		judge := musttest.Of(NewJudge(ranking, c.Labels, nil))(t)
		const end = 60
		profile := musttest.Of(simulate.NewProfile(context.Background(), ranking, c.Budget, end))(t)
		curve := musttest.Of(NewCurve(t.Context(), profile, judge))(t)
		wanted := randomtest.Pick(r, 0.1, 0.5, 0.9, 1)
		reaches, holds := model.Tokens(-1), model.Tokens(-1)
		for b := model.Tokens(0); b <= end; b++ {
			report := musttest.Of(simulate.DryRunAt(context.Background(), ranking, c.Budget, b))(t)
			want := plainMeasure(report, c.Labels, ranking.Survivors())
			if got := judge.Measure(report); got != want {
				t.Fatalf("at %d: measured %+v, want %+v", b, got, want)
			}
			got := curve.At(b)
			got.Value = want.Value // added up in another order
			if got != want {
				t.Fatalf("%s at %d: the curve has %+v, want %+v", p.Slicer, b, got, want)
			}
			if want.Answered.Value {
				answered++
			}
			switch enough := want.Recall.Set && want.Recall.Value >= wanted; {
			case enough && holds < 0:
				holds = b
				if reaches < 0 {
					reaches = b
				}
			case !enough && holds >= 0:
				holds = -1
				lost++
			}
		}
		check := func(what string, got model.Tokens, ok bool, want model.Tokens) {
			if ok != (want >= 0) || ok && got != want {
				t.Fatalf("%s %v of the recall at %d, %v, want %d", what, wanted, got, ok, want)
			}
		}
		got, ok := curve.Reaches(wanted)
		check("reaches", got, ok, reaches)
		got, ok = curve.Holds(wanted)
		check("holds", got, ok, holds)
		blockers, others := curve.Blockers()
		inFrom := model.Tokens(-1) // all that is needed but the blockers
		for b := model.Tokens(end); b >= 0; b-- {
			report := musttest.Of(simulate.DryRunAt(context.Background(), ranking, c.Budget, b))(t)
			out := func(n need) bool {
				return n.item != notFound && !slices.Contains(blockers, int32(n.item)) && (report == nil || !report.In(n.item))
			}
			if slices.ContainsFunc(judge.needed, out) {
				break
			}
			inFrom = b
			for _, item := range blockers {
				if b == end && report != nil && report.In(int(item)) {
					t.Fatalf("#%d blocks and is in at the ceiling", item)
				}
			}
		}
		if others.Set && others.Value != inFrom {
			t.Fatalf("all but %v stay in from %v, want %v", blockers, others, inFrom)
		}
		if curve.At(0).Recall.Set {
			for b := model.Tokens(1); b <= end; b++ {
				musttest.Is(t, curve.At(b).Recall.Value < curve.At(b-1).Recall.Value, curve.Less(profile.PointAt(b), profile.PointAt(b-1)), "less at", b, "than below it")
			}
		}
	}
	if lost < rounds/20 || answered == 0 {
		t.Errorf("the recall was lost again %d times, %d results have an answer: the cases show nothing", lost, answered)
	}
}

func TestAnswersAreWholeWords(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "It is an apple pie."}, {Content: "Pineapple"}, {Content: "APPLE"}}))(t)
	if got := newAnswers(set, []string{"the apple"}, nil).whole; fmt.Sprint(got) != "[0 2]" {
		t.Errorf("items %v hold the answer, want whole words in 0 and 2", got)
	}
}

// TestACurveStops: a context that has ended ends the work on a curve.
func TestACurveStops(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c := randomCase(t, r, 12)
	ranking := rankingOf(t, randomPolicy(r), c.Items)
	judge := musttest.Of(NewJudge(ranking, model.Labels{Grades: map[int]int{0: 1}}, nil))(t)
	profile := musttest.Of(simulate.NewProfile(context.Background(), ranking, c.Budget, 60))(t)
	ended, end := context.WithCancel(context.Background())
	end()
	if curve, err := NewCurve(ended, profile, judge); curve != nil || err != context.Canceled {
		t.Errorf("got %v, %v", curve, err)
	}
}
