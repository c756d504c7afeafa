package tokens

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
	"cupelscope/model/randomtest"
)

// references are tiktoken's own encoders, which take a while to load.
var references = struct {
	sync.Mutex
	all map[string]*tiktoken.Tiktoken
}{all: map[string]*tiktoken.Tiktoken{}}

func reference(t testing.TB, encoding string) *tiktoken.Tiktoken {
	t.Helper()
	references.Lock()
	defer references.Unlock()
	if one, ok := references.all[encoding]; ok {
		return one
	}
	tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader()) // its own loader would download the ranks
	one := musttest.Of(tiktoken.GetEncoding(encoding))(t)
	references.all[encoding] = one
	return one
}

func sameCount(t testing.TB, c *Counter, what, text string) {
	t.Helper()
	if strings.Contains(text, "'"+longS) {
		return // see longS
	}
	if n, p := count(t, c, text); p != model.Exact || n != encode(t, c, text) {
		t.Fatalf("%s, %s: %q has %v tokens, counted %v (%v)", c.Encoding(), what, text, encode(t, c, text), n, p)
	}
}

// joints are the characters at which the expressions turn.
var joints = []string{"a", "B", "é", "漢", "1", "²", " ", " ", "\t", "\n", "\r", "'", "s", "S", "ll", "RE", "/", ".", "-", "\u0301", "\u00a0", "\u2028", "\u200b", "\ufeff",
	"\x00", "\x7f", "\u0085", "🚀", "ǅ", "ʰ", "\xff", "_", "“", "Ⅷ", "\v", "ſ", "İ", "\u0939\u093f", "ß", "\U0001d7d8", "\U00020000", "\U0001F469\u200d"}

func jointText(rng *rand.Rand, length int) string {
	var b strings.Builder
	for range length {
		b.WriteString(joints[rng.IntN(len(joints))])
	}
	return b.String()
}

// scriptText draws characters from all of Unicode, a few neighbours at a time as
// in real words, between signs and spaces.
func scriptText(rng *rand.Rand, length int) string {
	var b strings.Builder
	for b.Len() < length {
		block := rune(rng.IntN(0x30000))
		for range 1 + rng.IntN(8) {
			if r := block + rune(rng.IntN(40)); utf8.ValidRune(r) {
				b.WriteRune(r)
			}
		}
		b.WriteString(joints[rng.IntN(len(joints))])
	}
	return b.String()
}

func TestCountsAreTiktokens(t *testing.T) {
	musttest.Alone(t)
	rounds, cuts := randomtest.Rounds(150, 3000), randomtest.Rounds(6, 40)
	for _, encoding := range Encodings() {
		c := counter(t, encoding)
		for name, text := range samples() {
			sameCount(t, c, name, text)
			sameCount(t, c, name+" upper", strings.ToUpper(text))
			for i := range cuts { // words that begin and end anywhere
				sameCount(t, c, name+" cut", text[i*len(text)/99:len(text)-i*len(text)/90])
			}
		}
		rng := rand.New(rand.NewPCG(5, 6))
		for range rounds {
			sameCount(t, c, "joints", jointText(rng, 1+rng.IntN(24)))
			sameCount(t, c, "scripts", scriptText(rng, 60))
		}
	}
}

// categories tells in which of the categories that the expressions name a character is.
func categories(r rune) (in [9]bool) {
	for k, table := range [...]*unicode.RangeTable{unicode.Lu, unicode.Lt, unicode.Ll, unicode.Lm, unicode.Lo, unicode.L, unicode.M, unicode.N, unicode.White_Space} {
		in[k] = unicode.Is(table, r)
	}
	return in
}

// Every character alone, after a letter, before one and between digits: so the class of
// each is the one that tiktoken gives it. One that is of the same class here and of the
// same of Unicode, by which tiktoken goes, as the one before it is tried once in a while.
func TestEveryCharacterIsTiktokens(t *testing.T) {
	musttest.Alone(t)
	every := rune(randomtest.Rounds(61, 7))
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		c := counter(t, encoding)
		var b strings.Builder
		before := [2]any{}
		for r := rune(0); r <= unicode.MaxRune; r++ {
			class := [2]any{classes()[r], categories(r)}
			alike := class == before
			before = class
			if alike && r%every != 0 {
				continue
			}
			if !utf8.ValidRune(r) || r > 0x32000 && r < 0xE0000 && r%251 != 0 || r > 0xE0200 && r%251 != 0 {
				continue // hundreds of thousands that Unicode does not name
			}
			for _, around := range [...][2]string{{"", " "}, {"a", "a"}, {"B", "b "}, {" ", "A"}, {"1", "2"}, {"!", "/\n"}, {"\n", "  "}} {
				b.WriteString(around[0] + string(r) + around[1])
			}
			if b.Len() > 4000 {
				sameCount(t, c, "characters", b.String())
				b.Reset()
			}
		}
		sameCount(t, c, "characters", b.String())
	}
}

