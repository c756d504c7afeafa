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

// occurrence is how often a text has a term of the question.
type occurrence struct {
	text, term int32
	times      float64
}

// BM25 scores n texts; text gives them by index. The cost is one pass over all
// texts, some 150 MB a second. The error is ctx.Err().
func BM25(ctx context.Context, question string, n int, text func(i int) string) ([]float64, error) {
	asked := map[string]int32{} // terms of the question: their number
	var times []float64         // how often the question has each
	longest := 0
	for term := range terms(question) {
		if _, met := asked[string(term)]; !met {
			asked[string(term)] = int32(len(times))
			times, longest = append(times, 0), max(longest, len(term))
		}
		times[asked[string(term)]]++
	}
	scores := make([]float64, n)
	if len(times) == 0 {
		return scores, ctx.Err()
	}
	var found []occurrence // by text
	row := make([]float64, len(times))
	lengths, total, with := make([]float64, n), 0.0, make([]float64, len(times))
	read := 0
	for i := range n {
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
				if len(term) > longest {
					continue
				}
				if k, ok := asked[string(term)]; ok {
					row[k]++
				}
			}
		}
		total += lengths[i]
		for k, tf := range row {
			if tf > 0 {
				found = append(found, occurrence{int32(i), int32(k), tf})
				with[k]++
				row[k] = 0
			}
		}
	}
	mean := total / float64(n)
	for _, o := range found {
		idf := math.Log(1 + (float64(n)-with[o.term]+0.5)/(with[o.term]+0.5))
		scores[o.text] += times[o.term] * idf * o.times / (o.times + k1*(1-b+b*lengths[o.text]/mean))
	}
	return scores, ctx.Err()
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

// terms yields the terms of a text in order, in lower case. Each is good until
// the next.
func terms(text string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		var term []byte
		for i := 0; i < len(text); {
			c, size := rune(text[i]), 1
			if c >= utf8.RuneSelf {
				c, size = utf8.DecodeRuneInString(text[i:])
			}
			i += size
			switch {
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
				term = append(term, byte(c))
				continue
			case 'A' <= c && c <= 'Z':
				term = append(term, byte(c)+'a'-'A')
				continue
			case c >= utf8.RuneSelf && isTerm(c):
				term = utf8.AppendRune(term, unicode.ToLower(c))
				continue
			}
			if len(term) > 0 {
				if !yield(term) {
					return
				}
				term = term[:0]
			}
		}
		if len(term) > 0 {
			yield(term)
		}
	}
}
