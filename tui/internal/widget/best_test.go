package widget

import (
	"context"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
)

// work does all work of a Best and returns how many jobs that were.
func workBest(t *testing.T, p *Best) int {
	t.Helper()
	n := 0
	for stepBest(p) {
		n++
	}
	return n
}

// stepBest does the next job of a Best; false if there is none.
func stepBest(p *Best) bool {
	job, needed := p.Job()
	if needed {
		job.Run(context.Background())()
	}
	return needed
}

// told is what is known of the best value.
func told(f *Frame) bestKind {
	_, kind := f.Best.Of(f.Out)
	return kind
}

func TestBestIsSharedKeptAndNeverOld(t *testing.T) {
	f := sampleFrame(t, 60, false)
	f.Best = &Best{}
	f.Best.Arrange(true, f.Out, f.Exp.Outcome(experiment.B))
	target := slicer.Target(f.Out.Report.Effective.Target)
	musttest.Is(t, f.BelowBestForms(f.Out, f.Out.Report.Value, target)[0], "", "before anything is computed, said")
	stepBest(f.Best)
	if got := f.BelowBestForms(f.Out, f.Out.Report.Value, target)[0]; !strings.HasPrefix(got, "≤") {
		t.Errorf("before it is computed the best is at most a bound, said is %q", got)
	}
	bound, _ := f.Best.Of(f.Out)
	musttest.Says(t, f.BelowBestForms(f.Out, bound(target)*(1-1e-5), target)[0], "<0.1 %", "nearly the bound")
	musttest.Is(t, workBest(t, f.Best), 2)
	want := musttest.Of(simulate.NewOptimum(context.Background(), f.Out.Ranking, target))(t)
	at, kind := f.Best.Of(f.Out)
	musttest.Is(t, kind, BestPossible, "the")
	musttest.Is(t, at(target), want.At(target), "the")
	musttest.Is(t, f.BelowBestForms(f.Out, want.At(target), target)[0], "best possible", "the best possible")
	musttest.Is(t, f.BelowBestForms(f.Out, want.At(target)/2, target)[0], "50 % "+plain.BelowBest, "half of the best possible")
	musttest.Is(t, f.BelowBestForms(f.Out, want.At(target)*(1-1e-5), target)[0], "<0.1 % "+plain.BelowBest, "nearly the best possible")

	before := f.Exp.Setup()
	edited := before.WithExcluded([]int{int(f.Out.Report.Included[len(f.Out.Report.Included)-1])}, true)
	musttest.Do(t, f.Exp.Apply(edited, experiment.Label{Name: "x"}, ""))
	compute(t, f)
	musttest.Is(t, told(f), unbounded, "after an edit, of the items before")
	f.Best.Arrange(true, f.Out, f.Exp.Outcome(experiment.B))
	stepBest(f.Best)
	musttest.Is(t, told(f), upperBound, "after an edit, first")
	workBest(t, f.Best)
	musttest.Is(t, told(f), BestPossible, "after an edit, at last")

	counted := f.Out.Policy.Clone()
	counted.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: 1, Cap: 9}}
	musttest.Do(t, f.Exp.Apply(edited.WithPolicy(experiment.A, counted), experiment.Label{Name: "x"}, ""))
	compute(t, f)
	musttest.Is(t, f.BelowBestForms(f.Out, f.Out.Report.Value, target)[0], "", "with required items, which may cost more than the room")
}

func TestBestCanBeStopped(t *testing.T) {
	f := sampleFrame(t, 60, false)
	f.Best = &Best{}
	f.Best.Arrange(true, f.Out)
	stepBest(f.Best)
	f.Computing.Best = 43
	if got := f.BelowBestForms(f.Out, 1, 1000)[0]; !strings.HasSuffix(got, ", computing 43 %") {
		t.Errorf("while it is computed, said is %q", got)
	}
	if !f.Best.Stop() {
		t.Error("it was not stopped")
	}
	if _, needed := f.Best.Job(); needed {
		t.Error("it goes on after it was stopped")
	}
	if got := f.BelowBestForms(f.Out, 1, 1000)[0]; !strings.HasPrefix(got, "≤") || strings.Contains(got, "computing") {
		t.Errorf("after it was stopped, said is %q", got)
	}
}

// A best value whose plan takes long is planned only where it is asked for.
func TestACostlyBestWaitsUntilItIsAskedFor(t *testing.T) {
	f := sampleFrame(t, 60, false)
	f.Best = &Best{}
	f.Best.Arrange(false, f.Out)
	stepBest(f.Best)
	f.Best.wanted[0].planned(nil, simulate.ErrCostly)
	if _, needed := f.Best.Job(); needed {
		t.Error("it is planned again")
	}
	musttest.Is(t, told(f), upperBound)
	f.Best.Arrange(true, f.Out)
	workBest(t, f.Best)
	musttest.Is(t, told(f), BestPossible, "where it is asked for")
}
