package itemset

import (
	"bytes"
	"testing"
	"unicode/utf8"
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
