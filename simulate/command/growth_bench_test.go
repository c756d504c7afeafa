//go:build unix

package command

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/growthtest"
	"cupelscope/simulate/session"
)

// BenchmarkGrowth reports how verbs over many cases grow with their number, a page with its
// items, and the list of sessions with these. A part of evaluate, the resampling, takes the
// same time for any number of cases.
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
	growthtest.Run(b, growthtest.Action{Name: "a page, with sizes", From: 1250, Theory: 1.24}, func(b *testing.B, n int) func() error { // that of greedy's changes
		folder := b.TempDir()
		path := filepath.Join(folder, "items.jsonl")
		var items strings.Builder
		r := rand.New(rand.NewPCG(1, 2))
		for k := range n {
			fmt.Fprintf(&items, `{"content":"item %d","tokens":%d,"futureRelevanceHint":%.3f}`+"\n", k, 5+r.IntN(600), r.Float64())
		}
		musttest.Do(b, os.WriteFile(path, []byte(items.String()), 0o600))
		o := session.Options{Sources: []string{path}, Budget: maximum(strconv.Itoa(3 * n)), Shrink: []string{"*=100,note"}}
		return func() error {
			return writeReport(context.Background(), o, reportOptions{HTML: filepath.Join(folder, "page.html"), Content: true}, none)
		}
	})
	growthtest.Run(b, growthtest.Action{Name: "the list of sessions", From: 500}, func(b *testing.B, n int) func() error {
		home := b.TempDir()
		for k := range n {
			folder := filepath.Join(home, ".claude", "projects", fmt.Sprint("p", k%50))
			musttest.Do(b, os.MkdirAll(folder, 0o700))
			row := fmt.Sprintf(`{"type":"user","cwd":"/w","uuid":"u","message":{"role":"user","content":"mend %d"}}`+"\n", k)
			musttest.Do(b, os.WriteFile(filepath.Join(folder, fmt.Sprint(k, ".jsonl")), []byte(row), 0o600))
		}
		places := sessions.Places{Home: home, Folder: home, Env: func(string) string { return "" }}
		return func() error { return writeSessions(context.Background(), places, answerOptions{}, none) }
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
	return musttest.File(b, "runs.json", text.String())
}
