package overlay

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"cupelscope/model/plain"
)

// entry is a file or a folder in the list of a Picker.
type entry struct {
	path   string
	folder bool
	bytes  int64
	why    string // it cannot be opened
}

// maxEntries bounds how many entries of a folder are listed.
const maxEntries = 5000

// list returns what a folder holds, folders first and what cannot be opened last, each part by
// name, and whether that is more than maxEntries. Hidden says that names may begin with a dot. Why
// is that of a FileQuestion.
func list(folder string, hidden bool, why func(path string, head []byte) string) (all []entry, short bool, err error) {
	read, err := os.ReadDir(folder)
	if err != nil {
		return nil, false, err
	}
	var closed []entry
	for _, folders := range [...]bool{true, false} {
		for _, found := range read {
			if found.IsDir() != folders || !hidden && strings.HasPrefix(found.Name(), ".") {
				continue
			}
			if len(all)+len(closed) == maxEntries {
				return append(all, closed...), true, nil
			}
			e := entry{path: filepath.Join(folder, found.Name())}
			if info, err := os.Stat(e.path); err == nil {
				e.folder, e.bytes = info.IsDir(), info.Size()
			}
			if why != nil && !e.folder {
				head, err := headOf(e.path)
				if failed, ok := errors.AsType[*fs.PathError](err); ok {
					e.why = failed.Err.Error()
				} else {
					e.why = why(e.path, head)
				}
			}
			if e.why != "" {
				closed = append(closed, e)
			} else {
				all = append(all, e)
			}
		}
	}
	return append(all, closed...), false, nil
}

// Names returns what a folder holds, in the order of a Picker; how many images stands at the end, in place
// of their names.
func Names(folder string) (names []string, err error) {
	all, _, err := list(folder, false, nil)
	images := 0
	for _, e := range all {
		switch name := plain.Line(filepath.Base(e.path), 200); {
		case e.folder:
			names = append(names, name+string(filepath.Separator))
		case slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, strings.ToLower(filepath.Ext(name))):
			images++
		default:
			names = append(names, name)
		}
	}
	if images > 0 {
		names = append(names, plain.Count(images, "image")+", not read")
	}
	return names, err
}

// headBytes is how many bytes of a file tell what it is.
const headBytes = 512

// headOf returns the beginning of a regular file, up to a whole character, and nothing of any other,
// or the error of opening it.
func headOf(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, headBytes)
	n, _ := io.ReadFull(file, head) // a file may be shorter
	for k := 1; k <= min(n, utf8.UTFMax); k++ {
		if utf8.RuneStart(head[n-k]) && !utf8.FullRune(head[n-k:n]) {
			return head[:n-k], nil
		}
	}
	return head[:n], nil
}
