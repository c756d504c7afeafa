package session

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/internal/flow"
)

// Folders, patterns and several sources pass the check that comes before a
// screen and before any case is read; what is not there or may not be opened does not.
func TestCheckSources(t *testing.T) {
	dir := t.TempDir()
	musttest.Do(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("a"), 0o600))
	t.Chdir(dir)
	musttest.Do(t, os.WriteFile("closed.md", []byte("b"), 0))
	closed := "closed.md: permission denied"
	if _, err := os.ReadFile("closed.md"); err == nil {
		closed = "" // nothing is forbidden to this user
	}
	for _, c := range []struct {
		name    string
		sources []string
		strict  bool
		want    string
	}{
		{"a file and one that is closed", []string{"a.md", "closed.md"}, false, closed},
		{"a folder", []string{"."}, false, ""},
		{"a pattern", []string{"**/*.md"}, false, ""},
		{"a file and one that is missing", []string{"a.md", "gone"}, false, "gone: no such file or directory"},
		{"missing", []string{"gone"}, false, "gone: no such file or directory"},
		{"standard input", []string{"-"}, true, ""},
	} {
		_, err := Options{Sources: c.sources, Strict: c.strict}.Choices(t.Context(), Input{})
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestReloadable(t *testing.T) {
	for _, c := range []struct {
		sources []string
		want    string
	}{
		{nil, "no file is given, and a fixture never changes"},
		{[]string{"a.md", "docs"}, ""},
		{[]string{"a.md", "-"}, "standard input is read once"},
		{[]string{"/dev/fd/63"}, "standard input is read once"},
	} {
		err := Options{Sources: c.sources}.Reloadable()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.sources, err, c.want)
		}
	}
}

// A source whose name begins with a dash of any kind is named so that it is not read as
// a flag.
func TestSourcesThatBeginWithADash(t *testing.T) {
	got := strings.Join(Options{Sources: []string{"-", "-x", "–x", "a–x"}}.sourceWords(), " ")
	musttest.Is(t, got, "- ./-x ./–x a–x")
}

// endless is a file of one line without an end.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += int64(len(p)); e.read > 2*flow.MaxLine {
		return 0, io.ErrUnexpectedEOF
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A file that is larger than what is read of a source is refused by its size: to look whether
// it has a case a line does not read it first.
func TestALargeFileOfOneLineIsNotReadForItsLines(t *testing.T) {
	musttest.Alone(t)
	var file endless
	if severalLines(t.Context(), &file) || file.read > flow.MaxLine+1<<20 {
		t.Errorf("%d bytes were read", file.read)
	}
}
