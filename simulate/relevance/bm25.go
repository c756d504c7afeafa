// Package relevance scores texts by how well they answer a question, for items
// that come without a score of their own.
//
// The score is BM25 as Lucene computes it. For each term of the question, as often
// as it is there, a text gets
//
//	idf · tf / (tf + k1 · (1 - b + b · length / mean length))
//	idf = ln(1 + (N - df + 0.5) / (df + 0.5))
//
// with tf how often the text has the term, df how many of the N texts have it, and
// lengths in terms. Terms are runs of letters and digits, in lower case; nothing is
// stemmed and no word is left out. (Robertson and Zaragoza, The Probabilistic
// Relevance Framework, 2009; Lucene leaves out the factor k1 + 1, which changes no
// order.)
package relevance

import (
	"context"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The parameters of BM25, as Lucene has them by default.
const (
	k1 = 1.2  // how soon further occurrences of a term stop to count
	b  = 0.75 // how much long texts count less
)

// checkEvery is how many bytes of texts are read between two looks at the context:
// less than a millisecond's work.
const checkEvery = 64 << 10

// BM25 scores n texts; text gives them by index. The cost is one pass over all
// texts. The error is ctx.Err().
func BM25(ctx context.Context, question string, n int, text func(i int) string) ([]float64, error) {
	asked := map[string]int{} // terms of the question: their row
	var times []float64       // how often the question has each
	for term := range terms(question) {
		if _, met := asked[term]; !met {
			asked[term] = len(times)
			times = append(times, 0)
		}
		times[asked[term]]++
	}
	scores := make([]float64, n)
	if len(times) == 0 {
		return scores, ctx.Err()
	}
	counts := make([]float64, n*len(times)) // tf, a row of the terms for each text
	lengths, total, with := make([]float64, n), 0.0, make([]float64, len(times))
	read := 0
	for i := range n {
		row := counts[i*len(times) : (i+1)*len(times)]
		for rest := text(i); rest != ""; {
			var part string
			part, rest = cut(rest)
			if read += len(part); read >= checkEvery {
				read = 0
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
			for term := range terms(part) {
				lengths[i]++
				if k, ok := asked[term]; ok {
					row[k]++
				}
			}
		}
		total += lengths[i]
		for k, tf := range row {
			if tf > 0 {
				with[k]++
			}
		}
	}
	mean := total / float64(n)
	for i := range n {
		for k, tf := range counts[i*len(times) : (i+1)*len(times)] {
			if tf > 0 {
				idf := math.Log(1 + (float64(n)-with[k]+0.5)/(with[k]+0.5))
				scores[i] += times[k] * idf * tf / (tf + k1*(1-b+b*lengths[i]/mean))
			}
		}
	}
	return scores, ctx.Err()
}

// Hints is BM25 from 0 to 1: over the best score of all, 0 where all are 0.
func Hints(ctx context.Context, question string, n int, text func(i int) string) ([]float64, error) {
	scores, err := BM25(ctx, question, n, text)
	if err != nil {
		return nil, err
	}
	best := 0.0
	for _, s := range scores {
		best = max(best, s)
	}
	for i := range scores {
		if best > 0 {
			scores[i] /= best
		}
	}
	return scores, nil
}

// cut takes a part of a text, up to the end of a term.
func cut(text string) (part, rest string) {
	if len(text) <= checkEvery {
		return text, ""
	}
	at := checkEvery
	for at < min(len(text), 2*checkEvery) { // a longer run is no word
		r, size := utf8.DecodeRuneInString(text[at:])
		if utf8.RuneStart(text[at]) && !isTerm(r) {
			break
		}
		at += size
	}
	return text[:at], text[at:]
}

func isTerm(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// terms yields the terms of a text in order.
func terms(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for term := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isTerm(r) }) {
			if !yield(strings.ToLower(term)) {
				return
			}
		}
	}
}
