package itemset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cupelscope/model"
)

// Saver writes files that hold texts of sources. It replaces a file as a whole or
// leaves it as it was: it writes the new file beside the old one, syncs it, and
// renames it over the old one. It writes only regular files, also through symbolic
// links that lead to one, and does not replace a read-only file.
//
// A new file can be read and written by its owner only. An existing file keeps its
// owner and its permissions, without those for group and others that one of the sources
// lacks. Where the owner cannot be kept, or the file has other names (hard links), which
// would keep the old text, it is not replaced.
//
// The zero Saver has no sources: it leaves the permissions of existing files alone.
type Saver struct {
	hidden fs.FileMode // permissions of group and others that one of the sources lacks
}

// others are the permissions of all users but the owner.
const others fs.FileMode = 0o077

// Saver returns a Saver for texts of the sources in l, with the permissions that
// their files have now. If a source is not a regular file, as standard input or a
// folder, or cannot be found, files are made private.
func (l *Loaded) Saver() Saver {
	names := l.Sources()
	if file := l.Scenario.Value.ItemsFile; file != "" && len(names) == 1 {
		names = append(names, filepath.Join(filepath.Dir(names[0]), file))
	}
	var s Saver
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return Saver{hidden: others}
		}
		s.hidden |= others &^ info.Mode().Perm()
	}
	return s
}

// WriteScenario writes a scenario to path in the form of MarshalScenario. If the
// scenario is not valid, it returns an error and leaves the file as it was.
func (s Saver) WriteScenario(path string, scenario model.Scenario) error {
	data, err := MarshalScenario(scenario)
	return saveMade(path, data, err, 0o600, s.hidden)
}

// WriteNewScenario writes a scenario to a new file that only its owner may read. If
// the path exists, the error wraps fs.ErrExist. If writing fails, the file is
// removed.
func WriteNewScenario(path string, scenario model.Scenario) (err error) {
	data, err := MarshalScenario(scenario)
	if err != nil {
		return notWritten(path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = finishFile(f, data); err != nil {
		_ = os.Remove(path) // half a scenario is of no use
	}
	return err
}

// WriteFile writes data to path. After an error the file is as it was.
func (s Saver) WriteFile(path string, data []byte) error {
	return saveMade(path, data, nil, 0o600, s.hidden)
}

// WritePolicy writes a policy to path as Cupel's JSON. Like a Saver, it replaces the
// file as a whole or leaves it as it was. A policy that Cupel cannot express is an
// error. A policy holds no texts of sources, so a new file gets the default permissions.
func WritePolicy(path string, p model.Policy) error {
	data, err := p.CupelJSON()
	return saveMade(path, append(bytes.TrimRight(data, "\n"), '\n'), err, 0o666, 0)
}

// WriteOurPolicy is like WritePolicy for a file that only this program reads. The
// policy may hold what Cupel does not know, under names at which Cupel refuses the
// file.
func WriteOurPolicy(path string, p model.Policy) error {
	data, err := p.JSON()
	return saveMade(path, data, err, 0o666, 0)
}

// CheckWritable returns the error with which a file would not be saved to path as things
// are now: it is a folder, a pipe or a device, it is read-only, or its folder takes no
// files. A verb calls it before work that may take long. It leaves no file behind.
func CheckWritable(path string) error {
	_, f, err := begin(path, 0o600, 0)
	if err != nil {
		return err
	}
	_ = f.Close()           // nothing is written to it
	_ = os.Remove(f.Name()) // else it is removed as a leftover
	return nil
}

// begin creates the file in which the new content of path is written; see saveMade. target is
// the file to replace. The error names path.
func begin(path string, fresh, hidden fs.FileMode) (target string, f *os.File, err error) {
	target, old, err := replaceable(path)
	if err == nil {
		f, err = createIn(filepath.Dir(target), fresh&^hidden)
	}
	if err != nil {
		return "", nil, notWritten(path, err)
	}
	removeLeftovers(target, f)
	if old != nil {
		if err = keepOwner(f, old); err == nil {
			err = f.Chmod(old.Mode().Perm() &^ hidden)
		}
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name()) // the error that matters is err
			return "", nil, notWritten(path, err)
		}
	}
	return target, f, nil
}

func notWritten(path string, err error) error {
	return fmt.Errorf("writing %s: %w", path, cause(err))
}

// saveMade replaces the file at path by data, or leaves it as it was. err is the error of
// making data, if that failed. A new file gets the permissions fresh, an existing one keeps its
// own; both without hidden.
func saveMade(path string, data []byte, err error, fresh, hidden fs.FileMode) error {
	if err != nil {
		return notWritten(path, err)
	}
	target, f, err := begin(path, fresh, hidden)
	if err != nil {
		return err
	}
	if err = finishFile(f, data); err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that matters is err
		return notWritten(path, err)
	}
	if dir, err := os.Open(filepath.Dir(target)); err == nil { // so that the new name survives a crash
		_ = dir.Sync() // not every file system can
		_ = dir.Close()
	}
	return nil
}

// finishFile writes all of a file, syncs and closes it.
func finishFile(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// replaceable returns the file that a path leads to and what it is, which is nil if it
// does not exist yet. The error says why it must not be replaced.
func replaceable(path string) (target string, info fs.FileInfo, err error) {
	if path == "-" { // a file of this name could not be named as a source
		return "", nil, errors.New("is no file: name one, as in ./answer.json")
	}
	info, err = os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	target = path
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(path); err == nil { // its words for a link to itself are plainer
			target, err = filepath.EvalSymlinks(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.New("is a link to a file that does not exist")
		}
		if err != nil {
			return "", nil, fmt.Errorf("is a link that does not lead to a file: %w", cause(err))
		}
	}
	switch is := special(info.Mode()); {
	case is != "":
		return "", nil, fmt.Errorf("is %s, and only files are written", is)
	case info.IsDir():
		return "", nil, errors.New("is a folder")
	case names(info) > 1:
		return "", nil, fmt.Errorf("has %d names (hard links): give another name", names(info))
	case info.Mode().Perm()&0o200 == 0:
		return "", nil, fmt.Errorf("is read-only (permissions %04o): make it writable, or give another name", info.Mode().Perm())
	}
	return target, info, nil
}

// A file that is being written has a short name of its own, so that its
// contents can be given any name that is allowed.
const (
	unfinished    = ".cupelscope-%d.tmp"
	maxUnfinished = 100
	// leftoverAge is the time without a change after which an unfinished file is
	// assumed to be left over from a program that was killed.
	leftoverAge = time.Minute
)

// createIn creates a new file in a folder.
func createIn(dir string, perm fs.FileMode) (*os.File, error) {
	for i := range maxUnfinished {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(unfinished, i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("there are %d unfinished files in its folder already: remove .cupelscope-*.tmp", maxUnfinished)
}

// removeLeftovers removes the unfinished files beside target that were last changed
// more than leftoverAge before the file now, which was just created. It ignores
// errors: leftovers do no harm.
func removeLeftovers(target string, now *os.File) {
	created, err := now.Stat()
	if err != nil {
		return
	}
	dir := filepath.Dir(target)
	for i := range maxUnfinished {
		path := filepath.Join(dir, fmt.Sprintf(unfinished, i))
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && created.ModTime().Sub(info.ModTime()) > leftoverAge {
			_ = os.Remove(path)
		}
	}
}
