package replay

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// settleReplay brings a replay up to date with side A.
func settleReplay(t testing.TB, p *View, f *widget.Frame) {
	t.Helper()
	p.Arrange(f.Exp, experiment.A)
	experimenttest.Work(t, p)
}

// replayOf is a replay under a changed policy, with so much room beside what is pinned.
func replayOf(t *testing.T, f *widget.Frame, room model.Tokens, change func(*model.Policy)) *View {
	t.Helper()
	least, _ := f.Out.Profile.Axis().Start()
	widgettest.Apply(t, f, f.Exp.Setup().WithMax(least+room))
	widgettest.WithPolicy(t, f, change)
	p := &View{}
	settleReplay(t, p, f)
	return p
}

// inBuckets makes a policy a knapsack.
func inBuckets(bucket model.Tokens) func(*model.Policy) {
	return func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, bucket }
}

// What is in after each step is the sum of the steps, and at the end the result.
func TestReplayAddsUp(t *testing.T) {
	for name, change := range experimenttest.Policies() {
		t.Run(name, func(t *testing.T) {
			f := widgettest.Frame(t, 700, false)
			musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithMax(14_000), experiment.Label{Name: "budget"}, ""))
			widgettest.WithPolicy(t, f, change)
			var p View
			settleReplay(t, &p, f)
			rep := f.Out.Report
			var sum total
			in := f.Out.Ranking.Input()
			for k, s := range p.steps {
				if s.At >= 0 {
					sum.add(in, &s)
				}
				got := p.after(k)
				if got.items != sum.items || got.tokens != sum.tokens || math.Abs(got.value-sum.value) > 1e-9 {
					t.Fatalf("after step %d: %+v, added up %+v", k, got, sum)
				}
				if o := p.opening(k); o < 0 || int(p.opens[o]) > k || o+1 < len(p.opens) && int(p.opens[o+1]) <= k {
					t.Fatalf("step %d is in phase %d of %v", k, o, p.opens)
				}
			}
			if sum.tokens != rep.Kept-rep.PinnedTokens || math.Abs(sum.value-rep.Value) > 1e-6 {
				t.Errorf("in the end %+v, the report has %v tokens and value %v", sum, rep.Kept-rep.PinnedTokens, rep.Value)
			}
			for i, code := range rep.Codes {
				decided := p.Select(i)
				candidate := code == model.Scored || code == model.ZeroToken || code == model.BudgetExceeded || code == model.PinnedOverride || code == model.CountCapExceeded
				if decided != candidate && !(code == model.Pinned && decided) { // Truncate tells of the pinned ones too
					t.Fatalf("item %d, %v: decided %v", i, code, decided)
				}
				if got, _ := p.Selected(); decided && (got != i || p.steps[p.Cursor()].Verdict.In() != rep.In(i)) {
					t.Fatalf("item %d, %v: the cursor is on %+v", i, code, p.steps[p.Cursor()])
				}
			}
		})
	}
}

