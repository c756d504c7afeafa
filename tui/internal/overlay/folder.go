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

// entry is a file or a folder in the list of a Picker, or all images of the folder.
type entry struct {
	path   string
	folder bool
	likely bool // it is what one opens
	bytes  int64
	why    string // it cannot be opened
}

// maxEntries bounds how many entries of a folder are listed.
const maxEntries = 5000

// list returns what a folder holds, by rank and by name, images in one entry, and whether that is more than
// maxEntries. Hidden says that names may begin with a dot. why and likely are as in a FileQuestion.
func list(folder string, hidden bool, why func(path string, head []byte) string, likely []string) (all []entry, short bool, err error) {
	read, err := os.ReadDir(folder)
	if err != nil {
		return nil, false, err
	}
	images, size, n := 0, int64(0), 0
	var ranks [4][]entry // what one opens, folders, other files, what cannot be opened
	for _, folders := range [...]bool{true, false} {
		for _, found := range read {
			if found.IsDir() != folders || !hidden && strings.HasPrefix(found.Name(), ".") {
				continue
			}
			if short = n == maxEntries; short {
				break
			}
			e, ext := entry{path: filepath.Join(folder, found.Name())}, strings.ToLower(filepath.Ext(found.Name()))
			if info, err := os.Stat(e.path); err == nil {
				e.folder, e.bytes = info.IsDir(), info.Size()
			}
			if !e.folder && slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, ext) {
				images, size = images+1, size+e.bytes
				continue
			}
			e.likely = len(likely) == 0 || slices.Contains(likely, ext)
			if why != nil && !e.folder {
				head, err := headOf(e.path)
				if failed, ok := errors.AsType[*fs.PathError](err); ok {
					e.why = failed.Err.Error()
				} else {
					e.why = why(e.path, head)
				}
			}
			rank := slices.Index([]bool{e.likely && !e.folder && e.why == "", e.folder, e.why == "", true}, true)
			ranks[rank], n = append(ranks[rank], e), n+1
		}
	}
	if images > 0 {
		ranks[3] = append(ranks[3], entry{path: filepath.Join(folder, plain.Count(images, "image")), bytes: size, why: "no text"})
	}
	return slices.Concat(ranks[:]...), short, nil
}

// Names returns what a folder holds, in the order of a Picker with these likely extensions.
func Names(folder string, likely []string) (names []string, err error) {
	all, _, err := list(folder, false, nil, likely)
	for _, e := range all {
		name := plain.Line(filepath.Base(e.path), 200)
		if e.folder {
			name += string(filepath.Separator)
		} else if e.why != "" {
			name += ", " + e.why
		}
		names = append(names, name)
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
