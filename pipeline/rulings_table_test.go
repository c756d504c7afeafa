package pipeline_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// The table of rulings names every test of one, and no other.
func TestTheTableOfRulingsIsComplete(t *testing.T) {
	table := musttest.Of(os.ReadFile("RULINGS.md"))(t)
	var named, there []string
	for _, m := range regexp.MustCompile("`(TestRuling[A-Za-z0-9]+)`").FindAllStringSubmatch(string(table), -1) {
		named = append(named, m[1])
	}
	function := regexp.MustCompile(`(?m)^func (TestRuling[A-Za-z0-9]+)\(`)
	musttest.Do(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(source), -1) {
			there = append(there, m[1])
		}
		return err
	}))
	slices.Sort(named)
	slices.Sort(there)
	musttest.Is(t, named, there, "the table names", strings.Join(named, "\n"), "there are", strings.Join(there, "\n"))
}
