//go:build linux && (amd64 || arm64)

package tui

import (
	"path/filepath"
	"syscall"
	"testing"

	"cupelscope/model/musttest"
)

// SIGSTKFLT, which Go gives no program, ends nothing.
func TestAStackFaultFromOutsideIsIgnored(t *testing.T) {
	path := scenarioFile(t)
	e := startExplorer(t, released, path)
	e.changes()
	musttest.Do(t, e.cmd.Process.Signal(syscall.SIGSTKFLT))
	e.types("l")
	e.sees("34,000")
	musttest.Do(t, e.cmd.Process.Signal(syscall.SIGTERM))
	e.endsWith(143)
	recovered(t, filepath.Join(filepath.Dir(path), "plan.recovered.json"))
}
