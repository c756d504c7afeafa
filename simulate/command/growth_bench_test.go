//go:build unix

package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/growthtest"
	"cupelscope/simulate/session"
)

// BenchmarkGrowth reports how verbs over many cases grow with their number. A part
// of evaluate, the resampling, takes the same time for any number of cases.
func BenchmarkGrowth(b *testing.B) {
	none := Streams{Out: io.Discard, Err: io.Discard}
	growthtest.Run(b, growthtest.Action{Name: "evaluate", From: 25}, func(b *testing.B, n int) func() error {
		o := session.Options{Sources: []string{"greedy", "stream:32", "knapsack:100", manyCases(b, n)}, Preset: "rag"}
		return func() error {
			return evaluate(context.Background(), o, evaluateOptions{At: []string{"250,500,1k,2k,4k"}}, none)
		}
	})
	growthtest.Run(b, growthtest.Action{Name: "compare the runs of a document", From: 125}, func(b *testing.B, n int) func() error {
		o := session.Options{Sources: []string{manyRuns(b, n)}}
		return func() error {
			return compare(context.Background(), o, compareOptions{A: "greedy", B: "knapsack", NoBest: true}, none)
		}
	})
}

// manyRuns is a document with the results of many searches, 20 texts each.
func manyRuns(b *testing.B, runs int) string {
	b.Helper()
	var text strings.Builder
	for k := range runs {
		fmt.Fprintf(&text, `%c{"query": "q%d", "results": [`, "[,"[min(k, 1)], k)
		for i := range 20 {
			fmt.Fprintf(&text, `%.*s{"text": "%d of %d: %s", "score": 0.%d}`, min(i, 1), ",", i, k, strings.Repeat("some words ", 5+i), 90-i)
		}
		text.WriteString("]}\n")
	}
	text.WriteString("]")
	path := filepath.Join(b.TempDir(), "runs.json")
	musttest.Do(b, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}
