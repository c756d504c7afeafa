package experiment

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// BenchmarkKey measures what a key costs beside its frame: the change of the setup, and the
// outcome of the side that it changes. Each is done and undone, with one slack and with another:
// what leads back to the result before computes nothing.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		items := realistic(b, n)
		rag, _ := model.Preset("rag")
		heavier, knapsack := rag.Clone(), rag.Clone()
		heavier.Scorers[0].Weight++
		knapsack.Slicer = model.Knapsack
		budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 128_000}))(b)
		first := Setup{Policy: [2]model.Policy{rag, knapsack}, Slack: 4000, Ceiling: 256_000}.WithBudget(budget)
		for _, c := range []struct {
			name   string
			change func(Setup) Setup
		}{
			{"knob", func(s Setup) Setup { return s.WithMax(120_000) }},
			{"pin", func(s Setup) Setup { return s.WithPinned(items, []int{n / 2}, true) }},
			{"exclude", func(s Setup) Setup { return s.WithExcluded([]int{n / 2}, true) }},
			{"slicer", func(s Setup) Setup { return s.WithPolicy(A, knapsack) }},
			{"weight", func(s Setup) Setup { return s.WithPolicy(A, heavier) }},
		} {
			b.Run(c.name+"/"+strconv.Itoa(n/1000)+"k", func(b *testing.B) {
				e := musttest.Of(New(items, first))(b)
				settle(b, e)
				first, other := e.Setup(), e.Setup()
				other.Slack /= 2
				next := []Setup{c.change(first), other, c.change(other), first}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					musttest.Do(b, e.Apply(next[i%4], Label{Name: c.name}, ""))
					settleOne(b, e, A)
				}
			})
		}
	}
}

// realistic returns items of log-normal sizes with a median of 300 tokens.
func realistic(b *testing.B, n int) *model.Set {
	r := rand.New(rand.NewPCG(7, 11))
	kinds := []model.Kind{model.Message, model.ToolOutput, model.Document, model.Memory}
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: "item " + strconv.Itoa(i), Kind: kinds[r.IntN(len(kinds))], FutureRelevanceHint: model.Some(r.Float64()),
			Tokens: model.Tokens(min(max(5, int(300*math.Exp(1.2*r.NormFloat64()))), 8000))}
	}
	return musttest.Of(model.NewSet(items))(b)
}
