//go:build unix

package explorer_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// screen is the lines of a terminal.
type screen []string

func (s screen) String() string { return strings.Join(s, "\n") }

// changed is the screen without the spinner, which turns without a key.
func (s screen) changed() string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", r) {
			return ' '
		}
		return r
	}, s.String())
}

// usable: the items are there.
func usable(s screen) bool {
	return strings.Contains(s.String(), "[1 Items]") || strings.Contains(s.String(), "budget")
}

// current: what is shown belongs to the setup that is shown, and the line of the newest
// change tells what that did.
func current(s screen) bool {
	return usable(s) && len(s) > 3 && strings.Contains(s.String(), " in ") && !strings.Contains(s.String(), "last result") &&
		!strings.Contains(s[0], "computing") && !strings.Contains(s[len(s)-2], "computing")
}

// rested: nothing is being computed.
func rested(s screen) bool {
	all := s.String()
	return !strings.Contains(all, "computing") && !strings.Contains(all, "last result")
}

// cursorRow is where the table's cursor stands.
func cursorRow(s screen) string {
	for y, line := range s {
		if strings.Contains(line, "▌") {
			return strconv.Itoa(y) + line
		}
	}
	return ""
}

// result is the lines that tell what is in at which budget; "" while they tell
// an older one.
func result(s screen) string {
	if !current(s) {
		return ""
	}
	return strings.Join(s[:3], "\n") + s[len(s)-2]
}

// answered is the open item and what the keys would do to it; "" before that is known.
func answered(s screen) string {
	all := s.changed()
	if !strings.Contains(all, "j/k scroll") || strings.Contains(all, "pins: …") || strings.Contains(all, "excludes: …") {
		return ""
	}
	return all
}

// turned is the result and what the view of turns draws of all requests, with the cost of the plan
// that is drawn and of the policy that is edited; "" while it is an older one. The other plans, which
// start once keys rest, may be of the setup before; then none is told to cost least.
func turned(s screen) string {
	return compared(strings.Split(strings.Replace(s.String(), "computing which plan costs least", "", 1), "\n"))
}

// compared is the same with all plans and the one that costs least.
func compared(s screen) string {
	if strings.Contains(s.String(), "computing") || strings.Contains(s.String(), "(old") {
		return ""
	}
	return s.changed()
}

// terminal is the program under a pseudo-terminal.
type terminal struct {
	b    *testing.B
	cmd  *exec.Cmd
	file *os.File

	mu      sync.Mutex
	screen  *vt.Emulator
	written time.Time     // when the newest of what the screen shows was read
	changed chan struct{} // holds one: something was written
	seen    time.Time     // written, when lines was called last
}

func openTerminal(b *testing.B, binary string, args ...string) *terminal {
	b.Helper()
	t := &terminal{b: b, screen: vt.NewEmulator(120, 36), changed: make(chan struct{}, 1)}
	t.cmd = exec.Command(binary, args...)
	t.cmd.Dir = b.TempDir() // where unsaved changes are kept when it is interrupted
	t.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=")
	f, err := pty.StartWithSize(t.cmd, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		b.Skip("no pseudo-terminal: ", err)
	}
	t.file = f
	go func() { _, _ = io.Copy(f, t.screen) }() // the terminal's answers to queries
	go t.read()
	b.Cleanup(t.close)
	return t
}

// read takes what the program writes.
func (t *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		if n > 0 {
			at := time.Now() // the emulator is no part of the program
			t.mu.Lock()
			_, _ = io.Copy(t.screen, bytes.NewReader(buf[:n]))
			t.written = at
			t.mu.Unlock()
			select {
			case t.changed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

func (t *terminal) close() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.file.Close()
}

func (t *terminal) lines() screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = t.written
	snap := uv.NewScreenBuffer(120, 36)
	t.screen.Draw(snap, snap.Bounds())
	lines := make(screen, 36)
	for y := range lines {
		var line strings.Builder
		for x := range 120 {
			if c := snap.CellAt(x, y); c != nil {
				line.WriteString(c.Content)
			}
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// wait waits until the screen is as asked.
func (t *terminal) wait(what string, most time.Duration, ok func(screen) bool) {
	t.b.Helper()
	late := time.After(most)
	for !ok(t.lines()) {
		select {
		case <-t.changed:
		case <-late:
			t.b.Fatalf("%s did not come within %v; the screen:\n%s", what, most, t.lines())
		}
	}
}

func (t *terminal) typed(keys string) {
	t.b.Helper()
	if _, err := io.WriteString(t.file, keys); err != nil {
		t.b.Fatal(err)
	}
}

// press types one key and is the time until its effect is seen, at most a minute:
// a key that has none is told. Letters before a NUL are typed before it.
func (t *terminal) press(key string, effect func(screen) string) time.Duration {
	t.b.Helper()
	if letters, last, ok := strings.Cut(key, "\x00"); ok {
		for _, letter := range letters {
			t.typed(string(letter))
			pause()
		}
		key = last
	}
	before := effect(t.lines())
	start := time.Now()
	t.typed(key)
	t.wait("the effect of "+strconv.Quote(key), time.Minute, func(s screen) bool {
		now := effect(s)
		return now != "" && now != before
	})
	took := t.seen.Sub(start)
	pause()
	return took
}

// pause is the time between two keys: people do not press faster, nor in step with what the program does
// from time to time.
func pause() { time.Sleep(20*time.Millisecond + rand.N(time.Second/120)) }

// quiet is when the screen last changed before it rested for as long as asked; false
// if it did not rest.
func (t *terminal) quiet(rest, most time.Duration) (time.Time, bool) {
	late := time.After(most)
	for {
		select {
		case <-t.changed:
		case <-time.After(rest):
			t.mu.Lock()
			defer t.mu.Unlock()
			return t.written, true
		case <-late:
			return time.Time{}, false
		}
	}
}

// processor is the processor time that the program has used, where the system tells.
func (t *terminal) processor() time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", t.cmd.Process.Pid))
	var sum time.Duration
	for _, thread := range threads {
		data, _ := os.ReadFile(thread)
		ran, _, _ := strings.Cut(string(data), " ")
		nanoseconds, _ := strconv.ParseInt(ran, 10, 64)
		sum += time.Duration(nanoseconds)
	}
	return sum
}

// peak is the largest resident memory of the program, in megabytes; 0 where
// the system does not tell.
func (t *terminal) peak() float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kb, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	return kb / 1024
}
