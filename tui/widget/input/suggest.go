package input

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Suggest offers texts that a line may become, the most likely first. Those
// that do not begin with the text so far are dropped.
type Suggest func(text string) []string

// Words suggests some words.
func Words(words ...string) Suggest { return func(string) []string { return words } }

// Either suggests what any of them does.
func Either(all ...Suggest) Suggest {
	return func(text string) []string {
		var list []string
		for _, s := range all {
			list = append(list, s(text)...)
		}
		return list
	}
}

// maxNames bounds the names of one folder that are read for suggestions: whoever
// has more types more.
const maxNames = 2000

// Paths suggests the files and folders whose path begins with the text. Hidden
// ones are suggested once their dot is typed. A folder is read when its name is
// complete, once; what cannot be read suggests nothing.
func Paths() Suggest {
	folder, names := "", list("")
	return func(text string) []string {
		dir, base := filepath.Split(text)
		if dir != folder {
			folder, names = dir, list(dir)
		}
		var found []string
		for _, name := range names {
			if strings.HasPrefix(name, ".") == strings.HasPrefix(base, ".") {
				found = append(found, dir+name)
			}
		}
		return found
	}
}

// list is the names in a folder in order, those of folders with a separator
// behind them. Names that are not UTF-8 cannot be typed and are left out.
func list(dir string) []string {
	d, err := os.Open(cmp.Or(dir, "."))
	if err != nil {
		return nil
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxNames)
	var names []string
	for _, e := range entries {
		name := e.Name()
		if !utf8.ValidString(name) {
			continue
		}
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
