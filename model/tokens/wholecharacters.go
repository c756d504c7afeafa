package tokens

import (
	"math"
	"unicode/utf8"
)

// Most characters of two or three bytes are tokens, and merging can begin with them
// instead of with their bytes.
//
// Claim. Let c be a character whose text is a token, between two bytes that are there or
// not. If every token that ends with the byte before c and a beginning of c, or begins with
// an end of c and the byte behind it, has a higher rank than c, then the encoding is the
// same if merging begins with c as one part.
//
// Proof. A token has a higher rank than the parts that it is merged from, so the ranks of
// merges never fall. Until all merges up to the rank of c are done, no merge takes a part
// of c together with a byte beside it. So those within c come as if c were alone, and
// make it one part. No other merge up to that rank looks at a byte of c, so they may come
// first.
//
// wholeCharacters knows the characters of a vocabulary for which this holds. For a token that
// cuts a character it keeps only the first or last byte of the character, so it refuses some
// characters that it need not.
type wholeCharacters struct {
	ranks [math.MaxUint16 + 1]int32 // of the characters that are tokens; else noRank
	// before has the lowest rank of the tokens that end with a byte, any, and the beginning
	// of a character, by its first byte. behind has it for those that begin with the end of
	// a character, by its last byte, and another byte.
	before, behind [1 << 14]int32
}

// findWholeCharacters returns the characters of v, in some milliseconds.
func findWholeCharacters(v *vocabulary) *wholeCharacters {
	w := new(wholeCharacters)
	for _, ranks := range [...][]int32{w.ranks[:], w.before[:], w.behind[:]} {
		for i := range ranks {
			ranks[i] = noRank
		}
	}
	for rank, token := range v.tokens() {
		if r, n := utf8.DecodeRuneInString(token); n == len(token) && r != utf8.RuneError && int(r) < len(w.ranks) {
			w.ranks[r] = int32(rank)
			continue
		}
		last := len(token) - 1
		for last > 0 && !utf8.RuneStart(token[last]) {
			last--
		}
		if last > 0 && !utf8.FullRuneInString(token[last:]) {
			keepLeast(&w.before[besideFirst(token[last-1], token[last])], rank)
		}
		first := 0
		for first < len(token) && !utf8.RuneStart(token[first]) {
			first++
		}
		if 0 < first && first < len(token) {
			keepLeast(&w.behind[besideLast(token[first-1], token[first])], rank)
		}
	}
	return w
}

func keepLeast(to *int32, rank int) { *to = min(*to, int32(rank)) }

// besideFirst is the place in wholeCharacters.before of a byte and the first byte of a character.
func besideFirst(before, first byte) int { return int(first&63)<<8 | int(before) }

// besideLast is the place in wholeCharacters.behind of the last byte of a character and a byte.
func besideLast(last, behind byte) int { return int(last&63)<<8 | int(behind) }

// begin writes what merging begins with: characters where the claim allows it, else bytes.
// Of each part it writes the rank and the rank merged with the part behind it and, unless
// ends is nil, where it ends. It returns how many parts there are, at most as many as ranks
// has room for, and where the last one ends. Text must be a stretch of valid UTF-8.
func (m *merger) begin(text string, ranks, merged, ends []int32) (n, end int) {
	merged = merged[:len(ranks)]
	size := 0 // of the part before
	for ; end < len(text) && n < len(ranks); n++ {
		before := size
		var rank int32
		rank, size = m.bytes[text[end]], 1
		if text[end] >= utf8.RuneSelf {
			rank, size = m.character(text, end)
		}
		if before == 1 && size == 1 {
			merged[n-1] = m.pairs[int(text[end-1])<<8|int(text[end])]
		} else if before > 0 {
			merged[n-1] = m.merge(ranks[n-1], rank)
		}
		end += size
		ranks[n], merged[n] = rank, noRank
		if ends != nil {
			ends[n] = int32(end)
		}
	}
	return n, end
}

// character returns the rank and the size of the character at text[i], or of its first byte where
// merging cannot begin with the character.
func (m *merger) character(text string, i int) (rank int32, size int) {
	w := m.whole()
	if r, n := utf8.DecodeRuneInString(text[i:]); n > 1 && int(r) < len(w.ranks) {
		rank, end := w.ranks[r], i+n
		if rank != noRank && (i == 0 || rank < w.before[besideFirst(text[i-1], text[i])]) &&
			(end == len(text) || rank < w.behind[besideLast(text[end-1], text[end])]) {
			return rank, n
		}
	}
	return m.bytes[text[i]], 1
}
