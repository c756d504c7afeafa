package tokens

import (
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
)

// Weights of Estimate, in hundredths of a token.
const (
	wordWeight    = 92  // a run of ASCII letters, with the space before it
	letterWeight  = 17  // each of its letters beyond freeLetters
	freeLetters   = 6   // letters of a word that its weight covers
	digitsWeight  = 100 // each three digits of a run
	signWeight    = 62  // a run of signs
	signsWeight   = 32  // each of its signs after the first
	breakWeight   = 95  // a run of line breaks with its indentation
	indentWeight  = 4   // each of the spaces of an indentation
	ideograph     = 78  // a Han character, kana, Hangul syllable
	foreignLetter = 38  // a letter of another script
	symbolWeight  = 180 // emoji and other symbols
)

// Estimate guesses how many tokens s has under o200k_base, without loading
// anything: about 300 MB a second. It is at least 1 for text that is not empty.
func Estimate(s string) model.Tokens {
	if s == "" {
		return 0
	}
	var sum int64
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch {
		case isLetter(c):
			for i < len(s) && isLetter(s[i]) {
				i++
			}
			sum += wordWeight + letterWeight*max(0, int64(i-start)-freeLetters)
		case '0' <= c && c <= '9':
			for i < len(s) && '0' <= s[i] && s[i] <= '9' {
				i++
			}
			sum += digitsWeight * int64((i-start+2)/3)
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			broken := false
			for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
				broken = broken || s[i] == '\n'
				i++
			}
			switch {
			case broken:
				sum += breakWeight + indentWeight*int64(i-start-1)
			case i-start > 1:
				sum += breakWeight
			}
		case c < utf8.RuneSelf:
			for i < len(s) && s[i] < utf8.RuneSelf && s[i] > ' ' && !isLetter(s[i]) && (s[i] < '0' || s[i] > '9') || i == start {
				i++
			}
			sum += signWeight + signsWeight*int64(i-start-1)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size
			switch {
			case 0x3040 <= r && r <= 0x30FF || 0x3400 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3 || 0x20000 <= r && r <= 0x3FFFF:
				sum += ideograph
			case unicode.IsLetter(r) || unicode.IsMark(r):
				sum += foreignLetter
			default:
				sum += symbolWeight
			}
		}
	}
	return model.Tokens(max(1, (sum+50)/100))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
