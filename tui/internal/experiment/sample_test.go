package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// sample makes n items of mixed kinds and sizes, with duplicates, pinned items,
// items without tokens and items with negative ones.
func sample(t testing.TB, rng *rand.Rand, n int) *model.Set {
	t.Helper()
	kinds := []model.Kind{model.Message, model.Document, model.ToolOutput, "Marker"}
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content:             fmt.Sprintf("text %d", rng.IntN(n)),
			Tokens:              model.Tokens(rng.IntN(300)),
			Kind:                kinds[rng.IntN(len(kinds))],
			Timestamp:           model.Some(time.Unix(int64(rng.IntN(1000)), 0)),
			FutureRelevanceHint: model.Some(rng.Float64()),
			Pinned:              rng.IntN(8) == 0,
		}
		if rng.IntN(20) == 0 {
			items[i].Tokens = -5
		}
	}
	return musttest.Of(model.NewSet(items))(t)
}

func start(t testing.TB, items *model.Set) (*Experiment, Setup) {
	t.Helper()
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	rag, _ := model.Preset("rag")
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 3000, TargetTokens: model.Some[model.Tokens](2800), OutputReserve: 300, SafetyMargin: 5,
		ReservedSlots: []model.Slot{{Kind: model.Memory, Tokens: 100}}}))(t)
	first := Setup{Policy: [2]model.Policy{chat, rag}, Slack: 200, Ceiling: 8000}.WithBudget(b)
	e := musttest.Of(New(items, first))(t)
	return e, first
}

// settle computes both sides.
func settle(t testing.TB, e *Experiment) {
	t.Helper()
	settleOne(t, e, A)
	settleOne(t, e, B)
}

// settleOne computes a side, if it is pending.
func settleOne(t testing.TB, e *Experiment, side Side) {
	t.Helper()
	q, ok := e.Request(side)
	if !ok {
		return
	}
	o := musttest.Of(q.Run(context.Background()))(t)
	if !e.Accept(side, o) {
		t.Fatalf("the outcome of the newest request of side %v was refused", side)
	}
	if _, ok := e.Request(side); ok {
		t.Fatalf("side %v is still pending after its outcome was accepted", side)
	}
}

var typed = []string{"0", "1", "100", "950", "1k", "2,500", "4000", "=max", "12.5", "greedy", "knapsack", "on", "off", "throw", "proceed", "truncate", "rag", "chat", "u", "chrono"}

// edit makes one random change and says whether there was one.
func edit(t testing.TB, rng *rand.Rand, e *Experiment, original Setup) bool {
	t.Helper()
	now := e.Setup()
	n := e.Items().Len()
	var next Setup
	label, merge := Label{Name: "edit"}, KnobID("")
	what := rng.IntN(11)
	if ofItems := what < 2 || what == 4 || what == 5; ofItems && n == 0 {
		return false
	}
	switch what {
	case 0:
		i := rng.IntN(n)
		next = now.WithPinned(e.loaded, []int{i}, !e.Items().Pinned(i))
	case 1:
		i := rng.IntN(n)
		next = now.WithExcluded([]int{i}, !e.Items().Excluded(i))
	case 2:
		next = now.WithMax(model.Tokens(rng.IntN(4000)))
	case 3:
		next = now.WithPolicy(A, now.Policy[B]).WithPolicy(B, now.Policy[A])
	case 4:
		next = now.WithTokens(e.loaded, []int{rng.IntN(n), rng.IntN(n)}, model.Some(model.Tokens(rng.IntN(900)-30)))
	case 5:
		items, hint := []int{rng.IntN(n)}, model.Some(rng.Float64())
		if rng.IntN(3) == 0 {
			items[0], hint = rng.IntN(n), model.Option[float64]{}
		}
		next = now.WithHint(e.loaded, items, hint)
	default:
		list := e.Knobs(e.Setup(), Side(rng.IntN(2)), original)
		k := list[rng.IntN(len(list))]
		var err error
		switch rng.IntN(5) {
		case 0:
			next, err = k.Parse(typed[rng.IntN(len(typed))])
		case 1:
			next = k.Reset()
		default:
			next, err = k.Step(1-2*rng.IntN(2), rng.IntN(3) == 0)
			label, merge = Label{Name: k.Label, From: k.Value, To: "?"}, k.ID
		}
		if err != nil {
			return false
		}
	}
	if next.Equal(now) {
		return false
	}
	if err := e.Apply(next, label, merge); err != nil {
		t.Fatalf("an edit was refused: %v", err)
	}
	return true
}
