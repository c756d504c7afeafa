package simulate

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
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// TestProfileAgainstEveryBudget compares all answers of profiles with pipeline
// runs at every single budget, under all knobs at once.
func TestProfileAgainstEveryBudget(t *testing.T) {
	rounds := randomtest.Rounds(400, 8000)
	seen := map[string]int{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		chosen := randomPolicy(rng)
		switch seed % 6 {
		case 0, 3:
			chosen = committingPolicy(rng)
		case 1:
			chosen = randomtest.ByHints(rng)
		}
		set := randomSet(t, rng)
		if seed%30 == 0 && len(chosen.CountQuotas) > 0 {
			chosen.Scarcity = model.ScarcityFail
		}
		r := rank(t, chosen, set)
		if seed%4 == 1 {
			seen["wild"]++
			r = rankWild(t, chosen, set, wildScores[rng.IntN(len(wildScores)-5):])
		}
		template, end := randomTemplate(t, rng), model.Tokens(rng.IntN(randomtest.Pick(rng, 10, 80, 110)))
		p, err := NewProfile(context.Background(), r, template, end)
		if _, scarce := errors.AsType[*model.ScarcityError](err); scarce {
			seen["scarce"]++
			checkScarce(t, r, template, end)
			continue
		}
		musttest.Do(t, err)
		s := newScenario(t, r, template, end)
		checkProfile(t, s, p)
		tally(seen, s, chosen)

		// The same profile along another axis.
		template, end = randomTemplate(t, rng), model.Tokens(rng.IntN(randomtest.Pick(rng, 10, 80, 110)))
		if along, ok := p.Along(template, end); ok {
			seen["along"]++
			other := newScenario(t, r, template, end)
			checkProfile(t, other, along)
			tally(seen, other, chosen)
		} else if axis := musttest.Of(newAxis(r, template, end))(t); p.excess.fitted == nil {
			last, _ := axis.Target(end)
			e := excessOf(r, axis)
			if last <= p.inner.UpTo() && e.reaches(end) == 0 {
				t.Errorf("Along refuses a target of %d, the profile reaches %d", last, p.inner.UpTo())
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: policy %+v, template %+v, end %v, tokens %v", seed, r.Policy(), template.Fields(), end, r.Items().TokenColumn())
		}
	}
	t.Logf("%d scenarios, %d budgets: %v", rounds-seen["scarce"]+seen["along"], seen["budgets"], seen)
	// The scenarios must hold what they are to test.
	for _, what := range []string{
		"several ranges", "never stays", "pinned", "no budget runs", "zero", "duplicate", "along", "start above 0", "scarce",
		"greedy", "knapsack", "stream", "greedy quota", "knapsack quota", "greedy count", "knapsack count",
		"committed overflow", "runs again", "committed truncated", "committed in any room",
		"wild", "reserve", "slots", "gap", "margin", "margin 100", "throw", "truncate", "proceed", "negative", "excluded", "ties",
	} {
		if seen[what] < rounds/100 {
			t.Errorf("only %d scenarios of %d with: %s", seen[what], rounds, what)
		}
	}
}

// checkScarce holds the error of a whole profile to the runs on its axis: some
// must fail as well.
func checkScarce(t *testing.T, r *pipeline.Ranking, template model.Budget, end model.Tokens) {
	t.Helper()
	budget := musttest.Of(template.At(end))(t, "an axis that does not run is scarce")
	musttest.As[*model.ScarcityError](t, musttest.Refusal(r.DryRun(budget)), "the profile is scarce, and the run at its end")
}

// tally counts scenarios by what is special in them.
func tally(seen map[string]int, s scenario, policy model.Policy) {
	has := map[string]bool{"no budget runs": true}
	f, in, items := s.template.Fields(), s.ranking.Input(), s.ranking.Items()
	has["reserve"], has["slots"], has["gap"] = f.OutputReserve > 0, len(f.ReservedSlots) > 0, s.template.Gap() > 0
	has["margin"], has["margin 100"] = f.SafetyMargin > 0, f.SafetyMargin == 100
	has[string(policy.Overflow)] = true
	for i := range items.Len() {
		has["negative"] = has["negative"] || items.Tokens(i) < 0
		has["excluded"] = has["excluded"] || items.Excluded(i)
	}
	for k := 1; k < in.Len(); k++ {
		has["ties"] = has["ties"] || in.Scores[k] == in.Scores[k-1]
	}
	for b, r := range s.reports {
		if r != nil {
			has["no budget runs"] = false
			has["start above 0"] = has["start above 0"] || s.reports[0] == nil && b > 0
		}
	}
	for i := range s.ranking.Items().Len() {
		sum := s.summary(i)
		has["several ranges"] = has["several ranges"] || sum.Ranges > 1
		has["never stays"] = has["never stays"] || sum.FirstIn.Set && !sum.StaysFrom.Set
		has["pinned"] = has["pinned"] || s.ranking.Items().Pinned(i)
		has["zero"] = has["zero"] || s.ranking.Items().Tokens(i) == 0
	}
	has["duplicate"] = s.ranking.Survivors() != nil
	name := string(policy.Slicer)
	if len(policy.Quotas) > 0 {
		name += " quota"
	} else if len(policy.CountQuotas) > 0 {
		name += " count"
	}
	has[name] = true
	for b, r := range s.reports {
		has["committed overflow"] = has["committed overflow"] || s.overflows[b]
		has["runs again"] = has["runs again"] || r != nil && b > 0 && s.overflows[b-1]
		has["committed truncated"] = has["committed truncated"] || r != nil && len(r.Truncated) > 0
		has["committed in any room"] = has["committed in any room"] || r != nil && r.Overflow != nil && r.SlicedTokens > 0
		seen["budgets"]++
	}
	for what, yes := range has {
		if yes {
			seen[what]++
		}
	}
}

func checkProfile(t *testing.T, s scenario, p *Profile) {
	t.Helper()
	checkAxis(t, s)
	for i := range s.ranking.Items().Len() {
		bands := s.bands(i)
		if got := p.Bands(nil, i); !slices.Equal(got, bands) {
			t.Errorf("Bands(%d) = %v, want %v", i, got, bands)
		}
		if got := p.Bands([]Band{{7, 7}}, i); !slices.Equal(got, append([]Band{{7, 7}}, bands...)) {
			t.Errorf("Bands(%d) after another band = %v, want %v", i, got, bands)
		}
		want := s.summary(i)
		musttest.Is(t, p.Summary(i), want, "the summary of", i)
		checkNumber(t, "First", i, want.FirstIn, p.FirstIn)
		checkNumber(t, "Stays", i, want.StaysFrom, p.StaysFrom)
		checkItemChanges(t, s, p, i)
	}
	checkPoints(t, s, p)
	for b := -1; b <= len(s.reports); b++ {
		checkChange(t, "Next", b, p.Next, s.next)
		checkChange(t, "Prev", b, p.Prev, s.prev)
	}
	for b, want := range s.reports {
		sel, runs := p.Selection(model.Tokens(b), slicer.Selection{7})
		if runs != (want != nil) {
			t.Errorf("Selection at %d: runs is %v", b, runs)
		}
		for pos, item := range s.ranking.Input().Items {
			if sel.Has(pos) != s.in(int(item), b) {
				t.Errorf("Selection at %d has item %d: %v", b, item, sel.Has(pos))
			}
		}
		budget, err := p.Axis().Budget(model.Tokens(b))
		if err != nil {
			if want != nil {
				t.Errorf("Budget(%d): %v", b, err)
			}
			continue
		}
		got, err := p.Report(budget)
		switch {
		case want == nil && !tooSmall(err):
			t.Errorf("Report at %d: %v, the pipeline does not run", b, err)
		case want != nil && (err != nil || !sameReport(got, want)):
			t.Errorf("Report at %d: %+v, %v, want %+v", b, got, err, want)
		}
	}
}

// sameReport compares two reports; what a function says, item by item.
func sameReport(a, b *model.Report) bool {
	plainA, plainB := *a, *b
	plainA.CountCaps, plainB.CountCaps = nil, nil
	if !slices.EqualFunc(a.Scores, b.Scores, sameNumber) || !sameNumber(a.Value, b.Value) {
		return false
	}
	plainA.Scores, plainB.Scores, plainA.Value, plainB.Value = nil, nil, 0, 0 // NaN is not equal to itself
	if !reflect.DeepEqual(plainA, plainB) || (a.CountCaps == nil) != (b.CountCaps == nil) {
		return false
	}
	for i := range a.Codes {
		if a.CountCaps == nil || a.Codes[i] != model.CountCapExceeded {
			continue
		}
		kindA, capA, takenA := a.CountCaps(i)
		kindB, capB, takenB := b.CountCaps(i)
		if kindA != kindB || capA != capB || takenA != takenB {
			return false
		}
	}
	return true
}

func sameNumber(a, b float64) bool { return a == b || a != a && b != b }

func checkNumber(t *testing.T, name string, i int, want model.Option[model.Tokens], f func(int) (model.Tokens, bool)) {
	t.Helper()
	got, ok := f(i)
	if ok != want.Set || got != want.Value {
		t.Errorf("%s(%d) = %v, %v, want %+v", name, i, got, ok, want)
	}
}

func checkChange(t *testing.T, name string, b int, f func(model.Tokens) (Change, bool), brute func(int) (Change, bool)) {
	t.Helper()
	got, ok := f(model.Tokens(b))
	want, wantOK := brute(b)
	if ok != wantOK || got.At != want.At || !slices.Equal(got.In, want.In) || !slices.Equal(got.Out, want.Out) {
		t.Errorf("%s(%d) = %+v, %v, want %+v, %v", name, b, got, ok, want, wantOK)
	}
}

func checkItemChanges(t *testing.T, s scenario, p *Profile, item int) {
	t.Helper()
	end := len(s.reports) - 1
	for b := -1; b <= end+1; b++ {
		next, nextOK := -1, false
		for c := max(b, 0) + 1; c <= end && !nextOK; c++ {
			next, nextOK = c, s.in(item, c) != s.in(item, c-1)
		}
		if got, ok := p.NextFor(item, model.Tokens(b)); ok != nextOK || ok && got != model.Tokens(next) {
			t.Errorf("NextFor(%d, %d) = %v, %v, want %v, %v", item, b, got, ok, next, nextOK)
		}
		prev, prevOK := -1, false
		for c := min(b, end) - 1; c >= 0 && !prevOK; c-- {
			prev, prevOK = c, s.in(item, c) != s.in(item, min(b, end))
		}
		if got, ok := p.PrevFor(item, model.Tokens(b)); ok != prevOK || ok && got != model.Tokens(prev) {
			t.Errorf("PrevFor(%d, %d) = %v, %v, want %v, %v", item, b, got, ok, prev, prevOK)
		}
	}
}

// checkAxis holds the axis to the effective budgets of the reports.
func checkAxis(t *testing.T, s scenario) {
	t.Helper()
	firstRun := slices.IndexFunc(s.reports, func(r *model.Report) bool { return r != nil })
	if start, ok := s.axis.Start(); ok != (firstRun >= 0) || ok && start != model.Tokens(firstRun) {
		t.Errorf("Start = %v, %v, want %d", start, ok, firstRun)
	}
	var last slicer.Target
	targets := make([]slicer.Target, len(s.reports)) // -1: nothing is sliced
	for b, r := range s.reports {
		targets[b] = -1
		if budget, err := s.template.At(model.Tokens(b)); err == nil && (r != nil || s.overflows[b]) {
			targets[b] = slicer.Target(budget.Effective(s.ranking.PinnedTokens()).Target)
		}
		got, runs := s.axis.Target(model.Tokens(b))
		if runs != (targets[b] >= 0) || runs && got != targets[b] || r != nil && got != slicer.Target(r.Effective.Target) {
			t.Errorf("Target(%d) = %v, %v, want %v", b, got, runs, targets[b])
		}
		last = max(last, got)
	}
	for want := slicer.Target(-1); want <= last+2; want++ {
		least := slices.IndexFunc(targets, func(target slicer.Target) bool { return target >= max(0, want) })
		if got, ok := s.axis.Least(want); ok != (least >= 0) || ok && got != model.Tokens(least) {
			t.Errorf("Least(%d) = %v, %v, want %d", want, got, ok, least)
		}
	}
}

func TestReportBeyondTheProfileRunsThePipeline(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 10}, {Content: "b", Tokens: 20}}))(t)
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}), set)
	s := newScenario(t, r, model.Budget{}, 15)
	p := musttest.Of(NewProfile(context.Background(), r, s.template, s.axis.end))(t)
	beyond := musttest.Of(s.template.At(1000))(t)
	got, err := p.Report(beyond)
	want, wantErr := r.DryRun(beyond)
	if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) || len(got.Included) != 2 {
		t.Errorf("Report(1000) = %+v, %v, want %+v, %v", got, err, want, wantErr)
	}
}

