// Package experimenttest makes experiments for tests.
package experimenttest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// New returns an experiment over n items of many kinds and fates, both sides
// computed.
func New(t testing.TB, n int) *experiment.Experiment {
	t.Helper()
	rng := rand.New(rand.NewPCG(61, uint64(n)))
	kinds := []model.Kind{model.ToolOutput, model.Message, model.Document, "Marker"}
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content:             fmt.Sprintf("text %d\nsecond line", rng.IntN(n)),
			Tokens:              model.Tokens(rng.IntN(40) * 10),
			Kind:                kinds[rng.IntN(len(kinds))],
			Timestamp:           model.Some(time.Unix(int64(rng.IntN(50)), 0)),
			FutureRelevanceHint: model.Some(float64(rng.IntN(8)) / 8),
			Pinned:              rng.IntN(20) == 0,
		}
		if rng.IntN(15) == 0 {
			items[i].Tokens = -5
		}
	}
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	other := chat.Clone()
	other.Slicer, other.BucketSize = model.Knapsack, 10
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 5000, OutputReserve: 100}))(t)
	s := experiment.Setup{Policy: [2]model.Policy{chat, other}, Slack: 300, Ceiling: 16_000}.WithBudget(b)
	if n > 3 {
		s = s.WithExcluded([]int{1, 2}, true)
	}
	exp := musttest.Of(experiment.New(musttest.Of(model.NewSet(items))(t), s))(t)
	Compute(t, exp)
	return exp
}

// Large returns an outcome over n items of log-normal sizes, for benchmarks: unlike
// in New, the pinned items fit the budget however large n is.
func Large(b *testing.B, n int) (*experiment.Experiment, *experiment.Outcome) {
	b.Helper()
	rng := rand.New(rand.NewPCG(62, uint64(n)))
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content: fmt.Sprintf("text %d about line %d", i, rng.IntN(n)), Kind: []model.Kind{model.ToolOutput, model.Message}[rng.IntN(2)],
			Tokens: model.Tokens(min(5+300*math.Exp(rng.NormFloat64()), 8000)), FutureRelevanceHint: model.Some(rng.Float64()),
		}
	}
	set, budget := musttest.Of(model.NewSet(items))(b), musttest.Of(model.BudgetOf(64_000))(b)
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	exp := musttest.Of(experiment.New(set, experiment.Setup{Policy: [2]model.Policy{policy, policy}, Ceiling: 128_000}.WithBudget(budget)))(b)
	Compute(b, exp)
	return exp, exp.Outcome(experiment.A)
}

// Compute computes what an experiment lacks, the reasons too.
func Compute(t testing.TB, exp *experiment.Experiment) {
	t.Helper()
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		if q, ok := exp.Request(side); ok {
			exp.Accept(side, musttest.Of(q.Run(context.Background()))(t))
		}
		if o, ok := exp.Unexplained(side); ok {
			exp.Explained(side, o, musttest.Of(o.Explain(context.Background()))(t))
		}
	}
}

// Apply changes the setup of an experiment and computes it.
func Apply(t testing.TB, exp *experiment.Experiment, s experiment.Setup) {
	t.Helper()
	musttest.Do(t, exp.Apply(s, experiment.Label{Name: "edit"}, ""))
	Compute(t, exp)
}

// Work does all work that a worker asks for.
func Work(t testing.TB, w work.Worker) {
	t.Helper()
	for range 2000 {
		job, needed := w.Job()
		if !needed {
			return
		}
		job.Run(context.Background())()
	}
	t.Fatal("the work never ends")
}

// WithPolicy changes policy A of an experiment and computes it.
func WithPolicy(t testing.TB, exp *experiment.Experiment, change func(*model.Policy)) {
	t.Helper()
	now := exp.Setup()
	policy := now.Policy[experiment.A].Clone()
	change(&policy)
	Apply(t, exp, now.WithPolicy(experiment.A, policy))
}

// Policies returns changes of a policy to every way of selecting.
func Policies() map[string]func(*model.Policy) {
	return map[string]func(*model.Policy){
		"greedy":   func(*model.Policy) {},
		"knapsack": func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, 10 },
		"stream":   func(p *model.Policy) { p.Slicer = model.Stream },
		"quotas": func(p *model.Policy) {
			p.Quotas = []model.Quota{{Kind: model.Document, MinPercent: model.Some(20.0), MaxPercent: model.Some(25.0)}}
		},
		"counts": func(p *model.Policy) {
			p.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: 2, Cap: 3}, {Kind: model.Message, Require: 900, Cap: 900}}
		},
	}
}
