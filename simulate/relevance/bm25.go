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
	"iter"
	"math"
	"sync"
	"unicode"
	"unicode/utf8"

	"cupelscope/model/relay"
)

// The parameters of BM25, as Lucene has them by default.
const (
	k1 = 1.2  // how soon further occurrences of a term stop counting
	b  = 0.75 // how much less long texts count
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
// texts, some 500 MB a second on one core. The error is ctx.Err().
func BM25(ctx context.Context, question string, n int, text func(i int) string) ([]float64, error) {
	asked := map[string]int32{} // terms of the question: their number
	var times []float64         // how often the question has each
	for term := range terms(question) {
		if _, met := asked[string(term)]; !met {
			asked[string(term)] = int32(len(times))
			times = append(times, 0)
		}
		times[asked[string(term)]]++
	}
	scores := make([]float64, n)
	if len(times) == 0 {
		return scores, ctx.Err()
	}
	var found []occurrence
	lengths, total, with, class := make([]float64, n), 0, make([]float64, len(times)), classes(asked)
	var sums sync.Mutex
	relay.Spread(n, func(i int) int { return len(text(i)) }, func(from, to int) {
		l := look{asked: asked, class: class, row: make([]float64, len(times)), unchecked: checkEvery}
		for i := from; i < to && l.read(ctx, int32(i), text(i)); i++ {
			lengths[i] = float64(l.length)
		}
		sums.Lock()
		defer sums.Unlock()
		for _, o := range l.found {
			with[o.term]++
		}
		found, total = append(found, l.found...), total+l.total
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	mean := float64(total) / float64(n)
	for _, o := range found {
		idf := math.Log(1 + (float64(n)-with[o.term]+0.5)/(with[o.term]+0.5))
		scores[o.text] += times[o.term] * idf * o.times / (o.times + k1*(1-b+b*lengths[o.text]/mean))
	}
	return scores, ctx.Err()
}

// look looks for the terms of a question in texts.
type look struct {
	asked map[string]int32
	class [256]uint8 // of the bytes

	row           []float64 // how often the text has each
	found         []occurrence
	length, total int // terms of the newest text, and of all
	term          []byte
	unchecked     int // bytes since the last look at the context
}

// The classes of bytes. A byte is part of a term if its class has inTerm.
const (
	inTerm = 1 << iota
	begins // a term of the question, in either case
	wide   // of a rune that is not ASCII
)

// classes returns the classes of bytes for the terms of a question.
func classes(asked map[string]int32) (class [256]uint8) {
	for c := range class {
		switch {
		case c >= utf8.RuneSelf:
			class[c] = wide
		case isTerm(rune(c)):
			class[c] = inTerm
		}
	}
	for term := range asked {
		if term[0] < utf8.RuneSelf {
			class[term[0]] |= begins
			class[unicode.ToUpper(rune(term[0]))] |= begins
		}
	}
	return class
}

// read looks in a text. It returns false if the context has ended.
func (l *look) read(ctx context.Context, i int32, text string) bool {
	l.length = 0
	for text != "" {
		var part string
		part, text = cut(text)
		if l.unchecked += len(part); l.unchecked >= checkEvery {
			l.unchecked = 0
			if ctx.Err() != nil {
				return false
			}
		}
		l.readPart(part)
	}
	l.total += l.length
	for k, tf := range l.row {
		if tf > 0 {
			l.found = append(l.found, occurrence{i, int32(k), tf})
			l.row[k] = 0
		}
	}
	return true
}

// readPart reads a text whose ends are no part of a longer term. Nearly all bytes take the
// first way through the loop, without a branch at the ends of terms, which no processor predicts.
func (l *look) readPart(text string) {
	within := uint8(0) // inTerm | begins, if the byte before was in a term
	class, length := &l.class, 0
	for i := 0; i < len(text); {
		c := class[text[i]]
		length += int(c &^ within & inTerm)
		if c&^within&begins|c&wide == 0 {
			within = (c & inTerm) * (inTerm | begins)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case !isTerm(r):
			within = 0
			i += size
		case within != 0: // the term began with a byte that is not asked for
			i += size
		default:
			length += int(c&wide) / wide
			within = inTerm | begins
			end := i + termEnd(text[i:])
			l.term = appendLower(l.term[:0], text[i:end])
			if k, ok := l.asked[string(l.term)]; ok {
				l.row[k]++
			}
			i = end
		}
	}
	l.length += length
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
func terms(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var term []byte
		for text != "" {
			end := termEnd(text)
			if term = appendLower(term[:0], text[:end]); end > 0 && !yield(term) {
				return
			}
			_, size := utf8.DecodeRuneInString(text[end:])
			text = text[end+size:]
		}
	}
}

// termEnd returns where the term ends with which a text begins, 0 if it begins with none.
func termEnd(text string) int {
	for i, r := range text {
		if !isTerm(r) {
			return i
		}
	}
	return len(text)
}

// appendLower appends a term in lower case.
func appendLower(dst []byte, term string) []byte {
	for _, r := range term {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}
