package command

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// manyCases is a file of cases with 600 items of some 40 tokens, of which a few are
// needed.
func manyCases(b *testing.B, cases int) string {
	b.Helper()
	r := rand.New(rand.NewPCG(41, 42))
	var text strings.Builder
	for k := range cases {
		fmt.Fprintf(&text, `{"id": "q%d", "items": [`, k)
		for i := range 600 {
			if i > 0 {
				text.WriteByte(',')
			}
			tokens, needed := 10+r.IntN(60), r.IntN(200) == 0
			hint := 0.1 + 0.4*r.Float64()
			if needed {
				hint += 0.4
			}
			fmt.Fprintf(&text, `{"content": "%d %s", "tokens": %d, "futureRelevanceHint": %.4f, "relevance": %t}`, i, strings.Repeat("some words ", tokens/3), tokens, hint, needed)
		}
		text.WriteString("]}\n")
	}
	path := filepath.Join(b.TempDir(), "cases.jsonl")
	musttest.Do(b, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}
