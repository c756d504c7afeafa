package tokens

import (
	"strings"
	"testing"
)

// BenchmarkReference counts with tiktoken-go what BenchmarkCount counts with
// this package: a megabyte of prose, and a run of one letter that is short
// enough to end.
func BenchmarkReference(b *testing.B) {
	tk := reference(b, "o200k_base")
	for _, bench := range []struct{ name, text string }{
		{"prose", strings.Repeat(samples()["prose"], 1+(1<<20)/len(samples()["prose"]))[:1<<20]},
		{"20k-run", strings.Repeat("a", 20_000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				tk.Encode(bench.text, nil, nil)
			}
		})
	}
}
