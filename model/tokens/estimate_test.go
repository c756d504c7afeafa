package tokens

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// The bounds that Estimate documents. Base64 is the exception named there.
func TestEstimateError(t *testing.T) {
	c := counter(t, "")
	sum, n := 0.0, 0
	for name, text := range samples() {
		want, got := float64(encode(t, c, text)), float64(Estimate(text))
		e := got/want - 1
		t.Logf("%-9s %5.0f tokens, %.2f bytes each, estimated %5.0f, %+.1f %%", name, want, float64(len(text))/want, got, 100*e)
		limit := 0.20
		if name == "base64" {
			limit = 0.50
		}
		if math.Abs(e) > limit {
			t.Errorf("%s: %.0f tokens estimated as %.0f", name, want, got)
		}
		sum += math.Abs(e)
		n++
	}
	mean := sum / float64(n)
	t.Logf("mean error of %d sorts: %.1f %%", n, 100*mean)
	if mean > 0.10 {
		t.Errorf("the mean error is %.1f %%", 100*mean)
	}
}

// The items of the fixtures are texts that the weights were not fitted to: a
// coding agent's messages and tool outputs, documents, a long chat.
func TestEstimateErrorOfFixtures(t *testing.T) {
	musttest.Alone(t)
	c := counter(t, "")
	type errors struct {
		n                  int
		sum, worst         float64
		estimated, counted float64
	}
	byKind, all := map[string]*errors{}, &errors{}
	for _, fixture := range fixtures.All() {
		data := musttest.Of(fixture.Bytes())(t)
		scenario := musttest.JSON[struct {
			Items []struct{ Content, Kind string }
		}](t, data)
		for _, it := range scenario.Items[:min(len(scenario.Items), 1000)] {
			want, _ := count(t, c, it.Content)
			if want < 20 {
				continue // a token more or less is no measure
			}
			got, exact := float64(Estimate(it.Content)), float64(want)
			if byKind[it.Kind] == nil {
				byKind[it.Kind] = &errors{}
			}
			for _, e := range [...]*errors{byKind[it.Kind], all} {
				off := math.Abs(got/exact - 1)
				e.n, e.sum, e.worst = e.n+1, e.sum+off, max(e.worst, off)
				e.estimated, e.counted = e.estimated+got, e.counted+exact
			}
		}
	}
	for kind, e := range byKind {
		t.Logf("%-14q %5d items: mean error %4.1f %%, largest %4.1f %%, together %+.1f %%", kind, e.n, 100*e.sum/float64(e.n), 100*e.worst, 100*(e.estimated/e.counted-1))
	}
	mean, together := all.sum/float64(all.n), all.estimated/all.counted-1
	t.Logf("%-14s %5d items: mean error %4.1f %%, largest %4.1f %%, together %+.1f %%", "all", all.n, 100*mean, 100*all.worst, 100*together)
	if mean > 0.10 || math.Abs(together) > 0.10 {
		t.Errorf("the mean error is %.1f %%, all together are off by %.1f %%", 100*mean, 100*together)
	}
}

// What samples of a long text add to the error: documents, code, outputs and Chinese, in
// parts of 9,000 bytes.
func TestEstimateOfSamples(t *testing.T) {
	all := goldentest.Files(t, "../..", "*/*.md", "*/*/*.md", "pipeline/*/*.go", "simulate/command/testdata/*", "model/tokens/testdata/chinese.txt")
	n, sum, worst, sampled, whole := 0, 0.0, 0.0, 0.0, 0.0
	for len(all) > 9000 {
		part := all[:9000]
		all = all[9000:]
		got, want := float64(Estimate(part)), float64(weigh(part))/100
		off := math.Abs(got/want - 1)
		n, sum, worst, sampled, whole = n+1, sum+off, max(worst, off), sampled+got, whole+want
	}
	mean, together := sum/float64(n), sampled/whole-1
	t.Logf("%d texts: mean %.1f %%, largest %.1f %%, together %+.1f %%", n, 100*mean, 100*worst, 100*together)
	if n < 60 || mean > 0.04 || math.Abs(together) > 0.02 {
		t.Errorf("%d texts: samples are off by %.1f %%, together by %.1f %%", n, 100*mean, 100*together)
	}
}

