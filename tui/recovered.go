package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cupelscope/simulate/session"
	"cupelscope/tui/experiment"
)

// mostRecovered is how many files of recovered changes of one name lie in one folder.
const mostRecovered = 100

// stopped is why the explorer ended although its user did not quit, and where
// unsaved changes are.
func (m *Model) stopped(why error) error {
	path, err := m.recoverUnsaved()
	switch {
	case err != nil:
		return fmt.Errorf("%w\nunsaved changes are lost: %w", why, err)
	case path != "":
		return fmt.Errorf("%w\nunsaved changes are kept; open them with: %s", why, session.ShellLine("cupelscope", path))
	}
	return why
}

// recoverUnsaved keeps unsaved changes as a scenario in a new file, and returns
// its path: beside the scenario that was opened, else in the folder for temporary
// files. "" if there are none, or nothing can be saved in this session. It may
// run after a crash, with the model in any state.
func (m *Model) recoverUnsaved() (path string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("crashed: %v", r)
		}
	}()
	if m.exp == nil || m.session.SaveNew == nil || !m.unsaved() {
		return "", nil
	}
	for {
		if path, err = m.session.writeRecovered(m.exp); err == nil || !m.exp.CanUndo() {
			return path, err
		}
		m.exp.Undo() // of an invalid budget or policy: no scenario holds it
		if !m.unsaved() {
			return "", err
		}
	}
}

// writeRecovered writes the experiment as a scenario to a new file.
func (s *Session) writeRecovered(exp *experiment.Experiment) (path string, err error) {
	sc, err := s.scenario(exp)
	if err != nil {
		return "", err
	}
	write := func(path string) error { return s.SaveNew(path, sc) }
	name := s.Name
	if s.SavePath != "" {
		name = strings.TrimSuffix(filepath.Base(s.SavePath), ".json")
		if path, err = newFile(filepath.Join(filepath.Dir(s.SavePath), name), write); err == nil {
			return path, nil
		}
	}
	sc.ItemsFile = "" // which is relative to the scenario
	return newFile(filepath.Join(os.TempDir(), fileName(name)), write)
}

// newFile writes beginning.recovered.json, or with a number where that is there.
func newFile(beginning string, write func(path string) error) (path string, err error) {
	for i := range mostRecovered {
		path = beginning + ".recovered.json"
		if i > 0 {
			path = beginning + ".recovered." + strconv.Itoa(i+1) + ".json"
		}
		if err = write(path); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", err
}

// fileName is a short name for a file that every system takes, after the name
// of a source.
func fileName(source string) string {
	const most = 60
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, filepath.Base(source))
	name = strings.TrimLeft(name[:min(most, len(name))], ".-")
	if name == "" {
		return "scenario"
	}
	return name
}
