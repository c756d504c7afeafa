package widget

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/work"
)

// Suggest offers texts that a line may become, the most likely first. Texts that do not begin
// with the text so far are dropped.
type Suggest func(text string) []string

// SuggestWords returns a Suggest that offers these words.
func SuggestWords(words ...string) Suggest { return func(string) []string { return words } }

// maxNames bounds the names of one folder that are read for suggestions.
const maxNames = 2000

// folders suggests the files and folders whose path begins with a text, once their folder
// has been read. Hidden ones are suggested once their dot is typed. A folder that cannot
// be read gives no suggestions.
type folders struct {
	asked, dir string // the folder that was asked for last, and the folder that names are from
	ever       bool   // a folder was asked for: "" names one too
	names      []string
}

func (f *folders) suggest(text string) []string {
	dir, base := filepath.Split(text)
	if dir != f.dir {
		return nil
	}
	var found []string
	for _, name := range f.names {
		if strings.HasPrefix(name, ".") == strings.HasPrefix(base, ".") {
			found = append(found, dir+name)
		}
	}
	return found
}

// ReadFolder reads the folder that the path so far is in, in the background: a folder may be
// on a slow disk. It returns nil if the line suggests no paths, or the folder is read already.
func (l *Input) ReadFolder() tea.Cmd {
	f := l.folders
	if f == nil {
		return nil
	}
	dir, _ := filepath.Split(l.Value())
	if f.ever && dir == f.asked {
		return nil
	}
	f.asked, f.ever = dir, true
	return func() tea.Msg {
		names := list(dir)
		return work.Then(func() tea.Cmd {
			if dir == f.asked {
				f.dir, f.names = dir, names
				l.renew()
			}
			return nil
		})
	}
}

// list returns the sorted names in a folder, with a separator after the names of folders. Names
// that are not UTF-8 cannot be typed and are left out.
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