// Steps that are being made do not show, and do not touch those that do.
func TestReplayDropsOldWork(t *testing.T) {
	f := widgettest.Frame(t, 300, false)
	var p View
	settleReplay(t, &p, f)
	p.Move(40)
	for round := range 4 {
		shown := slices.Clone(p.steps)
		at, _ := p.Selected()
		b := f.Exp.Setup().WithMax(model.Tokens(4000 - 700*round))
		widgettest.Apply(t, f, b)
		p.Arrange(f.Exp, experiment.A)
		job, due := p.Job()
		if !due {
			t.Fatal("no steps are due at another budget")
		}
		take := job.Run(context.Background())
		if !slices.Equal(p.steps, shown) {
			t.Fatal("making steps changes those that show")
		}
		beside := View{want: p.want} // as where A and B change places
		if other, _ := beside.Job(); other.Key == job.Key {
			t.Fatal("an answer for the other side shows")
		}
		if screen := drawn(f, &p); !strings.Contains(screen, "(old: computing") {
			t.Fatalf("old steps pass for new ones:\n%s", screen)
		}
		take()
		if got, _ := p.Selected(); got != at {
			t.Errorf("the cursor moves from #%d to #%d", at, got)
		}
		if screen := drawn(f, &p); strings.Contains(screen, "old") {
			t.Fatalf("new steps pass for old ones:\n%s", screen)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := replay(cancelled, f.Out, nil); err == nil {
		t.Error("a job that was cancelled has a result")
	}
}

// A view that is left holds no table, and shows the step of its item when it is shown
// again.
func TestReplayReleasesItsTable(t *testing.T) {
	f := widgettest.Frame(t, 60, false)
	widgettest.WithPolicy(t, f, func(p *model.Policy) { p.Slicer = model.Knapsack })
	var p View
	settleReplay(t, &p, f)
	p.To(20)
	item, _ := p.Selected()
	table, ok := p.table()
	if !ok {
		t.Fatal("there is no table")
	}
	held := weak.Make(table.Table)
	table = walkTable{}
	p.Release()
	runtime.GC()
	if held.Value() != nil {
		t.Error("the table is held")
	}
	settleReplay(t, &p, f)
	if got, _ := p.Selected(); got != item {
		t.Errorf("the cursor is on #%d, it was on #%d", got, item)
	}
	runtime.KeepAlive(&p)
}

func TestReplayWithoutStepsSaysWhy(t *testing.T) {
	f := widgettest.Frame(t, 20, false)
	var p View
	musttest.Says(t, drawn(f, &p), "No result yet", "before the first result")
	p.Arrange(f.Exp, experiment.A)
	musttest.Says(t, drawn(f, &p), "computing the steps", "before the first steps")
	p.take(replayed{}, slicer.ErrNoSteps)
	musttest.Says(t, drawn(f, &p), "This slicer has no steps to replay", "of a slicer of one's own")
	p = View{}
	p.Arrange(f.Exp, experiment.A)
	p.take(replayed{}, &model.TableError{Bucket: 7})
	musttest.Says(t, drawn(f, &p), "No steps: knapsack table too large", "after an error")
	for _, move := range []func(){p.Top, p.Bottom, func() { p.Move(3) }, func() { p.Page(-1) }, func() { p.find(1, 1) }, func() { p.Select(3) }} {
		move()
	}
	if _, ok := p.Selected(); ok || !p.AtEnd() {
		t.Error("there is a step after all")
	}
}

// drawn is what a replay draws, as text without looks.
func drawn(f *widget.Frame, p *View) string {
	f.Reset(120, 40, theme.New(theme.NoColor, false))
	p.Draw(f, draw.Rect{X: 0, Y: 0, W: 120, H: 40}, true, true)
	return widgettest.Text(f)
}

// Whatever the size, nothing is drawn outside, and every reason has a short form.
func TestReplayDrawsAtAnySize(t *testing.T) {
	for name, change := range experimenttest.Policies() {
		f := widgettest.Frame(t, 60, name == "stream")
		widgettest.WithPolicy(t, f, change)
		var p View
		settleReplay(t, &p, f)
		widgettest.DrawAtAnySize(t, f, &p, name)
		for k := range p.steps {
			if s := &p.steps[k]; s.Opens == nil {
				if forms := p.because(s); draw.Width(forms[len(forms)-1]) > 14 {
					t.Errorf("%s: %q has no form that fits", name, forms)
				}
			} else if text := p.heading(k); text[0] == "" {
				t.Errorf("%s: phase %d has no heading", name, s.Phase)
			}
		}
	}
}

func TestOneBucketIsNotSeveral(t *testing.T) {
	p := View{of: widgettest.Frame(t, 60, false).Out}
	s := pipeline.Step{}
	s.Unit, s.Need, s.Left, s.Why = 100, 1, 0, slicer.NoRoom
	musttest.Is(t, p.because(&s)[0], "lacks 1 bucket", "a step says")
}

// reach returns the last step before more than so many tokens are placed.
func TestReachGoesAsFarAsTheTokensGo(t *testing.T) {
	f := widgettest.Frame(t, 3000, false)
	musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithMax(400_000), experiment.Label{Name: "budget"}, ""))
	widgettest.WithPolicy(t, f, func(*model.Policy) {})
	var p View
	settleReplay(t, &p, f)
	if len(p.steps) < 3*markEvery {
		t.Fatalf("%d steps have few marks", len(p.steps))
	}
	after := make([]model.Tokens, len(p.steps))
	for k := range after {
		after[k] = p.after(k).tokens
	}
	last := after[len(after)-1]
	for t0 := model.Tokens(0); t0 <= last+1000; t0 += last/500 + 1 {
		want := 0
		for k := range after {
			if after[k] > t0 {
				break
			}
			want = k
		}
		if got := p.reach(t0); got != want {
			t.Fatalf("%v tokens reach step %d, want %d", t0, got, want)
		}
	}
}
