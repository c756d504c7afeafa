package command

import (
	"fmt"
	"strings"
	"testing"
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
	const says = `cupelscope: no item has the kind "Memry", for which 5 tokens are held` + "\n"
	many := " --slot Memory=3 --slot Memry=5 " + write(t, "many.jsonl", lines.String())
	for _, verb := range []string{
		"compare own knapsack" + many, "compare own knapsack -o csv" + many, "turns --fixture agent --slot Memry=5", "evaluate" + many, "tune --folds 2" + many, "batch" + many,
	} {
		s, _, told := streams("")
		if code := line(t.Context(), s, verb); code != Fine || strings.Count(told.String(), says) != 1 || strings.Contains(told.String(), "Memory") {
			t.Errorf("%s: exit %d\n%s", verb, code, told)
		}
	}
}
