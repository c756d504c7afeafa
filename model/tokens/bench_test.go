package tokens

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// BenchmarkCount counts texts on one core: first what this project has of real text, its
// documents, code, examples, the output of its commands and a page of Chinese, then
// texts that are hard. Bytes a token, and how many times as large as deflated, beside
// public texts of a megabyte or a third of one. What is remembered of one round is not known
// in the next, as in a first text.
//
//	           here           public
//	prose      3.6, 3.5       4.3, 3.3   github.com/rust-lang/book without its code
//	code       3.3, 3.5       3.4, 3.6   Go's net/http and go/types
//	json       2.9, 4.5       3.7, 25    the endpoints of botocore
//	chinese    3.9, 1.6       4.0, 3.1   github.com/ruanyf/es6tutorial without its code
func BenchmarkCount(b *testing.B) {
	random := func(letters []rune) string {
		rng := rand.New(rand.NewPCG(3, 1))
		var t strings.Builder
		for t.Len() < 1<<20 {
			t.WriteRune(letters[rng.IntN(len(letters))])
		}
		return t.String()
	}
	all := samples()
	c := counter(b, "")
	v := c.load()
	for _, bench := range []struct{ name, text string }{
		{"prose", goldentest.Files(b, "../..", "README.md", ".github/*.md", "*/*.md", "*/*/*.md")},
		{"code", goldentest.Files(b, "../..", "pipeline/*.go", "pipeline/*/*.go")},
		{"json", goldentest.Files(b, "../..", "fixtures/*/*.json*")},
		{"output", goldentest.Files(b, "../..", "simulate/command/testdata/*")},
		{"chinese", goldentest.Files(b, "../..", "model/tokens/testdata/chinese.txt")},
		{"any-cjk", random([]rune(all["chinese"] + all["japanese"] + all["korean"]))},
		{"base64", random([]rune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))},
		{"long-run", strings.Repeat("a", 1<<20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				v.idle = sync.Pool{New: v.idle.New}
				musttest.Of(c.count(context.Background(), bench.text, func(int) {}))(b)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		unpack(ranksO200k, noRank)
	}
}

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
