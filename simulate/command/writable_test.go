package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// What cannot be written is refused before the work, and the refusal leaves no file behind.
func TestAFileThatCannotBeWrittenIsRefusedFirst(t *testing.T) {
	source := labelledFile(t, 32, 8, true)
	folder := t.TempDir()
	readOnly := filepath.Join(folder, "read-only.json")
	musttest.Do(t, os.WriteFile(readOnly, []byte("mine"), 0o400))
	for path, why := range map[string]string{
		folder:                          "is a folder",
		readOnly:                        "is read-only",
		os.DevNull:                      "is a device",
		filepath.Join(folder, "x", "y"): "no such file or directory",
		filepath.Join(readOnly, "y"):    "not a directory",
	} {
		_, told, err := runTune(t, source, byTalk(func(v *tuneOptions) { v.Out = path }))
		if err == nil || !strings.HasPrefix(err.Error(), "--out: ") || !strings.Contains(err.Error(), why) || strings.Contains(told, "searching") {
			t.Errorf("tune --out %s: %v, told is %q", path, err, told)
		}
		out, err := runCheck(t, neededScenario, session.Options{}, checkOptions{Record: path})
		if err == nil || !strings.HasPrefix(err.Error(), "--record: ") || !strings.Contains(err.Error(), why) || out != "" {
			t.Errorf("check --record %s: %v, %q", path, err, out)
		}
	}
	fresh := filepath.Join(folder, "fresh.json")
	_, _, err := runTune(t, labelledFile(t, 1, 1, true), byTalk(func(v *tuneOptions) { v.Out = fresh }))
	if _, few := errors.AsType[*quality.TooFewError](err); !few {
		t.Errorf("a file that can be written: %v", err)
	}
	if names, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(names) != 1 {
		t.Errorf("there are %q, %v", names, err)
	}
	if names, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(names) != 0 {
		t.Errorf("there are %q, %v", names, err)
	}
	if _, err := os.Stat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}
