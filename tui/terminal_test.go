//go:build unix

package tui

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"

	"cupelscope/model/musttest"
)

// A screen that no monitor has takes no memory, and is said to be too large, as at the start.
func TestAHugeScreenTakesNoMemory(t *testing.T) {
	e := startExplorer(t, released, scenarioFile(t))
	e.sees("budget")
	musttest.Do(t, pty.Setsize(e.master, &pty.Winsize{Cols: 65_535, Rows: 65_535}))
	e.sees("65535x65535 cells, and none is drawn above")
	e.types("q")
	e.endsWith(0)
	if peak := e.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; peak > 800<<10 { // KiB on Linux, bytes elsewhere
		t.Errorf("the peak of memory is %d KiB", peak)
	}
}

// Of a larger screen 1,000x400 cells are drawn.
func TestTheLargestScreenIsDrawn(t *testing.T) {
	musttest.Alone(t)
	e := startExplorer(t, released, scenarioFile(t))
	e.sees("budget")
	e.screen.Resize(1100, 450)
	musttest.Do(t, pty.Setsize(e.master, &pty.Winsize{Cols: 1100, Rows: 450}))
	e.sees("E export  : type a command") // of the last line, which is written last
	lines := strings.Split(strings.TrimRight(e.screen.String(), " \n"), "\n")
	musttest.Is(t, len(lines), 400, "lines drawn")
	for y, line := range lines {
		if n := utf8.RuneCountInString(strings.TrimRight(line, " ")); n > 1000 || y == 1 && n < 999 { // the bar leaves one cell
			t.Errorf("line %d has %d cells", y, n)
		}
	}
	e.types("q")
	e.endsWith(0)
}

// The explorer does not begin in a terminal where Bubble Tea would have nothing drawn.
func TestATerminalIsTooLarge(t *testing.T) {
	self := musttest.Of(os.Executable())(t)
	for want, size := range map[string]pty.Winsize{
		"65535x65535 cells": {Cols: 65_535, Rows: 65_535}, "2000x600 cells": {Cols: 2000, Rows: 600}, "4097x9 cells": {Cols: 4097, Rows: 9},
	} {
		c := exec.Command(self, scenarioFile(t))
		c.Env = append(os.Environ(), runAs+"="+real, "TERM=xterm-256color")
		terminal, err := pty.StartWithSize(c, &size)
		if err != nil {
			t.Skip("no pseudo-terminal here: ", err)
		}
		defer terminal.Close()
		said := make([]byte, 1<<10)
		n, _ := terminal.Read(said)
		if strings.Contains(string(said[:n]), "\x1b") {
			_ = c.Process.Kill() // it has begun
		}
		if err := c.Wait(); err == nil || !strings.Contains(string(said[:n]), want) || strings.Contains(string(said[:n]), "\x1b") {
			t.Errorf("%v, %q", err, said[:n])
		}
	}
}
