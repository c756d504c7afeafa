package tokens

import (
	"math"
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
)

// Weights of Estimate, in hundredths of a token, fitted by hand to texts of the
// sorts in TestEstimateError.
const (
	wordWeight    = 98  // a run of ASCII letters, with the space before it
	humpWeight    = 85  // each capital letter after a small one within a word
	letterWeight  = 20  // each letter of a word beyond freeLetters
	freeLetters   = 6   // letters of a word that its weight covers
	digitsWeight  = 100 // each three digits of a run
	signWeight    = 95  // a run of signs
	prefixWeight  = 55  // a single sign before a letter: often one token with it
	signsWeight   = 20  // each sign of a run after the first
	breakWeight   = 95  // a run of white space that is more than one space
	indentWeight  = 4   // each of its line breaks and spaces after the first, up to maxIndent
	maxIndent     = 40  // characters of white space that indentWeight counts for
	spacesPer     = 120 // spaces of a long run that share a token
	ideograph     = 80  // a Han character or kana
	hangul        = 70  // a Hangul syllable
	foreignLetter = 42  // a letter of another script
	symbolWeight  = 150 // emoji and other symbols
)

// A text of more than sampledFrom bytes is estimated by the first blockSize bytes of each
// blockEvery.
const (
	sampledFrom = 4 << 10
	blockSize   = 256
	blockEvery  = 4 * blockSize
)

// Estimate returns a guess of the number of tokens of s under o200k_base. It
// loads nothing and reads some 300 MB a second, of a long text, of which it takes
// samples, a GB. The guess is at least 1 for text that is not empty.
//
// Compared with exact counts the mean error of a text is 7.1 % over 19 sorts of
// text of 200 to 2,000 tokens (prose, chat, code, JSON, logs, tables, Chinese,
// Japanese, Korean, Russian, German and so on; TestEstimateError lists them),
// to which the weights were fitted by hand. It is 4.3 % over the 513 items of
// the fixtures that have 20 tokens or more, to which the weights were not
// fitted: 20 % for the worst of these, and 3.6 % too few for all together
// (TestEstimateErrorOfFixtures). Base64 is underestimated by up to a half.
// Under other encodings the guess is as good for English and code, but not for
// other scripts, which took more tokens before o200k_base. Samples are off by another
// 2.1 % of a text of 9,000 bytes (TestEstimateOfSamples).
func Estimate(s string) model.Tokens {
	if s == "" {
		return 0
	}
	sum, read := int64(0), len(s)
	if read <= sampledFrom {
		sum = weigh(s)
	} else {
		read = 0
		for at := 0; at < len(s); at += blockEvery {
			block := s[at:min(at+blockSize, len(s))]
			sum, read = sum+weigh(block), read+len(block)
		}
	}
	return model.Tokens(max(1, int64(math.Round(float64(sum)*float64(len(s))/float64(read)/100))))
}

// weigh returns the weight of s in hundredths of a token.
func weigh(s string) (sum int64) {
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch ascii[c] {
		case aLetter:
			// Most bytes of a text are small letters of words.
			humps := int64(0)
			for i++; i < len(s); i++ {
				if c := s[i]; c-'a' <= 'z'-'a' {
					continue
				} else if c-'A' > 'Z'-'A' {
					break
				}
				if s[i-1] >= 'a' {
					humps++
				}
			}
			sum += wordWeight + humpWeight*humps + letterWeight*max(0, int64(i-start)-freeLetters*(1+humps))
		case aDigit:
			for i < len(s) && ascii[s[i]] == aDigit {
				i++
			}
			sum += digitsWeight * int64((i-start+2)/3)
		case aBlank:
			for i++; i < len(s) && ascii[s[i]] == aBlank; {
				i++
			}
			if n := int64(i - start); n > 1 || c != ' ' {
				sum += breakWeight + indentWeight*min(n-1, maxIndent) + 100*(n/spacesPer)
			}
		case aSign, aControl:
			for i++; i < len(s) && ascii[s[i]] == aSign; {
				i++
			}
			switch single := i-start == 1 && i < len(s) && ascii[s[i]] == aLetter; {
			case single && c == '\'' && start > 0 && ascii[s[start-1]] == aLetter:
				// A contraction: the sign belongs to the letters after it.
			case single:
				sum += prefixWeight
			default:
				sum += signWeight + signsWeight*int64(i-start-1)
			}
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size
			switch {
			case 0x3040 <= r && r <= 0x30FF || 0x3400 <= r && r <= 0x9FFF || 0x20000 <= r && r <= 0x3FFFF:
				sum += ideograph
			case 0xAC00 <= r && r <= 0xD7A3:
				sum += hangul
			case unicode.IsLetter(r) || unicode.IsMark(r):
				sum += foreignLetter
			default:
				sum += symbolWeight
			}
		}
	}
	return sum
}

func isLetter(c byte) bool { return ascii[c] == aLetter }

func isDigit(c byte) bool { return ascii[c] == aDigit }

// byteClass is what Estimate takes a byte for.
type byteClass uint8

const (
	_ byteClass = iota // part of a character that is not ASCII
	aLetter
	aDigit
	aBlank   // a space, a tab or a line break
	aSign    // any other that is printed, and DEL
	aControl // any other
)

// ascii has the class of every byte.
var ascii = func() (all [256]byteClass) {
	for i := range utf8.RuneSelf {
		switch c := byte(i); {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			all[c] = aLetter
		case '0' <= c && c <= '9':
			all[c] = aDigit
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			all[c] = aBlank
		case c > ' ':
			all[c] = aSign
		default:
			all[c] = aControl
		}
	}
	return all
}()
