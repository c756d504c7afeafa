package itemset

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// permissions are those of a file.
func permissions(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info := musttest.Of(os.Lstat(path))(t)
	return info.Mode()
}

// put writes a file with permissions that no umask takes away.
func put(t *testing.T, path, text string, mode fs.FileMode) string {
	t.Helper()
	musttest.Do(t, os.WriteFile(path, []byte(text), mode))
	musttest.Do(t, os.Chmod(path, mode))
	return path
}

func TestSavedIsNoWiderThanItsSource(t *testing.T) {
	probe := put(t, filepath.Join(t.TempDir(), "probe"), "", 0o640)
	if permissions(t, probe) != 0o640 {
		t.Skip("no permissions here")
	}
	for _, c := range []struct {
		name           string
		source, target fs.FileMode // 0: there is no such file
		want           fs.FileMode
	}{
		{"a new file is private", 0o644, 0, 0o600},
		{"of a private source", 0o600, 0, 0o600},
		{"a file that is there keeps its permissions", 0o644, 0o644, 0o644},
		{"but for those that the source has not", 0o600, 0o644, 0o600},
		{"each for itself", 0o640, 0o666, 0o640},
		{"a source that nobody may write", 0o444, 0o666, 0o644},
		{"standard input is private", 0, 0o644, 0o600},
	} {
		dir := t.TempDir()
		source, stdin := "-", strings.NewReader("a text of its own")
		if c.source != 0 {
			source = put(t, filepath.Join(dir, "notes.txt"), "a text of its own", c.source)
		}
		l := musttest.Of(Load(context.Background(), []string{source}, Options{Stdin: stdin, Format: Text}))(t, c.name)
		target := filepath.Join(dir, "target")
		if c.target != 0 {
			put(t, target, "old", c.target)
		}
		if err := l.Saver().WriteFile(target, []byte("new")); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		musttest.Is(t, permissions(t, target), c.want, c.name)
	}
}

func TestSavedIsNoWiderThanAnyOfItsSources(t *testing.T) {
	dir := t.TempDir()
	open, private := put(t, filepath.Join(dir, "open.txt"), "a", 0o644), put(t, filepath.Join(dir, "private.txt"), "b", 0o600)
	if permissions(t, private) != 0o600 {
		t.Skip("no permissions here")
	}
	put(t, filepath.Join(dir, "items.json"), `[{"content": "a", "tokens": 1}]`, 0o600)
	scenario := put(t, filepath.Join(dir, "s.json"), `{"itemsFile": "items.json", "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 9}}`, 0o644)
	for _, sources := range [][]string{{open, private}, {dir}, {scenario}} {
		l := musttest.Of(Load(context.Background(), sources, Options{}))(t)
		target := put(t, filepath.Join(t.TempDir(), "target"), "old", 0o644)
		if err := l.Saver().WriteFile(target, []byte("new")); err != nil || permissions(t, target) != 0o600 {
			t.Errorf("%q: %v, %v", sources, permissions(t, target), err)
		}
	}
}

func TestOnlyFilesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	link := func(to, name string) string {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Skip("no symbolic links here")
		}
		return at(name)
	}
	put(t, at("file"), "old", 0o600)
	musttest.Do(t, os.Mkdir(at("folder"), 0o700))
	link("loop", "loop")
	paths := []struct{ path, says string }{
		{at("folder"), "is a folder"},
		{link("folder", "to a folder"), "is a folder"},
		{link("nothing", "dangling"), "is a link to a file that does not exist"},
		{at("loop"), "is a link that does not lead to a file"},
		{put(t, at("read-only"), "old", 0o444), "is read-only (permissions 0444)"},
		{link("read-only", "to read-only"), "is read-only"},
	}
	for _, made := range specials(dir + string(filepath.Separator)) {
		paths = append(paths, struct{ path, says string }{made.path, "is " + made.is + ", and only files are written"})
		paths = append(paths, struct{ path, says string }{link(made.path, filepath.Base(made.path)+" link"), "is " + made.is})
	}
	for _, c := range paths {
		before := musttest.Of(os.Lstat(c.path))(t)
		err := Saver{}.WriteFile(c.path, []byte("new"))
		if err == nil || !strings.HasPrefix(err.Error(), "writing "+c.path+": "+c.says) {
			t.Errorf("%s: %v, want %q", c.path, err, c.says)
		}
		if after, err := os.Lstat(c.path); err != nil || after.Mode() != before.Mode() || !os.SameFile(before, after) {
			t.Errorf("%s was replaced: %v", c.path, err)
		}
	}
	musttest.Do(t, (Saver{}).WriteFile(link("file", "to a file"), []byte("new")))
	if text, _ := os.ReadFile(at("file")); string(text) != "new" || permissions(t, at("to a file"))&fs.ModeSymlink == 0 {
		t.Errorf("through a link: %q, %v", text, permissions(t, at("to a file")))
	}
	if left, _ := filepath.Glob(at(".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLongNamesAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 252))
	if f, err := os.Create(path); err != nil {
		t.Skip("no such names here")
	} else {
		f.Close()
	}
	musttest.Do(t, (Saver{}).WriteFile(path, []byte("new")))
}

func TestLeftoversAreRemoved(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	old := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		name string
		old  bool
		gone bool
	}{
		{fmt.Sprintf(unfinished, 0), true, true},
		{fmt.Sprintf(unfinished, 7), true, true},
		{fmt.Sprintf(unfinished, 8), false, false}, // somebody may be writing it
		{".s.json.0.tmp", true, false},
		{".other.json.0.tmp", true, false},
		{"s.json.tmp", true, false},
	} {
		put(t, at(c.name), "half", 0o600)
		if c.old {
			musttest.Do(t, os.Chtimes(at(c.name), old, old))
		}
		musttest.Do(t, (Saver{}).WriteFile(at("s.json"), []byte("new")))
		if _, err := os.Lstat(at(c.name)); (err != nil) != c.gone {
			t.Errorf("%s: gone %v, want %v", c.name, err != nil, c.gone)
		}
	}
}

// No file is called as standard input is: it could not be opened by that name.
func TestADashIsNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{CheckWritable("-"), Saver{}.WriteFile("-", []byte("new"))} {
		if err == nil || !strings.HasPrefix(err.Error(), "writing -: is no file: name one") {
			t.Errorf("%v", err)
		}
	}
	if left := musttest.Of(os.ReadDir("."))(t); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}
