package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"strings"
	"testing"

	"cupelscope/simulate/session"
)

func TestUnpacked(t *testing.T) {
	long := strings.Repeat("a line\n", 1<<16)
	for _, text := range []string{"", "a", "\x1f\x8b", "\x1f\x8b\x09", "{}\n", long} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		io.WriteString(w, text)
		w.Close()
		for _, in := range []string{text, packed.String()} {
			if got, err := io.ReadAll(unpacked(strings.NewReader(in))); string(got) != text || err != nil {
				t.Errorf("%.10q: %.10q, %v", in, got, err)
			}
		}
		for n := len(gzipMagic); n < min(packed.Len(), 100); n++ {
			if _, err := io.ReadAll(unpacked(strings.NewReader(packed.String()[:n]))); err == nil {
				t.Errorf("%.10q: no error for the first %d bytes", text, n)
			}
		}
	}
}

// A compressed batch is answered as it is.
func TestBatchUnpacks(t *testing.T) {
	const line = `{"id": 1, "query": {"op": "profile", "ceiling": 9}, "items": [{"content": "a", "tokens": 5}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}}` + "\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, line)
	w.Close()
	for _, o := range []session.Options{{}, {Sources: []string{write(t, "batch.jsonl.gz", packed.String())}}} {
		s, out, diagnostics := streams(packed.String())
		if err := Batch(context.Background(), o, BatchOptions{}, s); err != nil || asPublished(out.String()) != `{"id":1,"bands":[[[5,9]]]}`+"\n" {
			t.Errorf("%v: %s%s", err, out, diagnostics)
		}
	}
}
