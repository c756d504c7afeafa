package itemset

import (
	"os"
	"strings"
	"testing"
)

// FORMATS.md has a row for every format, and for nothing else.
func TestFormatsDocument(t *testing.T) {
	text, err := os.ReadFile("FORMATS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			rows[name] = true
		}
	}
	for _, f := range Formats() {
		if f != Auto && !rows[string(f)] {
			t.Errorf("FORMATS.md has no row for %s", f)
		}
		delete(rows, string(f))
	}
	for name := range rows {
		t.Errorf("FORMATS.md has a row for %s, which is no format", name)
	}
}
