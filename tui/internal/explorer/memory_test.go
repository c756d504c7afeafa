package explorer

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/goldentest"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/model/tokens"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
)

// state is what a session holds, and the bytes on the heap that it added for each item.
type state struct {
	name  string
	added float64
}

// BenchmarkMemory tells the bytes on the heap that each state of a session adds, for each
// item, beside the texts: what is loaded, its counts, the profiles of A (greedy) and of B
// (knapsack), the best possible value, and the result that undo leads back to. The figures are in
// the documentation of the package.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		name := fmt.Sprintf("%dk", n/1000)
		if testing.Short() {
			n /= 20
		}
		b.Run(name, func(b *testing.B) {
			var states []state
			for b.Loop() {
				states = memory(b, chatFile(b, n, 4))
			}
			for _, s := range states {
				b.ReportMetric(s.added, s.name+"B/item")
			}
		})
	}
}

// Each state of a session adds no more memory than CONTRIBUTING.md says, which is at most two
// fifths above what it takes.
func TestMemoryOfAnItem(t *testing.T) {
	serial(t)
	musttest.Alone(t)
	holds(t, memory(t, chatFile(t, 10_000, 4)), "memory of an item of a chat of 10,000, beside its text: %.0f bytes as loaded; counting adds %.0f, the profile of A (greedy) %.0f, that of B (knapsack) %.0f, the best possible %.0f, the result before the newest %.0f",
		360, 75, 220, 150, 275, 195)
}

// holds compares what states added with the figures of a row of CONTRIBUTING.md.
func holds(t *testing.T, states []state, row string, most ...float64) {
	t.Helper()
	figures := make([]any, len(most))
	for k, s := range states {
		figures[k] = most[k]
		if t.Logf("%s: %.0f bytes", s.name, s.added); s.added > most[k] {
			t.Errorf("%s: %.0f bytes, want at most %v", s.name, s.added, most[k])
		}
	}
	musttest.Says(t, string(musttest.Of(os.ReadFile("../../../.github/CONTRIBUTING.md"))(t)), fmt.Sprintf("\n| "+row+" | ", figures...), "CONTRIBUTING.md has not")
}

// What views and lists hold beside a chat adds no more memory than CONTRIBUTING.md says, which is
// at most two fifths above what it takes.
func TestMemoryOfViews(t *testing.T) {
	serial(t)
	musttest.Alone(t)
	const n = 2_000
	var states []state
	ctx, last := t.Context(), int64(0)
	add := func(name string, of int) {
		now := heap()
		states = append(states, state{name, float64(now-last) / float64(of)})
		last = now
	}
	s := sessionOf(t, session.Options{Sources: []string{chatFile(t, n, 4)}, Shrink: []string{"*=40,20,note"}})
	setup := experiment.Setup{Policy: [2]model.Policy{s.Policy, s.other(s.Policy)}, Slack: s.Slack, Ceiling: s.Ceiling}.WithBudget(s.Budget)
	exp := musttest.Of(experiment.New(s.Items, setup))(t)
	exp.Tell(s.Told, s.Log, s.Sizer)
	last = heap()
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		q, _ := exp.Request(side)
		exp.Accept(side, musttest.Of(q.Run(ctx))(t))
		add("profile of "+side.String()+" with sizes", n)
	}
	runs := plans.New()
	settle := func(wanted plans.Wanted) {
		runs.Want(wanted)
		runs.Arrange(exp, experiment.A)
		for job, ok := runs.Job(); ok; job, ok = runs.Job() {
			job.Run(ctx)()
		}
	}
	settle(plans.Wanted{Courses: true})
	add("plans", runs.Requests())
	plan := musttest.Of(turns.ParsePlan(runs.PlanName(exp.Setup())))(t)
	settle(plans.Wanted{Courses: true, Row: plans.Rule, Map: true, Axes: musttest.Of(turns.ParseAxes(plan.Strategy, ""))(t)})
	_, mapped, _, _, err := runs.Map()
	musttest.Do(t, err)
	add("map", len(mapped))
	o := exp.Outcome(experiment.A)
	weight := musttest.Of(model.FindNumber(model.Numbers(o.Ranking.Policy(), s.Budget, nil), "weight:kind"))(t)
	over := musttest.Of(simulate.NewProfileOver(ctx, o.Ranking, s.Budget, weight))(t)
	add("weights", n)
	home := agentHome(t, n)
	last = heap()
	found := musttest.Of(sessions.Find(ctx, home))(t)
	add("sessions", len(found.Sessions))
	_, open := manyRuns(t, n)
	choices := runsOf(t, "", open)
	last = heap()
	var listed []session.ListedRun
	musttest.Do(t, choices.Runs(ctx, func(r session.ListedRun) { listed = append(listed, r) }))
	add("runs", len(listed))
	holds(t, states, "memory of what views and lists hold beside a chat of 2,000: the profile of A %.0f bytes an item that may be cut, that of B %.0f; the plans of Turns %.0f a request; a map %.0f a plan; the weights of a scorer %.0f an item; a list of sessions %.0f each, of runs %.0f",
		480, 480, 9400, 820, 40, 290, 190)
	runtime.KeepAlive([]any{s, exp, &runs, over, found, listed})
}

