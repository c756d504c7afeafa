//go:build unix

package explorer

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// input makes Bubble Tea read the terminal as wholePastes: standard input, or where that is a pipe
// or a file, the terminal by its name.
func input() []tea.ProgramOption {
	if term.IsTerminal(os.Stdin.Fd()) {
		return []tea.ProgramOption{tea.WithInput(&wholePastes{File: os.Stdin})}
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return nil // Bubble Tea says that there is none
	}
	return []tea.ProgramOption{tea.WithInput(&wholePastes{File: tty})}
}

// wholePastes is a terminal from which each character of a paste, and its end, is read in one
// piece. Where a piece comes 50 ms before the rest, as over a slow connection, Bubble Tea takes the
// end for text, or the rest of a character for the beginning of a control string, and all keys
// after it too.
//
// A paste whose end never comes, as from a connection that broke, ends before a key that is pressed
// pasteSilence or more after the last piece of it, and before ctrl+c.
type wholePastes struct {
	*os.File
	within bool      // a paste has begun
	held   []byte    // the beginning of a character, or maybe of the end of the paste
	last   time.Time // when the last piece came
}

const pasteBegins, pasteEnds = "\x1b[200~", "\x1b[201~"

// pasteSilence is how long a terminal may send nothing in the middle of a paste.
const pasteSilence = time.Second

// maxKeyBytes is the most bytes that a key, or a movement of the mouse, sends. A longer piece after
// a silence is more of the paste, which must not be taken for keys.
const maxKeyBytes = 16

// ctrlC is what the key sends, and what it sends to a terminal that tells all keys apart.
const ctrlC, ctrlCApart = "\x03", "\x1b[99;5u"

func (w *wholePastes) Read(into []byte) (int, error) {
	n := copy(into, w.held)
	w.held = w.held[:0]
	for {
		more, err := w.File.Read(into[n:])
		piece := into[n : n+more]
		n += more
		if err != nil {
			return n, err
		}
		late := w.within && time.Since(w.last) >= pasteSilence
		w.last = time.Now()
		isKey := string(piece) == ctrlC || string(piece) == ctrlCApart || late && more <= maxKeyBytes
		if w.within && isKey && !bytes.Contains(into[:n], []byte(pasteEnds)) {
			n = copy(into, pasteEnds+string(piece)) // half a character, or half an end, that was held is dropped
		}
		text := into[:n]
		if begun, ended := bytes.LastIndex(text, []byte(pasteBegins)), bytes.LastIndex(text, []byte(pasteEnds)); begun != ended {
			w.within = begun > ended
		}
		whole := n
		for k := 1; w.within && k < len(pasteEnds); k++ {
			last := text[max(0, n-k):]
			if string(last) == pasteEnds[:k] || utf8.RuneStart(last[0]) && !utf8.FullRune(last) {
				whole = n - k
			}
		}
		if whole > 0 {
			w.held = append(w.held, text[whole:]...)
			return whole, nil
		}
	}
}

// suspend stops the program until a shell continues it.
//
// tea.Suspend is not used: it waits for ever where the system ignores the stop, as POSIX wants where no
// shell of the session could continue it (the program is the only one in the terminal, or the first
// in a container).
func (m *Model) suspend() tea.Cmd {
	return tea.Exec(stop{}, func(err error) tea.Msg {
		if err != nil {
			return m.notSuspended(err)
		}
		return tea.ResumeMsg{}
	})
}

// stop is what Bubble Tea runs while the terminal is the shell's. A SIGTSTP from another program is not
// caught: once Go has caught that signal, it stops the program no more.
type stop struct{}

func (stop) SetStdin(io.Reader)  {}
func (stop) SetStdout(io.Writer) {}
func (stop) SetStderr(io.Writer) {}

// tickerStops is how long Bubble Tea's renderer may take to stop its ticker, in a goroutine of its
// own. If that came after the program goes on, it would stop the ticker of the renderer that has
// begun, and nothing would be drawn any more.
const tickerStops = 50 * time.Millisecond

// Run stops the processes of the group, as the terminal would, and returns once they go on; or an error
// soon if they were not stopped.
func (stop) Run() error {
	time.Sleep(tickerStops)
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
	return errNoShell
}

// onResize calls do after each change of the size of the terminal, until ctx ends.
func onResize(ctx context.Context, do func()) {
	changes := make(chan os.Signal, 1)
	signal.Notify(changes, syscall.SIGWINCH)
	defer signal.Stop(changes)
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
			do()
		}
	}
}
