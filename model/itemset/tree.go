package itemset

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tree walks the files below a folder in the order of their names.
type tree struct {
	ctx context.Context
	// hidden reports whether to visit a file or folder whose name begins with a dot.
	hidden func(name string) bool
	// enter reports whether to visit a folder; if it is nil, all are visited.
	enter func(path string) bool
	// file is called for each regular file that is not ignored, with its path and
	// its name relative to the root of the walk, with slashes.
	file func(path, name string) error
	// leftOut is called for what is not visited, with the reason. err is the error of
	// reading a folder if the reason is leftUnreadable, else nil.
	leftOut func(path, name string, reason leftReason, err error) error
}

// leftReason says why a file or folder was not visited.
type leftReason string

const (
	leftHidden     leftReason = "hidden files or folders"
	leftIgnored    leftReason = "files or folders ignored by .gitignore"
	leftLink       leftReason = "symbolic links, not followed"
	leftSpecial    leftReason = "pipes, sockets or devices"
	leftUnreadable leftReason = "unreadable"
)

// walk visits all files below root. It does not follow links, so it ends.
func (t tree) walk(root string) error {
	rules, top := above(root)
	return t.folder(root, "", top, rules)
}

// folder visits the folder at path. name is its path relative to the root of the walk,
// inTop its path relative to the top of the repository, to which rules refer.
func (t tree) folder(path, name, inTop string, rules ignores) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	rules = rules.with(path, inTop)
	entries, err := os.ReadDir(path)
	if err != nil {
		if err := t.leftOut(path, name, leftUnreadable, err); err != nil {
			return err
		}
	}
	for _, e := range entries {
		at, called, fromTop := filepath.Join(path, e.Name()), join(name, e.Name()), join(inTop, e.Name())
		var err error
		switch mode := e.Type(); {
		case e.Name() == ".git":
		case strings.HasPrefix(e.Name(), ".") && !t.hidden(e.Name()):
			if e.Name() != ".gitignore" {
				err = t.leftOut(at, called, leftHidden, nil)
			}
		case mode&fs.ModeSymlink != 0:
			err = t.leftOut(at, called, leftLink, nil)
		case special(mode) != "":
			err = t.leftOut(at, called, leftSpecial, nil)
		case mode.IsDir() && t.enter != nil && !t.enter(called):
		case rules.ignored(fromTop, mode.IsDir()):
			err = t.leftOut(at, called, leftIgnored, nil)
		case mode.IsDir():
			err = t.folder(at, called, fromTop, rules)
		default:
			err = t.file(at, called)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

// cause returns an error of the file system without the path, which may be the path of a
// temporary file.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