// What a chat holds at its peak is less than 3 times its size (2.3 to 2.5 measured), from loading
// to the results of both sides and the best possible value, beside the counter's own memory; with
// a GOGC of 100 the heap takes as much again. The figure is what a cycle of the collector found
// alive. It works often here: what is made during a cycle counts as alive, which is the more the
// longer a cycle takes on busy cores.
func TestMemoryOfAChat(t *testing.T) {
	serial(t)
	musttest.Alone(t)
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	memory(t, chatFile(t, 10, 8)) // the counter
	path := chatFile(t, 10_000, 8)
	size := musttest.Of(os.Stat(path))(t).Size()
	base, peak := heap(), int64(0)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for {
			metrics.Read(live)
			peak = max(peak, int64(live[0].Value.Uint64()))
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	memory(t, path)
	close(stop)
	<-stopped
	if t.Logf("the peak is %.2f times %d bytes", float64(peak-base)/float64(size), size); peak-base > 3*size {
		t.Errorf("the peak is %d bytes, for %d bytes of chat", peak-base, size)
	}
}

// chatFile returns the path of a chat of n messages of real text, each of 30 bytes long to
// long + 36 times.
func chatFile(t testing.TB, n, long int) string {
	words := goldentest.Excerpts(t, "../../..")
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"role":%q,"content":"%s"}`+"\n", []string{"user", "assistant"}[i%2], words(30*(long+i*i%37)))
	}
	return musttest.File(t, "chat.jsonl", b.String())
}

// memory takes the chat of a file through the states of a session.
func memory(t testing.TB, path string) (states []state) {
	s := sessionOf(t, session.Options{Sources: []string{path}})
	if err := s.Count(context.Background(), func(tokens.Progress) {}); err != nil { // the counter's own 10 MB, and the counts of texts that it remembers
		t.Fatal(err)
	}
	last, n := heap(), s.Items.Len()
	add := func(name string) {
		now := heap()
		states = append(states, state{name, float64(now-last) / float64(n)})
		last = now
	}
	s = sessionOf(t, session.Options{Sources: []string{path}})
	for i := range s.Items.Len() {
		last += int64(len(s.Items.Loaded(i).Content))
	}
	add("loaded")
	setup := experiment.Setup{Policy: [2]model.Policy{s.Policy, s.other(s.Policy)}, Slack: s.Slack, Ceiling: s.Ceiling}.WithBudget(s.Budget)
	exp := musttest.Of(experiment.New(s.Items, setup))(t)
	if err := s.Count(context.Background(), func(p tokens.Progress) {
		musttest.Do(t, exp.Recount(p.Recounts))
	}); err != nil {
		t.Fatal(err)
	}
	add("counted")
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		q, _ := exp.Request(side)
		o, err := q.Run(context.Background())
		if err != nil || o.Report == nil {
			t.Fatal(err, o.Err)
		}
		exp.Accept(side, o)
		add("profile" + side.String())
	}
	o := exp.Outcome(experiment.A)
	upTo, _ := o.Profile.Axis().Target(o.Profile.Axis().End())
	best := musttest.Of(simulate.NewOptimum(context.Background(), o.Ranking, upTo))(t)
	add("best")
	heavier := setup.Policy[experiment.A].Clone()
	heavier.Scorers[0].Weight++
	musttest.Do(t, exp.Apply(exp.Setup().WithPolicy(experiment.A, heavier), experiment.Label{Name: "weight"}, ""))
	q, _ := exp.Request(experiment.A)
	exp.Accept(experiment.A, musttest.Of(q.Run(context.Background()))(t))
	add("before")
	runtime.KeepAlive(best)
	runtime.KeepAlive(exp)
	runtime.KeepAlive(s)
	return states
}

// heap returns the bytes that are held.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
