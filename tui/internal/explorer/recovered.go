package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
)

// maxRecovered limits the search for a name that no file of recovered changes has yet.
const maxRecovered = 10_000

// reopening returns the arguments that open the session with what was tried on it, and what they
// cannot express; nil if there are no unsaved changes, or the budget is one that no command takes.
func (m *Model) reopening() (words, without []string) {
	defer func() {
		if recover() != nil { // a file may be written all the same
			words = nil
		}
	}()
	if m.exp == nil || !m.unsaved() {
		return nil, nil
	}
	if _, err := model.NewBudget(m.exp.EndSetup().Budget); err != nil {
		return nil, nil
	}
	words, without = m.workspace.CommandLine(m.exp.EndSetup())
	return append(words, m.screenWords()...), without
}

// recoverUnsaved writes unsaved changes as a scenario to a new file and returns its path:
// beside the scenario that was opened, or else in the current folder, or else in the folder
// for temporary files. It returns "" if there are no unsaved changes. It may run after a crash,
// with the model in any state; a panic becomes the error.
func (m *Model) recoverUnsaved() (path string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("crashed: %v", r)
		}
	}()
	if m.exp == nil || !m.unsaved() {
		return "", nil
	}
	for {
		if path, err = m.workspace.writeRecovered(m.exp); err == nil || !m.exp.CanUndo() {
			return path, err
		}
		m.exp.Undo() // a scenario cannot hold an invalid budget or policy: try the state before
		if !m.unsaved() {
			return "", err
		}
	}
}

// writeRecovered writes the experiment as a scenario to a new file and returns its path.
func (s *Workspace) writeRecovered(exp *experiment.Experiment) (path string, err error) {
	sc, err := s.scenario(exp)
	if err != nil {
		return "", err
	}
	for k, beginning := range s.recoveredIn() {
		if s.SavePath == "" || k > 0 {
			sc.ItemsFile = "" // it is relative to the folder of the scenario
		}
		if path, err = newFile(beginning, func(path string) error { return itemset.WriteNewScenario(path, sc) }); err == nil {
			return path, nil
		}
	}
	return path, err
}

// recoveredIn returns the paths, without their ends, of the files that changes are kept in: the
// first in which they can be.
func (s *Workspace) recoveredIn() (all []string) {
	name := s.Name
	if s.SavePath != "" {
		name = strings.TrimSuffix(filepath.Base(s.SavePath), ".json")
		all = append(all, filepath.Join(filepath.Dir(s.SavePath), name))
	}
	return append(all, fileName(name), filepath.Join(os.TempDir(), fileName(name)))
}

// recovered returns which changes of an earlier session are kept, and how they are opened; "" if
// none are.
func (s *Workspace) recovered() string {
	for _, beginning := range s.recoveredIn() {
		path := recoveredFile(beginning, 1)
		kept, err := os.Stat(path)
		if err != nil {
			continue
		}
		n := earlierRecovered(path)
		for i := range n { // the newest
			later := recoveredFile(beginning, i+2)
			if file, err := os.Stat(later); err == nil && file.ModTime().After(kept.ModTime()) {
				path, kept = later, file
			}
		}
		earlier := ""
		if n > 0 {
			earlier = "; " + plain.Thousands(n) + " earlier"
		}
		return "unsaved changes are kept: " + session.ShellLine("cupelscope", path) + " opens them" + earlier
	}
	return ""
}

// recoveredEnd is what the names of files of recovered changes have before .json, or before
// the number of a later one.
const recoveredEnd = ".recovered"

// recoveredFile returns the name of the nth file of recovered changes, from 1.
func recoveredFile(beginning string, n int) string {
	if n == 1 {
		return beginning + recoveredEnd + ".json"
	}
	return beginning + recoveredEnd + "." + strconv.Itoa(n) + ".json"
}

// earlierRecovered returns how many other files of recovered changes of the same name
// are beside path.
func earlierRecovered(path string) int {
	beginning := path[:strings.LastIndex(path, recoveredEnd)]
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return 0
	}
	n := -1 // path itself
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), filepath.Base(beginning)+recoveredEnd); ok && strings.HasSuffix(rest, ".json") {
			n++
		}
	}
	return max(0, n)
}

// newFile writes to beginning.recovered.json, or, if that exists, to the first of
// beginning.recovered.2.json and so on that does not. It returns the path. The error comes
// from write, or is fs.ErrExist if all names are taken.
func newFile(beginning string, write func(path string) error) (path string, err error) {
	for i := range maxRecovered {
		path = recoveredFile(beginning, i+1)
		if err = write(path); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", err
}

// fileName returns a file name made from the name of a source: at most 60 ASCII letters,
// digits, dots, underscores and hyphens, so that it is valid on every system.
func fileName(source string) string {
	const maxLetters = 60
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, filepath.Base(source))
	return cmp.Or(strings.TrimLeft(name[:min(maxLetters, len(name))], ".-"), "scenario")
}
