package itemset

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cupelscope/model"
)

// Saver writes files that hold texts of sources. A file is replaced by a whole
// one or left as it was: the new one is written beside it, synced, and renamed
// over it. Only regular files are written, through symbolic links that lead to
// one; what stands there read-only is not replaced.
//
// A new file is private to its owner. One that is there keeps its permissions,
// but for those that a source of its texts does not give to others.
//
// The zero Saver knows no sources that are private.
type Saver struct {
	hidden fs.FileMode // permissions of others that a source does not give
}

// others are the permissions of all users but the owner.
const others fs.FileMode = 0o077

// Saver is the one for what was loaded: of files, as they are now. What is no
// file, as standard input or all of a folder, is taken for private.
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

// WriteScenario writes a scenario to path. With ItemsFile the items stay where
// they are, and the edits carry a hash of their contents. Policies and budget
// are validated before anything is written.
func (s Saver) WriteScenario(path string, scenario model.Scenario) error {
	data, err := MarshalScenario(scenario)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return s.WriteFile(path, data)
}

// WriteNewScenario writes a scenario to a file that only its owner may read.
// The error is fs.ErrExist where there is anything of that name.
func WriteNewScenario(path string, scenario model.Scenario) (err error) {
	data, err := MarshalScenario(scenario)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(path) // half a scenario is of no use
	}
	return err
}

// WriteFile writes data to path.
func (s Saver) WriteFile(path string, data []byte) error {
	return save(path, data, 0o600, s.hidden)
}

// WritePolicy writes a policy as Cupel's JSON, as safely as a Saver does; what
// Cupel does not know is an error that wraps model.ErrNotCupel. It
// holds no texts of sources: a new file has the permissions that the umask leaves.
func WritePolicy(path string, p model.Policy) error {
	data, err := p.CupelJSON()
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return save(path, append(bytes.TrimRight(data, "\n"), '\n'), 0o666, 0)
}

// WriteOurPolicy is WritePolicy for a file that this program is to read: what Cupel
// does not know may be in it, by names at which Cupel refuses the file.
func WriteOurPolicy(path string, p model.Policy) error {
	data, err := p.JSON()
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return save(path, data, 0o666, 0)
}

// save replaces the file at path by data, or leaves it as it was. A new file
// gets the permissions fresh, one that is there keeps its own but for hidden.
func save(path string, data []byte, fresh, hidden fs.FileMode) error {
	fail := func(err error) error { return fmt.Errorf("writing %s: %w", path, withoutPath(err)) }
	target, mode, err := replaceable(path)
	if err != nil {
		return fail(err)
	}
	f, err := createIn(filepath.Dir(target), fresh&^hidden)
	if err != nil {
		return fail(err)
	}
	removeLeftovers(target, f)
	if mode != 0 {
		err = f.Chmod(mode &^ hidden)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that matters is err
		return fail(err)
	}
	if dir, err := os.Open(filepath.Dir(target)); err == nil { // so that the new name survives a crash
		_ = dir.Sync() // not every file system can
		_ = dir.Close()
	}
	return nil
}

// replaceable is the file that a path leads to, and its permissions; 0: there is
// none yet. The error says why it must not be replaced.
func replaceable(path string) (target string, mode fs.FileMode, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	target = path
	if info.Mode()&fs.ModeSymlink != 0 {
		if target, err = filepath.EvalSymlinks(path); err == nil {
			info, err = os.Stat(target)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", 0, errors.New("is a link to a file that does not exist")
		}
		if err != nil {
			return "", 0, fmt.Errorf("is a link that leads to no file: %w", withoutPath(err))
		}
	}
	switch is := special(info.Mode()); {
	case is != "":
		return "", 0, fmt.Errorf("is %s, and only files are written", is)
	case info.IsDir():
		return "", 0, errors.New("is a folder")
	case info.Mode().Perm()&0o200 == 0:
		return "", 0, fmt.Errorf("is read-only (permissions %04o): make it writable, or give another name", info.Mode().Perm())
	}
	return target, info.Mode().Perm(), nil
}

// A file that is being written has a short name of its own, so that its
// contents can be given any name that is allowed.
const (
	unfinished     = ".cupelscope-%d.tmp"
	mostUnfinished = 100
	// leftoverAge is after how long without a change an unfinished file is taken
	// for one of a program that was killed.
	leftoverAge = time.Minute
)

// createIn creates a new file in a folder.
func createIn(dir string, perm fs.FileMode) (*os.File, error) {
	for i := range mostUnfinished {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(unfinished, i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("there are %d unfinished files in its folder already: remove .cupelscope-*.tmp", mostUnfinished)
}

// removeLeftovers removes unfinished files beside target that were last
// changed well before now, which was just created. Versions up to 0.1.0 named them
// after the target. What cannot be removed does no harm.
func removeLeftovers(target string, now *os.File) {
	created, err := now.Stat()
	if err != nil {
		return
	}
	dir, base := filepath.Split(target)
	for i := range mostUnfinished {
		for _, name := range [...]string{fmt.Sprintf(unfinished, i), fmt.Sprintf(".%s.%d.tmp", base, i)} {
			info, err := os.Lstat(dir + name)
			if err == nil && info.Mode().IsRegular() && created.ModTime().Sub(info.ModTime()) > leftoverAge {
				_ = os.Remove(dir + name)
			}
		}
	}
}

// withoutPath is what an error of the file system says beside the name of a
// file: that would be the temporary one, which the user has not named.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
