package tokens

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// BenchmarkCount counts texts on one core: first what this project has of real text, its
// documents, code, examples, the output of its commands and pages of Chinese, then
// what other benchmarks take of all these, and texts that are hard. The table has bytes a token, and how
// many times as large as deflated a text is, beside public texts of a third of a megabyte to three. What is
// remembered of one round is not known in the next, as in a first text.
//
//	           here           public
//	prose      3.6, 3.5       4.3, 3.3   github.com/rust-lang/book without its code
//	code       3.3, 3.4       3.4, 3.6   Go's net/http and go/types
//	json       2.9, 4.4       3.7, 25    the endpoints of botocore
//	output     3.3, 4.6       2.6, 8.7   logs of github.com/logpai/loghub
//	chinese    3.8, 1.7       4.0, 3.1   github.com/ruanyf/es6tutorial without its code
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
		{"json", goldentest.Files(b, "../..", "fixtures/*/*.json")},
		{"output", goldentest.Files(b, "../..", "simulate/command/testdata/*")},
		{"chinese", goldentest.Files(b, "../..", "model/tokens/testdata/chinese.txt")},
		{"excerpts", goldentest.Excerpts(b, "../..")(1 << 19)},
		{"any-cjk", random([]rune(all["chinese"] + all["japanese"] + all["korean"]))},
		{"base64", random([]rune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))},
		{"long-run", strings.Repeat("a", 1<<20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			n := 0
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				b.StopTimer()
				v.idle = sync.Pool{New: v.idle.New}
				v.idle.Put(v.idle.New())
				b.StartTimer()
				n = musttest.Of(c.count(context.Background(), bench.text, func(int) {}))(b)
			}
			b.ReportMetric(float64(len(bench.text))/float64(n), "B/token")
			b.ReportMetric(float64(len(bench.text))/float64(deflated(bench.text)), "x-deflated")
		})
	}
}

// deflated is how many bytes are left of a text.
func deflated(text string) int {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.DefaultCompression)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.Len()
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

// samples are texts of the sorts that end up in a context, a few hundred
// tokens each, written for these tests.
func samples() map[string]string {
	rng := rand.New(rand.NewPCG(7, 8))
	var base64, hex, numbers, log strings.Builder
	for range 1200 {
		base64.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[rng.IntN(64)])
		hex.WriteByte("0123456789abcdef"[rng.IntN(16)])
	}
	for i := range 60 {
		fmt.Fprintf(&numbers, "%d,%.3f,%d\n", i, rng.Float64()*100, rng.IntN(100000))
		fmt.Fprintf(&log, "2024-05-01T10:%02d:%02d.%03dZ INFO  worker-%d finished job %08x in %d ms (status=ok)\n", i, i, i*7, i%4, rng.Uint32(), rng.IntN(900))
	}
	return map[string]string{
		"prose": strings.Repeat("The harbour was quiet before sunrise, and the fishermen who had been waiting for the tide stood together without "+
			"speaking. Nobody could remember a winter so mild; the older ones said it would be paid for in spring. When the first boat "+
			"left, its lantern drew a thin line over the water, and someone began, very softly, to hum a tune that everyone knew.\n\n", 4),
		"chat": strings.Repeat("User: can you check why the build fails on my branch? I've tried clearing the cache, but it's the same error.\n"+
			"Assistant: Sure! The log says that `config.yaml` isn't found. Did you move it? Here's what I'd do first:\n\n"+
			"1. run `git status`\n2. look at the path in **line 12**\n3. tell me what you see :)\n\n", 4),
		"go": strings.Repeat("// Sum adds the numbers of a list.\nfunc Sum(list []int) (total int, err error) {\n\tfor i, n := range list {\n"+
			"\t\tif n < 0 {\n\t\t\treturn 0, fmt.Errorf(\"list[%d] is %d, must not be negative\", i, n)\n\t\t}\n\t\ttotal += n\n\t}\n\treturn total, nil\n}\n\n", 5),
		"python": strings.Repeat("class ItemStore:\n    def __init__(self, path: str, max_items: int = 100) -> None:\n        self.path = path\n"+
			"        self._items = {}\n\n    def load_all(self):\n        with open(self.path, encoding='utf-8') as handle:\n"+
			"            for line in handle:\n                item = json.loads(line)\n                self._items[item['id']] = item\n\n", 4),
		"json":     strings.Repeat(`{"id": 1042, "name": "copper wire", "tags": ["metal", "stock"], "price": {"amount": 12.5, "currency": "EUR"}, "available": true, "notes": null}`+",\n", 9),
		"minified": strings.Repeat(`{"type":"event","payload":{"userId":"u_83k2","clickCount":17,"path":"/settings/profile","ok":true}},`, 10),
		"markdown": strings.Repeat("## Installing\n\n- Download the archive from the [release page](https://example.org/releases/v1.2.3)\n- Unpack it: `tar -xzf tool.tar.gz`\n\n"+
			"| option | default | meaning |\n|--------|---------|---------|\n| `--all` | false | show everything |\n\n", 5),
		"chinese":  strings.Repeat("今天早上港口很安静，渔民们站在一起等待潮水。没有人记得这么温暖的冬天，老人们说春天要付出代价。\n", 8),
		"japanese": strings.Repeat("朝の港は静かで、漁師たちは潮を待ちながら黙って立っていた。こんなに暖かい冬は誰も覚えていない。\n", 8),
		"korean":   strings.Repeat("아침 항구는 조용했고 어부들은 말없이 물때를 기다리고 있었다. 이렇게 따뜻한 겨울은 아무도 기억하지 못했다.\n", 8),
		"russian":  strings.Repeat("Утром в гавани было тихо, рыбаки молча стояли и ждали прилива. Никто не помнил такой тёплой зимы.\n", 8),
		"german":   strings.Repeat("Der Hafen war vor Sonnenaufgang still, und die Fischer warteten schweigend auf die Flut. Niemand erinnerte sich an einen so milden Winter.\n", 6),
		"emoji":    strings.Repeat("done ✅ ship it 🚀🚀 — nice work 👍🏽 “really” nice… ", 10),
		"shell":    strings.Repeat("$ ls -la /usr/local/bin | grep -E '^-rwx' | awk '{print $9, $5}' | sort -k2 -n\ngo test ./... -run TestSet -count=1 2>&1 | tail -n 20\n", 6),
		"log":      log.String(), "numbers": numbers.String(), "base64": base64.String(), "hex": hex.String(),
		"traps": strings.Repeat("don't 'S x's9 I'LL\r\n\r\n  \t\n//\n/ a\n\n /b...\n\n\t\tx <|endoftext|> <|fim_prefix|>   \n é́ 9²½ \u00a0\u2003\u2028 \xff\xfe end   ", 12),
	}
}