// Pieces of any length are merged as tiktoken merges them, in chunks or not.
func TestMergesAreTiktokens(t *testing.T) {
	musttest.Alone(t)
	alphabets := []string{"a", "ab", "aab", "abc", "etaoin", "ETAOINetaoin", "abcdefghijklmnopqrstuvwxyz", "漢字仮名", "=", "=-", "-*#", "одна", "aé漢", "สวัสดี", "🚀👍🏽", " ", "ha", "the"}
	for _, encoding := range Encodings() {
		c := counter(t, encoding)
		v := c.load()
		rng := rand.New(rand.NewPCG(9, 4))
		for i := range randomtest.Rounds(40, 1000) {
			letters := []rune(alphabets[i%len(alphabets)])
			var b strings.Builder
			for range 1 + rng.IntN(300) {
				if rng.IntN(6) == 0 && len(letters) > 1 { // periods
					b.WriteString(string(letters))
					continue
				}
				b.WriteRune(letters[rng.IntN(len(letters))])
			}
			text := b.String()
			whole := merger{vocabulary: v, chunk: 1 << 20}
			ends := whole.encode(nil, text)
			if n, ok := whole.countShort(text); ok && n != len(ends) {
				t.Fatalf("%s: %q merged to %d parts by looking at all, to %d by the heap", encoding, text, n, len(ends))
			}
			for _, chunk := range []int{2, 3, 5, 16, 100} {
				parts := merger{vocabulary: v, chunk: chunk}
				if n, err := parts.countLong(context.Background(), text); err != nil || n != len(ends) {
					t.Fatalf("%s: %q has %d tokens, %d in chunks of %d (%v)", encoding, text, len(ends), n, chunk, err)
				}
			}
			sameCount(t, c, "run", text)
		}
	}
}

// A text is merged to the same tokens from its characters as from its bytes.
func TestWholeCharacters(t *testing.T) {
	musttest.Alone(t)
	for _, e := range encodings {
		v, fromBytes := e.load(), unpack(e.load().list, e.load().size)
		fromBytes.whole = func() *wholeCharacters {
			var none wholeCharacters
			for i := range none.ranks {
				none.ranks[i] = noRank
			}
			return &none
		}
		tokens := slices.DeleteFunc(v.tokens(), func(token string) bool {
			return strings.IndexFunc(token, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
		})
		rng := rand.New(rand.NewPCG(4, 8))
		want, got := merger{vocabulary: fromBytes, chunk: 1 << 20}, merger{vocabulary: v, chunk: 1 << 20}
		begun := 0
		for range randomtest.Rounds(150, 2000) {
			var b strings.Builder
			for range 1 + rng.IntN(12) {
				b.WriteString(tokens[rng.IntN(len(tokens))])
			}
			text := strings.ToValidUTF8(b.String(), "")
			text = text[rng.IntN(len(text)+1):] // may begin and end within a character
			text = text[:rng.IntN(len(text)+1)]
			if w, g := want.encode(nil, text), got.encode(nil, text); !slices.Equal(w, g) {
				t.Fatalf("%s: %q ends at %v from its characters, %v from its bytes", e.name, text, g, w)
			}
			if n, _ := got.begin(text, make([]int32, len(text)), make([]int32, len(text)), nil); n < len(text) {
				begun++
			}
		}
		if begun == 0 {
			t.Errorf("%s: no character was a part", e.name)
		}
	}
}

// What would take tiktoken minutes is exact too.
func TestLongRuns(t *testing.T) {
	musttest.Alone(t)
	c := counter(t, "")
	count(t, c, "loads the ranks")
	size := 1 << 20
	for _, run := range []string{"a", "=", " ", "漢", "\n", "\xff", "ab", "Ab", "qzx", "9", "é\u0301"} {
		text := strings.Repeat(run, size/len(run))
		n, p := count(t, c, "before "+text+" after")
		if p != model.Exact || n < 1000 {
			t.Errorf("a run of %q: %v, %v", run, n, p)
		}
		// Repeated far enough apart, each repetition adds as many tokens.
		several := func(times int) model.Tokens {
			n, _ := count(t, c, strings.Repeat(run, times*(3<<10)/len(run)))
			return n
		}
		if a, b := several(16)-several(8), several(32)-several(16); a*2-b > 8 || b-a*2 > 8 {
			t.Errorf("a run of %q: %v tokens more, then %v", run, a, b)
		}
	}
}

func TestCountStopsWithinARun(t *testing.T) {
	c := counter(t, "")
	count(t, c, "loads the ranks")
	ctx := polltest.After(t.Context(), 3)
	if _, _, err := c.Count(ctx, strings.Repeat("a", 1<<20)); err != context.Canceled || ctx.Polls() > 5 {
		t.Errorf("%v after %d looks", err, ctx.Polls())
	}
}

// What the comment on the expressions says of line breaks.
func TestTokensEndWithTheirLineBreak(t *testing.T) {
	for rank, token := range counter(t, "cl100k_base").load().tokens() {
		if i := strings.LastIndexAny(token, "\r\n"); i >= 0 && i != len(token)-1 {
			t.Errorf("token %d is %q", rank, token)
		}
	}
}

func TestLongSIsAnS(t *testing.T) {
	musttest.Is(t, contractionEnd("x'ſa", 1, true), 4, "ends at")
	musttest.Is(t, contractionEnd("x'ſa", 1, false), 1, "without capitals it ends at")
}

func FuzzCount(f *testing.F) {
	for _, s := range samples() {
		f.Add(s[:min(len(s), 300)])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		for _, encoding := range []string{"o200k_base", "cl100k_base", "p50k_base"} {
			sameCount(t, counter(t, encoding), "fuzz", text)
		}
		if n := Estimate(text); (n < 1) != (text == "") || int(n) > 3*len(text)+1 {
			t.Fatalf("estimate of %q is %v", text, n)
		}
	})
}

func TestValid(t *testing.T) {
	musttest.Alone(t)
	for _, text := range []string{"", "abc", "é漢🚀", "\xff", "a\xffb", "a\xc3", strings.Repeat("漢", 3<<20), strings.Repeat("a\xff漢", 2<<20), strings.Repeat("\x80", 5<<20), strings.Repeat("a", 5<<20) + "\xff"} {
		got, err := valid(context.Background(), text)
		if want := string([]rune(text)); err != nil || got != want {
			t.Errorf("%.20q: differs, %d bytes and %d, %v", text, len(got), len(want), err)
		}
	}
}
