//go:build unix

package explorer

import (
	"path/filepath"
	"syscall"
	"testing"

	"cupelscope/model/musttest"
)

// The list of files waits for no pipe.
func TestTheListOfFilesWaitsForNoPipe(t *testing.T) {
	session := sampleSession(t, 5)
	session.SavePath = filepath.Join(t.TempDir(), "s.json")
	pipe := filepath.Join(filepath.Dir(session.SavePath), "d")
	musttest.Do(t, syscall.Mkfifo(pipe, 0o600))
	musttest.Says(t, (&Model{}).look(t.Context(), pipe), "cannot be opened\nis a pipe")
	for _, size := range sizes {
		begin(t, session, size[0], size[1]).do("source.open", "it is a pipe")
	}
}