func TestProfileOfACancelledContext(t *testing.T) {
	items := make([]model.Item, 4096)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: model.Tokens(1 + i)}
	}
	set := musttest.Of(model.NewSet(items))(t)
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1})
	policy.Deduplicate = false
	r := rank(t, policy, set)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	musttest.Is(t, musttest.Refusal(NewProfile(ctx, r, model.Budget{}, 1<<20)), context.Canceled)
}

// twoItems is the example of the rulings: B is in at 50, lost at 100, back at 150.
func twoItems(t *testing.T) *model.Set {
	t.Helper()
	return musttest.Of(model.NewSet([]model.Item{
		{Content: "A", Tokens: 100, FutureRelevanceHint: model.Some(1.0)},
		{Content: "B", Tokens: 50, FutureRelevanceHint: model.Some(0.1)},
	}))(t)
}

// An item that the set does not have, and no profile, panic as the comment of Bands says.
func TestBandsOfNothingPanic(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 10}}))(t)
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}), set)
	p := musttest.Of(NewProfile(t.Context(), r, model.Budget{}, 15))(t)
	asks := map[string]func(){"no profile": func() { (*Profile)(nil).Bands(nil, 0) }}
	of := reflect.ValueOf(p)
	for m := range of.Type().Methods() { // all that take an item, but BinarySearch
		for _, item := range []int{-1, 1 << 20} {
			args := []reflect.Value{of}
			takes := false
			for i := 1; i < m.Type.NumIn(); i++ {
				arg := reflect.Zero(m.Type.In(i))
				if arg.Kind() == reflect.Int {
					arg, takes = reflect.ValueOf(item), true
				}
				args = append(args, arg)
			}
			if takes && m.Name != "BinarySearch" {
				asks[fmt.Sprint(m.Name, " ", item)] = func() { m.Func.Call(args) }
			}
		}
	}
	if len(asks) < 20 {
		t.Errorf("%d are asked", len(asks))
	}
	for name, ask := range asks {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			ask()
		}()
	}
}
