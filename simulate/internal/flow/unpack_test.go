package flow

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestUnpacked(t *testing.T) {
	long := strings.Repeat("a line\n", 1<<16)
	for _, text := range []string{"", "a", "\x1f\x8b", "\x1f\x8b\x09", "{}\n", long} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		io.WriteString(w, text)
		w.Close()
		for _, in := range []string{text, packed.String()} {
			if got, err := io.ReadAll(Unpacked(strings.NewReader(in))); string(got) != text || err != nil {
				t.Errorf("%.10q: %.10q, %v", in, got, err)
			}
		}
		for n := len(gzipMagic); n < min(packed.Len(), 100); n++ {
			if _, err := io.ReadAll(Unpacked(strings.NewReader(packed.String()[:n]))); err == nil {
				t.Errorf("%.10q: no error for the first %d bytes", text, n)
			}
		}
	}
}
