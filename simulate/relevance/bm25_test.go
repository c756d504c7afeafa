package relevance

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

func score(t *testing.T, question string, texts ...string) []float64 {
	t.Helper()
	return musttest.Of(BM25(context.Background(), question, len(texts), func(i int) string { return texts[i] }))(t)
}

func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

// Values worked out by hand from the formula.
func TestWorkedValues(t *testing.T) {
	// Three texts of 2, 4 and 3 terms, 3 on average. "cat" is in two of them:
	// idf = ln(1 + 1.5/2.5) = 0.470003629...; "fish" in one: ln(1 + 2.5/1.5).
	cat, fish := math.Log(1.6), math.Log(1+2.5/1.5)
	first := 1 / (1 + 1.2*(0.25+0.75*2/3))  // tf 1, length 2
	second := 2 / (2 + 1.2*(0.25+0.75*4/3)) // tf 2, length 4
	for _, c := range []struct {
		name, question string
		texts          []string
		want           []float64
	}{
		{"one term", "cat", []string{"a cat", "Cat, cat and dog", "a red fish"}, []float64{cat * first, cat * second, 0}},
		{"case and signs do not matter", "CAT!", []string{"a cat", "Cat, cat and dog", "a red fish"}, []float64{cat * first, cat * second, 0}},
		{"two terms", "cat fish", []string{"a cat", "Cat, cat and dog", "a red fish"}, []float64{cat * first, cat * second, fish / (1 + 1.2)}},
		{"a term twice in the question counts twice", "fish fish", []string{"a cat", "Cat, cat and dog", "a red fish"}, []float64{0, 0, 2 * fish / (1 + 1.2)}},
		{"no term of the question", "bird", []string{"a cat", "a dog"}, []float64{0, 0}},
		{"a question without a term", "?!", []string{"a cat"}, []float64{0}},
		{"letters of any script, and digits", "ÄÖ 42", []string{"äö", "42", "x"}, []float64{math.Log(1+2.5/1.5) / 2.2, math.Log(1+2.5/1.5) / 2.2, 0}},
		{"empty texts", "cat", []string{"", "cat"}, []float64{0, math.Log(2) / (1 + 1.2*(0.25+0.75*2))}},
		{"no texts", "cat", nil, nil},
	} {
		if got := score(t, c.question, c.texts...); !equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Scores of many random texts are the formula's, worked out a text at a time.
func TestRandomTextsScoreAsByTheFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	words := []string{"a", "cat", "Cat", "CATS", "c", "4", "42", "é", "É", "\u212a", "k", "İ", "世界", "\xff", "_", "long" + strings.Repeat("x", 99)}
	text := func(most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString(words[r.IntN(len(words))] + [...]string{" ", ", ", "", "\xc3"}[r.IntN(4)])
		}
		return b.String()
	}
	split := func(text string) (all []string) {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !isTerm(r) }) {
			all = append(all, strings.Map(unicode.ToLower, word))
		}
		return all
	}
	for round := range randomtest.Rounds(100, 600) {
		question, texts := text(6), make([]string, 1+r.IntN(40))
		if round == 0 { // as many as are worth several processors
			texts = make([]string, 3000)
		}
		total, have := 0.0, map[string]float64{}
		for i := range texts {
			texts[i] = text(30)
			all := split(texts[i])
			total += float64(len(all))
			slices.Sort(all)
			for _, term := range slices.Compact(all) {
				have[term]++
			}
		}
		want, n := make([]float64, len(texts)), float64(len(texts))
		for i := range texts {
			all := split(texts[i])
			for _, term := range split(question) {
				tf := 0.0
				for _, word := range all {
					if word == term {
						tf++
					}
				}
				if tf > 0 {
					want[i] += math.Log(1+(n-have[term]+.5)/(have[term]+.5)) * tf / (tf + k1*(1-b+b*float64(len(all))/(total/n)))
				}
			}
		}
		if got := score(t, question, texts...); !equal(got, want) {
			t.Fatalf("%q: %v, want %v", question, got[:1], want[:1])
		}
	}
}

// A text that is read in parts has the terms that it has as a whole.
func TestLongTextsAreCutBetweenTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for b.Len() < 5*checkEvery {
		b.WriteString(strings.Repeat("é", r.IntN(9)) + [...]string{" ", ", ", "世", "\xff"}[r.IntN(4)])
	}
	text := b.String()
	var whole, parts []string
	for term := range terms(text) {
		whole = append(whole, string(term))
	}
	for rest := text; rest != ""; {
		var part string
		part, rest = cut(rest)
		for term := range terms(part) {
			parts = append(parts, string(term))
		}
	}
	musttest.Is(t, whole, parts, len(parts), "terms in parts", len(whole), "as a whole")
}

func TestScoringStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	long := strings.Repeat("word ", checkEvery)
	if _, err := BM25(ctx, "word", 1, func(int) string { return long }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAsk(t *testing.T) {
	set, err := model.NewSet([]model.Item{
		{Content: "a cat"}, {Content: "Cat, cat and dog"}, {Content: "a red fish"}, {Content: "cat", FutureRelevanceHint: model.Some(.25)},
	})
	musttest.Do(t, err)
	q, err := Ask(context.Background(), set, " cat ")
	if err != nil || q.Text != "cat" || !q.Scored() {
		t.Fatalf("%+v, %v", q, err)
	}
	asked := musttest.Of(set.With(model.Edits{Query: q, Hints: map[int]float64{0: .5}}))(t)
	raw := score(t, "cat", "a cat", "Cat, cat and dog", "a red fish", "cat")
	if want := []float64{raw[0] / max(raw[0], raw[1]), raw[1] / max(raw[0], raw[1]), 0, 0}; !equal(q.Hints, want) {
		t.Errorf("hints %v, want %v", q.Hints, want)
	}
	for i, want := range []float64{.5, q.Hints[1], 0, .25} {
		musttest.Is(t, asked.Hint(i), want, "item", i)
	}
	musttest.Is(t, Count(asked, q), (Tally{Scored: 2, Found: 1, Given: 2}))
	if q, err := Ask(context.Background(), set, "bird"); err != nil || !equal(q.Hints, []float64{0, 0, 0, 0}) {
		t.Errorf("nothing has the word: %v, %v", q, err)
	}
	for question, says := range map[string]string{
		"": "", "  ": "", "?!": "no letter or digit", strings.Repeat("a ", model.MaxQuery): "at most 10,000 are allowed",
	} {
		q, err := Ask(context.Background(), set, question)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) || !q.IsZero() {
			t.Errorf("%.20q: %+v, %v", question, q, err)
		}
	}
}