// weigh finds in sets of 64 bytes what weighPlainly finds byte by byte.
func TestWeigh(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	parts := []string{"ab", "Ab", "ABC", "letters", "5", "12", " ", "  ", "\n", "\t", "'", ".", "({", "\x00", "é", "漢", "글", "😀"}
	for range 2000 {
		var text strings.Builder
		rng.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		some := append([]string{"word"}, parts[:1+rng.IntN(len(parts))]...)
		for range rng.IntN(200) {
			text.WriteString(some[rng.IntN(len(some))])
		}
		if got, want := weigh(text.String()), weighPlainly(text.String()); got != want {
			t.Fatalf("%q weighs %d, must be %d", text.String(), got, want)
		}
	}
}

// classBits has bit 8k for each class k of a byte.
var classBits = func() (all [256]uint64) {
	for i := range all {
		c := byte(i)
		small, digit, blank := 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == ' ' || c == '\n' || c == '\t' || c == '\r'
		letter := small || 'A' <= c && c <= 'Z'
		for class, is := range [byteClasses]bool{
			aLetter: letter, aSmall: small, aDigit: digit, aBlank: blank, aSpace: c == ' ',
			aSign: c < utf8.RuneSelf && !letter && !digit && !blank, anApostrophe: c == '\'', aLead: c >= 0xC0,
		} {
			if is {
				all[i] |= 1 << (8 * class)
			}
		}
	}
	return all
}()

// Every byte at every place of a block is of its classes, and what is behind a text of none.
func TestClasses(t *testing.T) {
	for size := range blockBytes + 2 {
		for shift := range 256 {
			text := make([]byte, size)
			for i := range text {
				text[i] = byte(i + shift)
			}
			var want [byteClasses]uint64
			for i, c := range text[:min(size, blockBytes)] {
				for class := range want {
					want[class] |= classBits[c] >> (8 * class) & 1 << i
				}
			}
			var b block
			b.read(string(text))
			musttest.Is(t, b.of, want)
		}
	}
}

// weighPlainly is weigh for texts without long runs of white space.
func weighPlainly(s string) (sum int64) {
	is := func(i int, class byteClass) bool {
		return 0 <= i && i < len(s) && classBits[s[i]]>>(8*class)&1 != 0
	}
	run := func(i int, class byteClass) (n int) { // bytes of the class up to i
		for is(i-n, class) {
			n++
		}
		return n
	}
	part := 0 // letters of the word, or from its last hump on
	for i := range s {
		switch {
		case is(i, aLetter):
			part++
			if !is(i-1, aLetter) {
				sum, part = sum+wordWeight, 1
			} else if !is(i, aSmall) && is(i-1, aSmall) {
				sum, part = sum+humpWeight, 1
			}
			if part > 6 {
				sum += letterWeight
			}
			if run(i-1, aSign) == 1 {
				sum += prefixWeight - signWeight
				if s[i-1] == '\'' && is(i-2, aLetter) {
					sum -= prefixWeight
				}
			}
		case is(i, aDigit):
			if run(i, aDigit)%3 == 1 {
				sum += digitsWeight
			}
		case is(i, aBlank):
			if n := run(i, aBlank); n > 1 {
				sum += indentWeight
			}
			if !is(i+1, aBlank) && (run(i, aBlank) > 1 || s[i] != ' ') {
				sum += breakWeight
			}
		case run(i, aSign) == 1:
			sum += signWeight
		case is(i, aSign):
			sum += signsWeight
		default:
			sum += weighRune(s[i:])
		}
	}
	return sum
}

func TestEstimateExtremes(t *testing.T) {
	for text, want := range map[string]struct{ least, most int }{
		"": {0, 0}, "a": {1, 1}, " ": {1, 1}, "\n": {1, 1}, "\xff": {1, 3}, "漢": {1, 2}, "\x00": {1, 2},
	} {
		if n := int(Estimate(text)); n < want.least || n > want.most {
			t.Errorf("%q: %d", text, n)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	text := samples()["go"] + samples()["prose"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Estimate(text)
	}
}

func TestPerCharactersRoundsUp(t *testing.T) {
	for _, c := range []struct {
		text string
		want model.Tokens
	}{{"", 0}, {"a", 1}, {"abcd", 1}, {"abcde", 2}, {"äöü€", 1}, {"äöü€x", 2}, {"\xff\xff\xff\xff\xff", 2}} {
		n, count, err := PerCharacters(4).Count(context.Background(), c.text)
		if err != nil || n != c.want || count != model.Estimated {
			t.Errorf("%q: %d, %v, %v; want %d, estimated", c.text, n, count, err, c.want)
		}
	}
}
