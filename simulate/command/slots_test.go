package command

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cupelscope/simulate/session"
)

// Verbs with many cases say once which slot of the flags no case has an item for, as
// those with one source do.
func TestSlotsThatNoCaseHas(t *testing.T) {
	var lines strings.Builder
	for k := range 40 { // enough to tune for
		kind := [...]string{"Message", "Memory"}[k%2]
		fmt.Fprintf(&lines, `{"policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 30}, "labels": {"0": 1}, "items": [`+
			`{"content": "a %[1]d", "tokens": 10, "kind": %[2]q}, {"content": "b %[1]d", "tokens": 9}, {"content": "c %[1]d", "tokens": 12}]}`+"\n", k, kind)
	}
	o := session.Options{Sources: []string{write(t, "many.jsonl", lines.String())}, Slots: []string{"Memory=3", "Memry=5"}}
	const says = `cupelscope: no item has the kind "Memry", for which 5 tokens are held` + "\n"
	for name, run := range map[string]func(context.Context, Streams) error{
		"compare": func(ctx context.Context, s Streams) error {
			return compare(ctx, o, compareOptions{A: "own", B: "knapsack"}, s)
		},
		"compare in CSV": func(ctx context.Context, s Streams) error {
			return compare(ctx, o, compareOptions{answerOptions: answerOptions{Output: "csv"}, A: "own", B: "knapsack"}, s)
		},
		"turns": func(ctx context.Context, s Streams) error {
			return writeTurns(ctx, session.Options{Fixture: "agent", Slots: o.Slots[1:]}, turnsOptions{}, s)
		},
		"evaluate": func(ctx context.Context, s Streams) error { return evaluate(ctx, o, evaluateOptions{}, s) },
		"tune": func(ctx context.Context, s Streams) error {
			return tune(ctx, o, tuneOptions{Folds: 2, Seed: 1}, s)
		},
		"batch": func(ctx context.Context, s Streams) error { return answerBatch(ctx, o, batchOptions{}, s) },
	} {
		s, _, diagnostics := streams("")
		if err := run(t.Context(), s); err != nil || strings.Count(diagnostics.String(), says) != 1 || strings.Contains(diagnostics.String(), "Memory") {
			t.Errorf("%s: %v\n%s", name, err, diagnostics)
		}
	}
}
