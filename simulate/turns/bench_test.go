package turns

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// historyOf is a session of n items and some requests.
func historyOf(b testing.TB, n, requests int) *History {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	items := make([]model.Item, n)
	log := transcript{Facts: make([]fact, n)}
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
	return musttest.Of(newHistory(log))(b)
}
