package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// realisticLines are scenarios of n items, in size as retrieval sets and
// transcripts have them: about four characters a token up to so many sentences.
// With seven of them a line of a hundred items has 84 KB, with one 26 KB.
func realisticLines(lines, n, sentences int, query string) []byte {
	rng := rand.New(rand.NewPCG(5, 6))
	const sentence = `the answer lies in what is left of the window, said \"nobody\" who had ever looked into one for long enough.\n`
	words := []byte(strings.Repeat(sentence, sentences))
	kinds := []string{"Message", "Document", "ToolOutput", "Memory"}
	var b bytes.Buffer
	for line := range lines {
		fmt.Fprintf(&b, `{"id": "line-%d", %s"items": [`, line, query)
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			tokens := int(min(8000, max(5, 300*math.Exp(rng.NormFloat64()))))
			fmt.Fprintf(&b, `{"content": "%d: %s", "tokens": %d, "kind": "%s", "timestamp": "2025-01-01T%02d:%02d:00Z", "futureRelevanceHint": %.6f, "priority": %d, "tags": ["t%d"]}`,
				i, words[:len(sentence)*min(sentences, 1+tokens*4/len(sentence))], tokens, kinds[rng.IntN(len(kinds))], i/60%24, i%60, rng.Float64(), rng.IntN(5), rng.IntN(9))
		}
		b.WriteString(`], "policy": {"scorers": [{"type": "reflexive", "weight": 3}, {"type": "recency", "weight": 1}]},` +
			` "budget": {"maxTokens": 16000, "outputReserve": 2000, "estimationSafetyMarginPercent": 5}}` + "\n")
	}
	return b.Bytes()
}

// BenchmarkBatch answers lines with one worker; scenarios/s is what to look at,
// with -cpu 1. What a line costs beside its items shows where it has only two.
func BenchmarkBatch(b *testing.B) {
	const lines = 200
	for _, c := range []struct {
		name, query string
		n           int // items a line
		sentences   int
	}{
		{"dryRun", "", 100, 7},
		{"dryRunOfShortItems", "", 100, 1},
		{"dryRunOfTwoItems", "", 2, 1},
		{"marginal", `"query": {"op": "marginal", "slackTokens": 1000}, `, 100, 7},
		{"minBudget", `"query": {"op": "minBudget", "itemIndex": 7, "searchCeiling": 64000}, `, 100, 7},
		{"profile", `"query": {"op": "profile", "ceiling": 64000}, `, 100, 7},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := realisticLines(lines, c.n, c.sentences, c.query)
			b.Logf("%d bytes a line", len(in)/lines)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				s := Streams{In: bytes.NewReader(in), Out: io.Discard, Err: io.Discard, Now: time.Now}
				musttest.Do(b, answerBatch(context.Background(), session.Options{}, batchOptions{Jobs: 1}, s))
			}
			b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "scenarios/s")
		})
	}
}
