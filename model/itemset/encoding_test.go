package itemset

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model/randomtest"
)

// Whatever bytes come: what passes for text decodes to UTF-8, and what is UTF-8
// already stays as it is.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"text", "\xef\xbb\xbftext", "\xff\xfet\x00", "\xfe\xff\x00t", "\xff\xfe\x00\x00t\x00\x00\x00", "\x00\x00\xfe\xff\x00\x11\x00\x00", "\xff\xfe\x00\xd8", "t\x00e\x00", "\xe9", "a\x00b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		given := bytes.Clone(data)
		why := notText(data)
		text, note := decode(data)
		if !bytes.Equal(data, given) {
			t.Fatal("the source was changed")
		}
		if why == "" && !utf8.Valid(text) {
			t.Fatalf("%q is taken for text, and decodes to %q", data, text)
		}
		if note == "" && !bytes.Equal(text, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
			t.Fatalf("%q becomes %q without a word", data, text)
		}
		if len(text) > 2*len(data) {
			t.Fatalf("%d bytes become %d", len(data), len(text))
		}
	})
}

// Numbers that JSON does not have are found outside of strings, as an expression finds them.
func TestWithoutNaN(t *testing.T) {
	words := []string{"NaN", "Infinity", "-", "Na", "Inf", `"`, `"`, `\`, `\"`, "\n", ",", ":", "[", " ", "é", "{}"}
	plain := regexp.MustCompile(`"(?:\\.|[^"\\\n])*(?:["\n]|$)|-?Infinity|NaN`)
	rng := rand.New(rand.NewPCG(4, 7))
	replaced := 0
	for range randomtest.Rounds(500, 5000, 100_000) {
		data := "["
		for range rng.IntN(20) {
			data += words[rng.IntN(len(words))]
		}
		if strings.Contains(data, "\\\n") || strings.HasSuffix(data, `\`) {
			continue // no JSON, and whether the string goes on there is all the same
		}
		n := 0
		want := plain.ReplaceAllStringFunc(data, func(found string) string {
			if found[0] == '"' {
				return found
			}
			n++
			return "null"
		})
		text, got := withoutNaN([]byte(data))
		if string(text) != want || got != n {
			t.Fatalf("%q becomes %q with %d, want %q with %d", data, text, got, want, n)
		}
		replaced += n
	}
	if replaced < 100 {
		t.Errorf("%d numbers replaced", replaced)
	}
}
