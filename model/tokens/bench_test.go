package tokens

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// BenchmarkCount counts a megabyte of each sort on one core. Its texts are words
// and lines in random order, so that no piece of a repeated text stays at hand.
func BenchmarkCount(b *testing.B) {
	all := samples()
	shuffled := func(names ...string) string {
		rng := rand.New(rand.NewPCG(3, 1))
		var parts []string
		for _, name := range names {
			parts = append(parts, strings.SplitAfter(all[name], " ")...)
		}
		var t strings.Builder
		for t.Len() < 1<<20 {
			t.WriteString(parts[rng.IntN(len(parts))])
		}
		return t.String()
	}
	cjk := func() string {
		rng := rand.New(rand.NewPCG(3, 1))
		letters := []rune(all["chinese"] + all["japanese"] + all["korean"])
		var t strings.Builder
		for t.Len() < 1<<20 {
			t.WriteRune(letters[rng.IntN(len(letters))])
		}
		return t.String()
	}
	base64 := func() string {
		rng := rand.New(rand.NewPCG(3, 1))
		var t strings.Builder
		for t.Len() < 1<<20 {
			t.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[rng.IntN(64)])
		}
		return t.String()
	}
	c := counter(b, "")
	c.load()
	for _, bench := range []struct{ name, text string }{
		{"prose", shuffled("prose", "german", "chat")},
		{"code", shuffled("go", "python", "shell")},
		{"json", shuffled("json", "minified", "log")},
		{"cjk", cjk()},
		{"cjk-text", strings.Repeat(all["chinese"]+all["japanese"], 1<<20/4000)},
		{"base64", base64()},
		{"long-run", strings.Repeat("a", 1<<20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				musttest.Of(c.count(context.Background(), bench.text, func(int) {}))(b)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		unpack(ranksO200k, 0)
	}
}
