//go:build unix

package itemset

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"cupelscope/model/musttest"
)

// A file keeps its owner and group when it is written over. Only root can show it.
func TestASavedFileKeepsItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.json")
	musttest.Do(t, os.WriteFile(path, []byte("old"), 0o640))
	const user, group = 12345, 54321
	if err := os.Chown(path, user, group); err != nil {
		t.Skip("no file can be given away here: ", err)
	}
	musttest.Do(t, Saver{}.WriteFile(path, []byte("new")))
	info := musttest.Of(os.Stat(path))(t)
	is := info.Sys().(*syscall.Stat_t)
	if is.Uid != user || is.Gid != group || info.Mode().Perm() != 0o640 {
		t.Errorf("it belongs to %d:%d, with permissions %v", is.Uid, is.Gid, info.Mode())
	}
	musttest.Is(t, string(musttest.Of(os.ReadFile(path))(t)), "new", "it holds")
}

// theirs is a file of somebody else.
type theirs struct{ fs.FileInfo }

func (theirs) Sys() any { return &syscall.Stat_t{Uid: 12345, Gid: 54321} }

// Who may give no file away is told whose it is.
func TestAnOwnerThatCannotBeKeptIsSaid(t *testing.T) {
	f := musttest.Of(os.Create(filepath.Join(t.TempDir(), "new.json")))(t)
	defer f.Close()
	if os.Geteuid() == 0 { // root may give any
		musttest.Do(t, syscall.Seteuid(1))
		defer func() { musttest.Do(t, syscall.Seteuid(0)) }()
	}
	musttest.Says(t, keepOwner(f, theirs{musttest.Of(f.Stat())(t)}), "belongs to user 12345, group 54321: give another name", "the error")
}

// A file with two names is not parted from its other one; also not after work that
// takes long.
func TestAFileWithTwoNamesIsNotReplaced(t *testing.T) {
	path := musttest.File(t, "one.json", "old")
	musttest.Do(t, os.Link(path, path+".two"))
	for _, err := range []error{CheckWritable(path), Saver{}.WriteFile(path, []byte("new"))} {
		musttest.Says(t, err, "has 2 names (hard links)", "the error")
	}
	musttest.Is(t, string(musttest.Of(os.ReadFile(path))(t)), "old", "it holds")
}
