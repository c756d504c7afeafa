package itemset

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// CONTRIBUTING.md names tests that are there for each bound and promise of FORMATS.md.
func TestPromisesAreHeld(t *testing.T) {
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
