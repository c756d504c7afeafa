//go:build unix

package explorer

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspend stops the program until a shell continues it.
//
// tea.Suspend is not used: it waits for ever where the system ignores the stop, as POSIX wants where no
// shell of the session could continue it (the program is the only one in the terminal, or the first in a container).
func suspend() tea.Cmd {
	return tea.Exec(stop{}, func(err error) tea.Msg {
		if err != nil {
			return unstoppedMsg{}
		}
		return tea.ResumeMsg{}
	})
}

// stop is what Bubble Tea runs while the terminal is the shell's.
type stop struct{}

func (stop) SetStdin(io.Reader)  {}
func (stop) SetStdout(io.Writer) {}
func (stop) SetStderr(io.Writer) {}

// Run stops the processes of the group, as the terminal would, and returns once they go on; or an error
// soon if they were not stopped.
func (stop) Run() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	for range 2 { // a stop outlasts the first wait, and the signal may come after its end
		select {
		case <-goesOn:
			return nil
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("not stopped")
}
