// Package goldentest compares what a test gets with a file of the checkout. It is no part of the
// library: the tests of other folders use it too.
package goldentest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model/musttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Check fails the test unless the file at path holds got, and shows the lines
// that differ. With the flag -update it writes the file.
func Check(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		musttest.Do(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want := musttest.Of(os.ReadFile(path))(t)
	if diff := difference(string(want), got); diff != "" {
		t.Errorf("not as in %s; go test with -update writes it anew:\n%s", path, diff)
	}
}

// difference returns the lines in which two texts differ, "" if they are equal.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for y := range max(len(a), len(b)) {
		var x, z string
		if y < len(a) {
			x = a[y]
		}
		if y < len(b) {
			z = b[y]
		}
		if x != z || y >= len(a) || y >= len(b) {
			fmt.Fprintf(&out, "%3d want %s\n    got  %s\n", y+1, x, z)
		}
	}
	return out.String()
}

// Files returns the texts of the files that patterns name below a folder, one after the other:
// the documents, code and goldens of the checkout are what there is of real text.
func Files(t testing.TB, folder string, patterns ...string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range patterns {
		for _, file := range musttest.Of(filepath.Glob(filepath.Join(folder, pattern)))(t) {
			if info := musttest.Of(os.Stat(file))(t); info.Mode().IsRegular() {
				all.Write(musttest.Of(os.ReadFile(file))(t))
			}
		}
	}
	if all.Len() == 0 {
		t.Fatalf("no file like %v in %s", patterns, folder)
	}
	return all.String()
}

// Excerpts returns a function that returns the next size bytes, and a few more up to the end of a
// character, of the documents, code, outputs, JSON and Chinese of the checkout in folder, escaped as
// in a string of JSON. It begins again at the end, after half a megabyte or more.
func Excerpts(t testing.TB, folder string) func(size int) string {
	t.Helper()
	all, at := Files(t, folder, "*/*.md", "*/*/*.md", "pipeline/*/*.go", "simulate/command/testdata/*", "simulate/*.go", "fixtures/*/*.json", "model/tokens/testdata/*.txt"), 0
	return func(size int) string {
		if at+size > len(all) {
			at = 0
		}
		from := at
		for at += size; at < len(all) && !utf8.RuneStart(all[at]); {
			at++
		}
		var quoted strings.Builder
		e := json.NewEncoder(&quoted)
		e.SetEscapeHTML(false)
		musttest.Do(t, e.Encode(all[from:at]))
		return quoted.String()[1 : quoted.Len()-len("\"\n")]
	}
}
