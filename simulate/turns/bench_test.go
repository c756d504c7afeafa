package turns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// longSession is a session of n items and 500 requests.
func longSession(b testing.TB, n int) *Session { return sessionOf(b, n, 500) }

// sessionOf is a session of n items and some requests.
func sessionOf(b testing.TB, n, requests int) *Session {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	items := make([]model.Item, n)
	log := sessionLog{Facts: make([]fact, n)}
	answers := 0
	for i := range items {
		items[i] = model.Item{
			Content: fmt.Sprintf("item %d", i), Tokens: model.Tokens(20 + rng.IntN(600)), Pinned: i == 0,
			Kind:      [...]model.Kind{model.Message, model.ToolOutput}[i%2],
			Timestamp: model.Some(time.Unix(int64(i), 0)),
		}
		if i%(n/requests) == 1 {
			answers++
			log.Facts[i].Answer = answers
		}
	}
	log.Items = musttest.Of(model.NewSet(items))(b)
	return musttest.Of(newSession(log))(b)
}

func BenchmarkRun(b *testing.B) {
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	knapsack := chat
	knapsack.Slicer, knapsack.BucketSize = model.Knapsack, 100
	pairs := chat
	pairs.KeepPairs = true
	shaped := chat
	shaped.Placer = model.UShaped
	cache, _ := FindCache("anthropic-5m")
	budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 128_000}))(b)
	for _, n := range []int{2000, 10000} {
		s := longSession(b, n)
		for _, c := range []struct {
			name string
			plan Plan
		}{
			{"greedy", Plan{Strategy: Stateless, Policy: chat}},
			{"ushaped", Plan{Strategy: Stateless, Policy: shaped}},
			{"knapsack100", Plan{Strategy: Stateless, Policy: knapsack}},
			{"pairs", Plan{Strategy: Stateless, Policy: pairs}},
			{"watermark", Plan{Strategy: Watermark, Policy: chat, Low: 60}},
			{"sliding", Plan{Strategy: Sliding}},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := Run(context.Background(), s, []Plan{c.plan}, budget, Billing{Cache: cache}, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
