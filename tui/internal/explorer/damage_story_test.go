package explorer

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// The first line that is seen of a damaged source says what is damaged.
func TestDamageIsToldFirst(t *testing.T) {
	const chat = `[{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(strings.Repeat(`{"role":"user","content":"a line of some length"}`+"\n", 400)))
	_ = w.Close()
	for _, c := range []struct{ name, text, first string }{
		{"cut.json", chat[:80], "damaged: document ends early"},
		{"cut.jsonl", `{"role":"user","content":"one"}` + "\n" + `{"role":"us`, "skipped 1 line: 1 not JSON; loaded 1"},
		{"cut.jsonl.gz", packed.String()[:packed.Len()-12], "damaged: compressed data ends early"},
		{"empty.json", "", "Could not open empty.json: no usable item: the file is empty"},
		{"binary.json", "\x00\x01\x02\xff\xfe\x00", "Could not open binary.json: no usable item: it is binary"},
		{"missing.json", "", "Could not open missing.json: no such file or directory"},
	} {
		for _, size := range sizes {
			t.Chdir(t.TempDir())
			if !strings.HasPrefix(c.name, "missing") {
				musttest.Do(t, os.WriteFile(filepath.Join(".", c.name), []byte(c.text), 0o600))
			}
			s := begin(t, &Session{Name: c.name}, size[0], size[1], func(o *Options) {
				o.Open = func(ctx context.Context) (*Session, error) {
					return Open(ctx, session.Options{Sources: []string{c.name}}, session.Input{})
				}
			})
			words := strings.Fields(strings.Join(s.screen(), " "))
			if text := strings.Join(words, " "); !strings.Contains(text, strings.Join(strings.Fields(c.first), " ")) {
				t.Errorf("%s at %v does not say %q:\n%s", c.name, size, c.first, s.text())
			}
		}
	}
}
