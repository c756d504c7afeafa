package itemset

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// FORMATS.md has a row for every format, and for nothing else.
func TestFormatsDocument(t *testing.T) {
	text := musttest.Of(os.ReadFile("FORMATS.md"))(t)
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

// FORMATS.md gives the bounds that hold; those of what is above this package are
// held there.
func TestFormatsDocumentHasTheBounds(t *testing.T) {
	text := musttest.Of(os.ReadFile("FORMATS.md"))(t)
	deep := func(levels int) any {
		var v any = "x"
		for range levels {
			v = map[string]any{"a": v}
		}
		return v
	}
	depth := 1
	for ; ; depth++ {
		if _, err := model.NewSet([]model.Item{{Content: "a", Metadata: map[string]any{"a": deep(depth)}}}); err != nil {
			break
		}
	}
	for _, row := range []string{
		fmt.Sprintf("| a source, and all files of a folder together | %d GiB |", DefaultMaxBytes>>30),
		fmt.Sprintf("| a text file in a folder | %d MiB |", maxFolderFile>>20),
		fmt.Sprintf("| what gzip unpacks | %d times its packed size, or %d MiB if that is more |", maxInflation, minInflated>>20),
		fmt.Sprintf("| items of a set | 2^%d less one |", bits(model.MaxItems+1)),
		fmt.Sprintf("| a token number | 2^%d |", bits(int64(model.MaxTokens))),
		fmt.Sprintf("| nesting of metadata | %d levels; what lies deeper is left out and told |", depth),
		fmt.Sprintf("| values in the metadata of one item | %v; metadata of more is left out and told |", model.Tokens(*record.Room())),
		fmt.Sprintf("| the text of a query | %v bytes |", model.Tokens(model.MaxQuery)),
	} {
		musttest.Says(t, string(text), "\n"+row, "FORMATS.md", row)
	}
}

// bits is the power of two that n is; -1: it is none.
func bits(n int64) int {
	for k := range 63 {
		if n == 1<<k {
			return k
		}
	}
	return -1
}

// CONTRIBUTING.md names tests that are there for each bound and promise of FORMATS.md.
func TestPromisesAreHeld(t *testing.T) {
	musttest.Alone(t)
	text := musttest.Of(os.ReadFile("../../.github/CONTRIBUTING.md"))(t)
	_, bounds, _ := strings.Cut(string(text), "## What holds bounds and promises")
	names := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(bounds, -1)
	if len(names) < 30 {
		t.Errorf("only %d tests are named", len(names))
	}
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	musttest.Do(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(source, -1) {
			there[string(m[1])] = true
		}
		return err
	}))
	for _, name := range names {
		if !there[name[1]] {
			t.Errorf("%s is named, and there is no such test", name[1])
		}
	}
}
